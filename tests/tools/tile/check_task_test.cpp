// SPDX-License-Identifier: MIT
// Tests the findings of `cox check`. Each names the instruction, the reason, and how to mend it.
#include "tools/check/check_task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "tests/tools/tile/small_stream.h"
#include "tools/tile/bindings.h"
#include "tools/tile/image.h"
#include "tools/tile/stream.h"

namespace cox::tools {
namespace {

using testing::HasSubstr;

task::Task small_task(const std::string &from = {}, const std::string &to = {}) {
  std::string stream = task::test::kSmallStream;
  if (!from.empty()) stream.replace(stream.find(from), from.size(), to);
  task::Task task;
  task.instructions = task::read_stream(stream, "small");
  task::infer_windows("small", task, task::layout_of(task.instructions));
  return task;
}

Finding only_error(const task::Task &task) {
  const Report report = check_task(task);
  EXPECT_EQ(report.errors.size(), 1U) << report_text(report, task, "small");
  return report.errors.empty() ? Finding{} : report.errors.front();
}

TEST(CheckTask, AGoodOne) {
  const task::Task task = small_task();
  const Report report = check_task(task);
  EXPECT_TRUE(report.errors.empty());
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_EQ(report_text(report, task, "small.cxt"), "small.cxt: 7 instructions: 0 errors, 0 warnings\n");
}

TEST(CheckTask, ADeviceThatIsTooSmall) {
  task::Task task = small_task();
  task.geometry.l2_bytes = 8U << 20;
  model::TileGeometry device;
  device.l2_mib = 4;
  const Report l2 = check_task(task, device);
  ASSERT_FALSE(l2.errors.empty());
  EXPECT_EQ(l2.errors[0].message, "image_geometry: l2_bytes: 8388608, the limit is 4194304");
  EXPECT_THAT(l2.errors[0].mend, HasSubstr("geometry.l2_mib"));
  task.geometry = {};
  task.geometry.wl0_bytes = 101 * 64;
  device = {};
  device.wl0_units = 100;
  const Report wl0 = check_task(task, device);
  ASSERT_EQ(wl0.errors.size(), 1U);
  EXPECT_EQ(wl0.errors[0].message, "image_geometry: wl0_bytes: 6464, the limit is 6400");
  device.wl0_units = 101;
  EXPECT_TRUE(check_task(task, device).errors.empty());
}

TEST(CheckTask, ACutBehindTheEndOfTheDevicesL2) {
  model::TileGeometry device;
  device.l2_mib = 4;
  for (const auto &[cut, fits] : {std::pair{"[1, 4095, 0", true}, {"[1, 4096, 0", false}}) {
    task::Task task = small_task("[0, 8191, 0", cut);
    task.geometry = {};
    const Report report = check_task(task, device);
    const auto refuses = [](const Finding &finding) { return finding.message.find("bad_buffer_cut") != std::string::npos; };
    EXPECT_EQ(std::none_of(report.errors.begin(), report.errors.end(), refuses), fits) << report_text(report, task, "small");
  }
}

TEST(CheckTask, AReadOfWhatNothingHasWritten) {
  // The load writes L2 bytes 64 to 95. The store reads from byte 56 on.
  const task::Task task = small_task(R"("STaddr": 64)", R"("STaddr": 56)");
  const Report report = check_task(task);
  EXPECT_TRUE(report.errors.empty());
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_EQ(report.warnings[0].kind, "unwritten");
  EXPECT_EQ(report.warnings[0].instructions, std::vector<std::int32_t>{5});
  EXPECT_EQ(report.warnings[0].message,
            "instruction 5 (line 6, sta_mov): reads 8 bytes of L2, from 56 to 63, that nothing in the task writes before it");
}

TEST(CheckTask, AnAddressOutsideOfItsWindow) {
  task::Task task = small_task();
  task.windows[1].size = 159;
  const Finding finding = only_error(task);
  EXPECT_EQ(finding.kind, "address_outside_window");
  EXPECT_EQ(finding.instructions, std::vector<std::int32_t>{5});
  EXPECT_THAT(finding.message, HasSubstr("instruction 5 (line 6, sta_mov): address_outside_window: DTaddr: 160, the limit is 159"));
  EXPECT_THAT(finding.mend, HasSubstr("make the window larger"));
}

TEST(CheckTask, AMissingConfiguration) {
  task::Task task = small_task();
  task.instructions.erase(task.instructions.begin() + 2);
  const Finding finding = only_error(task);
  EXPECT_EQ(finding.kind, "missing_configuration");
  EXPECT_EQ(finding.mend, "put a lda_cfg before it");
}

TEST(CheckTask, AHazardAndBothBitsThatMendIt) {
  task::Task task = small_task(R"("Next_Insts": ["ST"])", R"("Next_Insts": [])");
  isa::insert_bits(task.instructions[5].code, isa::tile::kPreviousBit, isa::tile::kClasses, 0);
  const Report report = check_task(task);
  ASSERT_FALSE(report.errors.empty());
  EXPECT_TRUE(report.mending_bits.empty());
  const Finding &finding = report.errors.back();
  EXPECT_EQ(finding.kind, "hazard");
  EXPECT_EQ(finding.instructions, (std::vector<std::int32_t>{5, 3}));
  EXPECT_THAT(finding.message,
              HasSubstr("read after write: instruction 5 (line 6, sta_mov) reads bytes 64 to 95 of L2, which instruction 3 "
                        "(line 4, lda_mov) writes, and nothing orders them"));
}

TEST(CheckTask, ARegionUsedBeforeItIsDefinedIsSaidOfItsFirstUser) {
  task::Task task = small_task(R"("Next_Insts": ["LD"])", R"("Next_Insts": [])");
  isa::insert_bits(task.instructions[3].code, isa::tile::kPreviousBit, isa::tile::kClasses, 0);
  const Report report = check_task(task);
  ASSERT_EQ(report.errors.size(), 1U) << report_text(report, task, "small");
  EXPECT_EQ(report.errors[0].kind, "hazard");
  EXPECT_THAT(report.errors[0].message,
              HasSubstr("instruction 3 (line 4, lda_mov) uses L2 region 0, which instruction 1 (line 2, ct_bc) defines"));
  EXPECT_THAT(report.errors[0].mend, HasSubstr("add 'LD' to Next_Insts of instruction 1"));
  // The store uses region 0 too, after the load. Its hazard has the same cause: nothing orders the ct_bc before the load.
  EXPECT_EQ(report.errors[0].following, std::vector<std::int32_t>{5});
  EXPECT_THAT(report_text(report, task, "small"), HasSubstr("  1 later instruction follows from it: 5\n  mend: add"));
}

// The load waits for a cut that comes after it in the program. The analysis accepts this order and finds no hazard. But the verifier takes
// the cuts in program order, so it refuses the task.
TEST(CheckTask, WhatOnlyTheVerifierFindsAboutTokensIsSaid) {
  std::string lines = task::test::kSmallStream;
  const std::size_t cut = lines.find(R"(["ct_bc")");
  const std::size_t configuration = lines.find(R"(["lda_cfg")");
  std::string later = lines.substr(cut, configuration - cut);
  later.replace(later.find("[0, 8191"), 8, "[8191, 8190");
  lines.replace(lines.find(R"("Next_Insts": ["LD"])"), 20, R"("Next_Insts": [])");
  lines.insert(lines.find(R"(["sta_cfg")"), later);
  task::Task task;
  task.instructions = task::read_stream(lines, "small");
  task::infer_windows("small", task, task::layout_of(task.instructions));
  const Finding finding = only_error(task);
  EXPECT_EQ(finding.kind, "cut_not_ordered");
  EXPECT_EQ(finding.instructions, std::vector<std::int32_t>{4});
}

TEST(CheckTask, OneMissingBitIsListed) {
  const task::Task task = small_task(R"("Prev_Insts": ["LD"])", R"("Prev_Insts": [])");
  const Report report = check_task(task);
  EXPECT_FALSE(report.errors.empty());
  ASSERT_EQ(report.mending_bits.size(), 1U);
  EXPECT_THAT(report_text(report, task, "small"),
              HasSubstr("The task passes with this bit added:\n  'LD' to Prev_Insts of instruction 5 (line 6, sta_mov)\n"));
  const nlohmann::json json = nlohmann::json::parse(report_json(report, task, "small"));
  EXPECT_EQ(json["mending_bits"][0],
            nlohmann::json(
                {{"instruction", 5}, {"line", 6}, {"name", "sta_mov"}, {"list", "Prev_Insts"}, {"class", "LD"}, {"stale_weights", false}}));
  EXPECT_FALSE(json["errors"].empty());
}

/// Returns a task with a load of 32 bytes and `stores` stores of parts of them. No token orders the stores after the load.
task::Task unordered_stores(int stores) {
  std::string lines = task::test::kSmallStream;
  const std::size_t begin = lines.find(R"(["sta_mov")");
  const std::size_t end = lines.find('\n', begin) + 1;
  std::string store = lines.substr(begin, end - begin);
  store.replace(store.find(R"("LD")"), 4, "");
  store.replace(store.find(R"("CT")"), 4, "");
  lines.replace(begin, end - begin, store);
  for (int i = 1; i < stores; ++i) lines.insert(begin, store);
  task::Task task;
  task.instructions = task::read_stream(lines, "stores");
  task::infer_windows("stores", task, task::layout_of(task.instructions));
  return task;
}

TEST(CheckTask, OfAChainOfHazardsTheRootCauseIsSaid) {
  constexpr int kStores = 40;
  const task::Task task = unordered_stores(kStores);
  std::size_t known_before = 0;
  const Report report = check_task(task, {}, [&](const Report &found) {
    known_before = found.errors.size();
    EXPECT_TRUE(found.mending_bits.empty());
  });
  EXPECT_EQ(known_before, report.errors.size());
  // The report joins the hazards of all stores into one finding, about the first store (instruction 5) and the load (instruction 3). The
  // other errors are about tokens that are given but not taken, or awaited but not given.
  ASSERT_EQ(std::ranges::count(report.errors, "hazard", &Finding::kind), 1) << report_text(report, task, "stores");
  const Finding &root = *std::ranges::find(report.errors, "hazard", &Finding::kind);
  EXPECT_EQ(root.instructions, (std::vector<std::int32_t>{5, 3}));
  EXPECT_EQ(root.following.size(), std::size_t{kStores - 1});
  const std::string text = report_text(report, task, "stores");
  EXPECT_THAT(text, HasSubstr("\n  39 later instructions follow from it: 6, 7, 8, 9 and 35 more, up to 44\n"));
  EXPECT_THAT(text, HasSubstr(fmt::format(": {} errors, 0 warnings\n", report.errors.size())));
  const nlohmann::json json = nlohmann::json::parse(report_json(report, task, "stores"));
  ASSERT_EQ(json["errors"].size(), report.errors.size());
  EXPECT_EQ(json["errors"].back()["following"], nlohmann::json(root.following));
}

TEST(CheckTask, AMissingTokenOfAPublishedStreamIsOneRootCause) {
  const std::string path = std::string(COX_SHARED_DATA) + "/tile-streams/resnet50_b1.asm.txt";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no published streams at " << COX_SHARED_DATA;
  const task::Task whole = task::load_task(path);
  ASSERT_TRUE(check_task(whole).errors.empty());
  // Each case removes the token that an instruction takes from LW, LD or VP. The report then has only one hazard.
  for (const auto &[instruction, giver] :
       {std::pair{479, isa::tile::Class::LW}, {404, isa::tile::Class::LD}, {605, isa::tile::Class::VP}}) {
    task::Task task = whole;
    isa::tile::MachineCode &code = task.instructions[static_cast<std::size_t>(instruction)].code;
    const unsigned bit = isa::tile::kPreviousBit + static_cast<unsigned>(giver);
    ASSERT_EQ(isa::extract_bits(code, bit, 1), 1U) << instruction;
    isa::insert_bits(code, bit, 1, 0);
    const Report report = check_task(task);
    ASSERT_EQ(report.errors.size(), 2U) << findings_text(report);
    EXPECT_EQ(report.errors[0].kind, "tokens_unbalanced");
    EXPECT_EQ(report.errors[1].kind, "hazard");
    EXPECT_EQ(report.errors[1].instructions.front(), instruction);
    EXPECT_GT(report.errors[1].following.size(), 5U);
  }
}

TEST(CheckTask, OfManyFindingsOfAKindTheFirstArePrinted) {
  const task::Task task = small_task();
  Report report;
  for (int i = 0; i < 40; ++i) report.errors.push_back({"unwritten", {3}, fmt::format("number {}", i), ""});
  const std::string text = report_text(report, task, "small");
  EXPECT_THAT(text, HasSubstr("\nerror: unwritten: number 15\nerror: unwritten: and 24 more\n"));
  EXPECT_THAT(text, HasSubstr(": 40 errors, 0 warnings\n"));
  EXPECT_EQ(nlohmann::json::parse(report_json(report, task, "small"))["errors"].size(), 40U);
}

TEST(CheckTask, OfManyMendingBitsTheFirstArePrinted) {
  const task::Task task = small_task();
  Report report;
  for (int i = 0; i < 20; ++i) report.mending_bits.push_back({i < 19 ? 3 : 5, true, 4, false});
  EXPECT_THAT(report_text(report, task, "small"),
              HasSubstr("'VP' to Next_Insts of instruction 3 (line 4, lda_mov)\n  and 4 more, up to instruction 5 (line 6, sta_mov)\n"));
}

task::Task of_two_cores(const std::string &line) {
  task::Task task;
  task.instructions = task::read_stream(R"(["ct_st", {}, {"Prev_Insts": [], "Next_Insts": []}]
["so_sync", {}, {"Prev_Cores": 0, "Next_Cores": 2, "Prev_Insts": [], "Next_Insts": []}]
)" + line + R"(
["ct_ed", {}, {"Prev_Insts": [], "Next_Insts": []}]
)",
                                        "cores");
  task.geometry.tile_cores = 2;
  return task;
}

TEST(CheckTask, ATokenBetweenCoresThatNobodyTakes) {
  const Finding finding =
      only_error(of_two_cores(R"(["si_sync", {"core": 1}, {"Prev_Cores": 0, "Next_Cores": 0, "Prev_Insts": [], "Next_Insts": []}])"));
  EXPECT_EQ(finding.kind, "tokens_unbalanced");
  EXPECT_EQ(finding.message, "SO of core 0 puts 1 token for SI of core 1, which takes 0");
  EXPECT_THAT(
      finding.mend,
      HasSubstr("'bit 0' is missing in Prev_Cores of SI of core 1, or there is one too many 'bit 1' in Next_Cores of SO of core 0"));
}

TEST(CheckTask, NamesTheCore) {
  const Finding finding = only_error(of_two_cores(
      R"(["si_mov", {"core": 1}, {"CORE": 0, "DBSG": 0, "STaddr": 0, "DTaddr": 0, "Tile": [1, 8, 1, 1], "Prev_Cores": 1, "Next_Cores": 0, "Prev_Insts": [], "Next_Insts": []}])"));
  EXPECT_EQ(finding.kind, "missing_configuration");
  EXPECT_THAT(finding.message, HasSubstr("instruction 2 (line 3, si_mov) on core 1: missing_configuration"));
}

TEST(CheckTask, TensorsAndConstantsOutsideOfTheirWindows) {
  task::Task task = small_task();
  task.constants = {{2, 0, {1}}};
  task.tensors = {{"a", task::Direction::input, isa::tile::DataFmt::INT8, {1, 8, 1, 5}, 0, 0, 40, false},
                  {"b", task::Direction::output, isa::tile::DataFmt::INT8, {1, 8, 1, 1}, 0, 0, 8, false},
                  {"b", task::Direction::input, isa::tile::DataFmt::INT8, {1, 8, 1, 1}, 0, 0, 8, false}};
  const Report report = check_task(task);
  ASSERT_EQ(report.errors.size(), 4U);
  EXPECT_EQ(report.errors[0].message, "constant 0 is in window 2, which the image does not describe");
  EXPECT_EQ(report.errors[1].message, "tensor 'a' has bytes 0 to 40 of window 0, which has 32");
  EXPECT_EQ(report.errors[2].message, "tensor 'b' is an output in window 0, which is read-only");
  EXPECT_EQ(report.errors[3].message, "tensor 'b' is there twice");
}

}  // namespace
}  // namespace cox::tools
