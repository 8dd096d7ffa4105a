// SPDX-License-Identifier: MIT
// The published traces (docs/model.md, Time). With replayed durations and ideal dispatch, every instruction starts exactly as published.
// Computed durations are near the published ones.
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "sim/model/observers/event_log.h"
#include "tests/sim/device/machine.h"
#include "tests/sim/device/temporary_file.h"
#include "tools/tile/stream.h"

namespace cox::test {
namespace {

using model::EventKind;
using model::EventRecord;

constexpr std::uint64_t kDramBytes = 80 << 20;
constexpr std::uint32_t kWindow0Bytes = 16 << 20;

/// Dispatches a task according to its tokens, without delay.
class IdealDispatcher {
 public:
  IdealDispatcher(Machine &machine, const std::vector<task::Instruction> &task) : machine_(machine) {
    for (const task::Instruction &instruction : task) {
      const Class queue = isa::tile::find_instruction(isa::tile::opcode_of(instruction.code))->queue;
      lists_[static_cast<unsigned>(queue)].push_back(instruction.code);
    }
  }

  void run() {
    dispatch();
    for (std::uint64_t next = cox_model_next_event(machine_.model); next != COX_MODEL_NEVER; next = cox_model_next_event(machine_.model)) {
      machine_.advance_to(next);
      // Some instructions take no time, so dispatch() can add completions.
      while (head_ != machine_.completions()) {
        give_tokens(machine_.entry(head_++));
        machine_.write(r::cq::head::offset(0), head_);
        dispatch();
      }
    }
  }

  [[nodiscard]] bool done() const {
    for (unsigned i = 0; i < isa::tile::kClasses; ++i) {
      if (ended_[i] != lists_[i].size()) return false;
    }
    return true;
  }

 private:
  void give_tokens(const Entry &entry) {
    EXPECT_EQ(entry.status, FaultCode::none) << entry.queue << " " << entry.tag << " " << entry.detail;
    const std::uint32_t next = isa::tile::next_of(lists_[entry.queue][ended_[entry.queue]++]);
    for (unsigned to = 0; to < isa::tile::kClasses; ++to) tokens_[entry.queue][to] += next >> to & 1;
  }

  bool take_tokens(unsigned queue, const MachineCode &code) {
    const std::uint32_t previous = isa::tile::previous_of(code);
    for (unsigned from = 0; from < isa::tile::kClasses; ++from) {
      if ((previous >> from & 1) != 0 && tokens_[from][queue] == 0) return false;
    }
    for (unsigned from = 0; from < isa::tile::kClasses; ++from) tokens_[from][queue] -= previous >> from & 1;
    return true;
  }

  void dispatch() {
    for (unsigned queue = 0; queue < isa::tile::kClasses; ++queue) {
      std::size_t &next = dispatched_[queue];
      while (next < lists_[queue].size() && next - ended_[queue] < (1U << Machine::kQueueLog2) && take_tokens(queue, lists_[queue][next])) {
        machine_.submit({with_completion(lists_[queue][next++])});
      }
    }
  }

  Machine &machine_;
  std::vector<MachineCode> lists_[isa::tile::kClasses];
  std::size_t dispatched_[isa::tile::kClasses] = {}, ended_[isa::tile::kClasses] = {};
  std::uint32_t tokens_[isa::tile::kClasses][isa::tile::kClasses] = {};
  std::uint32_t head_ = 0;
};

class PublishedTraces : public ::testing::TestWithParam<const char *> {
 protected:
  void SetUp() override {
    const std::string path = std::string(COX_SHARED_DATA) + "/tile-streams/" + GetParam() + ".trace.txt";
    std::ifstream file(path);
    if (!file) GTEST_SKIP() << path << " is not there";
    std::stringstream text;
    text << file.rdbuf();
    task_ = task::read_stream(text.str(), path);
  }

  [[nodiscard]] static unsigned class_of(const task::Instruction &instruction) {
    return static_cast<unsigned>(isa::tile::find_instruction(isa::tile::opcode_of(instruction.code))->queue);
  }

  /// The published durations, one list per class.
  [[nodiscard]] std::string durations_file() const {
    std::map<std::string, std::string> lists;
    for (const task::Instruction &instruction : task_) {
      std::string &list = lists[isa::tile::kClassNames[class_of(instruction)]];
      list += (list.empty() ? "" : ", ") + std::to_string(instruction.times->end - instruction.times->start);
    }
    std::ofstream file(durations_.path());
    const char *separator = "{";
    for (const auto &[name, list] : lists) {
      file << separator << '"' << name << "\": [" << list << "]";
      separator = ", ";
    }
    file << "}";
    return durations_.path();
  }

  /// Runs the task on memory that is zero. Returns the record of each instruction in program order.
  std::vector<EventRecord> run(const std::string &options) {
    {
      Machine machine(("{" + options + R"("dispatch": "ideal", "events": ")" + events_.path() + "\"}").c_str());
      machine.memory.resize(kDramBytes);
      machine.bring_up();
      machine.write(r::context::window::size::offset(0, 0), kWindow0Bytes);
      machine.write(r::context::window::base_lo::offset(0, 1), static_cast<std::uint32_t>(Machine::kWindow + kWindow0Bytes));
      machine.write(r::context::window::size::offset(0, 1), static_cast<std::uint32_t>(kDramBytes - kWindow0Bytes - 0x100000));
      machine.write(r::context::window::access::offset(0, 1), 1);
      IdealDispatcher dispatcher(machine, task_);
      dispatcher.run();
      EXPECT_TRUE(dispatcher.done());
      log_ = machine.log;
    }
    std::vector<EventRecord> all;
    std::string error;
    EXPECT_TRUE(model::read_event_log(events_.path(), all, error)) << error;
    std::vector<EventRecord> of_class[isa::tile::kClasses];
    for (const EventRecord &record : all) {
      if (record.kind == EventKind::instruction) of_class[record.queue].push_back(record);
    }
    std::vector<EventRecord> records;
    std::size_t next[isa::tile::kClasses] = {};
    for (const task::Instruction &instruction : task_) {
      const unsigned queue = class_of(instruction);
      if (next[queue] < of_class[queue].size()) records.push_back(of_class[queue][next[queue]++]);
    }
    return records;
  }

  std::vector<task::Instruction> task_;
  const TemporaryFile events_{std::string(GetParam()) + ".events"};
  const TemporaryFile durations_{std::string(GetParam()) + ".durations.json"};
  std::vector<std::string> log_;  // log lines of the last run
};

TEST_P(PublishedTraces, ReplayedDurationsGiveEveryStartExactly) {
  const std::vector<EventRecord> records = run(R"("durations": ")" + durations_file() + "\", ");
  ASSERT_EQ(records.size(), task_.size());
  for (std::size_t i = 0; i < task_.size(); ++i) {
    EXPECT_EQ(records[i].start, static_cast<std::uint64_t>(task_[i].times->start)) << "line " << task_[i].line;
    EXPECT_EQ(records[i].end, static_cast<std::uint64_t>(task_[i].times->end)) << "line " << task_[i].line;
  }
}

TEST_P(PublishedTraces, ComputedDurationsAreNearThePublishedOnes) {
  const std::vector<EventRecord> records = run("");
  ASSERT_EQ(records.size(), task_.size());
  std::map<std::string, std::vector<double>> errors;  // relative errors, one list per instruction name
  for (std::size_t i = 0; i < task_.size(); ++i) {
    const auto published = static_cast<double>(task_[i].times->end - task_[i].times->start);
    const auto computed = static_cast<double>(records[i].end - records[i].start - records[i].stalled);
    const char *name = isa::tile::find_instruction(isa::tile::opcode_of(task_[i].code))->name;
    if (published != 0) errors[name].push_back(computed / published - 1);
  }
  for (auto &[name, list] : errors) {
    std::sort(list.begin(), list.end());
    std::vector<double> sizes;
    for (const double error : list) sizes.push_back(std::abs(error));
    std::sort(sizes.begin(), sizes.end());
    const double median = sizes[sizes.size() / 2];
    const double ninth = sizes[sizes.size() * 9 / 10];
    std::printf("%-12s %4zu  median |error| %5.2f %%  90th percentile %5.2f %%  from %+.2f %% to %+.2f %%\n", name.c_str(), list.size(),
                100 * median, 100 * ninth, 100 * list.front(), 100 * list.back());
    if (name == "lda_mov" || name == "ldw_mov" || name == "lw_mov" || name == "sta_mov") {
      EXPECT_LT(median, 0.01) << name;
      EXPECT_LT(sizes.back(), 0.06) << name;
    }
    if (name == "vp_self" || name == "vp_pool") {
      EXPECT_LT(sizes.back(), 0.01) << name;
    }
    if (name == "pe_conv") {
      EXPECT_LT(median, 0.05) << name;
    }
    if (name.find("_cfg") != std::string::npos) {
      EXPECT_EQ(sizes.back(), 0) << name;
    }
  }
  const auto published_end = static_cast<double>(task_.back().times->end);
  const double error = static_cast<double>(records.back().end) / published_end - 1;
  std::printf("last cycle: %llu, published %.0f: %+.2f %%\n", static_cast<unsigned long long>(records.back().end), published_end,
              100 * error);
  EXPECT_LT(std::abs(error), 0.03);
}

TEST_P(PublishedTraces, HaveNoHazardAndOneConvolutionWithWeightsThatAreNotItsOwn) {
  run(R"("hazards": true, )");
  if (std::string(GetParam()) == "resnet50_b4") {
    EXPECT_THAT(log_, ::testing::Each(::testing::HasSubstr("the WL0 block at 4096 is not the one loaded for this convolution")));
    EXPECT_FALSE(log_.empty());
  } else {
    EXPECT_THAT(log_, ::testing::IsEmpty());
  }
}

INSTANTIATE_TEST_SUITE_P(Streams, PublishedTraces, ::testing::Values("resnet50_b1", "resnet34_b1", "resnet50_b4"));

}  // namespace
}  // namespace cox::test
