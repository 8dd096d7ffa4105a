// SPDX-License-Identifier: MIT
// Which tokens a program needs.
#pragma once

#include "tools/lower/program/program.h"

namespace cox::lower {

/// Sets `previous` and `next` so that any two instructions of which one writes what the other touches are ordered as they stand in
/// the program, and so that each token is needed: without it some such pair would have no order (docs/lowering.md, The plan).
void order(Program &program);

}  // namespace cox::lower
