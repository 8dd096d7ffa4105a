// SPDX-License-Identifier: MIT
#include "sim/model/tile/arithmetic/memory.h"

#include <algorithm>
#include <cstring>

namespace cox::model::arithmetic {

Memory Memory::linear(std::byte *bytes, std::int64_t first, std::int64_t size) { return {Kind::linear, bytes, first, size, {}}; }

Memory Memory::circular(std::byte *l2, const isa::tile::Region &region) {
  return {Kind::circular, l2 + region.first_byte(), region.first_byte(), region.bytes(), {}};
}

Memory Memory::transfer(const Transfer &transfer, std::int64_t first, std::int64_t size) {
  return {Kind::transfer, nullptr, first, size, transfer};
}

Memory::Piece Memory::piece(std::int64_t address, std::int64_t size) const {
  if (size_ == 0) return {0, size, false};
  std::int64_t offset = address - first_;
  if (kind_ == Kind::circular) {
    offset %= size_;
    if (offset < 0) offset += size_;
    return {offset, std::min(size, size_ - offset), true};
  }
  if (offset < 0) return {0, std::min(size, -offset), false};
  if (offset >= size_) return {0, size, false};
  return {offset, std::min(size, size_ - offset), true};
}

std::byte *Memory::contiguous(std::int64_t address, std::int64_t size) const {
  if (size <= 0 || kind_ == Kind::transfer) return nullptr;
  const Piece whole = piece(address, size);
  return whole.inside && whole.size == size ? bytes_ + whole.offset : nullptr;
}

void Memory::read(std::int64_t address, void *data, std::int64_t size) const {
  auto *to = static_cast<std::byte *>(data);
  while (size > 0) {
    const Piece part = piece(address, size);
    const auto bytes = static_cast<std::size_t>(part.size);
    if (!part.inside) {
      std::memset(to, 0, bytes);
    } else if (kind_ == Kind::transfer) {
      transfer_.read(transfer_.opaque, address, to, part.size);
    } else {
      std::memcpy(to, bytes_ + part.offset, bytes);
    }
    address += part.size;
    to += part.size;
    size -= part.size;
  }
}

void Memory::write(std::int64_t address, const void *data, std::int64_t size) const {
  const auto *from = static_cast<const std::byte *>(data);
  while (size > 0) {
    const Piece part = piece(address, size);
    if (part.inside && kind_ == Kind::transfer) {
      transfer_.write(transfer_.opaque, address, from, part.size);
    } else if (part.inside) {
      std::memcpy(bytes_ + part.offset, from, static_cast<std::size_t>(part.size));
    }
    address += part.size;
    from += part.size;
    size -= part.size;
  }
}

}  // namespace cox::model::arithmetic
