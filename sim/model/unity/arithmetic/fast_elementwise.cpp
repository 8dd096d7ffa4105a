// SPDX-License-Identifier: MIT
// Element-wise operations on integers of at most 32 bits, and with FP32 among them, in blocks that the compiler can vectorise. Integers
// become 64 bits wide, and real numbers FP64, where all results are exact or round to FP32 without harm.
#include <algorithm>
#include <cmath>

#include "sim/model/unity/arithmetic/fast.h"
#include "sim/model/unity/arithmetic/fast_blocks.h"
#include "sim/model/unity/arithmetic/number.h"

namespace cox::model::unity::fast {
namespace {

using isa::unity::Elementwise;
using isa::unity::Opcode;

/// Integers of a result; `numbers` are changed.
void finish(const Elementwise &operation, std::byte *run, std::uint64_t first, std::size_t count, std::int64_t *numbers) {
  if (operation.op == Opcode::CLIP && operation.clip.on) {
    const std::int64_t low = operation.clip.minimum, high = operation.clip.maximum;
    for (std::size_t i = 0; i < count; ++i) numbers[i] = numbers[i] < low ? low : numbers[i] > high ? high : numbers[i];
  }
  if (operation.saturate) {
    const auto [low, high] = range_of(operation.result.unit);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = std::clamp(numbers[i], low, high);
  }
  store(run, operation.result.unit, first, count, numbers);
}

/// A real number between the ends of a range, as an integer.
template <Rounding kRounding>
std::int64_t rounded(double x) {
  const auto toward_zero = static_cast<std::int64_t>(x);
  const double rest = x - static_cast<double>(toward_zero);  // exact
  switch (kRounding) {
    case Rounding::drop: return toward_zero;
    case Rounding::half_up: return toward_zero + (rest >= 0.5 ? 1 : 0) - (rest < -0.5 ? 1 : 0);
    case Rounding::half_from_zero: return toward_zero + (rest >= 0.5 ? 1 : 0) - (rest <= -0.5 ? 1 : 0);
    default: {
      const bool odd = (toward_zero & 1) != 0;
      return toward_zero + (rest > 0.5 || (odd && rest == 0.5) ? 1 : 0) - (rest < -0.5 || (odd && rest == -0.5) ? 1 : 0);
    }
  }
}
template <Rounding kRounding>
void round_all(Range range, std::size_t count, const double *from, std::int64_t *to) {
  const auto low = static_cast<double>(range.low), high = static_cast<double>(range.high);
  for (std::size_t i = 0; i < count; ++i) {
    const double x = std::isnan(from[i]) ? 0 : from[i] < low ? low : from[i] > high ? high : from[i];
    to[i] = rounded<kRounding>(x);
  }
}

/// Real numbers of a result.
void finish(const Elementwise &operation, std::byte *run, std::uint64_t first, std::size_t count, const double *numbers) {
  const Unit unit = operation.result.unit;
  if (is_float(unit)) {
    for (std::size_t i = 0; i < count; ++i) store_bits(run, unit, first + i, bits_of_real(numbers[i], unit));
    return;
  }
  Block<std::int64_t> whole;
  switch (operation.rounding) {
    case Rounding::drop: round_all<Rounding::drop>(range_of(unit), count, numbers, whole.data()); break;
    case Rounding::half_up: round_all<Rounding::half_up>(range_of(unit), count, numbers, whole.data()); break;
    case Rounding::half_from_zero: round_all<Rounding::half_from_zero>(range_of(unit), count, numbers, whole.data()); break;
    case Rounding::half_even: round_all<Rounding::half_even>(range_of(unit), count, numbers, whole.data()); break;
  }
  store(run, unit, first, count, whole.data());
}

// --- Operations ---

/// Calls `use` with the operation as a function of two numbers. Returns false for all other operations.
template <typename Use>
bool with_whole(const Elementwise &operation, Use use) {
  using Number = std::int64_t;
  switch (operation.op) {
    case Opcode::ADD: use([](Number a, Number b) { return a + b; }); return true;
    case Opcode::SUB: use([](Number a, Number b) { return a - b; }); return true;
    case Opcode::MUL: use([](Number a, Number b) { return a * b; }); return true;
    case Opcode::MAX: use([](Number a, Number b) { return a < b ? b : a; }); return true;
    case Opcode::MIN: use([](Number a, Number b) { return b < a ? b : a; }); return true;
    case Opcode::ABS: use([](Number a, Number) { return a < 0 ? -a : a; }); return true;
    case Opcode::SIGN: use([](Number a, Number) { return Number{a < 0 ? -1 : 1}; }); return true;
    case Opcode::ROUND:
    case Opcode::CEIL:
    case Opcode::FLOOR:
    case Opcode::CLIP:
    case Opcode::DATA_CONVERT: use([](Number a, Number) { return a; }); return true;
    default: return false;
  }
}
template <typename Use>
bool with_real(const Elementwise &operation, Use use) {
  using Number = double;
  const auto round = [](Number x) { return static_cast<Number>(static_cast<float>(x)); };
  switch (operation.op) {
    case Opcode::ADD: use([=](Number a, Number b) { return round(a + b); }); return true;
    case Opcode::SUB: use([=](Number a, Number b) { return round(a - b); }); return true;
    case Opcode::MUL: use([=](Number a, Number b) { return round(a * b); }); return true;
    case Opcode::DIV: use([=](Number a, Number b) { return round(a / b); }); return true;
    case Opcode::ABS: use([](Number a, Number) { return std::fabs(a); }); return true;
    case Opcode::SQRT: use([=](Number a, Number) { return round(std::sqrt(a)); }); return true;
    case Opcode::RECIPROCAL: use([=](Number a, Number) { return round(1 / a); }); return true;
    case Opcode::DATA_CONVERT: use([](Number a, Number) { return a; }); return true;
    default: return false;
  }
}
/// Comparisons give 1 or 0.
template <typename Number, typename Use>
bool with_comparison(const Elementwise &operation, Use use) {
  switch (operation.op) {
    case Opcode::SEQ: use([](Number a, Number b) { return a == b; }); return true;
    case Opcode::SNE: use([](Number a, Number b) { return a != b; }); return true;
    case Opcode::SLE: use([](Number a, Number b) { return a <= b; }); return true;
    case Opcode::SLT:
    case Opcode::MAXSI: use([](Number a, Number b) { return a < b; }); return true;
    case Opcode::SGE: use([](Number a, Number b) { return a >= b; }); return true;
    case Opcode::SGT:
    case Opcode::MINSI: use([](Number a, Number b) { return a > b; }); return true;
    default: return false;
  }
}

/// Sources as numbers, block by block. A block is read before its results are written, because a result may equal a source.
template <typename Number, typename Result, typename Function>
void run_blocks(const Elementwise &operation, Memory &memory, Function function) {
  const std::byte *first = read(memory, operation.source[0]);
  const std::byte *second = operation.sources == 2 ? read(memory, operation.source[1]) : nullptr;
  std::byte *result = write(memory, operation.result);
  Block<Number> a, b{};
  if (operation.scalar_second && second != nullptr) {
    load(second, operation.source[1].unit, 0, 1, b.data());
    std::fill(b.begin() + 1, b.end(), b[0]);
  }
  Block<Result> results;
  for (std::uint64_t at = 0; at < operation.result.elements; at += kBlock) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, operation.result.elements - at));
    load(first, operation.source[0].unit, at, count, a.data());
    if (second != nullptr && !operation.scalar_second) load(second, operation.source[1].unit, at, count, b.data());
    for (std::size_t i = 0; i < count; ++i) results[i] = function(a[i], b[i]);
    finish(operation, result, at, count, results.data());
  }
  clear_spare(result, operation.result.unit, operation.result.elements);
}

}  // namespace

bool elementwise(const Elementwise &operation, Memory &memory) {
  if (operation.sources > 2) return false;
  WidestFloat among_sources{operation.source[0].unit};
  bool known = is_small(operation.result.unit) || operation.result.unit == Unit::fp32 || operation.result.unit == Unit::fp16;
  for (unsigned i = 0; i < operation.sources; ++i) {
    const Unit unit = operation.source[i].unit;
    among_sources.include(unit);
    known = known && (is_small(unit) || unit == Unit::fp32 || unit == Unit::fp16);
  }
  if (!known) return false;
  WidestFloat widest = among_sources;
  widest.include(operation.result.unit);
  const bool two_large = operation.sources == 2 && operation.source[0].unit == Unit::u32 && operation.source[1].unit == Unit::u32;
  if (!is_float(operation.result.unit)) {
    const auto whole = [&](auto function) {
      run_blocks<std::int64_t, std::int64_t>(operation, memory, [=](auto a, auto b) { return std::int64_t{function(a, b)}; });
    };
    if (!among_sources && with_comparison<std::int64_t>(operation, whole)) return true;
    // Products of two u32 need more than 63 bits.
    if (!widest && !(operation.op == Opcode::MUL && two_large)) return with_whole(operation, whole);
    const auto real = [&](auto function) {
      run_blocks<double, std::int64_t>(operation, memory, [=](auto a, auto b) { return std::int64_t{function(a, b)}; });
    };
    if (among_sources && *among_sources == Unit::fp32 && with_comparison<double>(operation, real)) return true;
  }
  if (!widest || *widest != Unit::fp32) return false;
  return with_real(operation, [&](auto function) { run_blocks<double, double>(operation, memory, function); });
}

}  // namespace cox::model::unity::fast
