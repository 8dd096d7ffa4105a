// SPDX-License-Identifier: MIT
// Each operation has a generator, whose instructions resolve() accepts, touch what the generator says, and give the same bytes on both
// paths.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "coxswain/isa/unity/operation.h"
#include "sim/model/unity/arithmetic/execute.h"
#include "sim/model/unity/machine/access.h"
#include "tests/sim/unity/programs/generators.h"
#include "tests/sim/unity/programs/rig.h"

namespace cox::test::unity_programs {
namespace {

using namespace isa::unity;

constexpr std::uint32_t kTable = 0x100;

MachineCode code_of(Opcode op, AddressSpace space) {
  const Instruction &row = Set::row(op);
  const std::uint64_t table = kTable + (space == AddressSpace::bits16 ? 0 : kPage);
  return {row.section | static_cast<std::uint32_t>(space) << 6 | std::uint32_t{row.code} << 8, 0, static_cast<std::uint32_t>(table), 0};
}

void expect_touched(const Made &made, const Access &access) {
  if (std::string_view(access.field) == "table") return;
  const bool said = std::any_of(made.ranges.begin(), made.ranges.end(), [&](const Range &range) {
    return range.write == access.write && range.address <= access.start && access.end() <= range.address + range.bytes;
  });
  // An operand that is updated may also be read.
  const bool updated = !access.write && std::any_of(made.ranges.begin(), made.ranges.end(), [&](const Range &range) {
    return range.write && range.address <= access.start && access.end() <= range.address + range.bytes;
  });
  EXPECT_TRUE(said || updated) << access.field << (access.write ? " writes " : " reads ") << access.start << ", " << access.bytes
                               << " bytes";
}

void check_instruction(Opcode op, AddressSpace space, std::uint64_t seed) {
  Random random(seed);
  Pool pool(random);
  Made made;
  try {
    made = make_instruction(random, pool, op, space);
  } catch (const std::length_error &) {
    return;
  }
  ProgramMemory memory = pool.memory;
  made.table.copy_to({memory.at(kPage + kTable, made.table_bytes()), made.table_bytes()});
  const MachineCode code = code_of(op, space);
  const ProgramTables tables(memory);
  const Surroundings surroundings{tables, kPage};
  const Result<Operation> operation = resolve(code, surroundings);
  ASSERT_TRUE(operation) << text_of(operation.status());
  for_each_access(code, surroundings, operation.value(), [&](const Access &access) { expect_touched(made, access); });
  ProgramMemory result[2] = {memory, memory};
  for (const auto path : {model::unity::Path::reference, model::unity::Path::fast}) {
    model::unity::Operands operands(result[path == model::unity::Path::fast ? 1 : 0]);
    const Status status = execute(operation.value(), operands, path);
    ASSERT_TRUE(status) << text_of(status);
    ASSERT_TRUE(operands.flush());
  }
  ASSERT_TRUE(result[0] == result[1]) << "the paths differ";
}

TEST(UnityInstructions, EveryOperationHasAGenerator) {
  for (const Instruction &row : kInstructions) {
    const Generator generator = generator_of(row.opcode);
    EXPECT_TRUE(row.stage == Stage::later || generator.generate != nullptr || generator.by_program) << row.name;
  }
}

TEST(UnityInstructions, OperationsWithoutArithmeticAreRefusedByName) {
  for (const Instruction &row : kInstructions) {
    if (row.stage == Stage::now) continue;
    for (const AddressSpace space : kAddressSpaces) {
      ProgramMemory memory;
      const ProgramTables tables(memory);
      const Status status = resolve(code_of(row.opcode, space), {tables, kPage}).status();
      EXPECT_EQ(text_of(status), std::string("unsupported ") + row.name + " value 0 limit 0");
    }
  }
}

TEST(UnityInstructions, GeneratedOnesAreValid) {
  const unsigned turns = std::max(programs(1000) / 100, 5U);
  for (const Instruction &row : kInstructions) {
    if (row.stage == Stage::later || generator_of(row.opcode).generate == nullptr) continue;
    for (const AddressSpace space : kAddressSpaces) {
      for (unsigned turn = 0; turn < turns && !HasFailure(); ++turn) {
        SCOPED_TRACE(std::string(row.name) + ", seed " + std::to_string(turn) + ", space " + std::to_string(address_bits(space)));
        check_instruction(row.opcode, space, turn);
      }
    }
  }
}

}  // namespace
}  // namespace cox::test::unity_programs
