// SPDX-License-Identifier: MIT
#include "isa/instruction_set_code.h"
#include "isa/tile/table.h"

template class cox::isa::InstructionSet<cox::isa::tile::Traits>;
