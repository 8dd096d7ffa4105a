// SPDX-License-Identifier: MIT
// Hazards at run time. The log has a line for each. Tokens decide what a hazard is, not the times at which instructions ran.
#include "tests/sim/device/machine.h"

namespace cox::test {
namespace {

MachineCode with_tokens(MachineCode code, std::initializer_list<Class> previous, std::initializer_list<Class> next) {
  std::uint32_t bits[2] = {};
  for (const Class queue : previous) bits[0] |= 1U << static_cast<unsigned>(queue);
  for (const Class queue : next) bits[1] |= 1U << static_cast<unsigned>(queue);
  EXPECT_TRUE(isa::tile::set_dependencies(code, bits[0], bits[1]).ok());
  return code;
}

/// Runs a load to L2 and then a store of the same bytes, with or without the token that orders the two. Returns the log.
std::vector<std::string> log_of(const char *options, bool ordered) {
  Machine machine(options);
  machine.bring_up();
  machine.submit({with_tokens(whole_buffer(), {}, {Class::LD, Class::ST}),
                  make(Opcode::lda_cfg, {{"SME", {1}}, {"DF", {1}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 4}}}),
                  make(Opcode::sta_cfg, {{"SME", {1}}, {"DF", {1}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 4}}})});
  machine.run();
  const MachineCode load = make(Opcode::lda_mov, {{"DTaddr", {256}}, {"Tile", {1, 8, 4, 4}}});
  machine.submit({ordered ? with_tokens(load, {Class::CT}, {Class::ST}) : with_tokens(load, {Class::CT}, {})});
  machine.run();
  const MachineCode store = make(Opcode::sta_mov, {{"STaddr", {256}}, {"DTaddr", {4096}}, {"Tile", {1, 8, 4, 4}}});
  machine.submit({ordered ? with_tokens(store, {Class::CT, Class::LD}, {}) : with_tokens(store, {Class::CT}, {})});
  machine.run();
  return machine.log;
}

TEST(Hazards, AMissingTokenIsReportedThoughTimeHappenedToOrderThem) {
  EXPECT_EQ(
      log_of(R"({"hazards": true})", false),
      std::vector<std::string>{"hazard: context 0: read after write: nothing orders LD[1] and ST[1], both touch L2 bytes 256 to 383"});
  EXPECT_TRUE(log_of(R"({"hazards": true})", true).empty());
  EXPECT_TRUE(log_of(R"({"hazards": false})", false).empty());
}

/// Core 0 exports into core 1's L2, and core 1 stores from there, with or without the token between the two. Returns the log.
std::vector<std::string> log_of_two_cores(bool ordered) {
  Machine machine(R"({"hazards": true, "geometry": {"tile_cores": 2}})");
  machine.bring_up();
  machine.bring_up_core(1);
  machine.submit_in(
      0, {with_tokens(whole_buffer(), {}, {Class::SO}), make(Opcode::so_cfg, {{"DF", {1}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 4}}})});
  machine.submit_in(1, {with_tokens(whole_buffer(), {}, {Class::ST}),
                        make(Opcode::sta_cfg, {{"SME", {1}}, {"DF", {1}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 4}}})});
  machine.run();
  const double next = ordered ? 2 : 0, previous = ordered ? 1 : 0;
  machine.submit_in(
      0, {with_tokens(make(Opcode::so_mov, {{"CORE", {1}}, {"DTaddr", {512}}, {"Tile", {1, 8, 4, 4}}, {"Next_Cores", {next}}}), {Class::CT},
                      {})});
  machine.run();
  machine.submit_in(1, {with_tokens(make(Opcode::si_sync, {{"Prev_Cores", {previous}}}), {}, {Class::ST})});
  machine.run();
  machine.submit_in(
      1, {with_tokens(make(Opcode::sta_mov, {{"STaddr", {512}}, {"DTaddr", {4096}}, {"Tile", {1, 8, 4, 4}}}), {Class::CT, Class::SI}, {})});
  machine.run();
  return machine.log;
}

TEST(Hazards, BetweenCoresTokensOfSiAndSoOrder) {
  EXPECT_TRUE(log_of_two_cores(true).empty());
  EXPECT_EQ(log_of_two_cores(false), std::vector<std::string>{"hazard: context 0: read after write: nothing orders SO[1] of core 0 and "
                                                              "ST[1] of core 1, both touch L2 bytes 512 to 639 of core 1"});
}

}  // namespace
}  // namespace cox::test
