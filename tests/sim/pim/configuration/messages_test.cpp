// SPDX-License-Identifier: MIT
// The message for each mistake in a configuration file: what is wrong, where, and what would mend it.
#include <gtest/gtest.h>

#include "sim/model/pim/configuration/settings.h"

namespace cox::model::pim::messages_test {
namespace {

std::string message(const std::string &text) {
  std::string error;
  return parse_settings(text, "pim.json", error) ? "no error" : error;
}
std::string memory(const std::string &members) {
  return message(R"({"local memory list": [{"name": "a", "type": "sram", "addressing": {"offset": 1048576, "size": 64}}, {)" + members +
                 "}]}");
}
std::string array(const std::string &members) { return message(R"({"pim_unit_config": {)" + members + "}}"); }
std::string binding(const std::string &members) {
  return message(R"({"special register binding": [{"special": 0, "general": 1}, {)" + members + "}]}");
}
std::string simd(const std::string &members) { return message(R"({"simd_unit_config": {"instruction_list": [{)" + members + "}]}}"); }

TEST(PimSettingsMessages, Json) {
  EXPECT_EQ(message("{\n  \"core_cnt\": 4,\n}"), "pim.json:3:1: this is not JSON");
  EXPECT_EQ(message("{"), "pim.json:1:2: this is not JSON: it ends before its last value does");
  EXPECT_EQ(message("[]"), "pim.json: must be an object");
  EXPECT_EQ(message(R"({"core_cnt": 1e999})"), "pim.json: a number is too large for any key");
}

TEST(PimSettingsMessages, Keys) {
  EXPECT_EQ(message(R"({"local memory lst": []})"),
            "pim.json: local memory lst: there is no such key; did you mean \"local memory list\"?");
  EXPECT_EQ(message(R"({"cache": []})"), "pim.json: cache: there is no such key");
  EXPECT_EQ(message(R"({"cores": 1, "core_cnt": 1})"), "pim.json: cores: \"core_cnt\" says the same");
  EXPECT_EQ(message(R"({"cores": 65})"), "pim.json: cores: 65 is not a whole number from 1 to 64");
  EXPECT_EQ(message(R"({"cores": -1})"), "pim.json: cores: -1 is not a whole number from 1 to 64");
  EXPECT_EQ(message(R"({"cores": "x"})"), "pim.json: cores: \"x\" is not a whole number from 1 to 64");
  EXPECT_EQ(message(R"({"timing": {"dram_latenzy": 3}})"),
            "pim.json: timing: dram_latenzy: there is no such key; did you mean \"dram_latency\"?");
  EXPECT_EQ(message(R"({"timing": {"flit_bytes": 0}})"), "pim.json: timing: flit_bytes: 0 is not a whole number from 1 to 65536");
  EXPECT_EQ(message(R"({"energy": 3})"), "pim.json: energy: must be an object");
  EXPECT_EQ(message(R"({"local memory list": 3})"), "pim.json: local memory list: must be a list");
}

TEST(PimSettingsMessages, Memories) {
  const std::string addressing = R"(, "addressing": {"offset": 2097152, "size": 64})";
  EXPECT_EQ(memory(R"("type": "sram")" + addressing), "pim.json: local memory list[1]: name: missing");
  EXPECT_EQ(memory(R"("name": "b")" + addressing), "pim.json: local memory list[1] \"b\": type: missing");
  EXPECT_EQ(memory(R"("name": "b", "type": "sam")" + addressing),
            "pim.json: local memory list[1] \"b\": type: \"sam\" is not one of \"sram\", \"reg_buffer\", \"dram\"; did you mean \"sram\"?");
  EXPECT_EQ(memory(R"("name": "b", "type": "sram")"), "pim.json: local memory list[1] \"b\": addressing: missing");
  EXPECT_EQ(memory(R"("name": "b", "type": "sram", "addressing": {"offset": 3})"),
            "pim.json: local memory list[1] \"b\": addressing: size: missing");
  EXPECT_EQ(memory(R"("name": "b", "type": "sram", "addressing": {"offset": 3, "offset_byte": 3, "size": 3})"),
            "pim.json: local memory list[1] \"b\": addressing: offset_byte: \"offset\" says the same");
  EXPECT_EQ(memory(R"("name": "b", "type": "sram", "addressing": {"offset": 3, "size": 0})"),
            "pim.json: local memory list[1] \"b\": addressing: size: 0 is not a whole number from 1 to 4294967295");
  EXPECT_EQ(memory(R"("name": "b", "type": "sram", "addressing": {"offset": 4294967000, "size": 1000})"),
            "pim.json: local memory list[1] \"b\": addressing: 1000 bytes from 0xfffffed8 pass the end of the addresses, 0x100000000");
  EXPECT_EQ(memory(R"("name": "a", "type": "sram")" + addressing),
            "pim.json: local memory list[1] \"a\": name: is the name of another memory, too");
  EXPECT_EQ(memory(R"("name": "array", "type": "sram")" + addressing),
            "pim.json: local memory list[1] \"array\": name: is a name of another part of the core");
  EXPECT_EQ(memory(R"("name": "a@b", "type": "sram")" + addressing),
            "pim.json: local memory list[1] \"a@b\": name: must not have @, = or +");
  EXPECT_EQ(memory(R"("name": "", "type": "sram")" + addressing), "pim.json: local memory list[1] \"\": name: must have 1 to 31 bytes");
  EXPECT_EQ(memory(R"("name": "b", "type": "sram", "width_byte": 4, "read_width_byte": 4)" + addressing),
            "pim.json: local memory list[1] \"b\": width_byte: stands for read_width_byte and write_width_byte; leave it out or them");
  EXPECT_EQ(memory(R"("name": "b", "type": "sram", "width_byte": 0)" + addressing),
            "pim.json: local memory list[1] \"b\": width_byte: 0 is not a whole number from 1 to 65536");
  EXPECT_EQ(memory(R"("name": "b", "type": "dram", "width_byte": 4)" + addressing),
            "pim.json: local memory list[1] \"b\": a DRAM has no width here; timing has its bytes a cycle");
  EXPECT_EQ(memory(R"("name": "b", "type": "dram", "addressing": {"offset": 2097152, "size": 63})"),
            "pim.json: local memory list[1] \"b\": addressing: size 63 is not a multiple of 4, the number of windows");
}

TEST(PimSettingsMessages, Overlaps) {
  EXPECT_EQ(memory(R"("name": "b", "type": "sram", "addressing": {"offset": 1048639, "size": 64})"),
            "pim.json: local memory list[1] \"b\": addresses 0x10003f to 0x10007e overlap \"a\" (0x100000 to 0x10003f); 1048640 is free "
            "(0x100040)");
  EXPECT_EQ(memory(R"("name": "b", "type": "sram", "addressing": {"offset": 1048640, "size": 64})"), "no error");
  EXPECT_EQ(memory(R"("name": "b", "type": "sram", "addressing": {"offset": 1048575, "size": 1})"),
            "pim.json: local memory list[1] \"b\": addresses 0xfffff to 0xfffff overlap \"array\" (0x0 to 0xfffff); 1048640 is free "
            "(0x100040)");
  EXPECT_EQ(memory(R"("name": "b", "type": "sram", "addressing": {"offset": 4294967295, "size": 1})"),
            "pim.json: local memory list[1] \"b\": addresses 0xffffffff to 0xffffffff overlap \"dram\" (0x80000000 to 0xffffffff)");
  EXPECT_EQ(array(R"("macro_total_cnt": 512)"),
            "pim.json: pim_unit_config: addresses 0x0 to 0x1fffff overlap \"input\" (0x100000 to 0x13ffff); 7602176 is free (0x740000)");
}

TEST(PimSettingsMessages, Array) {
  EXPECT_EQ(
      array(R"("macro_total_cnt": 8)"),
      "pim.json: pim_unit_config: macro_group_size_configurable_values: groups of 16 macros do not divide 8 macros (macro_total_cnt)");
  EXPECT_EQ(array(R"("macro_group_size": 3)"),
            "pim.json: pim_unit_config: macro_group_size: groups of 3 macros do not divide 256 macros (macro_total_cnt)");
  EXPECT_EQ(array(R"("macro_group_size": 3, "macro_group_size_configurable_values": [3])"),
            "pim.json: pim_unit_config: macro_group_size: \"macro_group_size_configurable_values\" says the same");
  EXPECT_EQ(array(R"("macro_group_size_configurable_values": [])"),
            "pim.json: pim_unit_config: macro_group_size_configurable_values: must be a list of 1 to 8 sizes, the first being the one of "
            "addresses");
  EXPECT_EQ(array(R"("macro_group_size_configurable_values": [16, 16])"),
            "pim.json: pim_unit_config: macro_group_size_configurable_values: 16 is in the list twice");
  EXPECT_EQ(array(R"("macro_group_size_configurable_values": [16, 257])"),
            "pim.json: pim_unit_config: macro_group_size_configurable_values[1]: 257 is not a whole number from 1 to 256");
  EXPECT_EQ(array(R"("sram": {"as_mode": "intergrup"})"),
            "pim.json: pim_unit_config: sram: as_mode: \"intergrup\" is not one of \"intergroup\", \"intragroup\"; did you mean "
            "\"intergroup\"?");
  EXPECT_EQ(
      array(R"("address_space": {"offset_byte": 0, "size_byte": 1024})"),
      "pim.json: pim_unit_config: address_space: size_byte: 1024, but 256 macros of 32 compartments, 16 rows and 8 elements of 8 bits "
      "take 1048576");
  EXPECT_EQ(array(R"("macro_size": {"bit_width_per_row": 4})"),
            "pim.json: pim_unit_config: macro_size: bit_width_per_row: 4 is not a whole number from 8 to 8");
}

TEST(PimSettingsMessages, Bindings) {
  EXPECT_EQ(binding(R"("special": 9, "general": 2)"),
            "pim.json: special register binding[1]: special: there is no special register 9; there are 0 to 8 and 16 to 20");
  EXPECT_EQ(binding(R"("special": "group_sice", "general": 2)"),
            "pim.json: special register binding[1]: special: there is no special register \"group_sice\"; did you mean \"group_size\"?");
  EXPECT_EQ(binding(R"("special": 1, "general": 32)"),
            "pim.json: special register binding[1]: general: 32 is not a whole number from 0 to 31");
  EXPECT_EQ(binding(R"("special": 1)"), "pim.json: special register binding[1]: general: missing");
  EXPECT_EQ(binding(R"("general": 1)"), "pim.json: special register binding[1]: special: missing");
  EXPECT_EQ(binding(R"("special": 0, "general": 2)"), "pim.json: special register binding[1]: special: 0 is bound already");
  EXPECT_EQ(binding(R"("special": 1, "general": 1)"),
            "pim.json: special register binding[1]: general: register 1 is bound to special register 0 already");
}

TEST(PimSettingsMessages, Simd) {
  EXPECT_EQ(simd(R"("opcode": 7, "input_cnt": 2)"),
            "pim.json: simd_unit_config: instruction_list[0]: opcode: no operation has opcode 0x07");
  EXPECT_EQ(simd(R"("opcode": 3, "input_cnt": 1)"),
            "pim.json: simd_unit_config: instruction_list[0]: input_cnt: operation 0x03 has 2 or 3 or 4 inputs, not 1");
  EXPECT_EQ(simd(R"("opcode": 0, "input_cnt": 2, "input3_type": "vector")"),
            "pim.json: simd_unit_config: instruction_list[0]: input3_type: the operation has 2 inputs");
  EXPECT_EQ(simd(R"("opcode": 4, "input_cnt": 3, "input3_type": "vector")"),
            "pim.json: simd_unit_config: instruction_list[0]: input3_type: is a block of numbers, and stays one");
  EXPECT_EQ(simd(R"("opcode": 0, "input_cnt": 2, "input1_type": "block")"),
            "pim.json: simd_unit_config: instruction_list[0]: input1_type: must be \"vector\" or \"scalar\"");
}

}  // namespace
}  // namespace cox::model::pim::messages_test
