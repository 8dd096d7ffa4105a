// SPDX-License-Identifier: MIT
#include "tools/run/tile/work.h"

#include <algorithm>
#include <array>

#include "coxswain/isa/tile/operation.h"
#include "coxswain/isa/tile/table.h"

namespace cox::tools::run {

std::uint64_t multiply_accumulates(const task::Task &task) {
  std::array<isa::tile::Configuration, isa::tile::kMostCores> configurations;
  std::uint64_t sum = 0;
  for (const task::Instruction &instruction : task.instructions) {
    isa::tile::Configuration &configuration = configurations.at(isa::tile::core_of(instruction.code));
    if (!isa::tile::check(instruction.code) || !configuration.apply(instruction.code)) continue;
    const Result<isa::tile::Operation> operation = isa::tile::resolve(instruction.code, configuration);
    if (operation) sum += static_cast<std::uint64_t>(isa::tile::multiply_accumulates(operation.value()));
  }
  return sum;
}

std::uint64_t images_of(const task::Task &task) {
  if (task.tensors.empty()) return 1;
  const auto images = task.tensors.front().shape[0];
  const bool alike = std::ranges::all_of(task.tensors, [&](const task::Tensor &tensor) { return tensor.shape[0] == images; });
  return alike ? images : 1;
}

}  // namespace cox::tools::run
