// SPDX-License-Identifier: MIT
#include "tests/sim/pim/reference/instructions.h"
#include "tests/sim/pim/reference/memory.h"

namespace cox::model::pim::oracle {
namespace {

std::int64_t signed_value(std::uint32_t value) { return value >= 0x80000000 ? std::int64_t{value} - (std::int64_t{1} << 32) : value; }

std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

std::uint32_t calculate(Opcode opcode, std::uint32_t a, std::uint32_t b) {
  const std::int64_t x = signed_value(a), y = signed_value(b), power = std::int64_t{1} << b % 32;
  std::int64_t result = 0;
  switch (opcode) {
    case Opcode::add: result = x + y; break;
    case Opcode::sub: result = x - y; break;
    case Opcode::mul: result = x * y; break;
    case Opcode::div: result = y == 0 ? -1 : x / y; break;
    case Opcode::mod: result = y == 0 ? x : x % y; break;
    case Opcode::sll: result = std::int64_t{a} * power; break;
    case Opcode::srl: result = std::int64_t{a} / power; break;
    default: result = floor_divide(x, power); break;  // sra
  }
  return static_cast<std::uint32_t>(result);
}

void assign(const View &view, const Decoded &i) {
  auto &general = view.core.general;
  switch (i.opcode) {
    case Opcode::general_li: general[i.rd] = static_cast<std::uint32_t>(i.immediate); break;
    case Opcode::special_li: view.set_special(i.rd, static_cast<std::uint32_t>(i.immediate)); break;
    case Opcode::general_to_special: view.set_special(i.rs2, general[i.rs1]); break;
    default: general[i.rs1] = view.special(i.rs2); break;
  }
}

void load_or_store(const View &view, const Decoded &i) {
  const auto address = static_cast<std::uint32_t>(view.core.general[i.rs1] + i.immediate);
  const bool is_global = i.opcode == Opcode::load_global || i.opcode == Opcode::store_global;
  const Place place = is_global ? global(view, address, 4) : local(view, address, 4);
  std::uint32_t &data = view.core.general[i.rs2];
  if (i.opcode == Opcode::load_local || i.opcode == Opcode::load_global) {
    data = static_cast<std::uint32_t>(number(read(place), 0, 32));
  } else {
    write(place, packed({std::int64_t{data}}, 32));
  }
}

void trans(const View &view, const Decoded &i) {
  const auto &general = view.core.general;
  const std::uint64_t bytes = count(general[i.rs2]);
  const auto address = [&](unsigned base, bool offset) { return static_cast<std::uint32_t>(general[base] + (offset ? i.immediate : 0)); };
  const Place source = anywhere(view, address(i.rs1, i.source_offset), bytes);
  const Place destination = anywhere(view, address(i.rd, i.destination_offset), bytes);
  write(destination, read(source));
}

}  // namespace

void scalar(const View &view, const Decoded &i) {
  auto &general = view.core.general;
  const auto immediate = static_cast<std::uint32_t>(i.immediate);
  switch (i.opcode) {
    case Opcode::addi: general[i.rd] = calculate(Opcode::add, general[i.rs1], immediate); break;
    case Opcode::muli: general[i.rd] = calculate(Opcode::mul, general[i.rs1], immediate); break;
    case Opcode::lui: general[i.rd] = calculate(Opcode::mul, immediate, 65536); break;
    case Opcode::load_local:
    case Opcode::store_local:
    case Opcode::load_global:
    case Opcode::store_global: load_or_store(view, i); break;
    case Opcode::general_li:
    case Opcode::special_li:
    case Opcode::general_to_special:
    case Opcode::special_to_general: assign(view, i); break;
    case Opcode::trans: trans(view, i); break;
    default: general[i.rd] = calculate(i.opcode, general[i.rs1], general[i.rs2]); break;
  }
}

std::uint32_t branch(const View &view, const Decoded &i, std::uint32_t length) {
  const std::int64_t a = signed_value(view.core.general[i.rs1]), b = signed_value(view.core.general[i.rs2]);
  bool taken = true;
  if (i.opcode == Opcode::beq) taken = a == b;
  if (i.opcode == Opcode::bne) taken = a != b;
  if (i.opcode == Opcode::bgt) taken = a > b;
  if (i.opcode == Opcode::blt) taken = a < b;
  if (!taken) return view.core.counter + 1;
  const std::int64_t target = view.core.counter + i.immediate;
  require(target >= 0 && target <= length, ErrorCode::branch_outside_program);
  return static_cast<std::uint32_t>(target);
}

}  // namespace cox::model::pim::oracle
