// SPDX-License-Identifier: MIT
#include "tools/pim/explain.h"

#include <string_view>

#include "tools/pim/check_program.h"
#include "tools/pim/model_run.h"
#include "tools/pim/outcome_text.h"

namespace cox::tools::pim {
namespace {

bool is_same(const Status &reported, const model::pim::Outcome &outcome) {
  if (reported.code() == ErrorCode::deadlock)
    return outcome.status.code() == ErrorCode::deadlock && static_cast<std::uint64_t>(reported.value()) == outcome.waiting;
  return outcome.status.code() != ErrorCode::deadlock && static_cast<std::uint32_t>(reported.index()) == outcome.position.pack();
}

}  // namespace

void fill_windows(WindowMemory &memory, const StreamImage &image, const RunContents &contents) {
  for (const Window &window : image.windows) memory.add_window(window.index, window.size, window.writable);
  for (const Constant &constant : image.constants) memory.fill(constant.window, constant.offset, std::as_bytes(std::span(constant.data)));
  for (const auto &[window, bytes] : contents.windows) memory.fill(window, 0, std::as_bytes(bytes));
  for (const auto &[number, bytes] : contents.inputs) {
    const Tensor &tensor = image.tensors.at(number);
    memory.fill(tensor.window, tensor.offset, std::as_bytes(bytes));
  }
}

std::string explain(const isa::pim::Program &program, const StreamImage &image, const model::pim::Settings &settings, const Status &status,
                    const RunContents &contents) {
  const std::string_view what = status.what();
  const bool of_program = what == "setting" || what == "copy" || what == "load" || what == "store";
  const bool known = status.code() == ErrorCode::deadlock || (status.code() == ErrorCode::device_fault && status.index() >= 0);
  if (!known || of_program) return "";
  ModelRun run(program, settings, settings.cores.value_or(model::pim::kDefaultCores));
  fill_windows(run.memory(), image, contents);
  if (!run.run(kMostCheckedCycles) || !is_same(status, run.machine().outcome())) return "";
  return outcome_text(program, run.machine());
}

}  // namespace cox::tools::pim
