// SPDX-License-Identifier: MIT
// Random numbers: RAND_UNIFORM to RAND_PERM, and DROPOUT.
#include <algorithm>
#include <utility>
#include <vector>

#include "sim/model/unity/arithmetic/philox.h"
#include "sim/model/unity/arithmetic/random_elements.h"
#include "sim/model/unity/arithmetic/real_functions.h"
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {
namespace {

using isa::unity::Creation;
using isa::unity::Opcode;
using isa::unity::Run;

float float_parameter(std::uint32_t bits) { return std::bit_cast<float>(bits); }

/// Cosine and sine of a part of a full turn, which is a multiple of 2^-24.
template <typename Wide>
std::pair<Wide, Wide> point_of_circle(float part) {
  const float quarters = 4 * part, quarter = std::floor(quarters);
  const auto rest = static_cast<Wide>(quarters - quarter);
  const bool second_half = rest > Wide{0.5};  // its angles are measured from the end of the quarter, so that zeros are exact
  const Wide angle = (second_half ? 1 - rest : rest) * std::numbers::pi_v<Wide> / 2;
  Wide cosine = std::cos(angle), sine = std::sin(angle);
  if (second_half) std::swap(cosine, sine);
  switch (static_cast<int>(quarter)) {
    case 0: return {cosine, sine};
    case 1: return {-sine, cosine};
    case 2: return {-cosine, -sine};
    default: return {sine, -cosine};
  }
}

/// Element i of RAND_NORMAL. A pair of elements takes two words: a radius from the first, an angle from the second.
std::uint64_t normal_bits(const Creation &operation, RandomWords &words, std::uint64_t i) {
  const float first = words.uniform(i & ~std::uint64_t{1}), second = words.uniform(i | 1);
  return in_wider(operation.data.unit, [&](auto wide) {
    using Wide = decltype(wide);
    const Wide radius = std::sqrt(-2 * std::log(static_cast<Wide>(1 - first)));
    const auto [cosine, sine] = point_of_circle<Wide>(second);
    const Wide mean = static_cast<Wide>(float_parameter(operation.p0)), deviation = static_cast<Wide>(float_parameter(operation.p1));
    return bits_of_wide(mean + deviation * (radius * (i % 2 == 0 ? cosine : sine)), operation.data.unit);
  });
}

std::uint64_t uniform_bits(const Creation &operation, RandomWords &words, std::uint64_t i) {
  const Unit unit = operation.data.unit;
  if (is_float(unit)) {
    const float low = float_parameter(operation.p0), high = float_parameter(operation.p1);
    const float value = low + words.uniform(i) * (high - low);
    return bits_of_real(static_cast<double>(value), unit);
  }
  const Whole low = whole_parameter(operation.p0, unit), width = whole_parameter(operation.p1, unit) - low;
  const Whole value = low + whole(false, width.magnitude * words.word(i) >> 32);
  return bits_of_whole(value, unit, false);
}

/// How many of p0 words are below the probability p1.
std::uint64_t binomial_bits(const Creation &operation, RandomWords &words, std::uint64_t i) {
  const std::uint64_t first = i * operation.p0;
  std::uint64_t successes = 0;
  for (std::uint64_t trial = 0; trial < operation.p0; ++trial) {
    if (words.uniform(first + trial) < float_parameter(operation.p1)) ++successes;
  }
  return stored(whole(false, successes), operation.data.unit, false);
}

/// Numbers from 0 to n - 1, each swapped with one that stands at or before its place, from the last on.
void permute(const Run &run, std::byte *data, RandomWords &words) {
  for (std::uint64_t i = 0; i < run.elements; ++i) store_bits(data, run.unit, i, i);
  for (std::uint64_t i = run.elements - 1; i > 0; --i) {
    const std::uint64_t j = words.word(i) * (i + 1) >> 32;
    const std::uint64_t bits = load_bits(data, run.unit, i);
    store_bits(data, run.unit, i, load_bits(data, run.unit, j));
    store_bits(data, run.unit, j, bits);
  }
}

/// Chooses indices by weights.
class Weights {
 public:
  Weights(Memory &memory, const Run &run) : sums_(run.elements) {
    const std::byte *const weights = read(memory, run);
    double sum = 0;
    for (std::uint64_t i = 0; i < run.elements; ++i) {
      const std::uint64_t bits = load_bits(weights, run.unit, i);
      const double weight = real_of_bits(bits, run.unit);
      if (status_ && !(weight >= 0 && std::isfinite(weight))) {
        const auto number = static_cast<std::int32_t>(std::min<std::uint64_t>(i, INT32_MAX));
        status_ = Status(ErrorCode::field_out_of_range, "SRC", number, static_cast<std::int64_t>(bits), 0);
      }
      sum += weight;
      sums_[i] = sum;
    }
    if (status_ && sum == 0) status_ = Status(ErrorCode::field_out_of_range, "SRC", -1, 0, 0);
  }

  [[nodiscard]] const Status &status() const { return status_; }
  /// The first index whose sum of weights, its own included, is above `part` of their total.
  [[nodiscard]] std::uint64_t choose(float part) const {
    const auto found = std::upper_bound(sums_.begin(), sums_.end(), static_cast<double>(part) * sums_.back());
    return static_cast<std::uint64_t>(found - sums_.begin());
  }

 private:
  std::vector<double> sums_;
  Status status_;
};

}  // namespace

bool is_random(Opcode op) { return op >= Opcode::RAND_UNIFORM && op <= Opcode::RAND_PERM; }

Status write_random(const Creation &operation, Memory &memory) {
  RandomWords words(operation.seed);
  const auto fill = [&](auto element) {
    std::byte *const data = write(memory, operation.data);
    for (std::uint64_t i = 0; i < operation.data.elements; ++i) store_bits(data, operation.data.unit, i, element(i));
    clear_spare(data, operation.data.unit, operation.data.elements);
    return Status();
  };
  switch (operation.op) {
    case Opcode::RAND_UNIFORM: return fill([&](std::uint64_t i) { return uniform_bits(operation, words, i); });
    case Opcode::RAND_NORMAL: return fill([&](std::uint64_t i) { return normal_bits(operation, words, i); });
    case Opcode::RAND_BINOMIAL: return fill([&](std::uint64_t i) { return binomial_bits(operation, words, i); });
    case Opcode::RAND_BERNOULLI:
      return fill([&](std::uint64_t i) {
        const bool success = words.uniform(i) < float_parameter(operation.p0);
        return stored(whole(false, success ? 1 : 0), operation.data.unit, false);
      });
    case Opcode::MULTI_NOMIAL: {
      const Weights weights(memory, operation.source);
      if (!weights.status()) return weights.status();
      return fill([&](std::uint64_t i) { return weights.choose(words.uniform(i)); });
    }
    default: {
      std::byte *const data = write(memory, operation.data);
      permute(operation.data, data, words);
      clear_spare(data, operation.data.unit, operation.data.elements);
      return {};
    }
  }
}

Status dropout(const isa::unity::Dropout &operation, Memory &memory) {
  RandomWords words(operation.seed);
  const Unit unit = operation.source.unit;
  const std::byte *const source = read(memory, operation.source);
  std::byte *const result = write(memory, operation.result);
  for (std::uint64_t i = 0; i < operation.result.elements; ++i) {
    std::uint64_t bits = 0;
    if (words.uniform(i) >= operation.ratio) {
      bits = in_wider(unit, [&](auto wide) {
        using Wide = decltype(wide);
        const Wide kept = 1 - static_cast<Wide>(operation.ratio);
        return bits_of_wide(static_cast<Wide>(real_of_bits(load_bits(source, unit, i), unit)) / kept, unit);
      });
    }
    store_bits(result, unit, i, bits);
  }
  return {};
}

}  // namespace cox::model::unity::reference
