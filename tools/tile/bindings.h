// SPDX-License-Identifier: MIT
// What stands beside a stream: windows, constants, tensors (docs/task-image.md, Bindings).
#pragma once

#include <optional>
#include <string>

#include "tools/tile/layout.h"
#include "tools/tile/task.h"

namespace cox::task {

/// A window that nobody describes may be as large as this.
inline constexpr std::uint64_t kLargestInferredWindow = std::uint64_t{256} << 20;

/// `digits.jsonl` -> `digits.bindings.json` in the same folder, where there is such a file.
[[nodiscard]] std::optional<std::string> bindings_beside(const std::string &stream_path);

/// Fills in name, windows, constants and tensors from a bindings file. Windows that the file does not describe are inferred as by
/// infer_windows. Throws tools::FileError.
void read_bindings(const std::string &path, Task &task, const Layout &layout);

/// For each window that is used and not yet described: as large as the addresses used, and as its constants and tensors; writable if
/// written. `file` is for messages. Throws tools::FileError where one would be larger than kLargestInferredWindow.
void infer_windows(const std::string &file, Task &task, const Layout &layout);

}  // namespace cox::task
