// SPDX-License-Identifier: MIT
#include "tests/sim/unity/programs/random_items.h"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

#include "tests/sim/unity/programs/generators.h"

namespace cox::test::unity_programs {

using isa::unity::bits_of;
using isa::unity::is_float;

namespace {

constexpr std::size_t kMostRecent = 24;

/// The bits of a small whole number.
std::int64_t number_in(Unit unit, std::int64_t value) {
  if (!is_float(unit)) return value;
  if (unit == Unit::fp64) return std::bit_cast<std::int64_t>(static_cast<double>(value));
  if (unit == Unit::fp32) return std::bit_cast<std::int32_t>(static_cast<float>(value));
  constexpr std::array<std::int64_t, 6> kHalves = {0, 0x3C00, 0x4000, 0x4200, 0x4400, 0x4500};
  return kHalves.at(static_cast<std::size_t>(value));
}

}  // namespace

ItemMaker::ItemMaker(Random &random, Program &program) : random_(random), program_(program) {
  for (const isa::unity::Instruction &row : isa::unity::kInstructions) {
    if (row.stage == isa::unity::Stage::now && generator_of(row.opcode).generate != nullptr) operations_.push_back(row.opcode);
  }
  for (unsigned table = 0; table < isa::unity::kKeyTables; ++table) {
    if ((program.key_tables >> table & 1) == 0) continue;
    for (unsigned entry = 0; entry < isa::unity::kKeyEntries; ++entry)
      free_keys_.push_back({static_cast<std::uint8_t>(table), static_cast<std::uint8_t>(entry)});
  }
}

Key ItemMaker::new_key() {
  if (free_keys_.empty()) throw std::length_error("keys");
  const std::size_t number = random_.below(free_keys_.size());
  const Key key = free_keys_[number];
  free_keys_.erase(free_keys_.begin() + static_cast<std::ptrdiff_t>(number));
  return key;
}

void ItemMaker::remember(const Item &item) {
  std::vector<Range> &recent = program_.pool.recent;
  for (const Range &range : item.touched) recent.push_back(range);
  if (recent.size() > kMostRecent) recent.erase(recent.begin(), recent.end() - static_cast<std::ptrdiff_t>(kMostRecent));
}

AddressSpace ItemMaker::space(bool branch) {
  const auto chosen = random_.one_of({AddressSpace::bits16, AddressSpace::bits32, AddressSpace::bits32, AddressSpace::bits64});
  // `cox check` places a relative container outside of the page, where 16-bit addresses do not reach its sub-programs.
  return branch && program_.relative && chosen == AddressSpace::bits16 ? AddressSpace::bits32 : chosen;
}

Item ItemMaker::plain() {
  constexpr unsigned kTries = 200;
  for (unsigned turn = 0; turn < kTries; ++turn) {
    try {
      Item item{.made = make_instruction(random_, program_.pool, random_.one_of(operations_), space(false))};
      item.touched = item.made.ranges;
      remember(item);
      return item;
    } catch (const std::length_error &) {
      continue;  // another one is smaller
    }
  }
  return relay();
}

Item ItemMaker::relay() {
  Maker maker(random_, program_.pool, Opcode::INV, space(false));
  const std::uint64_t word = program_.pool.word(2);
  maker.set_address("S0", word);
  maker.set_address("D", word + 1);
  maker.set("LEN", 1);
  maker.add_range({"S0", false, word, 1, 8});
  maker.add_range({"D", true, word + 1, 1, 8});
  Item item{.made = maker.made()};
  item.touched = item.made.ranges;
  return item;
}

Item ItemMaker::exit() {
  Item item;
  item.made.op = Opcode::EXIT;
  return item;
}

void ItemMaker::order(Items &items) {
  std::vector<std::vector<bool>> takes(items.size(), std::vector<bool>(items.size()));
  const auto is_ordered = [&](std::size_t a, std::size_t b) {
    if (items[a].sync.blocks || items[a].is_fence()) return true;
    for (std::size_t i = a + 1; i <= b; ++i) {
      if (items[i].is_fence() || takes[i][a]) return true;
    }
    return false;
  };
  for (std::size_t b = 0; b < items.size(); ++b) {
    for (std::size_t a = b; a-- > 0;) {
      const auto conflict = [&](const Range &earlier) {
        return std::any_of(items[b].touched.begin(), items[b].touched.end(), [&](const Range &later) { return later.conflicts(earlier); });
      };
      if (is_ordered(a, b) || std::none_of(items[a].touched.begin(), items[a].touched.end(), conflict)) continue;
      if (items[a].sync.deposits || items[b].sync.fetches || random_.chance(50)) {
        items[a].sync.blocks = true;
        continue;
      }
      items[a].sync.deposits = items[b].sync.fetches = true;
      items[a].sync.deposit = items[b].sync.fetch = new_key();
      items[b].sync.keys = 1;
      takes[b][a] = true;
    }
  }
}

std::size_t ItemMaker::add(Items items) {
  program_.sub_programs.push_back(std::move(items));
  return program_.sub_programs.size() - 1;
}

std::size_t ItemMaker::sub_program(unsigned depth, bool exits) {
  Items items;
  const std::size_t count = random_.below(4);
  for (std::size_t i = 0; i < count; ++i) {
    if (depth > 1 && random_.chance(25)) {
      for (Item &item : branch(depth - 1, exits)) items.push_back(std::move(item));
    } else {
      items.push_back(plain());
    }
  }
  order(items);
  if (exits && random_.chance(40)) items.push_back(exit());
  return add(std::move(items));
}

std::size_t ItemMaker::sub_program_or_none(unsigned depth, bool exits) {
  return random_.chance(15) ? kNoProgram : sub_program(depth, exits);
}

void ItemMaker::touch_programs(Item &item) {
  item.touched = item.made.ranges;
  const auto touch = [&](std::size_t number) {
    if (number == kNoProgram) return;
    for (const Item &inner : program_.sub_programs[number])
      item.touched.insert(item.touched.end(), inner.touched.begin(), inner.touched.end());
  };
  for (const auto &[field, number] : item.programs) touch(number);
  for (const Item::Entry &entry : item.list) touch(entry.program);
}

void ItemMaker::place_predicate(Maker &maker, const char *field, Unit unit, std::int64_t most) {
  const std::int64_t value = random_.between(0, most);
  if (random_.chance(50)) return maker.source(field, unit, 1);
  maker.constants(field, unit, std::array{number_in(unit, value)});
}

Item ItemMaker::cond(unsigned depth, bool exits) {
  Maker maker(random_, program_.pool, Opcode::COND, space(true));
  const Unit unit = maker.choose("UNIT", random_.unit());
  place_predicate(maker, "PRED", unit, 1);
  const std::size_t yes = sub_program_or_none(depth, exits), no = random_.chance(20) ? yes : sub_program_or_none(depth, exits);
  Item item{.made = maker.made(), .programs = {{"TRUE", yes}, {"FALSE", no}}};
  touch_programs(item);
  return item;
}

Item ItemMaker::switch_case(unsigned depth, bool exits) {
  Maker maker(random_, program_.pool, Opcode::SWITCH_CASE, space(true));
  const Unit unit = maker.choose("UNIT", random_.integer());
  const std::uint32_t count = maker.choose("N", 1, 4);
  place_predicate(maker, "INDEX", unit, count + 1);
  Item item{.made = maker.made(), .programs = {{"DEFAULT", sub_program_or_none(depth, exits)}}};
  for (std::uint32_t i = 0; i < count; ++i) item.list.push_back({.program = sub_program_or_none(depth, exits), .is_program = true});
  touch_programs(item);
  return item;
}

Item ItemMaker::cases(unsigned depth, bool exits) {
  Maker maker(random_, program_.pool, Opcode::CASE, space(true));
  const Unit unit = maker.choose("UNIT", random_.unit());
  const std::uint32_t count = maker.choose("N", 1, 4);
  std::vector<Item::Entry> list;
  for (std::uint32_t i = 0; i < count; ++i) {
    place_predicate(maker, "PAIRS", unit, 1);  // the list's entry is the address
    list.push_back({.value = maker.made().get("PAIRS")});
    list.push_back({.program = sub_program_or_none(depth, exits), .is_program = true});
  }
  Item item{.made = maker.made(), .programs = {{"DEFAULT", sub_program_or_none(depth, exits)}}, .list = list};
  touch_programs(item);
  return item;
}

Item ItemMaker::copy(Unit unit, std::uint64_t to, std::uint64_t from) {
  Maker maker(random_, program_.pool, random_.one_of({Opcode::RESHAPE, Opcode::SQUEEZE, Opcode::FLATTEN}), space(false));
  maker.set("UNIT", unit);
  maker.set("LEN", 1);
  maker.set_address("S", from);
  maker.set_address("D", to);
  maker.add_range({"S", false, from, (bits_of(unit) + 7) / 8, bits_of(unit)});
  maker.add_range({"D", true, to, (bits_of(unit) + 7) / 8, bits_of(unit)});
  Item item{.made = maker.made()};
  item.touched = item.made.ranges;
  return item;
}

/// A counter falls from a start value to 0. Some loops copy it to a predicate, some set it to the start value again.
Items ItemMaker::loop(unsigned depth) {
  const Unit unit = random_.one_of({Unit::u8, Unit::s8, Unit::u16, Unit::s32, Unit::u64, Unit::fp16, Unit::fp32, Unit::fp64});
  const std::uint64_t bytes = bits_of(unit) / 8;
  const std::uint64_t words = program_.pool.word(4 * 8);
  const std::uint64_t counter = words, predicate = words + 8, start = words + 16, one = words + 24;
  const std::int64_t turns = random_.between(0, 3);
  ProgramMemory &memory = program_.pool.memory;
  memory.put(counter, static_cast<std::uint64_t>(number_in(unit, turns)), static_cast<unsigned>(bytes));
  memory.put(start, static_cast<std::uint64_t>(number_in(unit, turns)), static_cast<unsigned>(bytes));
  memory.put(one, static_cast<std::uint64_t>(number_in(unit, 1)), static_cast<unsigned>(bytes));
  const bool has_condition = random_.chance(50);

  Maker step(random_, program_.pool, Opcode::SUB, space(false));
  for (const char *field : {"S0_UNIT", "S1_UNIT", "D_UNIT"}) step.set(field, unit);
  step.set("LEN", 1);
  step.set_address("S0", counter);
  step.set_address("S1", one);
  step.set_address("D", counter);
  step.add_range({"S0", false, counter, bytes, bits_of(unit)});
  step.add_range({"S1", false, one, bytes, bits_of(unit)});
  step.add_range({"D", true, counter, bytes, bits_of(unit)});
  Item subtraction{.made = step.made()};
  subtraction.touched = subtraction.made.ranges;

  Items body;
  const std::size_t count = random_.below(3);
  for (std::size_t i = 0; i < count; ++i) {
    if (depth > 1 && random_.chance(30)) {
      for (Item &item : branch(depth - 1, false)) body.push_back(std::move(item));
    } else {
      body.push_back(plain());
    }
  }
  body.insert(body.begin() + static_cast<std::ptrdiff_t>(random_.below(body.size() + 1)), subtraction);
  order(body);

  Maker maker(random_, program_.pool, Opcode::WHILE_LOOP, space(true));
  maker.set("UNIT", unit);
  maker.set_address("PRED", has_condition ? predicate : counter);
  maker.add_range({"PRED", false, has_condition ? predicate : counter, bytes, bits_of(unit)});
  if (random_.chance(60)) maker.set("LIMIT", static_cast<std::uint64_t>(turns) + (turns == 0 || random_.chance(50) ? 1 : 0));
  Item item{.made = maker.made()};
  item.programs = {{"CONDITION", has_condition ? add({copy(unit, predicate, counter)}) : kNoProgram}, {"BODY", add(std::move(body))}};
  touch_programs(item);
  Items all;
  if (random_.chance(50)) all.push_back(copy(unit, counter, start));
  all.push_back(std::move(item));
  return all;
}

Items ItemMaker::branch(unsigned depth, bool exits) {
  switch (random_.below(exits ? 3 : 4)) {
    case 0: return {cond(depth, exits)};
    case 1: return {switch_case(depth, exits)};
    case 2: return {cases(depth, exits)};
    default: return loop(depth);
  }
}

Items ItemMaker::chain(unsigned depth) {
  Maker maker(random_, program_.pool, Opcode::COND, space(true));
  const Unit unit = maker.choose("UNIT", random_.unit());
  maker.constants("PRED", unit, std::array{number_in(unit, 1)});
  Items inner;
  if (depth > 1) inner = chain(depth - 1);
  inner.push_back(plain());
  order(inner);
  Item item{.made = maker.made(), .programs = {{"TRUE", add(std::move(inner))}, {"FALSE", kNoProgram}}};
  touch_programs(item);
  return {item};
}

}  // namespace cox::test::unity_programs
