// SPDX-License-Identifier: MIT
#include <array>
#include <bit>

#include "coxswain/isa/pim/operation.h"
#include "coxswain/isa/pim/walk.h"

namespace cox::isa::pim {
namespace {

std::uint32_t read_table(const Configuration &configuration, const LocalMemory &memory, std::uint32_t table, std::uint32_t entry) {
  std::array<std::byte, 4> bytes{};
  memory.read(place(configuration, Reach::local, table + entry * 4, bytes.size()), bytes);
  return std::bit_cast<std::uint32_t>(bytes);
}

}  // namespace

ComputeStep step(const Compute &compute, const Configuration &configuration, const LocalMemory &memory, std::uint32_t number) {
  const auto start = [&](std::uint32_t first, const Compute::Advance &advance) {
    return first + (advance.table ? read_table(configuration, memory, advance.value, number) : number * advance.value);
  };
  const ComputeStep &first = compute.first;
  return {.row = first.row + number,
          .input = start(first.input, compute.input_advance),
          .mask = start(first.mask, compute.mask_advance),
          .meta = start(first.meta, compute.meta_advance)};
}

std::uint32_t group_input(const Compute &compute, const Configuration &configuration, const LocalMemory &memory, const ComputeStep &step,
                          std::uint32_t group) {
  const Compute::Advance &advance = compute.group_advance;
  return step.input + (advance.table ? read_table(configuration, memory, advance.value, group) : group * advance.value);
}

void visit_accesses(const Operation &operation, const Configuration &configuration, const LocalMemory &memory, AccessVisitor &visitor) {
  const auto report = [&](const detail::Need &need) {
    if (need.bytes == 0) return true;
    visitor.visit({.field = need.field,
                   .write = need.write,
                   .first = need.first,
                   .bytes = need.bytes,
                   .place = place(configuration, need.reach, need.first, need.bytes)});
    return true;
  };
  std::visit([&](const auto &op) { detail::walk(op, {configuration, memory}, report); }, operation);
}

}  // namespace cox::isa::pim
