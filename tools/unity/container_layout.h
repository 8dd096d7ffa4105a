// SPDX-License-Identifier: MIT
// The assembler puts the parts of a container in this order unless a line says `at=`: storage images, then operand tables, then data, in
// the order of the text, one behind the other. The printer leaves out each `at=` that this rule makes unnecessary.
#pragma once

#include <cstdint>
#include <optional>

namespace cox::tools::unity {

class LayoutCursor {
 public:
  explicit LayoutCursor(std::uint64_t first) : next_(first) {}

  /// The offset of a part of `bytes` bytes; the next one follows it.
  std::uint64_t place(std::optional<std::uint64_t> at, std::uint64_t alignment, std::uint64_t bytes) {
    const std::uint64_t place = at ? *at : usual(alignment);
    next_ = place + bytes;
    return place;
  }
  [[nodiscard]] std::uint64_t usual(std::uint64_t alignment) const { return (next_ + alignment - 1) / alignment * alignment; }

 private:
  std::uint64_t next_;
};

}  // namespace cox::tools::unity
