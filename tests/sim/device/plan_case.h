// SPDX-License-Identifier: MIT
// A fault plan of one line, and the expected result of a stream that runs under this plan.
#pragma once

#include <fstream>
#include <string>

#include "coxswain/device/npu_registers.h"
#include "tests/sim/device/temporary_file.h"

namespace cox::test {

struct PlanCase {
  const char *line;
  registers::FaultCode status;  ///< status of the stream
  std::uint64_t end_or_detail;  ///< end of the stream, or the detail of its fault; 0 if the stream does not complete
};

/// A file with the plan's line and the option that names it.
class PlanFile {
 public:
  explicit PlanFile(const char *line) : file_("plan.txt") { std::ofstream(file_.path()) << line << '\n'; }
  [[nodiscard]] std::string options() const { return R"({"faults": ")" + file_.path() + "\"}"; }

 private:
  TemporaryFile file_;
};

}  // namespace cox::test
