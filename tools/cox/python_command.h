// SPDX-License-Identifier: MIT
// Subcommands whose work the Python package does (docs/python.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace cox::tools {

inline constexpr unsigned kMostWorkers = 1024;  ///< items that an embedded cluster runs at a time

/// Runs `python3 -m MODULE OPTIONS` in place of this process, with the package `coxswain` of this build or installation. `options` gets the
/// members "cox" (path of this program) and "revision". Returns only by throwing Failure, if Python or the package is missing.
[[noreturn]] void run_python(const std::string &module, nlohmann::json options);

}  // namespace cox::tools
