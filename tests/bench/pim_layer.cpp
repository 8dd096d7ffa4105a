// SPDX-License-Identifier: MIT
#include "pim_layer.h"

#include <cstring>
#include <random>

namespace cox::bench {
namespace {

using namespace isa::pim;
using model::pim::bytes_at;
using model::pim::Path;

constexpr std::uint32_t kSide = 56, kChannels = 64, kWindow = 3, kAtOnce = 14;  // pixels computed together
constexpr std::uint32_t kPaddedRow = (kSide + 2) * kChannels;
constexpr std::uint32_t kHalf = kChannels / 2, kGroups = 2 * kAtOnce;
constexpr std::uint32_t kResults = kAtOnce * kChannels;

// Memories of the default configuration: `input` has the padded image, `output` the results, `data` all else.
constexpr std::uint32_t kImage = 0x100000, kOutput = 0x200000, kData = 0x300000;
constexpr std::uint32_t kSums = kData, kMultipliers = kSums + 8 * kResults, kShifts = kMultipliers + 4 * kResults;
constexpr std::uint32_t kZero = kShifts + kResults, kTaps = kZero + 4, kGroupOffsets = kTaps + 64;

constexpr std::uint32_t kShift = 9;
constexpr std::size_t kCacheLine = 64;

template <typename T>
void put(model::pim::CoreMemories &memories, std::uint32_t address, T value) {
  std::memcpy(bytes_at(memories, address, sizeof value), &value, sizeof value);
}

}  // namespace

PimCore::PimCore()
    : array_(default_configuration().array.bytes() + kCacheLine),
      registers_(default_configuration().array.macros * default_configuration().array.line_bits()),
      memories{default_configuration(), {}, {}, registers_, 0} {
  const std::size_t excess = reinterpret_cast<std::uintptr_t>(array_.data()) % kCacheLine;
  memories.array = std::span(array_).subspan(kCacheLine - excess, default_configuration().array.bytes());
  for (unsigned i = 0; i < default_configuration().memories_count; ++i) {
    local_[i].resize(default_configuration().memories[i].bytes);
    memories.local[i] = local_[i];
  }
}

void PimCore::fill() {
  std::mt19937 random(1);
  for (std::vector<std::byte> &memory : local_) {
    for (std::byte &byte : memory) byte = static_cast<std::byte>(random());
  }
  for (std::byte &byte : array_) byte = static_cast<std::byte>(random());
}

PimLayer::PimLayer() {
  core_.fill();
  model::pim::CoreMemories &memories = core_.memories;
  std::mt19937 random(2);
  for (std::uint32_t i = 0; i < kResults; ++i) {
    put(memories, kMultipliers + 4 * i, static_cast<std::int32_t>(random() >> 1));
    put(memories, kShifts + i, static_cast<std::uint8_t>(kShift + random() % 4));
  }
  put(memories, kZero, std::int32_t{-5});
  for (std::uint32_t tap = 0; tap < kWindow * kWindow; ++tap) {
    put(memories, kTaps + 4 * tap, tap / kWindow * kPaddedRow + tap % kWindow * kChannels);
  }
  for (std::uint32_t group = 0; group < kGroups; ++group) {
    put(memories, kGroupOffsets + 4 * group, group % kAtOnce * kChannels + group / kAtOnce * kHalf);
  }
}

void PimLayer::run(Path path) {
  Compute compute;
  compute.inputs = kHalf;
  compute.columns = 8;
  compute.groups = kGroups;
  compute.group_macros = compute.working_macros = 8;
  compute.group_columns = kChannels;
  compute.count = kWindow * kWindow;
  compute.batched = true;
  compute.input_advance = {true, kTaps};
  compute.group_advance = {true, kGroupOffsets};

  Output output;
  output.columns = compute.columns;
  output.groups = kGroups;
  output.group_macros = compute.group_macros;
  output.group_columns = output.stored = kChannels;
  output.output = kSums;
  output.group_bytes = std::uint64_t{kChannels} * 4;

  Simd add;
  add.inputs = 2;
  add.input = {kSums, kSums + 4 * kResults};
  add.input_width = {32, 32};
  add.output = kSums;
  add.output_width = 32;
  add.length = kResults;

  Simd quantify;
  quantify.opcode = SimdOpcode::quantify;
  quantify.inputs = 4;
  quantify.kinds[3] = SimdKind::scalar;
  quantify.input = {kSums, kMultipliers, kShifts, kZero};
  quantify.input_width = {32, 32, 8, 32};
  quantify.length = kResults;

  for (std::uint32_t pixel = 0; pixel < kSide * kSide; pixel += kAtOnce) {
    compute.first.input = kImage + pixel / kSide * kPaddedRow + pixel % kSide * kChannels;
    quantify.output = kOutput + pixel * kChannels;
    model::pim::execute(compute, core_.memories, path);
    model::pim::execute(output, core_.memories, path);
    model::pim::execute(add, core_.memories, path);
    model::pim::execute(quantify, core_.memories, path);
  }
}

std::vector<std::byte> PimLayer::output() const {
  const std::uint32_t bytes = kSide * kSide * kChannels;
  const std::byte *first = bytes_at(core_.memories, kOutput, bytes);
  return {first, first + bytes};
}

}  // namespace cox::bench
