// SPDX-License-Identifier: MIT
#include "tests/firmware/random_tasks/task_check.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "boards/native/native_board.h"
#include "coxswain/firmware/schedule/scheduler.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "sim/model/tile/hazard/analysis.h"
#include "sim/model/tile/hazard/schedule.h"
#include "sim/model/tile/hazard/unwritten.h"
#include "tests/firmware/random_tasks/interpreter.h"

namespace cox::tests {

using firmware::image::LoadedTask;

namespace {

firmware::image::DeviceGeometry geometry() {
  firmware::image::DeviceGeometry geometry = firmware::image::reference_geometry();
  geometry.l2_bytes = kRandomL2Bytes;
  geometry.wl0_bytes = kRandomWl0Bytes;
  geometry.cores = isa::tile::kMostCores;
  return geometry;
}

/// Runs the task on a board of its own, with windows placed one after the other, and compares the windows with the interpreter's. Returns a
/// sentence that says what is wrong.
std::string run(const RandomTask &task, const LoadedTask &loaded, Interpreter &interpreter) {
  std::string error;
  board::NativeBoardSettings settings;
  settings.model_options = R"({"path": "fast", "geometry": {"tile_cores": 4, "l2_mib": 1, "wl0_units": 12288}})";
  settings.dram_bytes = 16U << 20;
  const auto board = board::NativeBoard::create(std::move(settings), error);
  if (board == nullptr) return error;
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
  if (const Status status = accelerator.open(); !status.ok()) return "open: " + text_of(status);
  if (const Status status = scheduler->initialise(accelerator); !status.ok()) return "initialise: " + text_of(status);
  const auto started = scheduler->start(loaded, windows);
  if (!started.ok()) return "start: " + text_of(started.status());
  const auto report = scheduler->wait(started.value());
  if (!report.ok()) return "wait: " + text_of(report.status());
  if (const Status &status = report.value().status; !status.ok()) return "the run failed: " + text_of(status);

  if (const Status status = interpreter.run(task.text.code); !status.ok()) return "the interpreter: " + text_of(status);
  for (const WindowText &window : task.text.windows) {
    const std::vector<std::byte> &expected = interpreter.window(window.index);
    const std::byte *const actual = &board->dram()[windows[window.index].base - hal::dram_range().address];
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (actual[i] != expected[i])
        return "window " + std::to_string(window.index) + ", byte " + std::to_string(i) + " is " +
               std::to_string(std::to_integer<int>(actual[i])) + ", in program order " + std::to_string(std::to_integer<int>(expected[i]));
    }
  }
  return {};
}

/// Sets those bytes of L2 to 0 that the task reads before it writes them. The detector reports such reads and the number of their bytes.
/// Returns true if it has set this number of bytes to 0.
bool clear_warned(std::span<const model::hazard::Step> steps, Interpreter &interpreter) {
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
  return warned == 0;
}

/// Runs the task in an L2 full of 0x5A, except that the bytes of which the detector warns are 0. The result must equal `expected`.
/// Returns a sentence that says what is wrong.
std::string run_after_another_owner(const RandomTask &task, std::span<const model::hazard::Step> steps, Interpreter &expected) {
  Interpreter interpreter(task.text.tile_cores, kRandomL2Bytes, model::arithmetic::Path::fast);
  for (unsigned core = 0; core < task.text.tile_cores; ++core) {
    const std::span<std::byte> l2 = interpreter.l2(core);
    std::memset(l2.data(), 0x5A, l2.size());
  }
  if (!clear_warned(steps, interpreter)) return "the detector warns of other bytes than those that the task reads before it writes them";
  for (const WindowText &window : task.text.windows) {
    const auto *first = reinterpret_cast<const std::byte *>(task.contents[window.index].data());
    interpreter.window(window.index).assign(first, first + task.contents[window.index].size());
  }
  if (const Status status = interpreter.run(task.text.code); !status.ok()) return "the interpreter: " + text_of(status);
  for (const WindowText &window : task.text.windows) {
    if (interpreter.window(window.index) != expected.window(window.index))
      return "window " + std::to_string(window.index) + " depends on bytes of L2 of which the detector does not warn";
  }
  return {};
}

/// Returns a sentence about the first hazard.
std::string hazards_of(const RandomTask &task, std::span<const model::hazard::Step> steps) {
  const model::hazard::Analysis analysis = model::hazard::analyse(steps);
  const auto name = [&](std::int32_t index) {
    const isa::tile::MachineCode &code = task.text.code[static_cast<std::size_t>(index)];
    return std::to_string(index) + " " + isa::tile::find_instruction(isa::tile::opcode_of(code))->name;
  };
  for (const model::hazard::Hazard &hazard : analysis.hazards) {
    return std::string(kind_name(hazard.kind)) + ": instruction " + name(hazard.earlier) + ", instruction " + name(hazard.later) +
           ", place " + std::to_string(static_cast<unsigned>(hazard.place)) + ", bytes " + std::to_string(hazard.first) + " to " +
           std::to_string(hazard.last);
  }
  return analysis.passes() ? "" : "the detector does not pass the task";
}

std::size_t words(const Result<std::size_t> &bytes) { return bytes ? bytes.value() / sizeof(std::uint64_t) + 1 : 1; }

}  // namespace

std::string text_of(const Status &status) {
  return std::string(error_name(status.code())) + " " + status.what() + " at " + std::to_string(status.index()) + ": " +
         std::to_string(status.value()) + ", " + std::to_string(status.limit());
}

Loaded::Loaded(const TaskText &text)
    : image(text),
      workspace(words(firmware::image::workspace_bytes(image.bytes()))),
      result(firmware::image::load(image.bytes(), geometry(), std::as_writable_bytes(std::span(workspace)))) {}

std::string problem_of(const RandomTask &task) {
  Loaded loaded(task.text);
  if (!loaded.result.ok()) return "the loader refuses the task: " + text_of(loaded.result.status());
  const auto steps = model::hazard::make_steps(task.text.code);
  if (!steps.ok()) return "the detector refuses the task: " + text_of(steps.status());
  if (const std::string hazards = hazards_of(task, steps.value()); !hazards.empty()) return hazards;
  Interpreter interpreter(task.text.tile_cores, kRandomL2Bytes, model::arithmetic::Path::reference);
  if (const std::string problem = run(task, loaded.result.value(), interpreter); !problem.empty()) return problem;
  return run_after_another_owner(task, steps.value(), interpreter);
}

}  // namespace cox::tests
