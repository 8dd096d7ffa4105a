// SPDX-License-Identifier: MIT
#include "tests/sim/pim/reference/candidate.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace cox::model::pim::oracle {
namespace {

class LocalBytes final : public isa::pim::LocalMemory {
 public:
  explicit LocalBytes(const Core &core) : core_(core) {}
  void read(isa::pim::Place place, std::span<std::byte> bytes) const override {
    std::memcpy(bytes.data(), &core_.memories.at(place.space).at(place.offset), bytes.size());
  }

 private:
  const Core &core_;
};

}  // namespace

Candidate::Candidate(const Configuration &configuration, const Code &code, const Core &core, const Dram &dram, Path path)
    : configuration_(configuration),
      code_(code),
      core_(core),
      dram_(dram),
      path_(path),
      registers_{core.general, core.special},
      memories_{.configuration = configuration, .local = {}, .array = {}, .output_registers = {}} {
  for (std::size_t i = 0; i < core_.memories.size(); ++i) memories_.local[i] = std::as_writable_bytes(std::span(core_.memories[i]));
  memories_.array = std::as_writable_bytes(std::span(core_.array));
  memories_.output_registers = core_.outputs;
  memories_.registers_used = static_cast<std::uint32_t>(core_.outputs.size());
}

const Core &Candidate::core() {
  core_.general = registers_.general;
  core_.special = registers_.special;
  return core_;
}

void Candidate::step() {
  const std::uint32_t at = core_.counter;
  if (fault_ || at >= code_.size()) return;
  const isa::pim::MachineCode code{code_[at]};
  std::uint32_t named = at;
  Status status = isa::pim::check(code);
  if (status.ok()) {
    const bool batch = isa::pim::Set::find(code)->opcode == Opcode::pim_batch && at + 1 < code_.size();
    const isa::pim::Instruction *const behind = batch ? isa::pim::Set::find(isa::pim::MachineCode{code_[at + 1]}) : nullptr;
    if (behind != nullptr && behind->opcode == Opcode::pim_compute) named = at + 1;
    status = execute(named, at);
  }
  if (status.ok()) {
    core_.counter = next_;
  } else {
    fault_ = Fault{named, status.code()};
    core_.counter = named;
  }
}

/// `batch_at` is another instruction than `at` if a pim-batch stands there.
Status Candidate::execute(std::uint32_t at, std::uint32_t batch_at) {
  const isa::pim::MachineCode code{code_[at]}, batch{code_[batch_at]};
  if (Status status = isa::pim::check(code); !status.ok()) return status;
  const LocalBytes local(core_);
  const isa::pim::Surroundings around{.configuration = configuration_,
                                      .registers = registers_,
                                      .memory = local,
                                      .counter = at,
                                      .instructions = static_cast<std::uint32_t>(code_.size())};
  const Result<isa::pim::Operation> operation = isa::pim::resolve(code, at == batch_at ? nullptr : &batch, around);
  if (!operation) return operation.status();
  next_ = at + 1;
  return carry_out(operation.value());
}

std::uint8_t *Candidate::byte(const isa::pim::Place &place) {
  if (place.is_local()) return &core_.memories.at(place.space).at(place.offset);
  if (place.is_array()) return &core_.array.at(place.offset);
  return &dram_.windows.at(place.window()).at(place.offset);
}

Status Candidate::carry_out(const isa::pim::Operation &operation) {
  // Windows may be shorter than the parts of DRAM.
  Status outside;
  const LocalBytes local(core_);
  isa::pim::for_each_access(operation, configuration_, local, [&](const isa::pim::Access &access) {
    if (access.place.is_dram() && access.place.offset + access.bytes > dram_.windows.at(access.place.window()).size())
      outside = Status(ErrorCode::address_outside_window, access.field);
  });
  if (!outside.ok()) return outside;

  const auto address = [&](std::uint32_t first, std::uint32_t bytes) {
    return byte(isa::pim::place(configuration_, isa::pim::Reach::all, first, bytes));
  };
  return std::visit(
      [&](const auto &op) -> Status {
        using Op = std::decay_t<decltype(op)>;
        if constexpr (std::is_same_v<Op, isa::pim::Compute> || std::is_same_v<Op, isa::pim::Output> ||
                      std::is_same_v<Op, isa::pim::Transfer>) {
          model::pim::execute(op, memories_, path_);
        } else if constexpr (std::is_same_v<Op, isa::pim::Simd>) {
          model::pim::execute(op, memories_, path_);
        } else if constexpr (std::is_same_v<Op, isa::pim::SetGeneral>) {
          registers_.general[op.number] = op.value;
        } else if constexpr (std::is_same_v<Op, isa::pim::SetSpecial>) {
          registers_.write(configuration_, op.name, op.value);
        } else if constexpr (std::is_same_v<Op, isa::pim::LoadStore>) {
          std::uint8_t *const memory = address(op.address, 4);
          if (op.store) {
            std::memcpy(memory, &registers_.general[op.number], 4);
          } else {
            std::memcpy(&registers_.general[op.number], memory, 4);
          }
        } else if constexpr (std::is_same_v<Op, isa::pim::Trans>) {
          if (op.bytes != 0) std::memmove(address(op.destination, op.bytes), address(op.source, op.bytes), op.bytes);
        } else if constexpr (std::is_same_v<Op, isa::pim::Jump>) {
          next_ = op.target;
        } else if constexpr (std::is_same_v<Op, isa::pim::Message> || std::is_same_v<Op, isa::pim::Wait>) {
          return Status(ErrorCode::unsupported, "messages of one core");
        }
        return {};
      },
      operation);
}

}  // namespace cox::model::pim::oracle
