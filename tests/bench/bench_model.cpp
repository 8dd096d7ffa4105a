// SPDX-License-Identifier: MIT
// Compares the speeds of a convolution in the model and in oneDNN, with one thread each. Both run alternately, so that a busy or
// throttled machine slows both. After the comparison, Google Benchmark measures several layers in the model and prints their speeds.
//   bench_model [--json FILE] [Google Benchmark options]
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>

#include "comparison.h"
#include "convolution_layer.h"
#include "onednn_convolution.h"
#include "resnet50.h"

namespace {

using cox::bench::Comparison;
using cox::bench::LayerShape;
using cox::bench::ModelLayer;
using cox::bench::OnednnLayer;
using cox::bench::seconds_per_run;
using cox::isa::tile::DataFmt;

/// Compares the model with oneDNN. oneDNN's time is that of its faster variant: with signed or with unsigned source bytes.
Comparison compare() {
  const LayerShape shape;
  const ModelLayer model(shape);
  const OnednnLayer with_signed(shape, OnednnLayer::Source::signed_bytes);
  const OnednnLayer with_unsigned(shape, OnednnLayer::Source::unsigned_bytes);
  return cox::bench::compare_in_turns(
      shape, [&] { return seconds_per_run(model); },
      [&] { return std::min(seconds_per_run(with_signed), seconds_per_run(with_unsigned)); });
}

std::string note(const Comparison &comparison) {
  char text[200];
  std::snprintf(text, sizeof text,
                "3x3, 64 to 64 channels, 56x56, INT8, one thread, AVX-512: %.0f GMAC/s in the model, %.0f in oneDNN alone",
                comparison.model_gmacs, comparison.onednn_gmacs);
  return text;
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
// The arguments are layers of ResNet-50: channels, kernels, map size, kernel size.
BENCHMARK(convolution_in_model)
    ->Args({64, 64, 56, 3})
    ->Args({64, 256, 56, 1})
    ->Args({256, 64, 56, 1})
    ->Args({128, 128, 28, 3})
    ->Args({256, 256, 14, 3})
    ->Args({512, 128, 7, 3})
    ->Args({2048, 512, 7, 1})
    ->Args({2048, 512, 1, 1});

/// The arguments are format, channels, kernels, map size and kernel size.
void convolution_of_format(benchmark::State &state) {
  LayerShape shape{static_cast<std::uint32_t>(state.range(1)), static_cast<std::uint32_t>(state.range(2)),
                   static_cast<std::uint32_t>(state.range(3)), static_cast<std::uint32_t>(state.range(4))};
  shape.format = static_cast<DataFmt>(state.range(0));
  shape.depthwise = state.range(2) == 0;
  if (shape.depthwise) shape.kernels = shape.channels;
  const ModelLayer layer(shape);
  for (auto unused : state) {
    (void)unused;
    layer.run();
  }
  state.counters["MAC/s"] = benchmark::Counter(shape.multiply_accumulates(), benchmark::Counter::kIsIterationInvariantRate);
}
constexpr auto kInt8 = static_cast<std::int64_t>(DataFmt::INT8);
// In these arguments, 0 kernels stand for a depthwise convolution, as MobileNet has it.
BENCHMARK(convolution_of_format)
    ->Args({static_cast<std::int64_t>(DataFmt::INT4), 64, 64, 56, 3})
    ->Args({static_cast<std::int64_t>(DataFmt::INT16), 64, 64, 56, 3})
    ->Args({static_cast<std::int64_t>(DataFmt::FP16), 64, 64, 56, 3})
    ->Args({static_cast<std::int64_t>(DataFmt::FP32), 64, 64, 56, 3})
    ->Args({kInt8, 64, 0, 56, 3})
    ->Args({kInt8, 512, 0, 14, 3})
    ->Args({kInt8, 960, 0, 7, 3})
    ->Args({static_cast<std::int64_t>(DataFmt::FP16), 512, 0, 14, 3});

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

int main(int argc, char **argv) {
  return cox::bench::run({.name = "bench_model", .figure = "model.conv_vs_onednn", .limit = 0.5, .compare = compare, .note = note}, argc,
                         argv);
}
