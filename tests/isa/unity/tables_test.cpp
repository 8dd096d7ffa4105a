// SPDX-License-Identifier: MIT
// Every operand table at the three address spaces against bit positions that were worked out from the specification
// (operand_tables.txt).
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "coxswain/isa/unity/operand_table.h"

namespace cox::isa::unity {
namespace {
namespace tables_test {

struct Bits {
  unsigned bit = 0, width = 0;
};
struct FieldFact {
  std::string name;
  bool in_extension = false;
  Bits at[3];
};
struct OperationFact {
  std::string name;
  unsigned section = 0, code = 0;
};
struct TableFact {
  std::vector<OperationFact> operations;
  unsigned bits[3]{}, extended[3]{};
  std::vector<FieldFact> fields;
};

std::vector<TableFact> read_facts() {
  std::ifstream file(std::string(COX_SOURCE_DIR) + "/tests/isa/unity/operand_tables.txt");
  std::vector<TableFact> tables;
  bool in_fields = true;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream in(line);
    std::string word;
    in >> word;
    if (word == "operation") {
      if (in_fields) tables.emplace_back();
      in_fields = false;
      OperationFact &operation = tables.back().operations.emplace_back();
      in >> operation.name >> std::hex >> operation.section >> operation.code;
      continue;
    }
    in_fields = true;
    if (word == "none") continue;
    TableFact &table = tables.back();
    if (word == "table") {
      for (unsigned &bits : table.bits) in >> bits;
      for (unsigned &bits : table.extended) in >> bits;
      continue;
    }
    FieldFact &field = table.fields.emplace_back();
    field.in_extension = word[0] == '+';
    field.name = field.in_extension ? word.substr(1) : word;
    for (Bits &bits : field.at) in >> bits.bit >> bits.width;
    EXPECT_FALSE(in.fail()) << line;
  }
  return tables;
}

const std::vector<TableFact> &facts() {
  static const std::vector<TableFact> facts = read_facts();
  return facts;
}

/// The bytes of a table that is zero but for one field, set bit by bit.
std::vector<std::byte> bytes_with(Bits bits, std::uint64_t value, std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (unsigned i = 0; i < bits.width; ++i) {
    if ((value >> i & 1) != 0) bytes[(bits.bit + i) / 8] |= std::byte{1} << (bits.bit + i) % 8;
  }
  return bytes;
}

TEST(UnityTables, EveryOperationHasAFact) {
  std::map<std::string, OperationFact> named;
  for (const TableFact &table : facts()) {
    for (const OperationFact &operation : table.operations) named[operation.name] = operation;
  }
  EXPECT_EQ(named.size(), 224U);
  ASSERT_EQ(Set::instructions().size(), 224U);
  for (const Instruction &row : Set::instructions()) {
    ASSERT_TRUE(named.contains(row.name)) << row.name;
    const OperationFact &fact = named[row.name];
    EXPECT_EQ(row.section, fact.section) << row.name;
    EXPECT_EQ(row.code, fact.code) << row.name;
    EXPECT_EQ(Set::begin(row)[0], fact.section | fact.code << 8) << row.name;
  }
}

TEST(UnityTables, SizesAreThoseOfTheSpecification) {
  for (const TableFact &table : facts()) {
    for (const OperationFact &operation : table.operations) {
      const Layout *layout = Set::find(operation.name)->layout;
      ASSERT_EQ(layout == nullptr, table.bits[0] == 0) << operation.name;
      if (layout == nullptr) continue;
      EXPECT_EQ(layout->condition != nullptr, table.extended[0] != 0) << operation.name;
      for (unsigned i = 0; i < 3; ++i) {
        EXPECT_EQ(table_bits(*layout, kAddressSpaces[i], false), table.bits[i]) << operation.name;
        EXPECT_EQ(table_bytes(*layout, kAddressSpaces[i], false) * 8, table.bits[i]) << operation.name;
        EXPECT_LE(table_bytes(*layout, kAddressSpaces[i], true), kMostTableBytes);
        if (table.extended[i] != 0) {
          EXPECT_EQ(table_bits(*layout, kAddressSpaces[i], true), table.extended[i]) << operation.name;
        }
      }
    }
  }
}

TEST(UnityTables, EveryFieldLiesWhereTheSpecificationHasIt) {
  for (const TableFact &table : facts()) {
    for (const OperationFact &operation : table.operations) {
      const Layout *layout = Set::find(operation.name)->layout;
      if (layout == nullptr) continue;
      std::size_t number = 0;
      for_each_field(*layout, true, [&](const Placed &placed) {
        EXPECT_LT(number, table.fields.size()) << operation.name;
        if (number == table.fields.size()) return false;
        const FieldFact &fact = table.fields[number++];
        EXPECT_EQ(placed.field->name, fact.name) << operation.name;
        EXPECT_EQ(placed.in_extension, fact.in_extension) << operation.name << ' ' << fact.name;
        for (unsigned i = 0; i < 3; ++i) {
          EXPECT_EQ(placed.place.bit(kAddressSpaces[i]), fact.at[i].bit) << operation.name << ' ' << fact.name;
          EXPECT_EQ(placed.place.width(kAddressSpaces[i]), fact.at[i].width) << operation.name << ' ' << fact.name;
        }
        return true;
      });
      EXPECT_EQ(number, table.fields.size()) << operation.name;
    }
  }
}

/// The smallest and the largest value that a field takes, as 64-bit two's complement.
std::pair<std::uint64_t, std::uint64_t> ends(Holds holds, unsigned width) {
  const std::uint64_t most = UINT64_MAX >> (64 - width);
  switch (holds) {
    case Holds::signed_integer: return {~(most >> 1), most >> 1};
    case Holds::either_sign: return {~(most >> 1), most};
    case Holds::unit: return {0, 12};
    default: return {0, most};
  }
}

TEST(UnityTables, FieldsAtTheirEndsGiveTheBytesOfTheSpecification) {
  unsigned checked = 0;
  for (const TableFact &table : facts()) {
    for (const OperationFact &operation : table.operations) {
      const Layout *layout = Set::find(operation.name)->layout;
      if (layout == nullptr) continue;
      for (const FieldFact &fact : table.fields) {
        const Placed placed = find_field(*layout, fact.name);
        ASSERT_NE(placed.field, nullptr) << operation.name << ' ' << fact.name;
        for (unsigned i = 0; i < 3; ++i) {
          const AddressSpace space = kAddressSpaces[i];
          const unsigned width = fact.at[i].width;
          const std::size_t size = (fact.in_extension ? table.extended[i] : table.bits[i]) / 8;
          const auto [least, most] = ends(placed.field->holds, width);
          for (const std::uint64_t value : {least, most}) {
            TableBits bits;
            ASSERT_TRUE(set_field(bits, placed, space, static_cast<std::int64_t>(value))) << operation.name << ' ' << fact.name;
            std::vector<std::byte> bytes(size);
            bits.copy_to(bytes);
            const std::vector<std::byte> expected = bytes_with(fact.at[i], value, size);
            ASSERT_EQ(bytes, expected) << operation.name << ' ' << fact.name << " at " << address_bits(space);
            const TableBits read{expected};
            const std::uint64_t mask = UINT64_MAX >> (64 - width);
            EXPECT_EQ(read.read(placed.place, space), value & mask) << operation.name << ' ' << fact.name;
            if (placed.field->holds != Holds::either_sign) {
              EXPECT_EQ(static_cast<std::uint64_t>(get_field(read, placed, space)), value) << operation.name << ' ' << fact.name;
            }
            ++checked;
          }
          // One beyond each end is refused, and nothing is written.
          if (width == 64) continue;
          for (const std::uint64_t value : {least - 1, most + 1}) {
            TableBits bits;
            const Status status = set_field(bits, placed, space, static_cast<std::int64_t>(value));
            EXPECT_EQ(status.code(), ErrorCode::field_out_of_range) << operation.name << ' ' << fact.name;
            EXPECT_EQ(status.what(), fact.name);
            EXPECT_EQ(status.value(), static_cast<std::int64_t>(value));
            EXPECT_EQ(static_cast<std::uint64_t>(status.limit()), value == least - 1 ? least : most);
            EXPECT_EQ(bits.read(placed.place, space), 0U);
          }
        }
      }
    }
  }
  EXPECT_GT(checked, 10000U);
}

/// OperandTable, whose places are computed by the compiler, writes the same bits.
template <Opcode Op, AddressSpace Space, FixedString... Names>
void expect_same_writes() {
  using Table = OperandTable<Op, Space>;
  const auto one = [](std::uint64_t value, auto write, std::string_view name) {
    Table table;
    write(table, value);
    const Placed placed = find_field(Table::kLayout, name);
    TableBits bits;
    bits.write(placed.place, Space, value);
    std::vector<std::byte> expected(table.words().size_bytes());
    bits.copy_to(expected);
    const auto written = std::as_bytes(table.words());
    EXPECT_TRUE(std::equal(written.begin(), written.end(), expected.begin(), expected.end())) << name;
  };
  for (const std::uint64_t value : {std::uint64_t{0x9E3779B97F4A7C15}, UINT64_MAX, std::uint64_t{1}}) {
    (one(
         value,
         [](Table &table, std::uint64_t v) {
           table.template set<Names>(v);
           EXPECT_EQ(table.template get<Names>(), v & UINT64_MAX >> (64 - place<Op, Names>().width(Space)));
         },
         Names.view()),
     ...);
  }
}
template <AddressSpace Space>
void expect_same_tables() {
  expect_same_writes<Opcode::CONV2D, Space, "FM", "K", "D", "BIAS_UNIT", "FORMAT", "PAD_MODE", "PAD", "BIAS", "MUL", "SHIFT", "SCALE",
                     "SURF", "LINE_STRIDE", "FM_C", "K_W", "K_NUM", "CLIP_MAX", "CLIP_MIN">();
  expect_same_writes<Opcode::ELE_ADD, Space, "S0", "S1", "D", "LEN", "VALID", "MUL", "LSHIFT", "CLIP_MIN", "MUL0", "MUL1", "IZERO1">();
  expect_same_writes<Opcode::SOFTMAX, Space, "FM", "D", "I_H", "FC", "QMUL", "DIFF_MIN", "LSHIFT">();
  expect_same_writes<Opcode::MAX_POOL, Space, "FM", "D", "PAD", "K_H", "K_W">();
  expect_same_writes<Opcode::ADD, Space, "S0", "LEN", "S0_UNIT", "SAT", "ROUND">();
}
TEST(UnityTables, CompiledWritesEqualWritesByName) {
  expect_same_tables<AddressSpace::bits16>();
  expect_same_tables<AddressSpace::bits32>();
  expect_same_tables<AddressSpace::bits64>();
  using Narrow = OperandTable<Opcode::ADD, AddressSpace::bits16>;
  EXPECT_EQ(Narrow::kBytes, 12U);
  EXPECT_EQ((OperandTable<Opcode::SOFTMAX, AddressSpace::bits32>::kBytes), 16U);
  EXPECT_EQ((OperandTable<Opcode::SOFTMAX, AddressSpace::bits32>::kExtendedBytes), 24U);
}

}  // namespace tables_test
}  // namespace
}  // namespace cox::isa::unity
