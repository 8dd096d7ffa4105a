# For tests that call `cox` as a user does: clears the working folder FOLDER, and defines functions that run COX and check its results.
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})

# expect(STATUS PATTERN word...): `cox word...` must end with this status and print text that matches PATTERN.
function(expect status pattern)
  execute_process(COMMAND ${COX} ${ARGN} WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL status)
    message(SEND_ERROR "cox ${ARGN}: exit status ${result}, not ${status}: ${output}")
  endif()
  if(NOT output MATCHES "${pattern}")
    message(SEND_ERROR "cox ${ARGN}: no '${pattern}' in: ${output}")
  endif()
endfunction()

# Expects that two files in FOLDER are equal.
function(expect_equal one other)
  execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${FOLDER}/${one} ${FOLDER}/${other} RESULT_VARIABLE different)
  if(different)
    message(SEND_ERROR "${one} and ${other} differ")
  endif()
endfunction()
