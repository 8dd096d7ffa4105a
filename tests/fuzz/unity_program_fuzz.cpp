// SPDX-License-Identifier: MIT
// Gives any bytes to the decoder of Unity programs. The first byte says how: as a container, whose instructions are fetched, checked and
// resolved with the container as their memory; or as one operation's operand table, so that the fuzzer reaches resolve() at once. What
// resolve() accepts stays in its address space, and its fields survive being read and written.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

#include "coxswain/isa/unity/branch.h"
#include "coxswain/isa/unity/location.h"
#include "coxswain/isa/unity/operand_table.h"
#include "coxswain/isa/unity/operation.h"
#include "coxswain/isa/unity/program.h"
#include "coxswain/isa/unity/region.h"

namespace {

using namespace cox;
using namespace cox::isa::unity;

constexpr std::uint64_t kMostLines = 4096;  // of regions that are visited line by line
constexpr std::uint64_t kPage = 0x30000;

void require(bool holds) {
  if (!holds) std::abort();
}

/// The input's bytes, from an address on.
class InputMemory final : public isa::OperandMemory {
 public:
  InputMemory(std::uint64_t base, std::span<const std::byte> bytes) : base_(base), bytes_(bytes) {}
  [[nodiscard]] bool read(std::uint64_t address, std::span<std::byte> bytes) const override {
    if (address < base_ || address - base_ > bytes_.size() || bytes.size() > bytes_.size() - (address - base_)) return false;
    std::memcpy(bytes.data(), bytes_.data() + (address - base_), bytes.size());
    return true;
  }

 private:
  std::uint64_t base_;
  std::span<const std::byte> bytes_;
};

class Extents final : public RegionVisitor {
 public:
  Extents(AddressSpace space, std::uint64_t page) : space_(space), base_(space == AddressSpace::bits16 ? page : 0) {}
  void visit(const Region &region) override {
    if (region.empty()) return;
    const std::uint64_t last = UINT64_MAX >> (64 - address_bits(space_));
    require(region.address >= base_ && region.extent() - 1 <= last - (region.address - base_));
    lines += region.chunks();
  }
  std::uint64_t lines = 0;

 private:
  AddressSpace space_;
  std::uint64_t base_;
};

/// Reads and writes each field of a table.
void check_fields(const Layout &layout, const TableBits &table, AddressSpace space) {
  TableBits copy;
  const bool extended = is_extended(layout, table, space);
  for_each_field(layout, extended, [&](const Placed &placed) {
    require(set_field(copy, placed, space, get_field(table, placed, space)).ok());
    require(copy.read(placed.place, space) == table.read(placed.place, space));
    return true;
  });
  require(is_extended(layout, copy, space) == extended);
}

void examine(const MachineCode &code, const Surroundings &surroundings) {
  const Status checked = check(code);
  const Result<Operation> operation = resolve(code, surroundings);
  if (!checked || !operation) {
    const Status &status = checked ? operation.status() : checked;
    require(*status.what() != '\0');
    static_cast<void>(field_name(code, field_number(status.what(), &code)));
    return;
  }
  const Instruction *row = find_quickly(code);
  require(row != nullptr);
  if (row->layout == nullptr) return;
  const AddressSpace space = address_space(code);
  const std::uint64_t base = space == AddressSpace::bits16 ? surroundings.page : surroundings.tables;
  check_fields(*row->layout, read_table(*row->layout, base + table_address(code), space, surroundings.memory).value(), space);
  Extents extents(space, surroundings.page);
  visit_regions(operation.value(), extents);
  if (extents.lines <= kMostLines) {
    for_each_access(code, surroundings, operation.value(), [](const Access &access) { require(access.bytes != 0); });
  }
  if (const Branch *branch = std::get_if<Branch>(&operation.value())) {
    const Result<Choice> choice = choose(*branch, surroundings.memory);
    require(!choice || choice.value().program % kProgramAlignment == 0);
  }
}

void examine_container(std::span<const std::byte> bytes, std::uint64_t base) {
  const InputMemory memory(base, bytes);
  for (const std::uint32_t position : {0U, 0x12U, 0x200004U, 0xFFFFFFU}) {
    for (const unsigned field : {0U, 64U, 120U, 121U, 130U, 255U}) static_cast<void>(locate(bytes, position, field));
  }
  for (std::uint32_t i = 0; i < 3; ++i) static_cast<void>(fetch(bytes, 0, i * 31));
  const Result<Container> opened = Container::open(bytes);
  if (!opened) return;
  const Container &container = opened.value();
  const Surroundings surroundings{memory, kPage, container.is_relative() ? base : 0};
  const auto examine_program = [&](const ProgramEntry &entry) {
    for (std::uint32_t i = 0; i < entry.instructions; ++i) {
      const Stored stored = container.instruction(entry, i);
      const Result<Stored> read = fetch(base + entry.offset, i, memory);
      require(base % kProgramAlignment != 0 || (read && read.value().domain == stored.domain && read.value().code == stored.code));
      if (stored.domain == Domain::unity) {
        examine(stored.code, surroundings);
      } else if (is_engine(stored.domain)) {
        static_cast<void>(resolve_submission(stored.domain, stored.code, kPage));
      }
      require(find_instruction(bytes, static_cast<std::uint32_t>(entry.offset + payload_offset(i))).found);
    }
  };
  for (unsigned unit = 0; unit < container.units(); ++unit) {
    const Container::Queue queue = container.queue(unit);
    for (std::uint32_t i = queue.first; i < queue.end; ++i) examine_program(container.program(i));
  }
  for (std::uint32_t i = 0; i < container.header().sub_programs; ++i) {
    examine_program(container.sub_program(i));
    require(container.sub_program_at(container.sub_program(i).offset).instructions != 0);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  if (size < 2) return 0;
  // The allocation ends where the input ends, so AddressSanitizer sees each byte that is read beyond it.
  const std::unique_ptr<std::byte[]> copy(new std::byte[size - 2]);
  if (size > 2) std::memcpy(copy.get(), data + 2, size - 2);
  const std::span<const std::byte> bytes(copy.get(), size - 2);
  if ((data[0] & 3) == 0) {
    examine_container(bytes, data[1] * std::uint64_t{16});
    return 0;
  }
  const auto space = static_cast<AddressSpace>((data[0] & 3) - 1);
  MachineCode code = Set::begin(kInstructions[data[1] % std::size(kInstructions)]);
  code[0] |= static_cast<std::uint32_t>(space) << 6;
  examine(code, {InputMemory(space == AddressSpace::bits16 ? kPage : 0, bytes), kPage});
  return 0;
}
