// SPDX-License-Identifier: MIT
// Tests that the check names the first instruction whose bits the engine would refuse.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tools/mx/text.h"

namespace cox::tools::mx {
namespace {

TEST(CheckStream, CountsInstructionsAndFindsNothingInAGoodStream) {
  const std::vector<std::uint8_t> stream = Text::assemble("SIGMOID Length1=1 InOffset=0 Length2=0 OutOffset=18\n", "test");
  EXPECT_TRUE(Text::check(stream).errors.empty());
  EXPECT_EQ(Text::count(stream), 1U);
}

TEST(CheckStream, NamesTheFirstInstructionThatIsRefused) {
  std::vector<std::uint8_t> stream = Text::assemble("SIGMOID Length1=1 InOffset=0 Length2=0 OutOffset=18\n", "test");
  const std::size_t good = stream.size();
  stream.insert(stream.end(), stream.begin(), stream.begin() + static_cast<std::ptrdiff_t>(good));
  stream[good + 8] |= 1;  // reserved: OutOffset of SIGMOID starts at bit 8 of its second block
  Report report = Text::check(stream);
  ASSERT_EQ(report.errors.size(), 1U);
  EXPECT_EQ(report.errors[0].kind, "reserved_bits");
  EXPECT_EQ(report.errors[0].instructions, std::vector<std::int32_t>{1});
  EXPECT_NE(report.errors[0].message.find("instruction 1 (byte " + std::to_string(good) + "): reserved_bits: SIGMOID"), std::string::npos)
      << report.errors[0].message;

  stream.resize(good + 4);
  report = Text::check(stream);
  ASSERT_EQ(report.errors.size(), 1U);
  EXPECT_EQ(report.errors[0].kind, "stream_truncated");
  EXPECT_EQ(Text::check({}).errors.size(), 1U);
}

}  // namespace
}  // namespace cox::tools::mx
