// SPDX-License-Identifier: MIT
// Compares the speed of a layer in the model with oneDNN's; the benchmark programs print and store the ratio.
#pragma once

#include <string>
#include <vector>

#include "convolution_layer.h"
#include "paired_runs.h"

namespace cox::bench {

struct Comparison {
  double ratio = 0;  ///< speed of the model relative to oneDNN's
  double model_gmacs = 0;
  double onednn_gmacs = 0;
};

/// Runs the model and oneDNN alternately. Each function returns the seconds of a run of `shape`.
template <typename Shape, typename ModelSeconds, typename OnednnSeconds>
Comparison compare_in_turns(const Shape &shape, ModelSeconds model_seconds, OnednnSeconds onednn_seconds) {
  std::vector<double> model_times;
  std::vector<double> onednn_times;
  std::vector<double> ratios;
  for (int round = 0; round < kRounds; ++round) {
    model_times.push_back(model_seconds());
    onednn_times.push_back(onednn_seconds());
    ratios.push_back(onednn_times.back() / model_times.back());
  }
  const double giga = shape.multiply_accumulates() * 1e-9;
  return {median(ratios), giga / median(model_times), giga / median(onednn_times)};
}

struct Program {
  const char *name;
  const char *figure;  ///< name of the ratio
  double limit;        ///< the smallest allowed ratio
  Comparison (*compare)();
  std::string (*note)(const Comparison &);
};

/// Implements main() of a benchmark program: `[--json FILE] [Google Benchmark options]`.
int run(const Program &program, int argc, char **argv);

}  // namespace cox::bench
