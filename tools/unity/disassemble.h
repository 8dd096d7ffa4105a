// SPDX-License-Identifier: MIT
// Prints containers as xDSA programs (docs/unity-assembly.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "coxswain/isa/unity/operand_table.h"
#include "coxswain/isa/unity/program.h"

namespace cox::tools::unity {

/// An operand table that lies in its container.
struct OwnTable {
  const isa::unity::Layout *layout = nullptr;
  std::uint32_t offset = 0;  ///< in the container
  isa::unity::AddressSpace space{};
  isa::unity::TableBits bits;
  bool extended = false;
};
/// The table of an instruction if it lies in its container as a whole, which only those of relative containers do that do not have a 16-bit
/// address space. Bits of fields may have any value.
[[nodiscard]] std::optional<OwnTable> own_table(const isa::unity::Container &container, const isa::unity::Stored &stored);

/// Text that assemble() turns into the same bytes.
[[nodiscard]] std::string disassemble(const isa::unity::Container &container);

}  // namespace cox::tools::unity
