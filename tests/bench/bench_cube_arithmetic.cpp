// SPDX-License-Identifier: MIT
// Compares the speed of a BF16 matrix product in the matrix unit's model, including all moves of data, with that of oneDNN's FP32 product.
// Each uses one thread. The two run alternately, so that a busy or throttled machine slows both. After the comparison, Google Benchmark
// measures products of several types and single operations of the model, and prints their speeds.
//   bench_cube_arithmetic [--json FILE] [Google Benchmark options]
#include <benchmark/benchmark.h>

#include <cstdio>
#include <stdexcept>

#include "comparison.h"
#include "cube_gemm.h"
#include "onednn_matmul.h"

namespace {

using cox::bench::Comparison;
using cox::bench::CubeGemm;
using cox::bench::GemmShape;
using cox::bench::OnednnMatmul;
using cox::model::cube::Path;
using namespace cox::isa::cube;

Comparison compare() {
  CubeGemm reference({256, 128, 256}, Type::bfloat16), fast({256, 128, 256}, Type::bfloat16);
  reference.run(Path::reference);
  fast.run();
  if (fast.output() != reference.output()) throw std::runtime_error("the fast path's bits are not the reference's");
  const GemmShape shape;
  CubeGemm model(shape, Type::bfloat16);
  const OnednnMatmul onednn(shape);
  return cox::bench::compare_in_turns(
      shape, [&] { return cox::bench::seconds_of(model); }, [&] { return cox::bench::seconds_of(onednn); });
}

std::string note(const Comparison &comparison) {
  char text[200];
  std::snprintf(text, sizeof text,
                "1,024 x 1,024 x 1,024, one thread: %.0f GMAC/s of BF16 in the unit's arithmetic, %.0f of FP32 in oneDNN alone",
                comparison.model_gmacs, comparison.onednn_gmacs);
  return text;
}

void cube_gemm(benchmark::State &state) {
  const GemmShape shape;
  CubeGemm gemm(shape, static_cast<Type>(state.range(0)));
  for (auto unused : state) {
    (void)unused;
    gemm.run();
  }
  state.counters["MAC/s"] = benchmark::Counter(shape.multiply_accumulates(), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(cube_gemm)->ArgName("type")->DenseRange(0, 1)->Arg(static_cast<int>(Type::int8));

void run(benchmark::State &state, const Operation &operation, std::size_t dram_bytes, double work, const char *unit) {
  cox::model::cube::Buffers buffers;
  std::vector<std::byte> dram(dram_bytes);
  for (auto unused : state) {
    (void)unused;
    cox::model::cube::execute(operation, buffers, dram.data(), Path::fast);
  }
  state.counters[unit] = benchmark::Counter(work, benchmark::Counter::kIsIterationInvariantRate);
}

void cube_mad(benchmark::State &state) {
  Mad mad;
  mad.type = static_cast<Type>(state.range(0));
  mad.m = 128;
  mad.k = 128 * 8 / element_bits(mad.type);
  mad.n = 256;
  mad.start = Start::accumulator;
  run(state, mad, 0, static_cast<double>(mad.m) * mad.k * mad.n, "MAC/s");
}
BENCHMARK(cube_mad)->ArgName("type")->DenseRange(0, 4);

void cube_load(benchmark::State &state) {
  DramToL1 load;
  load.rows = 128;
  load.row_bytes = 512;
  load.source_pitch = 2048;
  load.format = static_cast<Format>(state.range(0));
  load.destination_pitch = load.format == Format::linear ? 512 : 8;
  run(state, load, 128 * 2048, 128 * 512, "B/s");
}
BENCHMARK(cube_load)->ArgName("fractal")->DenseRange(0, 1);

void cube_move(benchmark::State &state) {
  L1ToL0 move;
  move.right = true;
  move.transpose = state.range(1) != 0;
  move.type = static_cast<Type>(state.range(0));
  move.rows = 128 * 8 / element_bits(move.type);
  move.columns = 256;
  move.source_pitch = fractals(move.transpose ? move.rows : move.columns, kFractalRows);
  run(state, move, 0, move.bytes(), "B/s");
}
BENCHMARK(cube_move)->ArgNames({"type", "transpose"})->ArgsProduct({{0, 2, 3, 4}, {0, 1}});

void cube_im2col(benchmark::State &state) {
  Im2colToL0A im2col;
  Im2col &map = im2col.map;
  map.type = Type::int8;
  map.height = map.width = map.out_width = 56;
  map.channels = map.pixel_pitch = 64;
  map.row_pitch = 56 * 64;
  map.kernel_height = map.kernel_width = 3;
  map.pad_top = map.pad_left = 1;
  im2col.rows = 112;
  im2col.columns = 3 * 3 * 64;
  run(state, im2col, 0, im2col.bytes(), "B/s");
}
BENCHMARK(cube_im2col);

void cube_output(benchmark::State &state) {
  Output output;
  output.integer = state.range(0) != 0;
  output.to = static_cast<OutputType>(state.range(1));
  output.rows = 128;
  output.columns = 256;
  output.source_pitch = 8;
  output.destination_pitch = 256 * element_bytes(output.to);
  output.configuration.bias = true;
  output.configuration.activation = Activation::ReLU;
  output.configuration.scale_mode = output.to == OutputType::int32 ? ScaleMode::none : ScaleMode::channel;
  output.configuration.bias_address = 4096;
  run(state, output, 128 * output.destination_pitch, 128 * 256, "elements/s");
}
BENCHMARK(cube_output)->ArgNames({"integer", "to"})->ArgsProduct({{0}, {0, 1, 2, 4}})->ArgsProduct({{1}, {1, 3, 4}});

}  // namespace

int main(int argc, char **argv) {
  return cox::bench::run(
      {.name = "bench_cube_arithmetic", .figure = "cube.arithmetic_vs_onednn", .limit = 0.5, .compare = compare, .note = note}, argc, argv);
}
