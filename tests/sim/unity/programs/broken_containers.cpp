// SPDX-License-Identifier: MIT
// Breakers of branches, keys and containers.
#include <algorithm>
#include <string_view>

#include "coxswain/isa/unity/storage.h"
#include "tests/sim/unity/programs/broken_instructions.h"
#include "tests/sim/unity/programs/random_items.h"

namespace cox::test::unity_programs {

using namespace isa::unity;

namespace {

/// The byte of an instruction's domain id.
std::uint64_t id_of(const Program &program, std::size_t number, std::uint32_t instruction) {
  const Container container = Container::open(program.bytes).value();
  return container.program(program.schedule[number].program).offset + id_offset(instruction);
}

/// True if all predicates' branches end in a call of a program.
bool always_calls(const Item &item) { return item.is_branch() && item.made.op != Opcode::WHILE_LOOP; }

/// Makes the predicate of a loop 1 for ever.
bool make_endless(Program &program, std::size_t number) {
  Item &item = program.steps[number].items.front();
  if (item.made.op != Opcode::WHILE_LOOP) return false;
  const std::uint64_t word = program.pool.word(8);
  program.pool.memory.put(word, 1, 8);
  item.made.set("PRED", word - (item.made.space == AddressSpace::bits16 ? kPage : 0));
  return true;
}

/// An entry of an own table that no instruction and no initial key names.
Key unused_key(Random &random, const Program &program) {
  const auto uses = [](const Items &items, Key key) {
    return std::any_of(items.begin(), items.end(), [&](const Item &item) {
      return (item.sync.fetches && item.sync.fetch == key) || (item.sync.deposits && item.sync.deposit == key);
    });
  };
  for (;;) {
    const Key key{static_cast<std::uint8_t>(random.below(kKeyTables)), static_cast<std::uint8_t>(random.below(kKeyEntries))};
    if ((program.key_tables >> key.table & 1) == 0) continue;
    if (std::any_of(program.steps.begin(), program.steps.end(), [&](const Step &step) { return uses(step.items, key); })) continue;
    if (std::any_of(program.sub_programs.begin(), program.sub_programs.end(), [&](const Items &items) { return uses(items, key); }))
      continue;
    return key;
  }
}

}  // namespace

Break break_sub_program(Random & /*random*/, Program &program, std::size_t number) {
  Item &item = item_of(program, number);
  if (!always_calls(item)) return {};
  for (auto &[field, called] : item.programs) called = kNoSubProgram;
  for (Item::Entry &entry : item.list) entry.program = entry.is_program ? kNoSubProgram : entry.program;
  program.write();
  return Expected{ErrorCode::branch_outside_program, "program"};
}

Break break_program_alignment(Random &random, Program &program, std::size_t number) {
  Item &item = item_of(program, number);
  if (item.programs.empty()) return {};
  const std::string field = random.one_of(item.programs).first;
  item.programs.clear();
  item.made.set(field, static_cast<std::uint64_t>(32 * random.below(20) + random.size(31)));
  program.write();
  return Expected{ErrorCode::misaligned_address, field};
}

Break break_limit(Random &random, Program &program, std::size_t number) {
  if (!make_endless(program, number)) return {};
  item_of(program, number).made.set("LIMIT", random.size(3));
  program.write();
  return Expected{.code = ErrorCode::field_out_of_range, .what = "LIMIT", .step_has_effect = true};
}

Break break_time(Random & /*random*/, Program &program, std::size_t number) {
  if (!make_endless(program, number)) return {};
  item_of(program, number).made.set("LIMIT", 0);
  program.time_limit = 20;
  program.write();
  return Expected{.code = ErrorCode::time_limit, .what = "container", .at_step = false, .step_has_effect = true};
}

Break break_depth(Random &random, Program &program, std::size_t number) {
  ItemMaker maker(random, program);
  program.steps[number].items = maker.chain(kMostDepth + 1);
  program.steps[number].items.front().sync = {};
  if (program.steps[number].ends_program || program.steps.size() != number + 1) return {};
  program.write();
  return Expected{.code = ErrorCode::field_out_of_range, .what = "depth", .at_step = false};
}

Break break_deposit(Random & /*random*/, Program &program, std::size_t number) {
  Sync &sync = item_of(program, number).sync;
  const auto takes = [&](const Step &step) { return step.items.front().sync.fetches && step.items.front().sync.fetch == sync.deposit; };
  if (!sync.deposits || std::none_of(program.steps.begin(), program.steps.end(), takes)) return {};
  sync.deposits = false;
  sync.deposit = {};
  program.write();
  return Expected{.code = ErrorCode::deadlock, .what = "keys", .at_step = false, .step_has_effect = true};
}

Break break_counter(Random &random, Program &program, std::size_t number) {
  Item &item = item_of(program, number);
  if (item.sync.deposits || item.is_exit()) return {};
  const Key key = unused_key(random, program);
  item.sync.deposits = true;
  item.sync.deposit = key;
  program.keys.push_back({key.table, key.entry, kMostCount});
  program.write();
  return Expected{.code = ErrorCode::field_out_of_range, .what = "deposit_key", .step_has_effect = true};
}

Break break_initial_key(Random &random, Program &program, std::size_t /*number*/) {
  const auto table = static_cast<std::uint8_t>(random.below(kKeyTables));
  if ((program.key_tables >> table & 1) != 0) return {};
  program.keys.push_back({table, static_cast<std::uint8_t>(random.below(kKeyEntries)), 1});
  program.write();
  return Expected{.code = ErrorCode::field_out_of_range, .what = "key", .at_step = false};
}

Break break_units(Random &random, Program &program, std::size_t /*number*/) {
  if (program.units == 1) return {};
  return Expected{.code = ErrorCode::field_out_of_range, .what = "units", .at_step = false, .units = random.size(program.units - 1)};
}

Break break_domain(Random &random, Program &program, std::size_t number) {
  constexpr std::int64_t kFirstFree = 0x84;
  const std::int64_t id = random.chance(50) ? random.between(1, 0x7E) : random.between(kFirstFree, 0xFF);
  program.patch(id_of(program, number, program.schedule[number].first), static_cast<std::uint64_t>(id), 1);
  return Expected{.code = ErrorCode::unsupported, .what = "domain", .at_open = true};
}

Break break_engine(Random &random, Program &program, std::size_t number) {
  program.patch(id_of(program, number, program.schedule[number].first), static_cast<std::uint64_t>(random.between(0x80, 0x83)), 1);
  return Expected{ErrorCode::unsupported, "domain"};
}

Break break_end(Random & /*random*/, Program &program, std::size_t number) {
  const Container container = Container::open(program.bytes).value();
  const ProgramEntry entry = container.program(program.schedule[number].program);
  program.patch(entry.offset + id_offset(entry.instructions - 1U), 0, 1);
  return Expected{.code = ErrorCode::field_out_of_range, .what = "end", .at_open = true};
}

Break break_early_end(Random & /*random*/, Program &program, std::size_t number) {
  program.patch(id_of(program, number, program.schedule[number].first), static_cast<unsigned>(Domain::end), 1);
  return Expected{.code = ErrorCode::field_out_of_range, .what = "end", .at_open = true};
}

Break break_header(Random &random, Program &program, std::size_t /*number*/) {
  constexpr std::uint64_t kMagic = 0, kUnits = 4, kFlags = 6, kPrograms = 8, kPageLow = 24, kFirstProgram = sizeof(ContainerHeader);
  const auto refused = [](ErrorCode code, const char *what) { return Expected{.code = code, .what = what, .at_open = true}; };
  switch (random.below(8)) {
    case 0: program.patch(kMagic, random.bits() | 1, 4); return refused(ErrorCode::field_out_of_range, "magic");
    case 1: program.patch(kUnits, random.chance(50) ? 0 : kMostUnits + 1, 2); return refused(ErrorCode::field_out_of_range, "units");
    case 2: program.patch(kFlags, 4, 2); return refused(ErrorCode::field_out_of_range, "flags");
    case 3: program.patch(kPrograms, 0, 4); return refused(ErrorCode::field_out_of_range, "programs");
    case 4: program.patch(kPageLow, 0x8000, 4); return refused(ErrorCode::field_out_of_range, "page");
    case 5: program.patch(kFirstProgram, program.word(kFirstProgram) + 16, 4); return refused(ErrorCode::misaligned_address, "program");
    case 6: program.patch(kFirstProgram + 7, 1, 1); return refused(ErrorCode::field_out_of_range, "reserved");
    default:
      program.bytes.resize(random.chance(30) ? random.below(sizeof(ContainerHeader)) : sizeof(ContainerHeader) + 4);
      return refused(ErrorCode::stream_truncated, "container");
  }
}

}  // namespace cox::test::unity_programs
