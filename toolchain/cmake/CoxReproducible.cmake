# SPDX-License-Identifier: MIT
# Builds that give the same bytes wherever the sources and the build folder lie (docs/release.md, Reproducible builds). Objects name their
# files relative to the root of the sources: in debugging information and in __FILE__.
include_guard(GLOBAL)

# Whether the compiler has the option. Other projects that build this tree decide for themselves.
set(COX_MAPS_PATHS OFF)
if(COX_IS_MAIN AND CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang)$")
  set(COX_MAPS_PATHS ON)
endif()

# cox_map_paths() sets the options of all targets of the caller's folder and below. GCC takes the last option that fits, so the build folder
# may lie below the sources.
macro(cox_map_paths)
  if(COX_MAPS_PATHS)
    add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}=. -ffile-prefix-map=${PROJECT_BINARY_DIR}=.)
  endif()
  set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
endmacro()

# cox_map_view(TARGET VISIBILITY VIEW): files in VIEW, an include directory of a layer (CoxLayer.cmake), are named by their place in the
# sources, so that debuggers find them.
function(cox_map_view target visibility view)
  if(COX_MAPS_PATHS)
    target_compile_options(${target} ${visibility} $<BUILD_INTERFACE:-ffile-prefix-map=${view}=.>)
  endif()
endfunction()
