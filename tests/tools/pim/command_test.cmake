# `cox as`, `cox dis` and `cox check` on programs of the PIM cores, called as a user does: their output and exit status.
include(${CMAKE_CURRENT_LIST_DIR}/../../cox_command.cmake)
file(WRITE ${FOLDER}/good.pim "loop: addi r1, r1, 1 # a comment\n bgt r2, r1, loop\n")
file(WRITE ${FOLDER}/wrong.pim "nop\n addi r1, r1, 70000\n")
file(WRITE ${FOLDER}/broken.pims "1234567")

expect(0 "^$" as good.pim -o good.pims)
# The header: magic, 1 core, settings and copies at 0, no limit; the table: offset 40, 2 instructions; then the two instructions.
file(READ ${FOLDER}/good.pims bytes OFFSET 32 HEX)
if(NOT bytes STREQUAL "280000000200000001002190ffff41e8")
  message(SEND_ERROR "good.pims holds ${bytes}")
endif()
expect(0 "^.core 0\nL0:\n    addi r1, r1, 1 +# 0\n    bgt r2, r1, L0 +# 1\n$" dis good.pims)
expect(0 "^$" dis good.pims -o again.pim)
expect(0 "^$" as again.pim -o again.pims)
expect_equal(good.pims again.pims)
expect(0 "bgt" dis --isa pim good.pims)
expect(3 "wrong.pim:2:15: addi: imm: 70000 is out of range \\(-32768 to 32767\\); li takes any 32-bit constant" as wrong.pim -o wrong.pims)
expect(3 "broken.pims: stream_truncated: the program has 7 bytes, and a part of it ends at byte 32" dis broken.pims)
