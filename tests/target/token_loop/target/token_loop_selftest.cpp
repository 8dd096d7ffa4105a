// SPDX-License-Identifier: MIT
// Compares the scheduler's loop in assembly with its twin in C++. Both run the same random tasks, on rings whose running indices start at a
// given value. They must leave the same lanes, counters and rings.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "firmware/schedule/token_loop.h"
#include "tests/target/selftest/selftest.h"

namespace {

namespace schedule = cox::firmware::schedule;
namespace plan = cox::firmware::plan;
using cox::hal::tile::SubmissionQueue;
using cox::isa::tile::MachineCode;
using schedule::ClassQueue;
using schedule::Group;
using schedule::Lane;
using schedule::Wake;

constexpr unsigned kLanes = 6;
constexpr unsigned kFirstQueue = 9;  // first queue of the second core
constexpr unsigned kGroups = 100;    // groups per lane
constexpr unsigned kSlots = 1U << schedule::kSubmissionSizeLog2;
constexpr unsigned kGuard = 8;  // slots behind a ring, which the loop must not change
constexpr unsigned kMostCode = kGroups * plan::kMaximumGroup;
constexpr unsigned kMostWakes = kLanes * kGroups;

unsigned below(unsigned limit) { return selftest::random_bits() % limit; }

/// The members of a SubmissionQueue, in the same order.
struct RawRing {
  std::uint32_t limit;
  MachineCode *next;
  std::uint32_t tail, head;
  NPU_CORE_SQ_Type *registers;
  MachineCode *slots;
  std::uint32_t mask;
};
static_assert(sizeof(RawRing) == sizeof(SubmissionQueue) && offsetof(RawRing, limit) == SubmissionQueue::Offsets::kLimit &&
              offsetof(RawRing, next) == SubmissionQueue::Offsets::kNext && offsetof(RawRing, tail) == SubmissionQueue::Offsets::kTail);

RawRing raw(const SubmissionQueue &ring) { return std::bit_cast<RawRing>(ring); }

/// The part of a running task that does not change.
struct Task {
  std::array<std::array<MachineCode, kMostCode>, kLanes> code;
  std::array<std::array<std::uint16_t, kGroups>, kLanes> size, missing;
  std::array<std::array<Wake, kMostWakes>, kLanes> wakes;
  std::array<unsigned, kLanes> instructions{};  // number of instructions that give tokens
  unsigned sinks;                               // number of tokens that the task's end waits for
};

struct World {
  alignas(plan::kLaneBytes) std::array<Lane, kLanes + 1> lanes;  // in reverse order, directly in front of the groups
  std::array<Group, kLanes *(kGroups + 1) + 1> groups;
  std::array<ClassQueue, kLanes> queues;
  ClassQueue end{SubmissionQueue::full()};
  std::array<std::array<std::uint32_t, sizeof(NPU_CORE_SQ_Type) / 4>, kLanes> registers;  // replace the device's registers
  std::array<std::array<MachineCode, kSlots + kGuard>, kLanes> rings;
  std::array<std::uint32_t, kLanes> tail_of_go_on;  // the tail after the last call of go_on()
  unsigned ends;
  bool is_assembly, resumes, good;

  [[nodiscard]] schedule::RunMemory memory() { return schedule::RunMemory(groups.data()); }
};
static_assert(offsetof(World, groups) == offsetof(World, lanes) + sizeof(World::lanes));

Task task;
World assembly, twin;
World *world;  // the world that currently runs

void make_task() {
  unsigned next_group_of[kLanes] = {};
  task.instructions.fill(0);
  task.sinks = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    for (MachineCode &code : task.code[lane]) {
      for (auto &word : code) word = selftest::random_bits();
    }
    for (unsigned group = 0; group < kGroups; ++group) {
      task.size[lane][group] = static_cast<std::uint16_t>(1 + below(plan::kMaximumGroup));
      task.missing[lane][group] = group != 0;  // each group except the first waits for its turn in the lane
    }
  }
  // Each group waits for a random number of tokens. The tokens for a lane come in the order of its groups, and any lane may give them.
  unsigned wakes[kLanes] = {};
  for (unsigned left = kLanes * kGroups; left != 0; --left) {
    const unsigned to = below(kLanes);
    unsigned &group = next_group_of[to];
    if (group >= kGroups) continue;
    const unsigned giver = below(kLanes);
    if (wakes[giver] + 1 >= kMostWakes) continue;
    task.wakes[giver][wakes[giver]++] = Wake(to * (kGroups + 1) + group, to);
    ++task.missing[to][group];
    group += below(3);
  }
  for (unsigned giver = 0; giver < kLanes; ++giver) {
    if (below(2) == 0 || wakes[giver] == 0) {
      task.wakes[giver][wakes[giver]++] = Wake(kLanes * (kGroups + 1), kLanes);  // a token for the end of the task
      ++task.sinks;
    }
    for (unsigned i = 0; i < wakes[giver]; ++i) {
      if (i + 1 != wakes[giver] && below(3) != 0) continue;
      task.wakes[giver][i].mark_last();
      ++task.instructions[giver];
    }
  }
}

void set_up(World &own, std::uint32_t first_index) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    Group *groups = &own.groups[lane * (kGroups + 1)];
    for (unsigned i = 0; i < kGroups; ++i) groups[i] = {task.missing[lane][i], task.size[lane][i], 0};
    groups[kGroups] = {255, 0, 0};
    std::memset(own.rings[lane].data(), 0xA5, sizeof own.rings[lane]);
    own.registers[lane].fill(0);
    const RawRing ring{.limit = first_index - 1,
                       .next = nullptr,
                       .tail = first_index,
                       .head = first_index,
                       .registers = reinterpret_cast<NPU_CORE_SQ_Type *>(own.registers[lane].data()),
                       .slots = own.rings[lane].data(),
                       .mask = kSlots - 1};
    own.queues[lane].ring = std::bit_cast<SubmissionQueue>(ring);
    own.queues[lane].starved = 0;
    own.memory().lane(lane) = {.wakes = task.wakes[lane].data(),
                               .groups = own.groups.data(),
                               .run_bit = static_cast<std::uint16_t>(1U << lane),
                               .registers = own.queues[lane].ring.registers(),
                               .queue = &own.queues[lane],
                               .code = task.code[lane].data(),
                               .group = groups};
    own.tail_of_go_on[lane] = first_index;
  }
  own.groups.back() = {task.sinks, 0, 0};
  own.memory().lane(kLanes) = {.queue = &own.end, .group = &own.groups.back()};
  own.ends = 0;
  own.resumes = false;
  own.good = true;
}

/// Lets an instruction of `lane` end. `own` is the state of the loop in assembly or of its twin in C++. Then frees `reclaimed` slots of
/// `ring`, or all used slots if there are fewer, and resumes a lane that has waited for them.
void step(World &own, unsigned lane, unsigned ring, std::uint32_t reclaimed) {
  world = &own;
  Lane &giver = schedule::LanesByQueue(own.memory(), kFirstQueue)[kFirstQueue + lane];
  if (own.is_assembly) {
    schedule::give_tokens(giver);
  } else {
    schedule::give_tokens_in_cpp(giver);
  }
  if (reclaimed == 0) return;
  RawRing values = raw(own.queues[ring].ring);
  values.head += reclaimed < values.tail - values.head ? reclaimed : values.tail - values.head;
  own.queues[ring].ring = std::bit_cast<SubmissionQueue>(values);
  if (own.queues[ring].starved == 0) return;
  own.queues[ring].starved = 0;
  own.resumes = true;
  schedule::go_on(own.memory().lane(ring));
  own.resumes = false;
}

/// Returns true if the loop has dispatched no group that starts beyond the limit of its ring.
bool kept_limits() {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const RawRing ring = raw(assembly.queues[lane].ring);
    if (ring.tail == assembly.tail_of_go_on[lane]) continue;
    const std::uint32_t began = ring.tail - (assembly.memory().lane(lane).group - 1)->size;
    if (static_cast<std::int32_t>(ring.limit - began) < 0) return false;
  }
  return true;
}

bool are_alike(bool with_rings) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const Lane &left = assembly.memory().lane(lane), &right = twin.memory().lane(lane);
    const RawRing ring = raw(assembly.queues[lane].ring), other = raw(twin.queues[lane].ring);
    if (left.code != right.code || left.wakes != right.wakes || left.group - assembly.groups.data() != right.group - twin.groups.data() ||
        ring.tail != other.tail || ring.head != other.head || ring.tail - ring.head > kSlots ||
        assembly.queues[lane].starved != twin.queues[lane].starved || assembly.registers[lane] != twin.registers[lane] ||
        (with_rings && std::memcmp(assembly.rings[lane].data(), twin.rings[lane].data(), sizeof twin.rings[lane]) != 0))
      return false;
  }
  return assembly.ends == twin.ends && std::memcmp(assembly.groups.data(), twin.groups.data(), sizeof twin.groups) == 0;
}

bool runs_alike(std::uint32_t first_index) {
  make_task();
  set_up(assembly, first_index);
  set_up(twin, first_index);
  unsigned left = 0;
  for (const unsigned each : task.instructions) left += each;
  const unsigned stall = 1 + below(40);  // on average, one of `stall` steps reclaims slots
  while (left != 0) {
    const unsigned lane = below(kLanes);
    if (task.instructions[lane] == 0) continue;
    --task.instructions[lane];
    --left;
    const unsigned ring = below(kLanes), reclaimed = below(stall) == 0 ? 1 + below(kSlots) : 0;
    step(assembly, lane, ring, reclaimed);
    step(twin, lane, ring, reclaimed);
    if (!assembly.good || !kept_limits() || !are_alike(left % 16 == 0)) return false;
  }
  return true;
}

bool run_tasks(unsigned tasks, std::uint32_t first_index, std::uint32_t spread) {
  for (; tasks != 0; --tasks) {
    if (!runs_alike(first_index + (spread == 0 ? 0 : below(spread)))) return false;
  }
  return true;
}

/// Tests push_prepared(), which copies with assembly code of its own, hal/tile/slot_copy.h.
bool copies_groups() {
  std::array<MachineCode, kSlots + kGuard> ring;
  for (unsigned round = 0; round < 500; ++round) {
    std::memset(ring.data(), 0xA5, sizeof ring);
    const std::uint32_t tail = selftest::random_bits();
    SubmissionQueue queue = std::bit_cast<SubmissionQueue>(RawRing{tail - 1, nullptr, tail, tail, nullptr, ring.data(), kSlots - 1});
    const std::uint32_t count = 1 + below(20);
    const MachineCode *const codes = task.code[below(kLanes)].data() + below(100);
    if (queue.push_prepared(codes, count) != codes + count || queue.tail() != tail + count) return false;
    for (std::uint32_t i = 0; i < kSlots; ++i) {
      const std::uint32_t ahead = (i - tail) & (kSlots - 1);
      MachineCode expected;
      std::memset(&expected, 0xA5, sizeof expected);
      if (ring[i] != (ahead < count ? codes[ahead] : expected)) return false;
    }
  }
  return true;
}

}  // namespace

// Replaces the scheduler's go_on().
void cox::firmware::schedule::go_on(Lane &lane) {
  if (lane.queue == &world->end) {
    ++world->ends;
    return;
  }
  SubmissionQueue &ring = lane.queue->ring;
  const RawRing before = raw(ring);
  // The assembly may call go_on() only if the ring's tail has passed its limit. If `resumes`, the test has called go_on() itself.
  if (world->is_assembly && !world->resumes && static_cast<std::int32_t>(before.limit - before.tail) >= 0) world->good = false;
  do {
    if (ring.in_flight() > kSlots - 2 * plan::kMaximumGroup) {
      lane.queue->starved = lane.run_bit;
      break;
    }
    lane.code = ring.push_prepared(lane.code, lane.group->size);
    ++lane.group;
  } while (--lane.group->missing == 0);
  ring.set_limit(2 * plan::kMaximumGroup, plan::kMaximumGroup);
  ring.ring_doorbell();
  world->tail_of_go_on[static_cast<std::size_t>(lane.queue - world->queues.data())] = ring.tail();
}

int main() {
  assembly.is_assembly = true;
  constexpr unsigned kTasks = 20;
  selftest::verdict("random tasks", run_tasks(kTasks, selftest::random_bits() & 0x3FFFFFFF, 0x1000));
  selftest::verdict("around index 2^31", run_tasks(kTasks, 0x80000000 - kSlots, kSlots));
  selftest::verdict("around index 2^32", run_tasks(kTasks, 0U - kSlots, kSlots));
  selftest::verdict("the copy of a group", copies_groups());
  return selftest::failed ? 1 : 0;
}
