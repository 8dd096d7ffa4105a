// SPDX-License-Identifier: MIT
#include "coxswain/base/memory_range.h"
#include "coxswain/isa/pim/configuration.h"

namespace cox::isa::pim {
namespace {

constexpr std::uint64_t kAddresses = std::uint64_t{1} << 32;

Status check_number(const char *what, std::uint64_t value, std::uint64_t least, std::uint64_t most, unsigned index) {
  const auto number = static_cast<std::int32_t>(index);
  if (value < least) return Status(ErrorCode::field_out_of_range, what, number, signed_of(value), signed_of(least));
  if (value > most) return Status(ErrorCode::field_out_of_range, what, number, signed_of(value), signed_of(most));
  return {};
}
Status check_number(const char *what, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
  return check_number(what, value, least, most, 0).at(-1);
}

Status check_name(const Configuration &configuration, unsigned number) {
  const Memory &memory = configuration.memories[number];
  const auto index = static_cast<std::int32_t>(number);
  if (memory.name_bytes[Memory::kMostNameBytes] != 0 || memory.name().empty()) {
    return Status(ErrorCode::invalid_argument, "memory name", index);
  }
  // The first memory with a name is the one that is meant.
  if (configuration.find_memory(memory.name()) != number) return Status(ErrorCode::invalid_argument, "memory name", index);
  return {};
}

Status check_memories(const Configuration &configuration) {
  if (Status status = check_number("memories", configuration.memories_count, 0, kMostMemories); !status.ok()) return status;
  for (unsigned number = 0; number < configuration.memories_count; ++number) {
    const Memory &memory = configuration.memories[number];
    const auto type = static_cast<unsigned>(memory.type);
    if (Status status = check_name(configuration, number); !status.ok()) return status;
    if (Status status = check_number("memory type", type, 0, static_cast<unsigned>(MemoryType::reg_buffer), number); !status.ok())
      return status;
    if (Status status = check_number("memory bytes", memory.bytes, 1, kAddresses - memory.first, number); !status.ok()) return status;
    for (const std::uint32_t width : {memory.read_width, memory.write_width}) {
      if (Status status = check_number("memory width", width, 1, kAddresses, number); !status.ok()) return status;
    }
  }
  return {};
}

Status check_array(const Array &array) {
  if (Status status = check_number("macros", array.macros, 1, kMostMacros); !status.ok()) return status;
  if (Status status = check_number("compartments", array.compartments, 1, kMostCompartments); !status.ok()) return status;
  if (Status status = check_number("elements", array.elements, 1, kMostElements); !status.ok()) return status;
  if (Status status = check_number("rows", array.rows, 1, kMostRows); !status.ok()) return status;
  if (Status status = check_number("bits", array.bits, 8, 8); !status.ok()) return status;
  constexpr auto kLastOrder = static_cast<unsigned>(ArrayOrder::inside_group);
  if (Status status = check_number("order", static_cast<unsigned>(array.order), 0, kLastOrder); !status.ok()) return status;
  if (Status status = check_number("group sizes", array.group_sizes_count, 1, kMostGroupSizes); !status.ok()) return status;
  for (unsigned i = 0; i < array.group_sizes_count; ++i) {
    const std::uint32_t size = array.group_sizes[i];
    if (Status status = check_number("group sizes", size, 1, array.macros, i); !status.ok()) return status;
    if (array.macros % size != 0) {
      return Status(ErrorCode::field_out_of_range, "group sizes", static_cast<std::int32_t>(i), size, array.macros);
    }
  }
  return check_number("array", array.bytes(), 1, kAddresses - array.first);
}

Status check_dram(const Configuration &configuration) {
  if (Status status = check_number("dram", configuration.dram_bytes, 0, kAddresses - configuration.dram_first); !status.ok()) return status;
  if (configuration.dram_bytes % kWindows != 0) {
    return Status(ErrorCode::field_out_of_range, "dram", -1, signed_of(configuration.dram_bytes), kWindows);
  }
  return {};
}

/// The range of memory `number`: local memories, then the array, then DRAM.
MemoryRange range_of(const Configuration &configuration, unsigned number) {
  if (number < configuration.memories_count) return {configuration.memories[number].first, configuration.memories[number].bytes};
  if (number == configuration.memories_count) return {configuration.array.first, configuration.array.bytes()};
  return {configuration.dram_first, configuration.dram_bytes};
}

Status check_apart(const Configuration &configuration) {
  const unsigned array = configuration.memories_count, dram = array + 1;
  for (unsigned later = 1; later <= dram; ++later) {
    const MemoryRange range = range_of(configuration, later);
    for (unsigned earlier = 0; earlier < later; ++earlier) {
      const MemoryRange other = range_of(configuration, earlier);
      if (!range.overlaps(other)) continue;
      const char *what = later == dram ? "dram" : later == array ? "array" : "memory";
      const auto index = static_cast<std::int32_t>(later);
      return Status(ErrorCode::tensor_overlap, what, index, signed_of(range.address), signed_of(other.address));
    }
  }
  return {};
}

Status check_bindings(const Configuration &configuration) {
  std::uint32_t taken = 0;
  for (unsigned number = 0; number < kRegisters; ++number) {
    const std::uint8_t general = configuration.bound[number];
    if (general == kUnbound) continue;
    const auto index = static_cast<std::int32_t>(number);
    if (!is_special(number)) return Status(ErrorCode::field_out_of_range, "binding", index, general, kUnbound);
    if (general >= kRegisters) return Status(ErrorCode::field_out_of_range, "binding", index, general, kRegisters - 1);
    if ((taken >> general & 1) != 0) return Status(ErrorCode::invalid_argument, "binding", index, general);
    taken |= std::uint32_t{1} << general;
  }
  return {};
}

/// A configuration may make vectors scalars and scalars vectors. The rest of a form is fixed.
bool is_form(const SimdForm &form, const SimdForm &defaults) {
  if (form.opcode != defaults.opcode || form.inputs != defaults.inputs) return false;
  for (unsigned i = 0; i < form.inputs; ++i) {
    if (form.kinds[i] > SimdKind::block) return false;
    if ((form.kinds[i] == SimdKind::block) != (defaults.kinds[i] == SimdKind::block)) return false;
  }
  return true;
}

Status check_simd(const SimdForms &forms) {
  for (unsigned i = 0; i < kSimdForms; ++i) {
    if (is_form(forms[i], kDefaultSimdForms[i])) continue;
    return Status(ErrorCode::field_out_of_range, "simd", static_cast<std::int32_t>(i), forms[i].opcode, kDefaultSimdForms[i].opcode);
  }
  return {};
}

}  // namespace

Status check(const Configuration &configuration) {
  if (Status status = check_memories(configuration); !status.ok()) return status;
  if (Status status = check_array(configuration.array); !status.ok()) return status;
  if (Status status = check_dram(configuration); !status.ok()) return status;
  if (Status status = check_apart(configuration); !status.ok()) return status;
  if (Status status = check_bindings(configuration); !status.ok()) return status;
  return check_simd(configuration.simd);
}

}  // namespace cox::isa::pim
