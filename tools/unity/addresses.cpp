// SPDX-License-Identifier: MIT
#include "tools/unity/addresses.h"

#include <cstddef>
#include <cstring>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

#include "coxswain/isa/cube/dram_address.h"
#include "coxswain/isa/cube/table.h"
#include "coxswain/isa/unity/engine_slots.h"
#include "coxswain/isa/unity/program.h"
#include "coxswain/isa/unity/relocation.h"
#include "tools/unity/disassemble.h"

namespace cox::tools::unity {
namespace {

using namespace isa::unity;  // NOLINT(google-build-using-namespace)

constexpr std::uint32_t kPagePlace = offsetof(ContainerHeader, page);

class Collector {
 public:
  explicit Collector(const Container &container) : container_(container) {}

  std::vector<PlacedAddress> collect() {
    const ContainerHeader &header = container_.header();
    if (!container_.is_relative()) return {};
    if (header.page != 0) found_[AddressPlace(kPagePlace, AddressPlace::Width::bits64).packed()] = header.page;
    for (std::uint32_t i = 0; i < header.programs; ++i) program(container_.program(i));
    for (std::uint32_t i = 0; i < header.sub_programs; ++i) program(container_.sub_program(i));
    std::vector<PlacedAddress> all;
    for (const auto &[place, address] : found_) all.push_back({place, address});
    return all;
  }

 private:
  void program(const ProgramEntry &entry) {
    for (std::uint32_t i = 0; i < entry.instructions; ++i) {
      const Stored stored = container_.instruction(entry, i);
      if (stored.domain == Domain::cube) submission(stored);
      const auto table = own_table(container_, stored);
      if (!table) continue;
      for_each_field(*table->layout, table->extended, [&](const Placed &placed) {
        const std::uint64_t value = table->bits.read(placed.place, table->space);
        if (is_address(*table, placed, value)) add(table->offset + placed.place.bit(table->space) / 8, table->space, value);
        return true;
      });
      const Opcode op = find_quickly(stored.code)->opcode;
      if (op == Opcode::CASE) list(*table, "PAIRS", read(*table, "N"), 2);
      if (op == Opcode::UNSTACK) list(*table, "LIST", parts(*table), 1);
    }
  }

  static bool is_address(const OwnTable &table, const Placed &placed, std::uint64_t value) {
    switch (placed.field->holds) {
      case Holds::address: return true;
      case Holds::optional_address: return value != 0;
      case Holds::parameter: {
        const Placed mode = find_field(*table.layout, std::string(placed.field->name) + "_MODE");
        return mode.field != nullptr && table.bits.read(mode.place, table.space) != 0;
      }
      default: return false;
    }
  }

  /// DRAM addresses in the slots of the matrix unit's streams.
  void submission(const Stored &stored) {
    const Result<EngineSubmission> submission = resolve_submission(stored.domain, stored.code, 0);
    if (!submission || address_space(stored.code) == AddressSpace::bits16) return;
    const std::span<const std::byte> bytes = container_.bytes();
    const std::uint64_t slots = submission.value().address;
    for (unsigned i = 0; i < submission.value().slots && lies_inside(slots, (i + 1) * std::uint64_t{kSlotBytes}); ++i) {
      const StreamSlot slot = stream_slot(bytes.subspan(slots), i);
      if (!lies_inside(slot.address, slot.bytes)) continue;
      for (std::uint64_t place = slot.address; place + isa::cube::kSlotBytes <= slot.address + slot.bytes; place += isa::cube::kSlotBytes) {
        isa::cube::MachineCode code;
        std::memcpy(code.data(), &bytes[place], sizeof code);
        const isa::cube::Instruction *row = isa::cube::find_instruction(code[0]);
        if (row != nullptr && isa::cube::has_dram_address(row->opcode))
          add(place + isa::cube::kLowAddressWord * sizeof code[0], AddressPlace::Width::bits48, isa::cube::read_dram_address(code.data()));
      }
    }
  }
  [[nodiscard]] bool lies_inside(std::uint64_t first, std::uint64_t bytes) const {
    const std::uint64_t size = container_.bytes().size();
    return first % kTableAlignment == 0 && first <= size && bytes <= size - first;
  }

  static std::uint64_t read(const OwnTable &table, std::string_view name) {
    return table.bits.read(find_field(*table.layout, name).place, table.space);
  }
  /// The number of results of UNSTACK.
  static std::uint64_t parts(const OwnTable &table) {
    constexpr std::string_view kExtents[] = {"FN", "FH", "FW", "FC"};
    const std::uint64_t axis = read(table, "AXIS");
    return axis < std::size(kExtents) ? read(table, kExtents[axis]) : 0;
  }

  /// Each `step`-th address of a list of `count` * `step`: predicates, beside which programs stand, or results.
  void list(const OwnTable &table, std::string_view name, std::uint64_t count, std::uint64_t step) {
    const std::uint64_t first = read(table, name), width = address_bits(table.space) / 8, bytes = step * width * count;
    const std::uint64_t size = container_.bytes().size();
    if (first % 4 != 0 || first > size || bytes > size - first) return;
    for (std::uint64_t place = first; place < first + bytes; place += step * width) {
      std::uint64_t value = 0;
      std::memcpy(&value, &container_.bytes()[place], width);
      add(static_cast<std::uint32_t>(place), table.space, value);
    }
  }

  void add(std::uint64_t offset, AddressSpace space, std::uint64_t address) {
    add(offset, space == AddressSpace::bits64 ? AddressPlace::Width::bits64 : AddressPlace::Width::bits32, address);
  }
  void add(std::uint64_t offset, AddressPlace::Width width, std::uint64_t address) {
    found_[AddressPlace(static_cast<std::uint32_t>(offset), width).packed()] = address;
  }

  const Container &container_;
  std::map<std::uint32_t, std::uint64_t> found_;
};

}  // namespace

std::vector<PlacedAddress> addresses(std::span<const std::uint8_t> bytes) {
  const Result<Container> container = Container::open(std::as_bytes(bytes));
  return container ? Collector(container.value()).collect() : std::vector<PlacedAddress>();
}

void write_address(std::span<std::uint8_t> container, const PlacedAddress &placed) {
  const AddressPlace place(placed.place);
  const bool is_operand = place.offset() != kPagePlace && place.width() != AddressPlace::Width::bits48;
  place.write(std::as_writable_bytes(container), placed.address == 0 && is_operand ? 1 : placed.address);
}

std::optional<firmware::image::Relocation> relocate_own(std::span<const std::uint8_t> container, const PlacedAddress &placed) {
  if (placed.address >= container.size()) return std::nullopt;
  return firmware::image::Relocation{.offset = placed.address, .place = placed.place, .window = kOwnBytes};
}

}  // namespace cox::tools::unity
