// SPDX-License-Identifier: MIT
// Programs of the Unity engine: containers with operand tables (docs/isa/unity.md, Containers). A relocation's place is the byte offset of
// an address in the container, a multiple of 4; bit 0 is set if the address has 64 bits. Its window is one of the context's, or kOwnBytes:
// the container itself. The units run a copy in the workspace, in which the firmware has written the addresses.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "coxswain/firmware/stream/program_kind.h"
#include "coxswain/firmware/stream/unity/peer_check.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/cache.h"
#include "coxswain/hal/unity/geometry.h"
#include "coxswain/hal/unity/keys.h"
#include "coxswain/isa/unity/location.h"
#include "coxswain/isa/unity/program.h"
#include "coxswain/isa/unity/relocation.h"
#include "coxswain/isa/unity/table.h"

namespace cox::firmware::stream::unity {
namespace {

using isa::unity::Container;
using isa::unity::Domain;
using isa::unity::ProgramEntry;

constexpr std::int32_t kInstructionCost = 300;  ///< estimated instructions of the control core
constexpr std::int32_t kRelocationCost = 30;

class Kind final : public ProgramKind {
 public:
  constexpr Kind() : ProgramKind(registers::Engine::unity) {}

  Status begin_check(const image::StreamProgram &program, const CheckWindows &windows) override {
    const Result<Container> opened = Container::open(program.code);
    if (!opened) return opened.status();
    program_ = program;
    windows_ = windows;
    container_ = opened.value();
    entry_ = number_ = instructions_ = 0;
    relocation_ = 0;
    std::memcpy(program.workspace.data(), program.code.data(), program.code.size());
    peers_.begin(program.workspace.first(program.code.size()), windows, container_.is_relative());
    return {};
  }
  /// The units check operand tables and their addresses, because they know the windows. Each engine's kind checks its own streams.
  Status check(load::Budget &budget) override {
    for (; relocation_ < program_.relocations.size() && budget.is_left(); ++relocation_) {
      budget.spend(kRelocationCost);
      if (Status status = check_relocation(); !status) return status;
    }
    while (relocation_ == program_.relocations.size() && !is_checked() && budget.is_left()) {
      if (Status status = peers_.step(budget); !status) return status;
      if (!peers_.is_done() || entry_ == entries()) continue;
      budget.spend(kInstructionCost);
      if (Status status = check_instruction(); !status) return status;
    }
    return {};
  }
  [[nodiscard]] bool is_checked() const override {
    return relocation_ == program_.relocations.size() && entry_ == entries() && peers_.is_done();
  }
  [[nodiscard]] std::uint32_t instructions() const override { return instructions_; }
  [[nodiscard]] image::PeerNeeds peers() const override { return peers_.needs(); }
  /// Units do not submit to units.
  Status begin_peer_check(std::span<const std::byte> /*stream*/, const CheckWindows & /*windows*/) override {
    return {ErrorCode::unsupported, registers::engine_name(engine())};
  }

  /// Error: image_geometry ("units") if the device has fewer units than the container.
  [[nodiscard]] Result<std::span<const std::byte>> bind(const image::StreamProgram &program,
                                                        std::span<const hal::Window, hal::kWindows> windows, const hal::Geometry &geometry,
                                                        unsigned context) const override {
    for (ProgramKind *const peer : program_kinds()) {
      if ((program.peers.engines >> registers::row_of(peer->engine()).number() & 1) == 0) continue;
      if (Status status = peer->prepare_peer(windows, geometry, context); !status) return status;
    }
    const Result<unsigned> units = hal::unity::read_units();
    if (!units) return units.status();
    const std::span<std::byte> copy = program.workspace.first(program.code.size());
    isa::unity::ContainerHeader header;
    std::memcpy(&header, copy.data(), sizeof header);
    if (header.units > units.value()) return Status(ErrorCode::image_geometry, "units", -1, header.units, units.value());
    for (const image::Relocation &relocation : program.relocations) {
      const isa::unity::AddressPlace place(relocation.place);
      const bool own = relocation.window == isa::unity::kOwnBytes;
      if ((!own && relocation.window >= windows.size()) || !place.lies_in(copy.size())) return changed(program, relocation);
      const std::uint64_t base = own ? hal::bus_address(copy) : windows[relocation.window].base;
      place.write(copy, base + relocation.offset);
    }
    hal::clean_cache(copy.data(), copy.size());
    return std::span<const std::byte>(copy);
  }
  [[nodiscard]] isa::Location locate(std::span<const std::byte> code, const registers::EngineFaultDetail &fault) const override {
    return isa::unity::locate(code, fault.offset, fault.field_bit);
  }
  /// A deadlock names all units that wait, bit i of the value unit i.
  [[nodiscard]] Status explain(const hal::StreamCompletion &completion) const override {
    if (completion.status != hal::FaultCode::deadlock) return {};
    return {ErrorCode::deadlock, "units", static_cast<std::int32_t>(completion.fault.offset), hal::unity::read_waiting_mask()};
  }
  [[nodiscard]] unsigned read_waiting(std::span<const std::byte> code, WaitingUnits units) const override {
    return hal::unity::read_waiting(code, units);
  }

 private:
  [[nodiscard]] std::uint32_t entries() const { return container_.header().programs + container_.header().sub_programs; }

  Status check_relocation() {
    const image::Relocation &relocation = program_.relocations[relocation_];
    const isa::unity::AddressPlace place(relocation.place);
    const std::size_t size = program_.code.size();
    if (!place.lies_in(size)) return refused(relocation_, relocation.place, size);
    const std::uint32_t least = relocation_ == 0 ? 0 : program_.relocations[relocation_ - 1].place + 1;
    if (relocation.place < least) return refused(relocation_, relocation.place, least);
    const isa::unity::ContainerHeader &header = container_.header();
    const std::uint32_t front = isa::unity::container_front(header.programs, header.keys, header.sub_programs);
    const bool is_page = place.offset() == offsetof(isa::unity::ContainerHeader, page) && place.bytes() <= sizeof header.page;
    if (place.offset() < front && !is_page) return refused(relocation_, relocation.place, front);
    if (relocation.window == isa::unity::kOwnBytes)
      return relocation.offset < size ? Status() : refused(relocation_, relocation.offset, size);
    if (Status status = check_target(relocation, relocation_, windows_); !status) return status;
    // Other engines' streams are checked with these addresses.
    place.write(program_.workspace.first(size), target(relocation, windows_));
    return {};
  }
  /// Refuses relocations of bytes that say what the units submit: a run would change them after the check.
  [[nodiscard]] Status check_unchanged(std::uint64_t first, std::uint64_t bytes) const {
    const auto offset = [](const image::Relocation &relocation) { return isa::unity::AddressPlace(relocation.place).offset(); };
    constexpr std::uint64_t kWidest = sizeof(std::uint64_t);
    const std::uint64_t from = first < kWidest ? 0 : first - kWidest;
    for (auto at = std::ranges::lower_bound(program_.relocations, from, {}, offset);
         at != program_.relocations.end() && offset(*at) < first + bytes; ++at) {
      if (offset(*at) + isa::unity::AddressPlace(at->place).bytes() <= first) continue;
      return refused(static_cast<std::size_t>(at - program_.relocations.begin()), at->place, first);
    }
    return {};
  }
  Status check_instruction() {
    const std::uint32_t programs = container_.header().programs;
    const bool sub_program = entry_ >= programs;
    const ProgramEntry entry = sub_program ? container_.sub_program(entry_ - programs) : container_.program(entry_);
    const isa::unity::Stored stored = container_.instruction(entry, number_);
    const auto position = static_cast<std::int32_t>(Container::position(entry, entry.unit, number_));
    if (Status status = check_unchanged(entry.offset + isa::unity::id_offset(std::uint64_t{number_}), 1); !status) return status;
    if (stored.domain == Domain::unity) {
      if (Status status = isa::unity::Set::check(stored.code); !status) return status.at(position);
    } else if (stored.domain != Domain::end) {
      const std::uint64_t payload = entry.offset + isa::unity::payload_offset(std::uint64_t{number_});
      if (Status status = check_unchanged(payload, isa::unity::kInstructionBytes); !status) return status;
      if (Status status = peers_.begin_instruction(stored, position); !status) return status;
      const std::span<const std::byte> slots = peers_.slots();
      if (Status status = check_unchanged(static_cast<std::uint64_t>(slots.data() - program_.workspace.data()), slots.size()); !status)
        return status;
    }
    ++instructions_;
    if (++number_ < entry.instructions) return {};
    number_ = 0;
    ++entry_;
    return {};
  }

  image::StreamProgram program_;
  CheckWindows windows_{};
  Container container_;
  PeerCheck peers_;
  std::size_t relocation_ = 0;  ///< the next to check
  std::uint32_t entry_ = 0;     ///< the program that is checked; sub-programs count on behind the programs
  std::uint32_t number_ = 0;    ///< of the next instruction
  std::uint32_t instructions_ = 0;
};

constinit Kind instance;

}  // namespace

ProgramKind &kind = instance;

}  // namespace cox::firmware::stream::unity
