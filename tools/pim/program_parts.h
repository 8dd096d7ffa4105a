// SPDX-License-Identifier: MIT
// A PIM program in parts, before it is written as isa/pim/program.h describes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "coxswain/isa/pim/program.h"

namespace cox::tools::pim {

/// Words of machine code.
using Code = std::vector<std::uint32_t>;

struct ProgramParts {
  std::vector<Code> codes;
  std::vector<std::optional<std::size_t>> cores;  ///< index in `codes` for each core; nullopt: the core has no code
  std::vector<isa::pim::Setting> settings;
  std::vector<isa::pim::Copy> copies;
  std::uint64_t time_limit = 0;  ///< cycles; 0: none
};

/// Returns the program's bytes. Codes are in the order of their first cores, then settings and copies.
[[nodiscard]] std::vector<std::uint8_t> build_program(const ProgramParts &parts);

/// Takes a program apart. Codes are in the order of their first cores; cores share a code if they share its bytes in the program.
[[nodiscard]] ProgramParts parts_of(const isa::pim::Program &program);

}  // namespace cox::tools::pim
