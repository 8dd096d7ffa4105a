// SPDX-License-Identifier: MIT
// A host for tests: flat memory, recorded interrupts and log lines, and a queue driver that acts only when the test calls it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "coxswain/device/npu_registers.h"
#include "coxswain/isa/tile/encode.h"
#include "sim/model/cox_model.h"

namespace cox::test {

namespace r = registers;
using isa::tile::Class;
using isa::tile::MachineCode;
using isa::tile::Opcode;
using r::FaultCode;

struct FieldValue {
  const char *name;
  std::vector<double> values;
};

/// Makes an instruction of context 0 with the named fields. It does not ask for a completion.
inline MachineCode make(Opcode opcode, std::initializer_list<FieldValue> fields = {}) {
  MachineCode code = isa::tile::begin(opcode);
  const isa::tile::Instruction &instruction = *isa::tile::find_instruction(opcode);
  for (const FieldValue &value : fields) {
    const isa::Field *field = isa::tile::find_field(instruction, value.name);
    EXPECT_NE(field, nullptr) << value.name;
    for (unsigned i = 0; i < value.values.size(); ++i) {
      const Status status = field->kind == isa::Kind::floating_point
                                ? isa::tile::set_float(code, *field, i, static_cast<float>(value.values[i]))
                                : isa::tile::set_integer(code, *field, i, static_cast<std::int64_t>(value.values[i]));
      EXPECT_TRUE(status.ok()) << value.name;
    }
  }
  return code;
}

inline MachineCode with_completion(MachineCode code) {
  isa::insert_bits(code, isa::tile::kCompletionBit, 1, 1);
  return code;
}

inline MachineCode in_context(MachineCode code, unsigned context) {
  isa::insert_bits(code, isa::tile::kContextBit, isa::tile::kContextWidth, context);
  return code;
}

/// The instruction for core `core` of the task.
inline MachineCode in_core(MachineCode code, unsigned core) {
  isa::insert_bits(code, isa::tile::kCoreBit, isa::tile::kCoreWidth, core);
  return code;
}

struct Entry {
  std::uint32_t tag, queue, context;
  FaultCode status;
  unsigned phase;
  std::uint64_t end;     // on a fault only the low half is valid
  std::uint32_t detail;  // valid on a fault
  bool intact = true;    // according to its check half-word (docs/design.md, Queues)
};

class Machine {
 public:
  static constexpr std::uint64_t kMemoryBase = 0x6000'0000;
  static constexpr std::uint64_t kMemoryBytes = 4 << 20;
  static constexpr std::uint64_t kRings = kMemoryBase;
  static constexpr std::uint64_t kRingBytes = 0x1000;  // bytes of each submission queue
  static constexpr std::uint64_t kCompletions = kMemoryBase + 0x10000;
  static constexpr std::uint64_t kWindow = kMemoryBase + 0x100000;  // 1 MiB, window 0 of context 0
  static constexpr std::uint32_t kWindowBytes = 0x100000;
  static constexpr std::uint32_t kQueueLog2 = 4;

  explicit Machine(const char *options = nullptr, bool mapped = true) : memory(kMemoryBytes), mapped_(mapped) {
    cox_host host{};
    host.abi = COX_MODEL_ABI;
    host.size = sizeof host;
    host.opaque = this;
    host.map = [](void *self, std::uint64_t address, std::uint64_t size) { return of(self).map(address, size); };
    host.read = [](void *self, std::uint64_t address, void *data, std::uint64_t size) {
      const void *from = of(self).find(address, size);
      if (from != nullptr) std::memcpy(data, from, size);
      return from != nullptr ? 0 : 1;
    };
    host.write = [](void *self, std::uint64_t address, const void *data, std::uint64_t size) {
      void *to = of(self).find(address, size);
      if (to != nullptr) std::memcpy(to, data, size);
      return to != nullptr ? 0 : 1;
    };
    host.interrupt = [](void *self, std::uint32_t line, int value) {
      of(self).level[line] = value;
      of(self).interrupts.push_back({of(self).now, line, value});
    };
    host.log = [](void *self, int, const char *text) { of(self).log.emplace_back(text); };
    char error[200];
    model = cox_model_create(&host, options, error, sizeof error);
    EXPECT_NE(model, nullptr) << error;
  }
  ~Machine() { cox_model_destroy(model); }
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;

  // Register access.
  [[nodiscard]] bool try_write(std::uint32_t offset, std::uint32_t value, std::uint32_t size = 4) {
    return cox_model_write(model, now, offset, size, value) == 0;
  }
  void write(std::uint32_t offset, std::uint32_t value) { EXPECT_TRUE(try_write(offset, value)) << std::hex << offset; }
  std::uint32_t read(std::uint32_t offset) {
    std::uint32_t value = 0;
    EXPECT_EQ(cox_model_read(model, now, offset, 4, &value), 0) << std::hex << offset;
    return value;
  }

  /// Enables all queues and interrupts, and context 0 with all of L2 and window 0.
  void bring_up(std::uint32_t completions_log2 = 4, std::uint32_t coalesce = 0) {
    for (std::uint32_t queue = 0; queue < isa::tile::kClasses; ++queue) {
      write(r::core::sq::base_lo::offset(0, queue), static_cast<std::uint32_t>(kRings + queue * kRingBytes));
      write(r::core::sq::control::offset(0, queue), 1 | kQueueLog2 << 4);
    }
    write(r::cq::base_lo::offset(0), static_cast<std::uint32_t>(kCompletions));
    write(r::cq::coalesce::offset(0), coalesce);
    write(r::cq::control::offset(0), 1 | completions_log2 << 4);
    completions_log2_ = completions_log2;
    open_context(0);
    write(r::int_enable::kOffset, 0x101);
    write(r::control::kOffset, 1);
  }

  void open_context(std::uint32_t context) {
    write(r::context::window::base_lo::offset(context, 0), static_cast<std::uint32_t>(kWindow));
    write(r::context::window::size::offset(context, 0), kWindowBytes);
    write(r::context::window::access::offset(context, 0), 3);
    place_context(context, {{r::context::l2_first::offset(context), 0}, {r::context::l2_last::offset(context), 8191}});
  }

  /// Writes registers that give context `context` its owner and its place: cores, blocks of L2, units of WL0. `values` are pairs of offset
  /// and value. While the function writes them, the context is invalid.
  void place_context(std::uint32_t context, std::initializer_list<std::pair<std::uint32_t, std::uint32_t>> values) {
    write(r::context::control::offset(context), 0);
    for (const auto &[offset, value] : values) write(offset, value);
    write(r::context::control::offset(context), 1);
  }

  /// Puts instructions into their queue without ringing the doorbell.
  void put(std::initializer_list<MachineCode> codes) {
    for (const MachineCode &code : codes) put(isa::tile::find_instruction(isa::tile::opcode_of(code))->queue, code);
  }
  void put(Class queue, const MachineCode &code) {
    const auto i = static_cast<unsigned>(queue);
    std::memcpy(find(kRings + i * kRingBytes + (tail[i]++ & ((1U << kQueueLog2) - 1)) * 32, 32), code.data(), 32);
  }
  void ring(Class queue) { write(r::core::sq::tail::offset(0, static_cast<unsigned>(queue)), tail[static_cast<unsigned>(queue)]); }
  /// Puts instructions into their queue and rings the doorbell.
  void submit(std::initializer_list<MachineCode> codes) {
    for (const MachineCode &code : codes) {
      put({code});
      ring(isa::tile::find_instruction(isa::tile::opcode_of(code))->queue);
    }
  }
  void submit(Class queue, const MachineCode &code) {
    put(queue, code);
    ring(queue);
  }

  // Rings and completions of cores from 1 up lie behind those of core 0.
  static constexpr std::uint64_t kCoreBytes = 0x10000;
  static constexpr std::uint64_t rings_of(unsigned core) { return core == 0 ? kRings : kMemoryBase + 0x200000 + core * kCoreBytes; }
  static constexpr std::uint64_t completions_of(unsigned core) { return core == 0 ? kCompletions : rings_of(core) + 0xF000; }
  /// Does for another core what bring_up() does for core 0.
  void bring_up_core(unsigned core) {
    for (std::uint32_t queue = 0; queue < isa::tile::kClasses; ++queue) {
      write(r::core::sq::base_lo::offset(core, queue), static_cast<std::uint32_t>(rings_of(core) + queue * kRingBytes));
      write(r::core::sq::control::offset(core, queue), 1 | kQueueLog2 << 4);
    }
    write(r::cq::base_lo::offset(core), static_cast<std::uint32_t>(completions_of(core)));
    write(r::cq::control::offset(core), 1 | completions_log2_ << 4);
  }
  /// Puts instructions into a queue of core `core` of the device and rings the doorbell. The instructions
  /// count cores from the task's first core, which is core `first` of the device.
  void submit_in(unsigned core, std::initializer_list<MachineCode> codes, unsigned first = 0) {
    for (const MachineCode &code : codes) {
      const auto queue = static_cast<unsigned>(isa::tile::find_instruction(isa::tile::opcode_of(code))->queue);
      std::uint32_t &index = core == 0 ? tail[queue] : core_tail_[core - 1][queue];
      const MachineCode meant = in_core(code, core - first);
      std::memcpy(find(rings_of(core) + queue * kRingBytes + (index++ & ((1U << kQueueLog2) - 1)) * 32, 32), meant.data(), 32);
      write(r::core::sq::tail::offset(core, queue), index);
    }
  }

  // Time control.
  void advance_to(std::uint64_t time) {
    for (std::uint64_t next = cox_model_next_event(model); next <= time; next = cox_model_next_event(model)) {
      now = std::max(now, next);
      cox_model_advance(model, now);
    }
    now = time;
    cox_model_advance(model, now);
  }
  /// Runs until no event is left.
  void run() {
    for (std::uint64_t next = cox_model_next_event(model); next != COX_MODEL_NEVER; next = cox_model_next_event(model)) advance_to(next);
  }

  /// Entry `index` of the completion ring, by its running index. The entry must be intact.
  [[nodiscard]] Entry entry(std::uint32_t index, unsigned core = 0) {
    const Entry entry = any_entry(index, core);
    EXPECT_TRUE(entry.intact);
    return entry;
  }
  /// Entry `index` of the completion ring, intact or not.
  [[nodiscard]] Entry any_entry(std::uint32_t index, unsigned core = 0) {
    return decode(find(completions_of(core) + (index & ((1U << completions_log2_) - 1)) * 16, 16));
  }
  /// Decodes an entry of a completion ring (docs/design.md, Queues).
  [[nodiscard]] static Entry decode(const std::byte *at) {
    std::uint32_t words[4];
    std::memcpy(words, at, sizeof words);
    const std::uint32_t both = words[0] ^ words[1];
    Entry entry{words[0] & 0xFFFF, words[1] & 0xFF, words[1] >> 16 & 0xFF, static_cast<FaultCode>(words[1] >> 8 & 0xFF), words[1] >> 31,
                words[2],          words[3]};
    entry.intact = ((both ^ both >> 16) & 0xFFFF) == 0xFFFF;
    if (entry.status == FaultCode::none) entry.end |= std::uint64_t{words[3]} << 32;
    return entry;
  }
  std::uint32_t completions(unsigned core = 0) { return read(r::cq::tail::offset(core)); }

  std::uint64_t counter(Class queue, std::uint32_t offset_of_low) {
    const std::uint32_t offset = r::core::sq::base_lo::offset(0, static_cast<unsigned>(queue)) + offset_of_low;
    const std::uint64_t low = read(offset);
    return low | std::uint64_t{read(offset + 4)} << 32;
  }

  /// A pointer into guest memory, or nullptr if the range is outside of it.
  [[nodiscard]] std::byte *find(std::uint64_t address, std::uint64_t size) {
    if (address < kMemoryBase || address - kMemoryBase + size > memory.size()) return nullptr;
    return memory.data() + (address - kMemoryBase);
  }

  struct Interrupt {
    std::uint64_t time;
    std::uint32_t line;
    int level;
    bool operator==(const Interrupt &) const = default;
  };

  cox_model *model = nullptr;
  std::uint64_t now = 0;
  std::vector<std::byte> memory;
  std::vector<Interrupt> interrupts;
  std::vector<std::string> log;
  int level[3] = {};
  std::uint32_t tail[isa::tile::kClasses] = {};

 private:
  static Machine &of(void *self) { return *static_cast<Machine *>(self); }
  void *map(std::uint64_t address, std::uint64_t size) { return mapped_ ? find(address, size) : nullptr; }

  bool mapped_;
  std::uint32_t core_tail_[3][isa::tile::kClasses] = {};
  std::uint32_t completions_log2_ = 4;
};

/// A ct_bc that defines region 0 as the whole L2.
inline MachineCode whole_buffer() { return make(Opcode::ct_bc, {{"BCS", {0}}, {"BufCut", {0, 8191}}}); }

}  // namespace cox::test
