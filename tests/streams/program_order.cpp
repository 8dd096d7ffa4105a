// SPDX-License-Identifier: MIT
// Executes a task in program order, one instruction after the other, without firmware, queues or tokens. If its result differs from an
// independent evaluation, the cause is arithmetic or addressing. If only the result of a board differs, the cause is scheduling.
// Usage: program_order TASK INPUT OUTPUT reference|fast, for tasks with one input and one output tensor. The files INPUT and OUTPUT hold
// the values of the tensors. The values of several inferences follow one another.
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/firmware/random_tasks/interpreter.h"
#include "tools/file/file.h"
#include "tools/tile/image.h"

namespace {

using namespace cox;

class Machine {
 public:
  Machine(const task::Task &task, model::arithmetic::Path path)
      : interpreter_(task.geometry.tile_cores, std::size_t{isa::tile::kMaxL2Blocks} * isa::tile::kBlockBytes, path) {
    for (const task::Instruction &instruction : task.instructions) codes_.push_back(instruction.code);
    for (const task::Window &window : task.windows) interpreter_.window(window.index).resize(window.size);
    for (const task::Constant &constant : task.constants) {
      std::memcpy(interpreter_.window(constant.window).data() + constant.offset, constant.data.data(), constant.data.size());
    }
  }

  std::byte *at(const task::Tensor &tensor) { return interpreter_.window(tensor.window).data() + tensor.offset; }

  void run() {
    const Status status = interpreter_.run(codes_);
    if (!status.ok()) {
      throw std::runtime_error("instruction " + std::to_string(status.index()) + ": " + error_name(status.code()) + ": " + status.what());
    }
  }

 private:
  tests::Interpreter interpreter_;
  std::vector<isa::tile::MachineCode> codes_;
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
  const std::vector<std::uint8_t> values = tools::read_file(arguments[2]);
  if (values.empty() || values.size() % input.size != 0) throw std::runtime_error("the input file has the wrong size");
  Machine machine(task, std::string_view(arguments[4]) == "fast" ? model::arithmetic::Path::fast : model::arithmetic::Path::reference);
  std::vector<std::uint8_t> results(values.size() / input.size * output.size);
  for (std::size_t i = 0; i * input.size < values.size(); ++i) {
    std::memcpy(machine.at(input), values.data() + i * input.size, input.size);
    machine.run();
    std::memcpy(results.data() + i * output.size, machine.at(output), output.size);
  }
  tools::write_file(arguments[3], results);
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
