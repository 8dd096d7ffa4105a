// SPDX-License-Identifier: MIT
// What instructions do to registers, memories and DRAM.
#include <algorithm>
#include <array>
#include <cstring>

#include "sim/model/pim/machine/execution.h"

namespace cox::model::pim {

using isa::pim::Operation;
using isa::pim::Place;
using isa::pim::Reach;

Status Execution::carry_out(Core &core, const Operation &operation) {
  const auto execute_on_memories = [&](const auto &work) {
    execute(work, core.storage.memories(), path_);
    return Status();
  };
  struct Effect {
    Execution &execution;
    Core &core;
    decltype(execute_on_memories) &execute_it;

    Status operator()(const isa::pim::Compute &compute) { return execute_it(compute); }
    Status operator()(const isa::pim::Output &output) { return execute_it(output); }
    Status operator()(const isa::pim::Transfer &transfer) { return execute_it(transfer); }
    Status operator()(const isa::pim::Simd &simd) { return execute_it(simd); }
    Status operator()(const isa::pim::SetGeneral &set) {
      core.registers.general[set.number] = set.value;
      return {};
    }
    Status operator()(const isa::pim::SetSpecial &set) {
      core.registers.write(execution.configuration_, set.name, set.value);
      return {};
    }
    Status operator()(const isa::pim::LoadStore &access) {
      const Place place = isa::pim::place(execution.configuration_, access.global ? Reach::dram : Reach::local, access.address, 4);
      std::array<std::byte, 4> word;
      std::uint32_t &value = core.registers.general[access.number];
      if (access.store) {
        for (unsigned i = 0; i < 4; ++i) word[i] = static_cast<std::byte>(value >> 8 * i);
        if (access.global) return execution.dram_->write(place.window(), place.offset, word);
        std::ranges::copy(word, core.storage.at(place, 4).begin());
        return {};
      }
      if (!access.global) {
        core.storage.read(place, word);
      } else if (const Status status = execution.dram_->read(place.window(), place.offset, word); !status.ok()) {
        return status;
      }
      value = 0;
      for (unsigned i = 0; i < 4; ++i) value |= std::to_integer<std::uint32_t>(word[i]) << 8 * i;
      return {};
    }
    Status operator()(const isa::pim::Trans &trans) {
      if (trans.bytes == 0) return {};
      const isa::pim::Configuration &configuration = execution.configuration_;
      return execution.copy(core, isa::pim::place(configuration, Reach::all, trans.source, trans.bytes),
                            isa::pim::place(configuration, Reach::all, trans.destination, trans.bytes), trans.bytes);
    }
    Status operator()(const isa::pim::Jump & /*jump*/) { return {}; }
    // issue() handles these.
    Status operator()(const isa::pim::Message & /*message*/) { return {}; }
    Status operator()(const isa::pim::Wait & /*wait*/) { return {}; }
    Status operator()(const isa::pim::Barrier & /*barrier*/) { return {}; }
  };
  return std::visit(Effect{*this, core, execute_on_memories}, operation);
}

Status Execution::copy(Core &core, Place from, Place to, std::uint64_t bytes) {
  if (!from.is_dram() && !to.is_dram()) {
    std::memmove(core.storage.at(to, bytes).data(), core.storage.at(from, bytes).data(), bytes);
    return {};
  }
  std::span<const std::byte> data;
  if (from.is_dram()) {
    scratch_.resize(bytes);
    if (const Status status = dram_->read(from.window(), from.offset, scratch_); !status.ok()) return status;
    data = scratch_;
  } else {
    data = core.storage.at(from, bytes);
  }
  if (to.is_dram()) return dram_->write(to.window(), to.offset, data);
  std::ranges::copy(data, core.storage.at(to, bytes).begin());
  return {};
}

}  // namespace cox::model::pim
