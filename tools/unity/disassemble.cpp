// SPDX-License-Identifier: MIT
#include "tools/unity/disassemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

#include "coxswain/isa/unity/sync.h"
#include "coxswain/isa/unity/table.h"
#include "tools/unity/assemble.h"
#include "tools/unity/container_layout.h"
#include "tools/unity/engine_text.h"
#include "tools/unity/print_slots.h"
#include "tools/unity/slot_block.h"

namespace cox::tools::unity {
namespace {

using namespace isa::unity;  // NOLINT(google-build-using-namespace)

std::string float_text(std::uint32_t bits) {
  const auto value = std::bit_cast<float>(bits);
  const std::string text = fmt::format("{}", value);
  const bool same = !std::isnan(value) && std::bit_cast<std::uint32_t>(static_cast<float>(std::strtod(text.c_str(), nullptr))) == bits;
  return same ? text : fmt::format("{:#x}", bits);
}

std::string sync_text(const Sync &sync) {
  std::string text;
  if (sync.fetches) {
    text += " fetch=";
    if (sync.keys != 1) text += fmt::format("{}*", sync.keys);
    text += fmt::format("{}:{}", sync.fetch.table, sync.fetch.entry);
  }
  if (sync.deposits) text += fmt::format(" deposit={}:{}", sync.deposit.table, sync.deposit.entry);
  if (sync.blocks) text += " blk";
  return text;
}

class Printer {
 public:
  explicit Printer(const Container &container) : container_(container), cursor_(front()) {}

  std::string print() {
    header();
    const ContainerHeader &header = container_.header();
    images(header.programs, [this](std::uint32_t number) { return container_.program(number); });
    images(header.sub_programs, [this](std::uint32_t number) { return container_.sub_program(number); });
    for (std::uint32_t i = 0; i < header.programs; ++i) {
      const ProgramEntry entry = container_.program(i);
      section(fmt::format(".unit {}", entry.unit), entry, places_[i]);
    }
    for (std::uint32_t i = 0; i < header.sub_programs; ++i)
      section(fmt::format(".sub sub{}", i), container_.sub_program(i), places_[header.programs + i]);
    for (const auto &[place, block] : blocks_) slots(place, block);
    rest();
    return std::move(text_);
  }

 private:
  /// A block of slots.
  struct Block {
    std::string label;
    Domain domain{};
    unsigned count = 0;
    PrintedSlots printed;
  };

  [[nodiscard]] std::uint64_t front() const {
    const ContainerHeader &header = container_.header();
    return container_front(header.programs, header.keys, header.sub_programs);
  }

  void header() {
    const ContainerHeader &header = container_.header();
    text_ += fmt::format(".units {}\n", header.units);
    if (!container_.is_relative()) text_ += ".absolute 0\n";
    if (container_.host_deposits()) text_ += ".host_deposits\n";
    if (header.page != 0) text_ += fmt::format(".page {:#x}\n", header.page);
    if (header.time_limit != 0) text_ += fmt::format(".time_limit {}\n", container_.time_limit());
    for (std::uint32_t i = 0; i < header.keys; ++i) {
      const InitialKey key = container_.key(i);
      text_ += fmt::format(".key {}:{} = {}\n", key.table, key.entry, key.count);
    }
  }

  /// Finds out which images lie where the assembler would not put them.
  template <typename Entry>
  void images(std::uint32_t count, Entry entry_of) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const ProgramEntry entry = entry_of(i);
      const bool usual = cursor_.usual(kProgramAlignment) == entry.offset;
      places_.push_back(usual ? "" : fmt::format(" at={:#x}", entry.offset));
      static_cast<void>(cursor_.place(entry.offset, kProgramAlignment, program_bytes(entry.instructions)));
    }
  }

  void section(const std::string &head, const ProgramEntry &entry, const std::string &place) {
    text_ += fmt::format("\n{}{}\n", head, place);
    for (std::uint32_t i = 0; i + 1 < entry.instructions; ++i) instruction(container_.instruction(entry, i), i);
  }

  void instruction(const Stored &stored, std::uint32_t number) {
    std::string text = stored.domain == Domain::unity ? operation(stored) : submission(stored);
    if (text.empty()) {
      text = ".payload ";
      if (stored.domain != Domain::unity) text += fmt::format("{} ", engine_name(stored.domain));
      text += fmt::format("{:#x}, {:#x}, {:#x}, {:#x}", stored.code[0], stored.code[1], stored.code[2], stored.code[3]);
    }
    text_ += fmt::format("    {}  # {}\n", text, number);
  }

  /// Empty if the text form cannot say what the bits are.
  std::string operation(const Stored &stored) {
    const MachineCode &code = stored.code;
    const Instruction *row = find_quickly(code);
    if (row == nullptr) return {};
    MachineCode canonical = Set::begin(*row);
    std::string text = row->name;
    if (row->layout == nullptr) return canonical == code ? text : std::string();
    if ((code[0] >> 6 & 3) == 3) return {};
    const Sync sync = read_sync(code[1]);
    canonical = {canonical[0] | (code[0] & 0xC0), sync_word(sync), code[2], code[3]};
    if (canonical != code) return {};
    const AddressSpace space = address_space(code);
    if (space != AddressSpace::bits32) text += fmt::format(" space={}", address_bits(space));
    const std::optional<OwnTable> table = own_table(container_, stored);
    const std::string fields = table && is_printable(*table) ? fields_text(*table) : fmt::format(" table={:#x}", table_address(code));
    return text + fields + sync_text(sync);
  }

  static bool is_printable(const OwnTable &table) {
    bool good = true;
    for_each_field(*table.layout, table.extended, [&](const Placed &placed) {
      TableBits copy;
      good = set_field(copy, placed, table.space, get_field(table.bits, placed, table.space)).ok();
      return good;
    });
    return good;
  }

  std::string fields_text(const OwnTable &table) {
    std::string text;
    if (cursor_.usual(kTableAlignment) != table.offset) text += fmt::format(" at={:#x}", table.offset);
    static_cast<void>(cursor_.place(table.offset, kTableAlignment, table_bytes(*table.layout, table.space, table.extended)));
    for_each_field(*table.layout, table.extended, [&](const Placed &placed) {
      const std::int64_t value = get_field(table.bits, placed, table.space);
      if (value != 0 || placed.field->holds == Holds::unit)
        text += fmt::format(" {}={}", placed.field->name, value_text(*placed.field, value));
      return true;
    });
    return text;
  }

  [[nodiscard]] std::string value_text(const TableField &field, std::int64_t value) const {
    switch (field.holds) {
      case Holds::unit: return name_of(static_cast<Unit>(value));
      case Holds::float32: return float_text(static_cast<std::uint32_t>(value));
      case Holds::program: {
        const std::uint32_t count = container_.header().sub_programs;
        for (std::uint32_t i = 0; i < count; ++i) {
          if (container_.sub_program(i).offset == static_cast<std::uint64_t>(value)) return fmt::format("sub{}", i);
        }
        [[fallthrough]];
      }
      case Holds::address:
      case Holds::optional_address:
      case Holds::parameter: return fmt::format("{:#x}", static_cast<std::uint64_t>(value));
      default: return fmt::format("{}", value);
    }
  }

  std::string submission(const Stored &stored) {
    const MachineCode &code = stored.code;
    const Sync sync = read_sync(code[1]);
    const std::uint32_t queue = code[0] & 0x3F, count = code[0] >> 8 & 0x3FFF;
    if (code[0] >> 22 != 0 || (code[0] >> 6 & 3) == 3 || count == 0 || sync_word(sync) != code[1]) return {};
    std::string text = fmt::format("submit {}", engine_name(stored.domain));
    const AddressSpace space = address_space(code);
    if (space != AddressSpace::bits32) text += fmt::format(" space={}", address_bits(space));
    const std::string block = space == AddressSpace::bits16 ? "" : block_of(stored.domain, queue, count, table_address(code));
    const std::string slots =
        block.empty() ? fmt::format("queue={} slots={} address={:#x}", queue, count, table_address(code)) : "slots=" + block;
    return text + " " + slots + sync_text(sync);
  }

  /// Returns the label of the block with these slots. Empty: they can only be printed as bytes.
  std::string block_of(Domain domain, unsigned queue, unsigned count, std::uint64_t address) {
    if (!container_.is_relative() || address % kSlotAlignment != 0) return {};
    const auto found = blocks_.find(address);
    if (found == blocks_.end()) {
      PrintedSlots printed = print_slots(container_, domain, count, address);
      if (printed.text.empty() || printed.queue != queue) return {};
      const std::string label = fmt::format("slots{}", blocks_.size());
      return blocks_.emplace(address, Block{label, domain, count, std::move(printed)}).first->second.label;
    }
    const Block &block = found->second;
    return block.domain == domain && block.count == count && block.printed.queue == queue ? block.label : std::string();
  }

  void slots(std::uint64_t place, const Block &block) {
    const bool usual = cursor_.usual(kSlotAlignment) == place;
    text_ += fmt::format("\n.slots {} {}{}\n{}.end\n", block.label, engine_name(block.domain), usual ? "" : fmt::format(" at={:#x}", place),
                         block.printed.text);
    static_cast<void>(cursor_.place(place, kSlotAlignment, block.printed.bytes));
  }

  /// All bytes that the text so far does not make.
  void rest() {
    const std::vector<std::uint8_t> made = assemble_part(text_, "the program").container;
    const std::span<const std::byte> bytes = container_.bytes();
    std::string rest;
    const auto is_same = [&](std::size_t i) { return (i < made.size() ? made[i] : 0) == std::to_integer<std::uint8_t>(bytes[i]); };
    constexpr std::size_t kLine = 32, kGap = 8;
    for (std::size_t i = 0; i < bytes.size();) {
      if (is_same(i)) {
        ++i;
        continue;
      }
      // A line goes on over a few equal bytes.
      std::size_t end = i + 1;
      for (std::size_t next = end; next < bytes.size() && next < i + kLine && next < end + kGap; ++next) {
        if (!is_same(next)) end = next + 1;
      }
      rest += fmt::format(".bytes {:#x}: \"", i);
      for (; i < end; ++i) rest += fmt::format("{:02x}", std::to_integer<unsigned>(bytes[i]));
      rest += "\"\n";
    }
    if (!rest.empty()) text_ += "\n# All other bytes that are not 0.\n" + rest;
    // Bytes of 0 behind the last part.
    if (bytes.size() != made.size()) text_ += fmt::format(".size {}\n", bytes.size());
  }

  const Container &container_;
  std::map<std::uint64_t, Block> blocks_;  ///< by place
  LayoutCursor cursor_;
  std::vector<std::string> places_;  ///< of the images
  std::string text_;
};

}  // namespace

std::optional<OwnTable> own_table(const Container &container, const Stored &stored) {
  if (!container.is_relative() || stored.domain != Domain::unity) return std::nullopt;
  const Instruction *row = find_quickly(stored.code);
  if (row == nullptr || row->layout == nullptr) return std::nullopt;
  const unsigned space_code = stored.code[0] >> 6 & 3;
  if (space_code == 0 || space_code == 3) return std::nullopt;
  const std::uint64_t address = table_address(stored.code);
  const std::span<const std::byte> bytes = container.bytes();
  OwnTable table{.layout = row->layout, .offset = static_cast<std::uint32_t>(address), .space = address_space(stored.code), .bits = {}};
  const auto read = [&](bool extended) {
    const unsigned size = table_bytes(*row->layout, table.space, extended);
    if (address % kTableAlignment != 0 || address > bytes.size() || size > bytes.size() - address) return false;
    table.bits = TableBits(bytes.subspan(address, size));
    return true;
  };
  if (!read(false)) return std::nullopt;
  table.extended = is_extended(*row->layout, table.bits, table.space);
  if (table.extended && !read(true)) return std::nullopt;
  return table;
}

std::string disassemble(const Container &container) { return Printer(container).print(); }

}  // namespace cox::tools::unity
