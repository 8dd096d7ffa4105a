// SPDX-License-Identifier: MIT
#include "tools/pim/model_run.h"

#include <algorithm>

#include "tools/pim/run_requests.h"

namespace cox::tools::pim {

ModelRun::ModelRun(const isa::pim::Program &program, const model::pim::Settings &settings, unsigned cores)
    : program_(program), machine_(settings.configuration, settings.timing, settings.energy, cores, model::pim::Path::fast) {}

void ModelRun::add_windows(const std::vector<Window> &windows, const std::vector<Constant> &constants) {
  if (windows.empty()) {
    for (unsigned window = 0; window < isa::pim::kWindows; ++window) memory_.add_window(window, kBareWindowBytes, true);
  }
  for (const Window &window : windows) memory_.add_window(window.index, window.size, window.writable);
  for (const Constant &constant : constants) memory_.fill(constant.window, constant.offset, std::as_bytes(std::span(constant.data)));
}

bool ModelRun::run(std::uint64_t most_cycles) {
  machine_.start(program_, memory_, 0);
  constexpr std::uint64_t kStep = 10'000;
  while (!machine_.done()) {
    const std::uint64_t next = machine_.next_event();
    if (next > most_cycles) break;
    machine_.step(std::min(next + kStep, most_cycles));
  }
  return machine_.done();
}

}  // namespace cox::tools::pim
