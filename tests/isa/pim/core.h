// SPDX-License-Identifier: MIT
// A core for tests of resolve(): a configuration, registers, local memories and a place in a program.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "coxswain/isa/pim/build.h"
#include "coxswain/isa/pim/operation.h"

namespace cox::isa::pim {

// First addresses of the default configuration.
inline constexpr std::uint32_t kInput = 0x100000, kOutput = 0x200000, kData = 0x300000, kInputBuffer = 0x400000, kOutputBuffer = 0x500000,
                               kMaskBuffer = 0x600000, kMetaBuffer = 0x700000, kDram = 0x80000000, kDramPart = 0x20000000;

class TestCore final : public LocalMemory {
 public:
  Configuration configuration = default_configuration();
  Registers registers;
  std::uint32_t counter = 10, instructions = 100;
  unsigned core = 1, cores = 4;

  /// Sets general registers from 1 on.
  void set_general(std::initializer_list<std::uint32_t> values) { std::copy(values.begin(), values.end(), registers.general.begin() + 1); }
  void set(Special name, std::uint32_t value) { registers.write(configuration, name, value); }

  void write_bytes(std::uint32_t address, std::initializer_list<unsigned> values) {
    for (const unsigned value : values) byte_at(address++) = static_cast<std::byte>(value);
  }
  /// Sets bit `number` of a mask.
  void set_bit(std::uint32_t address, std::uint32_t number) { byte_at(address + number / 8) |= static_cast<std::byte>(1U << number % 8); }
  void write_words(std::uint32_t address, std::initializer_list<std::int64_t> values) {
    for (const std::int64_t value : values) {
      for (unsigned i = 0; i < 4; ++i) byte_at(address++) = static_cast<std::byte>(static_cast<std::uint32_t>(value) >> (8 * i));
    }
  }

  void read(Place place, std::span<std::byte> bytes) const override {
    ++reads;
    ASSERT_LT(place.space, configuration.memories_count);
    ASSERT_LE(place.offset + bytes.size(), configuration.memories[place.space].bytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const auto at = static_cast<std::size_t>(place.offset) + i;
      bytes[i] = at < memories_[place.space].size() ? memories_[place.space][at] : std::byte{0};
    }
  }
  mutable unsigned reads = 0;

  [[nodiscard]] Result<Operation> resolve(const MachineCode &code, const MachineCode *batch = nullptr) const {
    EXPECT_TRUE(check(configuration).ok()) << check(configuration).what();
    EXPECT_TRUE(check(code).ok()) << check(code).what();
    if (batch != nullptr) {
      EXPECT_TRUE(check(*batch).ok()) << check(*batch).what();
    }
    return pim::resolve(code, batch, {configuration, registers, *this, counter, instructions, core, cores});
  }

  /// Returns the operation if it is a `Kind`. If it is another kind, the test fails and gets a default `Kind`.
  template <typename Kind>
  [[nodiscard]] Kind resolved(const MachineCode &code, const MachineCode *batch = nullptr) const {
    const Result<Operation> result = resolve(code, batch);
    EXPECT_TRUE(result.ok()) << error_name(result.status().code()) << " " << result.status().what() << " " << result.status().value();
    const auto *kind = result.ok() ? std::get_if<Kind>(&result.value()) : nullptr;
    EXPECT_NE(kind, nullptr);
    return kind == nullptr ? Kind{} : *kind;
  }

  void expect_refused(const MachineCode &code, ErrorCode error, const char *what, std::int64_t value, std::int64_t limit,
                      std::int32_t index = -1, const MachineCode *batch = nullptr) const {
    SCOPED_TRACE(testing::Message() << what << " " << value);
    const Status status = resolve(code, batch).status();
    EXPECT_EQ(status.code(), error) << error_name(status.code());
    EXPECT_STREQ(status.what(), what);
    EXPECT_EQ(status.value(), value);
    EXPECT_EQ(status.limit(), limit);
    EXPECT_EQ(status.index(), index);
  }
  /// Refuses a register's value.
  void expect_out_of_range(const MachineCode &code, const char *what, std::int64_t value, std::int64_t limit) const {
    expect_refused(code, ErrorCode::field_out_of_range, what, value, limit);
  }
  /// Refuses an access that begins at `address`; `end` is the first address behind the memory there, or 0.
  void expect_outside(const MachineCode &code, const char *what, std::int64_t address, std::int64_t end) const {
    expect_refused(code, ErrorCode::address_outside_buffer, what, address, end);
  }
  /// Resolves with a special register that has another value, and expects a refusal that names it.
  void expect_special_refused(const MachineCode &code, Special name, const char *what, std::uint32_t value, std::int64_t shown,
                              std::int64_t limit) const {
    TestCore other = *this;
    other.set(name, value);
    other.expect_out_of_range(code, what, shown, limit);
  }

  /// The accesses of an operation as text: field, r or w, first address and bytes.
  [[nodiscard]] std::vector<std::string> accesses(const Operation &operation) const {
    std::vector<std::string> found;
    for_each_access(operation, configuration, *this, [&](const Access &access) {
      char text[80];
      std::snprintf(text, sizeof text, "%s %s %#x %llu", access.field, access.write ? "w" : "r", access.first,
                    static_cast<unsigned long long>(access.bytes));
      found.emplace_back(text);
      EXPECT_TRUE(access.place.found()) << text;
      EXPECT_EQ(access.place.offset, place_first(access)) << text;
    });
    return found;
  }

 private:
  std::byte &byte_at(std::uint32_t address) {
    const Place at = place(configuration, Reach::local, address, 1);
    EXPECT_TRUE(at.is_local()) << address;
    std::vector<std::byte> &bytes = memories_[at.space];
    bytes.resize(configuration.memories[at.space].bytes);
    return bytes[static_cast<std::size_t>(at.offset)];
  }

  [[nodiscard]] std::uint64_t place_first(const Access &access) const {
    if (access.place.is_local()) return access.first - configuration.memories[access.place.space].first;
    if (access.place.is_array()) return access.first - configuration.array.first;
    return access.first - configuration.dram_first - access.place.window() * configuration.dram_part();
  }

  std::array<std::vector<std::byte>, kMostMemories> memories_;
};

using Accesses = std::vector<std::string>;

}  // namespace cox::isa::pim
