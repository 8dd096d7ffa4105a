# Precompiled headers. They do not change the code that the compiler makes. Leave them off if you use a compiler cache, or if you edit a
# header that many precompiled headers contain.
option(COX_PRECOMPILE "Compile the headers that the files of a target share once (make does)" OFF)

# cox_precompile(TARGET HEADER...) precompiles the headers below and each HEADER, given as <path>, for the files of TARGET. Files with
# compile options of their own are left out, because GCC refuses headers that were compiled with other options.
# cox_precompile(TARGET REUSE_FROM OTHER) takes the headers of the target OTHER, which has the same compile options.
function(cox_precompile target)
  if(NOT COX_PRECOMPILE)
    return()
  endif()
  if(ARGV1 STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} ${ARGN})
  else()
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <cstddef> <cstdint> <limits> <optional> <span> <utility> ${ARGN})
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    if(options)
      set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endfunction()

# cox_shared_headers(NAME LIBS library... HEADERS <path>...) precompiles headers for several targets. Each of them calls
# cox_share_headers(TARGET NAME) and needs the compile options of the folder that calls cox_shared_headers().
function(cox_shared_headers name)
  if(NOT COX_PRECOMPILE)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "LIBS;HEADERS" ${ARGN})
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp "")
  add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE ${arg_LIBS} cox_warnings)
  target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
  # GCC takes the precompiled headers only if a target defines the same macros.
  set(definitions "")
  foreach(library IN LISTS arg_LIBS)
    get_target_property(of_library ${library} INTERFACE_COMPILE_DEFINITIONS)
    if(of_library)
      list(APPEND definitions ${of_library})
    endif()
  endforeach()
  set_target_properties(${name} PROPERTIES COX_DEFINITIONS "${definitions}")
endfunction()

function(cox_share_headers target name)
  if(NOT COX_PRECOMPILE)
    return()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${name})
  get_target_property(definitions ${name} COX_DEFINITIONS)
  target_compile_definitions(${target} PRIVATE ${definitions})
  # GCC 12 does not treat precompiled headers as system headers, so it would warn of the code of std::string. A target with OpenMP cannot use
  # the precompiled headers and reads the headers itself.
  target_compile_options(${target} PRIVATE
    "$<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-error=invalid-pch>")
endfunction()
