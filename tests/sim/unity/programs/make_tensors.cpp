// SPDX-License-Identifier: MIT
// Tensors with descriptors, random numbers, queries; UNSTACK and DROPOUT. Descriptors and lists that an instruction reads are constants: it
// is refused if another one has written over them.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "tests/sim/unity/programs/generators.h"

namespace cox::test::unity_programs {

using isa::unity::alignment_of;
using isa::unity::bits_of;
using isa::unity::is_float;
using isa::unity::is_signed;
using isa::unity::nibbles_of;
using isa::unity::run_bytes;

namespace {

constexpr std::uint64_t kDescriptorBytes = 64;
enum : std::uint8_t { kValid = 1, kQuantised = 2, kSparse = 4 };

/// The 64 bytes of a descriptor.
struct Descriptor {
  std::uint64_t address = 0;
  std::uint8_t unit = 0, rank = 0, flags = kValid;
  std::int8_t zero_point = 0;
  float scale = 0;
  std::array<std::uint32_t, 6> dimensions{};
  std::array<std::int32_t, 6> strides{};

  [[nodiscard]] std::array<std::int64_t, 8> words() const { return std::bit_cast<std::array<std::int64_t, 8>>(*this); }
};
static_assert(sizeof(Descriptor) == kDescriptorBytes);

std::vector<std::int64_t> random_dimensions(Random &random, std::size_t rank) {
  std::vector<std::int64_t> dimensions(rank);
  for (std::int64_t &dimension : dimensions) dimension = random.between(1, rank > 2 ? 2 : 4);
  return dimensions;
}

std::uint64_t elements_of(const std::vector<std::int64_t> &dimensions) {
  std::uint64_t elements = 1;
  for (const std::int64_t dimension : dimensions) elements *= static_cast<std::uint64_t>(dimension);
  return elements;
}

/// Makes a tensor and its descriptor; the descriptor lies at the address in `field`.
struct Tensor {
  Descriptor descriptor;
  std::uint64_t stored = 0;  ///< elements in memory
};
Tensor place_tensor(Maker &m, const char *field, Unit unit, bool may_be_sparse, bool reads_elements) {
  Random &random = m.random;
  const std::size_t rank = random.size(4);
  const std::vector<std::int64_t> dimensions = random_dimensions(random, rank);
  Tensor tensor;
  Descriptor &d = tensor.descriptor;
  d.unit = static_cast<std::uint8_t>(unit);
  d.rank = static_cast<std::uint8_t>(rank);
  for (std::size_t i = 0; i < rank; ++i) d.dimensions[i] = static_cast<std::uint32_t>(dimensions[i]);
  if (random.chance(30)) {
    d.flags |= kQuantised;
    d.scale = 0.25F;
    d.zero_point = static_cast<std::int8_t>(random.between(-128, 127));
  }
  tensor.stored = elements_of(dimensions);
  std::uint64_t bytes = run_bytes(unit, tensor.stored);
  if (may_be_sparse && random.chance(25)) {
    d.flags |= kSparse;
    tensor.stored = random.below(tensor.stored) + 1;
    bytes = run_bytes(unit, tensor.stored);
    const std::uint64_t index = kConstants[0].start;
    d.strides = {static_cast<std::int32_t>(index), static_cast<std::int32_t>(index >> 32), static_cast<std::int32_t>(tensor.stored)};
  } else {
    std::int64_t step = random.chance(30) ? 2 : 1, reach = 0;
    for (std::size_t i = rank; i-- > 0;) {
      d.strides[i] = static_cast<std::int32_t>(step);
      reach += step * (dimensions[i] - 1);
      step *= dimensions[i];
    }
    bytes = ((static_cast<std::uint64_t>(reach) + 1) * nibbles_of(unit) + 1) / 2;
  }
  d.address = m.place_of_tensor(field, bytes, unit, reads_elements);
  m.constants(field, Unit::u64, d.words());
  return tensor;
}

/// Bits of a parameter that becomes an element.
std::uint64_t element_bits(Random &random, Unit unit) {
  if (is_float(unit)) return real_bits(random, Unit::fp32);
  return static_cast<std::uint32_t>(random.between(is_signed(unit) ? -100 : 0, 100));
}
std::uint64_t probability(Random &random) { return std::bit_cast<std::uint32_t>(static_cast<float>(random.below(257)) / 256); }

Unit unit_of_creation(Maker &m) {
  switch (m.op()) {
    case Opcode::RAND_NORMAL: return m.random.real();
    case Opcode::MULTI_NOMIAL:
    case Opcode::RAND_PERM: return m.random.integer();
    default: return m.random.unit();
  }
}

void set_parameters(Maker &m, Unit unit, std::uint64_t elements) {
  Random &random = m.random;
  const auto order = [&](std::uint64_t low, std::uint64_t high) {
    const bool swapped =
        is_float(unit) ? std::bit_cast<float>(static_cast<std::uint32_t>(low)) > std::bit_cast<float>(static_cast<std::uint32_t>(high))
                       : static_cast<std::int32_t>(low) > static_cast<std::int32_t>(high);
    m.set("P0", swapped ? high : low);
    m.set("P1", swapped ? low : high);
  };
  switch (m.op()) {
    case Opcode::FULL: m.set("P0", element_bits(random, unit)); break;
    case Opcode::RAND_UNIFORM: order(element_bits(random, unit), element_bits(random, unit)); break;
    case Opcode::RANGE:
    case Opcode::LINSPACE:
      m.set("P0", element_bits(random, unit));
      m.set("P1", element_bits(random, unit));
      break;
    case Opcode::RAND_NORMAL:
      m.set("P0", real_bits(random, Unit::fp32));
      m.set("P1", probability(random));
      break;
    case Opcode::RAND_BERNOULLI: m.set("P0", probability(random)); break;
    case Opcode::RAND_BINOMIAL:
      m.set("P0", random.below(20));
      m.set("P1", probability(random));
      break;
    case Opcode::CREATE_QUANT_TENSOR:
      m.set("P0", std::bit_cast<std::uint32_t>(0.5F));
      m.choose("P1", -128, 127);
      break;
    case Opcode::MULTI_NOMIAL: {
      const std::uint32_t weights = m.choose("P0", 1, 8);
      std::vector<std::int64_t> bits(weights);
      for (std::int64_t &weight : bits) weight = std::bit_cast<std::int32_t>(static_cast<float>(random.size(100)) / 8);
      m.constants("SRC", Unit::fp32, bits);
      break;
    }
    case Opcode::CREATE_SPARSE_TENSOR: {
      const std::uint32_t count = m.choose("P0", 1, static_cast<std::int64_t>(elements));
      std::vector<std::int64_t> indices(count);
      for (std::int64_t &index : indices) index = static_cast<std::int64_t>(random.below(elements));
      m.constants("SRC", Unit::s32, indices);
      break;
    }
    default: break;
  }
  const bool has_seed = (m.op() >= Opcode::RAND_UNIFORM && m.op() <= Opcode::RAND_PERM);
  if (has_seed) m.set("SEED", random.bits());
}

bool writes_elements(Opcode op) {
  switch (op) {
    case Opcode::CREATE_TENSOR:
    case Opcode::WARP_TENSOR:
    case Opcode::EMPTY:
    case Opcode::CREATE_SPARSE_TENSOR:
    case Opcode::CREATE_QUANT_TENSOR: return false;
    default: return true;
  }
}

void make_copy_of_tensor(Maker &m) {
  const Unit unit = m.choose("UNIT", m.random.unit());
  const Tensor tensor = place_tensor(m, "SRC", unit, m.op() == Opcode::DUPLICATE, true);
  m.set("RANK", tensor.descriptor.rank);
  m.result("DATA", unit, tensor.stored);
  m.result("DESC", Unit::u64, kDescriptorBytes / 8);
}

}  // namespace

void make_creation(Maker &m) {
  Random &random = m.random;
  if (m.op() == Opcode::DESTROY_TENSOR) return m.result("DESC", Unit::u64, kDescriptorBytes / 8);
  if (m.op() == Opcode::CONTIGUOUS || m.op() == Opcode::DUPLICATE) return make_copy_of_tensor(m);
  const Unit unit = m.choose("UNIT", unit_of_creation(m));
  const bool square = m.op() == Opcode::CREATE_FROM_DIAG, permutes = m.op() == Opcode::RAND_PERM;
  const std::size_t rank = square ? 2 : m.choose("RANK", 1, permutes ? 2 : 6);
  m.set("RANK", rank);
  std::vector<std::int64_t> list = random_dimensions(random, rank);
  if (square) list[1] = list[0];
  if (permutes) list = std::vector<std::int64_t>(rank, 2);  // the numbers fit 4 bits
  const std::uint64_t elements = elements_of(list);
  if (m.op() == Opcode::WARP_TENSOR) {
    for (std::size_t i = 0; i < rank; ++i) list.push_back(random.between(0, 5));
  }
  m.constants("SHAPE", Unit::u32, list);
  set_parameters(m, unit, elements);
  if (square) m.source("SRC", unit, static_cast<std::uint64_t>(list[0]));
  if (writes_elements(m.op())) {
    m.result("DATA", unit, elements);
  } else {
    m.set_address("DATA", kData[0].start + 8 * random.below(100));
  }
  m.result("DESC", Unit::u64, kDescriptorBytes / 8);
}

void make_query(Maker &m) {
  const Opcode op = m.op();
  const bool reads = op == Opcode::IS_FINITE || op == Opcode::IS_INF || op == Opcode::HAS_INF || op == Opcode::HAS_NAN;
  const Tensor tensor = place_tensor(m, "DESC", m.random.unit(), true, reads);
  switch (op) {
    case Opcode::SHAPE: m.result("D", Unit::u32, tensor.descriptor.rank); break;
    case Opcode::RANK:
    case Opcode::SIZE: m.result("D", Unit::u32, 1); break;
    case Opcode::IS_FINITE:
    case Opcode::IS_INF: m.result("D", Unit::u8, tensor.stored); break;
    default: m.result("D", Unit::u8, 1); break;
  }
}

void make_dropout(Maker &m) {
  const Unit unit = m.choose("UNIT", m.random.real()), ratio = m.choose("RATIO_UNIT", m.random.chance(50) ? Unit::fp16 : Unit::fp32);
  const std::uint64_t length = random_length(m.random);
  constexpr std::uint64_t kHalf16 = 0x3800, kHalf32 = 0x3F000000;
  m.set("LEN", length);
  m.set("RATIO", m.random.chance(20) ? 0 : ratio == Unit::fp16 ? kHalf16 : kHalf32);
  m.set("SEED", m.random.bits());
  m.source("FM", unit, length);
  m.result("D", unit, length);
}

void make_unstack(Maker &m) {
  const Unit unit = m.choose("UNIT", m.random.unit());
  const std::uint32_t axis = m.choose("AXIS", 0, 3);
  const std::array<std::uint32_t, 4> extents{m.choose("FN", 1, 3), m.choose("FH", 1, 3), m.choose("FW", 1, 3), m.choose("FC", 1, 4)};
  std::uint64_t elements = 1;
  for (const std::uint32_t extent : extents) elements *= extent;
  m.source("S", unit, elements);
  std::vector<std::int64_t> list;
  for (std::uint32_t i = 0; i < extents[axis]; ++i) {
    const std::uint64_t address = m.result_of_list("LIST", run_bytes(unit, elements / extents[axis]), unit);
    list.push_back(static_cast<std::int64_t>(address - (m.space() == AddressSpace::bits16 ? kPage : 0)));
  }
  constexpr std::array<Unit, 3> kAddresses = {Unit::u16, Unit::u32, Unit::u64};
  m.constants("LIST", kAddresses[static_cast<unsigned>(m.space())], list);
}

}  // namespace cox::test::unity_programs
