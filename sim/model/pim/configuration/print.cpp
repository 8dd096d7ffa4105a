// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "coxswain/isa/pim/table.h"
#include "sim/model/pim/configuration/names.h"
#include "sim/model/pim/configuration/numbers.h"
#include "sim/model/pim/configuration/settings.h"

namespace cox::model::pim {
namespace {

using Ordered = nlohmann::ordered_json;

Ordered addressing(std::uint64_t offset, std::uint64_t size) { return {{"offset", offset}, {"size", size}}; }

Ordered memories(const isa::pim::Configuration &configuration) {
  Ordered list = Ordered::array();
  for (const isa::pim::Memory &memory : configuration.local_memories()) {
    list.push_back({{"name", memory.name()},
                    {"type", kMemoryTypes[static_cast<std::size_t>(memory.type)]},
                    {"addressing", addressing(memory.first, memory.bytes)},
                    {"read_width_byte", memory.read_width},
                    {"write_width_byte", memory.write_width}});
  }
  list.push_back({{"name", kDramName}, {"type", "dram"}, {"addressing", addressing(configuration.dram_first, configuration.dram_bytes)}});
  return list;
}

Ordered array(const isa::pim::Array &array) {
  Ordered sizes = Ordered::array();
  for (unsigned i = 0; i < array.group_sizes_count; ++i) sizes.push_back(array.group_sizes[i]);
  return {{"macro_total_cnt", array.macros},
          {"macro_group_size_configurable_values", sizes},
          {"macro_size",
           {{"compartment_cnt_per_macro", array.compartments},
            {"element_cnt_per_compartment", array.elements},
            {"row_cnt_per_element", array.rows},
            {"bit_width_per_row", array.bits}}},
          {"sram", {{"as_mode", kArrayOrders[static_cast<std::size_t>(array.order)]}}},
          {"address_space", {{"offset_byte", array.first}, {"size_byte", array.bytes()}}}};
}

Ordered bindings(const isa::pim::Configuration &configuration) {
  Ordered list = Ordered::array();
  for (unsigned special = 0; special < isa::pim::kRegisters; ++special) {
    if (configuration.bound[special] == isa::pim::kUnbound) continue;
    list.push_back({{"special", special}, {"general", configuration.bound[special]}});
  }
  return list;
}

Ordered simd(const isa::pim::SimdForms &forms) {
  Ordered list = Ordered::array();
  for (const isa::pim::SimdForm &form : forms) {
    Ordered row = {{"opcode", form.opcode}, {"input_cnt", form.inputs}};
    for (unsigned i = 0; i < form.inputs; ++i)
      row[fmt::format("input{}_type", i + 1)] = kSimdKinds[static_cast<std::size_t>(form.kinds[i])];
    list.push_back(row);
  }
  return {{"instruction_list", list}};
}

template <typename Owner, typename... Tables>
Ordered numbers(const Owner &owner, const Tables &...tables) {
  Ordered object;
  const auto add = [&object, &owner](const auto &table) {
    for (const auto &row : table) object[row.name] = owner.*(row.member);
  };
  (add(tables), ...);
  return object;
}

}  // namespace

std::string print_settings(const Settings &settings) {
  Ordered document;
  if (settings.cores) document["core_cnt"] = *settings.cores;
  document["local memory list"] = memories(settings.configuration);
  document["pim_unit_config"] = array(settings.configuration.array);
  document["special register binding"] = bindings(settings.configuration);
  document["simd_unit_config"] = simd(settings.configuration.simd);
  document["timing"] = numbers(settings.timing, kTimingNumbers, kLongTimingNumbers);
  document["energy"] = numbers(settings.energy, kEnergyNumbers);
  return document.dump(2) + "\n";
}

}  // namespace cox::model::pim
