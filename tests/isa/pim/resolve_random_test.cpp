// SPDX-License-Identifier: MIT
// Random instructions with registers near the limits: resolve() reads only inside of memories (TestCore checks that), and each access of an
// operation that it accepts lies in one memory which the instruction may use.
#include <gtest/gtest.h>

#include <random>

#include "tests/isa/pim/core.h"

namespace cox::isa::pim {
namespace resolve_random_test {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(engine_() % limit); }
  bool often(std::uint32_t of_ten) { return below(10) < of_ten; }

  /// A number that some instruction takes for a count, an address near the end of a memory, or anything.
  std::uint32_t value() {
    switch (below(8)) {
      case 0: return static_cast<std::uint32_t>(engine_());
      case 1: return below(4);
      case 2: return below(40);
      case 3: return below(300);
      case 4: return 0U - below(40);
      default: return address();
    }
  }
  std::uint32_t address() {
    const Configuration &configuration = default_configuration();
    const std::uint32_t number = below(configuration.memories_count + 2);
    if (number == configuration.memories_count) return below(2) * 0x100000 + below(64) - 32;
    if (number > configuration.memories_count) return kDram + below(5) * kDramPart + below(64) - 32;
    const Memory &memory = configuration.memories[number];
    return often(5) ? memory.first + below(memory.bytes) : memory.first + below(2) * memory.bytes + below(200) - 100;
  }
  std::uint32_t width() { return often(9) ? 1U << below(6) : value(); }

  MachineCode instruction(const Instruction &row) {
    MachineCode code = Set::begin(row);
    for (const Field &field : row.fields) {
      do {
        insert_bits(code, field.bit, field.width, static_cast<std::uint32_t>(engine_()));
      } while (field.kind == Kind::enumeration && field.types[0]->find(read_integer(code, field)) == nullptr);
    }
    if (row.opcode == Opcode::simd_compute) {
      const SimdForm &form = kDefaultSimdForms[below(kSimdForms)];
      put<Opcode::simd_compute, "opcode">(code, form.opcode);
      put<Opcode::simd_compute, "input_num">(code, form.inputs - 1U);
    }
    if (row.opcode == Opcode::jmp) put<Opcode::jmp, "offset">(code, below(120) - 15);
    return code;
  }

 private:
  std::mt19937 engine_;
};

void set_registers(TestCore &core, Random &random) {
  for (std::uint32_t &general : core.registers.general) general = random.value();
  for (const Special name :
       {Special::input_bit_width, Special::output_bit_width, Special::simd_input1_bit_width, Special::simd_input2_bit_width,
        Special::simd_input3_bit_width, Special::simd_input4_bit_width, Special::simd_output_bit_width}) {
    core.set(name, random.width());
  }
  core.set(Special::weight_bit_width, random.often(5) ? 1 : random.width());
  core.set(Special::group_size, random.often(9) ? 8U << random.below(3) : random.value());
  core.set(Special::activation_group_num, random.below(6));
  core.set(Special::activation_column_num, random.often(9) ? random.below(140) : random.value());
  core.set(Special::group_input, random.often(5) ? random.below(100) : random.address());
  core.set(Special::value_sparse_mask, random.address());
  core.set(Special::bit_sparse_meta, random.often(7) ? kMetaBuffer + random.below(1000) : random.address());
}

/// Sets the registers of a pim-compute so that it is often accepted.
void set_compute_registers(TestCore &core, Random &random, const MachineCode &code, const MachineCode &batch) {
  constexpr Opcode kCompute = Opcode::pim_compute, kBatch = Opcode::pim_batch;
  auto &general = core.registers.general;
  general[get<kCompute, "rs1">(code)] = random.address();
  general[get<kCompute, "rs2">(code)] = random.below(random.often(5) ? 33 : 100);
  general[get<kCompute, "rs3">(code)] = random.below(18);
  general[get<kBatch, "rs1">(batch)] = random.below(6);
  for (const std::uint32_t number : {get<kBatch, "rs2">(batch), get<kBatch, "rs3">(batch), get<kBatch, "rs4">(batch)}) {
    general[number] = random.often(5) ? random.below(20) : random.address();
  }
}

void expect_inside(const TestCore &core, const Operation &operation) {
  for_each_access(operation, core.configuration, core, [&](const Access &access) {
    ASSERT_TRUE(access.place.found()) << access.field;
    ASSERT_GT(access.bytes, 0U);
    std::uint64_t bytes = core.configuration.dram_part();
    if (access.place.is_array()) bytes = core.configuration.array.bytes();
    if (access.place.is_local()) bytes = core.configuration.memories[access.place.space].bytes;
    ASSERT_LE(access.place.offset + access.bytes, bytes) << access.field;
    if (!access.place.is_local()) {
      const auto *load = std::get_if<LoadStore>(&operation);
      ASSERT_TRUE(std::holds_alternative<Trans>(operation) || (load != nullptr && load->global)) << access.field;
    }
  });
}

TEST(ResolveRandom, AcceptedOperationsLieInMemories) {
  Random random(14);
  std::vector<unsigned> accepted(Set::instructions().size()), refused(Set::instructions().size());
  TestCore core;
  for (std::uint32_t address = kMaskBuffer; address < kMaskBuffer + 0x10000; address += 4) {
    core.write_words(address, {random.often(5) ? random.value() : random.below(100)});
  }
  for (unsigned i = 0; i < 100000; ++i) {
    set_registers(core, random);
    const Instruction &row =
        Set::instructions()[random.often(4) ? 0 : random.below(static_cast<std::uint32_t>(Set::instructions().size()))];
    const MachineCode code = random.instruction(row), batch = random.instruction(Set::row(Opcode::pim_batch));
    if (row.opcode == Opcode::pim_compute) set_compute_registers(core, random, code, batch);
    if (!check(code).ok()) continue;  // a SIMD instruction with register 31
    const Result<Operation> result = core.resolve(code, row.opcode == Opcode::pim_compute && random.often(7) ? &batch : nullptr);
    const auto number = static_cast<std::size_t>(row.opcode);
    ++(result.ok() ? accepted : refused)[number];
    if (result.ok()) {
      expect_inside(core, result.value());
    } else {
      ASSERT_STRNE(result.status().what(), "");
    }
  }
  // The registers are neither always wrong nor always right.
  for (const Instruction &row : Set::instructions()) {
    const auto number = static_cast<std::size_t>(row.opcode);
    if (row.opcode != Opcode::pim_batch) {
      EXPECT_GT(accepted[number], 0U) << row.name;
    }
    RecordProperty(row.name, static_cast<int>(accepted[number]));
  }
  EXPECT_GT(accepted[0], 1000U);
  EXPECT_GT(refused[0], 1000U);
}

}  // namespace resolve_random_test
}  // namespace cox::isa::pim
