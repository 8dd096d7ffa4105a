# SPDX-License-Identifier: MIT
# One board (docs/porting.md). A board is a folder with three files:
#   board.json  its numbers: memory map, interrupts, clocks. generate_map.py checks it and writes board_map.h
#   board.h     its header, which includes board_map.h
#   board.cpp   its hooks
include_guard(GLOBAL)

# cox_boards_root(VARIABLE) sets VARIABLE to the folder that has boards/. Other projects call these functions, too, and see no variable of
# this file.
function(cox_boards_root variable)
  get_filename_component(root ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../.. ABSOLUTE)
  set(${variable} ${root} PARENT_SCOPE)
endfunction()

# cox_board_map(FOLDER) checks board.json of the board's folder and writes board_map.h and board_map.cmake. It defines the variables of
# board_map.cmake (BOARD_STACK_SIZE and so on) for the caller, and BOARD_MAP_DIR, the folder of both files.
macro(cox_board_map folder)
  cox_board_map_files(${folder} BOARD_MAP_DIR)
  include(${BOARD_MAP_DIR}/board_map.cmake)
endmacro()

function(cox_board_map_files folder variable)
  cox_boards_root(COX_BOARDS_ROOT)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  get_filename_component(folder ${folder} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  get_filename_component(name ${folder} NAME)
  set(generator ${COX_BOARDS_ROOT}/boards/generate_map.py)
  # Host code includes the map by its folder: "boards/NAME/board_map.h".
  set(map ${CMAKE_BINARY_DIR}/board_maps/${name}/boards/${name})
  execute_process(
    COMMAND ${Python3_EXECUTABLE} ${generator} ${folder} -o ${map}/board_map.h --cmake ${map}/board_map.cmake
    RESULT_VARIABLE status ERROR_VARIABLE message)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/board.json ${generator})
  if(NOT status EQUAL 0)
    string(STRIP "${message}" message)
    message(FATAL_ERROR "${message}")
  endif()
  set(${variable} ${map} PARENT_SCOPE)
endfunction()

# cox_board_map_library(TARGET FOLDER) makes an interface library by which host code includes "boards/NAME/board_map.h".
function(cox_board_map_library target folder)
  cox_board_map_files(${folder} map)
  get_filename_component(include ${map}/../.. ABSOLUTE)
  add_library(${target} INTERFACE)
  target_include_directories(${target} INTERFACE ${include})
endfunction()

# cox_select_board() reads the variables COX_BOARD and COX_BOARD_DIR. It sets COX_BOARD to the board's name and COX_BOARD_FOLDER to its
# folder, which is empty for native and none.
function(cox_select_board)
  cox_boards_root(COX_BOARDS_ROOT)
  file(GLOB boards RELATIVE ${COX_BOARDS_ROOT}/boards CONFIGURE_DEPENDS ${COX_BOARDS_ROOT}/boards/*/board.json)
  list(TRANSFORM boards REPLACE "/board.json$" "")
  list(JOIN boards ", " known)
  if(COX_BOARD_DIR)
    get_filename_component(folder ${COX_BOARD_DIR} ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR})
    if(NOT IS_DIRECTORY ${folder})
      message(FATAL_ERROR "COX_BOARD_DIR=${COX_BOARD_DIR}: there is no such folder. It is the folder of a board, with board.json, board.h and board.cpp (docs/porting.md)")
    endif()
    get_filename_component(name ${folder} NAME)
  elseif(COX_BOARD MATCHES "^(native|none)$")
    if(COX_BOARD STREQUAL "native" AND CMAKE_CROSSCOMPILING)
      message(FATAL_ERROR "this build has a toolchain file for another machine (${CMAKE_TOOLCHAIN_FILE}) but no board. Set COX_BOARD_DIR to the folder of your board, or COX_BOARD to one of ${known} (docs/porting.md)")
    endif()
    set(name ${COX_BOARD})
    set(folder "")
  elseif(COX_BOARD IN_LIST boards)
    set(name ${COX_BOARD})
    set(folder ${COX_BOARDS_ROOT}/boards/${COX_BOARD})
  else()
    message(FATAL_ERROR "COX_BOARD=${COX_BOARD}: there is no such board. Set it to native or one of ${known}, or set COX_BOARD_DIR to the folder of a board (docs/porting.md)")
  endif()
  set(COX_BOARD ${name} PARENT_SCOPE)
  set(COX_BOARD_FOLDER "${folder}" PARENT_SCOPE)
endfunction()

# cox_add_board(TARGET FOLDER) makes the library of a board with a Cortex-M55: start-up code, drivers, and the board's own files. An image
# that links TARGET gets the section layout, too. TARGET is an object library, because the linker would not take a vector table or a system
# call out of an archive.
function(cox_add_board target folder)
  cox_boards_root(COX_BOARDS_ROOT)
  include(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/CoxCmsis.cmake)
  get_filename_component(folder ${folder} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(file IN ITEMS board.json board.h board.cpp)
    if(NOT EXISTS ${folder}/${file})
      message(FATAL_ERROR "the board ${folder} has no ${file}. A board has board.json, board.h and board.cpp: copy the missing file from ${COX_BOARDS_ROOT}/examples/out_of_tree/board and adapt it (docs/porting.md)")
    endif()
  endforeach()
  cox_board_map(${folder})
  if(NOT TARGET cox_board_contract)
    cox_layer(cox_board_contract hal INTERFACE)
    cox_layer(cox_board_devices boards/devices INTERFACE)
  endif()

  set(common ${COX_BOARDS_ROOT}/boards/cortex-m55)
  cox_layer(${target} boards/cortex-m55 OBJECT
    ${folder}/board.cpp
    ${common}/reset.S
    ${common}/vectors.S
    ${common}/system.cpp
    ${common}/hooks.cpp
    ${common}/startup.cpp
    ${common}/fault_entry.S
    ${common}/fault.cpp
    ${common}/memory_functions.cpp
    ${common}/memory_protection.cpp
    ${common}/board.cpp
    ${common}/bus_probe.cpp
    ${common}/watchdog.cpp
    ${common}/mailbox.cpp
    ${common}/uart.cpp
    ${common}/tick.cpp
    ${common}/semihosting.cpp
    ${common}/system_calls.cpp
    ${COX_BOARDS_ROOT}/boards/devices/simulation_probe.cpp)
  target_link_libraries(${target} PUBLIC cox_board_contract cox_device cox_board_devices cox_cmsis PRIVATE cox_base cox_freestanding)
  target_include_directories(${target} PUBLIC ${folder} ${BOARD_MAP_DIR})
  set_source_files_properties(${common}/system.cpp PROPERTIES COMPILE_OPTIONS -mgeneral-regs-only)
  set_source_files_properties(${common}/memory_functions.cpp PROPERTIES COMPILE_OPTIONS "-O2;-fno-builtin;-fno-tree-loop-distribute-patterns")

  set(layout ${CMAKE_CURRENT_BINARY_DIR}/${target}_layout.ld)
  add_custom_command(
    OUTPUT ${layout}
    COMMAND ${CMAKE_C_COMPILER} -E -P -undef -x c -include ${BOARD_MAP_DIR}/board_map.h ${COX_BOARDS_ROOT}/linker/layout.ld.in -o ${layout}
    DEPENDS ${BOARD_MAP_DIR}/board_map.h ${COX_BOARDS_ROOT}/linker/layout.ld.in
    VERBATIM)
  add_custom_target(${target}_layout DEPENDS ${layout})
  add_dependencies(${target} ${target}_layout)
  set(image $<TARGET_PROPERTY:NAME>)
  set(map $<TARGET_FILE_DIR:${image}>/$<TARGET_FILE_BASE_NAME:${image}>.map)
  target_link_options(${target} INTERFACE -T ${layout} -Wl,-Map=${map})
  set_property(TARGET ${target} PROPERTY INTERFACE_LINK_DEPENDS ${layout})
endfunction()
