// SPDX-License-Identifier: MIT
// Runs TensorFlow Lite models on the Unity units. The host has put them into DRAM: their number, then for each the offsets and sizes of the
// file, its inputs and its expected outputs, in words of 32 bits. This image plans the arena, encodes the model, runs it, and compares all
// outputs. It prints how many instructions the control core has executed, also for an operand table (table_costs.h).
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>

#include "coxswain/hal/accelerator.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/cache.h"
#include "coxswain/hal/unity/keys.h"
#include "coxswain/isa/window.h"
#include "coxswain/kernels/unity/data.h"
#include "coxswain/kernels/unity/engine.h"
#include "coxswain/kernels/unity/tflite_kernels.h"
#include "coxswain/tflite/runner.h"
#include "key_costs.h"
#include "table_costs.h"
#include "tests/target/selftest/selftest.h"

namespace {

using selftest::good;
using selftest::verdict;
namespace tf = cox::tflite;
namespace unity = cox::kernels::unity;

constexpr std::size_t kMiB = 1U << 20;
constexpr std::size_t kWindowBytes = 14 * kMiB, kWorkspaceAt = 8 * kMiB, kArenaAt = 9 * kMiB, kConstantsAt = 12 * kMiB;
constexpr std::size_t kContainerAt = 14 * kMiB, kContainerBytes = kMiB;

cox::hal::Accelerator accelerator;
unity::Engine engine;
unity::ContainerBuilder builder;

std::span<std::byte> dram(std::size_t offset, std::size_t bytes) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a bus address
  return {reinterpret_cast<std::byte *>(cox::board::dram_base() + offset), bytes};
}

std::uint32_t word(std::size_t index) { return reinterpret_cast<const std::uint32_t *>(dram(0, 4 * (index + 1)).data())[index]; }

/// Bytes of the host: the pair of words at `index`.
std::span<std::byte> bytes_at(std::size_t index) { return dram(word(index), word(index + 1)); }

unsigned long since(std::uint64_t start) { return static_cast<unsigned long>(cox::board::executed_instructions() - start); }

bool run(std::span<const std::byte> file, std::span<const std::byte> inputs, std::span<const std::byte> outputs) {
  tf::Runner<unity::ContainerBuilder> runner(unity::tflite_kernels());
  const std::uint64_t start = cox::board::executed_instructions();
  if (!good(runner.open(file, dram(kWorkspaceAt, kArenaAt - kWorkspaceAt)))) return false;
  const unsigned long opened = since(start);
  const std::span<std::byte> arena = dram(kArenaAt, kConstantsAt - kArenaAt);
  const std::uint64_t encoding = cox::board::executed_instructions();
  builder.clear();
  if (!good(runner.encode(arena, dram(kConstantsAt, kWindowBytes - kConstantsAt), builder))) return false;
  const unsigned long encoded = since(encoding);
  for (std::size_t i = 0; i < runner.model().inputs().size(); ++i) {
    const std::span<std::byte> input = runner.input(i);
    std::memcpy(input.data(), inputs.data(), input.size());
    inputs = inputs.subspan(input.size());
  }
  cox::hal::clean_and_invalidate_cache(arena.data(), runner.arena_bytes());
  const std::uint64_t running = cox::board::executed_instructions();
  if (!good(engine.run(builder))) {
    std::printf("%s, field %s\n", engine.fault().name, engine.fault().field);
    return false;
  }
  const unsigned long ran = since(running);
  cox::hal::invalidate_cache(arena.data(), runner.arena_bytes());
  std::printf("model: %u operators, %lu instructions, %u bytes; control core: open %lu, encode %lu, run %lu\n",
              static_cast<unsigned>(runner.model().operators()), static_cast<unsigned long>(builder.instructions(0)),
              static_cast<unsigned>(builder.code().size()), opened, encoded, ran);
  for (std::size_t i = 0; i < runner.model().outputs().size(); ++i) {
    const std::span<std::byte> output = runner.output(i);
    if (std::memcmp(output.data(), outputs.data(), output.size()) != 0)
      return std::printf("output %u differs\n", static_cast<unsigned>(i)), false;
    outputs = outputs.subspan(output.size());
  }
  return true;
}

/// Runs an instruction whose unit does not exist, and then the repaired one.
bool faults() {
  builder.clear();
  const std::uint64_t place = cox::board::dram_base() + kArenaAt;
  if (!good(unity::fill(builder, {place, 64, 3}))) return false;
  constexpr std::size_t kTableBytes = 40, kUnitAt = 8;  // DATA_MOVE
  std::byte &code = dram(kContainerAt + builder.code().size() - kTableBytes + kUnitAt, 1)[0];
  const std::byte good_code = code;
  code = std::byte{0xF};
  const cox::Status status = engine.run(builder);
  std::printf("fault: %s, instruction %ld, field %s\n", engine.fault().name, static_cast<long>(engine.fault().instruction),
              engine.fault().field);
  const bool named = !status && std::strcmp(engine.fault().name, "DATA_MOVE") == 0 && std::strcmp(engine.fault().field, "UNIT") == 0 &&
                     engine.fault().instruction == 0;
  code = good_code;
  return named && good(engine.run(builder));
}

/// Unit 1 wants two keys and unit 0 gives one; a context asks for a key table that it does not own. Then both units run.
bool keys(std::span<const cox::isa::Window> windows) {
  static unity::ContainerBuilder two;
  constexpr unity::ContainerBuilder::Capacity kCapacity = {.units = 2, .instructions = 8, .signals = 1};
  const std::uint64_t place = cox::board::dram_base() + kArenaAt;
  const auto write = [&](unsigned wanted) {
    if (!good(two.init(dram(kContainerAt, kContainerBytes), windows, kCapacity))) return false;
    const cox::Result<unsigned> signal = two.add_signal();
    return signal.ok() && good(unity::fill(two, {place, 64, 3})) && good(two.give_key(signal.value())) && good(two.select_unit(1)) &&
           good(two.take_keys(signal.value(), wanted)) && good(unity::fill(two, {place + 64, 64, 3})) && good(two.finish());
  };
  if (!write(2)) return false;
  const cox::Status stuck = engine.run(two);
  const cox::kernels::StreamFault &fault = engine.fault();
  const cox::registers::WaitingUnit &waiting = fault.waiting[0];
  std::printf("keys: %u unit waits: unit %u, instruction %ld, entry %u:%u holds %u, wants %u\n", fault.waiting_units, waiting.unit,
              static_cast<long>(waiting.instruction), waiting.table, waiting.entry, waiting.held, waiting.wanted);
  const bool named = !stuck && fault.code == cox::hal::FaultCode::deadlock && fault.waiting_units == 1 && waiting.unit == 1 &&
                     waiting.instruction == 0 && waiting.table == 0 && waiting.entry == 0 && waiting.held == 1 && waiting.wanted == 2;
  if (!named || !write(1)) return false;
  if (!good(cox::hal::unity::configure(engine.runner().context(), {.page = 0, .key_tables = 0b1110}))) return false;
  const cox::Status refused = engine.run(two);
  return !refused && std::strcmp(engine.fault().field, "key") == 0 && good(engine.run(two));
}

}  // namespace

int main() {
  const cox::isa::Window windows[] = {{.base = cox::board::dram_base(), .bytes = kWindowBytes, .read = true, .write = true}};
  constexpr unity::ContainerBuilder::Capacity kCapacity = {.units = 1, .instructions = 1024};
  if (!good(accelerator.open()) || !good(engine.init(accelerator, {.windows = windows})) ||
      !good(builder.init(dram(kContainerAt, kContainerBytes), windows, kCapacity))) {
    verdict("models", false);
    return 1;
  }
  const std::uint32_t models = word(0);
  bool all = true;
  for (std::size_t i = 0; i < models; ++i) all = run(bytes_at(1 + 6 * i), bytes_at(3 + 6 * i), bytes_at(5 + 6 * i)) && all;
  verdict("models", all);
  verdict("fault", faults());
  verdict("tables", unity_selftest::measure_tables(builder, cox::board::dram_base() + kArenaAt));
  verdict("costs of keys", unity_selftest::measure_keys());
  verdict("keys", keys(windows));  // the last: its container lies where `builder` has its own
  return selftest::failed ? 1 : 0;
}
