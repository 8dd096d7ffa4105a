// SPDX-License-Identifier: MIT
// Tests that the registry has one program format for each engine of the product (home `layers` in device/engines.h), and that each format
// does what shared code expects.
#include "tools/registry/registry.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tools/registry/job_program.h"

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

TEST(Registry, EachEngineHasLanesAndNamesForItsInstructions) {
  for (const ProgramFormat *format : program_formats()) {
    bool any = false;
    for (unsigned opcode = 0; opcode < 256; ++opcode) any = any || format->drawn(static_cast<std::uint8_t>(opcode)).has_value();
    EXPECT_TRUE(any) << format->key();
    EXPECT_FALSE(format->lanes().empty()) << format->key();
    EXPECT_FALSE(format->drawn(0xFF).has_value()) << format->key();
  }
}

/// A format that has a name and does nothing.
class NamedFormat final : public ProgramFormat {
 public:
  NamedFormat(std::string_view ending, bool is_task) : ProgramFormat(registers::core_engine().id), ending_(ending), is_task_(is_task) {}

  std::string_view text_ending() const override { return ending_; }
  std::string_view binary_ending() const override { return ending_; }
  std::string text_name() const override { return ""; }
  std::string binary_name() const override { return ""; }
  bool is_text(std::string_view) const override { return false; }
  bool is_binary(std::span<const std::uint8_t>) const override { return false; }
  std::vector<std::uint8_t> assemble_text(std::string_view, const std::string &) const override { return {}; }
  std::string print(std::span<const std::uint8_t>, const std::string &) const override { return ""; }
  bool is_task() const override { return is_task_; }
  void assemble(const std::string &, const std::string &, const model::Options &, const std::string &) const override {}
  void disassemble(const std::string &, const std::string &) const override {}
  Verdict check(const std::string &, const model::Options &, bool, const Print &) const override { return {}; }
  std::string page(const std::string &) const override { return ""; }

 private:
  std::string_view ending_;
  bool is_task_;
};

TEST(Registry, TheEndingOfAJobsFileChoosesAmongFormatsThatRunAsJobs) {
  const NamedFormat stream(".s", false), first(".a", true), second(".b", true);
  const ProgramFormat *const formats[] = {&stream, &first, &second};
  EXPECT_EQ(&job_format(formats, "x.a"), &first);
  EXPECT_EQ(&job_format(formats, "x.b"), &second);
  EXPECT_EQ(&job_format(formats, "x.s"), &first);
  EXPECT_EQ(&job_format(formats, "x"), &first);
}

}  // namespace
}  // namespace cox::tools
