# SPDX-License-Identifier: MIT
# Programs of tests with a known defect, which `cox campaign` finds in the test python.campaign.defect.
include_guard(GLOBAL)

# cox_defective_source(VARIABLE SOURCE OLD NEW) sets VARIABLE to a copy of SOURCE with a defect: NEW is in the place of OLD, which must be in
# SOURCE once. A program with the copy among its own sources has the defect, because the linker takes nothing from a library that is defined
# already. The library must compile SOURCE by itself, not in a batch (docs/testing.md, Build time).
function(cox_defective_source variable source old new)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${source})
  file(READ ${PROJECT_SOURCE_DIR}/${source} text)
  string(REPLACE "${old}" "${new}" changed "${text}")
  string(REPLACE "${old}" "" without "${text}")
  string(LENGTH "${text}" length)
  string(LENGTH "${without}" rest)
  string(LENGTH "${old}" once)
  math(EXPR removed "${length} - ${rest}")
  if(NOT removed EQUAL once)
    message(FATAL_ERROR "tests/campaign: ${source} should have this text once, for the seeded defect: ${old}")
  endif()
  set(copy ${CMAKE_BINARY_DIR}/generated/defect/${source})
  file(CONFIGURE OUTPUT ${copy} CONTENT "@changed@" @ONLY)
  set_source_files_properties(${copy} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set(${variable} ${copy} PARENT_SCOPE)
endfunction()

# cox_defective_program(NAME GOOD) puts the program into the folder bin/defect, under the name of the good one.
function(cox_defective_program name good)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin/defect OUTPUT_NAME ${good})
endfunction()
