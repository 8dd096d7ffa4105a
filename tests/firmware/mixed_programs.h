// SPDX-License-Identifier: MIT
// A program of the Unity units that uses all five engines, each on the results of others.
#pragma once

#include "tests/firmware/stream_programs.h"

namespace cox::tests {

/// Windows: 0 inputs, 1 results in between, 2 outputs. The MX engine doubles blocks, the PIM cores multiply a vector by a matrix, the
/// matrix unit multiplies both results, a tile core moves the product, and a unit adds it to itself.
[[nodiscard]] TaskText mixed_program();
[[nodiscard]] WindowContents mixed_contents(unsigned seed);

/// Stores the block of L2 that mixed_program() loads, to window 2.
[[nodiscard]] TaskText leftovers_program();
/// Window 2 after leftovers_program(): what the mixed program with `seed` left.
[[nodiscard]] WindowContents leftovers(unsigned seed);
/// The same with zeros.
[[nodiscard]] WindowContents no_leftovers();

}  // namespace cox::tests
