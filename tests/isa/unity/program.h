// SPDX-License-Identifier: MIT
// A memory with one instruction and its operand table, for tests of resolve().
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "coxswain/isa/operand_memory.h"
#include "coxswain/isa/unity/operand_table.h"
#include "coxswain/isa/unity/operation.h"
#include "coxswain/isa/unity/region.h"

namespace cox::isa::unity {

/// Bytes from a base address on.
class TestMemory final : public OperandMemory {
 public:
  explicit TestMemory(std::uint64_t base = 0, std::size_t bytes = 0x10000) : base_(base), bytes_(bytes) {}

  [[nodiscard]] bool read(std::uint64_t address, std::span<std::byte> bytes) const override {
    if (address < base_ || address - base_ > bytes_.size() || bytes.size() > bytes_.size() - (address - base_)) return false;
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(address - base_), bytes.size(), bytes.begin());
    return true;
  }
  void write(std::uint64_t address, std::span<const std::byte> bytes) {
    std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(address - base_));
  }
  /// Writes the low bytes of a number.
  void write(std::uint64_t address, std::uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) bytes_[address - base_ + i] = static_cast<std::byte>(value >> 8 * i);
  }
  [[nodiscard]] std::span<std::byte> bytes() { return bytes_; }

 private:
  std::uint64_t base_;
  std::vector<std::byte> bytes_;
};

/// An instruction whose table is written field by field.
class TestInstruction {
 public:
  using Fields = std::initializer_list<std::pair<std::string_view, std::int64_t>>;
  static constexpr std::uint64_t kTable = 0x80, kPage = 0x40000, kMemory = 0x1000;

  explicit TestInstruction(Opcode op, Fields fields = {}, AddressSpace space = AddressSpace::bits32) : op_(op), space_(space) {
    code_ = Set::begin(op);
    code_[0] |= static_cast<std::uint32_t>(space) << 6;
    code_[2] = kTable;
    set(fields);
  }
  TestInstruction &set(Fields fields) {
    for (const auto &[name, value] : fields) {
      const Placed placed = find_field(*Set::row(op_).layout, name);
      if (placed.field == nullptr) {
        ADD_FAILURE() << Set::row(op_).name << " has no field " << name;
        continue;
      }
      table_.write(placed.place, space_, static_cast<std::uint64_t>(value));  // also values that set_field() refuses
    }
    return *this;
  }
  /// A copy with other fields.
  [[nodiscard]] TestInstruction with(Fields fields) const { return TestInstruction(*this).set(fields); }
  [[nodiscard]] TestInstruction with_bit(unsigned bit) const {
    TestInstruction copy = *this;
    copy.table_.write(bit, 1, 1);
    return copy;
  }

  /// A copy whose memory also has these bytes, in the first kMemory bytes of its address space.
  [[nodiscard]] TestInstruction with_bytes(std::uint64_t offset, std::span<const std::byte> bytes) const {
    TestInstruction copy = *this;
    copy.data_.emplace_back(offset, std::vector<std::byte>(bytes.begin(), bytes.end()));
    return copy;
  }
  template <typename Number>
  [[nodiscard]] TestInstruction with_list(std::uint64_t offset, std::initializer_list<Number> numbers) const {
    return with_bytes(offset, std::as_bytes(std::span(numbers.begin(), numbers.size())));
  }

  [[nodiscard]] MachineCode &code() { return code_; }
  [[nodiscard]] TableBits &table() { return table_; }
  [[nodiscard]] AddressSpace space() const { return space_; }

  [[nodiscard]] Result<Operation> resolve() const { return unity::resolve(code_, {memory(), kPage}); }
  /// The operation; a failure if resolve() refuses it or makes another family of it.
  template <typename Family>
  [[nodiscard]] Family as() const {
    const Result<Operation> operation = resolve();
    EXPECT_TRUE(operation) << Set::row(op_).name << ": " << error_name(operation.status().code()) << ' ' << operation.status().what() << ' '
                           << operation.status().value() << ' ' << operation.status().limit();
    const Family *family = std::get_if<Family>(&operation.value());
    if (operation && family == nullptr) ADD_FAILURE() << Set::row(op_).name << " is of another family";
    return family != nullptr ? *family : Family{};
  }
  [[nodiscard]] std::vector<Access> accesses() const {
    const Result<Operation> operation = resolve();
    EXPECT_TRUE(operation) << Set::row(op_).name << ": " << error_name(operation.status().code()) << ' ' << operation.status().what();
    std::vector<Access> accesses;
    const TestMemory bytes = memory();
    if (operation) for_each_access(code_, {bytes, kPage}, operation.value(), [&](const Access &access) { accesses.push_back(access); });
    return accesses;
  }

 private:
  [[nodiscard]] TestMemory memory() const {
    const std::uint64_t base = space_ == AddressSpace::bits16 ? kPage : 0;
    TestMemory memory(base, kMemory);
    std::vector<std::byte> table(table_bytes(*Set::row(op_).layout, space_, true));
    table_.copy_to(table);
    memory.write(base + kTable, table);
    for (const auto &[offset, bytes] : data_) memory.write(base + offset, bytes);
    return memory;
  }

  Opcode op_;
  AddressSpace space_;
  MachineCode code_{};
  TableBits table_;
  std::vector<std::pair<std::uint64_t, std::vector<std::byte>>> data_;
};

/// Expects an error of resolve().
inline void expect_error(const TestInstruction &instruction, ErrorCode code, std::string_view what, std::int64_t value,
                         std::int64_t limit) {
  const Status status = instruction.resolve().status();
  EXPECT_EQ(error_name(status.code()), std::string_view(error_name(code)));
  EXPECT_EQ(std::string_view(status.what()), what);
  EXPECT_EQ(status.value(), value) << what;
  EXPECT_EQ(status.limit(), limit) << what;
}
inline void expect_refused(const TestInstruction &instruction, std::string_view what, std::int64_t value, std::int64_t limit) {
  expect_error(instruction, ErrorCode::field_out_of_range, what, value, limit);
}

}  // namespace cox::isa::unity
