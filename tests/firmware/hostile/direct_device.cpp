// SPDX-License-Identifier: MIT
#include "tests/firmware/hostile/direct_device.h"

#include <gtest/gtest.h>

#include "coxswain/hal/tile/core.h"
#include "coxswain/isa/tile/table.h"

namespace cox::tests {

using isa::tile::MachineCode;

DirectDevice::DirectDevice(std::span<std::byte> memory, board::NativeBoard &board) : board_(board), geometry_(hal::identify().value()) {
  constexpr std::size_t kRing = hal::tile::SubmissionQueue::kSlotBytes << kSizeLog2;
  constexpr std::size_t kCompletions = sizeof(hal::Completion) << kSizeLog2;
  for (unsigned core = 0; core < kCores; ++core) {
    EXPECT_TRUE(hal::tile::reset_core(geometry_, core).ok());
    for (unsigned own = 0; own < isa::tile::kClasses; ++own) {
      EXPECT_TRUE(queues_[core][own].init(geometry_, core, static_cast<isa::tile::Class>(own), memory.first(kRing), kSizeLog2).ok());
      memory = memory.subspan(kRing);
    }
    EXPECT_TRUE(completions_[core].init(geometry_, core, memory.first(kCompletions), kSizeLog2, {}).ok());
    memory = memory.subspan(kCompletions);
  }
  hal::set_enabled(true);
}

std::vector<hal::FaultCode> DirectDevice::run(std::span<const MachineCode> codes, unsigned context, bool one_by_one) {
  std::vector<hal::FaultCode> statuses;
  for (const MachineCode &code : codes) {
    const isa::tile::Instruction *instruction = isa::tile::find_instruction(isa::tile::opcode_of(code));
    const unsigned own = instruction == nullptr ? 0 : static_cast<unsigned>(instruction->queue);
    // A core that does not exist has no queue: the instruction goes to core 0's queue.
    const unsigned core = isa::tile::core_of(code) < kCores ? isa::tile::core_of(code) : 0;
    hal::tile::SubmissionQueue &queue = queues_[core][own];
    if (queue.room() == 0) wait(statuses);
    static_cast<void>(queue.push(code, static_cast<std::uint8_t>(context), instruction == nullptr || !instruction->configuration));
    queue.ring_doorbell();
    if (one_by_one) wait(statuses);
  }
  wait(statuses);
  return statuses;
}

void DirectDevice::wait(std::vector<hal::FaultCode> &statuses) {
  for (int step = 0; step < 1000; ++step) {
    bool idle = true;
    board_.advance(2000);
    for (unsigned core = 0; core < kCores; ++core) {
      while (const hal::Completion *completion = completions_[core].peek()) {
        EXPECT_TRUE(completion->is_intact());
        statuses.push_back(completion->status());
        EXPECT_TRUE(queues_[core][completion->queue() % isa::tile::kClasses].reclaim(completion->tag()));
        completions_[core].pop();
      }
      completions_[core].acknowledge();
      for (const hal::tile::SubmissionQueue &queue : queues_[core]) idle = idle && queue.device_head() == queue.tail();
      idle = idle && completions_[core].is_drained();
    }
    if (idle) return;
  }
  ADD_FAILURE() << "the device does not finish";
}

}  // namespace cox::tests
