// SPDX-License-Identifier: MIT
// Functions of the board that the C program calls.
#include "hal/board.h"

extern "C" {
std::uintptr_t application_dram_base();
std::size_t application_dram_size();
}

std::uintptr_t application_dram_base() { return cox::board::dram_base(); }
std::size_t application_dram_size() { return cox::board::dram_size(); }
