// SPDX-License-Identifier: MIT
// Banks of L0A, L0B and L0C. Each half of these buffers is a bank. While a slot runs, no other slot uses the banks that it touches
// (docs/model.md, The matrix unit).
#pragma once

#include <cstdint>

#include "coxswain/isa/cube/operation.h"

namespace cox::model::cube {

/// A set of banks, one bit each.
using BankSet = std::uint8_t;

[[nodiscard]] BankSet banks_of(const isa::cube::Footprint &footprint);

}  // namespace cox::model::cube
