// SPDX-License-Identifier: MIT
// Random tasks (docs/testing.md). Valid tasks run on the native board and must give exactly the bytes that an interpreter in program order
// computes. Broken tasks must be refused with the error that names the broken part. COX_RANDOM_TASKS gives the number of each kind,
// COX_RANDOM_SEED the seed.
#include <gmock/gmock.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>

#include "boards/native/native_board.h"
#include "coxswain/firmware/image/loader.h"
#include "coxswain/firmware/schedule/scheduler.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "sim/model/tile/hazard/analysis.h"
#include "sim/model/tile/hazard/schedule.h"
#include "sim/model/tile/hazard/unwritten.h"
#include "tests/firmware/random_tasks/generator.h"
#include "tests/firmware/random_tasks/interpreter.h"
#include "tests/firmware/random_tasks/mutations.h"

namespace cox::tests {
namespace {

using firmware::image::LoadedTask;

std::uint64_t setting(const char *name, std::uint64_t otherwise) {
  const char *text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 0);
}
std::uint64_t count() { return setting("COX_RANDOM_TASKS", 300); }
std::uint64_t seed() { return setting("COX_RANDOM_SEED", 20261121); }

constexpr unsigned kValidCores = isa::tile::kMostCores;

firmware::image::DeviceGeometry geometry() {
  firmware::image::DeviceGeometry geometry = firmware::image::reference_geometry();
  geometry.l2_bytes = kRandomL2Bytes;
  geometry.wl0_bytes = kRandomWl0Bytes;
  geometry.cores = isa::tile::kMostCores;
  return geometry;
}

std::string text_of(const Status &status) {
  return std::string(error_name(status.code())) + " " + status.what() + " at " + std::to_string(status.index()) + ": " +
         std::to_string(status.value()) + ", " + std::to_string(status.limit());
}

/// An image with its workspace.
struct Loaded {
  explicit Loaded(const TaskText &text)
      : image(text),
        workspace(words(firmware::image::workspace_bytes(image.bytes()))),
        result(firmware::image::load(image.bytes(), geometry(), std::as_writable_bytes(std::span(workspace)))) {}
  static std::size_t words(const Result<std::size_t> &bytes) { return bytes ? bytes.value() / sizeof(std::uint64_t) + 1 : 1; }
  Image image;
  std::vector<std::uint64_t> workspace;
  Result<LoadedTask> result;
};

/// Runs the task on a board of its own, with windows placed one after the other, and compares the windows with the interpreter's.
void run(const RandomTask &task, const LoadedTask &loaded, Interpreter &interpreter) {
  std::string error;
  board::NativeBoardSettings settings;
  settings.model_options = R"({"path": "fast", "geometry": {"tile_cores": 4, "l2_mib": 1, "wl0_units": 12288}})";
  settings.dram_bytes = 16U << 20;
  const auto board = board::NativeBoard::create(std::move(settings), error);
  ASSERT_NE(board, nullptr) << error;
  std::array<hal::Window, hal::kWindows> windows{};
  std::size_t next = 4096;
  for (const WindowText &window : task.text.windows) {
    const std::vector<std::uint8_t> &contents = task.contents[window.index];
    std::byte *const at = board->dram().data() + next;
    std::memcpy(at, contents.data(), contents.size());
    const auto *first = reinterpret_cast<const std::byte *>(contents.data());
    interpreter.window(window.index).assign(first, first + contents.size());
    windows[window.index] = {board->address_of(at), window.size, true, window.writable};
    next += 8192;
  }
  const auto scheduler = std::make_unique<firmware::schedule::Scheduler>();
  hal::Accelerator accelerator;
  ASSERT_TRUE(accelerator.open().ok());
  ASSERT_TRUE(scheduler->initialise(accelerator).ok());
  const auto started = scheduler->start(loaded, windows);
  ASSERT_TRUE(started.ok()) << text_of(started.status());
  const auto report = scheduler->wait(started.value());
  ASSERT_TRUE(report.ok());
  ASSERT_TRUE(report.value().status.ok()) << text_of(report.value().status);

  const Status status = interpreter.run(task.text.code);
  ASSERT_TRUE(status.ok()) << text_of(status);
  for (const WindowText &window : task.text.windows) {
    const std::vector<std::byte> &expected = interpreter.window(window.index);
    const std::byte *const actual = &board->dram()[windows[window.index].base - hal::dram_range().address];
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(actual[i], expected[i]) << "window " << unsigned{window.index} << ", byte " << i;
    }
  }
}

/// Sets those bytes of L2 to 0 that the task reads before it writes them. The detector reports such reads and the number of their bytes.
/// The function checks that it has set this number of bytes to 0.
void clear_warned(std::span<const model::hazard::Step> steps, Interpreter &interpreter) {
  using model::hazard::UnwrittenRead;
  std::array<std::vector<bool>, isa::tile::kMostCores> known;
  for (std::vector<bool> &own : known) own.resize(kRandomL2Bytes);
  const std::vector<UnwrittenRead> reads = model::hazard::find_unwritten_reads(steps);
  std::int64_t warned = 0;
  for (const UnwrittenRead &read : reads) warned += read.bytes;
  for (const std::int32_t index : model::hazard::make_schedule(steps).order) {
    for (const bool write : {false, true}) {
      for (const model::hazard::Touch &touch : steps[static_cast<std::size_t>(index)].touches) {
        if (touch.place != model::hazard::Place::l2 || touch.write != write) continue;
        const auto read =
            std::ranges::find_if(reads, [&](const UnwrittenRead &each) { return each.instruction == index && each.core == touch.core; });
        model::hazard::for_each_run(touch, [&](std::int64_t first, std::int64_t bytes) {
          for (std::int64_t at = first; at < first + bytes; ++at) {
            const auto byte = static_cast<std::size_t>(at);
            if (known[touch.core][byte]) continue;
            known[touch.core][byte] = true;
            if (write || read == reads.end() || at < read->first || at > read->last) continue;
            interpreter.l2(touch.core)[byte] = std::byte{0};
            --warned;
          }
        });
      }
    }
  }
  ASSERT_EQ(warned, 0);
}

/// Runs the task in an L2 full of 0x5A, except that the bytes of which the detector warns are 0. The result must equal `expected`.
void run_after_another_owner(const RandomTask &task, std::span<const model::hazard::Step> steps, Interpreter &expected) {
  Interpreter interpreter(task.text.tile_cores, kRandomL2Bytes, model::arithmetic::Path::fast);
  for (unsigned core = 0; core < task.text.tile_cores; ++core) {
    const std::span<std::byte> l2 = interpreter.l2(core);
    std::memset(l2.data(), 0x5A, l2.size());
  }
  ASSERT_NO_FATAL_FAILURE(clear_warned(steps, interpreter));
  for (const WindowText &window : task.text.windows) {
    const auto *first = reinterpret_cast<const std::byte *>(task.contents[window.index].data());
    interpreter.window(window.index).assign(first, first + task.contents[window.index].size());
  }
  ASSERT_TRUE(interpreter.run(task.text.code).ok());
  for (const WindowText &window : task.text.windows) {
    ASSERT_TRUE(interpreter.window(window.index) == expected.window(window.index)) << "window " << unsigned{window.index};
  }
}

TEST(RandomTasks, ValidOnesGiveTheBytesOfProgramOrder) {
  std::map<std::string, unsigned> functions;
  std::array<unsigned, 5> of_cores{};
  std::size_t instructions = 0;
  for (std::uint64_t i = 0; i < count(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed() + i));
    Random random(seed() + i);
    const RandomTask task = make_random_task(random, kValidCores, functions);
    Loaded loaded(task.text);
    ASSERT_TRUE(loaded.result.ok()) << text_of(loaded.result.status());
    ++of_cores[loaded.result.value().needs().cores];
    instructions += task.text.code.size();

    const auto steps = model::hazard::make_steps(task.text.code);
    ASSERT_TRUE(steps.ok()) << text_of(steps.status());
    const model::hazard::Analysis analysis = model::hazard::analyse(steps.value());
    for (const model::hazard::Hazard &hazard : analysis.hazards) {
      const auto name = [&](std::int32_t index) {
        return isa::tile::find_instruction(isa::tile::opcode_of(task.text.code[static_cast<std::size_t>(index)]))->name;
      };
      ADD_FAILURE() << kind_name(hazard.kind) << ": " << hazard.earlier << " " << name(hazard.earlier) << ", " << hazard.later << " "
                    << name(hazard.later) << ", place " << static_cast<unsigned>(hazard.place) << ", bytes " << hazard.first << " to "
                    << hazard.last;
    }
    ASSERT_TRUE(analysis.passes());
    Interpreter interpreter(task.text.tile_cores, kRandomL2Bytes, model::arithmetic::Path::reference);
    run(task, loaded.result.value(), interpreter);
    if (!HasFatalFailure()) run_after_another_owner(task, steps.value(), interpreter);
    if (HasFatalFailure()) return;
  }
  std::cout << count() << " tasks, " << instructions << " instructions, " << functions.size() << " kinds of them\n";
  for (unsigned cores = 1; cores <= kValidCores; ++cores) EXPECT_GT(of_cores[cores], count() / 20) << cores << " cores";
  // Checks that each kind of instruction occurs.
  for (const char *name : {"ct_bc", "vp_self 16", "vp_self 18 two", "vp_self 18 scalar", "vp_self 19 two", "vp_self 19 scalar",
                           "vp_self 20", "vp_self 21", "vp_self 22", "vp_self 23", "vp_self 32", "vp_self 40", "vp_self 41",
                           "vp_self 41 two", "vp_pool 17", "vp_pool 56", "vp_pool 48", "vp_pool 49", "again"}) {
    EXPECT_GT(functions[name], 0U) << name;
  }
  for (const char *name : {"lda_mov", "ldw_mov", "lw_mov", "pe_conv", "dt_cal", "sta_mov", "si_mov", "so_mov"}) {
    const auto kinds = std::count_if(functions.begin(), functions.end(), [&](const auto &each) { return each.first.starts_with(name); });
    EXPECT_GE(kinds, 6) << name;
  }
}

TEST(RandomTasks, BrokenOnesAreRefusedWithWhatWasBroken) {
  std::map<std::string, unsigned> functions;
  std::uint64_t done = 0;
  std::uint64_t last = 0;
  for (std::uint64_t i = 0; done < count(); ++i) {
    const std::size_t which = done % kMutations.size();
    SCOPED_TRACE("seed " + std::to_string(seed() + i) + ", " + kMutations[which].name);
    Random random(seed() + i);
    RandomTask task = make_random_task(random, isa::tile::kMostCores, functions);
    const std::optional<Refusal> refusal = kMutations[which].apply(task, random);
    if (!refusal) {
      ASSERT_LT(i - last, 500U) << "no task can be broken in this way";
      continue;
    }
    ++done;
    last = i;
    const Status status = Loaded(task.text).result.status();
    ASSERT_EQ(status.code(), refusal->error) << text_of(status);
    ASSERT_TRUE(refusal->what.empty() || status.what() == refusal->what) << text_of(status) << ", not " << refusal->what;
    ASSERT_TRUE(refusal->index == -2 || status.index() == refusal->index) << text_of(status) << ", not " << refusal->index;
  }
}

}  // namespace
}  // namespace cox::tests
