// SPDX-License-Identifier: MIT
// Random configurations, and random operations on random bytes.
#pragma once

#include "test_core.h"

namespace cox::test {

/// Four local memories, and an array of any shape, mostly with the lines of the default configuration.
Configuration random_configuration(Random &random);

// Each fills the core's memories with random bytes and returns an operation that resolve() might return. Masks, tables and blocks of
// parameters in the memories fit the operation.
isa::pim::Compute random_compute(Random &random, TestCore &core);
isa::pim::Output random_output(Random &random, TestCore &core);
isa::pim::Transfer random_transfer(Random &random, TestCore &core);
isa::pim::Simd random_simd(Random &random, TestCore &core);

}  // namespace cox::test
