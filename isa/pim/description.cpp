// SPDX-License-Identifier: MIT
#include "coxswain/isa/pim/description.h"

namespace cox::isa::pim {
namespace {

constexpr unsigned kKindBits = 2;
constexpr unsigned kFormBits = kKindBits * kMostSimdInputs;
constexpr unsigned kFormsInWord = 32 / kFormBits;
static_assert(kDescriptionSimd + (kSimdForms + kFormsInWord - 1) / kFormsInWord == kDescriptionMemories);
static_assert(kDescriptionBound + kRegisters / 4 == kDescriptionSimd);
static_assert(kDescriptionGroupSizes + kMostGroupSizes / 2 == kDescriptionBound);

/// Field `number` of the fields of `bits` bits that lie side by side from word `first` on.
struct Packed {
  unsigned word, shift;
  constexpr Packed(unsigned first, unsigned bits, unsigned number)
      : word(first + number / (32 / bits)), shift(number % (32 / bits) * bits) {}
};

void put_packed(Description &words, const Packed &place, std::uint32_t value) { words[place.word] |= value << place.shift; }
std::uint32_t get_packed(const Description &words, const Packed &place, unsigned bits) {
  return words[place.word] >> place.shift & ((1U << bits) - 1);
}

void set_number(Memory &memory, unsigned number) {
  constexpr std::string_view kPrefix = "memory";
  std::array<char, kPrefix.size() + 2> name{};
  std::size_t length = 0;
  for (const char letter : kPrefix) name[length++] = letter;
  if (number >= 10) name[length++] = static_cast<char>('0' + number / 10);
  name[length++] = static_cast<char>('0' + number % 10);
  memory.set_name({name.data(), length});
}

Status unknown(std::uint32_t version) { return {ErrorCode::unknown_device, "PIM configuration", -1, version, kDescriptionVersion}; }

}  // namespace

Description describe(const Configuration &configuration) {
  Description words{};
  const Array &array = configuration.array;
  words[kDescriptionHead] = kDescriptionVersion | configuration.memories_count << 8 | array.group_sizes_count << 16 |
                            static_cast<std::uint32_t>(array.order) << 24;
  words[kDescriptionArray] = array.first;
  words[kDescriptionArray + 1] = array.macros | array.compartments << 16;
  words[kDescriptionArray + 2] = array.rows | array.elements << 16 | array.bits << 24;
  words[kDescriptionDram] = configuration.dram_first;
  words[kDescriptionDram + 1] = static_cast<std::uint32_t>(configuration.dram_bytes);
  words[kDescriptionDram + 2] = static_cast<std::uint32_t>(configuration.dram_bytes >> 32);
  for (unsigned i = 0; i < array.group_sizes_count; ++i) put_packed(words, {kDescriptionGroupSizes, 16, i}, array.group_sizes[i]);
  for (unsigned i = 0; i < kRegisters; ++i) put_packed(words, {kDescriptionBound, 8, i}, configuration.bound[i]);
  for (unsigned i = 0; i < kSimdForms; ++i) {
    const SimdForm &form = configuration.simd[i];
    std::uint32_t kinds = 0;
    for (unsigned input = 0; input < form.inputs; ++input) kinds |= static_cast<std::uint32_t>(form.kinds[input]) << input * kKindBits;
    put_packed(words, {kDescriptionSimd, kFormBits, i}, kinds);
  }
  for (unsigned i = 0; i < configuration.memories_count; ++i) {
    const Memory &memory = configuration.memories[i];
    std::uint32_t *const own = &words[kDescriptionMemories + i * kDescriptionMemoryWords];
    own[0] = memory.first;
    own[1] = memory.bytes;
    own[2] = static_cast<std::uint32_t>(memory.type);
    own[3] = memory.read_width;
    own[4] = memory.write_width;
  }
  return words;
}

Status read_description(const Description &words, Configuration &configuration) {
  const std::uint32_t head = words[kDescriptionHead];
  const std::uint32_t version = head & 0xFF;
  configuration = {};
  Array &array = configuration.array;
  configuration.memories_count = head >> 8 & 0xFF;
  array.group_sizes_count = head >> 16 & 0xFF;
  const std::uint32_t order = head >> 24;
  if (version != kDescriptionVersion || configuration.memories_count > kMostMemories || array.group_sizes_count > kMostGroupSizes ||
      order > static_cast<std::uint32_t>(ArrayOrder::inside_group))
    return unknown(version);
  array.order = static_cast<ArrayOrder>(order);
  array.first = words[kDescriptionArray];
  array.macros = words[kDescriptionArray + 1] & 0xFFFF;
  array.compartments = words[kDescriptionArray + 1] >> 16;
  array.rows = words[kDescriptionArray + 2] & 0xFFFF;
  array.elements = words[kDescriptionArray + 2] >> 16 & 0xFF;
  array.bits = words[kDescriptionArray + 2] >> 24;
  configuration.dram_first = words[kDescriptionDram];
  configuration.dram_bytes = words[kDescriptionDram + 1] | std::uint64_t{words[kDescriptionDram + 2]} << 32;
  for (unsigned i = 0; i < kMostGroupSizes; ++i) array.group_sizes[i] = get_packed(words, {kDescriptionGroupSizes, 16, i}, 16);
  for (unsigned i = 0; i < kRegisters; ++i)
    configuration.bound[i] = static_cast<std::uint8_t>(get_packed(words, {kDescriptionBound, 8, i}, 8));
  for (unsigned i = 0; i < kSimdForms; ++i) {
    SimdForm &form = configuration.simd[i];
    const std::uint32_t kinds = get_packed(words, {kDescriptionSimd, kFormBits, i}, kFormBits);
    for (unsigned input = 0; input < form.inputs; ++input) {
      const std::uint32_t kind = kinds >> input * kKindBits & ((1U << kKindBits) - 1);
      if (kind > static_cast<std::uint32_t>(SimdKind::block)) return unknown(version);
      form.kinds[input] = static_cast<SimdKind>(kind);
    }
  }
  for (unsigned i = 0; i < configuration.memories_count; ++i) {
    Memory &memory = configuration.memories[i];
    const std::uint32_t *const own = &words[kDescriptionMemories + i * kDescriptionMemoryWords];
    if (own[2] > static_cast<std::uint32_t>(MemoryType::reg_buffer)) return unknown(version);
    memory = {.type = static_cast<MemoryType>(own[2]), .first = own[0], .bytes = own[1], .read_width = own[3], .write_width = own[4]};
    set_number(memory, i);
  }
  return check(configuration);
}

}  // namespace cox::isa::pim
