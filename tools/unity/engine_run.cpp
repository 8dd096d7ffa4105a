// SPDX-License-Identifier: MIT
#include "tools/unity/engine_run.h"

#include <fmt/format.h>

#include <cstring>

#include "coxswain/device/npu_registers.h"
#include "coxswain/isa/cube/operation.h"
#include "coxswain/isa/tile/header.h"
#include "coxswain/isa/unity/engine_domain.h"
#include "coxswain/isa/unity/engine_slots.h"
#include "sim/model/device/stream_port.h"
#include "sim/model/tile/geometry.h"
#include "sim/model/tile/touches.h"
#include "tools/unity/assemble.h"
#include "tools/unity/engine_text.h"

namespace cox::tools::unity {

using isa::unity::Domain;
using isa::unity::domain_of;
using isa::unity::EngineSubmission;
using model::Cycle;
using model::InstructionEvent;
using registers::Engine;

namespace {

constexpr unsigned kContext = 0;
constexpr unsigned kEngineShift = 8;  ///< a memory's number: the engine, and the number that the engine gives to it

ContainerMemory &memory_of(void *opaque) { return *static_cast<ContainerMemory *>(opaque); }

model::Host host_of(ContainerMemory &memory) {
  cox_host host{};
  host.abi = COX_MODEL_ABI;
  host.size = sizeof host;
  host.opaque = &memory;
  host.map = [](void *, std::uint64_t, std::uint64_t) -> void * { return nullptr; };
  host.read = [](void *self, std::uint64_t address, void *data, std::uint64_t bytes) {
    return memory_of(self).read(address, {static_cast<std::byte *>(data), bytes}).ok() ? 0 : 1;
  };
  host.write = [](void *self, std::uint64_t address, const void *data, std::uint64_t bytes) {
    return memory_of(self).write(address, {static_cast<const std::byte *>(data), bytes}).ok() ? 0 : 1;
  };
  host.interrupt = [](void *, std::uint32_t, int) {};
  return model::Host(host);
}

unsigned tile_queue(unsigned core, unsigned queue) { return core * isa::tile::kClasses + queue; }

}  // namespace

EngineRun::EngineRun(const model::Options &options, const StreamBindings &bindings, ContainerMemory &memory, model::unity::Machine &machine,
                     AccessOrder &order)
    : order_(order), device_(host_of(memory), options), gate_(device_.engines(), machine) {
  device_.reset(0);
  device_.attach(*this);
  open_context(options, bindings.starts.empty() ? bare_bindings() : bindings);
  gate_.begin(kContext);
}

void EngineRun::write(std::uint32_t offset, std::uint64_t value) {
  static_cast<void>(device_.write(0, offset, sizeof(std::uint32_t), static_cast<std::uint32_t>(value)));
}

void EngineRun::open_context(const model::Options &options, const StreamBindings &bindings) {
  namespace context = registers::context;
  for (std::size_t i = 0; i < bindings.starts.size(); ++i) {
    const Window &window = bindings.image.windows[i];
    const std::uint64_t start = bindings.starts[i];
    write(context::window::base_lo::offset(kContext, window.index), start);
    write(context::window::base_hi::offset(kContext, window.index), start >> 32);
    write(context::window::size::offset(kContext, window.index), window.size);
    write(context::window::access::offset(kContext, window.index),
          context::window::access::kRead.put(1) | context::window::access::kWrite.put(window.writable ? 1 : 0));
    write(registers::mx::base::hi::offset(kContext, window.index), start >> 32);
    write(registers::mx::base::lo::offset(kContext, window.index), start);
  }
  const model::TileGeometry geometry = model::tile_geometry(options.geometry, options.parameters);
  write(context::l2_last::offset(kContext), geometry.l2_blocks() - 1);
  write(context::wl0::offset(kContext), context::wl0::kLast.put(geometry.wl0_units - 1));
  write(context::cores::offset(kContext), context::cores::kLast.put(geometry.tile_cores - 1));
  write(context::control::offset(kContext), context::control::kValid.put(1));
  write(registers::control::kOffset, registers::control::kEnable.put(1));
}

bool EngineRun::has(Domain domain) const { return device_.engines().find(engine_of(domain)) != nullptr; }

void EngineRun::submit(std::uint32_t ticket, const EngineSubmission &submission, std::span<const std::byte> slots, std::uint64_t origin,
                       Cycle now) {
  for (std::uint32_t number = 0; number < submission.slots; ++number) {
    unsigned queue = 0;
    if (!isa::unity::has_streams(submission.domain)) {
      isa::tile::MachineCode code;
      std::memcpy(code.data(), &slots[std::size_t{number} * isa::unity::kSlotBytes], sizeof code);
      queue = tile_queue(isa::tile::core_of(code), submission.queue);
    }
    queues_[{engine_of(submission.domain), queue}].slots.push_back({ticket, number});
  }
  gate_.submit(ticket, submission, slots, origin, now);
}

/// `starts`: an instruction of a tile core starts, or ends before it could start.
const EngineRun::Slot *EngineRun::slot_of(const InstructionEvent &event, bool starts) {
  const bool is_tile = event.engine == Engine::tile;
  const auto found = queues_.find({event.engine, is_tile ? tile_queue(event.core, event.lane) : 0});
  if (found == queues_.end()) return nullptr;
  Queue &queue = found->second;
  if (is_tile && starts) ++queue.started;
  const std::size_t number = is_tile ? queue.started - 1 : event.index - model::StreamPort::kFirstPeerIndex;
  return number < queue.slots.size() ? &queue.slots[number] : nullptr;
}

void EngineRun::on_start(const InstructionEvent &event) {
  const Slot *slot = slot_of(event, true);
  if (slot == nullptr) return;
  const char *name = event.name == nullptr ? "" : event.name;
  for (const model::Touch &touch : event.touches) {
    const unsigned memory = touch.space == model::Touch::kDram ? 0 : static_cast<unsigned>(event.engine) << kEngineShift | touch.space;
    order_.add_touch(slot->ticket, memory, name, touch);
  }
}

void EngineRun::on_end(const InstructionEvent &event) {
  if (!event.fault || !fault_.empty()) return;
  const Slot *slot = slot_of(event, event.start == event.end);
  if (slot == nullptr) return;
  fault_ = fmt::format("slot {}: ", slot->number);
  if (event.engine != Engine::tile) fault_ += engine_position(domain_of(event.engine), event.position);
  if (event.name != nullptr) fault_ += fmt::format("{}({}): ", event.engine == Engine::tile ? "" : " ", event.name);
  fault_ += registers::kFaultCodeNames[static_cast<unsigned>(event.fault.code)];
}

std::string EngineRun::memory_text(unsigned memory) {
  if (memory == 0) return {};
  const auto engine = static_cast<Engine>(memory >> kEngineShift);
  const unsigned number = memory & ((1U << kEngineShift) - 1);
  static constexpr const char *kCubeMemories[] = {"DRAM", "L1", "L0A", "L0B", "L0C", "the bias table"};
  static_assert(std::size(kCubeMemories) == static_cast<unsigned>(isa::cube::Memory::bias_table) + 1);
  if (engine == Engine::cube) return kCubeMemories[number];
  static_assert(model::wl0_space(0) == 1 + model::kMostCores && model::regions_space(0) == 1 + 2 * model::kMostCores);
  static constexpr const char *kTileMemories[] = {"L2", "WL0", "the regions"};
  return fmt::format("{} of tile core {}", kTileMemories[(number - 1) / model::kMostCores], (number - 1) % model::kMostCores);
}

}  // namespace cox::tools::unity
