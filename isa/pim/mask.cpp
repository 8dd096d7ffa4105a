// SPDX-License-Identifier: MIT
#include "coxswain/isa/pim/mask.h"

#include <algorithm>
#include <bit>

namespace cox::isa::pim::detail {

static_assert(std::endian::native == std::endian::little);  // words are read as they lie in memory

Mask::Mask(const Surroundings &around, std::uint32_t address, std::uint64_t bits)
    : memory_(around.memory), place_(place(around.configuration, Reach::local, address, 1)), bytes_(vector_bytes(bits, 1)) {}

std::uint64_t Mask::word(std::uint64_t number) {
  if (number < first_word_ || number >= end_word_) {
    first_word_ = number;
    end_word_ = number + words_.size();
    words_ = {};
    const std::uint64_t byte = number * sizeof(std::uint64_t);
    const std::uint64_t bytes = std::min<std::uint64_t>(sizeof words_, bytes_ - byte);
    const std::span<std::byte> all = std::as_writable_bytes(std::span(words_));
    memory_.read({place_.space, place_.offset + byte}, all.first(static_cast<std::size_t>(bytes)));
  }
  return words_[static_cast<std::size_t>(number - first_word_)];
}

std::uint64_t Mask::count(std::uint64_t first, std::uint64_t count) {
  std::uint64_t found = 0;
  for (const std::uint64_t end = first + count; first < end;) {
    const auto shift = static_cast<unsigned>(first % kWordBits);
    const auto bits = static_cast<unsigned>(std::min<std::uint64_t>(kWordBits - shift, end - first));
    const std::uint64_t selected = word(first / kWordBits) >> shift & ~std::uint64_t{0} >> (kWordBits - bits);
    found += static_cast<unsigned>(std::popcount(selected));
    first += bits;
  }
  return found;
}

}  // namespace cox::isa::pim::detail
