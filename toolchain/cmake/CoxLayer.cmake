# Layers of the project. cox_layer(TARGET FOLDER [INTERFACE|STATIC] SOURCES...) makes a library whose public include directory holds only a
# link to FOLDER. Files include each other by their path from the repository's root, those of the layers in COX_INSTALLED_LAYERS below
# "coxswain/". A file can include only layers that its target links, because other layers are not on its include path; any other include
# does not compile. A folder that sets COX_LAYER_HEADERS to precompiled headers (CoxPrecompile.cmake) gives them to its layers.

include(${CMAKE_CURRENT_LIST_DIR}/CoxReproducible.cmake)

# Layers whose headers other projects include. Their common prefix keeps them apart from a vendor's headers, such as hal/board.h.
set(COX_INSTALLED_LAYERS base device isa hal firmware tflite kernels host)
# Other projects call these functions too, and do not see the variables of this one.
set_property(GLOBAL PROPERTY COX_INSTALLED_LAYERS ${COX_INSTALLED_LAYERS})

# cox_include_path(VARIABLE FOLDER) sets VARIABLE to the path by which files include those of FOLDER.
function(cox_include_path variable folder)
  string(REGEX MATCH "^[^/]+" layer ${folder})
  get_property(installed GLOBAL PROPERTY COX_INSTALLED_LAYERS)
  if(layer IN_LIST installed)
    set(folder coxswain/${folder})
  endif()
  set(${variable} ${folder} PARENT_SCOPE)
endfunction()

# cox_view(VARIABLE TARGET) sets VARIABLE to the include directory of a layer.
function(cox_view variable target)
  if(DEFINED coxswain_BINARY_DIR)
    set(${variable} ${coxswain_BINARY_DIR}/layers/${target} PARENT_SCOPE)
  else()  # the installed package in another project
    set(${variable} ${CMAKE_BINARY_DIR}/coxswain/layers/${target} PARENT_SCOPE)
  endif()
endfunction()

function(cox_layer target folder kind)
  add_library(${target} ${kind} ${ARGN})
  cox_view(view ${target})
  cox_include_path(path ${folder})
  get_filename_component(parent ${view}/${path} DIRECTORY)
  file(MAKE_DIRECTORY ${parent})
  if(NOT EXISTS ${view}/${path})
    get_filename_component(root ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../.. ABSOLUTE)
    file(CREATE_LINK ${root}/${folder} ${view}/${path} SYMBOLIC)
  endif()
  string(REGEX REPLACE "/${folder}$" "" root_in_view ${view}/${path})
  if(kind STREQUAL "INTERFACE")
    target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${view}>)
    cox_map_view(${target} INTERFACE ${root_in_view})
  else()
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${view}>)
    cox_map_view(${target} PUBLIC ${root_in_view})
    target_link_libraries(${target} PRIVATE cox_warnings)
    if(COX_LAYER_HEADERS)
      cox_share_headers(${target} ${COX_LAYER_HEADERS})
    endif()
  endif()
endfunction()
