// SPDX-License-Identifier: MIT
// Measures a large product: the instructions of the control core, which feeds the unit while it works, and the unit's time.
#include <algorithm>
#include <cstdio>

#include "coxswain/hal/board.h"
#include "coxswain/hal/device.h"
#include "coxswain/kernels/cube/gemm.h"
#include "selftest.h"

namespace selftest {
namespace {

namespace cube = cox::kernels::cube;
using cox::isa::cube::MachineCode;
using cox::isa::cube::Opcode;
using cube::GemmArguments;
using cube::Tiling;

constexpr std::uint64_t kLongLimit = 10'000'000;  // us
constexpr std::uint32_t kPeak = 4096;             // multiply-accumulates per cycle
constexpr std::size_t kCountedBytes = 4U << 20;

/// Returns the arguments of a product of BF16 matrices in row order, all in DRAM.
GemmArguments product(std::uint32_t m, std::uint32_t k, std::uint32_t n) {
  release_memory();
  GemmArguments call;
  call.left = {.address = address_of(take(std::size_t{m} * k * 2)), .rows = m, .columns = k};
  call.right = {.address = address_of(take(std::size_t{k} * n * 2)), .rows = k, .columns = n};
  call.output = {.address = address_of(take(std::size_t{m} * n * 4)), .rows = m, .columns = n};
  return call;
}

struct Counts {
  std::uint32_t slots = 0, mads = 0;
};
Counts counts_of(const GemmArguments &call, const Tiling &tiling) {
  cube::Stream counted;
  Counts counts;
  if (!good(counted.init(take(kCountedBytes), engine.windows())) || !good(cube::gemm(counted, call, tiling))) return counts;
  counts.slots = counted.slots();
  const std::span<const std::byte> code = counted.code();
  const std::span slots(reinterpret_cast<const MachineCode *>(code.data()), counts.slots);
  counts.mads = static_cast<std::uint32_t>(
      std::ranges::count_if(slots, [](const MachineCode &slot) { return (slot[0] & 0xFF) == static_cast<std::uint32_t>(Opcode::MAD); }));
  return counts;
}

struct Cost {
  std::uint32_t instructions = 0, cycles = 0;
};
/// Returns the cost of the whole call: checks, tiles, slots, feeding, waiting. If `tiling` is nullptr, the call chooses the tiles.
Cost cost_of(const GemmArguments &call, const Tiling *tiling) {
  const std::uint64_t begin = cox::hal::device_cycles(), before = cox::board::executed_instructions();
  stream.clear();
  const cox::Status written = tiling != nullptr ? cube::gemm(stream, call, *tiling) : cube::gemm(stream, call);
  const cox::Status ended = written.ok() ? engine.run(stream, kLongLimit) : written;
  const std::uint64_t after = cox::board::executed_instructions();
  if (!good(ended)) return {};
  return {static_cast<std::uint32_t>(after - before), static_cast<std::uint32_t>(engine.end_cycle() - begin)};
}

unsigned long number(std::uint64_t value) { return static_cast<unsigned long>(value); }

/// Instructions of the control core per MAD, in hundredths, and the unit's share of its peak, in thousandths. Both are 0 after an error.
struct Figures {
  std::uint64_t instructions = 0, utilisation = 0;
};
Figures measure(const GemmArguments &call, const Tiling &tiling, bool given) {
  const Counts counts = counts_of(call, tiling);
  const Cost cost = cost_of(call, given ? &tiling : nullptr);
  if (cost.cycles == 0 || counts.mads == 0) return {};
  const std::uint32_t m = call.left.rows, k = call.left.columns, n = call.right.columns;
  const std::uint64_t share = std::uint64_t{m} * k * n / kPeak * 1000 / cost.cycles,
                      each = std::uint64_t{cost.instructions} * 100 / counts.mads;
  std::printf("%lux%lux%lu, tiles %s: %lu MADs and %lu other slots, %lu.%02lu instructions a MAD; %lu cycles, utilisation 0.%03lu\n",
              number(m), number(k), number(n), given ? "given" : "chosen in the call", number(counts.mads),
              number(counts.slots - counts.mads), number(each / 100), number(each % 100), number(cost.cycles), number(share));
  return {each, share};
}

/// Returns a tiling whose MADs have 128 x 64 x 256 elements, which take 512 cycles of the array.
Tiling tiles_of_512_cycles(const GemmArguments &call) {
  return {.product = cube::gemm_product(call),
          .m_tile = 128,
          .n_tile = 256,
          .step_units = 4,
          .block_units = 16,
          .places = 3,
          .panels = 1,
          .left_outer = true,
          .short_start = true,
          .last_piece = 64,
          .cycles = 1};
}

}  // namespace

void measure() {
  GemmArguments call = product(1024, 1024, 1024);
  const Figures chosen = measure(call, cube::choose_tiling(cube::gemm_product(call)), false);
  const Figures given = measure(call, tiles_of_512_cycles(call), true);
  call = product(1024, 2048, 1024);
  const Figures longer = measure(call, cube::choose_tiling(cube::gemm_product(call)), false);
  call = product(4096, 4096, 4096);
  const Figures large = measure(call, cube::choose_tiling(cube::gemm_product(call)), false);
  verdict("control", chosen.instructions != 0 && given.instructions != 0 && longer.instructions != 0 && large.instructions != 0);
  const auto print = [](const char *name, const Figures &figures) {
    std::printf("cube.control%s_instructions_per_mad %lu.%02lu\n", name, number(figures.instructions / 100),
                number(figures.instructions % 100));
  };
  print("", large);
  print(".1024x2048x1024", longer);
  print(".1024", chosen);
  print(".1024.tiles_given", given);
  std::printf("cube.control.utilisation 0.%03lu\n", number(large.utilisation));
}

}  // namespace selftest
