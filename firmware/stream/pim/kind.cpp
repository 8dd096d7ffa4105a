// SPDX-License-Identifier: MIT
// Programs of the PIM cores (docs/isa/pim.md, Programs). They have no relocations: addresses of DRAM in a program name windows, so the
// device runs the program in the image itself.
#include <cstring>

#include "coxswain/firmware/stream/program_kind.h"
#include "coxswain/hal/pim/deadlock.h"
#include "coxswain/hal/pim/geometry.h"
#include "coxswain/isa/pim/location.h"
#include "coxswain/isa/pim/program.h"
#include "coxswain/isa/pim/table.h"

namespace cox::firmware::stream::pim {
namespace {

using isa::pim::CodeEntry;
using isa::pim::Position;
using isa::pim::Program;

constexpr std::int32_t kInstructionCost = 300;  ///< estimated instructions of the control core

class Kind final : public ProgramKind {
 public:
  constexpr Kind() : ProgramKind(registers::Engine::pim) {}

  Status begin_check(const image::StreamProgram &program, const CheckWindows &windows) override {
    if (!program.relocations.empty()) return refused(0, program.relocations[0].place, 0);
    return begin_peer_check(program.code, windows);
  }
  Status begin_peer_check(std::span<const std::byte> stream, const CheckWindows & /*windows*/) override {
    const Result<Program> opened = Program::open(stream);
    if (!opened) return opened.status();
    program_ = opened.value();
    code_ = {};
    core_ = next_core_ = 0;
    number_ = instructions_ = 0;
    for (unsigned core = 0; core < program_.cores(); ++core) instructions_ += program_.entry(core).instructions;
    return {};
  }
  Status check(load::Budget &budget) override {
    while (!is_checked() && budget.is_left()) {
      if (code_.empty()) {
        if (Status status = begin_core(); !status) return status;
        continue;
      }
      budget.spend(kInstructionCost);
      isa::pim::MachineCode code;
      std::memcpy(&code, code_.data(), sizeof code);
      if (Status status = isa::pim::check(code); !status) return status.at(static_cast<std::int32_t>(Position{core_, number_}.pack()));
      code_ = code_.subspan(sizeof code);
      ++number_;
    }
    return {};
  }
  [[nodiscard]] bool is_checked() const override { return next_core_ >= program_.cores() && code_.empty(); }
  [[nodiscard]] std::uint32_t instructions() const override { return instructions_; }

  /// Error: image_geometry ("cores") if the device has fewer cores than the program.
  [[nodiscard]] Result<std::span<const std::byte>> bind(const image::StreamProgram &program,
                                                        std::span<const hal::Window, hal::kWindows> /*windows*/,
                                                        const hal::Geometry & /*geometry*/, unsigned /*context*/) const override {
    const Result<unsigned> cores = hal::pim::read_cores();
    if (!cores) return cores.status();
    std::uint16_t needed = 0;
    std::memcpy(&needed, &program.code[offsetof(isa::pim::ProgramHeader, cores)], sizeof needed);
    if (needed > cores.value()) return Status(ErrorCode::image_geometry, "cores", -1, needed, cores.value());
    return program.code;
  }
  [[nodiscard]] isa::Location locate(std::span<const std::byte> code, const registers::EngineFaultDetail &fault) const override {
    return isa::pim::locate(code, fault.offset, fault.field_bit);
  }
  /// A deadlock names all cores that wait, bit i of the value core i.
  [[nodiscard]] Status explain(const hal::StreamCompletion &completion) const override {
    if (completion.status != hal::FaultCode::deadlock) return {};
    return {ErrorCode::deadlock, "cores", static_cast<std::int32_t>(completion.fault.offset), signed_of(hal::pim::read_waiting())};
  }

 private:
  /// Turns to the code of the next core, unless a core with a lower number has the same. Error: image_malformed ("program.code", `index`
  /// the core) if the code does not lie in the program any more, because the submitter has changed the image.
  Status begin_core() {
    core_ = next_core_++;
    number_ = 0;
    const CodeEntry own = program_.entry(core_);
    const std::uint64_t bytes = own.instructions * std::uint64_t{isa::pim::kInstructionBytes}, size = program_.bytes().size();
    if (own.offset + bytes > size)
      return {ErrorCode::image_malformed, "program.code", static_cast<std::int32_t>(core_), signed_of(own.offset + bytes), signed_of(size)};
    for (unsigned other = 0; other < core_; ++other) {
      if (const CodeEntry entry = program_.entry(other); entry.offset == own.offset && entry.instructions == own.instructions) return {};
    }
    code_ = program_.bytes().subspan(own.offset, static_cast<std::size_t>(bytes));
    return {};
  }

  Program program_;
  unsigned core_ = 0, next_core_ = 0;
  std::span<const std::byte> code_;  ///< of core_, what is not checked yet
  std::uint32_t number_ = 0;         ///< of the next instruction of core_
  std::uint32_t instructions_ = 0;
};

constinit Kind instance;

}  // namespace

ProgramKind &kind = instance;

}  // namespace cox::firmware::stream::pim
