# The warnings of the project, as errors. Targets link it privately, so that it does not apply to users of their headers.
add_library(cox_warnings INTERFACE)
target_compile_options(cox_warnings INTERFACE -Wall -Wextra -Wconversion -Wshadow -Werror)
if(COX_JUMBO)
  # In a batch GCC 12 inlines across sources and then warns of values that the standard library sets. Builds file by file keep these
  # warnings as errors.
  target_compile_options(cox_warnings INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized -Wno-array-bounds
    -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict -Wno-use-after-free -Wno-free-nonheap-object>)
endif()

# Firmware, HAL and kernels: no exceptions and no RTTI, on every board.
add_library(cox_freestanding INTERFACE)
target_compile_options(cox_freestanding INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti>)
