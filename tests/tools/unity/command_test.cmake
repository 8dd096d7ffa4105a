# `cox` on xDSA programs, called as a user does: output and exit status.
include(${CMAKE_CURRENT_LIST_DIR}/../../cox_command.cmake)
# The first program of the page.
file(READ ${CMAKE_CURRENT_LIST_DIR}/../../../docs/unity-assembly.md page)
string(FIND "${page}" "```\n" begin)
math(EXPR begin "${begin} + 4")
string(SUBSTRING "${page}" ${begin} -1 page)
string(FIND "${page}" "```" end)
string(SUBSTRING "${page}" 0 ${end} page)
file(WRITE ${FOLDER}/sum.xdsa "${page}")
string(REPEAT "1234" 64 a)
string(REPEAT "0000" 64 b)
file(WRITE ${FOLDER}/a.bin "${a}")
file(WRITE ${FOLDER}/b.bin "${b}")
file(WRITE ${FOLDER}/wrong.xdsa ".unit 0\n  ADD D_UNIT=s31\n")
file(WRITE ${FOLDER}/broken.xdsas "1234567")
file(WRITE ${FOLDER}/deadlock.xdsa ".unit 0\nADD D=0x1000000 S0=0x1000000 S1=0x1000000 LEN=1 fetch=2*0:5\n")
file(WRITE ${FOLDER}/branch.xdsa ".tensor flag window=0 bytes=4 in\n.unit 0\nCOND PRED=flag TRUE=body UNIT=u8\n"
  ".sub body\nADD D=0x2000000 S0=0x2000000 S1=0x2000000 LEN=1 fetch=2*0:5\n")
file(WRITE ${FOLDER}/flag.bin "1234")
file(WRITE ${FOLDER}/late.xdsa ".host_deposits\n.unit 2\nADD D=0x1000000 S0=0x1000000 S1=0x1000000 LEN=1 fetch=0:5\n")
file(WRITE ${FOLDER}/producer.xdsa ".unit 0\nADD D=0x1000000 S0=0x1000000 S1=0x1000000 LEN=1 blk\nADD D=0x1000000 S0=0x1000000 S1=0x1000000 deposit=3:7\n"
  ".unit 1\nADD D=0x1000010 S0=0x1000000 S1=0x1000000 LEN=1 fetch=3:7\n")
file(WRITE ${FOLDER}/faulty.xdsa ".unit 0\nADD D=0x1000000 S0=0x1000000 S1=0x1000000\n")
file(WRITE ${FOLDER}/hazard.xdsa ".unit 0\nADD D=0x1000000 S0=0x1000010 S1=0x1000010 LEN=1\n.unit 1\nADD D=0x1000000 S0=0x1000010 S1=0x1000010 LEN=1\n")

expect(0 "^$" as sum.xdsa -o sum.xdsas)
expect(0 "unit 0     0 [0-9a-f]+ .*   ADD " as sum.xdsa --listing)
expect(0 "^.units 2\n\n.unit 0\n    ADD S0=0x1000100 S1=0x1000200 D=0x2000000 LEN=64 .* blk  # 0\n" dis sum.xdsas)
expect(0 "^$" dis sum.xdsas -o again.xdsa)
expect(0 "^$" as again.xdsa -o again.xdsas)
expect_equal(sum.xdsas again.xdsas)
expect(3 "wrong.xdsa:2:14: ADD: D_UNIT: 's31' is not a unit; did you mean" as wrong.xdsa -o wrong.xdsas)
expect(3 "broken.xdsas: stream_truncated: the program has 7 bytes" dis --isa unity broken.xdsas)

expect(0 "sum.xdsa: 3 instructions: 0 errors, 0 warnings" check sum.xdsa)
expect(0 "sum.xdsas: 3 instructions: 0 errors, 0 warnings" check sum.xdsas)
expect(1 "deadlock: a unit waits for keys that never come\n  unit 0, program 0, instruction 0 \\(ADD\\): entry 0:5 holds 0, wants 2" check deadlock.xdsa)
expect(1 "unit 0, program 0, instruction 0 \\(ADD\\): field_out_of_range: LEN: 0" check faulty.xdsa)
expect(1 "instruction 0 \\(ADD\\) writes bytes 0x1000000 to 0x1000000 \\(D\\), which unit [01], program [01], instruction 0 \\(ADD\\) writes" check hazard.xdsa)

# Expects 64 times the same four bytes.
function(expect_numbers file digits)
  file(READ ${FOLDER}/${file} out HEX)
  string(REPEAT ${digits} 64 wanted)
  if(NOT out STREQUAL wanted)
    message(SEND_ERROR "${file} holds ${out}")
  endif()
endfunction()

# 2 (a + b + 7) of 0x34333231 and 0x30303030.
expect(0 "1 inference" run sum.xdsa --board native --in a=a.bin --in b=b.bin --out out=out.bin)
expect_numbers(out.bin d0c4c6c8)
expect(0 "^$" run sum.xdsas --board native -q --memory window0@0x100=a.bin --dump window2@0+256=dump.bin)
expect_numbers(dump.bin 70646668)  # b is 0
expect(4 "deadlock: a unit waits for keys that never come\n  unit 0, program 0, instruction 0 \\(ADD\\): entry 0:5 holds 0, wants 2" run deadlock.xdsa --board native)

# The input decides that the sub-program runs.
expect(0 "0 errors" check branch.xdsa)
expect(4 "waits for keys that never come\n  .*sub-program 0, instruction 0 \\(ADD\\): entry 0:5 holds 0, wants 2" run branch.xdsa --board native --in flag=flag.bin)
# The control core deposits no key before the time limit of the job.
expect(4 "time_limit.*\n  unit 2, program 0, instruction 0 \\(ADD\\): entry 0:5 holds 0, wants 1" run late.xdsa --board native --time-limit 2000)
expect(4 "unit 0, program 0, instruction 1 \\(ADD\\): field_out_of_range: LEN\n  unit 1, program 1, instruction 0 \\(ADD\\): entry 3:7 holds 0, wants 1" run producer.xdsa --board native)
expect(4 "unit 0, program 0, instruction 0 \\(ADD\\): field_out_of_range: LEN" run faulty.xdsa --board native)
expect(3 "--memory aa=a.bin: there is no 'aa'; did you mean \"a\"" run sum.xdsa --board native --memory aa=a.bin)
expect(3 "--set r=1: programs of the Unity units have no registers" run sum.xdsa --board native --set r=1)

# A task image relocates the addresses, those of the container's own bytes, too.
file(WRITE ${FOLDER}/sum.json "{\"name\": \"sum\", \"windows\": [{\"index\": 0, \"size\": 1024, \"writable\": false}, {\"index\": 1, \"size\": 256, \"writable\": true}, {\"index\": 2, \"size\": 256, \"writable\": true}],
  \"constants\": [], \"tensors\": [{\"name\": \"a\", \"direction\": \"input\", \"window\": 0, \"offset\": 256, \"format\": \"INT8\", \"shape\": [1, 1, 1, 256]}, {\"name\": \"out\", \"direction\": \"output\", \"window\": 2, \"offset\": 0, \"format\": \"INT8\", \"shape\": [1, 1, 1, 256]}]}")
expect(0 "^$" as sum.xdsa --bindings sum.json -o sum.cxt)
expect(0 "sum.cxt: 3 instructions: 0 errors, 0 warnings" check sum.cxt)
expect(0 "^$" run sum.cxt --board native -q --in a=a.bin --out out=image.bin)
expect_numbers(image.bin 70646668)
expect(0 "S1=0x120 " dis sum.cxt)

expect(0 "" run sum.xdsa --board native -q --in a=a.bin --in b=b.bin --out out=out.bin --option events=sum.events)
expect(0 "unit 1" timeline sum.events)

# Five engines work on one another's results. A script of numpy computes the same.
execute_process(COMMAND ${PYTHON} ${CMAKE_CURRENT_LIST_DIR}/five_engines.py ${FOLDER} RESULT_VARIABLE failed OUTPUT_QUIET)
if(failed)
  message(SEND_ERROR "five_engines.py failed: ${failed}")
endif()
file(COPY ${CMAKE_CURRENT_LIST_DIR}/five_engines.xdsa DESTINATION ${FOLDER})
set(five run five_engines.xdsa --board native -q --in a=a.bin --in b=b.bin --in w=w.bin)
expect(0 "five_engines.xdsa: 9 instructions: 0 errors, 0 warnings" check five_engines.xdsa)
expect(0 "^$" ${five} --out out=five.bin --option events=five.events)
expect_equal(five.bin expected.bin)
expect(0 "7 keys.*unit 0.*submit pim" timeline five.events)
expect(0 "given at [0-9]+, taken at [0-9]+" timeline five.events)
expect(0 "^$" as five_engines.xdsa -o five_engines.xdsas)
expect(0 "^$" dis five_engines.xdsas -o printed.xdsa)
expect(0 "^$" as printed.xdsa -o printed.xdsas)
expect_equal(five_engines.xdsas printed.xdsas)
