// SPDX-License-Identifier: MIT
// Generic code calls resolve() and footprint() of all sets with the same arguments. The tests make these calls with each set, and with a
// toy set that keeps operands in memory.
#include <gtest/gtest.h>

#include <cstring>

#include "coxswain/isa/cube/operation.h"
#include "coxswain/isa/mx/operation.h"
#include "coxswain/isa/operand_memory.h"
#include "coxswain/isa/tile/operation.h"
#include "coxswain/isa/tile/table.h"
#include "tests/isa/instruction_set/toys.h"

namespace cox::isa {
namespace groups {

struct State {};
struct Operation {
  std::uint32_t operand = 0;
};

/// FIRST has the address of its operand in Value and reads the operand from memory.
Result<Operation> resolve(const MachineCode &code, const State & /*state*/, const OperandMemory &memory) {
  Operation operation;
  const auto address = static_cast<std::uint64_t>(get<Opcode::FIRST, "Value">(code));
  if (!memory.read(address, std::as_writable_bytes(std::span(&operation.operand, 1)))) {
    return Status(ErrorCode::address_outside_window, "Value", -1, signed_of(address));
  }
  return operation;
}

}  // namespace groups

namespace {

/// Calls resolve() and footprint() without a namespace. The compiler finds the functions through the types of the arguments.
template <typename State>
Status resolve_status(const auto &code, const State &state) {
  const auto operation = resolve(code, state, kNoMemory);
  if (operation.status().ok()) static_cast<void>(footprint(operation.value()));
  return operation.status();
}

TEST(Operands, EverySetHasOneForm) {
  EXPECT_TRUE(resolve_status(tile::Set::begin(tile::Opcode::ct_st), tile::State{}).ok());
  EXPECT_EQ(resolve_status(cube::Set::begin(cube::Opcode::L0C_TO_L1), cube::State{}).code(), ErrorCode::missing_configuration);
  EXPECT_EQ(resolve_status(mx::Set::begin(mx::Opcode::ELADD), mx::State{}).code(), ErrorCode::missing_configuration);
}

TEST(Operands, StateOfMx) {
  mx::MachineCode code = mx::Set::begin(mx::Opcode::CONFBADDR);
  ASSERT_TRUE(mx::Set::set(code, field<mx::Opcode::CONFBADDR, "InputBase1">(), 7).ok());
  mx::State state;
  const Result<mx::Operation> operation = resolve(code, state, kNoMemory);
  ASSERT_TRUE(operation.ok());
  state.apply(operation.value());
  EXPECT_TRUE(state.selection.chosen);
  EXPECT_EQ(state.selection.input1, 7);
}

class OneWord final : public OperandMemory {
 public:
  [[nodiscard]] bool read(std::uint64_t address, std::span<std::byte> bytes) const override {
    constexpr std::uint32_t kWord = 0x12345678;
    if (address != 64 || bytes.size() != sizeof kWord) return false;
    std::memcpy(bytes.data(), &kWord, sizeof kWord);
    return true;
  }
};

TEST(Operands, FromMemory) {
  groups::MachineCode code = groups::Set::begin(groups::Opcode::FIRST);
  put<groups::Opcode::FIRST, "Value">(code, 64U);
  EXPECT_EQ(resolve(code, groups::State{}, OneWord()).value().operand, 0x12345678U);
  EXPECT_EQ(resolve(code, groups::State{}, kNoMemory).status().code(), ErrorCode::address_outside_window);
}

}  // namespace
}  // namespace cox::isa
