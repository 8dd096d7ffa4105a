// SPDX-License-Identifier: MIT
// UNSTACK. Its results stand in a list in memory, which is read in blocks, because 4095 addresses do not fit on a stack.
#include <algorithm>

#include "coxswain/isa/unity/operands.h"
#include "coxswain/isa/unity/region_sink.h"

namespace cox::isa::unity::detail {
namespace {

using namespace layouts;

/// Consecutive addresses of a list.
class Block {
 public:
  static constexpr std::size_t kMost = 64;

  /// Reads addresses from number `first` on, at most kMost. Returns false if the memory does not hold them.
  [[nodiscard]] bool read(const Unstack &unstack, const OperandMemory &memory, std::uint64_t first) {
    const unsigned size = address_bits(unstack.space) / 8;
    count_ = static_cast<std::size_t>(std::min<std::uint64_t>(kMost, unstack.extent - first));
    std::array<std::byte, kMost * 8> bytes{};
    if (!memory.read(unstack.list + first * size, std::span(bytes).first(count_ * size))) return false;
    for (std::size_t i = 0; i < count_; ++i) {
      std::uint64_t address = 0;
      for (unsigned byte = 0; byte < size; ++byte) address |= std::to_integer<std::uint64_t>(bytes[i * size + byte]) << 8 * byte;
      addresses_[i] = unstack.page + address;
    }
    return true;
  }
  [[nodiscard]] std::span<const std::uint64_t> addresses() const { return std::span(addresses_).first(count_); }

 private:
  std::array<std::uint64_t, kMost> addresses_{};
  std::size_t count_ = 0;
};

constexpr bool share_bytes(std::uint64_t a, std::uint64_t a_bytes, std::uint64_t b, std::uint64_t b_bytes) {
  return a <= b ? b - a < a_bytes : a - b < b_bytes;
}

Status overlap_at(std::uint64_t address) { return {ErrorCode::tensor_overlap, "LIST", -1, signed_of(address), 0}; }

/// Checks a result by itself: alignment, address space, overlap with the operands that are read.
Status check_result(const Unstack &unstack, std::uint64_t address) {
  const Run result = unstack.result(address);
  const unsigned alignment = alignment_of(result.unit);
  if (address % alignment != 0) return {ErrorCode::misaligned_address, "LIST", -1, signed_of(address), alignment};
  const unsigned bits = address_bits(unstack.space);
  const std::uint64_t last = UINT64_MAX >> (64 - bits), bytes = result.bytes();
  if (bytes - 1 > last - (address - unstack.page)) return {ErrorCode::address_outside_window, "LIST", -1, signed_of(address), 0};
  for (const Run &read : {unstack.source, unstack.list_run()}) {
    if (share_bytes(address, bytes, read.address, read.bytes())) return overlap_at(address);
  }
  return {};
}

/// Checks that the results from number `first` on overlap neither each other nor later ones.
Status check_pairs(const Unstack &unstack, const OperandMemory &memory, const Block &block, std::uint64_t first) {
  const std::uint64_t bytes = unstack.result(0).bytes();
  Block later = block;
  for (std::uint64_t next = first; next < unstack.extent; next += Block::kMost) {
    if (next != first && !later.read(unstack, memory, next)) {
      return {ErrorCode::address_outside_window, "LIST", -1, signed_of(unstack.list), 0};
    }
    for (std::size_t i = 0; i < block.addresses().size(); ++i) {
      for (std::size_t j = next == first ? i + 1 : 0; j < later.addresses().size(); ++j) {
        if (share_bytes(block.addresses()[i], bytes, later.addresses()[j], bytes)) return overlap_at(later.addresses()[j]);
      }
    }
  }
  return {};
}

/// Reads and checks the list.
Status check_list(Unstack &unstack, const OperandMemory &memory) {
  ListChecksum checksum;
  Block block;
  for (std::uint64_t first = 0; first < unstack.extent; first += Block::kMost) {
    if (!block.read(unstack, memory, first)) return {ErrorCode::address_outside_window, "LIST", -1, signed_of(unstack.list), 0};
    for (const std::uint64_t address : block.addresses()) {
      if (const Status status = check_result(unstack, address); !status) return status;
      checksum.add(address);
    }
    if (const Status status = check_pairs(unstack, memory, block, first); !status) return status;
  }
  unstack.checksum = checksum.value();
  return {};
}

}  // namespace

Result<Operation> resolve_unstack(const Operands &o) {
  Unstack u{.op = o.op(), .space = o.space(), .page = o.page()};
  Checks checks;
  const std::array<std::uint64_t, 4> extents{o.get<kUnstack, "FN">(), o.get<kUnstack, "FH">(), o.get<kUnstack, "FW">(),
                                             o.get<kUnstack, "FC">()};
  const std::size_t axis = o.word<kUnstack, "AXIS">();
  checks.at_most("AXIS", axis, extents.size() - 1);
  checks.size("FN", extents[0]);
  checks.size("FH", extents[1]);
  checks.size("FW", extents[2]);
  checks.size("FC", extents[3]);
  const std::uint64_t list = o.get<kUnstack, "LIST">();
  const unsigned bytes = address_bits(u.space) / 8;
  if (list % bytes != 0) checks.add(Status(ErrorCode::misaligned_address, "LIST", -1, signed_of(list), bytes));
  if (!checks) return checks.status();
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (i == axis) {
      u.extent = extents[i];
    } else {
      (i < axis ? u.outer : u.inner) *= extents[i];
    }
  }
  u.source = {o.address<kUnstack, "S">(), o.unit<kUnstack, "UNIT">(), u.outer * u.extent * u.inner};
  u.list = o.address<kUnstack, "LIST">();
  if (const Status status = check_list(u, o.memory()); !status) return status;
  return Operation{u};
}

void list_regions(const Unstack &operation, RegionSink &sink) {
  sink.read("S", operation.source);
  sink.read("LIST", operation.list_run());
}

void list_results(const Unstack &operation, const OperandMemory &memory, RegionSink &sink) {
  Block block;
  for (std::uint64_t first = 0; first < operation.extent; first += Block::kMost) {
    if (!block.read(operation, memory, first)) return;
    for (const std::uint64_t address : block.addresses()) sink.write("LIST", operation.result(address));
  }
}

}  // namespace cox::isa::unity::detail
