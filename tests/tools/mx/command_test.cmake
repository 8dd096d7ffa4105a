# `cox as` and `cox dis` on MX streams, called as a user does: their output and exit status.
include(${CMAKE_CURRENT_LIST_DIR}/../../cox_command.cmake)
set(text "CONFBADDR InputBase1=0 InputBase2=1 OutputBase1=2 OutputBase2=3 WeightBase=4\nSIGMOID Length1=1 InOffset=0 Length2=0 OutOffset=18 # two lines\n")
file(WRITE ${FOLDER}/good.mx "${text}")
file(WRITE ${FOLDER}/good.txt "${text}")
file(WRITE ${FOLDER}/wrong.mx "\nSIGMOID Length1=1024 InOffset=0 Length2=0 OutOffset=18\n")
file(WRITE ${FOLDER}/broken.mxs "1234567")

expect(0 "^$" as good.mx -o good.mxs)
# CONFBADDR: opcode 0, and the five fields (0<<6) + (1<<11) + (2<<16) + (3<<21) + (4<<26). SIGMOID: block 1 has opcode 0xA, funct 2<<4 and
# Length1 1<<22; block 2 has OutOffset 18<<8.
file(READ ${FOLDER}/good.mxs bytes HEX)
if(NOT bytes STREQUAL "00086210000000002a004000000000000012000000000000")
  message(SEND_ERROR "good.mxs holds ${bytes}")
endif()
expect(0 "^CONFBADDR InputBase1=0 .*\nSIGMOID Length1=1 InOffset=0 Length2=0 OutOffset=18  # byte 8\n$" dis good.mxs)
expect(0 "^$" dis good.mxs -o again.mx)
expect(0 "^$" as again.mx -o again.mxs)
expect_equal(good.mxs again.mxs)

# --isa names the instruction set if the file's ending does not. Without --isa, the ending names it.
expect(0 "^$" as --isa mx good.txt -o option.bin)
expect_equal(good.mxs option.bin)
expect(0 "SIGMOID" dis --isa mx option.bin)
expect(3 "good.txt: this is an MX stream as text; cox as --isa mx" as good.txt -o task.cxt)
expect(3 "good.mx: this is an MX stream as text; cox as --isa mx" as --isa tile good.mx -o task.cxt)
expect(2 "isa" as --isa vector good.mx -o good.mxs)
expect(2 "--bindings: only a task image has bindings" as good.mx -o good.mxs --bindings good.json)

expect(3 "wrong.mx:2:17: SIGMOID: Length1: 1024 is out of range \\(0 to 1023\\)" as wrong.mx -o wrong.mxs)
expect(3 "nowhere.mx: No such file" as nowhere.mx -o wrong.mxs)
expect(3 "broken.mxs: byte 0: stream_truncated: 7 bytes are left of 8" dis broken.mxs)
expect(3 "nowhere.mxs: No such file" dis nowhere.mxs)
expect(5 "nowhere/good.mxs: No such file" as good.mx -o nowhere/good.mxs)
if(EXISTS ${FOLDER}/wrong.mxs)
  message(SEND_ERROR "a failed as left a file behind")
endif()
