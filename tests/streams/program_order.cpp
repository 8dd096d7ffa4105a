// SPDX-License-Identifier: MIT
// Carries out a task one instruction after the other, in program order: no firmware, no queues, no tokens. What differs from an independent
// evaluation here is arithmetic or addressing; what differs on a board alone is scheduling.
// Usage: program_order TASK INPUT OUTPUT reference|fast, for tasks of one input and one output tensor, whose values the files hold; of
// several inferences back to back.
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "isa/tile/configuration.h"
#include "isa/tile/operation.h"
#include "sim/model/arithmetic/execute.h"
#include "tools/task/file.h"
#include "tools/task/image.h"

namespace {

using namespace cox;
using isa::tile::Configuration;
using model::arithmetic::Memory;

class Machine {
 public:
  Machine(const task::Task &task, model::arithmetic::Path path)
      : task_(task),
        path_(path),
        l2_(std::size_t{isa::tile::kL2Blocks} * isa::tile::kBlockBytes),
        wl0_(std::size_t{isa::tile::kWeightUnits} * isa::tile::kWeightUnitBytes) {
    for (const task::Window &window : task.windows) windows_[window.index].resize(window.size);
    for (const task::Constant &constant : task.constants) {
      std::memcpy(windows_[constant.window].data() + constant.offset, constant.data.data(), constant.data.size());
    }
  }

  std::byte *at(const task::Tensor &tensor) { return windows_[tensor.window].data() + tensor.offset; }

  void run() {
    Configuration configuration;
    for (std::size_t i = 0; i < task_.instructions.size(); ++i) {
      const isa::tile::MachineCode &code = task_.instructions[i].code;
      require(configuration.apply(code), i);
      const Result<isa::tile::Operation> operation = isa::tile::resolve(code, configuration);
      require(operation.status(), i);
      model::arithmetic::execute(operation.value(), memories(operation.value(), configuration), path_);
    }
  }

 private:
  static void require(const Status &status, std::size_t i) {
    if (!status.ok())
      throw std::runtime_error("instruction " + std::to_string(i) + ": " + error_name(status.code()) + ": " + status.what());
  }

  Memory memory(isa::tile::Space space, std::uint8_t selector, const Configuration &configuration) {
    switch (space) {
      case isa::tile::Space::dram:
        return Memory::linear(windows_[selector].data(), 0, static_cast<std::int64_t>(windows_[selector].size()));
      case isa::tile::Space::l2: return Memory::circular(l2_.data(), configuration.region(selector));
      case isa::tile::Space::remote_l2:  // streams of one core have none
      case isa::tile::Space::wl0: break;
    }
    return Memory::linear(wl0_.data(), 0, static_cast<std::int64_t>(wl0_.size()));
  }

  model::arithmetic::Memories memories(const isa::tile::Operation &operation, const Configuration &configuration) {
    const auto of_map = [&](const isa::tile::Map &map) { return memory(map.space, map.selector, configuration); };
    model::arithmetic::Memories result;
    result.weights = memory(isa::tile::Space::wl0, 0, configuration);
    std::visit(
        [&](const auto &value) {
          using Value = std::decay_t<decltype(value)>;
          if constexpr (std::is_same_v<Value, isa::tile::Move>) {
            result.source = of_map(value.from);
            result.destination = of_map(value.to);
          } else if constexpr (std::is_same_v<Value, isa::tile::Transform>) {
            result.source = memory(isa::tile::Space::l2, value.from.selector, configuration);
            result.destination = memory(isa::tile::Space::l2, value.to.selector, configuration);
          } else if constexpr (std::is_same_v<Value, isa::tile::WeightMove>) {
            result.source = memory(value.from_space, value.from_selector, configuration);
            result.destination = memory(value.to_space, value.to_selector, configuration);
          } else if constexpr (!std::is_same_v<Value, isa::tile::Control>) {
            result.source = of_map(value.source);
            result.destination = of_map(value.destination);
            result.table = memory(isa::tile::Space::l2, value.table.selector, configuration);
            if constexpr (std::is_same_v<Value, isa::tile::Vector>) {
              result.source1 = of_map(value.source1);
              result.scalars = scalars_;
            } else {
              result.partial = of_map(value.partial);
            }
          }
        },
        operation);
    return result;
  }

  const task::Task &task_;
  model::arithmetic::Path path_;
  std::vector<std::byte> l2_, wl0_;
  std::vector<std::byte> windows_[4];
  float scalars_[isa::tile::kScalarRegisters] = {};
};

const task::Tensor &only(const task::Task &task, task::Direction direction) {
  const task::Tensor *found = nullptr;
  for (const task::Tensor &tensor : task.tensors) {
    if (tensor.direction != direction) continue;
    if (found != nullptr) throw std::runtime_error("more than one tensor of a direction");
    found = &tensor;
  }
  if (found == nullptr) throw std::runtime_error("no tensor of a direction");
  return *found;
}

void run(char **arguments) {
  const task::Task task = task::load_task(arguments[1]);
  const task::Tensor &input = only(task, task::Direction::input);
  const task::Tensor &output = only(task, task::Direction::output);
  const std::vector<std::uint8_t> values = task::read_file(arguments[2]);
  if (values.empty() || values.size() % input.size != 0) throw std::runtime_error("the input file has the wrong size");
  Machine machine(task, std::string_view(arguments[4]) == "fast" ? model::arithmetic::Path::fast : model::arithmetic::Path::reference);
  std::vector<std::uint8_t> results(values.size() / input.size * output.size);
  for (std::size_t i = 0; i * input.size < values.size(); ++i) {
    std::memcpy(machine.at(input), values.data() + i * input.size, input.size);
    machine.run();
    std::memcpy(results.data() + i * output.size, machine.at(output), output.size);
  }
  task::write_file(arguments[3], results);
}

}  // namespace

int main(int count, char **arguments) {
  if (count != 5) {
    std::fprintf(stderr, "usage: program_order TASK INPUT OUTPUT reference|fast\n");
    return 2;
  }
  try {
    run(arguments);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
