// SPDX-License-Identifier: MIT
// Banks of L0A, L0B and L0C: the two halves of each. A slot has those that it touches to itself (docs/model.md, The matrix unit).
#pragma once

#include <cstdint>

#include "isa/cube/operation.h"

namespace cox::model::cube {

/// A bit a bank.
using BankSet = std::uint8_t;

[[nodiscard]] BankSet banks_of(const isa::cube::Footprint &footprint);

}  // namespace cox::model::cube
