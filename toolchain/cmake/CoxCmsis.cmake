# SPDX-License-Identifier: MIT
include_guard(GLOBAL)

# CMSIS-Core for the control core: target cox_cmsis, whose include path has "core_cm55.h". The default is hal/cmsis, a subset with
# the names that this firmware uses. Set COX_CMSIS_DIR to build with the real headers.
set(COX_CMSIS_DIR "" CACHE PATH "Folder of CMSIS-Core's core_cm55.h (empty: the subset in hal/cmsis)")

get_filename_component(cox_cmsis_subset ${CMAKE_CURRENT_LIST_DIR}/../../hal/cmsis ABSOLUTE)
add_library(cox_cmsis INTERFACE)
if(COX_CMSIS_DIR)
  if(NOT EXISTS ${COX_CMSIS_DIR}/core_cm55.h)
    message(FATAL_ERROR "COX_CMSIS_DIR=${COX_CMSIS_DIR}: there is no core_cm55.h in it")
  endif()
  target_include_directories(cox_cmsis SYSTEM INTERFACE ${COX_CMSIS_DIR})
else()
  target_include_directories(cox_cmsis INTERFACE ${cox_cmsis_subset})
endif()
