// SPDX-License-Identifier: MIT
// What `cox doctor` finds out about this installation (docs/install.md).
#pragma once

#include <string>
#include <vector>

namespace cox::tools::run {

/// One part of an installation, and whether it is there and fits.
struct Finding {
  enum class State {
    good,
    absent,   ///< a part that cox can do without is not there
    missing,  ///< the part is not there, and the board that it belongs to does not run under QEMU
    wrong,    ///< the part is there, but does not fit this cox
  };

  std::string part;  ///< such as `QEMU`
  State state = State::good;
  bool needed = false;  ///< the default board needs it
  std::string detail;   ///< the path and the version of the part, or what is wrong with it
  std::string mend;     ///< how to get it; empty if it is good
};

/// Looks at QEMU and its machines, the accelerator model, the images and files of each board, the Python package and the completion of
/// bash. Runs QEMU and Python, each for at most 20 s.
[[nodiscard]] std::vector<Finding> diagnose();

}  // namespace cox::tools::run
