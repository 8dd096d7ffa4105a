// SPDX-License-Identifier: MIT
// Files of the subcommands, with their errors as exit codes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/tile/task.h"

namespace cox::tools {

/// A task image, or a stream with its bindings. Throws Failure: bad_input.
[[nodiscard]] task::Task load_task_file(const std::string &path, const std::string &bindings = {});

/// The bytes of a file. Throws Failure: bad_input.
[[nodiscard]] std::vector<std::uint8_t> read_input(const std::string &path);

/// Throws Failure: bad_output.
void write_output(const std::string &path, std::span<const std::uint8_t> bytes);
void write_output(const std::string &path, std::string_view text);

}  // namespace cox::tools
