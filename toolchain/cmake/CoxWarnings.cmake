# The warnings of the project, as errors. Targets link cox_warnings privately, so that users of their headers do not get these options.
# A build of another project has no warnings of ours, because its compiler may know others.
include_guard(GLOBAL)
add_library(cox_warnings INTERFACE)
if(COX_IS_MAIN)
  target_compile_options(cox_warnings INTERFACE -Wall -Wextra -Wconversion -Wshadow -Werror)
endif()
if(COX_JUMBO)
  # In a batch of sources GCC 12 inlines functions of one source into another, and then gives false warnings about code of the standard
  # library. A build without COX_JUMBO compiles each source by itself and keeps these warnings as errors.
  target_compile_options(cox_warnings INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized -Wno-array-bounds
    -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict -Wno-use-after-free -Wno-free-nonheap-object>)
endif()

# Firmware, HAL and kernels: no exceptions and no RTTI, on every board.
add_library(cox_freestanding INTERFACE)
target_compile_options(cox_freestanding INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti>)
if(NOT COX_IS_MAIN AND CMAKE_SYSTEM_NAME STREQUAL "Generic")
  # What toolchain/arm-none-eabi.cmake says for all sources, and another toolchain file may not: unused functions go, no unwinding, no locks
  # around the initialisation of static objects, and memory may begin at address 0.
  target_compile_options(cox_freestanding INTERFACE -ffunction-sections -fdata-sections -fno-unwind-tables -fno-asynchronous-unwind-tables
    $<$<COMPILE_LANGUAGE:CXX>:-fno-threadsafe-statics;-fno-use-cxa-atexit;-Wno-psabi>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
    target_compile_options(cox_freestanding INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:--param=min-pagesize=0>)
  endif()
endif()
