// SPDX-License-Identifier: MIT
// main() of benchmark programs that measure figures, print them beside their limits and store them for run_bench.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace cox::bench {

/// A figure that is better if it is higher.
struct Figure {
  std::string name;
  double value = 0;
  const char *unit = "";
  double limit = 0;  ///< the smallest allowed value
  std::string note;
  int digits = 2;  ///< decimals when it is printed
};

/// Implements main() of the program `name`: `[--json FILE] [Google Benchmark options]`. It measures, prints and stores the figures, and
/// then runs the program's benchmarks. An exception of `measure` ends the program with status 1.
int run(const char *name, const std::function<std::vector<Figure>()> &measure, int argc, char **argv);

}  // namespace cox::bench
