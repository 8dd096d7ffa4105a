// SPDX-License-Identifier: MIT
// A fault plan of one line, and what becomes of the stream that it is for.
#pragma once

#include <fstream>
#include <string>

#include "device/npu_registers.h"
#include "tests/sim/device/temporary_file.h"

namespace cox::test {

struct PlanCase {
  const char *line;
  registers::FaultCode status;  ///< of the stream
  std::uint64_t end_or_detail;  ///< its end where it has no fault; 0: it does not complete
};

/// The option that names a file with the line.
class PlanFile {
 public:
  explicit PlanFile(const char *line) : file_("plan.txt") { std::ofstream(file_.path()) << line << '\n'; }
  [[nodiscard]] std::string options() const { return R"({"faults": ")" + file_.path() + "\"}"; }

 private:
  TemporaryFile file_;
};

}  // namespace cox::test
