// SPDX-License-Identifier: MIT
// The verifier: one thing wrong at a time, and the message that says what.
#include "firmware/verify/verifier.h"

#include <gmock/gmock.h>

#include <functional>

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
  limits.wl0_bytes = 18432 * 64;
  return limits;
}

Status verify(const Code &code, const Limits &limits_given = limits(), Deadlock *waiting = nullptr) {
  std::vector<std::uint16_t> order(code.size());
  return firmware::verify::verify(code, limits_given, order, waiting).status();
}

void set(MachineCode &code, const char *name, std::int64_t value, unsigned element = 0) {
  const isa::Field &field = *isa::tile::find_field(*isa::tile::find_instruction(isa::tile::opcode_of(code)), name);
  isa::insert_bits(code, field.bit_of(element), field.width, static_cast<std::uint32_t>(value));
}
void set_previous(MachineCode &code, std::uint32_t classes) {
  isa::insert_bits(code, isa::tile::kPreviousBit, isa::tile::kClasses, classes);
}
void set_next(MachineCode &code, std::uint32_t classes) { isa::insert_bits(code, isa::tile::kNextBit, isa::tile::kClasses, classes); }

struct Bad {
  const char *name;
  ErrorCode error;
  std::int32_t index;
  const char *what;
  std::function<void(Code &)> change;
};

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
        Bad{"OtherCore", ErrorCode::unsupported, kLoad, "si_mov", [](Code &code) { code[kLoad] = make(Opcode::si_mov); }},
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

TEST(Verifier, TellsWhereEveryClassOfADeadlockStands) {
  Code code = copy_task().code;
  set_previous(code[kLoad], bit(Class::CT) | bit(Class::ST));
  set_next(code[kStore], bit(Class::CT) | bit(Class::LD));
  Deadlock waiting;
  const Status status = verify(code, limits(), &waiting);
  EXPECT_EQ(status.code(), ErrorCode::deadlock);
  EXPECT_EQ(status.value(), static_cast<std::int64_t>(Class::ST));
  EXPECT_EQ(status.limit(), 3);  // LD, ST and CT are stuck
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

TEST(Verifier, TooManyInstructions) {
  Code code = copy_task().code;
  code.insert(code.begin() + kLoadConfiguration, firmware::verify::kMaximumInstructions, code[kLoadConfiguration]);
  const Status status = verify(code);
  EXPECT_EQ(status.code(), ErrorCode::too_many_instructions);
  code.erase(code.begin() + kLoadConfiguration, code.begin() + kLoadConfiguration + 7);
  EXPECT_TRUE(verify(code).ok());
}

TEST(Verifier, TheOrderMustHaveRoom) {
  const Code code = copy_task().code;
  std::vector<std::uint16_t> order(code.size() - 1);
  EXPECT_EQ(firmware::verify::verify(code, limits(), order).status().code(), ErrorCode::invalid_argument);
}

TEST(Verifier, SortsByClassInProgramOrder) {
  const Code code = copy_task().code;
  std::vector<std::uint16_t> order(code.size());
  const auto streams = firmware::verify::verify(code, limits(), order);
  ASSERT_TRUE(streams.ok());
  EXPECT_THAT(streams.value().classes[0], testing::ElementsAre(kStart, kCut, kEnd));
  EXPECT_THAT(streams.value().classes[1], testing::ElementsAre(kLoadConfiguration, kLoad));
  EXPECT_THAT(streams.value().classes[6], testing::ElementsAre(kStoreConfiguration, kStore));
  EXPECT_TRUE(streams.value().classes[3].empty());
}

}  // namespace
}  // namespace cox::tests
