// SPDX-License-Identifier: MIT
// A layer gives the same numbers dense and value-sparse, for all widths of inputs and weights, odd shapes and both orders of the array.
// Bit-sparse results are those of the layer after its weights were projected to one or two columns. Plain loops are the judge.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "coxswain/isa/numbers/csd.h"
#include "tests/sim/pim/reference/candidate.h"
#include "tests/sim/pim/reference/desk.h"
#include "tests/sim/pim/reference/random.h"
#include "tests/sim/pim/reference/words.h"

namespace cox::model::pim::oracle {
namespace sparsity_test {
namespace {

using Numbers = std::vector<std::int64_t>;
constexpr unsigned kCompartments = 32, kLineBits = 64, kGroupMacros = 16;

/// `pixels` vectors of `inputs` numbers, each times a matrix of inputs x outputs. Inputs are cut into windows of `window`; a row of the
/// array has the weights of one window.
struct Layer {
  unsigned inputs, outputs, pixels, window, input_width, weight_width;
  Numbers input, weights;

  [[nodiscard]] unsigned rows() const { return (inputs + window - 1) / window; }
  [[nodiscard]] unsigned columns() const { return kLineBits / weight_width; }
  [[nodiscard]] std::int64_t weight(unsigned i, unsigned o) const { return i < inputs ? weights[i * outputs + o] : 0; }

  [[nodiscard]] std::vector<std::uint32_t> expected(const Numbers &of) const {
    std::vector<std::uint32_t> sums;
    for (unsigned pixel = 0; pixel < pixels; ++pixel) {
      for (unsigned o = 0; o < outputs; ++o) {
        std::uint32_t sum = 0;
        for (unsigned i = 0; i < inputs; ++i)
          sum += static_cast<std::uint32_t>(input[pixel * inputs + i]) * static_cast<std::uint32_t>(of[i * outputs + o]);
        sums.push_back(sum);
      }
    }
    return sums;
  }
};

Numbers random_numbers(Random &random, std::size_t count, unsigned width) {
  Numbers numbers;
  const std::int64_t least = -(std::int64_t{1} << (width - 1));
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(random.one_in(10) ? least : random.between(least, -least - 1));
  return numbers;
}

/// A core with the layer's inputs, to which a form of the layer adds its weights.
class Loaded {
 public:
  Loaded(const Configuration &configuration, const Layer &layer) : configuration_(configuration), layer_(layer), core_(configuration) {
    Bytes inputs(stride() * layer.pixels);
    for (unsigned pixel = 0; pixel < layer.pixels; ++pixel) {
      Numbers vector(layer.input.begin() + pixel * layer.inputs, layer.input.begin() + (pixel + 1) * layer.inputs);
      std::ranges::copy(packed(vector, layer.input_width), inputs.begin() + pixel * stride());
    }
    fill(kInput, inputs);
  }

  /// Bytes of a pixel's inputs with those that fill up its last window.
  [[nodiscard]] unsigned stride() const { return layer_.rows() * layer_.window * layer_.input_width / 8; }
  void fill(std::uint32_t address, const Bytes &bytes) {
    Dram none;
    write(local({configuration_, core_, none}, address, bytes.size()), bytes);
  }
  /// Writes a cell of all pixels' groups.
  void put(unsigned macro, unsigned row, unsigned compartment, unsigned column, unsigned width, std::int64_t value) {
    for (unsigned pixel = 0; pixel < layer_.pixels; ++pixel) {
      const std::uint64_t first = line_byte(configuration_, pixel * kGroupMacros + macro, row, compartment) * 8 + column * width;
      for (unsigned i = 0; i < width; ++i) {
        std::uint8_t &byte = core_.array.at((first + i) / 8);
        if ((value >> i & 1) != 0) byte = static_cast<std::uint8_t>(byte | 1U << (first + i) % 8);
      }
    }
  }

  /// Computes all rows in a batch. Returns `outputs` results of each pixel after pairs were added, if `pairs` is true.
  std::vector<std::uint32_t> run(words::Sparsity flags, unsigned working, unsigned weight_width, unsigned mask_step, unsigned meta_step,
                                 bool pairs, Path path) {
    flags.group = true;
    const auto set = [&](unsigned number, std::uint32_t value) { core_.special[number] = value; };
    set(0, layer_.input_width), set(1, 32), set(2, weight_width), set(3, kGroupMacros), set(4, layer_.pixels), set(5, working);
    set(6, stride()), set(7, kMask), set(8, kMeta);
    auto &r = core_.general;
    r[1] = kInput, r[2] = layer_.window, r[3] = 0, r[4] = layer_.rows(), r[5] = layer_.window * layer_.input_width / 8;
    r[6] = meta_step, r[7] = mask_step, r[8] = working / 2, r[9] = kOutput;
    const Code code{words::batch(4, 5, 6, 7), words::compute(1, 2, 3, flags), words::output(8, 0, 9, false, pairs)};
    Candidate candidate(configuration_, code, core_, Dram{}, path);
    while (!candidate.fault() && candidate.core().counter < code.size()) candidate.step();
    EXPECT_FALSE(candidate.fault()) << candidate.fault()->instruction << ": " << error_name(candidate.fault()->code);
    const Bytes &memory = candidate.core().memories[1];
    std::vector<std::uint32_t> results;
    for (unsigned i = 0; i < layer_.pixels * layer_.outputs; ++i) results.push_back(static_cast<std::uint32_t>(number(memory, 32 * i, 32)));
    return results;
  }

 private:
  const Configuration &configuration_;
  const Layer &layer_;
  Core core_;
};

std::vector<std::uint32_t> dense(const Configuration &configuration, Layer layer, Path path) {
  layer.window = kCompartments;
  Loaded loaded(configuration, layer);
  for (unsigned i = 0; i < layer.inputs; ++i) {
    for (unsigned o = 0; o < layer.outputs; ++o)
      loaded.put(o / layer.columns(), i / kCompartments, i % kCompartments, o % layer.columns(), layer.weight_width, layer.weight(i, o));
  }
  return loaded.run({}, layer.outputs, layer.weight_width, 0, 0, false, path);
}

/// Prunes the layer's weights: each macro keeps at most 32 inputs of a window.
void prune(Layer &layer, Random &random) {
  for (unsigned row = 0; row < layer.rows(); ++row) {
    for (unsigned macro = 0; macro * layer.columns() < layer.outputs; ++macro) {
      unsigned kept = 0;
      for (unsigned i = row * layer.window; i < std::min(layer.inputs, (row + 1) * layer.window); ++i) {
        if (kept < kCompartments && random.one_in(2)) {
          ++kept;
          continue;
        }
        for (unsigned o = macro * layer.columns(); o < std::min(layer.outputs, (macro + 1) * layer.columns()); ++o)
          layer.weights[i * layer.outputs + o] = 0;
      }
    }
  }
}

std::vector<std::uint32_t> value_sparse(const Configuration &configuration, const Layer &layer, Path path) {
  Loaded loaded(configuration, layer);
  const unsigned macros = (layer.outputs + layer.columns() - 1) / layer.columns(), mask_bytes = (layer.window * macros + 7) / 8;
  Bytes masks(mask_bytes * layer.rows());
  for (unsigned row = 0; row < layer.rows(); ++row) {
    for (unsigned macro = 0; macro < macros; ++macro) {
      unsigned compartment = 0;
      for (unsigned k = 0; k < layer.window; ++k) {
        const unsigned first = macro * layer.columns(), last = std::min(layer.outputs, first + layer.columns()), i = row * layer.window + k;
        bool kept = false;
        for (unsigned o = first; o < last; ++o) kept = kept || layer.weight(i, o) != 0;
        if (!kept) continue;
        const unsigned bit = macro * layer.window + k;
        std::uint8_t &byte = masks[row * mask_bytes + bit / 8];
        byte = static_cast<std::uint8_t>(byte | 1U << bit % 8);
        for (unsigned o = first; o < last; ++o) loaded.put(macro, row, compartment, o - first, layer.weight_width, layer.weight(i, o));
        ++compartment;
      }
    }
  }
  loaded.fill(kMask, masks);
  return loaded.run({.value = true}, layer.outputs, layer.weight_width, mask_bytes, 0, false, path);
}

Configuration configuration_of(bool inside) {
  Configuration configuration = desk_configuration();
  configuration.array.order = inside ? isa::pim::ArrayOrder::inside_group : isa::pim::ArrayOrder::between_groups;
  return configuration;
}

TEST(PimSparsity, DenseAndValueSparseResultsAreTheSameForAllWidths) {
  Random random(1);
  for (const unsigned input_width : {1U, 2U, 4U, 8U, 16U, 32U}) {
    for (const unsigned weight_width : {1U, 2U, 4U, 8U, 16U, 32U}) {
      for (const bool inside : {false, true}) {
        SCOPED_TRACE(std::to_string(input_width) + " by " + std::to_string(weight_width) +
                     (inside ? ", inside groups" : ", between groups"));
        const unsigned columns = kLineBits / weight_width;
        Layer layer{.inputs = static_cast<unsigned>(random.between(1, 90)) | 1,
                    .outputs = static_cast<unsigned>(random.between(1, std::min(100U, columns * kGroupMacros))),
                    .pixels = static_cast<unsigned>(random.between(1, 5)),
                    .window = static_cast<unsigned>(8 * random.between(4, 10)),
                    .input_width = input_width,
                    .weight_width = weight_width,
                    .input = {},
                    .weights = {}};
        layer.input = random_numbers(random, layer.inputs * layer.pixels, input_width);
        layer.weights = random_numbers(random, layer.inputs * layer.outputs, weight_width);
        prune(layer, random);
        const Configuration configuration = configuration_of(inside);
        const std::vector<std::uint32_t> expected = layer.expected(layer.weights);
        for (const Path path : {Path::reference, Path::fast}) {
          ASSERT_EQ(dense(configuration, layer, path), expected);
          ASSERT_EQ(value_sparse(configuration, layer, path), expected);
        }
      }
    }
  }
}

/// The canonical signed digits of all numbers, by trying all strings of digits; for each number how many pairs are not 0.
std::map<int, unsigned> pairs_of_numbers() {
  std::map<int, unsigned> pairs;
  for (unsigned string = 0; string < 6561; ++string) {
    int digits[8], value = 0;
    unsigned rest = string;
    bool canonical = true;
    for (unsigned i = 0; i < 8; ++i, rest /= 3) {
      digits[i] = static_cast<int>(rest % 3) - 1;
      value += digits[i] * (1 << i);
      if (i > 0 && digits[i] != 0 && digits[i - 1] != 0) canonical = false;
    }
    if (!canonical) continue;
    unsigned count = 0;
    for (unsigned i = 0; i < 8; i += 2) count += digits[i] != 0 || digits[i + 1] != 0 ? 1 : 0;
    EXPECT_TRUE(pairs.emplace(value, count).second) << value;
  }
  return pairs;
}

std::int64_t projected(int weight, unsigned threshold, const std::map<int, unsigned> &pairs) {
  if (weight == 0) return threshold == 1 ? 1 : 0;
  int best = 1000;
  for (const auto &[value, count] : pairs) {
    if (count > threshold || (value == 0 && threshold == 1)) continue;
    const int change = std::abs(value - weight), least = std::abs(best - weight);
    if (change < least || (change == least && std::abs(value) < std::abs(best))) best = value;
  }
  return best;
}

TEST(PimSparsity, BitSparseResultsAreThoseOfTheProjectedLayer) {
  const std::map<int, unsigned> pairs = pairs_of_numbers();
  Random random(2);
  for (const unsigned threshold : {1U, 2U}) {
    for (const unsigned input_width : {1U, 2U, 4U, 8U, 16U, 32U}) {
      for (const bool inside : {false, true}) {
        SCOPED_TRACE(std::to_string(threshold) + ", inputs of " + std::to_string(input_width) +
                     (inside ? ", inside groups" : ", between groups"));
        Layer layer{.inputs = static_cast<unsigned>(random.between(1, 90)) | 1,
                    .outputs = static_cast<unsigned>(random.between(1, 120)),
                    .pixels = static_cast<unsigned>(random.between(1, 4)),
                    .window = kCompartments,
                    .input_width = input_width,
                    .weight_width = 1,
                    .input = {},
                    .weights = {}};
        layer.input = random_numbers(random, layer.inputs * layer.pixels, input_width);
        layer.weights = random_numbers(random, layer.inputs * layer.outputs, 8);
        Numbers near;
        for (const std::int64_t weight : layer.weights) near.push_back(projected(static_cast<int>(weight), threshold, pairs));

        const Configuration configuration = configuration_of(inside);
        Loaded loaded(configuration, layer);
        const unsigned working = layer.outputs * threshold, macros = (working + kLineBits - 1) / kLineBits;
        Bytes meta(768 * macros * layer.rows());
        for (unsigned i = 0; i < layer.inputs; ++i) {
          for (unsigned column = 0; column < working; ++column) {
            const auto weight = static_cast<int>(layer.weight(i, column / threshold));
            const isa::numbers::SignedPair pair =
                threshold == 1 ? isa::numbers::one_column(weight) : isa::numbers::two_columns(weight)[column % 2];
            const unsigned row = i / kCompartments, k = i % kCompartments, macro = column / kLineBits;
            loaded.put(macro, row, k, column % kLineBits, 1, pair.cell ? 1 : 0);
            const unsigned first = row * 768 * macros * 8 + ((k * macros + macro) * kLineBits + column % kLineBits) * 3;
            const bool bits[] = {pair.negative, pair.place >= 2, pair.place % 2 != 0};
            for (unsigned b = 0; b < 3; ++b) {
              if (bits[b]) meta[(first + b) / 8] = static_cast<std::uint8_t>(meta[(first + b) / 8] | 1U << (first + b) % 8);
            }
          }
        }
        loaded.fill(kMeta, meta);
        // Inputs behind the last one are 0: weights of unused compartments are +1.
        for (const Path path : {Path::reference, Path::fast})
          ASSERT_EQ(loaded.run({.bits = true}, working, 1, 0, 768 * macros, threshold == 2, path), layer.expected(near));
      }
    }
  }
}

}  // namespace
}  // namespace sparsity_test
}  // namespace cox::model::pim::oracle
