# SPDX-License-Identifier: MIT
# Writes the manual pages of the command COX and its completion for three shells below the folder SHARE. ZSH is the folder of zsh's functions
# below SHARE/zsh. DATE is the date of the pages, in seconds since 1970.
set(ENV{SOURCE_DATE_EPOCH} ${DATE})

# write(FILE WORD...) writes what `cox help WORD...` prints.
function(write file)
  get_filename_component(folder ${SHARE}/${file} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  execute_process(COMMAND ${COX} help ${ARGN} OUTPUT_FILE ${SHARE}/${file} COMMAND_ERROR_IS_FATAL ANY)
  message(STATUS "Installing: ${SHARE}/${file}")
endfunction()

write(bash-completion/completions/cox --format bash)
write(zsh/${ZSH}/_cox --format zsh)
write(fish/vendor_completions.d/cox.fish --format fish)
write(man/man1/cox.1 --format man)
execute_process(COMMAND ${COX} help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "^.*\nSubcommands:\n" "" help "${help}")
string(REGEX MATCHALL "\n  [a-z][a-z-]*" names "\n${help}")
foreach(name IN LISTS names)
  string(STRIP "${name}" name)
  write(man/man1/cox-${name}.1 --format man ${name})
endforeach()
file(GLOB pages ${SHARE}/man/man1/cox.1 ${SHARE}/man/man1/cox-*.1)
find_program(gzip gzip)
if(gzip)
  execute_process(COMMAND ${gzip} -9 -n -f ${pages} COMMAND_ERROR_IS_FATAL ANY)
endif()
