// SPDX-License-Identifier: MIT
// Tensor descriptors and random numbers: CREATE_TENSOR to DESTROY_TENSOR, and DROPOUT.
#include <bit>
#include <cmath>
#include <span>

#include "coxswain/isa/unity/operands.h"
#include "coxswain/isa/unity/region_sink.h"

namespace cox::isa::unity::detail {
namespace {

using namespace layouts;

static_assert(kMostTensorElements == kMostElements);

/// Fields that an operation has besides DESC, DATA, UNIT and RANK.
struct Fields {
  bool shape = true, source = false, p0 = false, p1 = false, seed = false;
};
constexpr Fields fields_of(Opcode op) {
  switch (op) {
    case Opcode::FULL: return {.p0 = true};
    case Opcode::CONTIGUOUS:
    case Opcode::DUPLICATE: return {.shape = false, .source = true};
    case Opcode::RAND_UNIFORM:
    case Opcode::RAND_NORMAL:
    case Opcode::RAND_BINOMIAL: return {.p0 = true, .p1 = true, .seed = true};
    case Opcode::RAND_BERNOULLI: return {.p0 = true, .seed = true};
    case Opcode::MULTI_NOMIAL: return {.source = true, .p0 = true, .seed = true};
    case Opcode::RAND_PERM: return {.seed = true};
    case Opcode::RANGE:
    case Opcode::LINSPACE:
    case Opcode::CREATE_QUANT_TENSOR: return {.p0 = true, .p1 = true};
    case Opcode::CREATE_SPARSE_TENSOR: return {.source = true, .p0 = true};
    case Opcode::CREATE_FROM_DIAG: return {.source = true};
    case Opcode::DESTROY_TENSOR: return {.shape = false};
    default: return {};
  }
}

constexpr bool writes_elements(Opcode op) {
  switch (op) {
    case Opcode::CREATE_TENSOR:
    case Opcode::WARP_TENSOR:
    case Opcode::EMPTY:
    case Opcode::CREATE_SPARSE_TENSOR:
    case Opcode::CREATE_QUANT_TENSOR:
    case Opcode::DESTROY_TENSOR: return false;
    default: return true;
  }
}

/// Checks fields that the operation lacks.
void check_absent(const Operands &o, Checks &checks) {
  const Fields fields = fields_of(o.op());
  if (!fields.shape) checks.zero("SHAPE", o.get<kCreate, "SHAPE">());
  if (!fields.source) checks.zero("SRC", o.get<kCreate, "SRC">());
  if (!fields.p0) checks.zero("P0", o.get<kCreate, "P0">());
  if (!fields.p1) checks.zero("P1", o.get<kCreate, "P1">());
  if (!fields.seed) checks.zero("SEED", o.get<kCreate, "SEED">());
}

constexpr std::int64_t kLargestFloat = 0x7F7FFFFF, kOne = 0x3F800000;  // bits of FP32 numbers

void check_finite(const char *what, std::uint32_t bits, Checks &checks) {
  if (!std::isfinite(std::bit_cast<float>(bits))) checks.add(out_of_range(what, bits, kLargestFloat));
}
void check_probability(const char *what, std::uint32_t bits, Checks &checks) {
  const float value = std::bit_cast<float>(bits);
  if (!(value >= 0 && value <= 1)) checks.add(out_of_range(what, bits, kOne));
}

/// Checks that the bounds of RAND_UNIFORM are in order, and that their difference is a number.
void check_bounds(const Creation &c, Unit unit, Checks &checks) {
  bool ordered = c.p0 <= c.p1;
  if (is_signed(unit)) ordered = std::bit_cast<std::int32_t>(c.p0) <= std::bit_cast<std::int32_t>(c.p1);
  if (is_float(unit)) {
    const float low = std::bit_cast<float>(c.p0), high = std::bit_cast<float>(c.p1);
    ordered = low <= high && std::isfinite(high - low);
  }
  checks.fits("P1", ordered, c.p1, c.p0);
}

/// Checks the parameters that do not depend on the shape.
void check_parameters(const Creation &c, Unit unit, Checks &checks) {
  switch (c.op) {
    case Opcode::RAND_NORMAL:
      checks.unit("UNIT", unit, is_float(unit));
      check_finite("P0", c.p0, checks);
      check_finite("P1", c.p1, checks);
      if (std::bit_cast<float>(c.p1) < 0) checks.add(out_of_range("P1", c.p1, 0));
      break;
    case Opcode::RAND_UNIFORM:
    case Opcode::RANGE:
    case Opcode::LINSPACE:
      if (is_float(unit)) {
        check_finite("P0", c.p0, checks);
        check_finite("P1", c.p1, checks);
      }
      if (c.op == Opcode::RAND_UNIFORM) check_bounds(c, unit, checks);
      break;
    case Opcode::RAND_BERNOULLI: check_probability("P0", c.p0, checks); break;
    case Opcode::RAND_BINOMIAL: check_probability("P1", c.p1, checks); break;
    case Opcode::MULTI_NOMIAL:
      checks.unit("UNIT", unit, is_integer(unit));
      checks.size("P0", c.p0);
      if (checks) checks.fits("P0", c.p0 - 1 <= maximum_of(unit), c.p0, maximum_of(unit) + 1);
      break;
    case Opcode::RAND_PERM: checks.unit("UNIT", unit, is_integer(unit)); break;
    case Opcode::CREATE_QUANT_TENSOR: {
      check_finite("P0", c.p0, checks);
      if (!(std::bit_cast<float>(c.p0) > 0)) checks.add(out_of_range("P0", c.p0, 1));
      const auto zero = std::bit_cast<std::int32_t>(c.p1);
      if (zero < INT8_MIN || zero > INT8_MAX)
        checks.add(Status(ErrorCode::field_out_of_range, "P1", -1, zero, zero < 0 ? INT8_MIN : INT8_MAX));
      break;
    }
    default: break;
  }
}

/// Reads the list of dimensions into the descriptor, and makes its strides.
Status read_shape(const Operands &o, Creation &c) {
  const bool has_strides = c.op == Opcode::WARP_TENSOR;
  std::array<std::uint32_t, 2 * kMostRank> words{};
  const unsigned rank = c.descriptor.rank;
  const unsigned count = has_strides ? 2 * rank : rank;
  c.shape = {o.optional_address<kCreate, "SHAPE">(), Unit::u32, count};
  if (!o.memory().read(c.shape.address, std::as_writable_bytes(std::span(words).first(count)))) {
    return {ErrorCode::address_outside_window, "SHAPE", -1, signed_of(c.shape.address), 0};
  }
  for (unsigned i = 0; i < rank; ++i) c.descriptor.dimensions[i] = words[i];
  if (!has_strides) return c.op == Opcode::CREATE_SPARSE_TENSOR ? Status() : set_dense_strides(c.descriptor, "SHAPE");
  for (unsigned i = 0; i < rank; ++i) c.descriptor.strides[i] = static_cast<std::int32_t>(words[rank + i]);
  return {};
}

/// Reads the descriptor of the tensor that CONTIGUOUS and DUPLICATE copy, and describes the copy.
Status read_tensor(const Operands &o, Creation &c) {
  std::array<std::byte, kDescriptorBytes> bytes{};
  c.tensor_address = o.address<kCreate, "SRC">();
  if (!o.memory().read(c.tensor_address, bytes)) {
    return {ErrorCode::address_outside_window, "SRC", -1, signed_of(c.tensor_address), 0};
  }
  c.tensor = read_descriptor(bytes);
  if (const Status status = check_descriptor(c.tensor, "SRC", c.tensor_range); !status) return status;
  if (c.tensor.is_sparse() && c.op == Opcode::CONTIGUOUS)
    return out_of_range("SRC", c.tensor.flags, kDescriptorValid | kDescriptorQuantised);
  Checks checks;
  checks.equal("UNIT", c.descriptor.unit, c.tensor.unit);
  checks.equal("RANK", c.descriptor.rank, c.tensor.rank);
  if (!checks) return checks.status();
  const std::uint64_t address = c.descriptor.address;
  c.descriptor = c.tensor;
  c.descriptor.address = address;
  return c.tensor.is_sparse() ? Status() : set_dense_strides(c.descriptor, "SRC");
}

/// The size in bytes of an element of the source, which decides its alignment.
unsigned source_alignment(Opcode op, Unit unit) {
  switch (op) {
    case Opcode::CONTIGUOUS:
    case Opcode::DUPLICATE: return alignof(std::uint64_t);
    case Opcode::CREATE_FROM_DIAG: return alignment_of(unit);
    default: return alignof(std::uint32_t);
  }
}

/// Checks what depends on the number of elements, and names the source.
void finish(const Operands &o, Creation &c, Checks &checks) {
  const Unit unit = c.descriptor.element_unit();
  const std::uint64_t source = o.optional_address<kCreate, "SRC">(), elements = c.descriptor.elements();
  switch (c.op) {
    case Opcode::RAND_BINOMIAL: checks.fits("P0", elements == 0 || c.p0 <= (kMostElements - 1) / elements, c.p0, kMostElements); break;
    case Opcode::RAND_PERM: {
      constexpr std::uint64_t kMostPermuted = std::uint64_t{1} << 32;
      const std::uint64_t most = maximum_of(unit) < kMostPermuted ? maximum_of(unit) + 1 : kMostPermuted;
      checks.fits("SHAPE", elements <= most, elements, most);
      break;
    }
    case Opcode::MULTI_NOMIAL: c.source = {source, Unit::fp32, c.p0}; break;
    case Opcode::CREATE_SPARSE_TENSOR:
      checks.fits("P0", c.p0 <= elements, c.p0, elements);
      c.source = {source, Unit::s32, c.p0};
      c.descriptor.set_sparse(source, c.p0);
      break;
    case Opcode::CREATE_FROM_DIAG:
      checks.equal("RANK", c.descriptor.rank, 2);
      checks.equal("SHAPE", c.descriptor.dimensions[1], c.descriptor.dimensions[0]);
      c.source = {source, unit, c.descriptor.dimensions[0]};
      break;
    default: break;
  }
  if (c.source.elements != 0) checks.size("SRC", o.get<kCreate, "SRC">());
  const std::uint64_t stored = c.descriptor.stored_elements();
  if (stored != 0) checks.size("DATA", o.get<kCreate, "DATA">());
  if (writes_elements(c.op)) c.data = {c.descriptor.address, unit, stored};
}

Result<Operation> resolve_destroy(const Operands &o) {
  Checks checks;
  checks.zero("DATA", o.get<kCreate, "DATA">());
  checks.zero("UNIT", o.get<kCreate, "UNIT">());
  checks.zero("RANK", o.get<kCreate, "RANK">());
  check_absent(o, checks);
  if (!checks) return checks.status();
  return Operation{Creation{.op = o.op(), .address = o.address<kCreate, "DESC">()}};
}

Result<Operation> resolve_create(const Operands &o) {
  Creation c{.op = o.op()};
  c.p0 = o.word<kCreate, "P0">();
  c.p1 = o.word<kCreate, "P1">();
  c.seed = o.get<kCreate, "SEED">();
  c.address = o.address<kCreate, "DESC">();
  const Unit unit = o.unit<kCreate, "UNIT">();
  c.descriptor.address = o.optional_address<kCreate, "DATA">();
  c.descriptor.unit = static_cast<std::uint8_t>(unit);
  c.descriptor.rank = static_cast<std::uint8_t>(o.word<kCreate, "RANK">());
  c.descriptor.flags = kDescriptorValid;

  Checks checks;
  const Fields fields = fields_of(c.op);
  checks.in_range("RANK", c.descriptor.rank, 1, kMostRank);
  check_absent(o, checks);
  check_parameters(c, unit, checks);
  if (fields.shape)
    checks.size("SHAPE", o.get<kCreate, "SHAPE">());
  else
    checks.size("SRC", o.get<kCreate, "SRC">());
  const unsigned alignment = source_alignment(c.op, unit);
  if (o.get<kCreate, "SRC">() % alignment != 0) {
    checks.add(Status(ErrorCode::misaligned_address, "SRC", -1, signed_of(o.get<kCreate, "SRC">()), alignment));
  }
  if (checks) checks.add(fields.shape ? read_shape(o, c) : read_tensor(o, c));
  if (checks) finish(o, c, checks);
  if (!checks) return checks.status();

  if (c.op == Opcode::CREATE_QUANT_TENSOR) {
    c.descriptor.flags |= kDescriptorQuantised;
    c.descriptor.scale = std::bit_cast<float>(c.p0);
    c.descriptor.zero_point = static_cast<std::int8_t>(c.p1);
  }
  TensorRange range;
  const Status status = check_shape(c.descriptor, fields.shape ? "SHAPE" : "SRC", range);
  if (status.code() == ErrorCode::address_outside_window) return Status(status.code(), "DATA", -1, status.value());
  if (!status) return status;
  return Operation{c};
}

Result<Operation> resolve_dropout(const Operands &o) {
  Checks checks;
  const Unit unit = o.unit<kDropout, "UNIT">(), ratio_unit = o.unit<kDropout, "RATIO_UNIT">();
  const std::uint64_t length = o.get<kDropout, "LEN">(), bits = o.get<kDropout, "RATIO">();
  checks.unit("UNIT", unit, is_float(unit));
  checks.unit("RATIO_UNIT", ratio_unit, ratio_unit == Unit::fp16 || ratio_unit == Unit::fp32);
  checks.size("LEN", length);
  if (!checks) return checks.status();
  checks.at_most("RATIO", bits, UINT64_MAX >> (64 - bits_of(ratio_unit)));
  const float ratio = float_of(ratio_unit, bits);
  if (!(ratio >= 0 && ratio <= 1)) checks.add(out_of_range("RATIO", bits, ratio_unit == Unit::fp16 ? 0x3C00 : kOne));
  if (!checks) return checks.status();
  return Operation{Dropout{.op = o.op(),
                           .source = {o.address<kDropout, "FM">(), unit, length},
                           .result = {o.address<kDropout, "D">(), unit, length},
                           .ratio = ratio,
                           .seed = o.word<kDropout, "SEED">()}};
}

}  // namespace

Result<Operation> resolve_creation(const Operands &o) {
  switch (o.op()) {
    case Opcode::UNSTACK: return resolve_unstack(o);
    case Opcode::DROPOUT: return resolve_dropout(o);
    case Opcode::DESTROY_TENSOR: return resolve_destroy(o);
    default: return o.op() <= Opcode::DESTROY_TENSOR ? resolve_create(o) : resolve_query(o);
  }
}

void list_regions(const Creation &operation, RegionSink &sink) {
  const bool copies = operation.tensor.rank != 0;
  sink.read("SHAPE", operation.shape);
  sink.read("SRC", {operation.tensor_address, Unit::u8, copies ? kDescriptorBytes : 0});
  sink.read("SRC", {operation.tensor_range.first, Unit::u8, operation.tensor_range.bytes});
  sink.read("SRC", operation.source);
  sink.write("DATA", operation.data);
  sink.write("DESC", {operation.address, Unit::u8, kDescriptorBytes});
}

void list_regions(const Dropout &operation, RegionSink &sink) {
  sink.read("FM", operation.source);
  sink.write("D", operation.result);
}

}  // namespace cox::isa::unity::detail
