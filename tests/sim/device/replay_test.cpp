// SPDX-License-Identifier: MIT
// Durations from a file: the instructions of a class take the durations in the list of their class, in order. Also tests options that
// the model refuses.
#include <fstream>
#include <list>

#include "sim/model/options.h"
#include "tests/sim/device/machine.h"
#include "tests/sim/device/temporary_file.h"

namespace cox::test {
namespace {

/// The file exists until the program ends, so that each model can read it when it is constructed.
std::string temporary(const std::string &name) {
  static std::list<TemporaryFile> files;
  return files.emplace_back(name).path();
}

std::string with_file(const std::string &name, const std::string &content) {
  const std::string path = temporary(name);
  std::ofstream(path) << content;
  return R"({"dispatch": "ideal", "durations": ")" + path + "\"}";
}

TEST(Replay, DurationsAreTakenInOrderOfTheClassAndRestart) {
  Machine machine(with_file("replay.json", R"({"CT": [38, 35, 0], "VP": [21, 500]})").c_str());
  machine.bring_up();
  const MachineCode control = with_completion(make(Opcode::ct_st));
  machine.put({control, control, control, control});
  machine.ring(Class::CT);
  const MachineCode vector = with_completion(make(Opcode::vp_cfg_sms));
  machine.put({vector, vector, vector});
  machine.ring(Class::VP);
  machine.submit(
      // the file has no list for DT, so a dt_cfg takes the default of 21 cycles
      {with_completion(make(Opcode::dt_cfg, {{"DF", {1}}, {"STile", {1, 1, 1}}, {"DTile", {1, 1, 1}}}))});
  machine.run();
  std::vector<std::uint64_t> ends[9];
  for (std::uint32_t i = 0; i < machine.completions(); ++i) ends[machine.entry(i).queue].push_back(machine.entry(i).end);
  EXPECT_EQ(ends[0], (std::vector<std::uint64_t>{38, 73, 73, 111}));
  EXPECT_EQ(ends[4], (std::vector<std::uint64_t>{21, 521, 542}));
  EXPECT_EQ(ends[5], (std::vector<std::uint64_t>{21}));
  // With ideal dispatch the first interrupt has no latency: it comes when the first instruction ends.
  EXPECT_EQ(machine.interrupts.front().time, 21u);
}

TEST(Replay, EachContextHasItsOwnPlaceAndItsResetGoesBackToTheFirst) {
  Machine machine(with_file("replay2.json", R"({"CT": [10, 20, 30]})").c_str());
  machine.bring_up();
  machine.open_context(1);
  const MachineCode control = with_completion(make(Opcode::ct_st));
  machine.submit({control, in_context(control, 1), control});
  machine.run();
  EXPECT_EQ(machine.entry(0).end, 10u);
  EXPECT_EQ(machine.entry(1).end, 20u);
  EXPECT_EQ(machine.entry(2).end, 40u);
  machine.write(r::context::control::offset(0), 1 | r::context::control::kReset.mask());
  machine.submit({control});
  machine.run();
  EXPECT_EQ(machine.entry(3).end, 50u);
}

TEST(Replay, TransfersTakeTheirDurationWhateverElseMoves) {
  Machine machine(with_file("replay3.json", R"({"LD": [1, 100], "LW": [1, 100]})").c_str());
  machine.bring_up();
  machine.submit({whole_buffer(), make(Opcode::ldw_cfg, {{"DF", {1}}, {"SWsize", {8, 1, 1}}, {"DWsize", {8, 1, 1}}}),
                  make(Opcode::lw_cfg, {{"DF", {1}}, {"SWsize", {8, 1, 1}}, {"DWsize", {8, 1, 1}}})});
  machine.run();
  machine.advance_to(1000);
  machine.submit({with_completion(make(Opcode::ldw_mov, {{"Wsize", {900, 8, 1, 1}}})),
                  with_completion(make(Opcode::lw_mov, {{"SS", {1}}, {"Wsize", {900, 8, 1, 1}}}))});
  machine.run();
  EXPECT_EQ(machine.entry(0).end, 1100u);
  EXPECT_EQ(machine.entry(1).end, 1100u);
  EXPECT_EQ(machine.counter(Class::LD, r::core::sq::bytes_lo::kOffset), 36000u);
}

std::string refusal(const char *options) {
  cox_host host{};
  host.abi = COX_MODEL_ABI;
  host.size = sizeof host;
  host.map = [](void *, std::uint64_t, std::uint64_t) -> void * { return nullptr; };
  host.read = [](void *, std::uint64_t, void *, std::uint64_t) { return 1; };
  host.write = [](void *, std::uint64_t, const void *, std::uint64_t) { return 1; };
  host.interrupt = [](void *, std::uint32_t, int) {};
  char error[200] = "";
  cox_model *model = cox_model_create(&host, options, error, sizeof error);
  EXPECT_EQ(model, nullptr) << options;
  cox_model_destroy(model);
  return error;
}

TEST(Options, WhatIsWrongIsNamed) {
  EXPECT_EQ(refusal("[1]"), "options are not a JSON object");
  EXPECT_EQ(refusal("{"), "options are not a JSON object");
  EXPECT_EQ(refusal(R"({"speed": 1})"), "there is no option 'speed'");
  EXPECT_EQ(refusal(R"({"geometry": 1})"), "option 'geometry' is not an object");
  EXPECT_EQ(refusal(R"({"geometry": {"wheels": 1}})"), "geometry has no parameter 'wheels'");
  EXPECT_EQ(refusal(R"({"geometry": {"tile_cores": 5}})"), "geometry parameter 'tile_cores' is 5, must be an integer from 1 to 4");
  EXPECT_EQ(refusal(R"({"geometry": {"tile_cores": 0}})"), "geometry parameter 'tile_cores' is 0, must be an integer from 1 to 4");
  EXPECT_EQ(refusal(R"({"geometry": {"contexts": -1}})"), "geometry parameter 'contexts' is -1, must be an integer from 1 to 16");
  EXPECT_EQ(refusal(R"({"path": "quick"})"), R"(option 'path' is "quick", must be "reference" or "fast")");
  EXPECT_EQ(refusal(R"({"dispatch": true})"), "option 'dispatch' is not a string");
  EXPECT_EQ(refusal(R"({"hazards": 1})"), "option 'hazards' is not true or false");
  EXPECT_EQ(refusal(R"({"events": 7})"), "option 'events' is not a string");
  EXPECT_EQ(refusal(R"({"events": "/nowhere/at/all"})"), "event log '/nowhere/at/all' cannot be written");
  EXPECT_EQ(refusal(R"({"energy": 7})"), "option 'energy' is not a string");
  EXPECT_EQ(refusal(R"({"energy": "/nowhere/at/all"})"), "energy file '/nowhere/at/all' cannot be written");
  EXPECT_EQ(refusal(R"({"durations": "/nowhere"})"), "durations file '/nowhere' cannot be opened");
  const std::string path = temporary("wrong.json");
  const auto with = [&](const char *content) { return refusal(with_file("wrong.json", content).c_str()); };
  EXPECT_EQ(with("[]"), "durations file '" + path + "' is not a JSON object");
  EXPECT_EQ(with(R"({"XX": []})"), "durations file '" + path + "': there is no class 'XX'");
  EXPECT_EQ(with(R"({"CT": 1})"), "durations file '" + path + "': class 'CT' is not a list");
  EXPECT_EQ(with(R"({"CT": [1, -2]})"), "durations file '" + path + "': CT[1] is -2, must be a number of cycles");
}

TEST(Options, AHostOfAnotherVersionOrWithoutACallbackIsRefused) {
  char error[100];
  cox_host host{};
  EXPECT_EQ(cox_model_create(nullptr, nullptr, error, sizeof error), nullptr);
  EXPECT_STREQ(error, "there is no host");
  EXPECT_EQ(cox_model_create(&host, nullptr, error, sizeof error), nullptr);
  EXPECT_STREQ(error, "the host is of another version of the interface");
  host.abi = cox_model_abi();
  host.size = sizeof host;
  EXPECT_EQ(cox_model_create(&host, nullptr, error, sizeof error), nullptr);
  EXPECT_STREQ(error, "a callback of the host is missing");
  EXPECT_EQ(cox_model_create(&host, nullptr, nullptr, 0), nullptr);
  cox_model_destroy(nullptr);
}

TEST(Options, SizesOfWl0AreReportedAndBounded) {
  for (const std::uint32_t units : {1U, 18'431U, 65'535U}) {
    Machine machine(("{\"geometry\": {\"wl0_units\": " + std::to_string(units) + "}}").c_str());
    EXPECT_EQ(r::geometry1::kWl0Units.get(machine.read(r::geometry1::kOffset)), units);
  }
  for (const char *units : {"0", "65536"}) {
    std::string error;
    EXPECT_FALSE(model::parse_options((std::string(R"({"geometry": {"wl0_units": )") + units + "}}").c_str(), error));
    EXPECT_NE(error.find("'wl0_units' is"), std::string::npos) << error;
  }
}

TEST(Options, GeometryIsReportedByTheRegisters) {
  Machine machine(R"({"geometry": {"tile_cores": 2, "l2_mib": 4, "pe_columns": 4, "queue_size_log2_max": 9}})");
  EXPECT_EQ(machine.read(r::geometry0::kOffset), r::geometry0::kTileCores.put(2) | r::geometry0::kContexts.put(16) |
                                                     r::geometry0::kL2Mib.put(4) | r::geometry0::kCutRegions.put(16));
  EXPECT_EQ(machine.read(r::geometry1::kOffset), r::geometry1::kWl0Units.put(20480) | r::geometry1::kL2BlockBytes.put(1024));
  EXPECT_EQ(machine.read(r::geometry2::kOffset), r::geometry2::kMacsPerCycle.put(2048) | r::geometry2::kQueueSizeLog2Max.put(9));
  EXPECT_EQ(cox_model_cores(machine.model), 2u);
}

}  // namespace
}  // namespace cox::test
