// SPDX-License-Identifier: MIT
// The bindings file beside a stream: windows, constants, tensors (docs/task-image.md, Bindings).
#pragma once

#include <string>

#include "tools/tile/layout.h"
#include "tools/tile/task.h"

namespace cox::task {

/// Limit of a window that the bindings do not describe, in bytes.
inline constexpr std::uint64_t kLargestInferredWindow = std::uint64_t{256} << 20;

/// Fills in name, windows, constants and tensors from a bindings file. infer_windows() adds the windows that the file does not describe.
/// Throws tools::FileError.
void read_bindings(const std::string &path, Task &task, const Layout &layout);

/// Adds each window that the instructions use and the task does not describe. The window is large enough for all addresses that are used
/// and for its constants and tensors. It is writable if the task writes it. `file` is for messages. Throws tools::FileError if a window
/// would be larger than kLargestInferredWindow.
void infer_windows(const std::string &file, Task &task, const Layout &layout);

}  // namespace cox::task
