# SPDX-License-Identifier: MIT
# Programs of tests that run again under another condition: on memory that is not coherent, with other addresses on the bus.
include_guard(GLOBAL)

# cox_run_again(CONDITION NAME PROGRAMS TIMEOUT command...) adds the test CONDITION.NAME, a command that uses the targets PROGRAMS. A build
# of some areas leaves it out if a target is missing.
function(cox_run_again condition name programs timeout)
  foreach(program IN LISTS programs)
    if(TARGET ${program})
      continue()
    elseif(COX_TESTS OR COX_ONLY)
      return()
    endif()
    message(FATAL_ERROR "${condition}.${name}: there is no target ${program}")
  endforeach()
  add_test(NAME ${condition}.${name} COMMAND ${ARGN})
  set_tests_properties(${condition}.${name} PROPERTIES
    TIMEOUT ${timeout}
    ENVIRONMENT "COX_QEMU=${COX_QEMU};COX_MODEL=$<TARGET_FILE:cox_model>;COX_TARGET_BUILD=${COX_TARGET_BUILD};COX_HOST_BUILD=${CMAKE_BINARY_DIR}")
endfunction()
