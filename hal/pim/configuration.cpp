// SPDX-License-Identifier: MIT
#include "coxswain/hal/pim/configuration.h"

#include "coxswain/device/npu_registers.h"
#include "coxswain/hal/mmio.h"
#include "coxswain/hal/soc.h"
#include "coxswain/isa/pim/description.h"

namespace cox::hal::pim {

Status read_configuration(isa::pim::Configuration &configuration) {
  isa::pim::Description words{};
  for (std::uint32_t i = 0; i < words.size(); ++i) {
    mmio::write(COX_NPU->PIM_CONFIGURATION_INDEX, registers::pim_configuration_index::kWord.put(i));
    words[i] = mmio::read(COX_NPU->PIM_CONFIGURATION_WORD);
  }
  return isa::pim::read_description(words, configuration);
}

}  // namespace cox::hal::pim
