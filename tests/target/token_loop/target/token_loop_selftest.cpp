// SPDX-License-Identifier: MIT
// Compares the scheduler's loops in assembly with their twins in C++. Both run the same random tasks, on rings whose running indices start
// at a given value. They must leave the same lanes, counters and rings.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "boards/cortex-m55/device.h"
#include "coxswain/firmware/schedule/take_one.h"
#include "coxswain/firmware/schedule/token_loop.h"
#include "tests/target/selftest/selftest.h"

namespace {

namespace schedule = cox::firmware::schedule;
namespace plan = cox::firmware::plan;
using cox::hal::Completion;
using cox::hal::tile::SubmissionQueue;
using cox::isa::tile::MachineCode;
using schedule::ClassQueue;
using schedule::CompletionQueue;
using schedule::Dispatcher;
using schedule::Group;
using schedule::Lane;
using schedule::Wake;

constexpr unsigned kLanes = 6;
constexpr unsigned kFirstQueue = 15;  // the last three queues of the second core, and the first three of the third
constexpr unsigned kFirstCore = kFirstQueue / cox::isa::tile::kClasses, kCores = 2;
constexpr unsigned kContext = 5;
constexpr unsigned kGroups = 100;  // groups per lane
constexpr unsigned kSlots = 1U << schedule::kSubmissionSizeLog2;
constexpr unsigned kGuard = 8;  // slots behind a ring, which the loop must not change
constexpr unsigned kMostCode = kGroups * plan::kMaximumGroup;
constexpr unsigned kMostWakes = kLanes * kGroups;

unsigned below(unsigned limit) { return selftest::random_bits() % limit; }

/// The members of a SubmissionQueue, in the same order.
struct RawRing {
  std::uint32_t limit;
  MachineCode *next;
  std::uint32_t tail, done;
  NPU_CORE_SQ_Type *registers;
  MachineCode *slots;
  std::uint32_t mask;
};
static_assert(sizeof(RawRing) == sizeof(SubmissionQueue) && offsetof(RawRing, limit) == SubmissionQueue::Offsets::kLimit &&
              offsetof(RawRing, next) == SubmissionQueue::Offsets::kNext && offsetof(RawRing, tail) == SubmissionQueue::Offsets::kTail);

/// The members of a completion queue, in the same order.
struct RawEntries {
  NPU_CQ_Type *registers;
  std::uint32_t head;
  const Completion *entries;
};
static_assert(sizeof(RawEntries) == sizeof(CompletionQueue) && offsetof(NPU_CQ_Type, HEAD) == 3 * 4);

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
  Dispatcher dispatcher;
  ClassQueue end{SubmissionQueue::full()};
  std::array<std::array<std::uint32_t, sizeof(NPU_CORE_SQ_Type) / 4>, kLanes> registers;  // replace the device's registers
  std::array<std::array<MachineCode, kSlots + kGuard>, kLanes> rings;
  std::array<std::uint32_t, kLanes> tail_of_go_on;  // the tail after the last call of go_on()
  std::array<std::array<Completion, 1U << schedule::kCompletionSizeLog2>, kCores> entries;
  std::array<std::array<std::uint32_t, sizeof(NPU_CQ_Type) / 4>, kCores> entry_registers;
  std::array<std::uint32_t, kCores> written;  // index of the next entry that the device would write
  std::uint32_t status;                       // the interrupt status: bit c is set if core c has a completion
  unsigned ends, failed;
  bool is_assembly, resumes, good;

  [[nodiscard]] schedule::RunMemory memory() { return schedule::RunMemory(groups.data()); }
  [[nodiscard]] ClassQueue &queue(unsigned lane) { return dispatcher.cores().queue(kFirstQueue + lane); }
  [[nodiscard]] schedule::TileCore &core(unsigned number) { return dispatcher.cores().core(kFirstCore + number); }
};
static_assert(offsetof(World, groups) == offsetof(World, lanes) + sizeof(World::lanes));

Task task;
World assembly, twin;
World *world;  // the world that currently runs

}  // namespace

namespace cox::firmware::schedule {

/// What the test needs of the dispatcher.
class TokenLoopTest {
 public:
  static void connect(World &own) {
    Dispatcher &dispatcher = own.dispatcher;
    dispatcher.lanes_[kContext] = LanesByQueue(own.memory(), kFirstQueue);
    for (unsigned pending = 1; pending < dispatcher.by_pending_.size(); ++pending) {
      dispatcher.by_pending_[pending] = &dispatcher.cores_.core(static_cast<unsigned>(std::countr_zero(pending)));
    }
  }
  static void serve(World &own, unsigned core) { own.dispatcher.serve_one(own.core(core)); }
  static void serve_all(World &own) { own.dispatcher.serve_many(((1U << kCores) - 1) << kFirstCore); }
  /// Takes the next entry of a core in C++. Returns false if it is not written.
  static bool take(World &own, unsigned core) {
    CompletionQueue &queue = own.core(core).completions;
    if (!queue.cursor().is_written(queue.cursor().next())) return false;
    own.dispatcher.take_one(*queue.cursor().next(), own.core(core));
    queue.pop();
    queue.acknowledge();
    return true;
  }
};

const volatile std::uint32_t *const completion_status = &assembly.status;

// Replaces the dispatcher's, for entries that the assembly leaves to C++. A core without a written entry loses its bit in the status.
void Dispatcher::take_pending(std::uint32_t pending) {
  const auto core = static_cast<unsigned>(std::countr_zero(pending)) - kFirstCore;
  if (!TokenLoopTest::take(*world, core)) world->status &= ~pending;
}

void Dispatcher::take_failed(const hal::Completion & /*entry*/, TileCore & /*core*/) { ++world->failed; }

}  // namespace cox::firmware::schedule

namespace {

using schedule::TokenLoopTest;

void make_task() {
  unsigned next_group_of[kLanes] = {};
  task.instructions.fill(0);
  task.sinks = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    for (MachineCode &code : task.code[lane]) {
      for (auto &word : code) word = selftest::random_bits();
      code[0] = (code[0] & ~(0xFFU << cox::isa::tile::kContextBit)) | kContext << cox::isa::tile::kContextBit;
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
    const RawRing ring{.limit = first_index - 0x80000000,
                       .next = nullptr,
                       .tail = first_index,
                       .done = first_index - 1,
                       .registers = reinterpret_cast<NPU_CORE_SQ_Type *>(own.registers[lane].data()),
                       .slots = own.rings[lane].data(),
                       .mask = kSlots - 1};
    own.queue(lane).ring = std::bit_cast<SubmissionQueue>(ring);
    own.queue(lane).starved = 0;
    own.memory().lane(lane) = {.wakes = task.wakes[lane].data(),
                               .groups = own.groups.data(),
                               .run_bit = static_cast<std::uint16_t>(1U << lane),
                               .registers = own.queue(lane).ring.registers(),
                               .queue = &own.queue(lane),
                               .code = task.code[lane].data(),
                               .group = groups};
    own.tail_of_go_on[lane] = first_index;
  }
  own.groups.back() = {task.sinks, 0, 0};
  own.memory().lane(kLanes) = {.queue = &own.end, .group = &own.groups.back()};
  for (unsigned core = 0; core < kCores; ++core) {
    // An entry that was never written has the opposite phase.
    const std::uint32_t phase = first_index >> schedule::kCompletionSizeLog2 & 1;
    own.entries[core].fill(Completion{0, phase << Completion::kPhaseBit, 0, 0});
    const std::uint32_t lap = first_index & ~(kSlots - 1);
    own.written[core] = lap;
    own.core(core).completions = std::bit_cast<CompletionQueue>(
        RawEntries{reinterpret_cast<NPU_CQ_Type *>(own.entry_registers[core].data()), lap, own.entries[core].data()});
    own.core(core).number = static_cast<std::uint8_t>(kFirstCore + core);
    own.entry_registers[core].fill(0);
  }
  TokenLoopTest::connect(own);
  own.ends = own.failed = 0;
  own.resumes = false;
  own.good = true;
}

/// Lets an instruction of `lane` end, without a completion. `own` is the state of the loop in assembly or of its twin in C++.
void give(World &own, unsigned lane) {
  world = &own;
  Lane &giver = schedule::LanesByQueue(own.memory(), kFirstQueue)[kFirstQueue + lane];
  if (own.is_assembly) {
    schedule::give_tokens(giver);
  } else {
    schedule::give_tokens_in_cpp(giver);
  }
}

/// Writes an entry as the device does: the instruction with this tag in the lane's queue has ended. Inverts the bits of `spoiled`.
void complete(World &own, unsigned lane, std::uint32_t tag, std::uint32_t spoiled) {
  const unsigned queue = kFirstQueue + lane, core = queue / cox::isa::tile::kClasses - kFirstCore;
  const std::uint32_t index = own.written[core]++;
  // The context of the entry changes nothing: the loops take that of the slot.
  const std::uint32_t outcome =
      queue | index % schedule::kMaximumRuns << 16 | (~index >> schedule::kCompletionSizeLog2 & 1) << Completion::kPhaseBit;
  own.entries[core][index % own.entries[core].size()] = {Completion::identity_of(tag, outcome) ^ spoiled, outcome, 0, 0};
  own.status |= 1U << (kFirstCore + core);
}

/// Takes all entries. The assembly serves one core after the other, or both if `together`.
void take_entries(World &own, bool together) {
  world = &own;
  if (!own.is_assembly) {
    // The loop for several cores takes one entry of each in turn.
    for (bool more = true; more;) {
      more = false;
      for (unsigned core = 0; core < kCores; ++core) {
        while (TokenLoopTest::take(own, core) && !together) {
        }
        more = more || own.core(core).completions.popped() != own.written[core];
      }
    }
  } else if (together) {
    TokenLoopTest::serve_all(own);
  } else {
    for (unsigned core = 0; core < kCores; ++core) TokenLoopTest::serve(own, core);
  }
  own.status = 0;
}

/// Frees `reclaimed` slots of the lane's ring, or all used slots if there are fewer. Resumes the lane if it has waited for them.
void reclaim(World &own, unsigned lane, std::uint32_t reclaimed) {
  world = &own;
  RawRing values = raw(own.queue(lane).ring);
  const std::uint32_t used = own.queue(lane).ring.in_flight();
  values.done += reclaimed < used ? reclaimed : used;
  own.queue(lane).ring = std::bit_cast<SubmissionQueue>(values);
  if (own.queue(lane).starved == 0) return;
  own.queue(lane).starved = 0;
  own.resumes = true;
  schedule::go_on(own.memory().lane(lane));
  own.resumes = false;
}

/// Returns true if the loop has dispatched no group that ends behind the largest that may begin at the limit of its ring.
bool kept_limits() {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const RawRing ring = raw(assembly.queue(lane).ring);
    if (ring.tail == assembly.tail_of_go_on[lane]) continue;
    if (static_cast<std::int32_t>(ring.limit + plan::kMaximumGroup - ring.tail) < 0) return false;
  }
  return true;
}

bool are_alike(bool with_rings) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const Lane &left = assembly.memory().lane(lane), &right = twin.memory().lane(lane);
    const RawRing ring = raw(assembly.queue(lane).ring), other = raw(twin.queue(lane).ring);
    if (left.code != right.code || left.wakes != right.wakes || left.group - assembly.groups.data() != right.group - twin.groups.data() ||
        ring.tail != other.tail || (ring.done & 0xFFFF) != (other.done & 0xFFFF) || assembly.queue(lane).ring.in_flight() > kSlots ||
        assembly.queue(lane).starved != twin.queue(lane).starved || assembly.registers[lane] != twin.registers[lane] ||
        (with_rings && std::memcmp(assembly.rings[lane].data(), twin.rings[lane].data(), sizeof twin.rings[lane]) != 0))
      return false;
  }
  for (unsigned core = 0; core < kCores; ++core) {
    const std::uint32_t popped = assembly.core(core).completions.popped();
    if (popped != assembly.written[core] || popped != twin.core(core).completions.popped()) return false;
    if (assembly.entry_registers[core] != twin.entry_registers[core] && popped != assembly.entry_registers[core][3]) return false;
  }
  return assembly.ends == twin.ends && assembly.failed == twin.failed &&
         std::memcmp(assembly.groups.data(), twin.groups.data(), sizeof twin.groups) == 0;
}

/// Lets an instruction of up to four lanes end. If the lane's queue has instructions in flight, one of them has a completion, which now and
/// then is spoiled or comes twice.
void end_instructions(unsigned &left) {
  unsigned used = 0;
  for (unsigned tries = 1 + below(4); tries != 0; --tries) {
    const unsigned lane = below(kLanes);
    if (task.instructions[lane] == 0 || (used >> lane & 1) != 0) continue;
    const SubmissionQueue &ring = twin.queue(lane).ring;
    const std::uint32_t in_flight = ring.in_flight();
    if (in_flight == 0 && used != 0) continue;
    used |= 1U << lane;
    const std::uint32_t ahead = below(1 + in_flight), tag = ring.head() + ahead, spoiled = below(50) == 0 ? 1U << below(32) : 0;
    const unsigned times = below(50) == 0 ? 2 : 1;
    for (World *own : {&assembly, &twin}) {
      if (in_flight == 0) give(*own, lane);
      for (unsigned i = 0; in_flight != 0 && i < times; ++i) complete(*own, lane, tag, spoiled);
    }
    if (in_flight == 0) {
      tries = 1;
    } else if (spoiled != 0 || ahead == in_flight) {
      continue;  // such a completion gives no tokens
    }
    --task.instructions[lane];
    --left;
  }
}

bool runs_alike(std::uint32_t first_index) {
  make_task();
  set_up(assembly, first_index);
  set_up(twin, first_index);
  unsigned left = 0;
  for (const unsigned each : task.instructions) left += each;
  const unsigned stall = 1 + below(40);  // on average, one of `stall` steps reclaims slots
  while (left != 0) {
    end_instructions(left);
    const bool together = below(2) == 0;
    take_entries(assembly, together);
    take_entries(twin, together);
    const unsigned lane = below(kLanes), reclaimed = below(stall) == 0 ? 1 + below(kSlots) : 0;
    if (reclaimed != 0) {
      reclaim(assembly, lane, reclaimed);
      reclaim(twin, lane, reclaimed);
    }
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
    if (ring.in_flight() + lane.group->size > kSlots - plan::kMaximumGroup) {
      lane.queue->starved = lane.run_bit;
      break;
    }
    lane.code = ring.push_prepared(lane.code, lane.group->size);
    ++lane.group;
  } while (--lane.group->missing == 0);
  ring.set_limit(2 * plan::kMaximumGroup, plan::kMaximumGroup);
  ring.ring_doorbell();
  world->tail_of_go_on[static_cast<std::size_t>(lane.queue - &world->queue(0))] = ring.tail();
}

int main() {
  assembly.is_assembly = true;
  // The loops sleep with interrupts masked. A pending tick ends each sleep at once.
  __disable_irq();
  SCB->ICSR = SCB_ICSR_PENDSTSET_Msk;
  constexpr unsigned kTasks = 20;
  selftest::verdict("random tasks", run_tasks(kTasks, selftest::random_bits() & 0x3FFFFFFF, 0x1000));
  selftest::verdict("around index 2^31", run_tasks(kTasks, 0x80000000 - kSlots, kSlots));
  selftest::verdict("around index 2^32", run_tasks(kTasks, 0U - kSlots, kSlots));
  selftest::verdict("the copy of a group", copies_groups());
  __enable_irq();
  return selftest::failed ? 1 : 0;
}
