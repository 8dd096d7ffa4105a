# The warnings of the project, as errors. Targets link it privately, so that it does not apply to users of their headers.
add_library(cox_warnings INTERFACE)
target_compile_options(cox_warnings INTERFACE -Wall -Wextra -Wconversion -Wshadow -Werror)

# Firmware, HAL and kernels: no exceptions and no RTTI, on every board.
add_library(cox_freestanding INTERFACE)
target_compile_options(cox_freestanding INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti>)
