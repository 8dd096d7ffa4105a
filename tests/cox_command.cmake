# For tests that call `cox` as a user does: an empty FOLDER to work in, and what is expected of a call of COX.
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})

# expect(STATUS PATTERN word...): `cox word...` ends with that status, and what it prints matches.
function(expect status pattern)
  execute_process(COMMAND ${COX} ${ARGN} WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL status)
    message(SEND_ERROR "cox ${ARGN}: exit status ${result}, not ${status}: ${output}")
  endif()
  if(NOT output MATCHES "${pattern}")
    message(SEND_ERROR "cox ${ARGN}: no '${pattern}' in: ${output}")
  endif()
endfunction()

# Of two files in FOLDER.
function(expect_equal one other)
  execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${FOLDER}/${one} ${FOLDER}/${other} RESULT_VARIABLE different)
  if(different)
    message(SEND_ERROR "${one} and ${other} differ")
  endif()
endfunction()
