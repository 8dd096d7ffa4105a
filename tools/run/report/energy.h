// SPDX-License-Identifier: MIT
// Reads the file that the model writes for its option `energy` (docs/model.md, Options).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace cox::tools::run {

/// Returns the energy of all engines in the file, in femtojoules; empty if no engine that counts energy has run a program. Throws
/// Failure(failed) if the file cannot be read.
[[nodiscard]] std::optional<std::uint64_t> energy_of_file(const std::string &path);

}  // namespace cox::tools::run
