# SPDX-License-Identifier: MIT
# Images: cox_image(TARGET [HEADER bytes] [SLOT bytes] [BOARD name]) makes of an executable that links a board's start-up code an image with
# a version record (base/image_version.h), and writes TARGET.hex and TARGET.bin beside TARGET.elf and TARGET.map. Other projects call
# coxswain_add_image(), which calls this function.
#
# HEADER leaves room for a bootloader's header before the vectors, by default COX_IMAGE_HEADER. SLOT says how far behind the start of code
# memory the header begins, by default COX_IMAGE_SLOT (docs/flashing.md, MCUboot). BOARD is the board in the record, a name or a folder, by
# default COX_BOARD. The version in the record is that of the CMake project, or Coxswain's if the project has none.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/CoxImageFiles.cmake)

set(COX_IMAGE_HEADER 0 CACHE STRING "Bytes that images leave free before their vectors for the header of a bootloader: 0x400")
set(COX_IMAGE_SLOT 0 CACHE STRING "Bytes from the start of code memory to the slot of the image, which begins with the header: 0x10000")
set(COX_REVISION "$ENV{COX_REVISION}" CACHE STRING "Revision of the sources for the version record of images (empty: git's)")

# The revision is read each time something is built, and what contains it is built again only if it has changed.
function(cox_image_revision)
  if(TARGET cox_revision)
    return()
  endif()
  set(header ${CMAKE_BINARY_DIR}/generated/cox_revision/cox_revision.h)
  add_custom_target(cox_revision BYPRODUCTS ${header}
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DHEADER=${header} "-DREVISION=${COX_REVISION}" -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/CoxRevision.cmake
    COMMENT "revision of the sources" VERBATIM)
endfunction()

# cox_image_version(VARIABLE TARGET VERSION) sets VARIABLE to the macro with the numbers of VERSION (1, 1.2 or 1.2.3), or to "" without one.
function(cox_image_version variable target version)
  set(${variable} "" PARENT_SCOPE)
  if(version STREQUAL "")
    return()
  endif()
  string(REPLACE "." ";" numbers "${version}.0.0")
  list(SUBLIST numbers 0 3 numbers)
  foreach(number IN LISTS numbers)
    if(number GREATER 65535)
      message(FATAL_ERROR "cox_image(${target}): the project's version ${version} does not fit the version record, whose numbers are at most 65535")
    endif()
  endforeach()
  list(JOIN numbers ", " numbers)
  set(${variable} "#define COX_IMAGE_VERSION ${numbers}\n" PARENT_SCOPE)
endfunction()

function(cox_image target)
  cmake_parse_arguments(arg "" "HEADER;SLOT;BOARD" "" ${ARGN})
  foreach(number HEADER SLOT)
    if(NOT DEFINED arg_${number})
      set(arg_${number} ${COX_IMAGE_${number}})
    endif()
    if(NOT arg_${number} MATCHES "^(0x[0-9a-fA-F]+|[0-9]+)$")
      message(FATAL_ERROR "cox_image(${target}): ${number} is \"${arg_${number}}\", but must be a number of bytes, such as 0x400")
    endif()
  endforeach()
  if(NOT arg_BOARD)
    set(arg_BOARD ${COX_BOARD})
  endif()
  get_filename_component(arg_BOARD "${arg_BOARD}" ABSOLUTE)  # without the slash at the end of a folder
  get_filename_component(COX_IMAGE_BOARD "${arg_BOARD}" NAME)
  cox_image_version(version ${target} "${PROJECT_VERSION}")

  cox_image_revision()
  set(COX_IMAGE_NAME ${target})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}.image)
  set(record ${folder}/record.c)
  file(CONFIGURE OUTPUT ${record} @ONLY CONTENT "#define COX_IMAGE_NAME \"@COX_IMAGE_NAME@\"
#define COX_IMAGE_BOARD \"@COX_IMAGE_BOARD@\"
#define COX_IMAGE_HEADER @arg_HEADER@
@version@#include \"image_record.h\"
")
  set_source_files_properties(${record} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON
    INCLUDE_DIRECTORIES "${CMAKE_CURRENT_FUNCTION_LIST_DIR};${CMAKE_BINARY_DIR}/generated/cox_revision")
  target_sources(${target} PRIVATE ${record})
  if(TARGET cox_base)
    target_link_libraries(${target} PRIVATE cox_base)
  else()  # the installed package
    target_link_libraries(${target} PRIVATE coxswain::base)
  endif()
  add_dependencies(${target} cox_revision)
  # The build id is a hash of the whole file, so two builds have the same id only if they are equal.
  target_link_options(${target} PRIVATE -Wl,--build-id=sha1 -Wl,--defsym=cox_image_header=${arg_HEADER} -Wl,--defsym=cox_image_slot=${arg_SLOT})
  cox_image_files(${target})
endfunction()
