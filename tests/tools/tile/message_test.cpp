// SPDX-License-Identifier: MIT
// Tests the sentence that all commands print about an error.
#include "tools/tile/message.h"

#include <gtest/gtest.h>

#include <ostream>

#include "coxswain/isa/tile/encode.h"
#include "tests/tools/tile/small_stream.h"
#include "tools/tile/stream.h"

namespace cox::task {
namespace message_test {

/// Returns a task of two cores. Sentences about its instructions name the core.
Task two_cores() {
  Task task;
  task.instructions = read_stream(R"(["ct_st", {}, {"Prev_Insts": [], "Next_Insts": []}]
["so_sync", {}, {"Prev_Cores": 0, "Next_Cores": 2, "Prev_Insts": [], "Next_Insts": []}]
["si_sync", {"core": 1}, {"Prev_Cores": 1, "Next_Cores": 0, "Prev_Insts": [], "Next_Insts": []}]
["ct_ed", {}, {"Prev_Insts": [], "Next_Insts": []}]
)",
                                  "cores");
  task.geometry.tile_cores = 2;
  return task;
}

Task one_core() {
  Task task;
  task.instructions = read_stream(test::kSmallStream, "small");
  return task;
}

struct Sentence {
  Status status;
  const char *of_one_core;
  const char *of_two_cores;
};

const Sentence kSentences[] = {
    {{ErrorCode::missing_configuration, "si_cfg", 2, 0, 0},
     "instruction 2 (line 3, lda_cfg): missing_configuration: no si_cfg before it",
     "instruction 2 (line 3, si_sync) on core 1: missing_configuration: no si_cfg before it"},
    {{ErrorCode::address_outside_cut, "STaddr", 1, 900, 800},
     "instruction 1 (line 2, ct_bc): address_outside_cut: STaddr: 900, the limit is 800",
     "instruction 1 (line 2, so_sync) on core 0: address_outside_cut: STaddr: 900, the limit is 800"},
    {{ErrorCode::own_core, "CORE", 2, 1, 1},
     "instruction 2 (line 3, lda_cfg): own_core: CORE: 1 is the instruction's own core",
     "instruction 2 (line 3, si_sync) on core 1: own_core: CORE: 1 is the instruction's own core"},
    {{ErrorCode::own_core, "Prev_Cores", 2, 3, 1},
     "instruction 2 (line 3, lda_cfg): own_core: Prev_Cores: bit 1 is the instruction's own core",
     "instruction 2 (line 3, si_sync) on core 1: own_core: Prev_Cores: bit 1 is the instruction's own core"},
    {{ErrorCode::reserved_bits, "si_sync", 2, 200, 0},
     "instruction 2 (line 3, lda_cfg): reserved_bits: si_sync: bit 200 must be 0",
     "instruction 2 (line 3, si_sync) on core 1: reserved_bits: si_sync: bit 200 must be 0"},
    {{ErrorCode::reserved_bits, "context", 2, 4, 0},
     "instruction 2 (line 3, lda_cfg): reserved_bits: context: it is 4, and 0 in a task image",
     "instruction 2 (line 3, si_sync) on core 1: reserved_bits: context: it is 4, and 0 in a task image"},
    {{ErrorCode::misaligned_address, "windows", 1, 100, 64}, "misaligned_address: windows: 100 is not a multiple of 64", nullptr},
    {{ErrorCode::no_task_end, "ct_ed", 3},
     "instruction 3 (line 4, lda_mov): no_task_end",
     "instruction 3 (line 4, ct_ed) on core 0: no_task_end"},
    // A Status names a lane by its class and core: "SO0" is SO of core 0. If a lane has no number, it is on the core of the status's
    // instruction. In a task of several cores the message names the core of each lane.
    {{ErrorCode::tokens_unbalanced, "LD->ST", 5, 1, 0}, "tokens_unbalanced: LD puts 1 token for ST, which takes 0", nullptr},
    {{ErrorCode::tokens_unbalanced, "CT->SI", 2, 0, 2},
     nullptr,
     "tokens_unbalanced: CT of core 1 puts 0 tokens for SI of core 1, which takes 2"},
    {{ErrorCode::tokens_unbalanced, "SO0->SI1", 1, 1, 0},
     nullptr,
     "tokens_unbalanced: SO of core 0 puts 1 token for SI of core 1, which takes 0"},
    {{ErrorCode::deadlock, "ST->LD", 3, 6, 2},
     "instruction 3 (line 4, lda_mov): deadlock: it can never start: it waits for a token from ST",
     nullptr},
    {{ErrorCode::deadlock, "SO0->SI1", 2, 8, 2},
     nullptr,
     "instruction 2 (line 3, si_sync) on core 1: deadlock: it can never start: it waits for a token from SO of core 0"},
    {{ErrorCode::cut_not_ordered, "DBSG", 3, 0, 1},
     "instruction 3 (line 4, lda_mov): cut_not_ordered: DBSG: it may start before instruction 1 (line 2, ct_bc), which defines L2 region "
     "0, has ended",
     nullptr},
    {{ErrorCode::cut_not_ordered, "ct_bc", 1, 7, 2},
     nullptr,
     "instruction 1 (line 2, so_sync) on core 0: cut_not_ordered: it may define L2 region 7 anew before instruction 2 (line 3, si_sync) on "
     "core 1, which "
     "uses it, has ended"},
    // Errors while the task runs.
    {{ErrorCode::time_limit, "ST", 2, 1000, 1000},
     "instruction 2 (line 3, lda_cfg): time_limit: it had not ended after the run's 1000 us",
     "instruction 2 (line 3, si_sync) on core 1: time_limit: it had not ended after the run's 1000 us"},
    {{ErrorCode::time_limit, "completion", -1, 1000, 1000},
     "time_limit: the run had not ended after its 1000 us",
     "time_limit: the run had not ended after its 1000 us"},
    {{ErrorCode::device_fault, "bus_error", 3, 8, 0x60001040},
     "instruction 3 (line 4, lda_mov): device_fault: bus_error: bus address 0x60001040",
     "instruction 3 (line 4, ct_ed) on core 0: device_fault: bus_error: bus address 0x60001040"},
    {{ErrorCode::device_fault, "window", 3, 5, 0x40},
     "instruction 3 (line 4, lda_mov): device_fault: window: address 0x40 of the DRAM window",
     nullptr},
    {{ErrorCode::device_fault, "cut", 3, 6, 0x200}, "instruction 3 (line 4, lda_mov): device_fault: cut: address 0x200 of L2", nullptr},
    {{ErrorCode::device_fault, "misaligned", 3, 14, 516},
     "instruction 3 (line 4, lda_mov): device_fault: misaligned: address 0x204 of L2 is not a multiple of 8",
     nullptr},
    {{ErrorCode::device_fault, "wl0", 3, 7, 12}, "instruction 3 (line 4, lda_mov): device_fault: wl0: unit 12 of WL0", nullptr},
    {{ErrorCode::device_fault, "core", 2, 20, 3},
     nullptr,
     "instruction 2 (line 3, si_sync) on core 1: device_fault: core: core 3 of the device"},
    {{ErrorCode::device_fault, "shape_mismatch", 3, 9, 0x21}, "instruction 3 (line 4, lda_mov): device_fault: shape_mismatch", nullptr},
    {{ErrorCode::device_fault, "ecc", 3, 19, 0x60000100},
     "instruction 3 (line 4, lda_mov): device_fault: ecc: address 0x60000100",
     nullptr},
    {{ErrorCode::device_fault, "ecc", -1, 19, 2}, "device_fault: ecc: memory of core 2 of the device", nullptr},
    {{ErrorCode::device_fault, "core reset", -1, 1}, "device_fault: core reset: core 1 of the device", nullptr},
    {{ErrorCode::device_fault, "completion", -1, 1}, "device_fault: completion: core 1 of the device", nullptr},
    {{ErrorCode::cancelled, "tile core", -1, 1}, "cancelled: core 1 of the device was reset for another task", nullptr},
    {{ErrorCode::cancelled, "watchdog"}, "cancelled: watchdog", nullptr},
    // If the status names `windows`, its first number is a window's. Otherwise it is an instruction's, or -1.
    {{ErrorCode::window_missing, "windows", 1, 0, 4096}, "window_missing: window 1, of 4096 bytes, was not given", nullptr},
    {{ErrorCode::window_missing, "STaddr", 3, 2}, "instruction 3 (line 4, lda_mov): window_missing: STaddr: there is no window 2", nullptr},
    {{ErrorCode::window_too_small, "windows", 1, 100, 4096}, "window_too_small: window 1 has 100 bytes, the task needs 4096", nullptr},
    {{ErrorCode::not_owner, "task_slot", -1, 3, 2}, "not_owner: task_slot 3 is owner 2's", nullptr},
};

TEST(Message, EachErrorInWords) {
  const Task one = one_core();
  const Task two = two_cores();
  for (const Sentence &sentence : kSentences) {
    if (sentence.of_one_core != nullptr) {
      EXPECT_EQ(describe(sentence.status, one), sentence.of_one_core);
    }
    if (sentence.of_two_cores != nullptr) {
      EXPECT_EQ(describe(sentence.status, two), sentence.of_two_cores);
    }
  }
}

/// Returns a task with two moves of LD, which use register set 1. Three configurations come before them: instruction `first` for set 1,
/// then instruction `second` twice, for `first_set` and for `second_set`.
Task replaced_configurations(const std::string &first, const std::string &second, int first_set, int second_set) {
  const auto configuration = [](const std::string &name, int set) {
    const std::string begin = "[\"" + name + R"(", {}, {"RS": )" + std::to_string(set) + R"(, "BAS": 0, "DF": "INT8", )";
    const bool activations = name == "lda_cfg";
    return begin +
           (activations ? R"("SME": 1, "STile": [8, 1, 4], "DTile": [8, 1, 4]}])"
                        : R"("MKC": 0, "MKEN": 0, "SWsize": [8, 1, 1], "DWsize": [8, 1, 1]}])") +
           "\n";
  };
  Task task;
  task.instructions = read_stream(
      configuration(first, 1) + configuration(second, first_set) + configuration(second, second_set) +
          R"(["lda_mov", {}, {"RS": 1, "DBSG": 0, "STaddr": 0, "DTaddr": 64, "Tile": [1, 8, 1, 4], "Prev_Insts": [], "Next_Insts": []}])"
          "\n"
          R"(["ldw_mov", {}, {"RS": 1, "DBSG": 0, "STaddr": 0, "DTaddr": 64, "Wsize": [1, 8, 1, 1], "Prev_Insts": [], "Next_Insts": []}])",
      "replaced");
  return task;
}

TEST(Message, AConfigurationThatAnotherInstructionHasReplaced) {
  const Status activations(ErrorCode::missing_configuration, "lda_cfg", 3);
  const std::string begin = "instruction 3 (line 4, lda_mov): missing_configuration: ";
  const std::string end = " replaced the lda_cfg before it; the two share register set 1 (RS)";
  EXPECT_EQ(describe(activations, replaced_configurations("lda_cfg", "ldw_cfg", 1, 0)), begin + "instruction 1 (line 2, ldw_cfg)" + end);
  EXPECT_EQ(describe(activations, replaced_configurations("lda_cfg", "ldw_cfg", 0, 1)), begin + "instruction 2 (line 3, ldw_cfg)" + end);
  EXPECT_EQ(describe(activations, replaced_configurations("lda_cfg", "ldw_cfg", 1, 1)), begin + "instruction 1 (line 2, ldw_cfg)" + end);
  const Status weights(ErrorCode::missing_configuration, "ldw_cfg", 4);
  EXPECT_EQ(
      describe(weights, replaced_configurations("ldw_cfg", "lda_cfg", 0, 1)),
      "instruction 4 (line 5, ldw_mov): missing_configuration: instruction 2 (line 3, lda_cfg) replaced the ldw_cfg before it; the two "
      "share register set 1 (RS)");
  // Without an lda_cfg there is nothing to replace.
  Task without = replaced_configurations("lda_cfg", "ldw_cfg", 1, 1);
  without.instructions.erase(without.instructions.begin());
  const Status missing(ErrorCode::missing_configuration, "lda_cfg", 2);
  EXPECT_EQ(describe(missing, without), "instruction 2 (line 4, lda_mov): missing_configuration: no lda_cfg before it");
  // A configuration of one core replaces nothing on another core.
  Task of_another_core = replaced_configurations("lda_cfg", "ldw_cfg", 0, 1);
  ASSERT_TRUE(isa::tile::set_core(of_another_core.instructions[2].code, 1).ok());
  EXPECT_EQ(describe(activations, of_another_core), begin + "no lda_cfg before it");
}

TEST(Message, WhoWaitsForSeveral) {
  const isa::tile::LaneSet lanes = 1U << isa::tile::lane_of(0, isa::tile::Class::SO) | 1U << isa::tile::lane_of(1, isa::tile::Class::LD);
  EXPECT_EQ(waits_text(two_cores(), lanes), "it can never start: it waits for a token from SO of core 0 and LD of core 1");
}

}  // namespace message_test
}  // namespace cox::task
