// SPDX-License-Identifier: MIT
#include "coxswain/hal/pim/deadlock.h"

#include "coxswain/hal/mmio.h"
#include "coxswain/hal/soc.h"

namespace cox::hal::pim {

std::uint64_t read_waiting() { return mmio::read_counter(COX_NPU->PIM_WAITING_LO, COX_NPU->PIM_WAITING_HI); }

}  // namespace cox::hal::pim
