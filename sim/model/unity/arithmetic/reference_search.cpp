// SPDX-License-Identifier: MIT
// Operations that say where elements stand.
#include <algorithm>
#include <numeric>
#include <vector>

#include "sim/model/unity/arithmetic/mover.h"
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {
namespace {

using isa::unity::Opcode;
using isa::unity::Search;

/// Compares elements of a run by their numbers.
class Order {
 public:
  Order(Memory &memory, const isa::unity::Run &run) : bytes_(read(memory, run)), unit_(run.unit) {}

  [[nodiscard]] std::uint64_t bits(std::uint64_t index) const { return load_bits(bytes_, unit_, index); }
  [[nodiscard]] bool is_nan(std::uint64_t index) const { return is_float(unit_) && std::isnan(real_of_bits(bits(index), unit_)); }
  /// False if an element is NaN.
  [[nodiscard]] bool less(std::uint64_t a, std::uint64_t b) const {
    const std::uint64_t first = bits(a), second = bits(b);
    if (is_float(unit_)) return real_of_bits(first, unit_) < real_of_bits(second, unit_);
    if (is_signed(unit_)) return isa::unity::integer_of(unit_, first) < isa::unity::integer_of(unit_, second);
    return first < second;
  }

 private:
  const std::byte *bytes_;
  Unit unit_;
};

void extreme(const Search &operation, Memory &memory) {
  const Order order(memory, operation.source);
  const bool largest = operation.op == Opcode::ARG_MAX;
  std::uint64_t best = 0;
  for (std::uint64_t i = 1; i < operation.source.elements && !order.is_nan(best); ++i) {
    if (order.is_nan(i) || (largest ? order.less(best, i) : order.less(i, best))) best = i;
  }
  const Unit unit = operation.indices.unit;
  const Whole index = whole(false, best);
  std::byte *const result = write(memory, operation.indices);
  store_bits(result, unit, 0,
             is_float(unit) ? bits_of_real(real_of_whole(index, unit), unit) : bits_of_whole(index, unit, operation.saturate));
  clear_spare(result, unit, 1);
}

void sort(const Search &operation, Memory &memory) {
  const Order order(memory, operation.source);
  std::vector<std::uint32_t> places(operation.source.elements);
  std::iota(places.begin(), places.end(), 0U);
  if (operation.op == Opcode::ARG_SORT) {
    std::stable_sort(places.begin(), places.end(), [&](std::uint32_t a, std::uint32_t b) {
      return order.is_nan(a) || order.is_nan(b) ? order.is_nan(b) && !order.is_nan(a) : order.less(a, b);
    });
  } else {
    std::stable_sort(places.begin(), places.end(), [&](std::uint32_t a, std::uint32_t b) {
      return order.is_nan(a) || order.is_nan(b) ? order.is_nan(a) && !order.is_nan(b) : order.less(b, a);
    });
  }
  const Mover values(memory, operation.source, operation.values);
  std::byte *const indices = write(memory, operation.indices);
  for (std::uint64_t i = 0; i < operation.indices.elements; ++i) {
    values.move(places[i], i);
    store_bits(indices, Unit::s32, i, places[i]);
  }
  values.finish();
}

void non_zero(const Search &operation, Memory &memory) {
  const Order order(memory, operation.source);
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < operation.source.elements; ++i) {
    if (!is_zero(order.bits(i), operation.source.unit)) found.push_back(i);
  }
  isa::unity::Run written = operation.indices;
  written.elements = found.size() + 1;
  std::byte *const indices = write(memory, written);
  store_bits(indices, Unit::s32, 0, found.size());
  for (std::uint64_t i = 0; i < found.size(); ++i) store_bits(indices, Unit::s32, i + 1, found[i]);
}

}  // namespace

void search(const Search &operation, Memory &memory) {
  switch (operation.op) {
    case Opcode::ARG_MAX:
    case Opcode::ARG_MIN: return extreme(operation, memory);
    case Opcode::NON_ZERO: return non_zero(operation, memory);
    default: return sort(operation, memory);
  }
}

}  // namespace cox::model::unity::reference
