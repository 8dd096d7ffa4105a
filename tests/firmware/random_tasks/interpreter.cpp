// SPDX-License-Identifier: MIT
#include "tests/firmware/random_tasks/interpreter.h"

#include <type_traits>
#include <variant>

namespace cox::tests {

using isa::tile::Operation;
using isa::tile::Space;
using model::arithmetic::Memories;
using model::arithmetic::Memory;

Interpreter::Interpreter(unsigned cores, std::size_t l2_bytes, model::arithmetic::Path path) : path_(path), cores_(cores) {
  for (Core &core : cores_) {
    core.l2.resize(l2_bytes);
    core.wl0.resize(static_cast<std::size_t>(isa::tile::kMaxWeightBytes));
  }
}

Status Interpreter::run(std::span<const isa::tile::MachineCode> instructions) {
  configurations_.assign(cores_.size(), {});
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    core_ = isa::tile::core_of(instructions[i]);
    const auto index = static_cast<std::int32_t>(i);
    if (core_ >= cores_.size()) return {ErrorCode::field_out_of_range, "core", index, core_};
    if (Status status = configurations_[core_].apply(instructions[i]); !status) return status.at(index);
    const Result<Operation> operation = isa::tile::resolve(instructions[i], configurations_[core_]);
    if (!operation) return operation.status().at(index);
    model::arithmetic::execute(operation.value(), memories(operation.value()), path_);
  }
  return {};
}

Memory Interpreter::memory(Space space, std::uint8_t selector) {
  switch (space) {
    case Space::dram: return Memory::linear(windows_[selector].data(), 0, static_cast<std::int64_t>(windows_[selector].size()));
    case Space::l2: return Memory::circular(cores_[core_].l2.data(), configurations_[core_].region(selector));
    case Space::remote_l2: return Memory::linear(cores_[selector].l2.data(), 0, static_cast<std::int64_t>(cores_[selector].l2.size()));
    case Space::wl0: break;
  }
  return Memory::linear(cores_[core_].wl0.data(), 0, static_cast<std::int64_t>(cores_[core_].wl0.size()));
}

Memories Interpreter::memories(const Operation &operation) {
  const auto of_map = [&](const isa::tile::Map &map) { return memory(map.space, map.selector); };
  Memories result;
  result.weights = memory(Space::wl0, 0);
  result.scalars = cores_[core_].scalars.data();
  std::visit(
      [&](const auto &value) {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, isa::tile::Move>) {
          result.source = of_map(value.from);
          result.destination = of_map(value.to);
        } else if constexpr (std::is_same_v<Value, isa::tile::Transform>) {
          result.source = memory(Space::l2, value.from.selector);
          result.destination = memory(Space::l2, value.to.selector);
        } else if constexpr (std::is_same_v<Value, isa::tile::WeightMove>) {
          result.source = memory(value.from_space, value.from_selector);
          result.destination = memory(value.to_space, value.to_selector);
        } else if constexpr (!std::is_same_v<Value, isa::tile::Control>) {
          result.source = of_map(value.source);
          result.destination = of_map(value.destination);
          result.table = memory(Space::l2, value.table.selector);
          if constexpr (std::is_same_v<Value, isa::tile::Vector>) {
            result.source1 = of_map(value.source1);
          } else {
            result.partial = of_map(value.partial);
          }
        }
      },
      operation);
  return result;
}

}  // namespace cox::tests
