// SPDX-License-Identifier: MIT
// Words of configuration files, and of options that name parts of a core.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace cox::model::pim {

// Parts of a core that are no local memories.
inline constexpr std::string_view kArrayName = "array", kDramName = "dram", kRegistersName = "registers";

// In the order of the enumerations of isa/pim/configuration.h.
inline constexpr std::array<std::string_view, 2> kArrayOrders{"intergroup", "intragroup"};
inline constexpr std::array<std::string_view, 3> kSimdKinds{"vector", "scalar", "block"};
inline constexpr std::array<std::string_view, 2> kMemoryTypes{"sram", "reg_buffer"};

/// Bytes a cycle of a memory whose width is not given.
inline constexpr std::uint32_t kDefaultWidth = 128;

}  // namespace cox::model::pim
