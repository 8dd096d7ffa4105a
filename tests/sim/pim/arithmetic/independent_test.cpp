// SPDX-License-Identifier: MIT
// Compares the reference with other ways to the same numbers: products of matrices with Eigen, and the fixed-point functions as gemmlowp
// and TensorFlow Lite define them.
#include <Eigen/Core>
#include <algorithm>
#include <limits>

#include "random_case.h"

namespace cox::test {
namespace independent_test {

using isa::pim::Compute;
using isa::pim::Simd;
using isa::pim::SimdKind;
using isa::pim::SimdOpcode;
using Matrix = Eigen::Matrix<std::uint32_t, Eigen::Dynamic, Eigen::Dynamic>;  // Eigen's arithmetic wraps at 2^32, as the sums do

/// `count` bits at bit `first` from an address on, as a signed number.
std::int64_t signed_bits(const TestCore &core, std::uint32_t address, std::uint64_t first, unsigned count) {
  std::int64_t value = 0;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint64_t bit = first + i;
    const std::int64_t weight = std::int64_t{1} << i;
    const unsigned byte = core.get<std::uint8_t>(address + static_cast<std::uint32_t>(bit / 8));
    if ((byte >> (bit % 8) & 1) != 0) value += i + 1 == count ? -weight : weight;
  }
  return value;
}

std::uint32_t advanced(const TestCore &core, std::uint32_t first, const Compute::Advance &advance, std::uint32_t number) {
  return first + (advance.table ? core.get<std::uint32_t>(advance.value + 4 * number) : advance.value * number);
}

/// The weights of a macro in one row: compartments by columns.
Matrix weights_of(const TestCore &core, const Compute &op, std::uint32_t step, std::uint32_t macro, std::uint32_t member) {
  const isa::pim::Array &array = core.configuration.array;
  Matrix weights(array.compartments, op.columns);
  for (std::uint32_t k = 0; k < array.compartments; ++k) {
    // The place of the line, from docs/isa/pim.md: lines of one row of a group are consecutive; groups have the first size.
    const std::uint64_t size = array.group_sizes[0], line = std::uint64_t{op.first.row + step} * array.compartments + k;
    const std::uint64_t lines = std::uint64_t{array.rows} * array.compartments;
    const bool between = array.order == isa::pim::ArrayOrder::between_groups;
    const std::uint64_t place = between ? line * array.macros + macro : (macro / size * lines + line) * size + macro % size;
    for (std::uint32_t column = 0; column < op.columns; ++column) {
      const std::uint64_t bit = place * array.line_bits() + std::uint64_t{column} * op.weight_width;
      std::int64_t weight = signed_bits(core, array.first, bit, op.weight_width);
      if (op.bit_sparse) {
        const std::uint32_t meta = advanced(core, op.first.meta, op.meta_advance, step);
        const std::uint64_t first = ((std::uint64_t{k} * op.working_macros + member) * op.columns + column) * 3;
        const std::int64_t sign = signed_bits(core, meta, first, 1), high = signed_bits(core, meta, first + 1, 1),
                           low = signed_bits(core, meta, first + 2, 1);  // 0 or -1
        const std::int64_t powers[] = {1, 4, 16, 64};
        weight = (1 + 2 * sign) * (1 - weight) * powers[-2 * high - low];
      }
      weights(k, column) = static_cast<std::uint32_t>(weight);
    }
  }
  return weights;
}

/// The sums of all output registers that the compute adds.
std::vector<std::uint32_t> expected_sums(const TestCore &core, const Compute &op) {
  std::vector<std::uint32_t> sums(core.registers.size());
  for (std::uint32_t step = 0; step < op.count; ++step) {
    const std::uint32_t input = advanced(core, op.first.input, op.input_advance, step);
    for (std::uint32_t macro = 0; macro < op.groups * op.group_macros; ++macro) {
      const std::uint32_t group = macro / op.group_macros, member = macro % op.group_macros;
      if (member * op.columns >= op.group_columns) continue;
      // The inputs of the macro, those that no mask selects left out.
      const std::uint32_t address = advanced(core, input, op.group_advance, group);
      Matrix inputs = Matrix::Zero(1, core.configuration.array.compartments);
      Eigen::Index compartment = 0;
      for (std::uint32_t i = 0; i < op.inputs; ++i) {
        if (op.value_sparse) {
          const std::uint32_t mask = advanced(core, op.first.mask, op.mask_advance, step);
          if (signed_bits(core, mask, std::uint64_t{member} * op.inputs + i, 1) == 0) continue;
        }
        inputs(0, compartment++) =
            static_cast<std::uint32_t>(signed_bits(core, address, std::uint64_t{i} * op.input_width, op.input_width));
      }
      const Matrix products = inputs * weights_of(core, op, step, macro, member);
      for (std::uint32_t column = 0; column < op.columns && member * op.columns + column < op.group_columns; ++column) {
        sums[macro * op.columns + column] += products(0, column);
      }
    }
  }
  return sums;
}

TEST(PimIndependent, Compute) {
  Random random(11);
  for (std::uint32_t i = 0; i < 60; ++i) {
    TestCore core(random_configuration(random));
    core.configuration.array.first = 0x1000000;  // the test reads the array at its addresses
    const Compute op = random_compute(random, core);
    const std::vector<std::uint32_t> expected = expected_sums(core, op);
    model::pim::execute(op, core.memories, model::pim::Path::reference);
    ASSERT_EQ(core.registers, expected) << "case " << i;
  }
}

// As gemmlowp's fixedpoint.h has them.
std::int32_t doubling_high_mul(std::int32_t a, std::int32_t b) {
  if (a == b && a == std::numeric_limits<std::int32_t>::min()) return std::numeric_limits<std::int32_t>::max();
  const std::int64_t product = std::int64_t{a} * b;
  const std::int64_t nudge = product >= 0 ? std::int64_t{1} << 30 : 1 - (std::int64_t{1} << 30);
  return static_cast<std::int32_t>((product + nudge) / (std::int64_t{1} << 31));
}

std::int32_t divide_by_power(std::int32_t x, std::int32_t exponent) {
  const auto mask = static_cast<std::int32_t>((std::int64_t{1} << exponent) - 1);
  const std::int32_t remainder = x & mask, threshold = (mask >> 1) + (x < 0 ? 1 : 0);
  return (x >> exponent) + (remainder > threshold ? 1 : 0);
}

__extension__ using Wide = __int128;

std::int32_t to_range(Wide value, unsigned width = 32) {
  const Wide least = -(Wide{1} << (width - 1)), most = (Wide{1} << (width - 1)) - 1;
  return static_cast<std::int32_t>(std::clamp(value, least, most));
}

/// TensorFlow Lite's MultiplyByQuantizedMultiplier, which counts shifts to the left.
std::int32_t by_multiplier(std::int32_t x, std::int32_t multiplier, std::int32_t shift) {
  const std::int32_t left = std::max(-shift, 0), right = std::max(shift, 0);
  return divide_by_power(doubling_high_mul(to_range(Wide{x} * (Wide{1} << left)), multiplier), right);
}

Wide expected_result(const TestCore &core, const Simd &op, std::uint32_t i) {
  const auto in = [&](unsigned input) -> Wide {
    if (input >= op.inputs) return 0;
    return signed_bits(core, op.input[input], op.kinds[input] == SimdKind::scalar ? 0 : std::uint64_t{i} * op.input_width[input],
                       op.input_width[input]);
  };
  const auto number = [&](unsigned place) { return core.get<std::int32_t>(op.input[2] + 4 * place); };
  const auto narrow = [](Wide value) { return static_cast<std::int32_t>(value); };
  switch (op.opcode) {
    case SimdOpcode::add:
    case SimdOpcode::add_scalar: return in(0) + in(1);
    case SimdOpcode::multiply: return in(0) * in(1);
    case SimdOpcode::quantify: return by_multiplier(narrow(in(0)), narrow(in(1)), narrow(in(2))) + in(3);
    case SimdOpcode::quantify_resadd: {
      const int headroom = op.input_width[0] == 16 || op.input_width[1] == 16 ? 15 : 20;
      const Wide a = (in(0) - number(0)) * (1 << headroom), b = (in(1) - number(3)) * (1 << headroom);
      const Wide sum = Wide{by_multiplier(to_range(a), number(1), number(2))} + by_multiplier(to_range(b), number(4), number(5));
      return Wide{by_multiplier(to_range(sum), number(6), number(7))} + number(8);
    }
    case SimdOpcode::quantify_multiply:
      return Wide{by_multiplier(to_range((in(0) - number(0)) * (in(1) - number(1))), number(2), number(3))} + number(4);
    case SimdOpcode::maximum: return in(0) > in(1) ? in(0) : in(1);
    case SimdOpcode::relu: return in(0) > 0 ? in(0) : 0;
    case SimdOpcode::average: {
      if (in(1) < 1) return 0;  // random_simd() makes no such divisor
      // Half of an odd divisor is rounded down, so its quotients round up only beyond the half.
      const Wide magnitude = in(0) < 0 ? -in(0) : in(0), quotient = magnitude / in(1), rest = magnitude % in(1);
      const Wide rounded = quotient + (rest + in(1) / 2 >= in(1) ? 1 : 0);
      return in(0) < 0 ? -rounded : rounded;
    }
  }
  return 0;
}

TEST(PimIndependent, Simd) {
  Random random(12);
  TestCore core(random_configuration(random));
  for (std::uint32_t i = 0; i < 200; ++i) {
    const Simd op = random_simd(random, core);
    std::vector<std::int32_t> expected;
    for (std::uint32_t j = 0; j < op.length; ++j) expected.push_back(to_range(expected_result(core, op, j), op.output_width));
    model::pim::execute(op, core.memories, model::pim::Path::reference);
    for (std::uint32_t j = 0; j < op.length; ++j) {
      ASSERT_EQ(signed_bits(core, op.output, std::uint64_t{j} * op.output_width, op.output_width), expected[j])
          << "case " << i << ", operation " << static_cast<int>(op.opcode) << ", element " << j;
    }
  }
}

}  // namespace independent_test
}  // namespace cox::test
