// SPDX-License-Identifier: MIT
// The detector must report hazards of each kind in each memory, and none between instructions that tokens order.
#include "sim/model/tile/hazard/detector.h"

#include <gtest/gtest.h>

#include "tests/sim/tile/hazard/overlap.h"
#include "tests/sim/tile/hazard/program.h"

namespace cox::model::hazard {
namespace {

using test::Program;

void expect_hazard(const Program &program, Kind kind, std::int32_t earlier, std::int32_t later, Place place, std::int64_t first,
                   std::int64_t bytes) {
  const Analysis analysis = program.analysis();
  ASSERT_EQ(analysis.hazards.size(), 1U);
  const Hazard &hazard = analysis.hazards.front();
  EXPECT_EQ(hazard.kind, kind);
  EXPECT_EQ(hazard.earlier, earlier);
  EXPECT_EQ(hazard.later, later);
  EXPECT_EQ(hazard.place, place);
  EXPECT_EQ(hazard.first, first);
  EXPECT_EQ(hazard.bytes, bytes);
}

void expect_none(const Program &program) {
  const Analysis analysis = program.analysis();
  EXPECT_TRUE(analysis.passes());
  EXPECT_TRUE(analysis.hazards.empty());
}

// The instructions, with their numbers, are ct_st (0), ct_bc (1), lda_cfg (2), lda_mov (3), dt_cfg (4), dt_cal (5) and ct_ed (6).
Program load_and_transform(const std::string &load, const std::string &transform, const std::string &ed = test::end()) {
  return Program({test::start(), test::cut(0, 8191, {"", R"("LD", "DT")"}), test::load_configuration(4), load,
                  test::transform_configuration(4), transform, ed});
}

TEST(Detector, ReadAfterWriteInL2) {
  expect_hazard(load_and_transform(test::load(0, 0, 4, {R"("CT")", ""}), test::transform(16, 4096, 4, {R"("CT")", ""})),
                Kind::read_after_write, 3, 5, Place::l2, 16, 16);
  expect_none(load_and_transform(test::load(0, 0, 4, {R"("CT")", R"("DT")"}), test::transform(16, 4096, 4, {R"("CT", "LD")", ""})));
}

TEST(Detector, BytesSideBySideAreNotShared) {
  expect_none(load_and_transform(test::load(0, 0, 4, {R"("CT")", ""}), test::transform(32, 4096, 4, {R"("CT")", ""})));
}

TEST(Detector, WriteAfterWriteInL2) {
  expect_hazard(load_and_transform(test::load(0, 4096, 4, {R"("CT")", ""}), test::transform(0, 4120, 4, {R"("CT")", ""})),
                Kind::write_after_write, 3, 5, Place::l2, 4120, 8);
}

TEST(Detector, WriteAfterReadInL2) {
  // The transform reads, then the load of the next tile overwrites the same bytes.
  const auto task = [](const std::string &transform, const std::string &second) {
    return Program({test::start(), test::cut(0, 8191, {"", R"("LD")"}), test::load_configuration(4),
                    test::load(0, 0, 4, {R"("CT")", R"("DT")"}), test::transform_configuration(4), transform, second, test::end()});
  };
  expect_hazard(task(test::transform(0, 4096, 4, {R"("LD")", ""}), test::load(32, 24, 4)), Kind::write_after_read, 5, 6, Place::l2, 24, 8);
  expect_none(task(test::transform(0, 4096, 4, {R"("LD")", R"("LD")"}), test::load(32, 24, 4, {R"("DT")", ""})));
}

TEST(Detector, StridedAccessesThatInterleave) {
  // A pixel has 16 bytes. The transform writes the first 8 bytes of pixels 0 to 3. The load writes 8 bytes of each of four pixels: the
  // first 8 if `to` is 16, and the last 8 if `to` is 8 or 24.
  const auto task = [](int to) {
    return Program({test::start(), test::cut(0, 8191, {"", R"("DT", "LD")"}), test::transform_configuration(4, 16),
                    test::transform(4096, 0, 4, {R"("CT")", ""}),
                    R"(["lda_cfg", {}, {"SME": 1, "RS": 0, "BAS": 0, "DF": "INT8", "STile": [8, 1, 4], "DTile": [16, 1, 4]}])",
                    test::load(0, to, 4, {R"("CT")", ""}), test::end()});
  };
  expect_none(task(8));
  expect_none(task(24));
  expect_hazard(task(16), Kind::write_after_write, 3, 5, Place::l2, 16, 24);
}

TEST(Detector, DataThatWrapsInItsRegion) {
  // Region 0 is only block 1. The last 16 bytes of the load wrap to the beginning of the region, which the transform reads.
  const auto task = [](int from) {
    return Program({test::start(), test::cut(1, 1, {"", R"("LD", "DT")"}), test::load_configuration(4),
                    test::load(0, 2048 - 16, 4, {R"("CT")", ""}), test::transform_configuration(4),
                    test::transform(from, 1024 + 512, 1, {R"("CT")", ""}), test::end()});
  };
  expect_hazard(task(1024 + 8), Kind::read_after_write, 3, 5, Place::l2, 1032, 8);
  expect_none(task(1024 + 16));
}

TEST(Detector, Dram) {
  // The load reads the bytes that the store writes.
  const auto task = [](const test::Classes &of_store, const test::Classes &of_load) {
    return Program({test::start(), test::cut(0, 8191, {"", R"("ST", "LD")"}), test::store_configuration(4), test::store(0, 64, 4, of_store),
                    test::load_configuration(4), test::load(64, 8192, 4, of_load), test::end()});
  };
  expect_hazard(task({R"("CT")", ""}, {R"("CT")", ""}), Kind::read_after_write, 3, 5, Place::dram, 64, 32);
  expect_none(task({R"("CT")", R"("LD")"}, {R"("CT", "ST")", ""}));
}

TEST(Detector, WeightsThatAreReadBeforeTheyAreLoaded) {
  const auto task = [](const test::Classes &of_load, const test::Classes &of_convolution) {
    std::vector<std::string> lines = {test::start(), test::cut(0, 8191, {"", R"("PE")"}), test::weight_configuration(8),
                                      test::load_weights(0, 2, 8, 8, of_load)};
    for (const std::string &line : test::convolution_configuration(8, 8)) lines.push_back(line);
    lines.push_back(test::convolution(0, 2, 1024, of_convolution));
    lines.push_back(test::end());
    return Program(lines);
  };
  expect_hazard(task({}, {R"("CT")", ""}), Kind::read_after_write, 3, 8, Place::wl0, 128, 8 * 40);
  expect_none(task({"", R"("PE")"}, {R"("CT", "LW")", ""}));
}

TEST(Detector, WeightsThatAreOverwrittenWhileTheyAreRead) {
  std::vector<std::string> lines = {test::start(), test::cut(0, 8191, {"", R"("PE")"}), test::weight_configuration(8),
                                    test::load_weights(0, 0, 8, 8, {"", R"("PE")"})};
  for (const std::string &line : test::convolution_configuration(8, 8)) lines.push_back(line);
  lines.push_back(test::convolution(0, 0, 1024, {R"("CT", "LW")", ""}));
  lines.push_back(test::load_weights(320, 1, 8, 8));  // writes from byte 64 on; the convolution's block ends at byte 320
  lines.push_back(test::end());
  expect_hazard(Program(lines), Kind::write_after_read, 8, 9, Place::wl0, 64, 256);
}

TEST(Detector, ARegionUsedBeforeItsCut) {
  expect_hazard(Program({test::start(), test::cut(0, 8191), test::load_configuration(4), test::load(0, 0, 4), test::end()}),
                Kind::read_after_write, 1, 3, Place::region, 0, 1);
}

TEST(Detector, ARegionCutAnewWhileItIsUsed) {
  expect_hazard(Program({test::start(), test::cut(0, 8191, {"", R"("LD")"}), test::load_configuration(4),
                         test::load(0, 0, 4, {R"("CT")", ""}), test::cut(1, 1), test::end()}),
                Kind::write_after_read, 3, 4, Place::region, 0, 1);
}

TEST(Detector, OrderThroughAThirdClass) {
  // LD gives a token to ST, and ST gives one to DT, so the load is ordered before the transform.
  expect_none(
      Program({test::start(), test::cut(0, 8191, {"", R"("LD")"}), test::load_configuration(4), test::load(0, 0, 4, {R"("CT")", R"("ST")"}),
               test::store_configuration(4), test::store(0, 1024, 4, {R"("LD")", R"("DT")"}), test::transform_configuration(4),
               test::transform(0, 4096, 4, {R"("ST")", ""}), test::end()}));
}

TEST(Detector, TheTokenTakenIsTheFirstPut) {
  // Each of two loads gives DT a token. The first token lets the transform of the second load's data begin, although that load may still
  // run. This is a hazard.
  const std::vector<std::string> lines = {test::start(),
                                          test::cut(0, 8191, {"", R"("LD")"}),
                                          test::load_configuration(4),
                                          test::load(0, 0, 4, {R"("CT")", R"("DT")"}),
                                          test::load(32, 32, 4, {"", R"("DT")"}),
                                          test::transform_configuration(4),
                                          test::transform(32, 4096, 4, {R"("LD")", ""}),
                                          test::transform(0, 8192, 4, {R"("LD")", ""}),
                                          test::end()};
  expect_hazard(Program(lines), Kind::read_after_write, 4, 6, Place::l2, 32, 32);
}

TEST(Detector, IncrementallyWithInstructionsInFlight) {
  const Program program({test::start(), test::cut(0, 8191, {"", R"("LD", "DT")"}), test::load_configuration(4),
                         test::load(0, 0, 4, {R"("CT")", R"("DT")"}), test::transform_configuration(4),
                         test::transform(0, 4096, 4, {R"("CT", "LD")", ""})});
  Detector detector;
  const auto run = [&](std::int32_t i) {
    detector.start(i, program.steps[static_cast<std::size_t>(i)]);
    detector.end(lane_of(program.steps[static_cast<std::size_t>(i)]));
  };
  run(0);
  run(1);
  run(2);
  run(4);
  EXPECT_EQ(detector.missing(program.codes[3]), 0U);
  detector.start(3, program.steps[3]);
  EXPECT_EQ(detector.missing(program.codes[5]), 1U << static_cast<unsigned>(isa::tile::Class::LD));
  // Start instruction 5 before the load gives its token.
  detector.start(5, program.steps[5]);
  detector.end(lane_of(0, isa::tile::Class::LD));
  ASSERT_EQ(detector.hazards().size(), 1U);
  EXPECT_EQ(detector.hazards().front().kind, Kind::read_after_write);
}

// A task of two cores. Numbers of its instructions:
// - ct_st (0) and ct_ed (8), which begin and end the task;
// - core 0: ct_bc (1), so_cfg (2) and so_mov (5), which writes bytes 4096 to 4127 of core 1's L2;
// - core 1: ct_bc (3), sta_cfg (4), si_sync (6) and sta_mov (7).
Program export_and_store(int next, int previous, const std::string &store) {
  return Program({test::start(), test::cut(0, 8191, {"", R"("SO")"}), test::exchange_configuration("so_cfg", 4),
                  test::on_core(1, test::cut(0, 8191, {"", R"("ST")"})), test::on_core(1, test::store_configuration(4)),
                  test::export_to(1, 0, 4096, 4, 0, next, {R"("CT")", ""}),
                  test::on_core(1, test::exchange("si_sync", previous, 0, {"", R"("ST")"})), test::on_core(1, store), test::end()});
}

TEST(Detector, TokensBetweenCoresOrderWhatIsInTheOtherCoresL2) {
  const std::string store = test::store(4104, 0, 3, {R"("CT", "SI")", ""});
  expect_none(export_and_store(0b10, 0b01, store));
  const Program missing = export_and_store(0, 0, store);
  expect_hazard(missing, Kind::read_after_write, 5, 7, Place::l2, 4104, 24);
  EXPECT_EQ(missing.analysis().hazards.front().core, 1);
  // The exporting core uses the same addresses, but in its own L2.
  expect_none(export_and_store(0, 0, test::store(0, 0, 4, {R"("CT", "SI")", ""})));
  EXPECT_EQ(conflicting_pairs(missing.steps).size(), 3U);  // in two of these pairs one instruction is a ct_bc
}

TEST(Detector, CoresShareDramAndNothingElse) {
  const auto task = [](int from) {
    return Program({test::start(), test::cut(0, 8191, {"", R"("LD", "ST")"}), test::load_configuration(4), test::store_configuration(4),
                    test::on_core(1, test::cut(0, 8191, {"", R"("LD")"})), test::on_core(1, test::load_configuration(4)),
                    test::store(0, 0, 4, {R"("CT")", ""}), test::on_core(1, test::load(from, 0, 4, {R"("CT")", ""})),
                    test::load(256, 64, 4, {R"("CT")", ""}), test::end()});
  };
  expect_none(task(32));
  expect_hazard(task(24), Kind::read_after_write, 6, 7, Place::dram, 24, 8);
}

TEST(Detector, ARegionIsThatOfItsCore) {
  // Both cores define their own region 0. No token orders core 1's import after core 1's definition of the region, so this is a hazard of
  // core 1.
  const Program program({test::start(), test::cut(0, 8191), test::on_core(1, test::cut(0, 8191)),
                         test::on_core(1, test::exchange_configuration("si_cfg", 4)),
                         test::on_core(1, test::import_from(0, 0, 64, 4, 0, 0)), test::end()});
  const Analysis analysis = program.analysis();
  ASSERT_EQ(analysis.hazards.size(), 1U);
  EXPECT_EQ(analysis.hazards[0].place, Place::region);
  EXPECT_EQ(analysis.hazards[0].core, 1);
  EXPECT_EQ(analysis.hazards[0].earlier, 2);
}

}  // namespace
}  // namespace cox::model::hazard
