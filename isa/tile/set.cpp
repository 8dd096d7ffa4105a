// SPDX-License-Identifier: MIT
#include "coxswain/isa/instruction_set_code.h"
#include "coxswain/isa/tile/table.h"

template class cox::isa::InstructionSet<cox::isa::tile::Traits>;
