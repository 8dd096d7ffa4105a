# SPDX-License-Identifier: MIT
# Installs the command `cox` with its files, as the component `cox` (docs/install.md):
#   cmake --install build/host --prefix PREFIX --component cox
# cox finds its files from its own place, so PREFIX can be moved. QEMU and the images come from the builds beside this one, and are left out
# if they have not been built (`cox doctor` says what is missing).
include(CoxBoards)
set(COX_INSTALL_BUILDS ${PROJECT_SOURCE_DIR}/build CACHE PATH "Folder of the builds of QEMU and of the boards, for the installation of cox")
find_program(COX_HOST_STRIP strip)
find_program(COX_TARGET_STRIP arm-none-eabi-strip)
set(private lib/coxswain)
set(examples ${PROJECT_SOURCE_DIR}/examples)

install(TARGETS cox RUNTIME DESTINATION bin COMPONENT cox)
install(TARGETS cox_model LIBRARY DESTINATION ${private} COMPONENT cox)

# cox_install_built(KIND FILE FOLDER STRIP OPTIONS...) installs a file that another build makes, without its debugging information. KIND is
# PROGRAMS or FILES.
function(cox_install_built kind file folder strip)
  get_filename_component(name ${file} NAME)
  install(${kind} ${file} DESTINATION ${folder} COMPONENT cox OPTIONAL)
  if(strip)
    install(CODE "
      set(installed \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}/${name}\")
      if(EXISTS \"${file}\" AND EXISTS \"\${installed}\")
        execute_process(COMMAND \"${strip}\" ${ARGN} \"\${installed}\" COMMAND_ERROR_IS_FATAL ANY)
      endif()" COMPONENT cox)
  endif()
endfunction()

cox_install_built(PROGRAMS ${COX_INSTALL_BUILDS}/qemu/bin/qemu-system-arm ${private} "${COX_HOST_STRIP}" --strip-unneeded)
cox_boards(boards)
foreach(board IN LISTS boards)
  foreach(image coxswain.elf coxswain-trace.elf)
    cox_install_built(FILES ${COX_INSTALL_BUILDS}/${board}/bin/${image} ${private}/boards/${board} "${COX_TARGET_STRIP}" --strip-debug)
  endforeach()
  install(FILES ${PROJECT_SOURCE_DIR}/boards/${board}/board.json DESTINATION ${private}/boards/${board} COMPONENT cox OPTIONAL)
endforeach()

file(GLOB schemas CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/schemas/*.schema.json)
install(FILES ${schemas} DESTINATION share/coxswain/schemas COMPONENT cox)

# Examples that need only cox. The others are built from the source tree.
install(FILES ${examples}/digits/network.json ${examples}/digits/images.bin ${examples}/digits/labels.bin DESTINATION share/coxswain/examples/digits COMPONENT cox)
install(DIRECTORY ${examples}/digits/weights DESTINATION share/coxswain/examples/digits COMPONENT cox)
install(FILES ${examples}/lstm/heartbeats.xdsa ${examples}/train_digits/train.xdsa DESTINATION share/coxswain/examples COMPONENT cox)

# Manual pages and completion, which cox writes itself. Their date is that of the last commit, so that equal sources give equal files.
find_package(Git QUIET)
set(COX_SOURCE_DATE 0)  # seconds since 1970
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${PROJECT_SOURCE_DIR} log -1 --format=%ct
    OUTPUT_VARIABLE COX_SOURCE_DATE OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT COX_SOURCE_DATE)
  set(COX_SOURCE_DATE 0)
endif()
install(CODE "
  set(share \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share\")
  set(zsh site-functions)
  if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
    set(zsh vendor-completions)  # where Debian's zsh looks for files of packages
  endif()
  execute_process(COMMAND \"${CMAKE_COMMAND}\" -DCOX=$<TARGET_FILE:cox> \"-DSHARE=\${share}\" -DZSH=\${zsh} -DDATE=${COX_SOURCE_DATE}
    -P \"${CMAKE_CURRENT_LIST_DIR}/write_help.cmake\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT cox)
