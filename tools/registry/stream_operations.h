// SPDX-License-Identifier: MIT
// What the instructions of a stream do together, for any instruction set.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <span>

#include "coxswain/isa/operand_memory.h"

namespace cox::tools {

/// Calls `visit` with each operation of a stream, in order, up to the first instruction that the engine would refuse. `state` is what the
/// instructions find at the beginning.
template <typename Set, typename State, typename Visit>
void for_each_operation(std::span<const std::uint8_t> stream, State state, Visit visit) {
  const std::span<const std::byte> code = std::as_bytes(stream);
  for (std::uint32_t position = 0; position < code.size();) {
    const auto fetched = Set::fetch(code, position);
    if (!fetched || !Set::check(fetched.value().code)) return;
    const auto operation = resolve(fetched.value().code, state, isa::kNoMemory);
    if (!operation) return;
    visit(operation.value());
    state.apply(operation.value());
    position = fetched.value().next;
  }
}

/// A set of addresses, as ranges that do not touch each other.
class AddressSet {
 public:
  void add(std::uint64_t first, std::uint64_t end) {
    auto next = ranges_.upper_bound(first);
    if (next != ranges_.begin() && std::prev(next)->second >= first) {
      --next;
      first = next->first;
    }
    while (next != ranges_.end() && next->first <= end) {
      end = std::max(end, next->second);
      next = ranges_.erase(next);
    }
    ranges_.emplace(first, end);
  }
  /// Adds the addresses of a range that `other` does not have.
  void add_without(const AddressSet &other, std::uint64_t first, std::uint64_t end) {
    auto next = other.ranges_.upper_bound(first);
    if (next != other.ranges_.begin()) first = std::max(first, std::prev(next)->second);
    for (; first < end && next != other.ranges_.end(); ++next) {
      if (first < next->first) add(first, std::min(end, next->first));
      first = std::max(first, next->second);
    }
    if (first < end) add(first, end);
  }
  [[nodiscard]] bool overlaps(std::uint64_t first, std::uint64_t end) const {
    const auto next = ranges_.lower_bound(end);
    return next != ranges_.begin() && std::prev(next)->second > first;
  }

 private:
  std::map<std::uint64_t, std::uint64_t> ranges_;  ///< end of each range, by its first address
};

/// Finds out whether a stream may run again: whether it finds the same inputs then. It does not if it writes bytes of DRAM that it has read
/// before it wrote them.
class InputWatch {
 public:
  /// Adds accesses in the order of the stream, the reads of an instruction before its writes.
  void add(bool is_write, std::uint64_t start, std::uint64_t bytes) {
    if (!is_write) return inputs_.add_without(written_, start, start + bytes);
    changes_inputs_ = changes_inputs_ || inputs_.overlaps(start, start + bytes);
    written_.add(start, start + bytes);
  }
  [[nodiscard]] bool changes_inputs() const { return changes_inputs_; }

 private:
  AddressSet inputs_, written_;
  bool changes_inputs_ = false;
};

}  // namespace cox::tools
