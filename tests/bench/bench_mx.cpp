// SPDX-License-Identifier: MIT
// Measures CONVACT in the model compared with oneDNN's FP32 convolution, with one thread each. The two run alternately, so that a busy or
// throttled machine slows both. Google Benchmark then prints layers and element-wise operations.
//   bench_mx [--json FILE] [Google Benchmark options]
#include <benchmark/benchmark.h>

#include <cstdio>
#include <stdexcept>
#include <vector>

#include "comparison.h"
#include "mx_layer.h"
#include "onednn_convolution.h"

namespace {

using cox::bench::Comparison;
using cox::bench::LayerShape;
using cox::bench::MxLayer;
using cox::bench::OnednnLayer;
using cox::isa::mx::Activation;
using cox::model::mx::Path;

Comparison compare() {
  const LayerShape shape;
  MxLayer model(shape, Activation::None);
  model.run(Path::reference);
  const std::vector<std::byte> expected = model.output();
  model.run();
  if (model.output() != expected) throw std::runtime_error("the fast path's bits are not the reference's");
  const OnednnLayer onednn(shape, OnednnLayer::Source::float32);
  return cox::bench::compare_in_turns(
      shape, [&] { return cox::bench::seconds_per_run(model); }, [&] { return cox::bench::seconds_per_run(onednn); });
}

std::string note(const Comparison &comparison) {
  char text[200];
  std::snprintf(text, sizeof text,
                "3x3, 64 to 64 channels, 56x56, one thread: %.0f GMAC/s of MX9 in the model, %.0f of FP32 in oneDNN alone",
                comparison.model_gmacs, comparison.onednn_gmacs);
  return text;
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
// The arguments are layers of YOLOv5s at 640 by 640: channels, kernels, map size, kernel size.
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

int main(int argc, char **argv) {
  return cox::bench::run({.name = "bench_mx", .figure = "mx.model_vs_onednn_f32", .limit = 0.6, .compare = compare, .note = note}, argc,
                         argv);
}
