# SPDX-License-Identifier: MIT
# Boards that are divided between the core's security states (docs/trustzone.md).
include_guard(GLOBAL)
include(CoxBoard)

# cox_add_board_part(TARGET FOLDER BUILD PART) makes the library of one part of a board: cox_add_board() for what boards/partition.py says.
function(cox_add_board_part target folder build part)
  cox_boards_root(COX_BOARDS_ROOT)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  get_filename_component(name ${folder} NAME)
  set(own ${CMAKE_BINARY_DIR}/board_parts/${name}-${build}-${part})
  set(divider ${COX_BOARDS_ROOT}/boards/partition.py)
  execute_process(
    COMMAND ${Python3_EXECUTABLE} ${divider} ${folder} --build ${build} --part ${part} -o ${own}
    RESULT_VARIABLE status ERROR_VARIABLE message)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/board.json ${folder}/security.json ${divider})
  if(NOT status EQUAL 0)
    string(STRIP "${message}" message)
    message(FATAL_ERROR "${message}")
  endif()
  cox_add_board(${target} ${own})
  set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
  if(part STREQUAL "secure")
    target_sources(${target} PRIVATE ${COX_BOARDS_ROOT}/boards/cortex-m55/security.cpp)
    target_compile_options(${target} PRIVATE -mcmse)
  endif()
endfunction()

# cox_divide_board(FOLDER) makes the libraries that an image may link instead of cox_board, if the board's folder has security.json:
#   cox_board_nonsecure     the image is non-secure, and begins with a secure image that divides the board
#   cox_board_service       the image is secure, and begins a non-secure application
#   cox_board_application   the image is that application
function(cox_divide_board folder)
  if(NOT EXISTS ${folder}/security.json)
    return()
  endif()
  cox_boards_root(COX_BOARDS_ROOT)
  set(common ${COX_BOARDS_ROOT}/boards/cortex-m55)
  cox_add_board_part(cox_board_service ${folder} service secure)
  cox_add_board_part(cox_board_application ${folder} service nonsecure)
  cox_add_board_part(cox_board_nonsecure ${folder} nonsecure nonsecure)
  cox_add_board_part(cox_board_boot ${folder} nonsecure secure)
  add_executable(secure_boot EXCLUDE_FROM_ALL ${common}/secure_boot.cpp)
  target_link_libraries(secure_boot PRIVATE cox_board_boot cox_hal cox_warnings cox_freestanding)
  set(binary ${CMAKE_CURRENT_BINARY_DIR}/secure_boot.bin)
  add_custom_command(OUTPUT ${binary} COMMAND ${CMAKE_OBJCOPY} -O binary $<TARGET_FILE:secure_boot> ${binary} DEPENDS secure_boot VERBATIM)
  add_custom_target(cox_secure_boot_binary DEPENDS ${binary})
  target_sources(cox_board_nonsecure PRIVATE ${common}/secure_boot_image.S)
  set_source_files_properties(${common}/secure_boot_image.S PROPERTIES OBJECT_DEPENDS ${binary} COMPILE_DEFINITIONS "SECURE_BOOT_IMAGE=\"${binary}\"")
  add_dependencies(cox_board_nonsecure cox_secure_boot_binary)
  cox_board_map(${folder})
  target_link_options(cox_board_nonsecure INTERFACE -Wl,--section-start=.secure_boot=${BOARD_CODE_BASE} -Wl,--undefined=secure_boot_image)
endfunction()
