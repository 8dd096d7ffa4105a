# SPDX-License-Identifier: MIT
# The files of an image beside TARGET.elf (docs/flashing.md). The linker writes TARGET.map, because each board says so (CoxBoard.cmake).
include_guard(GLOBAL)

# cox_image_files(TARGET) writes TARGET.hex (Intel HEX) and TARGET.bin after each link.
function(cox_image_files target)
  set(stem $<TARGET_FILE_DIR:${target}>/$<TARGET_FILE_BASE_NAME:${target}>)
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND ${CMAKE_OBJCOPY} -O ihex $<TARGET_FILE:${target}> ${stem}.hex
    COMMAND ${CMAKE_OBJCOPY} -O binary $<TARGET_FILE:${target}> ${stem}.bin
    VERBATIM)
endfunction()
