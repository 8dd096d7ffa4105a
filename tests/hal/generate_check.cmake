# SPDX-License-Identifier: MIT
# Checks that generate.py --check accepts the files in the repository, and refuses them if the SVD differs.
execute_process(COMMAND ${PYTHON} ${GENERATE} --check RESULT_VARIABLE status ERROR_VARIABLE message)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${message}")
endif()

function(expect_failure name from to expected)
  file(READ ${SVD} text)
  string(REPLACE "${from}" "${to}" changed "${text}")
  if(changed STREQUAL text)
    message(FATAL_ERROR "${name}: nothing was changed")
  endif()
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${name}.svd)
  file(WRITE ${file} "${changed}")
  execute_process(COMMAND ${PYTHON} ${GENERATE} --check --svd ${file} RESULT_VARIABLE status ERROR_VARIABLE message)
  if(NOT status EQUAL 1 OR NOT message MATCHES "${expected}")
    message(FATAL_ERROR "${name}: status ${status}, expected \"${expected}\": ${message}")
  endif()
endfunction()

expect_failure(out_of_date "<value>9</value>" "<value>10</value>" "npu.h is out of date")
expect_failure(overlap "<addressOffset>0x044</addressOffset>" "<addressOffset>0x040</addressOffset>" "CYCLE_HI: overlaps CYCLE_LO")
expect_failure(field "<bitOffset>24</bitOffset>" "<bitOffset>25</bitOffset>" "CONTEXT: bits outside the register")
expect_failure(reset "<resetValue>0x000003E8</resetValue>" "<resetValue>0x100003E8</resetValue>" "CLOCK: reset value outside the fields")
expect_failure(open_reset "<resetValue>0x000003E8</resetValue>" "<resetValue>0x000003E8</resetValue><resetMask>0x0</resetMask>"
  "CLOCK: resetMask: only the reset value of CAPABILITIES follows from engines.h")
expect_failure(broken "</device>" "" "no element found")
