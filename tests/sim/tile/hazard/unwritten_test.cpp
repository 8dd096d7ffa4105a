// SPDX-License-Identifier: MIT
// Reads of unwritten bytes, worked out by hand. Maps have 8 bytes a pixel; region 0 is blocks 0 to 3.
#include "sim/model/tile/hazard/unwritten.h"

#include "tests/sim/tile/hazard/program.h"

namespace cox::model::hazard {
namespace {

/// Reads of bytes that no instruction has written, each {instruction, core, first, last, bytes}.
using Numbers = std::vector<std::array<std::int64_t, 5>>;

Numbers numbers(const test::Program &program) {
  Numbers result;
  for (const UnwrittenRead &read : find_unwritten_reads(program.steps))
    result.push_back({read.instruction, read.core, read.first, read.last, read.bytes});
  return result;
}

/// A task that runs `lines` behind a ct_st, a ct_bc and three configurations, so the first of `lines` is instruction 5.
test::Program program(const std::vector<std::string> &lines, const char *first = R"("LD", "DT", "ST")") {
  std::vector<std::string> all = {test::start(), test::cut(4, 3, {"", first}), test::load_configuration(8), test::store_configuration(8),
                                  test::transform_configuration(8)};
  all.insert(all.end(), lines.begin(), lines.end());
  all.push_back(test::end());
  return test::Program(all);
}

const test::Classes kFirstLoad{R"("CT")", R"("ST")"};
const test::Classes kStoreBehindIt{R"("CT", "LD")", ""};

TEST(Unwritten, WhatWasLoadedIsNot) {
  EXPECT_EQ(numbers(program({test::load(0, 0, 8, kFirstLoad), test::store(0, 0, 8, kStoreBehindIt)})), Numbers{});
}

TEST(Unwritten, PastTheEndOfWhatWasLoaded) {
  EXPECT_EQ(numbers(program({test::load(0, 512, 6, kFirstLoad), test::store(512, 0, 8, kStoreBehindIt)})), (Numbers{{6, 0, 560, 575, 16}}));
}

TEST(Unwritten, BeforeItAndBehindIt) {
  // The store reads bytes 496 to 559, of which the load has written only bytes 512 to 527.
  EXPECT_EQ(numbers(program({test::load(0, 512, 2, kFirstLoad), test::store(496, 0, 8, kStoreBehindIt)})), (Numbers{{6, 0, 496, 559, 48}}));
}

TEST(Unwritten, BetweenTwoLoads) {
  EXPECT_EQ(numbers(program({test::load(0, 0, 2, {R"("CT")", ""}), test::load(0, 48, 2, {"", R"("ST")"}),
                             test::store(0, 0, 8, kStoreBehindIt), test::store(0, 64, 8)})),
            (Numbers{{7, 0, 16, 47, 32}}))
      << "reported once, for the first instruction that reads the bytes";
}

TEST(Unwritten, OnlyTheFirstReaderOfEachByte) {
  EXPECT_EQ(numbers(program({test::store(0, 0, 4, {R"("CT")", ""}), test::store(16, 64, 4), test::store(0, 0, 8)})),
            (Numbers{{5, 0, 0, 31, 32}, {6, 0, 32, 47, 16}, {7, 0, 48, 63, 16}}));
}

TEST(Unwritten, TheOrderIsThatOfTokens) {
  // The store comes first in the program, but it waits for the load.
  EXPECT_EQ(numbers(program({test::store(0, 0, 8, kStoreBehindIt), test::load(0, 0, 8, kFirstLoad)})), Numbers{});
  // The store comes after the load in the program, but the load waits for the store.
  EXPECT_EQ(numbers(program({test::load(0, 0, 8, {R"("CT", "ST")", ""}), test::store(0, 0, 8, {R"("CT")", R"("LD")"})})),
            (Numbers{{6, 0, 0, 63, 64}}));
}

TEST(Unwritten, InPlaceReadsFirst) {
  EXPECT_EQ(numbers(program({test::transform(0, 32, 8, {R"("CT")", ""})})), (Numbers{{5, 0, 0, 63, 64}}));
}

TEST(Unwritten, WrittenByTheUnitItself) {
  EXPECT_EQ(numbers(program({test::load(0, 0, 8, {R"("CT")", R"("DT")"}), test::transform(0, 128, 8, {R"("CT", "LD")", R"("ST")"}),
                             test::store(128, 0, 8, {R"("CT", "DT")", ""})})),
            Numbers{});
}

TEST(Unwritten, RegionsWrap) {
  // The load wraps: it writes bytes 4064 to 4095 and 0 to 31.
  EXPECT_EQ(numbers(program({test::load(0, 4064, 8, kFirstLoad), test::store(0, 0, 8, kStoreBehindIt)})), (Numbers{{6, 0, 32, 63, 32}}));
}

TEST(Unwritten, AcrossCores) {
  const auto cores = [](int stored, int imported) {
    return test::Program({test::start(), test::cut(4, 3, {"", R"("LD", "SO")"}), test::load_configuration(8),
                          test::exchange_configuration("so_cfg", 8), test::load(0, 0, 8, {R"("CT")", R"("SO")"}),
                          test::export_to(1, 0, 1024, 8, 0, 2, {R"("CT", "LD")", ""}),
                          test::on_core(1, test::cut(4, 3, {"", R"("ST", "SI")"})),
                          test::on_core(1, test::exchange_configuration("si_cfg", 8)), test::on_core(1, test::store_configuration(8)),
                          test::on_core(1, test::import_from(0, imported, 2048, 8, 1, 0, {R"("CT")", R"("ST")"})),
                          test::on_core(1, test::store(stored, 0, 8, {R"("CT", "SI")", ""})), test::end()});
  };
  EXPECT_EQ(numbers(cores(1024, 0)), Numbers{});
  EXPECT_EQ(numbers(cores(2048, 0)), Numbers{});
  EXPECT_EQ(numbers(cores(0, 0)), (Numbers{{10, 1, 0, 63, 64}})) << "core 0 has loaded the bytes into its own L2";
  EXPECT_EQ(numbers(cores(2048, 48)), (Numbers{{9, 0, 64, 111, 48}}));
}

}  // namespace
}  // namespace cox::model::hazard
