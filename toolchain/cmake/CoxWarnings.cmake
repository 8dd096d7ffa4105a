# The warnings of the project, as errors. Targets link cox_warnings privately, so that users of their headers do not get these options.
add_library(cox_warnings INTERFACE)
target_compile_options(cox_warnings INTERFACE -Wall -Wextra -Wconversion -Wshadow -Werror)
if(COX_JUMBO)
  # In a batch of sources GCC 12 inlines functions of one source into another, and then gives false warnings about code of the standard
  # library. A build without COX_JUMBO compiles each source by itself and keeps these warnings as errors.
  target_compile_options(cox_warnings INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized -Wno-array-bounds
    -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict -Wno-use-after-free -Wno-free-nonheap-object>)
endif()

# Firmware, HAL and kernels: no exceptions and no RTTI, on every board.
add_library(cox_freestanding INTERFACE)
target_compile_options(cox_freestanding INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti>)
