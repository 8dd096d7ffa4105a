// SPDX-License-Identifier: MIT
// Configuration files: what each key sets, in each spelling, and that printed settings are read again.
#include "sim/model/pim/configuration/settings.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace cox::model::pim::settings_test {
namespace {

using isa::pim::Configuration;

Settings read(const std::string &text) {
  std::string error;
  const auto settings = parse_settings(text, "pim.json", error);
  EXPECT_TRUE(settings) << error;
  return settings.value_or(Settings());
}

TEST(PimSettings, TheDefaultIsTheDefaultConfiguration) {
  EXPECT_EQ(print_settings(read("{}")), print_settings(Settings()));
  EXPECT_TRUE(isa::pim::check(read("{}").configuration).ok());
}

TEST(PimSettings, PrintedSettingsAreReadAgain) {
  Settings settings;
  settings.cores = 7;
  settings.configuration.bound[7] = 30;
  settings.configuration.bound[20] = 1;
  settings.configuration.array.order = isa::pim::ArrayOrder::inside_group;
  settings.configuration.memories[2].read_width = 32;
  settings.configuration.simd[1].kinds = {isa::pim::SimdKind::scalar, isa::pim::SimdKind::scalar};
  settings.timing.dram_latency = 99;
  settings.timing.time_limit = 12345;
  settings.energy.mac_bit = 3;
  const std::string text = print_settings(settings);
  EXPECT_EQ(print_settings(read(text)), text);
  EXPECT_NE(text, print_settings(Settings()));
}

/// Every number of timing and energy keeps its own value.
TEST(PimSettings, EachNumberHasItsOwnMember) {
  auto document = nlohmann::ordered_json::parse(print_settings(Settings()));
  std::uint64_t next = 20;
  for (const char *part : {"timing", "energy"}) {
    for (auto &[key, value] : document[part].items()) value = next++;
  }
  const std::string text = document.dump(2) + "\n";
  EXPECT_EQ(print_settings(read(text)), text);
}

TEST(PimSettings, TheSpecificationsKeys) {
  const Configuration configuration = read(R"({
      // as in the specification
      "local memory list": [
        {"name": "local mem", "type": "sram", "addressing": {"offset": 4096, "size": 1024}}
      ],
      "pim_unit_config": {"macro_total_cnt": 1, "macro_group_size": 1,
                          "macro_size": {"row_cnt_per_element": 4}, "address_space": {"offset_byte": 0, "size_byte": 1024}},
      "special register binding": [{"special": 7, "general": 30}]
    })")
                                          .configuration;
  ASSERT_EQ(configuration.memories_count, 1U);
  EXPECT_EQ(configuration.memories[0].name(), "local mem");
  EXPECT_EQ(configuration.bound[7], 30);
}

TEST(PimSettings, MemoriesAndDram) {
  const Configuration configuration = read(R"({"local_memory_list": [
      {"name": "a", "type": "reg_buffer", "addressing": {"offset_byte": 1048576, "size_byte": 1}, "width_byte": 8},
      {"name": "d", "type": "dram", "addressing": {"offset": 16777216, "size": 64}},
      {"name": "b", "type": "sram", "addressing": {"offset": 1048577, "size": 2}, "read_width_byte": 4, "write_width_byte": 2}]})")
                                          .configuration;
  ASSERT_EQ(configuration.memories_count, 2U);
  EXPECT_EQ(configuration.memories[0].name(), "a");
  EXPECT_EQ(configuration.memories[0].type, isa::pim::MemoryType::reg_buffer);
  EXPECT_EQ(configuration.memories[0].first, 1048576U);
  EXPECT_EQ(configuration.memories[0].bytes, 1U);
  EXPECT_EQ(configuration.memories[0].read_width, 8U);
  EXPECT_EQ(configuration.memories[0].write_width, 8U);
  EXPECT_EQ(configuration.memories[1].type, isa::pim::MemoryType::sram);
  EXPECT_EQ(configuration.memories[1].read_width, 4U);
  EXPECT_EQ(configuration.memories[1].write_width, 2U);
  EXPECT_EQ(configuration.dram_first, 16777216U);
  EXPECT_EQ(configuration.dram_bytes, 64U);
  EXPECT_EQ(
      read(R"({"local memory list": [{"name": "d", "type": "dram", "addressing": {"offset": 0, "size": 0}}]})").configuration.dram_bytes,
      0U);
}

TEST(PimSettings, Array) {
  const Settings settings = read(R"({"core_cnt": 4, "pim_unit_config": {
      "macro_total_cnt": 24, "macro_group_size_configurable_values": [4, 8],
      "macro_size": {"compartment_cnt_per_macro": 16, "element_cnt_per_compartment": 4, "row_cnt_per_element": 2, "bit_width_per_row": 8},
      "sram": {"as_mode": "intragroup"}, "address_space": {"offset": 64, "size": 3072}}})");
  const isa::pim::Array &array = settings.configuration.array;
  EXPECT_EQ(settings.cores, 4U);
  EXPECT_EQ(array.macros, 24U);
  EXPECT_EQ(array.group_sizes_count, 2U);
  EXPECT_EQ(array.group_sizes[0], 4U);
  EXPECT_EQ(array.group_sizes[1], 8U);
  EXPECT_EQ(array.compartments, 16U);
  EXPECT_EQ(array.elements, 4U);
  EXPECT_EQ(array.rows, 2U);
  EXPECT_EQ(array.order, isa::pim::ArrayOrder::inside_group);
  EXPECT_EQ(array.first, 64U);
}

TEST(PimSettings, BindingsAndSimd) {
  const Configuration configuration = read(R"({"_comment": "ignored",
      "special_register_binding": [{"special": "value_sparse_mask", "general": 30}, {"special": 20, "general": 0}],
      "simd_unit_config": {"instruction_list": [{"opcode": 0, "input_cnt": 2, "input2_type": "scalar"}]}})")
                                          .configuration;
  EXPECT_EQ(configuration.bound[7], 30);
  EXPECT_EQ(configuration.bound[20], 0);
  EXPECT_EQ(configuration.bound[0], isa::pim::kUnbound);
  EXPECT_EQ(configuration.simd[0].kinds[0], isa::pim::SimdKind::vector);
  EXPECT_EQ(configuration.simd[0].kinds[1], isa::pim::SimdKind::scalar);
}

/// The first JSON block of docs/pim.md is a configuration file.
TEST(PimSettings, TheExampleOfThePage) {
  std::ifstream file(COX_SOURCE_DIR "/docs/pim.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::size_t begin = page.find("```json\n");
  ASSERT_NE(begin, std::string::npos);
  const Settings settings = read(page.substr(begin + 8, page.find("```", begin + 8) - begin - 8));
  EXPECT_EQ(settings.cores, 4U);
  EXPECT_EQ(settings.configuration.memories_count, 2U);
  EXPECT_EQ(settings.configuration.array.macros, 64U);
  EXPECT_EQ(settings.configuration.bound[7], 30);
}

}  // namespace
}  // namespace cox::model::pim::settings_test
