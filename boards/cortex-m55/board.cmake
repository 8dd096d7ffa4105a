# SPDX-License-Identifier: MIT
# A board with a Cortex-M55 (docs/porting.md). All of these boards share start-up code and drivers. A board's folder has board.h with the
# memory map, and a CMakeLists.txt that includes this file. An image links cox_board directly, which also brings the section layout.
# cox_board is an object library, because the linker would not take a vector table or a system call out of an archive.
include(CoxCmsis)

cox_layer(cox_board_contract hal INTERFACE)
cox_layer(cox_board_devices boards/devices INTERFACE)

set(common ${PROJECT_SOURCE_DIR}/boards/cortex-m55)
cox_layer(cox_board boards/cortex-m55 OBJECT
  ${common}/reset.S
  ${common}/startup.cpp
  ${common}/fault_entry.S
  ${common}/fault.cpp
  ${common}/memory_functions.cpp
  ${common}/memory_protection.cpp
  ${common}/board.cpp
  ${common}/watchdog.cpp
  ${common}/mailbox.cpp
  ${common}/uart.cpp
  ${common}/tick.cpp
  ${common}/semihosting.cpp
  ${common}/system_calls.cpp)
target_link_libraries(cox_board PUBLIC cox_board_contract cox_device cox_board_devices cox_cmsis PRIVATE cox_base cox_freestanding)
target_include_directories(cox_board PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
set_source_files_properties(${common}/memory_functions.cpp PROPERTIES COMPILE_OPTIONS "-O2;-fno-builtin;-fno-tree-loop-distribute-patterns")

get_target_property(devices_include cox_board_devices INTERFACE_INCLUDE_DIRECTORIES)
set(layout ${CMAKE_CURRENT_BINARY_DIR}/layout.ld)
add_custom_command(
  OUTPUT ${layout}
  COMMAND ${CMAKE_C_COMPILER} -E -P -undef -x c -I${devices_include} -include ${CMAKE_CURRENT_SOURCE_DIR}/board.h ${PROJECT_SOURCE_DIR}/linker/layout.ld.in -o ${layout}
  DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/board.h ${PROJECT_SOURCE_DIR}/boards/devices/simulated.h ${PROJECT_SOURCE_DIR}/linker/layout.ld.in
  VERBATIM)
add_custom_target(cox_layout DEPENDS ${layout})
add_dependencies(cox_board cox_layout)
target_link_options(cox_board INTERFACE -T ${layout} -Wl,-Map=$<TARGET_FILE:$<TARGET_PROPERTY:NAME>>.map)
set_property(TARGET cox_board PROPERTY INTERFACE_LINK_DEPENDS ${layout})
