// SPDX-License-Identifier: MIT
#include "hal/pim/configuration.h"

#include "device/npu.h"
#include "device/npu_registers.h"
#include "hal/mmio.h"
#include "isa/pim/description.h"

namespace cox::hal::pim {

Status read_configuration(isa::pim::Configuration &configuration) {
  isa::pim::Description words{};
  for (std::uint32_t i = 0; i < words.size(); ++i) {
    mmio::write(NPU->PIM_CONFIGURATION_INDEX, registers::pim_configuration_index::kWord.put(i));
    words[i] = mmio::read(NPU->PIM_CONFIGURATION_WORD);
  }
  return isa::pim::read_description(words, configuration);
}

}  // namespace cox::hal::pim
