// SPDX-License-Identifier: MIT
#include "coxswain/isa/pim/configuration.h"

namespace cox::isa::pim {
namespace {

constexpr std::uint32_t kSpacing = 0x100000;  // between the first bytes of the default memories
constexpr std::uint32_t kKibibyte = 1024;
constexpr std::uint32_t kWidth = 128;  // bytes a cycle of every default memory

constexpr Configuration make_default() {
  struct Row {
    std::string_view name;
    MemoryType type;
    std::uint32_t kibibytes;
  };
  constexpr Row kRows[] = {
      {"input", MemoryType::sram, 256},
      {"output", MemoryType::sram, 256},
      {"data", MemoryType::sram, 256},
      {"input_buffer", MemoryType::reg_buffer, 16},
      {"output_buffer", MemoryType::reg_buffer, 64},
      {"mask_buffer", MemoryType::reg_buffer, 64},
      {"meta_buffer", MemoryType::reg_buffer, 256},
  };
  Configuration made;
  for (const Row &row : kRows) {
    Memory &memory = made.memories[made.memories_count++];
    memory.set_name(row.name);
    memory.type = row.type;
    memory.first = made.memories_count * kSpacing;
    memory.bytes = row.kibibytes * kKibibyte;
    memory.read_width = memory.write_width = kWidth;
  }
  made.array.group_sizes_count = 6;
  made.array.group_sizes = {16, 8, 32, 64, 128, 256};
  made.dram_first = 0x80000000;
  made.dram_bytes = 0x80000000;
  return made;
}

constexpr Configuration kDefault = make_default();
static_assert(kDefault.array.bytes() == kSpacing);  // the array ends where the first memory begins

}  // namespace

const Configuration &default_configuration() { return kDefault; }

}  // namespace cox::isa::pim
