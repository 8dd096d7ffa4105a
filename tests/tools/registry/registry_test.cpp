// SPDX-License-Identifier: MIT
// The registry of program formats: one entry per engine of the product, and what shared code expects of each.
#include "tools/registry/registry.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tools/mx/assemble.h"
#include "tools/mx/check_stream.h"

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

TEST(MxCheckStream, CountsInstructionsAndFindsNothingInAGoodStream) {
  const std::vector<std::uint8_t> stream = mx::assemble("SIGMOID Length1=1 InOffset=0 Length2=0 OutOffset=18\n", "test");
  EXPECT_TRUE(mx::check_stream(stream).errors.empty());
  EXPECT_EQ(mx::count_instructions(stream), 1U);
}

TEST(MxCheckStream, NamesTheFirstInstructionThatIsRefused) {
  std::vector<std::uint8_t> stream = mx::assemble("SIGMOID Length1=1 InOffset=0 Length2=0 OutOffset=18\n", "test");
  const std::size_t good = stream.size();
  stream.insert(stream.end(), stream.begin(), stream.begin() + static_cast<std::ptrdiff_t>(good));
  stream[good + 8] |= 1;  // reserved: OutOffset of SIGMOID starts at bit 8 of its second block
  Report report = mx::check_stream(stream);
  ASSERT_EQ(report.errors.size(), 1U);
  EXPECT_EQ(report.errors[0].kind, "reserved_bits");
  EXPECT_EQ(report.errors[0].instructions, std::vector<std::int32_t>{1});
  EXPECT_NE(report.errors[0].message.find("instruction 1 (byte " + std::to_string(good) + "): reserved_bits: SIGMOID"), std::string::npos)
      << report.errors[0].message;

  stream.resize(good + 4);
  report = mx::check_stream(stream);
  ASSERT_EQ(report.errors.size(), 1U);
  EXPECT_EQ(report.errors[0].kind, "stream_truncated");
  EXPECT_EQ(mx::check_stream({}).errors.size(), 1U);
}

}  // namespace
}  // namespace cox::tools
