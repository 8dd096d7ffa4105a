# Layers of the house. cox_layer(TARGET FOLDER [INTERFACE|STATIC] SOURCES...) makes a library whose public include directory holds
# one link, to FOLDER alone. A file includes others by their path from the repository's root; what its target does not link
# against is not on its include path, so an include across the house's walls does not compile.

function(cox_layer target folder kind)
  add_library(${target} ${kind} ${ARGN})
  set(view ${CMAKE_BINARY_DIR}/layers/${target})
  get_filename_component(parent ${view}/${folder} DIRECTORY)
  file(MAKE_DIRECTORY ${parent})
  if(NOT EXISTS ${view}/${folder})
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${view}/${folder} SYMBOLIC)
  endif()
  if(kind STREQUAL "INTERFACE")
    target_include_directories(${target} INTERFACE ${view})
  else()
    target_include_directories(${target} PUBLIC ${view})
    target_link_libraries(${target} PRIVATE cox_warnings)
  endif()
endfunction()
