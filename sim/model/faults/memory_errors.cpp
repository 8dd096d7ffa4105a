// SPDX-License-Identifier: MIT
#include "sim/model/faults/memory_errors.h"

#include <algorithm>

namespace cox::model::faults {
namespace {

constexpr std::byte kTwoBits{3};

Place place_of(const Planned &fault) {
  switch (fault.memory) {
    case Store::l2: return {Place::Memory::l2, fault.unit};
    case Store::wl0: return {Place::Memory::wl0, fault.unit};
    case Store::dram:
    case Store::queue: break;
  }
  return {Place::Memory::bus, 0};
}

}  // namespace

void MemoryErrors::flip(const Planned &fault) {
  Error error;
  error.place = place_of(fault);
  error.word = fault.address & ~(kWordBytes - 1);
  error.byte = static_cast<std::uint32_t>(fault.address % kWordBytes);
  error.bits = fault.bits;
  for (Error &known : errors_) {
    if (known.place == error.place && known.word == error.word) {
      known.bits = 2;
      return;
    }
  }
  errors_.push_back(error);
}

std::optional<std::uint64_t> MemoryErrors::read(Place place, std::uint64_t first, std::uint64_t bytes) {
  std::optional<std::uint64_t> uncorrectable;
  std::erase_if(errors_, [&](Error &error) {
    const bool read = error.place == place && error.word < first + bytes && first < error.word + kWordBytes;
    if (!read) return false;
    if (error.reported && renewed(error)) return true;
    if (error.bits == 1) {
      ++corrected_;
      return true;
    }
    if (!error.reported) report(error);
    if (!uncorrectable || error.word < *uncorrectable) uncorrectable = error.word;
    return false;
  });
  return uncorrectable;
}

void MemoryErrors::report(Error &error) {
  std::array<std::byte, kWordBytes> word{};
  if (!transfer_(error.place, error.word, false, word)) return;
  word[error.byte] ^= kTwoBits;
  if (!transfer_(error.place, error.word, true, word)) return;
  error.damaged = word;
  error.reported = true;
}

bool MemoryErrors::renewed(const Error &error) const {
  std::array<std::byte, kWordBytes> word{};
  return transfer_(error.place, error.word, false, word) && word != error.damaged;
}

void MemoryErrors::begin_write() {
  for (Error &error : errors_) error.written = 0;
}

void MemoryErrors::write(Place place, std::uint64_t first, std::uint64_t bytes) {
  constexpr std::uint32_t kAll = (1U << kWordBytes) - 1;
  std::erase_if(errors_, [&](Error &error) {
    if (error.place != place) return false;
    const std::uint64_t begin = std::max(first, error.word);
    const std::uint64_t end = std::min(first + bytes, error.word + kWordBytes);
    for (std::uint64_t at = begin; at < end; ++at) error.written |= 1U << (at - error.word);
    return error.written == kAll;
  });
}

void MemoryErrors::clear(Place place, std::uint64_t first, std::uint64_t bytes) {
  std::erase_if(errors_, [&](const Error &error) { return error.place == place && error.word >= first && error.word < first + bytes; });
}

void MemoryErrors::make_whole(unsigned core) {
  std::erase_if(errors_, [core](const Error &error) { return error.place.memory != Place::Memory::bus && error.place.core == core; });
}

void MemoryErrors::reset() {
  corrected_ = 0;
  std::erase_if(errors_, [](const Error &error) { return error.place.memory != Place::Memory::bus; });
}

}  // namespace cox::model::faults
