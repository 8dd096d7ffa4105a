// SPDX-License-Identifier: MIT
// CONVACT in the model beside oneDNN's FP32 convolution alone, one thread each. The ratio comes from runs that take turns; Google Benchmark
// then prints layers and element-wise operations by themselves.
//   bench_mx [--json FILE] [Google Benchmark options]
#include <benchmark/benchmark.h>
#include <omp.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "mx_layer.h"
#include "onednn_convolution.h"
#include "paired_runs.h"

namespace {

using cox::bench::LayerShape;
using cox::bench::MxLayer;
using cox::bench::OnednnLayer;
using cox::isa::mx::Activation;
using cox::model::mx::Path;

constexpr double kLimit = 0.6;

struct Comparison {
  double ratio = 0;  ///< of speeds, model to oneDNN
  double model_gmacs = 0;
  double onednn_gmacs = 0;
};

Comparison compare(const LayerShape &shape) {
  MxLayer model(shape, Activation::None);
  model.run(Path::reference);
  const std::vector<std::byte> expected = model.output();
  model.run();
  if (model.output() != expected) throw std::runtime_error("the fast path's bits are not the reference's");
  const OnednnLayer onednn(shape, OnednnLayer::Source::float32);
  std::vector<double> model_times;
  std::vector<double> onednn_times;
  std::vector<double> ratios;
  for (int round = 0; round < cox::bench::kRounds; ++round) {
    model_times.push_back(cox::bench::seconds_per_run(model));
    onednn_times.push_back(cox::bench::seconds_per_run(onednn));
    ratios.push_back(onednn_times.back() / model_times.back());
  }
  const double giga = shape.multiply_accumulates() * 1e-9;
  return {cox::bench::median(ratios), giga / cox::bench::median(model_times), giga / cox::bench::median(onednn_times)};
}

void mx_convolution(benchmark::State &state) {
  const LayerShape shape{static_cast<std::uint32_t>(state.range(0)), static_cast<std::uint32_t>(state.range(1)),
                         static_cast<std::uint32_t>(state.range(2)), static_cast<std::uint32_t>(state.range(3))};
  MxLayer layer(shape, Activation::SiLU);
  for (auto unused : state) {
    (void)unused;
    layer.run();
  }
  state.counters["MAC/s"] = benchmark::Counter(shape.multiply_accumulates(), benchmark::Counter::kIsIterationInvariantRate);
}
// Layers of YOLOv5s at 640 by 640: channels, kernels, size, kernel.
BENCHMARK(mx_convolution)
    ->Args({64, 64, 56, 3})
    ->Args({64, 32, 160, 1})
    ->Args({32, 32, 160, 3})
    ->Args({128, 128, 80, 1})
    ->Args({128, 128, 40, 3})
    ->Args({512, 512, 20, 1})
    ->Args({256, 256, 20, 3});

void mx_elementwise(benchmark::State &state) {
  cox::isa::mx::Elementwise operation;
  operation.function = static_cast<cox::isa::mx::ElementwiseFunction>(state.range(0));
  operation.blocks = 10000;
  std::vector<std::byte> input(std::size_t{operation.blocks} * cox::isa::mx::kBlockBytes, std::byte{0x7F}), output(input.size());
  for (auto unused : state) {
    (void)unused;
    cox::model::mx::execute(operation, {input.data(), input.data(), nullptr, output.data(), nullptr}, Path::fast);
  }
  state.counters["elements/s"] = benchmark::Counter(1.6e5, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(mx_elementwise)->DenseRange(0, 4);

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
  std::snprintf(note, sizeof note,
                "3x3, 64 to 64 channels, 56x56, one thread: %.0f GMAC/s of MX9 in the model, %.0f of FP32 in oneDNN alone",
                comparison.model_gmacs, comparison.onednn_gmacs);
  std::printf("mx.model_vs_onednn_f32 %.2f (at least %.2f): %s\n", comparison.ratio, kLimit, note);
  if (json != nullptr) {
    const nlohmann::json results = {{{"name", "mx.model_vs_onednn_f32"},
                                     {"value", comparison.ratio},
                                     {"unit", "ratio"},
                                     {"limit", kLimit},
                                     {"better", "higher"},
                                     {"note", note}}};
    std::ofstream file(json);
    file << results.dump(2) << "\n";
    if (!file.flush()) {
      std::fprintf(stderr, "bench_mx: cannot write %s\n", json);
      return 1;
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "bench_mx: %s\n", error.what());
  return 1;
}
