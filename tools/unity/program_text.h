// SPDX-License-Identifier: MIT
// Containers, places in them and errors as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "coxswain/base/status.h"
#include "coxswain/device/waiting_unit.h"
#include "coxswain/isa/unity/program.h"

namespace cox::tools::unity {

/// An error of isa::unity::Container::open().
[[nodiscard]] std::string container_text(const Status &status);
/// Opens a container. `file` is for messages; it may be empty. Throws FileError.
[[nodiscard]] isa::unity::Container open_container(std::span<const std::uint8_t> bytes, const std::string &file);

/// For example `unit 1, program 0, instruction 3 (ADD)`. A unit has no part in the place of an instruction of a sub-program unless
/// `position`, a packed isa::unity::Position, is that of a run.
[[nodiscard]] std::string place_text(std::span<const std::byte> container, std::uint32_t position);
/// Says that `units` units wait for ever.
[[nodiscard]] std::string deadlock_text(std::size_t units);
/// For each unit, a line break, its place, the entry that it waits for, and the keys that the entry holds and that it wants.
[[nodiscard]] std::string waiting_text(std::span<const std::byte> container, std::span<const registers::WaitingUnit> units);
/// An error of an instruction: what is wrong, and with which field.
[[nodiscard]] std::string refusal_text(const Status &status);
/// Finding::instructions and messages count instructions through all programs, then through the sub-programs. -1: the position has none.
[[nodiscard]] std::int32_t instruction_number(const isa::unity::Container &container, std::uint32_t position);
}  // namespace cox::tools::unity
