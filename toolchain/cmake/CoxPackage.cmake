# SPDX-License-Identifier: MIT
# The targets coxswain::NAME for other projects, and the installed package (docs/integration.md).
#
# A package holds libraries for several compilers side by side. Each build installs the headers, and adds its libraries in
# lib/coxswain/ABI and its targets in lib/cmake/coxswain/coxswain-targets-ABI.cmake, where ABI is COX_COMPILER_ABI.
include(CoxComponents)
include(CoxAddImage)

# Number of the version that the libraries have: base/version.h compares it with that of the headers.
math(EXPR library_version "${PROJECT_VERSION_MAJOR} * 10000 + ${PROJECT_VERSION_MINOR} * 100 + ${PROJECT_VERSION_PATCH}")
target_compile_definitions(cox_base INTERFACE $<INSTALL_INTERFACE:COX_LIBRARY_VERSION=${library_version}>)
target_compile_features(cox_base INTERFACE cxx_std_20)

# The model's C interface, as other projects include it: coxswain/model/cox_model.h.
if(TARGET cox_model)
  set(view ${PROJECT_BINARY_DIR}/layers/cox_model_api/coxswain/model)
  file(MAKE_DIRECTORY ${view})
  if(NOT EXISTS ${view}/cox_model.h)
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/sim/model/cox_model.h ${view}/cox_model.h SYMBOLIC)
  endif()
  add_library(cox_model_api INTERFACE)
  target_include_directories(cox_model_api INTERFACE $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/layers/cox_model_api>)
  target_link_libraries(cox_model_api INTERFACE $<LINK_ONLY:cox_model>)
endif()

# What a program links besides the libraries: on the target start-up code and section layout, natively a board in its process.
if(TARGET cox_board)
  cox_board_image(cox_board_image cox_board)
elseif(TARGET cox_model AND TARGET cox_board_native)
  add_library(cox_board_process OBJECT boards/native/process.cpp)
  target_link_libraries(cox_board_process PRIVATE cox_board_native cox_warnings)
  set_target_properties(cox_board_process PROPERTIES UNITY_BUILD OFF)  # pkg-config names its object
  add_library(cox_board_image INTERFACE)
  target_sources(cox_board_image INTERFACE $<BUILD_INTERFACE:$<TARGET_OBJECTS:cox_board_process>>
    $<INSTALL_INTERFACE:$<TARGET_OBJECTS:coxswain::board_process>>)
  target_link_libraries(cox_board_image INTERFACE $<LINK_ONLY:cox_board_native>)
endif()

# cox_libraries(VARIABLE TARGET...) appends to VARIABLE the libraries TARGET... and those of this tree that they need.
function(cox_libraries variable)
  set(found ${${variable}})
  foreach(target IN LISTS ARGN)
    if(TARGET ${target} AND target MATCHES "^cox_" AND NOT target IN_LIST found)
      list(APPEND found ${target})
      get_target_property(needed ${target} INTERFACE_LINK_LIBRARIES)
      if(needed)
        list(TRANSFORM needed REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1")
        list(FILTER needed EXCLUDE REGEX "^cox_(warnings|freestanding|task_image|tflite_schema|board_devices)$")
        cox_libraries(found ${needed})
      endif()
    endif()
  endforeach()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

# Components have names for other projects, and so have the libraries that components need.
get_property(components GLOBAL PROPERTY COX_COMPONENTS)
set(package "")
foreach(component IN LISTS components)
  get_property(target GLOBAL PROPERTY COX_TARGET_${component})
  if(TARGET ${target})
    add_library(coxswain::${component} ALIAS ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${component})
    if(NOT component STREQUAL "board" OR COX_BOARD STREQUAL "native")
      cox_libraries(package ${target})
    endif()
  endif()
endforeach()
foreach(target IN LISTS package)
  get_target_property(name ${target} EXPORT_NAME)
  if(NOT name)
    string(REGEX REPLACE "^cox_" "" name ${target})
    if(name IN_LIST components)
      string(APPEND name _library)
    endif()
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    add_library(coxswain::${name} ALIAS ${target})
  endif()
endforeach()
set_property(GLOBAL PROPERTY COX_LIBRARIES ${package})
if(NOT COX_IS_MAIN)
  cox_check_built()
endif()

option(COX_INSTALL "Rules to install the libraries as a package" ${COX_IS_MAIN})
if(NOT COX_INSTALL OR COX_ONLY OR COX_SANITIZE)
  return()
endif()
include(GNUInstallDirs)

set(libraries ${CMAKE_INSTALL_LIBDIR}/coxswain/${COX_COMPILER_ABI})
set(shared ${CMAKE_INSTALL_DATADIR}/coxswain)

foreach(target IN LISTS package)
  # Options for compiling a library, and generators of its sources, are no business of its users.
  get_target_property(needed ${target} INTERFACE_LINK_LIBRARIES)
  if(needed)
    list(FILTER needed EXCLUDE REGEX "^\\$<LINK_ONLY:cox_(warnings|freestanding|task_image|tflite_schema|board_devices)>$")
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${needed}")
  endif()
endforeach()
if(TARGET cox_board_process)
  list(APPEND package cox_board_process)
  set_target_properties(cox_board_process PROPERTIES EXPORT_NAME board_process INTERFACE_LINK_LIBRARIES "")
endif()
install(TARGETS ${package} EXPORT coxswain
  ARCHIVE DESTINATION ${libraries} COMPONENT development
  LIBRARY DESTINATION ${libraries} COMPONENT development
  OBJECTS DESTINATION ${libraries} COMPONENT development
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT coxswain NAMESPACE coxswain:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/coxswain
  FILE coxswain-targets-${COX_COMPILER_ABI}.cmake COMPONENT development)

# Headers, apart from those that need the generated readers of FlatBuffers, a vendor's names, or the native board.
foreach(layer IN LISTS COX_INSTALLED_LAYERS)
  install(DIRECTORY ${layer} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/coxswain COMPONENT development FILES_MATCHING PATTERN "*.h"
    PATTERN templates EXCLUDE PATTERN cmsis EXCLUDE PATTERN flatbuffer.h EXCLUDE PATTERN native_transport.h EXCLUDE PATTERN socket_mailbox.h EXCLUDE
    REGEX "firmware/load/geometry.h$" EXCLUDE REGEX "tflite/lists.h$" EXCLUDE)
endforeach()
install(FILES sim/model/cox_model.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/coxswain/model COMPONENT development)

include(CMakePackageConfigHelpers)
configure_package_config_file(packaging/cmake/coxswain-config.cmake.in ${PROJECT_BINARY_DIR}/coxswain-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/coxswain PATH_VARS shared)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/coxswain-config-version.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
file(CONFIGURE OUTPUT coxswain-abi-${COX_COMPILER_ABI}.txt @ONLY CONTENT "@COX_COMPILER_TEXT@\n")
install(FILES ${PROJECT_BINARY_DIR}/coxswain-config.cmake ${PROJECT_BINARY_DIR}/coxswain-config-version.cmake
  ${PROJECT_BINARY_DIR}/coxswain-abi-${COX_COMPILER_ABI}.txt DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/coxswain COMPONENT development)

# What boards are made of: the package compiles them in the other project, for its board.
install(FILES toolchain/arm-none-eabi.cmake DESTINATION ${shared}/toolchain COMPONENT development)
install(DIRECTORY toolchain/cmake DESTINATION ${shared}/toolchain COMPONENT development)
install(DIRECTORY boards linker DESTINATION ${shared} COMPONENT development PATTERN native EXCLUDE PATTERN __pycache__ EXCLUDE)
install(DIRECTORY hal/cmsis DESTINATION ${shared}/hal COMPONENT development)
install(FILES device/npu.svd DESTINATION ${shared} COMPONENT development)
install(FILES LICENSE DESTINATION ${shared} COMPONENT development)
if(TARGET cox_signature)
  install(FILES ${COX_BEARSSL_DIR}/LICENSE.txt DESTINATION ${shared} COMPONENT development RENAME LICENSE.BearSSL)
endif()
include(packaging/pkgconfig.cmake)
