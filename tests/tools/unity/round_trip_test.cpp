// SPDX-License-Identifier: MIT
// Random containers: printed, and assembled again to the same bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "coxswain/isa/unity/operand_table.h"
#include "coxswain/isa/unity/program.h"
#include "coxswain/isa/unity/sync.h"
#include "tools/unity/assemble.h"
#include "tools/unity/disassemble.h"
#include "tools/unity/program_text.h"

namespace cox::tools::unity::round_trip_test {
namespace {

using namespace isa::unity;  // NOLINT(google-build-using-namespace)

class RandomContainer {
 public:
  explicit RandomContainer(unsigned seed) : random_(seed) {}

  std::vector<std::uint8_t> make() {
    ContainerHeader header;
    header.units = static_cast<std::uint16_t>(1 + below(4));
    header.flags = static_cast<std::uint16_t>((below(5) == 0 ? 0 : kFlagRelative) | below(2));
    header.programs = 1 + below(4);
    header.sub_programs = below(3);
    header.keys = below(4);
    header.time_limit = below(2) * below(1000);
    header.page = below(2) * std::uint64_t{below(100)} * kPageBytes;
    relative_ = (header.flags & kFlagRelative) != 0;
    bytes_.assign(container_front(header.programs, header.keys, header.sub_programs), 0);
    put(0, header);
    std::vector<std::uint8_t> units;
    for (unsigned i = 0; i < header.programs; ++i) units.push_back(static_cast<std::uint8_t>(below(header.units)));
    std::ranges::sort(units);
    std::uint32_t entry = sizeof header;
    for (unsigned i = 0; i < header.programs + header.sub_programs; ++i) {
      put(entry, image(i < header.programs ? units[i] : std::uint8_t{0}));
      entry += sizeof(ProgramEntry);
    }
    for (unsigned i = 0; i < header.keys; ++i, entry += sizeof(InitialKey)) {
      put(entry, InitialKey{static_cast<std::uint8_t>(below(kKeyTables)), static_cast<std::uint8_t>(below(256)),
                            static_cast<std::uint16_t>(below(65536))});
    }
    for (const Pending &table : tables_) {
      if (below(4) == 0) gap(64);
      bytes_.resize((bytes_.size() + 3) / 4 * 4);
      const std::uint64_t place = below(20) == 0 ? below(static_cast<unsigned>(bytes_.size() / 4)) * 4 : bytes_.size();
      write_table(table, place);
    }
    if (below(2) == 0) gap(100);
    return bytes_;
  }

 private:
  struct Pending {
    std::size_t payload = 0;
    const Instruction *row = nullptr;
    AddressSpace space{};
  };

  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  std::uint32_t word_bits() { return static_cast<std::uint32_t>(random_()); }
  std::uint64_t bits() { return std::uint64_t{random_()} << 32 | random_(); }
  template <typename T>
  void put(std::size_t offset, const T &value) {
    std::memcpy(&bytes_[offset], &value, sizeof value);
  }
  void gap(unsigned most) {
    const bool zeros = below(2) == 0;
    for (unsigned i = below(most); i > 0; --i) bytes_.push_back(zeros ? 0 : static_cast<std::uint8_t>(below(256)));
  }

  ProgramEntry image(std::uint8_t unit) {
    if (below(4) == 0) gap(64);
    bytes_.resize((bytes_.size() + 31) / 32 * 32);
    const std::uint32_t count = below(3) == 0 ? below(80) : below(6), offset = static_cast<std::uint32_t>(bytes_.size());
    bytes_.resize(offset + program_bytes(count + 1));
    ImageWriter writer(std::as_writable_bytes(std::span(bytes_)).subspan(offset));
    for (std::uint32_t i = 0; i < count; ++i) {
      const unsigned kind = below(20);
      const Domain domain = kind == 0 ? static_cast<Domain>(0x80 + below(4)) : Domain::unity;
      MachineCode code{};
      if (kind <= 1) {
        for (std::uint32_t &word : code) word = word_bits() & (below(2) == 0 ? ~0U : 0x3FFFFFU);
      } else {
        const Instruction &row = kInstructions[below(static_cast<unsigned>(std::size(kInstructions)))];
        code = Set::begin(row);
        if (row.layout != nullptr) {
          const auto space = static_cast<AddressSpace>(below(3));
          code[0] |= static_cast<std::uint32_t>(space) << 6;
          code[1] = sync_word(sync());
          code[2] = below(2) == 0 ? word_bits() : below(0x1000);
          tables_.push_back({offset + payload_offset(i), &row, space});
        }
        if (below(50) == 0) code[1] ^= 1U << below(32);
      }
      EXPECT_TRUE(writer.add(code, domain));
    }
    writer.end();
    if (below(10) == 0) bytes_.back() = 0x55;  // a byte of END's payload, which no unit reads
    return {.offset = offset, .instructions = static_cast<std::uint16_t>(count + 1), .unit = unit};
  }

  Sync sync() {
    Sync sync{.fetches = below(2) == 0, .deposits = below(2) == 0, .blocks = below(2) == 0};
    if (sync.fetches) {
      sync.keys = static_cast<std::uint8_t>(1 + below(8));
      sync.fetch = {static_cast<std::uint8_t>(below(4)), static_cast<std::uint8_t>(below(256))};
    }
    if (sync.deposits) sync.deposit = {static_cast<std::uint8_t>(below(4)), static_cast<std::uint8_t>(below(256))};
    return sync;
  }

  void write_table(const Pending &pending, std::uint64_t place) {
    if (below(8) == 0) return;  // the payload names some other place
    put(pending.payload + 8, static_cast<std::uint32_t>(place));
    put(pending.payload + 12, std::uint32_t{0});
    TableBits table;
    const bool raw = below(10) == 0;
    for_each_field(*pending.row->layout, true, [&](const Placed &placed) {
      if (raw || below(3) != 0)
        table.write(placed.place, pending.space, placed.field->holds == Holds::unit && !raw ? below(kUnits) : bits());
      return true;
    });
    const unsigned size = table_bytes(*pending.row->layout, pending.space, is_extended(*pending.row->layout, table, pending.space));
    bytes_.resize(std::max<std::size_t>(bytes_.size(), place + size));
    if (place + size == bytes_.size() || relative_) table.copy_to(std::as_writable_bytes(std::span(bytes_)).subspan(place, size));
  }

  std::mt19937 random_;
  std::vector<std::uint8_t> bytes_;
  std::vector<Pending> tables_;
  bool relative_ = true;
};

TEST(RoundTripUnity, RandomContainers) {
  unsigned opened = 0, with_tables = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    const std::vector<std::uint8_t> bytes = RandomContainer(seed).make();
    // A table that was written over an image may have broken it.
    const auto container = Container::open(std::as_bytes(std::span(bytes)));
    if (!container) continue;
    ++opened;
    const std::string text = disassemble(container.value());
    if (text.find("_UNIT=") != std::string::npos) ++with_tables;
    ASSERT_EQ(assemble(text, "again").container, bytes) << "seed " << seed << "\n" << text;
  }
  EXPECT_GT(opened, 2500U);
  EXPECT_GT(with_tables, 1000U);
}

/// Text of one instruction for each operation and address space, with all fields at their largest values.
TEST(RoundTripUnity, EveryFieldOfEveryOperation) {
  for (const Instruction &row : kInstructions) {
    if (row.layout == nullptr) continue;
    for (const AddressSpace space : {AddressSpace::bits32, AddressSpace::bits64}) {
      std::string text = ".unit 0\n" + std::string(row.name) + " space=" + std::to_string(address_bits(space));
      TableBits expected;
      for_each_field(*row.layout, true, [&](const Placed &placed) {
        if (placed.in_extension && std::string_view(row.layout->condition) == "UNIT") return true;
        const std::uint64_t most = placed.field->holds == Holds::unit             ? kUnits - 1
                                   : placed.field->holds == Holds::signed_integer ? (1ULL << (placed.place.width(space) - 1)) - 1
                                                                                  : ~0ULL >> (64 - placed.place.width(space));
        expected.write(placed.place, space, most);
        // FP32 takes bits in hexadecimal.
        char value[32];
        std::snprintf(value, sizeof value, "0x%llx", static_cast<unsigned long long>(most));
        text += std::string(" ") + placed.field->name + "=" + value;
        return true;
      });
      const std::vector<std::uint8_t> bytes = assemble(text, row.name).container;
      const bool extended = is_extended(*row.layout, expected, space);
      std::vector<std::byte> table(table_bytes(*row.layout, space, extended));
      expected.copy_to(table);
      constexpr std::size_t kTable = container_front(1, 0, 0) + 64;
      ASSERT_EQ(bytes.size(), (kTable + table.size() + 7) / 8 * 8) << text;
      EXPECT_EQ(std::memcmp(&bytes[kTable], table.data(), table.size()), 0) << text;
      const std::string printed = disassemble(open_container(bytes, ""));
      EXPECT_EQ(printed.find("at="), std::string::npos) << printed;
      EXPECT_EQ(printed.find(".bytes"), std::string::npos) << printed;
      EXPECT_EQ(assemble(printed, "again").container, bytes) << printed;
    }
  }
}

}  // namespace
}  // namespace cox::tools::unity::round_trip_test
