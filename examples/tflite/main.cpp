// SPDX-License-Identifier: MIT
// Runs a TensorFlow Lite model on the Unity units (README.md). The host has put a table at the start of DRAM, and file and inputs behind
// it. The application plans all other memory itself, and leaves the outputs where the table says.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>

#include "coxswain/hal/accelerator.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/cache.h"
#include "coxswain/kernels/unity/engine.h"
#include "coxswain/kernels/unity/tflite_kernels.h"
#include "coxswain/tflite/runner.h"

namespace {

namespace tf = cox::tflite;
namespace unity = cox::kernels::unity;
using cox::Status;

/// Offsets from the start of DRAM, and sizes, in bytes.
struct Table {
  std::uint32_t file, file_bytes;
  std::uint32_t inputs, input_bytes;    ///< of all inputs of the model, one behind the other
  std::uint32_t outputs, output_bytes;  ///< room for all outputs
  std::uint32_t runs;                   ///< how often the model runs
  std::uint32_t free;                   ///< from here on DRAM is free
  std::uint32_t units;                  ///< that run the model
};

constexpr std::uint32_t kInstructions = 1024;  ///< of each unit
constexpr std::size_t kContainerBytes = 256 * 1024;

cox::hal::Accelerator accelerator;
unity::Engine engine;
unity::ContainerBuilder container;

std::span<std::byte> dram(std::size_t offset, std::size_t bytes) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a bus address
  return {reinterpret_cast<std::byte *>(static_cast<std::uintptr_t>(cox::board::dram_base()) + offset), bytes};
}

/// Hands out the free part of DRAM.
class FreeMemory {
 public:
  explicit FreeMemory(std::size_t first) : next_(first) {}

  /// Memory aligned to a line of the cache; empty if there is not enough.
  std::span<std::byte> take(std::size_t bytes) {
    constexpr std::size_t kLine = 64;
    next_ = (next_ + kLine - 1) / kLine * kLine;
    const auto size = static_cast<std::size_t>(cox::board::dram_size());
    if (next_ > size || bytes > size - next_) return {};
    next_ += bytes;
    return dram(next_ - bytes, bytes);
  }

 private:
  std::size_t next_;
};

int refuse(const char *step, const Status &status) {
  std::printf("%s: %s: %s is %ld, limit %ld, operator %ld\n", step, cox::error_name(status.code()), status.what(),
              static_cast<long>(status.value()), static_cast<long>(status.limit()), static_cast<long>(status.index()));
  return 1;
}

int fail(const char *text) {
  std::printf("%s\n", text);
  return 1;
}

/// Copies bytes between the inputs or outputs of the model and the host's memory. Returns false if their sizes differ.
bool copy_inputs(const tf::RunnerBase &runner, std::span<const std::byte> from) {
  for (std::size_t i = 0; i < runner.model().inputs().size(); ++i) {
    const std::span<std::byte> to = runner.input(i);
    if (from.size() < to.size()) return false;
    std::ranges::copy(from.first(to.size()), to.begin());
    from = from.subspan(to.size());
  }
  return from.empty();
}
bool copy_outputs(const tf::RunnerBase &runner, std::span<std::byte> to) {
  for (std::size_t i = 0; i < runner.model().outputs().size(); ++i) {
    const std::span<const std::byte> from = runner.output(i);
    if (to.size() < from.size()) return false;
    std::ranges::copy(from, to.begin());
    to = to.subspan(from.size());
  }
  return to.empty();
}

}  // namespace

int main() {
  Table table;
  std::memcpy(&table, dram(0, sizeof table).data(), sizeof table);
  const cox::MemoryRange range = cox::hal::dram_range();
  const cox::isa::Window windows[] = {{.base = range.address, .bytes = range.size, .read = true, .write = true}};
  if (Status status = accelerator.open(); !status) return refuse("open", status);
  if (Status status = engine.init(accelerator, {.windows = windows}); !status) return refuse("init", status);
  FreeMemory memory(table.free);
  if (Status status =
          container.init(memory.take(kContainerBytes), windows,
                         {.units = table.units, .instructions = kInstructions, .signals = unity::ContainerBuilder::kMostSignals});
      !status)
    return refuse("container", status);

  // Once for each model: read and check the file, plan the memory, write the container.
  const std::uint64_t start = cox::board::executed_instructions();
  const std::span<const std::byte> file = dram(table.file, table.file_bytes);
  const cox::Result<std::size_t> workspace = tf::runner_workspace_bytes(file, table.units);
  if (!workspace) return refuse("model", workspace.status());
  tf::Runner<unity::ContainerBuilder> runner(unity::tflite_kernels());
  if (Status status = runner.open(file, memory.take(workspace.value()), /*keep_inputs=*/true); !status) return refuse("model", status);
  const std::span<std::byte> arena = memory.take(runner.arena_bytes()), constants = memory.take(runner.constant_bytes());
  if (Status status = runner.encode(arena, constants, container); !status) return refuse("encode", status);
  std::uint32_t instructions = 0;
  for (unsigned unit = 0; unit < container.units(); ++unit) instructions += container.instructions(unit);
  std::printf("%u operators, %lu instructions, arena %lu bytes, constants %lu bytes, container %lu bytes\n",
              static_cast<unsigned>(runner.model().operators()), static_cast<unsigned long>(instructions),
              static_cast<unsigned long>(runner.arena_bytes()), static_cast<unsigned long>(runner.constant_bytes()),
              static_cast<unsigned long>(container.code().size()));
  std::printf("control core: %lu instructions to read and encode\n",
              static_cast<unsigned long>(cox::board::executed_instructions() - start));

  // For each input: write it, run, read the outputs.
  if (!copy_inputs(runner, dram(table.inputs, table.input_bytes))) return fail("inputs: wrong size");
  cox::hal::clean_and_invalidate_cache(arena.data(), arena.size());
  for (std::uint32_t i = 0; i < table.runs; ++i) {
    const std::uint64_t running = cox::board::executed_instructions(), cycle = engine.end_cycle();
    if (Status status = engine.run(container); !status) {
      std::printf("instruction %ld, %s, field %s\n", static_cast<long>(engine.fault().instruction), engine.fault().name,
                  engine.fault().field);
      return refuse("run", status);
    }
    std::printf("run %lu: %lu instructions of the control core", static_cast<unsigned long>(i),
                static_cast<unsigned long>(cox::board::executed_instructions() - running));
    if (cycle != 0) std::printf(", %lu device cycles since the last one", static_cast<unsigned long>(engine.end_cycle() - cycle));
    std::printf("\n");
  }
  cox::hal::invalidate_cache(arena.data(), arena.size());
  const std::span<std::byte> outputs = dram(table.outputs, table.output_bytes);
  if (!copy_outputs(runner, outputs)) return fail("outputs: wrong size");
  cox::hal::clean_cache(outputs.data(), outputs.size());
  return 0;
}
