// SPDX-License-Identifier: MIT
// FP32 values from standard input, as they are; for each, its exponential, sigmoid and SiLU to standard output.
#include "isa/mx/exponential.h"

#include <array>
#include <cstdio>

int main() {
  float x = 0;
  while (std::fread(&x, sizeof(x), 1, stdin) == 1) {
    const std::array<float, 3> results = {cox::isa::mx::exponential(x), cox::isa::mx::sigmoid(x), cox::isa::mx::silu(x)};
    if (std::fwrite(results.data(), sizeof(results), 1, stdout) != 1) return 1;
  }
  return 0;
}
