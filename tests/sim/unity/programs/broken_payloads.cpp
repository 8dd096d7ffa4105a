// SPDX-License-Identifier: MIT
// Breakers of payloads.
#include <vector>

#include "coxswain/isa/unity/table.h"
#include "tests/sim/unity/programs/broken_instructions.h"

namespace cox::test::unity_programs {

using namespace isa::unity;

namespace {

std::uint32_t payload_of(const Program &program, std::size_t number) { return Program::payload(item_of(program, number)); }
void patch_word(Program &program, std::size_t number, unsigned word, std::uint32_t value) {
  program.patch(payload_of(program, number) + 4 * word, value, 4);
}
std::uint32_t word_of(const Program &program, std::size_t number, unsigned word) {
  return program.word(payload_of(program, number) + 4 * word);
}

}  // namespace

Break break_section(Random &random, Program &program, std::size_t number) {
  const std::uint32_t word = word_of(program, number, 0);
  patch_word(program, number, 0, (word & ~0x3FU) | static_cast<std::uint32_t>(random.between(1, 62)));
  return Expected{ErrorCode::unknown_instruction, "opcode"};
}

Break break_operation(Random &random, Program &program, std::size_t number) {
  std::uint32_t word = word_of(program, number, 0);
  do {
    word = (word & ~0x3FFF00U) | (static_cast<std::uint32_t>(random.bits()) & 0x3FFF) << 8;
  } while (find_quickly({word, 0, 0, 0}) != nullptr);
  patch_word(program, number, 0, word);
  return Expected{ErrorCode::unknown_instruction, "opcode"};
}

Break break_later_operation(Random &random, Program &program, std::size_t number) {
  std::vector<const Instruction *> later;
  for (const Instruction &row : kInstructions) {
    if (row.stage == Stage::later) later.push_back(&row);
  }
  if (later.empty()) return {};
  // Its table is zeros behind the container's last table.
  const std::size_t table = (program.bytes.size() + 31) / 32 * 32;
  program.bytes.resize(table + kMostTableBytes);
  (void)program.pool.memory.write(program.container, program.bytes);
  const Instruction &row = *random.one_of(later);
  patch_word(program, number, 0, row.section | 1U << 6 | std::uint32_t{row.code} << 8);
  patch_word(program, number, 2, static_cast<std::uint32_t>(table + (program.relative ? 0 : program.container)));
  patch_word(program, number, 3, 0);
  return Expected{ErrorCode::unsupported, row.name};
}

Break break_payload_bit(Random &random, Program &program, std::size_t number) {
  patch_word(program, number, 0, word_of(program, number, 0) | 1U << random.between(22, 31));
  return Expected{ErrorCode::reserved_bits, Set::row(item_of(program, number).made.op).name};
}

Break break_sync_bit(Random &random, Program &program, std::size_t number) {
  patch_word(program, number, 1, word_of(program, number, 1) | 1U << random.between(26, 31));
  return Expected{ErrorCode::reserved_bits, Set::row(item_of(program, number).made.op).name};
}

Break break_idle_half(Random &random, Program &program, std::size_t number) {
  struct Part {
    const char *name;
    bool of_fetch;
    unsigned bit, width;
  };
  const Part part = random.one_of<Part>({{"num_key", true, 3, 3},
                                         {"keyr_bar", true, 6, 2},
                                         {"keyw_bar", false, 8, 2},
                                         {"fetch_key", true, 10, 8},
                                         {"deposit_key", false, 18, 8}});
  const Sync &sync = item_of(program, number).sync;
  if (part.of_fetch ? sync.fetches : sync.deposits) return {};
  patch_word(program, number, 1, word_of(program, number, 1) | random.size((1U << part.width) - 1) << part.bit);
  return Expected{ErrorCode::field_out_of_range, part.name};
}

Break break_space(Random & /*random*/, Program &program, std::size_t number) {
  patch_word(program, number, 0, word_of(program, number, 0) | 3U << 6);
  return Expected{ErrorCode::field_out_of_range, "address_space"};
}

Break break_exit(Random &random, Program &program, std::size_t number) {
  const Instruction &row = Set::row(Opcode::EXIT);
  patch_word(program, number, 0, row.section | std::uint32_t{row.code} << 8);
  patch_word(program, number, 1, random.chance(50) ? 4 : 0);
  patch_word(program, number, 2, 32);
  return Expected{ErrorCode::reserved_bits, row.name};
}

Break break_table_place(Random &random, Program &program, std::size_t number) {
  const AddressSpace space = item_of(program, number).made.space;
  if (space == AddressSpace::bits16) {
    patch_word(program, number, 2, static_cast<std::uint32_t>(kHole.start - kPage + 4 * random.below(64)));
  } else {
    patch_word(program, number, 2, static_cast<std::uint32_t>(0x70000000 + 4 * random.below(1000)));
    patch_word(program, number, 3, space == AddressSpace::bits64 && random.chance(50) ? 0x80000000 : 0);
  }
  return Expected{ErrorCode::address_outside_window, "table"};
}

Break break_table_alignment(Random &random, Program &program, std::size_t number) {
  patch_word(program, number, 2, word_of(program, number, 2) | random.size(3));
  return Expected{ErrorCode::misaligned_address, "table"};
}

Break break_table_space(Random & /*random*/, Program &program, std::size_t number) {
  const AddressSpace space = item_of(program, number).made.space;
  if (space == AddressSpace::bits64) return {};
  if (space == AddressSpace::bits32) patch_word(program, number, 3, 1);
  if (space == AddressSpace::bits16) patch_word(program, number, 2, word_of(program, number, 2) | 0x10000);
  return Expected{ErrorCode::address_outside_window, "table"};
}

Break break_key_table(Random &random, Program &program, std::size_t number) {
  Sync sync = item_of(program, number).sync;
  const auto table = static_cast<std::uint8_t>(random.below(kKeyTables));
  if ((program.key_tables >> table & 1) != 0) return {};
  const bool taken = sync.fetches && random.chance(50);
  if (taken) {
    sync.fetch.table = table;
  } else {
    sync.deposits = true;
    sync.deposit.table = table;
  }
  patch_word(program, number, 1, sync_word(sync));
  return Expected{ErrorCode::field_out_of_range, taken ? "keyr_bar" : "keyw_bar"};
}

}  // namespace cox::test::unity_programs
