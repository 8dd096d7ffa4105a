// SPDX-License-Identifier: MIT
// The exit status of every subcommand of `cox` (docs/cox.md, Exit status).
#pragma once

namespace cox::tools {

enum class ExitCode : int {
  ok = 0,          ///< done; warnings may have been printed
  bad_task = 1,    ///< the task or the image is refused: verification, a hazard, a signature, or a warning under --strict
  usage = 2,       ///< unknown option, missing argument
  bad_input = 3,   ///< an input file is missing, cannot be read or does not parse
  failed = 4,      ///< the run failed: device fault, time limit, wrong size of a tensor, board not available
  bad_output = 5,  ///< an output file cannot be written
  internal = 70,   ///< a defect of cox itself
};

constexpr int exit_status(ExitCode code) { return static_cast<int>(code); }

inline constexpr const char *kExitCodesHelp =
    "Exit status: 0 done, 1 the task is bad, 2 usage, 3 an input file cannot be read or parsed, 4 the run failed,\n"
    "5 an output file cannot be written, 70 a defect of cox itself.";

}  // namespace cox::tools
