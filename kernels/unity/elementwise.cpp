// SPDX-License-Identifier: MIT
#include "coxswain/kernels/unity/elementwise.h"

#include <algorithm>
#include <bit>

namespace cox::kernels::unity {

namespace {

constexpr std::uint64_t kMostElements = 1ULL << 31;

Status check_elements(std::uint64_t elements) {
  if (elements != 0 && elements < kMostElements) return {};
  return {ErrorCode::invalid_argument, "elements", -1, signed_of(elements), signed_of(kMostElements - 1)};
}

/// The first error of a row of statuses.
Status first_error(std::initializer_list<Status> statuses) {
  for (const Status &status : statuses) {
    if (!status) return status;
  }
  return {};
}

Status check_binary(const ContainerBuilder &builder, const std::array<std::uint64_t, 2> &inputs, std::uint64_t output,
                    std::uint64_t elements) {
  return first_error({builder.check_bytes(inputs[0], elements, false, "inputs"), builder.check_bytes(inputs[1], elements, false, "inputs"),
                      builder.check_bytes(output, elements, true, "output")});
}

/// A BASE operation of two sources; `scalar`: the second one is one element.
struct Binary {
  std::uint64_t first, second, result, elements;
  Unit first_unit, second_unit, result_unit;
  bool scalar = false, saturate = false;
};
using BinaryOperation = SameTable<Opcode::ADD>;
template <Opcode Op>
constexpr BinaryOperation kBinary = same_table<Opcode::ADD, Op>();

void add_binary(ContainerBuilder &builder, const BinaryOperation &operation, const Binary &b) {
  Table<Opcode::ADD> table;
  table.set<"S0">(b.first);
  table.set<"S1">(b.second);
  table.set<"D">(b.result);
  table.set<"LEN">(b.elements);
  table.set<"S0_UNIT">(code_of(b.first_unit));
  table.set<"S1_UNIT">(code_of(b.second_unit));
  table.set<"D_UNIT">(code_of(b.result_unit));
  table.set<"SCALAR1">(b.scalar ? 1 : 0);
  table.set<"SAT">(b.saturate ? 1 : 0);
  builder.add(table, operation);
}

/// ELE_ADD of a tensor and one element that equals the zero point of both: requantises the tensor.
struct Requantisation {
  std::uint64_t source, zero, result, elements;
  Unit unit;
  std::int32_t input_zero, output_zero;
  Multiplier multiplier;
  Bounds bounds;
};
void add_requantisation(ContainerBuilder &builder, const Requantisation &r) {
  Table<Opcode::ELE_ADD> table;
  table.set<"S0">(r.source);
  table.set<"S1">(r.zero);
  table.set<"D">(r.result);
  table.set<"LEN">(r.elements);
  table.set<"S0_UNIT">(code_of(r.unit));
  table.set<"S1_UNIT">(code_of(r.unit));
  table.set<"D_UNIT">(code_of(Unit::s8));
  table.set<"M_UNIT">(code_of(Unit::s32));
  table.set<"I">(1);
  table.set<"B">(1);
  table.set<"MUL">(word_of(r.multiplier.multiplier));
  table.set<"SHIFT">(byte_of(r.multiplier.shift));
  table.set<"OZERO">(byte_of(r.output_zero));
  table.set<"IZERO">(byte_of(r.input_zero));
  table.set<"CLIP_MAX">(half_of(r.bounds.most));
  table.set<"CLIP_MIN">(half_of(r.bounds.least));
  builder.add(table);
}

void add_sum(ContainerBuilder &builder, const SumArguments &a) {
  Table<Opcode::ELE_ADD> table;
  table.set<"S0">(a.inputs[0]);
  table.set<"S1">(a.inputs[1]);
  table.set<"D">(a.output);
  table.set<"LEN">(a.elements);
  table.set<"S0_UNIT">(code_of(Unit::s8));
  table.set<"S1_UNIT">(code_of(Unit::s8));
  table.set<"D_UNIT">(code_of(Unit::s8));
  table.set<"M_UNIT">(code_of(Unit::s32));
  table.set<"MUL">(word_of(a.multiplier.multiplier));
  table.set<"SHIFT">(byte_of(a.multiplier.shift));
  table.set<"OZERO">(byte_of(a.output_zero));
  table.set<"IZERO">(byte_of(a.input_zero[0]));
  table.set<"IZERO1">(byte_of(a.input_zero[1]));
  table.set<"LSHIFT">(a.left_shift);
  table.set<"MUL0">(word_of(a.input_multiplier[0].multiplier));
  table.set<"MUL1">(word_of(a.input_multiplier[1].multiplier));
  table.set<"SHIFT0">(byte_of(a.input_multiplier[0].shift));
  table.set<"SHIFT1">(byte_of(a.input_multiplier[1].shift));
  table.set<"CLIP_MAX">(half_of(a.bounds.most));
  table.set<"CLIP_MIN">(half_of(a.bounds.least));
  constexpr auto kAdd = same_table<Opcode::ELE_ADD, Opcode::ELE_ADD>(), kSubtract = same_table<Opcode::ELE_ADD, Opcode::ELE_SUB>();
  builder.add(table, a.subtract ? kSubtract : kAdd);
}

}  // namespace

Status check_sum(const SumArguments &a) {
  static constexpr NumberLimits kShift[] = {{"left_shift", offsetof(SumArguments, left_shift), 31}};
  return first_error({check_elements(a.elements), check_numbers(&a, kShift), check_multiplier(a.input_multiplier[0]),
                      check_multiplier(a.input_multiplier[1]), check_multiplier(a.multiplier), check_int8("input_zero", a.input_zero[0]),
                      check_int8("input_zero", a.input_zero[1]), check_int8("output_zero", a.output_zero), check_bounds(a.bounds)});
}

Status sum(ContainerBuilder &builder, const SumArguments &a) {
  if (const Status status = check_sum(a); !status) return status;
  if (const Status status = check_binary(builder, a.inputs, a.output, a.elements); !status) return status;
  if (const Status status = builder.begin_kernel(); !status) return status;
  add_sum(builder, a);
  return builder.end_kernel();
}

Status check_product(const ProductArguments &a) {
  return first_error({check_elements(a.elements), check_multiplier(a.multiplier), check_int8("input_zero", a.input_zero[0]),
                      check_int8("input_zero", a.input_zero[1]), check_int8("output_zero", a.output_zero), check_bounds(a.bounds)});
}

Status product(ContainerBuilder &builder, const ProductArguments &a) {
  if (const Status status = check_product(a); !status) return status;
  if (const Status status = check_binary(builder, a.inputs, a.output, a.elements); !status) return status;
  if (const Status status = builder.check_bytes(a.scratch, product_scratch(a.elements), true, "scratch"); !status) return status;
  if (const Status status = builder.begin_kernel(); !status) return status;
  const std::uint64_t parts[] = {a.scratch, a.scratch + 4 * a.elements};
  for (unsigned i = 0; i < 2; ++i) {
    add_binary(builder, kBinary<Opcode::SUB>,
               {a.inputs[i], builder.constant(a.input_zero[i]), parts[i], a.elements, Unit::s8, Unit::s32, Unit::s32, /*scalar=*/true});
  }
  add_binary(builder, kBinary<Opcode::MUL>, {parts[0], parts[1], parts[0], a.elements, Unit::s32, Unit::s32, Unit::s32});
  add_requantisation(
      builder, {parts[0], builder.constant(std::int32_t{0}), a.output, a.elements, Unit::s32, 0, a.output_zero, a.multiplier, a.bounds});
  return builder.end_kernel();
}

Status extremum(ContainerBuilder &builder, const ExtremumArguments &a) {
  if (const Status status = check_elements(a.elements); !status) return status;
  if (const Status status = check_binary(builder, a.inputs, a.output, a.elements); !status) return status;
  if (const Status status = builder.begin_kernel(); !status) return status;
  const Binary binary{a.inputs[0], a.inputs[1], a.output, a.elements, Unit::s8, Unit::s8, Unit::s8};
  add_binary(builder, a.maximum ? kBinary<Opcode::MAX> : kBinary<Opcode::MIN>, binary);
  return builder.end_kernel();
}

Status check_rescale(const RescaleArguments &a) {
  return first_error({check_elements(a.elements), check_multiplier(a.multiplier), check_int8("input_zero", a.input_zero),
                      check_int8("output_zero", a.output_zero), check_bounds(a.bounds)});
}

Status rescale(ContainerBuilder &builder, const RescaleArguments &a) {
  if (const Status status = first_error({check_rescale(a), builder.check_bytes(a.input, a.elements, false, "input"),
                                         builder.check_bytes(a.output, a.elements, true, "output")});
      !status)
    return status;
  if (const Status status = builder.begin_kernel(); !status) return status;
  const auto zero = static_cast<std::int8_t>(a.input_zero);
  add_requantisation(
      builder, {a.input, builder.constant(zero), a.output, a.elements, Unit::s8, a.input_zero, a.output_zero, a.multiplier, a.bounds});
  return builder.end_kernel();
}

Status look_up(ContainerBuilder &builder, const LookUpArguments &a) {
  if (const Status status = first_error({check_elements(a.elements), builder.check_bytes(a.input, a.elements, false, "input"),
                                         builder.check_bytes(a.table, kLookUpBytes, false, "table"),
                                         builder.check_bytes(a.output, a.elements, true, "output")});
      !status)
    return status;
  if (const Status status = builder.begin_kernel(); !status) return status;
  Table<Opcode::GATHER> table;
  table.set<"S">(a.table);
  table.set<"FH">(1);
  table.set<"FW">(1);
  table.set<"FC">(kLookUpBytes);
  table.set<"AXIS">(3);
  table.set<"UNIT">(code_of(Unit::s8));
  table.set<"U8">(1);
  for (std::uint64_t first = 0; first < a.elements; first += kMostSide) {
    table.set<"INDEX">(a.input + first);
    table.set<"D">(a.output + first);
    table.set<"INDEX_LEN">(std::min<std::uint64_t>(a.elements - first, kMostSide));
    builder.add(table);
  }
  return builder.end_kernel();
}

Status convert(ContainerBuilder &builder, const ConversionArguments &a) {
  const std::uint64_t wide = 4 * a.elements;
  if (const Status status =
          first_error({check_elements(a.elements), builder.check_bytes(a.input, a.to_float ? a.elements : wide, false, "input"),
                       builder.check_bytes(a.output, a.to_float ? wide : a.elements, true, "output"),
                       a.to_float ? Status() : builder.check_bytes(a.scratch, conversion_scratch(a.elements), true, "scratch")});
      !status)
    return status;
  if (const Status status = builder.begin_kernel(); !status) return status;
  const std::uint64_t scale = builder.constant(a.scale), zero = builder.constant(a.zero);
  if (a.to_float) {
    add_binary(builder, kBinary<Opcode::SUB>, {a.input, zero, a.output, a.elements, Unit::s8, Unit::s32, Unit::fp32, /*scalar=*/true});
    add_binary(builder, kBinary<Opcode::MUL>, {a.output, scale, a.output, a.elements, Unit::fp32, Unit::fp32, Unit::fp32, /*scalar=*/true});
    return builder.end_kernel();
  }
  add_binary(builder, kBinary<Opcode::DIV>, {a.input, scale, a.scratch, a.elements, Unit::fp32, Unit::fp32, Unit::fp32, /*scalar=*/true});
  Table<Opcode::DATA_CONVERT> table;
  table.set<"S">(a.scratch);
  table.set<"D">(a.scratch);
  table.set<"LEN">(a.elements);
  table.set<"S_UNIT">(code_of(Unit::fp32));
  table.set<"D_UNIT">(code_of(Unit::s32));
  constexpr std::uint64_t kHalfFromZero = 2;
  table.set<"ROUND">(kHalfFromZero);
  builder.add(table);
  add_binary(builder, kBinary<Opcode::ADD>,
             {a.scratch, zero, a.output, a.elements, Unit::s32, Unit::s32, Unit::s8, /*scalar=*/true, /*saturate=*/true});
  return builder.end_kernel();
}

Status check_softmax(const SoftmaxArguments &a) {
  static constexpr NumberLimits kNumbers[] = {{"rows", offsetof(SoftmaxArguments, rows), UINT32_MAX},
                                              {"depth", offsetof(SoftmaxArguments, depth), kMostSide}};
  if (const Status status = check_numbers(&a, kNumbers); !status) return status;
  const Multiplier &m = a.multiplier;
  if (m.multiplier <= 0) return {ErrorCode::invalid_argument, "multiplier", -1, m.multiplier, 1};
  constexpr std::int32_t kMostShift = 31;
  if (m.shift < 0 || m.shift > kMostShift) return {ErrorCode::invalid_argument, "shift", -1, m.shift, m.shift < 0 ? 0 : kMostShift};
  if (a.least_difference > 0 || a.least_difference < INT16_MIN)
    return {ErrorCode::invalid_argument, "least_difference", -1, a.least_difference, INT16_MIN};
  return {};
}

Status softmax(ContainerBuilder &builder, const SoftmaxArguments &a) {
  const std::uint64_t bytes = std::uint64_t{a.rows} * a.depth;
  if (const Status status = first_error(
          {check_softmax(a), builder.check_bytes(a.input, bytes, false, "input"), builder.check_bytes(a.output, bytes, true, "output")});
      !status)
    return status;
  if (const Status status = builder.begin_kernel(); !status) return status;
  Table<Opcode::SOFTMAX> table;
  table.set<"UNIT">(code_of(Unit::s8));
  table.set<"AXIS">(3);
  table.set<"I_W">(1);
  table.set<"FC">(a.depth);
  table.set<"QMUL">(word_of(a.multiplier.multiplier));
  table.set<"LSHIFT">(static_cast<std::uint32_t>(a.multiplier.shift));
  table.set<"DIFF_MIN">(half_of(a.least_difference));
  for (std::uint32_t row = 0; row < a.rows; row += kMostSide) {
    const std::uint64_t first = std::uint64_t{row} * a.depth;
    table.set<"FM">(a.input + first);
    table.set<"D">(a.output + first);
    table.set<"I_H">(std::min(a.rows - row, kMostSide));
    builder.add(table);
  }
  return builder.end_kernel();
}

}  // namespace cox::kernels::unity
