# SPDX-License-Identifier: MIT
# Files for pkg-config: one for each component, in lib/coxswain/ABI/pkgconfig. Those of a native build are also in lib/pkgconfig, where
# pkg-config looks by itself. They find their package from their own place, so it can be moved.

# cox_pkgconfig(COMPONENT TARGET)
function(cox_pkgconfig component target)
  set(needed "")
  cox_libraries(needed ${target})
  set(definitions "-DCOX_LIBRARY_VERSION=${library_version}")
  set(archives "")
  set(others "")
  foreach(library IN LISTS needed)
    get_target_property(type ${library} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      string(APPEND archives " -l${library}")
    elseif(type STREQUAL "SHARED_LIBRARY")
      string(APPEND others " -l${library} -Wl,-rpath,\${libdir}")
    endif()
    get_target_property(of_library ${library} INTERFACE_COMPILE_DEFINITIONS)
    if(of_library)
      list(FILTER of_library EXCLUDE REGEX "\\$<")
      foreach(definition IN LISTS of_library)
        string(APPEND definitions " -D${definition}")
      endforeach()
    endif()
  endforeach()
  if(component STREQUAL "board")
    set(others " \${libdir}/objects-${CMAKE_BUILD_TYPE}/cox_board_process/boards/native/process.cpp.o${others}")
  endif()
  if(COX_BOARD STREQUAL "native")
    string(APPEND others " -pthread")
  endif()
  if(archives)
    # The libraries call the board's functions, and the board calls theirs.
    string(APPEND others " -Wl,--start-group${archives} -lstdc++ -Wl,--end-group")
  endif()
  # Each place has its own way to the prefix.
  foreach(place IN ITEMS coxswain/${COX_COMPILER_ABI}/pkgconfig pkgconfig)
    if(place STREQUAL "pkgconfig" AND NOT COX_BOARD STREQUAL "native")
      continue()
    endif()
    file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/${place} /)
    string(REGEX REPLACE "/$" "" up ${up})
    file(CONFIGURE OUTPUT pkgconfig/${place}/coxswain-${component}.pc @ONLY CONTENT [[
prefix=${pcfiledir}/@up@
includedir=${prefix}/@CMAKE_INSTALL_INCLUDEDIR@
libdir=${prefix}/@libraries@

Name: coxswain-@component@
Description: Coxswain, component @component@, for @COX_COMPILER_TEXT@
Version: @PROJECT_VERSION@
Cflags: -I${includedir} @definitions@
Libs: -L${libdir}@others@
]])
    install(FILES ${PROJECT_BINARY_DIR}/pkgconfig/${place}/coxswain-${component}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/${place} COMPONENT development)
  endforeach()
endfunction()

foreach(component IN LISTS components)
  get_property(target GLOBAL PROPERTY COX_TARGET_${component})
  if(TARGET ${target} AND (NOT component STREQUAL "board" OR COX_BOARD STREQUAL "native"))
    cox_pkgconfig(${component} ${target})
  endif()
endforeach()
