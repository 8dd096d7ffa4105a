# SPDX-License-Identifier: MIT
include_guard(GLOBAL)

# CMSIS-Core for the control core: target cox_cmsis, by which "core_cm55.h" is found. Ours (hal/cmsis) holds what this
# firmware uses, under CMSIS-Core's names; who has the real headers points the build at them.
set(COX_CMSIS_DIR "" CACHE PATH "Folder of CMSIS-Core's core_cm55.h (empty: the subset in hal/cmsis)")

add_library(cox_cmsis INTERFACE)
if(COX_CMSIS_DIR)
  if(NOT EXISTS ${COX_CMSIS_DIR}/core_cm55.h)
    message(FATAL_ERROR "COX_CMSIS_DIR=${COX_CMSIS_DIR}: there is no core_cm55.h in it")
  endif()
  target_include_directories(cox_cmsis SYSTEM INTERFACE ${COX_CMSIS_DIR})
else()
  target_include_directories(cox_cmsis INTERFACE ${PROJECT_SOURCE_DIR}/hal/cmsis)
endif()
