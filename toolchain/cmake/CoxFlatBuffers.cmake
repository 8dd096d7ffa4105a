# SPDX-License-Identifier: MIT
include_guard(GLOBAL)

# FlatBuffers, natively and on the target. The firmware uses only headers of the library, so both builds use the host's headers. The
# include path gets a folder that holds only a link to the library's headers, because a cross build must not see the host's other headers.

find_program(COX_FLATC flatc REQUIRED)
find_path(COX_FLATBUFFERS_INCLUDE flatbuffers/flatbuffers.h PATHS /usr/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)

set(cox_flatbuffers_view ${PROJECT_BINARY_DIR}/layers/cox_flatbuffers)
file(MAKE_DIRECTORY ${cox_flatbuffers_view})
if(NOT EXISTS ${cox_flatbuffers_view}/flatbuffers)
  file(CREATE_LINK ${COX_FLATBUFFERS_INCLUDE}/flatbuffers ${cox_flatbuffers_view}/flatbuffers SYMBOLIC)
endif()
add_library(cox_flatbuffers INTERFACE)
target_include_directories(cox_flatbuffers SYSTEM INTERFACE ${cox_flatbuffers_view})

# cox_flatbuffers_schema(TARGET SCHEMA) makes an INTERFACE target whose users can include the C++ header that flatc generates from
# SCHEMA, a path from the repository's root: firmware/image/task.fbs becomes "coxswain/firmware/image/task_generated.h".
function(cox_flatbuffers_schema target schema)
  get_filename_component(folder ${schema} DIRECTORY)
  get_filename_component(name ${schema} NAME_WE)
  set(view ${PROJECT_BINARY_DIR}/generated/${target})
  cox_include_path(path ${folder})
  set(header ${view}/${path}/${name}_generated.h)
  add_custom_command(
    OUTPUT ${header}
    COMMAND ${COX_FLATC} --cpp --cpp-std c++17 --scoped-enums -o ${view}/${path} ${PROJECT_SOURCE_DIR}/${schema}
    DEPENDS ${PROJECT_SOURCE_DIR}/${schema}
    COMMENT "flatc ${schema}"
    VERBATIM)
  add_custom_target(${target}_header DEPENDS ${header})
  add_library(${target} INTERFACE)
  add_dependencies(${target} ${target}_header)
  target_include_directories(${target} SYSTEM INTERFACE ${view})
  target_link_libraries(${target} INTERFACE cox_flatbuffers)
endfunction()
