// SPDX-License-Identifier: MIT
#include "comparison.h"

#include <omp.h>

#include "figures.h"

namespace cox::bench {

int run(const Program &program, int argc, char **argv) {
  const auto measure = [&program] {
    omp_set_num_threads(1);  // limits oneDNN to one thread
    const Comparison comparison = program.compare();
    return std::vector{Figure{
        .name = program.figure, .value = comparison.ratio, .unit = "ratio", .limit = program.limit, .note = program.note(comparison)}};
  };
  return run(program.name, measure, argc, argv);
}

}  // namespace cox::bench
