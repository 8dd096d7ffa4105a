// SPDX-License-Identifier: MIT
#include "coxswain/kernels/pim/program_builder.h"

#include "coxswain/isa/pim/build.h"

namespace cox::kernels::pim {

using isa::pim::MachineCode;
using isa::pim::Special;
using isa::pim::build::r;
using isa::pim::build::Reg;
namespace build = isa::pim::build;

namespace {

constexpr std::int32_t kMostImmediate = 32767;
constexpr std::uint32_t kImmediateBits = 21;

constexpr bool fits_immediate(std::uint32_t value) {
  const auto number = static_cast<std::int32_t>(value);
  return number >= -kMostImmediate - 1 && number <= kMostImmediate;
}

}  // namespace

void ProgramBuilder::begin_core(unsigned core) {
  const Entry entry = enter(core);
  if (entry == Entry::same) return;  // what was known of the registers still holds
  contents_ = {};
  for (const std::uint8_t bound : configuration().bound) {
    if (bound != isa::pim::kUnbound) contents_.reserved |= 1U << bound;
  }
  // Registers are 0 at a program's start.
  if (entry == Entry::first) contents_.known = contents_.known_special = ~std::uint32_t{0};
}

Register ProgramBuilder::begin_cores(unsigned first, unsigned count) {
  // A register that no core has bound; the cores' own code has released its variables.
  begin_core(first);
  unsigned number = isa::pim::kRegisters - 1;
  while (number > 0 && (contents_.reserved >> number & 1) != 0) --number;
  for (unsigned core = first; core < first + count; ++core) {
    begin_core(core);
    if (!contents_.holds(number, core)) load_constant(number, core);
  }
  share(first, count);
  const std::uint32_t bound = contents_.reserved;
  contents_ = {};
  contents_.reserved = bound | 1U << number;
  return {static_cast<std::uint8_t>(number)};
}

// Registers.

unsigned ProgramBuilder::take_register() {
  const unsigned number = contents_.oldest();
  if (number == RegisterContents::kNone) {
    fail(Status(ErrorCode::no_room, "registers"));
    return 0;
  }
  contents_.forget(number);
  contents_.touch(number);
  return number;
}

void ProgramBuilder::load_constant(unsigned number, std::uint32_t value) {
  const build::Constant constant = build::constant(r(number), value);
  unsigned near = RegisterContents::kNone;
  for (unsigned i = 0; i < isa::pim::kRegisters && constant.count > 1; ++i) {
    if ((contents_.known >> i & 1) != 0 && fits_immediate(value - contents_.general[i])) near = i;
  }
  if (near != RegisterContents::kNone) {
    emit(build::addi(r(number), r(near), static_cast<std::int32_t>(value - contents_.general[near])));
  } else {
    for (const MachineCode &code : constant.code()) emit(code);
  }
  contents_.learn(number, value);
}

void ProgramBuilder::load_into(unsigned number, const Value &value) {
  if (!value.is_variable) {
    if (!contents_.holds(number, value.offset)) load_constant(number, value.offset);
    return;
  }
  if (fits_immediate(value.offset)) {
    emit(build::addi(r(number), r(value.number), static_cast<std::int32_t>(value.offset)));
  } else {
    const unsigned offset = load(value.offset);
    emit(build::add(r(number), r(value.number), r(offset)));
  }
  contents_.forget(number);
}

unsigned ProgramBuilder::load(const Value &value) {
  if (value.is_variable && value.offset == 0) return value.number;
  if (!value.is_variable) {
    if (const unsigned number = contents_.find(value.offset); number != RegisterContents::kNone) {
      contents_.touch(number);
      return number;
    }
  }
  const unsigned number = take_register();
  load_into(number, value);
  return number;
}

unsigned ProgramBuilder::load_pair(const Value &first, const Value &second) {
  unsigned pair = 0;
  for (unsigned i = 0; i < 2 * RegisterContents::kPairs; i += 2) {
    const bool has_both = holds(i, first) && holds(i + 1, second);
    if (has_both || contents_.used[i] < contents_.used[pair]) pair = i;
    if (has_both) break;
  }
  contents_.touch(pair);
  load_into(pair, first);
  load_into(pair + 1, second);
  return pair;
}

Register ProgramBuilder::variable(Value initial) {
  const unsigned number = take_register();
  contents_.reserved |= 1U << number;
  load_into(number, initial);
  contents_.forget(number);
  return {static_cast<std::uint8_t>(number)};
}

void ProgramBuilder::release(Register variable) { contents_.reserved &= ~(1U << variable.number); }

void ProgramBuilder::add(Register variable, std::uint32_t value) { assign(variable, Value(variable, value)); }

void ProgramBuilder::assign(Register variable, Value value) {
  load_into(variable.number, value);
  contents_.forget(variable.number);
}

void ProgramBuilder::subtract_from(std::uint32_t constant, Register variable) {
  const Reg from = r(load(constant));
  emit(build::sub(r(variable.number), from, r(variable.number)));
}

void ProgramBuilder::multiply(Register variable, std::uint32_t factor) {
  const Reg by = r(load(factor));
  emit(build::mul(r(variable.number), r(variable.number), by));
}

void ProgramBuilder::remainder(Register variable, std::uint32_t divisor) {
  const Reg by = r(load(divisor));
  emit(build::mod(r(variable.number), r(variable.number), by));
}

void ProgramBuilder::set(Special name, Value value) {
  const auto number = static_cast<unsigned>(name);
  const bool is_known = !value.is_variable && (contents_.known_special >> number & 1) != 0 && contents_.special[number] == value.offset;
  if (is_known) return;
  if (!value.is_variable && value.offset >> kImmediateBits == 0) {
    emit(build::special_li(name, value.offset));
  } else {
    emit(build::general_to_special(name, r(load(value))));
  }
  contents_.special[number] = value.offset;
  if (value.is_variable) {
    contents_.known_special &= ~(1U << number);
  } else {
    contents_.known_special |= 1U << number;
  }
}

ProgramBuilder::Loop ProgramBuilder::begin_loop(std::uint32_t count) {
  Loop loop;
  loop.counter = variable(count);
  loop.zero = load(0);
  if ((contents_.reserved >> loop.zero & 1) == 0) {
    contents_.reserved |= 1U << loop.zero;
  } else {
    loop.zero |= isa::pim::kRegisters;  // an outer loop owns it
  }
  loop.first = position();
  loop.contents = contents_;
  return loop;
}

bool ProgramBuilder::end_loop(Loop &loop) {
  const unsigned zero = loop.zero % isa::pim::kRegisters;
  add(loop.counter, ~std::uint32_t{0});
  if (position() - loop.first > static_cast<std::uint32_t>(kMostImmediate))
    fail(Status(ErrorCode::too_many_instructions, "stream", -1, position() - loop.first, kMostImmediate));
  emit(build::bne(r(loop.counter.number), r(zero), static_cast<std::int32_t>(loop.first - position())));
  if (!has_failed() && !loop.contents.keep_common(contents_)) {
    // The body does not leave the registers as it found them, so its code is only right for the first turn.
    take_back(position() - loop.first);
    contents_ = loop.contents;
    return false;
  }
  if (loop.zero == zero) contents_.reserved &= ~(1U << zero);
  release(loop.counter);
  return true;
}

}  // namespace cox::kernels::pim
