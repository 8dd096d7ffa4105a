// SPDX-License-Identifier: MIT
// Reads FP32 values from standard input. Writes four results for each value: the results of clamped_exponential(), sigmoid(), silu() and
// exponential().
#include "coxswain/isa/numbers/exponential.h"

#include <array>
#include <cstdio>

#include "coxswain/isa/numbers/clamped_exponential.h"

int main() {
  float x = 0;
  while (std::fread(&x, sizeof(x), 1, stdin) == 1) {
    const std::array<float, 4> results = {cox::isa::numbers::clamped_exponential(x), cox::isa::numbers::sigmoid(x),
                                          cox::isa::numbers::silu(x), cox::isa::numbers::exponential(x)};
    if (std::fwrite(results.data(), sizeof(results), 1, stdout) != 1) return 1;
  }
  return 0;
}
