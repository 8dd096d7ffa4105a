// SPDX-License-Identifier: MIT
// Random instructions with the loads of their registers.
#pragma once

#include "tests/sim/pim/reference/writer.h"

namespace cox::model::pim::oracle {

void write_compute(Writer &writer);  ///< pim-compute with or without pim-batch, and mostly a pim-output
void write_output(Writer &writer);
void write_transfer(Writer &writer);
void write_simd(Writer &writer);
void write_scalar(Writer &writer);
void write_load_or_store(Writer &writer);
void write_assignment(Writer &writer);
void write_trans(Writer &writer);
/// One of the above, now and then in a loop or behind a branch.
void write_action(Writer &writer);

}  // namespace cox::model::pim::oracle
