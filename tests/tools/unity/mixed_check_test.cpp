// SPDX-License-Identifier: MIT
// What `cox check` finds in programs that submit to other engines, and what such a program computes on the engines of the check.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <regex>

#include "coxswain/isa/unity/program.h"
#include "sim/model/unity/machine/machine.h"
#include "tools/file/file.h"
#include "tools/unity/assemble.h"
#include "tools/unity/check_program.h"
#include "tools/unity/container_memory.h"
#include "tools/unity/engine_run.h"

namespace cox::tools::unity::mixed_check_test {
namespace {

using testing::HasSubstr;

Report check(const std::string &text, const model::Options &device = {}) {
  const Assembled assembled = assemble(text, "mixed");
  return check_program({.container = assembled.container, .bindings = assembled.bindings, .device = device});
}
std::string only_error(const std::string &text, const model::Options &device = {}) {
  const Report report = check(text, device);
  EXPECT_EQ(report.errors.size(), 1U) << text;
  return report.errors.empty() ? "" : report.errors[0].kind + ": " + report.errors[0].message;
}
void expect_clean(const std::string &text) {
  const Report report = check(text);
  for (const auto *findings : {&report.errors, &report.warnings}) {
    for (const Finding &finding : *findings) ADD_FAILURE() << text << finding.kind << ": " << finding.message;
  }
}
std::string five_engines() {
  const std::vector<std::uint8_t> bytes = read_file(COX_FIVE_ENGINES);
  return {bytes.begin(), bytes.end()};
}
std::string slots(const std::string &engine, const std::string &lines) {
  return ".unit 0\nsubmit " + engine + " slots=s\n.slots s " + engine + "\n" + lines + ".end\n";
}

constexpr const char *kBases = "CONFBADDR InputBase1=0 InputBase2=0 OutputBase1=1 OutputBase2=1 WeightBase=2\n";
constexpr const char *kMove = "MOVE InOffset=0 OutOffset=0 Repeat=0 InStride=0 OutStride=0 Run=0 Count=0\n";
constexpr const char *kLoadL1 =
    "DRAM_TO_L1 Source=0x1000000 SourceHigh=0 Rows=16 RowBytes=32 SourcePitch=32 Format=Fractal Destination=0 DestinationPitch=1\n";
constexpr const char *kCut = R"(["ct_bc", {}, {"BCS": 0, "BufCut": [0, 8191, 0, 0, 0, 0, 0, 0], "Prev_Insts": [], "Next_Insts": []}])"
                             "\n";
constexpr const char *kLoad =
    R"(["lda_cfg", {}, {"SME": 1, "RS": 0, "BAS": 0, "DF": "INT8", "STile": [8, 1, 4], "DTile": [8, 1, 4]}]
["lda_mov", {}, {"RS": 0, "DBSG": 0, "STaddr": 0, "DTaddr": 64, "Tile": [1, 8, 1, 4], "Prev_Insts": [], "Next_Insts": []}]
)";

TEST(MixedCheckUnity, FiveEnginesInOrder) { expect_clean(five_engines()); }

TEST(MixedCheckUnity, EachKeyOfFiveEnginesIsNeeded) {
  const std::string text = five_engines();
  const std::regex key(" (fetch|deposit)=0:[0-9]");
  unsigned removed = 0;
  for (auto found = std::sregex_iterator(text.begin(), text.end(), key); found != std::sregex_iterator(); ++found, ++removed) {
    std::string changed = text;
    changed.erase(static_cast<std::size_t>(found->position()), static_cast<std::size_t>(found->length()));
    const Report report = check(changed);
    ASSERT_FALSE(report.errors.empty()) << found->str() << " at " << found->position();
    const bool deposit = found->str().starts_with(" deposit");
    for (const Finding &error : report.errors) EXPECT_EQ(error.kind, deposit ? "deadlock" : "hazard") << error.message;
  }
  EXPECT_EQ(removed, 14U);
}

/// The inputs and the result are those of five_engines.py.
TEST(MixedCheckUnity, FiveEnginesCompute) {
  const Assembled assembled = assemble(five_engines(), "mixed");
  const auto container = isa::unity::Container::open(std::as_bytes(std::span(assembled.container)));
  ASSERT_TRUE(container.ok());
  ContainerMemory memory(container.value().bytes());
  const auto fill = [&](std::uint64_t address, unsigned count, const auto &value_of) {
    std::vector<std::byte> bytes(count);
    for (unsigned i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(value_of(static_cast<int>(i)));
    memory.fill(address, bytes);
  };
  fill(0x1000000, 2304, [](int i) { return (i * 7 + i / 32 * 5) % 128 - 64; });
  fill(0x1001000, 2304, [](int i) { return (i * 29 + i / 64 * 3) % 200 - 100; });
  fill(0x1002000, 1024, [](int i) { return (i * i / 7 * 3 + i) % 5 - 2; });
  model::unity::Machine machine({}, 4, model::unity::Path::fast);
  AccessOrder order(container.value());
  machine.set_listener(&order);
  EngineRun engines({}, assembled.bindings, memory, machine, order);
  machine.set_gate(&engines);
  machine.start(container.value(), {.address = 0, .page = 0x1000000, .key_tables = 15}, memory, 0);
  while (!machine.done()) {
    const model::Cycle next = std::min(machine.next_event(), engines.next_event());
    ASSERT_LT(next, 1'000'000U);
    engines.advance(next);
    machine.step(next);
  }
  ASSERT_TRUE(machine.outcome().status.ok()) << engines.fault_text();
  std::array<std::int32_t, 16> result{};
  ASSERT_TRUE(memory.read(0x3000000, std::as_writable_bytes(std::span(result))).ok());
  EXPECT_THAT(result, testing::ElementsAre(79426, 65065, 73930, 63155, 5272, -135601, 83670, 11710, -79134, -11200, 72346, -106790, -109022,
                                           82042, -32128, -89802));
}

TEST(MixedCheckUnity, RefusedInstructionsOfOtherEngines) {
  EXPECT_EQ(only_error(slots("cube", std::string(kLoadL1) + "MAD Destination=0 Left=288 Right=0 M=16 K=32 N=16 Type=int8\n")),
            "misaligned_address: unit 0, program 0, instruction 0 (submit cube), slot 0: instruction 1 (MAD): misaligned_address: Left: "
            "288 is not a multiple of 512");
  // Flags do not pass from stream to stream.
  EXPECT_THAT(only_error(slots("cube", std::string(kLoadL1).insert(std::strlen(kLoadL1) - 1, " Set=MTE1:0"))),
              HasSubstr("flag_left: unit 0, program 0, instruction 0 (submit cube), slot 0: "));
  EXPECT_THAT(only_error(slots("pim", "  li r1, 0x7FFFFFF0\n  load-local r2, r1, 0\n")), HasSubstr("(submit pim), slot 0: "));
}

TEST(MixedCheckUnity, FaultsOfOtherEngines) {
  EXPECT_EQ(
      only_error(slots("mx", std::string(kBases) + "MOVE InOffset=0x3FFFF0 OutOffset=0 Repeat=0 InStride=0 OutStride=0 Run=0 Count=0\n")),
      "device_fault: unit 0, program 0, instruction 0 (submit mx): slot 0: byte 8 (MOVE): window");
  EXPECT_EQ(only_error(slots("mx", std::string(kMove))),
            "device_fault: unit 0, program 0, instruction 0 (submit mx): slot 0: byte 0 (MOVE): missing_configuration");
  const std::string load = kLoad;
  EXPECT_EQ(only_error(slots("tile", load.substr(load.find('\n') + 1))),
            "device_fault: unit 0, program 0, instruction 0 (submit tile): slot 0: (lda_mov): missing_configuration");
  EXPECT_EQ(only_error(".window 1 base=0x2000000 bytes=4096 readonly\n" + slots("mx", std::string(kBases) + kMove)),
            "device_fault: unit 0, program 0, instruction 0 (submit mx): slot 0: byte 8 (MOVE): window");
}

TEST(MixedCheckUnity, MissingCores) {
  const std::string text =
      slots("tile", R"(["ct_bc", {"core": 1}, {"BCS": 0, "BufCut": [0, 8191, 0, 0, 0, 0, 0, 0], "Prev_Insts": [], "Next_Insts": []}])"
                    "\n");
  EXPECT_THAT(only_error(text), HasSubstr("device_fault: unit 0, program 0, instruction 0 (submit tile): "));
  model::Options device;
  device.parameters["tile_cores"] = 2;
  EXPECT_TRUE(check(text, device).errors.empty());
}

TEST(MixedCheckUnity, SlotsAndStreamsLieInTheContainer) {
  EXPECT_EQ(only_error(".unit 0\nsubmit mx slots=1 address=0x10000\n"),
            "address_outside_window: unit 0, program 0, instruction 0 (submit mx): address_outside_window: the slots at 0x10000 do not lie "
            "in the container");
  const std::string data = ".unit 0\nsubmit mx slots=1 address=slot\n.data slot align=32\n";
  EXPECT_THAT(only_error(data + ".u64 0x10000, 8, 0, 0\n"), HasSubstr("slot 0: the stream at 0x10000 does not lie in the container"));
  EXPECT_THAT(only_error(data + ".u64 4, 8, 0, 0\n"), HasSubstr("field_out_of_range: stream"));
  EXPECT_THAT(only_error(data + ".u64 8, 8, 1, 0\n"), HasSubstr("reserved_bits: slot 0 has bits that must be 0"));
  EXPECT_THAT(only_error(".unit 0\nsubmit mx slots=1 address=slot+16\n.data slot align=32\n.zero 64\n"),
              HasSubstr("misaligned_address: address"));
  EXPECT_THAT(only_error(".unit 0\nsubmit tile queue=2 slots=1 address=s\n.slots s tile\n" + std::string(kCut) + ".end\n"),
              HasSubstr("unknown_instruction: slot 0 is an instruction of another class"));
}

TEST(MixedCheckUnity, HazardsInMemoriesOfEngines) {
  EXPECT_THAT(only_error(std::string(".unit 0\nsubmit cube slots=s\n.unit 1\nsubmit cube slots=s\n.slots s cube\n") + kLoadL1 + ".end\n"),
              HasSubstr("bytes 0x0 to 0x1ff of L1 (DRAM_TO_L1), which"));
}

TEST(MixedCheckUnity, DeadlocksNameSubmissions) {
  EXPECT_EQ(only_error(".unit 0\nsubmit mx slots=s fetch=0:5\n.slots s mx\n" + std::string(kBases) + ".end\n"),
            "deadlock: deadlock: a unit waits for keys that never come\n"
            "  unit 0, program 0, instruction 0 (submit mx): entry 0:5 holds 0, wants 1");
}

}  // namespace
}  // namespace cox::tools::unity::mixed_check_test
