# Layers of the project. cox_layer(TARGET FOLDER [INTERFACE|STATIC] SOURCES...) makes a library whose public include directory holds only a
# link to FOLDER. Files include each other by their path from the repository's root. A file can include only layers that its target
# links, because other layers are not on its include path; any other include does not compile. A folder that sets COX_LAYER_HEADERS to
# precompiled headers (CoxPrecompile.cmake) gives them to its layers.

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
    if(COX_LAYER_HEADERS)
      cox_share_headers(${target} ${COX_LAYER_HEADERS})
    endif()
  endif()
endfunction()
