# Lists of engines, from the rows of device/engines.h.

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/device/engines.h)

# cox_engines(VARIABLE NAME...) sets VARIABLE to the keys of some engines, in the order of device/engines.h. A row of device/engines.h has
# the key of an engine and its home: `layers` if the engine is part of the product, or `tests` if only tests use it. Each NAME is the key of
# an engine, or a home, which stands for all engines with this home. For each key the function sets VARIABLE_home_KEY to its home, and
# VARIABLE_ring_KEY to true if the engine takes descriptors from a ring.
function(cox_engines variable)
  set(keys)
  file(STRINGS ${PROJECT_SOURCE_DIR}/device/engines.h rows REGEX "^ *ROW\\([a-z]")
  string(REPLACE "\\" "" rows "${rows}")  # a backslash at the end of a row would escape the separator of the list
  foreach(row IN LISTS rows)
    if(NOT row MATCHES "^ *ROW\\(([a-z_0-9]+), *[0-9]+, *\"[^\"]*\", *\"[^\"]*\", *([a-z_]+), *([a-z]+)")
      message(FATAL_ERROR "device/engines.h: this row is not understood: ${row}")
    endif()
    if(CMAKE_MATCH_3 IN_LIST ARGN OR CMAKE_MATCH_1 IN_LIST ARGN)
      list(APPEND keys ${CMAKE_MATCH_1})
      string(COMPARE NOTEQUAL ${CMAKE_MATCH_2} slots ring)
      set(${variable}_ring_${CMAKE_MATCH_1} ${ring} PARENT_SCOPE)
      set(${variable}_home_${CMAKE_MATCH_1} ${CMAKE_MATCH_3} PARENT_SCOPE)
    endif()
  endforeach()
  set(${variable} ${keys} PARENT_SCOPE)
endfunction()

# cox_add_engine_folders([REQUIRED]) adds the subfolder KEY of each engine whose home is `layers`, if KEY has a CMakeLists.txt.
# With REQUIRED, each of these engines must have this file.
macro(cox_add_engine_folders)
  cox_engines(engines layers)
  foreach(key IN LISTS engines)
    if("${ARGN}" STREQUAL "REQUIRED" OR EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${key}/CMakeLists.txt)
      add_subdirectory(${key})
    endif()
  endforeach()
endmacro()
