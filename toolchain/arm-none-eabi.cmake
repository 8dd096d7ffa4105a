# SPDX-License-Identifier: MIT
# Cross build for the control core: Cortex-M55, arm-none-eabi-gcc, Newlib-nano with the board's system calls (docs/qemu.md).
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR cortex-m55)

find_program(CMAKE_C_COMPILER arm-none-eabi-gcc REQUIRED)
find_program(CMAKE_CXX_COMPILER arm-none-eabi-g++ REQUIRED)
set(CMAKE_ASM_COMPILER ${CMAKE_C_COMPILER})
find_program(CMAKE_OBJCOPY arm-none-eabi-objcopy)
find_program(CMAKE_SIZE arm-none-eabi-size)

# A program links only with the board's layout and start-up code, so CMake tries the compilers by building a library.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

# -mcpu: all features of the core, with MVE and floating point. GCC 12 derives the FPU from -mcpu and selects the library v8-m.main+dp/hard.
# --specs=nano.specs: Newlib-nano, because the full printf takes 30 KiB.
# -fno-unwind-tables: the firmware has no exceptions, and backtraces use .debug_frame.
# -fcallgraph-info=su: writes call graphs with each function's stack beside the objects, for toolchain/stack-use.
# --param=min-pagesize=0: memory begins at address 0. Without this option, GCC 12 takes accesses near 0 for accesses through null pointers.
set(cox_target_flags "-mcpu=cortex-m55 -mthumb -mfloat-abi=hard --specs=nano.specs -ffunction-sections -fdata-sections -fno-unwind-tables -fno-asynchronous-unwind-tables --param=min-pagesize=0 -fcallgraph-info=su")
set(CMAKE_C_FLAGS_INIT "${cox_target_flags}")
set(CMAKE_CXX_FLAGS_INIT "${cox_target_flags} -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-use-cxa-atexit -Wno-psabi")
set(CMAKE_ASM_FLAGS_INIT "${cox_target_flags}")
# These flags are not in CMAKE_*_FLAGS_RELEASE_INIT, because CMake appends its own -O3 to that variable.
foreach(language C CXX)
  set(CMAKE_${language}_FLAGS_RELEASE "-O2 -g -DNDEBUG" CACHE STRING "Flags of a release build")
endforeach()
set(CMAKE_EXE_LINKER_FLAGS_INIT "-nostartfiles -Wl,--gc-sections -Wl,--fatal-warnings")
set(CMAKE_EXECUTABLE_SUFFIX_C .elf)
set(CMAKE_EXECUTABLE_SUFFIX_CXX .elf)

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
