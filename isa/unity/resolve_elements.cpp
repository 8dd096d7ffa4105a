// SPDX-License-Identifier: MIT
// Element-wise operations, activations, ELE_ADD and ELE_SUB.
#include "coxswain/isa/unity/operands.h"

namespace cox::isa::unity::detail {
namespace {

using namespace layouts;

constexpr std::int32_t kLeastShift = -31, kMostShift = 30;

bool is_between(Opcode op, Opcode first, Opcode last) { return op >= first && op <= last; }
bool takes_float(Opcode op) {
  return op == Opcode::SQRT || op == Opcode::RSQRT || op == Opcode::COS_SIM || op == Opcode::RECIPROCAL ||
         is_between(op, Opcode::SIN, Opcode::LOG2);
}
bool is_shift(Opcode op) { return is_between(op, Opcode::ASR, Opcode::ROR); }
bool is_extension(Opcode op) { return op == Opcode::SXT || op == Opcode::UXT; }
bool gives_one(Opcode op) { return op == Opcode::ASUM || op == Opcode::COS_SIM; }

/// Reads addresses, length and OP Mode of a layout with OP Mode. INV, SXT and UXT have a source 1 that is 0.
template <const Layout &Of>
void read_mode(const Operands &o, Elementwise &e, Checks &checks) {
  constexpr bool kSecond = find_field(Of, "S1").field != nullptr, kThird = find_field(Of, "S2").field != nullptr;
  const std::uint64_t length = o.get<Of, "LEN">();
  checks.in_range("LEN", length, 1, kMostElements);
  e.source[0] = {o.address<Of, "S0">(), o.unit<Of, "S0_UNIT">(), length};
  e.sources = 1;
  const bool two = kSecond && !is_extension(e.op);
  if constexpr (kSecond) {
    if (two) {
      e.sources = 2;
      e.scalar_second = o.get<Of, "SCALAR1">() != 0;
      e.source[1] = {o.address<Of, "S1">(), o.unit<Of, "S1_UNIT">(), e.scalar_second ? 1 : length};
      if (e.op == Opcode::COS_SIM) checks.zero("SCALAR1", o.get<Of, "SCALAR1">());
    } else {
      checks.zero("S1", o.get<Of, "S1">());
    }
  }
  if constexpr (kThird) {
    e.sources = 3;
    e.source[2] = {o.address<Of, "S2">(), o.unit<Of, "S2_UNIT">(), length};
  } else {
    checks.zero("S2_UNIT", o.get<Of, "S2_UNIT">());
  }
  if (!two) {
    checks.zero("S1_UNIT", o.get<Of, "S1_UNIT">());
    checks.zero("SCALAR1", o.get<Of, "SCALAR1">());
  }
  e.result = {o.address<Of, "D">(), o.unit<Of, "D_UNIT">(), gives_one(e.op) ? 1 : length};
  e.saturate = o.get<Of, "SAT">() != 0;
  e.rounding = static_cast<Rounding>(o.get<Of, "ROUND">());
  e.less = o.get<Of, "LESS">() != 0;
  if (e.op != Opcode::THRES) checks.zero("LESS", o.get<Of, "LESS">());
  if (e.op == Opcode::ROUND && e.rounding == Rounding::drop) e.rounding = Rounding::half_even;
}

void check_units(const Elementwise &e, Checks &checks) {
  const Unit source = e.source[0].unit, result = e.result.unit;
  const unsigned bits = bits_of(source);
  if (e.op == Opcode::ABS) checks.unit("S0_UNIT", source, is_signed(source) || is_float(source));
  if (e.op == Opcode::POW) {
    checks.unit("S0_UNIT", source, is_integer(source));
    checks.unit("S1_UNIT", e.source[1].unit, is_integer(e.source[1].unit));
    checks.unit("D_UNIT", result, is_integer(result));
  }
  if (takes_float(e.op)) {
    const bool second = e.sources == 2 && is_float(e.source[1].unit);
    checks.unit("D_UNIT", result, is_float(source) || second || is_float(result));
  }
  if (is_shift(e.op)) {
    checks.unit("S0_UNIT", source, is_integer(source) && (e.op != Opcode::ASR || bits < 64));
    checks.unit("S1_UNIT", e.source[1].unit, is_integer(e.source[1].unit));
    checks.equal("D_UNIT", static_cast<std::uint64_t>(result), static_cast<std::uint64_t>(source));
  }
  if (e.op == Opcode::NSR) {
    checks.unit("S0_UNIT", source, is_integer(source) && bits > 4);
    checks.unit("S1_UNIT", e.source[1].unit, is_integer(e.source[1].unit));
    checks.unit("D_UNIT", result, is_integer(result) && bits_of(result) * 2 == bits);
    checks.in_range("SAT", e.saturate ? 1 : 0, 1, 1);
    checks.in_range("ROUND", static_cast<std::uint64_t>(e.rounding), 1, 3);
  }
  if (is_extension(e.op)) {
    checks.unit("S0_UNIT", source, is_integer(source) && bits < 64);
    checks.unit("D_UNIT", result, is_integer(result) && bits_of(result) > bits);
  }
}

/// AND to BSET, on bytes.
Result<Operation> resolve_logic(const Operands &o) {
  Elementwise e{.op = o.op()};
  Checks checks;
  const std::uint64_t length = o.get<kLogic, "LEN">();
  checks.in_range("LEN", length, 1, kMostElements);
  e.source[0] = {o.address<kLogic, "S0">(), Unit::u8, length};
  if (e.op == Opcode::INV) {
    checks.zero("S1", o.get<kLogic, "S1">());
  } else {
    e.sources = 2;
    e.source[1] = {o.address<kLogic, "S1">(), Unit::u8, length};
  }
  e.result = {o.address<kLogic, "D">(), Unit::u8, length};
  if (!checks) return checks.status();
  return Operation{e};
}

/// DATA_CONVERT and SIGN_BIT.
Result<Operation> resolve_unary(const Operands &o) {
  Elementwise e{.op = o.op()};
  Checks checks;
  if (e.op == Opcode::DATA_CONVERT) {
    const std::uint64_t length = o.get<kDataConvert, "LEN">();
    e.source[0] = {o.address<kDataConvert, "S">(), o.unit<kDataConvert, "S_UNIT">(), length};
    e.result = {o.address<kDataConvert, "D">(), o.unit<kDataConvert, "D_UNIT">(), length};
    e.saturate = o.get<kDataConvert, "SAT">() != 0;
    e.rounding = static_cast<Rounding>(o.get<kDataConvert, "ROUND">());
  } else {
    const Unit unit = o.unit<kSignBit, "UNIT">();
    const std::uint64_t length = o.get<kSignBit, "LEN">();
    e.source[0] = {o.address<kSignBit, "S">(), unit, length};
    e.result = {o.address<kSignBit, "D">(), unit, length};
  }
  checks.in_range("LEN", e.result.elements, 1, kMostElements);
  if (!checks) return checks.status();
  return Operation{e};
}

/// Reads a parameter of 32 bits in a unit of its own. Error: field_out_of_range unless it is FP16 or FP32 and its bits fit.
void read_parameter(const char *name, const char *unit_name, std::uint64_t bits, Unit unit, float &value, Checks &checks) {
  checks.unit(unit_name, unit, unit == Unit::fp16 || unit == Unit::fp32);
  if (!checks) return;
  checks.at_most(name, bits, UINT64_MAX >> (64 - bits_of(unit)));
  value = float_of(unit, bits);
}

bool takes_integers(Opcode op) {
  return op == Opcode::RELU || op == Opcode::RELU6 || op == Opcode::PRELU || op == Opcode::THRESHOLD_RELU || op == Opcode::LEAKY_RELU ||
         op == Opcode::HARD_SHRINK || op == Opcode::BRELU || op == Opcode::HARD_TANH;
}

/// Reads the fields B, I, VALID and FORMAT. `length` is not 0.
void read_broadcast(std::uint64_t b, std::uint64_t i, std::uint64_t valid, std::uint64_t format, std::uint64_t length, Broadcast &broadcast,
                    Checks &checks) {
  if (b == 0 || i != 0) {
    checks.at_most("I", i, b);
    checks.zero("VALID", valid);
    checks.zero("FORMAT", format);
    broadcast = {1, b == 0 ? length : 1};
    return;
  }
  checks.size("VALID", valid);
  checks.at_most("FORMAT", format, 1);
  if (!checks) return;
  checks.fits("VALID", length % valid == 0, valid, length);
  broadcast = {format == 0 ? 1 : length / valid, valid};
}

void read_prelu(const Operands &o, Activation &a, Checks &checks) {
  if (!checks) return;
  const Unit unit = a.source.unit;
  read_broadcast(o.get<kPrelu, "B">(), o.get<kPrelu, "I">(), o.get<kPrelu, "VALID">(), o.get<kPrelu, "FORMAT">(), a.source.elements,
                 a.broadcast, checks);
  const Unit multiplier = o.unit<kPrelu, "M_UNIT">(), shift = o.unit<kPrelu, "S_UNIT">();
  checks.unit("M_UNIT", multiplier, is_float(unit) == is_float(multiplier));
  a.multiplier = {o.address<kPrelu, "MUL">(), multiplier, a.broadcast.period};
  if (is_float(unit)) {
    checks.zero("S_UNIT", o.get<kPrelu, "S_UNIT">());
    checks.zero("SHIFT", o.get<kPrelu, "SHIFT">());
  } else {
    checks.unit("S_UNIT", shift, is_integer(shift));
    const std::uint64_t address = o.optional_address<kPrelu, "SHIFT">();
    a.shift = {address, shift, address == 0 ? 0 : a.broadcast.period};
  }
}

std::int32_t zero_point(Unit unit, std::uint64_t bits) {
  return static_cast<std::int32_t>(integer_of(is_signed(unit) ? Unit::s8 : Unit::u8, bits));
}
/// A shift of 8 bits, from -31 to 30.
std::int32_t read_shift(const char *name, std::uint64_t bits, Checks &checks) {
  const auto shift = static_cast<std::int32_t>(integer_of(Unit::s8, bits));
  if (shift < kLeastShift) checks.add(Status(ErrorCode::field_out_of_range, name, -1, shift, kLeastShift));
  if (shift > kMostShift) checks.add(Status(ErrorCode::field_out_of_range, name, -1, shift, kMostShift));
  return shift;
}
std::int32_t signed_word(std::uint32_t bits) { return static_cast<std::int32_t>(bits); }

}  // namespace

Result<Operation> resolve_elements(const Operands &o) {
  Elementwise e{.op = o.op()};
  Checks checks;
  switch (e.op) {
    case Opcode::DATA_CONVERT:
    case Opcode::SIGN_BIT: return resolve_unary(o);
    case Opcode::MEDIAN: read_mode<kTernary>(o, e, checks); break;
    case Opcode::CLIP:
      read_mode<kClip>(o, e, checks);
      checks.add(read_clip(e.result.unit, o.get<kClip, "CLIP_MAX">(), o.get<kClip, "CLIP_MIN">(), e.clip));
      break;
    default:
      if (is_between(e.op, Opcode::AND, Opcode::BSET)) return resolve_logic(o);
      if (o.row().layout == &kUnary) {
        read_mode<kUnary>(o, e, checks);
      } else {
        read_mode<kBinary>(o, e, checks);
      }
  }
  check_units(e, checks);
  if (!checks) return checks.status();
  return Operation{e};
}

Result<Operation> resolve_activation(const Operands &o) {
  Activation a{.op = o.op()};
  Checks checks;
  // Addresses and length have the same places in all these tables.
  const std::uint64_t length = o.get<kActivation, "LEN">();
  Unit unit = o.unit<kActivation, "UNIT">();
  std::array<float, 2> &p = a.parameter;
  switch (a.op) {
    case Opcode::ELU:
      unit = o.unit<kElu, "UNIT">();
      read_parameter("ALPHA", "A_UNIT", o.get<kElu, "ALPHA">(), o.unit<kElu, "A_UNIT">(), p[0], checks);
      break;
    case Opcode::HARD_SIGMOID:
      unit = o.unit<kHardSigmoid, "UNIT">();
      read_parameter("A", "A_UNIT", o.get<kHardSigmoid, "A">(), o.unit<kHardSigmoid, "A_UNIT">(), p[0], checks);
      read_parameter("B", "B_UNIT", o.get<kHardSigmoid, "B">(), o.unit<kHardSigmoid, "B_UNIT">(), p[1], checks);
      break;
    case Opcode::SELU:
      unit = o.unit<kSelu, "UNIT">();
      read_parameter("GAMMA", "G_UNIT", o.get<kSelu, "GAMMA">(), o.unit<kSelu, "G_UNIT">(), p[0], checks);
      read_parameter("A", "A_UNIT", o.get<kSelu, "A">(), o.unit<kSelu, "A_UNIT">(), p[1], checks);
      break;
    case Opcode::THRESHOLD_RELU:
    case Opcode::LEAKY_RELU:
    case Opcode::HARD_SHRINK: p[0] = float_of(Unit::fp32, o.get<kOneParameter, "P0">()); break;
    case Opcode::BRELU:
    case Opcode::HARD_TANH:
      p = {float_of(Unit::fp32, o.get<kTwoParameters, "P0">()), float_of(Unit::fp32, o.get<kTwoParameters, "P1">())};
      checks.fits("P1", p[0] <= p[1], o.get<kTwoParameters, "P1">(), o.get<kTwoParameters, "P0">());
      break;
    default: break;
  }
  checks.in_range("LEN", length, 1, kMostElements);
  checks.unit("UNIT", unit, is_float(unit) || takes_integers(a.op));
  a.source = {o.address<kActivation, "S">(), unit, length};
  a.result = {o.address<kActivation, "D">(), unit, length};
  if (a.op == Opcode::PRELU) read_prelu(o, a, checks);
  if (!checks) return checks.status();
  return Operation{a};
}

Result<Operation> resolve_quantised_add(const Operands &o) {
  constexpr const Layout &kAdd = kQuantisedAdd;
  QuantisedAdd q{.op = o.op()};
  Checks checks;
  const std::uint64_t length = o.get<kAdd, "LEN">();
  checks.in_range("LEN", length, 1, kMostElements);
  if (!checks) return checks.status();
  read_broadcast(o.get<kAdd, "B">(), o.get<kAdd, "I">(), o.get<kAdd, "VALID">(), o.get<kAdd, "FORMAT">(), length, q.second, checks);
  q.source[0] = {o.address<kAdd, "S0">(), o.unit<kAdd, "S0_UNIT">(), length};
  q.source[1] = {o.address<kAdd, "S1">(), o.unit<kAdd, "S1_UNIT">(), q.second.period};
  q.result = {o.address<kAdd, "D">(), o.unit<kAdd, "D_UNIT">(), length};
  const bool floats = is_float(q.source[0].unit);
  checks.unit("S1_UNIT", q.source[1].unit, is_float(q.source[1].unit) == floats);
  checks.unit("D_UNIT", q.result.unit, is_float(q.result.unit) == floats);

  q.multiplier = o.get<kAdd, "MUL">();
  q.has_multiplier = q.multiplier != 0;
  q.multiplier_unit = o.unit<kAdd, "M_UNIT">();
  if (q.has_multiplier) {
    checks.unit("M_UNIT", q.multiplier_unit, floats ? is_float(q.multiplier_unit) : q.multiplier_unit == Unit::s32);
    checks.at_most("MUL", q.multiplier, UINT64_MAX >> (64 - bits_of(q.multiplier_unit)));
  }
  if (floats) {
    checks.zero("SHIFT", o.get<kAdd, "SHIFT">());
    checks.zero("OZERO", o.get<kAdd, "OZERO">());
    checks.zero("IZERO", o.get<kAdd, "IZERO">());
    checks.zero("LSHIFT", o.get<kAdd, "LSHIFT">());
  } else {
    q.shift = read_shift("SHIFT", o.get<kAdd, "SHIFT">(), checks);
    if (!q.has_multiplier) checks.zero("SHIFT", o.get<kAdd, "SHIFT">());
    q.input_zero.fill(zero_point(q.source[0].unit, o.get<kAdd, "IZERO">()));
    q.output_zero = zero_point(q.result.unit, o.get<kAdd, "OZERO">());
    q.left_shift = o.word<kAdd, "LSHIFT">();
    checks.at_most("LSHIFT", q.left_shift, 31);
  }
  if (q.left_shift != 0) {
    q.input_multiplier = {signed_word(o.word<kAdd, "MUL0">()), signed_word(o.word<kAdd, "MUL1">())};
    q.input_shift = {read_shift("SHIFT0", o.get<kAdd, "SHIFT0">(), checks), read_shift("SHIFT1", o.get<kAdd, "SHIFT1">(), checks)};
    q.input_zero[1] = zero_point(q.source[1].unit, o.get<kAdd, "IZERO1">());
  }
  checks.add(read_clip(q.result.unit, o.get<kAdd, "CLIP_MAX">(), o.get<kAdd, "CLIP_MIN">(), q.clip));
  if (!checks) return checks.status();
  return Operation{q};
}

}  // namespace cox::isa::unity::detail
