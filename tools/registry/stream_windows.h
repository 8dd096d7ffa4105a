// SPDX-License-Identifier: MIT
// Proves that the instructions of a stream stay in their windows, as a load by the firmware does.
#pragma once

#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "firmware/stream/walk.h"
#include "tools/image/stream_image.h"

namespace cox::tools {

/// `code` and `state` have the addresses that `bindings` give. Returns the error of the first wrong instruction, with its number as index.
template <typename Set, typename State>
[[nodiscard]] Status check_stream_windows(std::span<const std::uint8_t> code, const StreamBindings &bindings, const State &state) {
  firmware::stream::CheckWindows windows{};
  for (std::size_t i = 0; i < bindings.starts.size(); ++i) {
    const Window &window = bindings.image.windows[i];
    windows[window.index] = {bindings.starts[i], window.size, true, window.writable};
  }
  firmware::stream::Walk<Set, State> walk;
  walk.begin(std::as_bytes(code), windows, state);
  while (!walk.done()) {
    firmware::load::Budget budget;
    if (Status status = walk.step(budget, [](std::uint32_t, typename Set::Fetched &) { return Status(); }); !status) return status;
  }
  return {};
}

}  // namespace cox::tools
