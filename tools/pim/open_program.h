// SPDX-License-Identifier: MIT
// Opens the bytes of a PIM program, with a message for users.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "coxswain/isa/pim/program.h"

namespace cox::tools::pim {

/// Returns the program in `bytes`, which must outlive it. Throws FileError with the code of isa::pim::Program::open().
[[nodiscard]] isa::pim::Program open_program(std::span<const std::uint8_t> bytes, const std::string &file);

/// Returns a sentence about an error of isa::pim::Program::open() and of isa::pim::check() of a copy.
[[nodiscard]] std::string container_text(const Status &status);

}  // namespace cox::tools::pim
