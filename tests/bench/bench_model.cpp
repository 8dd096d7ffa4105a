// SPDX-License-Identifier: MIT
// Convolution in the model beside oneDNN's alone, one thread each. The ratio comes from runs that take turns, so that a busy or
// throttled machine slows both; Google Benchmark then prints each layer by itself.
//   bench_model [--json FILE] [Google Benchmark options]
#include <benchmark/benchmark.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "convolution_layer.h"
#include "onednn_convolution.h"
#include "paired_runs.h"
#include "resnet50.h"

namespace {

using cox::bench::kRounds;
using cox::bench::LayerShape;
using cox::bench::median;
using cox::bench::ModelLayer;
using cox::bench::OnednnLayer;
using cox::bench::seconds_per_run;

constexpr double kLimit = 0.5;

struct Comparison {
  double ratio = 0;  ///< of speeds, model to the faster of oneDNN's two
  double model_gmacs = 0;
  double onednn_gmacs = 0;
};

Comparison compare(const LayerShape &shape) {
  const ModelLayer model(shape);
  const OnednnLayer with_signed(shape, OnednnLayer::Source::signed_bytes);
  const OnednnLayer with_unsigned(shape, OnednnLayer::Source::unsigned_bytes);
  std::vector<double> model_times;
  std::vector<double> onednn_times;
  std::vector<double> ratios;
  for (int round = 0; round < kRounds; ++round) {
    const double model_time = seconds_per_run(model);
    const double onednn_time = std::min(seconds_per_run(with_signed), seconds_per_run(with_unsigned));
    model_times.push_back(model_time);
    onednn_times.push_back(onednn_time);
    ratios.push_back(onednn_time / model_time);
  }
  const double giga = shape.multiply_accumulates() * 1e-9;
  return {median(ratios), giga / median(model_times), giga / median(onednn_times)};
}

void convolution_in_model(benchmark::State &state) {
  const LayerShape shape{static_cast<std::uint32_t>(state.range(0)), static_cast<std::uint32_t>(state.range(1)),
                         static_cast<std::uint32_t>(state.range(2)), static_cast<std::uint32_t>(state.range(3))};
  const ModelLayer layer(shape);
  for (auto unused : state) {
    (void)unused;
    layer.run();
  }
  state.counters["MAC/s"] = benchmark::Counter(shape.multiply_accumulates(), benchmark::Counter::kIsIterationInvariantRate);
}
// Layers of ResNet-50: channels, kernels, size, kernel.
BENCHMARK(convolution_in_model)
    ->Args({64, 64, 56, 3})
    ->Args({64, 256, 56, 1})
    ->Args({256, 64, 56, 1})
    ->Args({128, 128, 28, 3})
    ->Args({256, 256, 14, 3})
    ->Args({512, 128, 7, 3})
    ->Args({2048, 512, 7, 1})
    ->Args({2048, 512, 1, 1});

void resnet50_image(benchmark::State &state) {
  cox::bench::Resnet50 network;
  for (auto unused : state) {
    (void)unused;
    network.run();
  }
  state.counters["MAC/s"] = benchmark::Counter(network.multiply_accumulates(), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(resnet50_image)->Unit(benchmark::kMillisecond);

void resnet50_vector_operations(benchmark::State &state) {
  cox::bench::Resnet50 network;
  for (auto unused : state) {
    (void)unused;
    network.run_vectors();
  }
}
BENCHMARK(resnet50_vector_operations)->Unit(benchmark::kMillisecond);

void resnet50_moves(benchmark::State &state) {
  cox::bench::Resnet50 network;
  for (auto unused : state) {
    (void)unused;
    network.run_moves();
  }
}
BENCHMARK(resnet50_moves)->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char **argv) try {
  const char *json = nullptr;
  std::vector<char *> arguments;
  for (int i = 0; i < argc; ++i) {
    if (std::strcmp(argv[i], "--json") == 0 && i + 1 < argc) {
      json = argv[++i];
    } else {
      arguments.push_back(argv[i]);
    }
  }
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;

  omp_set_num_threads(1);  // oneDNN's
  const Comparison comparison = compare({});
  char note[200];
  std::snprintf(note, sizeof note, "3x3, 64 to 64 channels, 56x56, INT8, one thread: %.0f GMAC/s in the model, %.0f in oneDNN alone",
                comparison.model_gmacs, comparison.onednn_gmacs);
  std::printf("model.conv_vs_onednn %.2f (at least %.2f): %s\n", comparison.ratio, kLimit, note);
  if (json != nullptr) {
    const nlohmann::json results = {{{"name", "model.conv_vs_onednn"},
                                     {"value", comparison.ratio},
                                     {"unit", "ratio"},
                                     {"limit", kLimit},
                                     {"better", "higher"},
                                     {"note", note}}};
    std::ofstream file(json);
    file << results.dump(2) << "\n";
    if (!file.flush()) {
      std::fprintf(stderr, "bench_model: cannot write %s\n", json);
      return 1;
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "bench_model: %s\n", error.what());
  return 1;
}
