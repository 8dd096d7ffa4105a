// SPDX-License-Identifier: MIT
// Measures the speed of the PIM cores' model, values included, on a layer of one core in one thread. After that, Google Benchmark measures
// single operations.
//   bench_pim_arithmetic [--json FILE] [Google Benchmark options]
#include <benchmark/benchmark.h>

#include <stdexcept>
#include <vector>

#include "figures.h"
#include "paired_runs.h"
#include "pim_layer.h"

namespace {

using cox::bench::PimCore;
using cox::bench::PimLayer;
using cox::model::pim::Path;
using namespace cox::isa::pim;

/// Millions of multiply-accumulates a second.
double measure() {
  PimLayer reference, fast;
  reference.run(Path::reference);
  fast.run();
  if (fast.output() != reference.output()) throw std::runtime_error("the fast path's bits are not the reference's");
  std::vector<double> times;
  for (int round = 0; round < cox::bench::kRounds; ++round) times.push_back(cox::bench::seconds_per_run(fast));
  return PimLayer::multiply_accumulates() * 1e-6 / cox::bench::median(times);
}

/// A compute of 16 groups of 16 macros.
Compute grouped(std::uint8_t input_width, std::uint8_t weight_width) {
  Compute compute;
  compute.input_width = input_width;
  compute.weight_width = weight_width;
  compute.inputs = 32;
  compute.columns = 64U / weight_width;
  compute.groups = compute.group_macros = compute.working_macros = 16;
  compute.group_columns = compute.columns * compute.group_macros;
  compute.first = {0, 0x100000, 0x600000, 0x700000};
  compute.group_advance.value = 32;
  return compute;
}

template <typename Operation>
void run(benchmark::State &state, const Operation &operation, double work, const char *unit, PimCore &core, Path path = Path::fast) {
  for (auto unused : state) {
    (void)unused;
    cox::model::pim::execute(operation, core.memories, path);
  }
  state.counters[unit] = benchmark::Counter(work, benchmark::Counter::kIsIterationInvariantRate);
}

void run(benchmark::State &state, const Compute &compute, Path path = Path::fast) {
  PimCore core;
  core.fill();
  const double work = static_cast<double>(compute.inputs) * compute.group_columns * compute.groups * compute.count;
  run(state, compute, work, "MAC/s", core, path);
}

void pim_reference(benchmark::State &state) { run(state, grouped(8, 8), Path::reference); }
BENCHMARK(pim_reference);

void pim_compute(benchmark::State &state) {
  Compute compute = grouped(static_cast<std::uint8_t>(state.range(0)), static_cast<std::uint8_t>(state.range(1)));
  compute.count = static_cast<std::uint32_t>(state.range(2));
  run(state, compute);
}
BENCHMARK(pim_compute)->ArgNames({"input", "weight", "count"})->ArgsProduct({{8}, {8}, {1, 4, 16}});
BENCHMARK(pim_compute)->ArgNames({"input", "weight", "count"})->ArgsProduct({{1, 4, 8, 16, 32}, {1, 2, 4, 8, 16, 32}, {1}});

/// All macros with the same inputs.
void pim_compute_all(benchmark::State &state) {
  Compute compute = grouped(8, 8);
  compute.groups = 1;
  compute.group_macros = compute.working_macros = 256;
  compute.group_columns = 2048;
  run(state, compute);
}
BENCHMARK(pim_compute_all);

/// Half of 64 inputs. The reference has the same speed, so it is not measured again.
void pim_value_sparse(benchmark::State &state) {
  Compute compute = grouped(8, static_cast<std::uint8_t>(state.range(0)));
  compute.bit_sparse = state.range(2) != 0;
  compute.value_sparse = true;
  compute.inputs = 64;
  compute.count = static_cast<std::uint32_t>(state.range(1));
  PimCore core;
  core.fill();
  std::byte *masks = core.memories.local[5].data();
  for (std::uint32_t i = 0; i < 16 * 8; ++i) masks[i] = static_cast<std::byte>(i % 2 == 0 ? 0x5A : 0xB2);
  run(state, compute, 32.0 * compute.group_columns * compute.groups * compute.count, "MAC/s", core);
}
BENCHMARK(pim_value_sparse)->ArgNames({"weight", "count", "digits"})->ArgsProduct({{1, 4, 8, 16}, {1, 16}, {0}});
BENCHMARK(pim_value_sparse)->ArgNames({"weight", "count", "digits"})->ArgsProduct({{1}, {1, 16}, {1}});

void pim_bit_sparse(benchmark::State &state) {
  Compute compute = grouped(static_cast<std::uint8_t>(state.range(0)), 1);
  compute.bit_sparse = true;
  compute.groups = static_cast<std::uint32_t>(state.range(1));
  run(state, compute, static_cast<Path>(state.range(2)));
}
BENCHMARK(pim_bit_sparse)->ArgNames({"input", "groups", "fast"})->ArgsProduct({{8, 32}, {1, 16}, {0, 1}});

void pim_output(benchmark::State &state) {
  Output output;
  output.width = static_cast<std::uint8_t>(state.range(0));
  output.columns = 8;
  output.groups = output.group_macros = 16;
  output.group_columns = output.stored = 128;
  output.output = 0x200000;
  output.group_bytes = vector_bytes(output.stored, output.width);
  output.outsum = state.range(1) != 0;
  output.sums = 127;
  output.mask = 0x600000;
  PimCore core;
  run(state, output, 2048, "results/s", core);
}
BENCHMARK(pim_output)->ArgNames({"width", "outsum"})->ArgsProduct({{1, 8, 16, 32}, {0, 1}});

void pim_transfer(benchmark::State &state) {
  Transfer transfer;
  transfer.width = static_cast<std::uint8_t>(state.range(0));
  transfer.source = 0x200000;
  transfer.mask = 0x600000;
  transfer.destination = 0x300000;
  transfer.results = 2048;
  transfer.valid = 1024;
  PimCore core;
  for (std::uint32_t i = 0; i < 256; ++i) core.memories.local[5][i] = std::byte{0xB2};
  run(state, transfer, 2048, "results/s", core);
}
BENCHMARK(pim_transfer)->ArgName("width")->Arg(1)->Arg(8)->Arg(32);

/// The form and the widths of the first input and of the output.
void pim_simd(benchmark::State &state) {
  const SimdForm &form = kDefaultSimdForms[static_cast<std::size_t>(state.range(0))];
  Simd simd;
  simd.opcode = static_cast<SimdOpcode>(form.opcode);
  simd.inputs = form.inputs;
  simd.kinds = form.kinds;
  simd.input = {0x200000, 0x204000, 0x208000, 0x20C000};
  simd.input_width.fill(static_cast<std::uint8_t>(state.range(1)));
  simd.output = 0x300000;
  simd.output_width = static_cast<std::uint8_t>(state.range(2));
  simd.length = 2048;
  PimCore core;
  for (std::size_t i = 0; i < 0x10000; i += 4) core.memories.local[1][i] = std::byte{5};
  run(state, simd, simd.length, "elements/s", core);
}
BENCHMARK(pim_simd)->ArgNames({"form", "input", "output"})->ArgsProduct({benchmark::CreateDenseRange(0, kSimdForms - 1, 1), {8}, {8}});
BENCHMARK(pim_simd)->ArgNames({"form", "input", "output"})->ArgsProduct({{0, 2, 3, 4, 5, 8}, {32}, {8, 32}});

std::vector<cox::bench::Figure> figures() {
  return {{.name = "pim.model_mmacs",
           .value = measure(),
           .unit = "MMAC/s",
           .limit = 5000,
           .note = "3 x 3, 64 to 64 channels, 56 x 56, INT8, one thread: the arithmetic of one core, from the image to quantised results",
           .digits = 0}};
}

}  // namespace

int main(int argc, char **argv) { return cox::bench::run("bench_pim_arithmetic", figures, argc, argv); }
