// SPDX-License-Identifier: MIT
#include "tools/run/tile/durations.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "coxswain/isa/tile/table.h"
#include "tools/command/failure.h"
#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/tile/stream.h"

namespace cox::tools::run {
namespace {

std::vector<task::Instruction> read_trace(const std::string &path) {
  try {
    const std::vector<std::uint8_t> bytes = read_file(path);
    return task::read_stream(std::string_view(reinterpret_cast<const char *>(bytes.data()), bytes.size()), path);
  } catch (const FileError &error) {
    throw Failure(ExitCode::bad_input, error.what());
  }
}

}  // namespace

std::string replay_of_trace(const std::string &path, const task::Task &task) {
  const std::vector<task::Instruction> trace = read_trace(path);
  if (trace.size() != task.instructions.size()) {
    throw Failure(ExitCode::bad_input,
                  fmt::format("{}: a trace of {} instructions; the task has {}", path, trace.size(), task.instructions.size()));
  }
  nlohmann::ordered_json replay = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const auto opcode = isa::tile::opcode_of(trace[i].code);
    const isa::tile::Instruction *entry = isa::tile::find_instruction(opcode);
    const std::string place = fmt::format("{}:{}: {} (instruction {})", path, trace[i].line, entry == nullptr ? "?" : entry->name, i);
    if (entry == nullptr || opcode != isa::tile::opcode_of(task.instructions[i].code)) {
      throw Failure(ExitCode::bad_input, place + ": the task has another instruction there; is it the trace of this task?");
    }
    if (!trace[i].times) throw Failure(ExitCode::bad_input, place + ": no {'inst_idx': ..., 'time': [start, end]} after its mapping part");
    if (trace[i].times->start < 0 || trace[i].times->end < trace[i].times->start) {
      throw Failure(ExitCode::bad_input,
                    fmt::format("{}: time: [{}, {}] is no span of time", place, trace[i].times->start, trace[i].times->end));
    }
    replay[isa::tile::kClassNames[static_cast<std::size_t>(entry->queue)]].push_back(trace[i].times->end - trace[i].times->start);
  }
  return replay.dump();
}

}  // namespace cox::tools::run
