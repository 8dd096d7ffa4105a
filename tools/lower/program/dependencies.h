// SPDX-License-Identifier: MIT
// Finds the tokens that a program needs.
#pragma once

#include "tools/lower/program/program.h"

namespace cox::lower {

/// Sets `previous` and `next` so that two instructions are ordered as in the program if one writes bytes that the other touches. Every
/// token is necessary: without it some such pair would have no order (docs/lowering.md, The plan).
void order(Program &program);

}  // namespace cox::lower
