// SPDX-License-Identifier: MIT
#include "isa/cube/operation.h"

namespace cox::isa::cube {

void Configuration::apply(const Operation &operation) {
  if (const auto *map = std::get_if<Im2col>(&operation)) im2col = *map;
  if (const auto *set = std::get_if<OutputConfiguration>(&operation)) output = *set;
}

Result<Operation> resolve(const MachineCode & /*code*/, const Configuration & /*configuration*/) {
  return Status(ErrorCode::unsupported, "instruction");
}

}  // namespace cox::isa::cube
