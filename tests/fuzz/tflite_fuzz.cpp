// SPDX-License-Identifier: MIT
// Gives any bytes to the reader of models. What it accepts is resolved and planned, and runs if it is small, with the reference of the
// operators: once in an arena and once tensor by tensor, with equal results (tests/tflite/hostile.h).
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

#include "tests/tflite/hostile.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  // A file begins at a multiple of 16 bytes. The allocation ends where the file ends, so AddressSanitizer sees each byte that is read
  // beyond it.
  void *memory = nullptr;
  if (posix_memalign(&memory, 16, size == 0 ? 1 : size) != 0) std::abort();
  if (size != 0) std::memcpy(memory, data, size);
  cox::tests::tflite_hostile::examine({static_cast<const std::uint8_t *>(memory), size});
  std::free(memory);
  return 0;
}
