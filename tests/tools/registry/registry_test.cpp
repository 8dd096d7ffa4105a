// SPDX-License-Identifier: MIT
// The registry of program formats: one entry per engine of the product, and what shared code expects of each.
#include "tools/registry/registry.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace cox::tools {
namespace {

TEST(Registry, HasTheEnginesOfTheProductInTheOrderOfTheTable) {
  std::vector<registers::Engine> expected, found;
  for (const registers::EngineRow &row : registers::kEngineRows) {
    if (row.home == registers::Home::layers) expected.push_back(row.id);
  }
  for (const ProgramFormat *format : program_formats()) found.push_back(format->engine().id);
  EXPECT_EQ(found, expected);
}

TEST(Registry, EndingsTellFormatsApart) {
  std::set<std::string_view> endings;
  for (const ProgramFormat *format : program_formats()) {
    EXPECT_TRUE(endings.insert(format->text_ending()).second) << format->key();
    EXPECT_TRUE(endings.insert(format->binary_ending()).second) << format->key();
  }
}

TEST(Registry, AnEngineWithARingHasLanesAndNamesForItsInstructions) {
  for (const ProgramFormat *format : program_formats()) {
    bool any = false;
    for (unsigned opcode = 0; opcode < 256; ++opcode) any = any || format->drawn(static_cast<std::uint8_t>(opcode)).has_value();
    EXPECT_EQ(any, format->engine().has_ring()) << format->key();
    EXPECT_EQ(!format->lanes().empty(), format->engine().has_ring()) << format->key();
    EXPECT_FALSE(format->drawn(0xFF).has_value()) << format->key();
  }
}

}  // namespace
}  // namespace cox::tools
