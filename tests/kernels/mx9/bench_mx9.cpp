// SPDX-License-Identifier: MIT
// Speed of MX9 conversion on this host (docs/mx9.md, In host tools). The unit is bytes of FP32 per second, or bytes of BF16 if the name of
// a benchmark says so.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <vector>

#include "coxswain/isa/numbers/mx9_block.h"
#include "coxswain/kernels/mx/mx9_pack.h"
#include "coxswain/kernels/mx/mx9_unpack.h"
#include "coxswain/kernels/mx/pack_weights.h"

namespace {

using cox::isa::mx::Block;
namespace mx = cox::kernels::mx;

constexpr std::size_t kElements = std::size_t{1} << 20;

std::vector<float> activations(std::size_t count) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float &value : values) value = normal(random);
  return values;
}

void report(benchmark::State &state, const cox::Status &status, std::size_t bytes) {
  if (!status.ok()) state.SkipWithError(status.what());
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(bytes));
}

void pack(benchmark::State &state) {
  const std::vector<float> values = activations(kElements);
  std::vector<Block> blocks(kElements / 16);
  cox::Status status;
  while (state.KeepRunning()) status = mx::mx9_pack(values, blocks), benchmark::ClobberMemory();
  report(state, status, kElements * sizeof(float));
}
BENCHMARK(pack);

void pack_bf16(benchmark::State &state) {
  std::vector<std::uint16_t> values(kElements);
  std::mt19937 random(1);
  for (std::uint16_t &value : values) value = static_cast<std::uint16_t>(0x3F00 + random() % 0x100);
  std::vector<Block> blocks(kElements / 16);
  cox::Status status;
  while (state.KeepRunning()) status = mx::mx9_pack_bf16(values, blocks), benchmark::ClobberMemory();
  report(state, status, kElements * sizeof(std::uint16_t));
}
BENCHMARK(pack_bf16);

void pack_planes(benchmark::State &state) {
  const std::vector<float> values = activations(kElements);
  std::vector<Block> blocks(kElements / 16);
  cox::Status status;
  while (state.KeepRunning()) status = mx::mx9_pack_planes(values, 64, kElements / 64, blocks), benchmark::ClobberMemory();
  report(state, status, kElements * sizeof(float));
}
BENCHMARK(pack_planes);

void unpack(benchmark::State &state) {
  std::vector<float> values = activations(kElements);
  std::vector<Block> blocks(kElements / 16);
  cox::Status status = mx::mx9_pack(values, blocks);
  while (state.KeepRunning()) status = mx::mx9_unpack(blocks, values), benchmark::ClobberMemory();
  report(state, status, kElements * sizeof(float));
}
BENCHMARK(unpack);

/// Packs the weights of a 3 x 3 kernel from 256 to 512 channels.
void weights(benchmark::State &state) {
  constexpr mx::WeightShape shape{3, 256, 512};
  const std::vector<float> values = activations(std::size_t{9} * shape.input_channels * shape.output_channels);
  std::vector<std::byte> packed(mx::packed_weights_bytes(shape).value());
  cox::Status status;
  while (state.KeepRunning()) status = mx::pack_weights(shape, values, {}, packed), benchmark::ClobberMemory();
  report(state, status, values.size() * sizeof(float));
}
BENCHMARK(weights);

}  // namespace

BENCHMARK_MAIN();
