// SPDX-License-Identifier: MIT
// Tests the verifier with one error at a time, and the message that names the error.
#include "coxswain/firmware/verify/verifier.h"

#include <gmock/gmock.h>

#include <functional>
#include <ostream>

#include "tests/firmware/task_builder.h"

namespace cox::tests {
namespace {

using firmware::verify::Deadlock;
using firmware::verify::Limits;
using isa::tile::Class;
using isa::tile::MachineCode;
using isa::tile::Opcode;
using Code = std::vector<MachineCode>;

Limits limits() {
  Limits limits;
  limits.windows[0] = {256, true};
  limits.windows[1] = {64, false};
  limits.blocks = {0, 8191};
  limits.wl0_bytes = 20480 * 64;
  return limits;
}

/// Memory for the verifier. Its previous contents are arbitrary.
std::vector<std::byte> memory_for(std::size_t instructions, unsigned cores) {
  return std::vector(firmware::plan::plan_bytes(instructions, cores), std::byte{0x99});
}

Status verify(const Code &code, const Limits &limits_given = limits(), Deadlock *waiting = nullptr) {
  std::vector<std::byte> memory = memory_for(code.size(), limits_given.cores);
  return firmware::verify::verify(code, limits_given, memory, waiting).status();
}

void set(MachineCode &code, const char *name, std::int64_t value, unsigned element = 0) {
  const isa::Field &field = *isa::tile::find_field(*isa::tile::find_instruction(isa::tile::opcode_of(code)), name);
  isa::insert_bits(code, field.bit_of(element), field.width, static_cast<std::uint32_t>(value));
}
void set_previous(MachineCode &code, std::uint32_t classes) {
  isa::insert_bits(code, isa::tile::kPreviousBit, isa::tile::kClasses, classes);
}
void set_next(MachineCode &code, std::uint32_t classes) { isa::insert_bits(code, isa::tile::kNextBit, isa::tile::kClasses, classes); }

void set_core(MachineCode &code, unsigned core) { isa::insert_bits(code, isa::tile::kCoreBit, isa::tile::kCoreWidth, core); }

struct Bad {
  const char *name;
  ErrorCode error;
  std::int32_t index;
  const char *what;
  std::function<void(Code &)> change;
};

void PrintTo(const Bad &bad, std::ostream *out) { *out << bad.name; }

class BadTaskTest : public testing::TestWithParam<Bad> {};

TEST_P(BadTaskTest, IsRefusedWithInstructionAndReason) {
  Code code = copy_task().code;
  ASSERT_TRUE(verify(code).ok());
  GetParam().change(code);
  const Status status = verify(code);
  EXPECT_EQ(status.code(), GetParam().error) << error_name(status.code()) << " " << status.what();
  EXPECT_EQ(status.index(), GetParam().index);
  EXPECT_STREQ(status.what(), GetParam().what);
}

INSTANTIATE_TEST_SUITE_P(
    Verifier, BadTaskTest,
    testing::Values(
        Bad{"Nothing", ErrorCode::no_task_start, 0, "ct_st", [](Code &code) { code.clear(); }},
        Bad{"NoStart", ErrorCode::no_task_start, 0, "ct_st", [](Code &code) { code.erase(code.begin()); }},
        Bad{"NoEnd", ErrorCode::no_task_end, -1, "ct_ed", [](Code &code) { code.pop_back(); }},
        Bad{"StartAgain", ErrorCode::no_task_start, 1, "ct_st", [](Code &code) { code.insert(code.begin() + 1, code[0]); }},
        Bad{"EndEarly", ErrorCode::no_task_end, 6, "ct_ed", [](Code &code) { code.push_back(code.back()); }},
        Bad{"UnknownOpcode", ErrorCode::unknown_instruction, kLoad, "opcode",
            [](Code &code) { isa::insert_bits(code[kLoad], isa::tile::kOpcodeBit, 8, 0xEE); }},
        Bad{"OtherCore", ErrorCode::field_out_of_range, kLoad, "core", [](Code &code) { set_core(code[kLoad], 1); }},
        Bad{"StartElsewhere", ErrorCode::field_out_of_range, kStart, "core", [](Code &code) { set_core(code[kStart], 1); }},
        Bad{"EndElsewhere", ErrorCode::field_out_of_range, kEnd, "core", [](Code &code) { set_core(code[kEnd], 3); }},
        Bad{"Field", ErrorCode::field_out_of_range, kLoadConfiguration, "DF", [](Code &code) { set(code[kLoadConfiguration], "DF", 15); }},
        Bad{"FieldZero", ErrorCode::field_out_of_range, kLoad, "Tile", [](Code &code) { set(code[kLoad], "Tile", 0, 2); }},
        Bad{"Context", ErrorCode::reserved_bits, kLoad, "context",
            [](Code &code) { isa::insert_bits(code[kLoad], isa::tile::kContextBit, 8, 1); }},
        Bad{"Completion", ErrorCode::reserved_bits, kLoad, "completion",
            [](Code &code) { isa::insert_bits(code[kLoad], isa::tile::kCompletionBit, 1, 1); }},
        Bad{"MissingConfiguration", ErrorCode::missing_configuration, kLoad - 1, "lda_cfg",
            [](Code &code) { code.erase(code.begin() + kLoadConfiguration); }},
        Bad{"OutsideWindow", ErrorCode::address_outside_window, kLoad, "STaddr", [](Code &code) { set(code[kLoad], "STaddr", 136); }},
        Bad{"NoWindow", ErrorCode::window_missing, kLoad, "STaddr", [](Code &code) { set(code[kLoadConfiguration], "BAS", 2); }},
        Bad{"ReadOnlyWindow", ErrorCode::address_outside_window, kStore, "DTaddr",
            [](Code &code) { set(code[kStoreConfiguration], "BAS", 1); }},
        Bad{"OutsideRegion", ErrorCode::address_outside_cut, kLoad, "DTaddr", [](Code &code) { set(code[kLoad], "DTaddr", 8192 * 1024); }},
        Bad{"NoRegion", ErrorCode::address_outside_cut, kStore, "STaddr", [](Code &code) { set(code[kStore], "SBSG", 5); }},
        Bad{"Cut", ErrorCode::bad_buffer_cut, kCut, "BufCut",
            [](Code &code) {
              set(code[kCut], "BufCut", 10, 0);
              set(code[kCut], "BufCut", 8, 1);
            }},
        Bad{"TokenNeverTaken", ErrorCode::tokens_unbalanced, kLoad, "LD->ST", [](Code &code) { set_previous(code[kStore], 0); }},
        Bad{"TokenNeverPut", ErrorCode::tokens_unbalanced, kStore, "LD->ST", [](Code &code) { set_next(code[kLoad], 0); }},
        Bad{"Deadlock", ErrorCode::deadlock, kLoad, "ST->LD",
            [](Code &code) {
              set_previous(code[kLoad], bit(Class::CT) | bit(Class::ST));
              set_next(code[kStore], bit(Class::CT) | bit(Class::LD));
            }},
        Bad{"WaitsForItself", ErrorCode::deadlock, kLoad, "LD->LD",
            [](Code &code) {
              set_previous(code[kLoad], bit(Class::CT) | bit(Class::LD));
              set_next(code[kLoad], bit(Class::ST) | bit(Class::LD));
            }}),
    [](const testing::TestParamInfo<Bad> &bad) { return std::string(bad.param.name); });

TEST(Verifier, ACutMustStayInsideTheContextsBlocks) {
  Limits narrow = limits();
  narrow.blocks = {100, 200};
  EXPECT_EQ(verify(copy_task(100, 200).code, narrow).code(), ErrorCode::ok);
  for (const auto &[first, last] : {std::pair{99, 200}, std::pair{100, 201}}) {
    const Status status = verify(copy_task(first, last).code, narrow);
    EXPECT_EQ(status.code(), ErrorCode::bad_buffer_cut);
    EXPECT_EQ(status.index(), static_cast<std::int32_t>(kCut));
  }
}

/// A task that loads records of `channels` + 32 bytes to `unit` of WL0.
Code weights_task(std::int64_t unit, std::int64_t channels, std::int64_t records) {
  Code code = copy_task().code;
  const Code loads = {make(Opcode::lw_cfg, {{"DF", {1}}, {"BAS", {1}}, {"SWsize", {channels, 1, 1}}, {"DWsize", {channels, 1, 1}}}),
                      make(Opcode::lw_mov, {{"SS", {1}}, {"DTaddr", {unit}}, {"Wsize", {records, channels, 1, 1}}})};
  code.insert(code.end() - 1, loads.begin(), loads.end());
  return code;
}

TEST(Verifier, WeightsMustEndInsideTheDevicesWl0) {
  for (const std::int64_t units : {1, 100, 20'480, 65'535}) {
    Limits device = limits();
    device.wl0_bytes = static_cast<std::uint64_t>(units) * 64;
    device.windows[1].size = 80;
    EXPECT_EQ(verify(weights_task(units - 1, 32, 1), device).code(), ErrorCode::ok) << units;
    // Two records of 40 bytes that begin in the last unit (64 bytes) end 16 bytes behind WL0.
    for (const auto &[task, end] : {std::pair{weights_task(units, 32, 1), 64}, {weights_task(units - 1, 8, 2), 16}}) {
      const Status status = verify(task, device);
      EXPECT_EQ(status.code(), ErrorCode::address_outside_wl0) << units;
      EXPECT_STREQ(status.what(), "DTaddr");
      EXPECT_EQ(status.value(), units * 64 + end);
      EXPECT_EQ(status.limit(), units * 64);
    }
  }
}

TEST(Verifier, TellsWhereEveryClassOfADeadlockStands) {
  Code code = copy_task().code;
  set_previous(code[kLoad], bit(Class::CT) | bit(Class::ST));
  set_next(code[kStore], bit(Class::CT) | bit(Class::LD));
  Deadlock waiting;
  const Status status = verify(code, limits(), &waiting);
  EXPECT_EQ(status.code(), ErrorCode::deadlock);
  EXPECT_EQ(status.value(), static_cast<std::int64_t>(Class::ST));
  EXPECT_EQ(status.limit(), 3);  // three lanes are stuck: LD, ST and CT
  EXPECT_EQ(waiting.instruction[static_cast<unsigned>(Class::LD)], static_cast<std::int32_t>(kLoad));
  EXPECT_EQ(waiting.waits_for[static_cast<unsigned>(Class::LD)], bit(Class::ST));
  EXPECT_EQ(waiting.instruction[static_cast<unsigned>(Class::ST)], static_cast<std::int32_t>(kStore));
  EXPECT_EQ(waiting.waits_for[static_cast<unsigned>(Class::ST)], bit(Class::LD));
  EXPECT_EQ(waiting.instruction[static_cast<unsigned>(Class::CT)], static_cast<std::int32_t>(kEnd));
  EXPECT_EQ(waiting.instruction[static_cast<unsigned>(Class::PE)], -1);
}

TEST(Verifier, ATokenOfAClassToItselfIsOrderThatTheQueueKeepsAnyway) {
  Code code = copy_task().code;
  code.insert(code.begin() + kLoad + 1, code[kLoad]);
  set_next(code[kLoad], bit(Class::ST) | bit(Class::LD));
  set_previous(code[kLoad + 1], bit(Class::LD));
  set_next(code[kLoad + 1], 0);
  EXPECT_TRUE(verify(code).ok());
}

firmware::verify::TaskNeeds needs(const Code &code, const Limits &limits_given = limits());

/// Two loads that differ only in what `change` does to the second one. The verifier looks at the first load when it checks the second.
Code loads_again(const std::function<void(MachineCode &)> &change, const Code &between = {}) {
  Code code = copy_task().code;
  MachineCode again = code[kLoad];
  set_previous(again, 0);
  set_next(again, 0);
  change(again);
  const Code more = {again};
  code.insert(code.begin() + kLoad + 1, more.begin(), more.end());
  code.insert(code.begin() + kLoad + 1, between.begin(), between.end());
  return code;
}

TEST(Verifier, AnInstructionThatRepeatsAnotherWithOtherAddressesIsCheckedLikeAnyOther) {
  const auto refused = [](const char *field, std::int64_t value, ErrorCode error, std::int64_t limit) {
    const auto change = [&](MachineCode &load) { set(load, field, value); };
    Code alone = copy_task().code;
    change(alone[kLoad]);
    const Status wanted = verify(alone), found = verify(loads_again(change));
    EXPECT_EQ(wanted.code(), error) << field << " " << value;
    EXPECT_EQ(wanted.limit(), limit) << field << " " << value;
    EXPECT_EQ(found.code(), wanted.code()) << field << " " << value;
    EXPECT_STREQ(found.what(), wanted.what()) << field << " " << value;
    EXPECT_EQ(found.index(), wanted.index() + 1);
    EXPECT_EQ(found.value(), wanted.value()) << field << " " << value;
    EXPECT_EQ(found.limit(), wanted.limit()) << field << " " << value;
  };
  refused("STaddr", 136, ErrorCode::address_outside_window, 256);
  refused("STaddr", 0xFFFFFFF8, ErrorCode::address_outside_window, 256);
  refused("DTaddr", 4, ErrorCode::misaligned_address, 8);
  refused("DTaddr", 8192 * 1024, ErrorCode::address_outside_cut, 8192 * 1024 - 1);
  refused("DTaddr", 0x80000000, ErrorCode::address_outside_cut, 8192 * 1024 - 1);
  refused("DBSG", 3, ErrorCode::address_outside_cut, 0);
  refused("Tile", 0, ErrorCode::field_out_of_range, 1);
  EXPECT_TRUE(verify(loads_again([](MachineCode &load) { set(load, "STaddr", 128); })).ok());
  EXPECT_FALSE(needs(loads_again([](MachineCode &load) { set(load, "STaddr", 128); })).restartable) << "it reads what the store writes";
}

TEST(Verifier, ARepeatedInstructionIsCheckedWithTheConfigurationBeforeIt) {
  const auto same = [](MachineCode &load) { set(load, "STaddr", 64); };
  MachineCode other = copy_task().code[kLoadConfiguration];
  EXPECT_TRUE(verify(loads_again(same, {other})).ok());
  set(other, "BAS", 1);  // the window has 64 bytes
  Status status = verify(loads_again(same, {other}));
  EXPECT_EQ(status.code(), ErrorCode::address_outside_window);
  EXPECT_EQ(status.index(), static_cast<std::int32_t>(kLoad + 2));
  // The cut before the second load makes the region too small for its address.
  MachineCode cut = copy_task().code[kCut];
  set(cut, "BufCut", 1, 0);
  set(cut, "BufCut", 8191, 1);
  set_next(cut, 0);
  status = verify(loads_again([](MachineCode &) {}, {cut}));
  EXPECT_EQ(status.code(), ErrorCode::address_outside_cut);
  EXPECT_EQ(status.index(), static_cast<std::int32_t>(kLoad + 2));
}

TEST(Verifier, TooManyInstructions) {
  Code code = copy_task().code;
  code.insert(code.begin() + kLoadConfiguration, firmware::verify::kMaximumInstructions, code[kLoadConfiguration]);
  const Status status = verify(code);
  EXPECT_EQ(status.code(), ErrorCode::too_many_instructions);
  code.erase(code.begin() + kLoadConfiguration, code.begin() + kLoadConfiguration + 7);
  EXPECT_TRUE(verify(code).ok());
}

TEST(Verifier, ItsMemoryMustHaveRoom) {
  const Code code = copy_task().code;
  std::vector<std::byte> memory = memory_for(code.size(), 1);
  const std::span<std::byte> all = memory;
  for (const std::span<std::byte> wrong : {all.first(all.size() - 1), all.subspan(1)}) {
    const Status status = firmware::verify::verify(code, limits(), wrong).status();
    EXPECT_EQ(status.code(), ErrorCode::invalid_argument);
    EXPECT_STREQ(status.what(), "workspace");
  }
  for (const unsigned cores : {0U, 5U}) {
    Limits many = limits();
    many.cores = cores;
    EXPECT_STREQ(verify(code, many).what(), "cores");
  }
}

TEST(Verifier, SortsByClassInProgramOrder) {
  const Code code = copy_task().code;
  std::vector<std::byte> memory = memory_for(code.size(), 1);
  const auto verified = firmware::verify::verify(code, limits(), memory);
  ASSERT_TRUE(verified.ok());
  const firmware::verify::Streams &streams = verified.value().streams;
  EXPECT_THAT(streams.lane(0), testing::ElementsAre(kStart, kCut, kEnd));
  EXPECT_THAT(streams.lane(1), testing::ElementsAre(kLoadConfiguration, kLoad));
  EXPECT_THAT(streams.lane(6), testing::ElementsAre(kStoreConfiguration, kStore));
  EXPECT_TRUE(streams.lane(3).empty());
}

Limits of_cores(unsigned cores) {
  Limits result = limits();
  result.cores = cores;
  return result;
}
MachineCode on_core(unsigned core, MachineCode code) {
  set_core(code, core);
  return code;
}

firmware::verify::TaskNeeds needs(const Code &code, const Limits &limits_given) {
  std::vector<std::byte> memory = memory_for(code.size(), limits_given.cores);
  const auto verified = firmware::verify::verify(code, limits_given, memory);
  EXPECT_TRUE(verified.ok()) << error_name(verified.status().code()) << " " << verified.status().what() << " " << verified.status().index();
  return verified.ok() ? verified.value().needs : firmware::verify::TaskNeeds{};
}

/// Core 0 loads 8 bytes into block 2 and sends core 1 a token. Core 1 then fetches the bytes into its own block 5.
enum TwoCoresIndex : std::size_t { kSend = 5, kCutOther, kFetchConfiguration, kFetch };
Code two_cores() {
  const Fields map = {{"DF", {1}}, {"STile", {8, 1, 1}}, {"DTile", {8, 1, 1}}};
  return {
      make(Opcode::ct_st),
      make(Opcode::ct_bc, {{"BufCut", {1, 2}}}, 0, bit(Class::LD)),
      make(Opcode::lda_cfg, map),
      make(Opcode::lda_mov, {{"DTaddr", {2048}}, {"Tile", {1, 8, 1, 1}}}, bit(Class::CT), bit(Class::SO)),
      make(Opcode::so_cfg, map),
      make(Opcode::so_sync, {{"Next_Cores", {2}}}, bit(Class::LD)),
      on_core(1, make(Opcode::ct_bc, {{"BufCut", {1, 5}}}, 0, bit(Class::SI))),
      on_core(1, make(Opcode::si_cfg, map)),
      on_core(1,
              make(Opcode::si_mov, {{"STaddr", {2048}}, {"DTaddr", {5120}}, {"Tile", {1, 8, 1, 1}}, {"Prev_Cores", {1}}}, bit(Class::CT))),
      make(Opcode::ct_ed),
  };
}

TEST(SeveralCores, BlocksOfAllCoresAndWhatTheyReachOfEachOther) {
  Code code = two_cores();
  const firmware::verify::TaskNeeds two = needs(code, of_cores(2));
  EXPECT_EQ(two.cores, 2U);
  EXPECT_EQ(two.blocks.first, 2U);
  EXPECT_EQ(two.blocks.last, 5U);
  EXPECT_TRUE(two.weights.empty());
  // The fetch, an instruction of another core, now reads an address outside of all regions of core 0. This is allowed, because a core's
  // regions limit only the core's own accesses.
  set(code[kFetch], "STaddr", 9 * 1024);
  EXPECT_EQ(needs(code, of_cores(2)).blocks.last, 9U);
}

TEST(SeveralCores, CutsAndConfigurationsAreOfOneCore) {
  Code code = two_cores();
  set_core(code[kFetchConfiguration], 0);
  Status status = verify(code, of_cores(2));
  EXPECT_EQ(status.code(), ErrorCode::missing_configuration);
  EXPECT_EQ(status.index(), static_cast<std::int32_t>(kFetch));
  EXPECT_STREQ(status.what(), "si_cfg");
  code = two_cores();
  set_core(code[kCutOther], 0);  // from now on, this cut defines region 0 of core 0
  status = verify(code, of_cores(2));
  EXPECT_EQ(status.code(), ErrorCode::address_outside_cut);
  EXPECT_EQ(status.index(), static_cast<std::int32_t>(kFetch));
  EXPECT_STREQ(status.what(), "DTaddr");
}

TEST(SeveralCores, WhatIsWrongBetweenThemIsNamed) {
  const auto refused = [](const std::function<void(Code &)> &change, ErrorCode error, const char *what, std::size_t index,
                          unsigned cores = 2) {
    Code code = two_cores();
    change(code);
    const Status status = verify(code, of_cores(cores));
    EXPECT_EQ(status.code(), error) << error_name(status.code()) << " " << status.what();
    EXPECT_STREQ(status.what(), what);
    EXPECT_EQ(status.index(), static_cast<std::int32_t>(index));
  };
  refused([](Code &) {}, ErrorCode::field_out_of_range, "Next_Cores", kSend, 1);
  refused([](Code &code) { set(code[kSend], "Next_Cores", 4); }, ErrorCode::field_out_of_range, "Next_Cores", kSend);
  refused([](Code &code) { set(code[kSend], "Next_Cores", 1); }, ErrorCode::own_core, "Next_Cores", kSend);
  refused([](Code &code) { set(code[kFetch], "Prev_Cores", 8); }, ErrorCode::field_out_of_range, "Prev_Cores", kFetch, 3);
  refused([](Code &code) { set(code[kFetch], "CORE", 1); }, ErrorCode::own_core, "CORE", kFetch);
  refused([](Code &code) { set(code[kFetch], "CORE", 2); }, ErrorCode::field_out_of_range, "CORE", kFetch);
  refused([](Code &code) { set_core(code[kFetch], 2); }, ErrorCode::field_out_of_range, "core", kFetch);
  refused([](Code &code) { set(code[kFetch], "STaddr", 8192 * 1024); }, ErrorCode::address_outside_cut, "STaddr", kFetch);
  refused([](Code &code) { set(code[kSend], "Next_Cores", 0); }, ErrorCode::tokens_unbalanced, "SO0->SI1", kFetch);
  refused([](Code &code) { set(code[kFetch], "Prev_Cores", 0); }, ErrorCode::tokens_unbalanced, "SO0->SI1", kSend);
  // SI and SO of one core are different lanes.
  refused(
      [](Code &code) {
        code[kSend] = make(Opcode::si_sync, {{"Next_Cores", {2}}}, bit(Class::LD));
      },
      ErrorCode::tokens_unbalanced, "LD->SI", kSend);
}

TEST(SeveralCores, ADeadlockGoesThroughThem) {
  Code code = two_cores();
  // This is a deadlock: the send waits for the fetch, and the fetch waits for the send.
  set(code[kSend], "Prev_Cores", 2);
  set(code[kFetch], "Next_Cores", 1);
  Deadlock waiting;
  const Status status = verify(code, of_cores(2), &waiting);
  EXPECT_EQ(status.code(), ErrorCode::deadlock);
  EXPECT_STREQ(status.what(), "SI1->SO0");
  EXPECT_EQ(status.index(), static_cast<std::int32_t>(kSend));
  EXPECT_EQ(status.value(), 9 + 7);  // lane SI (7) of core 1, whose lanes follow the 9 of core 0
  EXPECT_EQ(status.limit(), 2);
  EXPECT_EQ(waiting.instruction[8], static_cast<std::int32_t>(kSend));
  EXPECT_EQ(waiting.waits_for[8], std::uint64_t{1} << 16);
  EXPECT_EQ(waiting.instruction[16], static_cast<std::int32_t>(kFetch));
  EXPECT_EQ(waiting.waits_for[16], std::uint64_t{1} << 8);
}

TEST(Needs, WhatIsRunAgainMustNotFindWhatItHasWritten) {
  Code code = copy_task().code;
  EXPECT_TRUE(needs(code).restartable);  // reads bytes 0 to 127, writes bytes 128 to 255
  set(code[kStore], "DTaddr", 127);
  EXPECT_FALSE(needs(code).restartable);
  set(code[kStore], "DTaddr", 128);
  set(code[kLoadConfiguration], "BAS", 1);  // reads 64 bytes of another window
  set(code[kLoadConfiguration], "STile", 2, 1);
  set(code[kLoad], "Tile", 2, 2);
  set(code[kStore], "DTaddr", 0);
  EXPECT_TRUE(needs(code).restartable);
}

TEST(Needs, UnitsOfWeights) {
  Code code = copy_task().code;
  const Code load{make(Opcode::lw_cfg, {{"BAS", {0}}, {"DF", {1}}, {"SWsize", {8, 1, 1}}, {"DWsize", {8, 1, 1}}}),
                  make(Opcode::lw_mov, {{"SS", {1}}, {"DTaddr", {7}}, {"Wsize", {4, 8, 1, 1}}})};  // 160 bytes: 2.5 units of 64
  code.insert(code.begin() + kLoadConfiguration, load.begin(), load.end());
  EXPECT_EQ(needs(code).weights.first, 7U);
  EXPECT_EQ(needs(code).weights.last, 9U);
}

// needs() must not report a unit behind the last one of WL0, because the device would refuse a context with this unit.
TEST(Needs, WeightsThatEndWithWl0TakeItsLastUnitAndNoMore) {
  const auto units = static_cast<std::int64_t>(limits().wl0_bytes / isa::tile::kWeightUnitBytes);
  Code code = copy_task().code;
  const Code load{make(Opcode::lw_cfg, {{"BAS", {0}}, {"DF", {1}}, {"SWsize", {8, 1, 1}}, {"DWsize", {8, 1, 1}}}),
                  make(Opcode::lw_mov, {{"SS", {1}}, {"DTaddr", {units - 2}}, {"Wsize", {3, 8, 1, 1}}})};  // 120 bytes: 2 units of 64
  code.insert(code.begin() + kLoadConfiguration, load.begin(), load.end());
  EXPECT_EQ(needs(code).weights.last, units - 1);
  Limits wide = limits();
  wide.windows[0].size = 512;
  // 8 records take 320 bytes: 5 whole units.
  set(code[kLoadConfiguration + 1], "Wsize", 8, 0);
  set(code[kLoadConfiguration + 1], "DTaddr", units - 5);
  EXPECT_EQ(needs(code, wide).weights.first, units - 5);
  EXPECT_EQ(needs(code, wide).weights.last, units - 1);
}

// Two adjacent ranges have no byte in common, so the task may be retried.
TEST(Needs, ATaskThatWritesUpToWhatItReadsMayRunAgain) {
  Code code = copy_task().code;
  set(code[kLoad], "STaddr", 128);
  set(code[kStore], "DTaddr", 0);
  EXPECT_TRUE(needs(code).restartable) << "reads 128 to 255, writes 0 to 127";
  set(code[kStore], "DTaddr", 1);
  EXPECT_FALSE(needs(code).restartable) << "writes byte 128";
}

void expect_cut_not_ordered(const Code &code, const char *what, std::size_t index, std::int64_t region, std::size_t other) {
  const Status status = verify(code);
  EXPECT_EQ(status.code(), ErrorCode::cut_not_ordered) << error_name(status.code()) << " " << status.what();
  EXPECT_STREQ(status.what(), what);
  EXPECT_EQ(status.index(), static_cast<std::int32_t>(index));
  EXPECT_EQ(status.value(), region);
  EXPECT_EQ(status.limit(), static_cast<std::int64_t>(other));
}

TEST(CutOrder, ALoadThatMayStartBeforeItsRegionIsDefined) {
  Code code = copy_task().code;
  set_next(code[kCut], 0);
  set_previous(code[kLoad], 0);
  expect_cut_not_ordered(code, "DBSG", kLoad, 0, kCut);
}

TEST(CutOrder, TheFieldThatSelectsTheRegionIsNamed) {
  Code code = copy_task().code;
  const Code cut{make(Opcode::ct_bc, {{"BCS", {1}}, {"BufCut", {0, 0, 0, 8191}}})};  // region 5
  code.insert(code.begin() + kCut + 1, cut.begin(), cut.end());
  EXPECT_TRUE(verify(code).ok());
  set(code[kStore + 1], "SBSG", 5);
  expect_cut_not_ordered(code, "SBSG", kStore + 1, 5, kCut + 1);
  // So far the first ct_bc has given the load its token. Now the second ct_bc gives it.
  set_next(code[kCut], 0);
  set_next(code[kCut + 1], bit(Class::LD));
  EXPECT_TRUE(verify(code).ok());
}

/// Positions of the instructions of copy_twice(), which copies twice. Between the two copies, another ct_bc makes region 0 smaller.
enum TwiceIndex : std::size_t { kCutAgain = kStore + 1, kLoadAgain, kStoreAgain, kEndAgain };

Code copy_twice(std::int64_t blocks = 4096) {
  Code code = copy_task().code;
  Code more{make(Opcode::ct_bc, {{"BufCut", {blocks % 8192, blocks - 1}}}), code[kLoad], code[kStore]};
  set_previous(more[0], bit(Class::ST));  // the token that the first store gives
  set_next(more[0], bit(Class::LD));
  code.insert(code.begin() + kStore + 1, more.begin(), more.end());
  return code;
}

TEST(CutOrder, ADefinitionAfterAllUsersOfTheOneBefore) { EXPECT_TRUE(verify(copy_twice()).ok()); }

TEST(CutOrder, ADefinitionThatMayComeBeforeAUserOfTheOneBefore) {
  Code code = copy_twice();
  set_previous(code[kCutAgain], 0);
  set_next(code[kStore], 0);
  expect_cut_not_ordered(code, "ct_bc", kCutAgain, 0, kLoad);  // CT reaches this cut without a token from LD
  // Now a token orders the cut after the load, but none orders it after the store.
  set_next(code[kLoad], bit(Class::ST) | bit(Class::CT));
  set_previous(code[kCutAgain], bit(Class::LD));
  expect_cut_not_ordered(code, "ct_bc", kCutAgain, 0, kStore);
}

TEST(CutOrder, ALaterTokenOfTheSamePairIsNotTheFirst) {
  // The first load takes the token that ct_st gives. It does not wait for the first ct_bc.
  Code code = copy_twice();
  code.insert(code.begin() + kLoad, code[kLoad]);
  set_next(code[kLoad], 0);
  set_next(code[kLoad + 1], bit(Class::ST));
  set_next(code[kStart], bit(Class::LD));  // CT gives one more token, before any ct_bc
  expect_cut_not_ordered(code, "DBSG", kLoad, 0, kCut);
}

TEST(CutOrder, OrderComesThroughOtherClassesAndEarlierInstructions) {
  // The stores need no token from the ct_bc. The first store waits for the load, which waits for the ct_bc. The second store takes no token
  // at all: it runs after the first one because both are in the same queue.
  Code code = copy_task().code;
  const MachineCode store = code[kStore];
  code.insert(code.begin() + kStore, store);
  set_next(code[kStore], 0);
  set_previous(code[kStore + 1], 0);
  EXPECT_TRUE(verify(code).ok());
}

TEST(CutOrder, TheSameDefinitionAgainIsNone) {
  Code code = copy_twice(8192);
  set_previous(code[kCutAgain], 0);
  set_next(code[kStore], 0);
  EXPECT_TRUE(verify(code).ok());
  // Now the second ct_bc changes region 1, which the store uses. The verifier refuses this, because no token orders the ct_bc after the
  // store.
  set(code[kCut], "BufCut", 8191, 3);
  set(code[kStore], "SBSG", 1);
  expect_cut_not_ordered(code, "ct_bc", kCutAgain, 1, kStore);
}

}  // namespace
}  // namespace cox::tests
