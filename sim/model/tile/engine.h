// SPDX-License-Identifier: MIT
// The tile cores: nine submission queues each, buffers, and the instructions that run there (docs/model.md, Time, Owners).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/model/device/surroundings.h"
#include "sim/model/engine.h"
#include "sim/model/options.h"
#include "sim/model/tile/arithmetic/execute.h"
#include "sim/model/tile/context.h"
#include "sim/model/tile/scrubber.h"
#include "sim/model/tile/submission_queue.h"

namespace cox::model {

/// The engine of the tile cores. Each core is a unit.
class TileEngine final : public Engine {
 public:
  static constexpr registers::Engine kEngine = registers::Engine::tile;

  TileEngine(const Surroundings &surroundings, const Options &options);

  [[nodiscard]] unsigned units() const override { return geometry_.tile_cores; }
  [[nodiscard]] SubmissionRing &ring(unsigned core, unsigned queue) override { return cores_[core].queues[queue]; }
  [[nodiscard]] CompletionQueue &completions(unsigned core) override { return cores_[core].completions; }
  void complete_waiting(unsigned core, Cycle now) override;

  [[nodiscard]] Cycle next_event(unsigned core, Cycle enabled_at) const override;
  void step_ends(unsigned core, Cycle now) override;
  void step_starts(unsigned core, Cycle now, Cycle enabled_at) override;
  void pause(unsigned core, Cycle now) override;
  void resume(unsigned core, Cycle now, Cycle stood) override;

  void reset(unsigned core, Cycle now) override;
  void power_on() override;

  /// A slot goes to the queue of its class, of the core that it names.
  [[nodiscard]] bool accept(const PeerSubmission &submission) override;
  void withdraw(PeerClient &client, Cycle now) override;

  void on_context_reset(unsigned context) override { places_[context].banks = {}; }
  void on_owner_change(unsigned context) override { places_[context].banks = {}; }
  void on_context_taken(unsigned context, Cycle now) override;

  [[nodiscard]] std::uint32_t report(registers::Name name) const override;
  [[nodiscard]] bool read(registers::Name name, Index index, std::uint32_t &value) const override;
  [[nodiscard]] bool write(registers::Name name, Index index, std::uint32_t value, Cycle now, const char *&reason) override;

  [[nodiscard]] std::span<std::byte> memory(faults::Place place) override;

 private:
  struct Core {
    Core(unsigned index, unsigned movers, const TileGeometry &geometry);

    std::vector<SubmissionQueue> queues;  // one for each class
    CompletionQueue completions;
    std::vector<std::byte> l2, wl0;
    Scrubber scrubber;
    unsigned movers;  // index of LD's mover on the DRAM channel; the next two indices are of LW's and ST's movers
    bool paused = false;
  };

  // Contexts (contexts.cpp).
  /// The earliest start of an instruction of the context. If the context is invalid or quarantined, its instructions have no effect and
  /// need not wait.
  [[nodiscard]] Cycle start_at(unsigned context) const;
  /// If the instruction that would start must wait until its context's L2 blocks and WL0 units are cleared, holds the queue and returns
  /// true. `of_peer`: it is the oldest of a peer's, not the one at the head.
  [[nodiscard]] bool hold(SubmissionQueue &queue, bool of_peer, Cycle now);

  // Time.
  [[nodiscard]] Cycle busy_end(const Core &core, unsigned queue_index) const;
  [[nodiscard]] Cycle idle_end(const SubmissionQueue &queue, Cycle enabled_at) const;
  [[nodiscard]] static unsigned mover(const Core &core, unsigned queue_index);

  // One instruction, from fetch to completion (instruction.cpp).
  void start(unsigned core_index, unsigned queue_index, Cycle now);
  [[nodiscard]] Fault begin(SubmissionQueue &queue, unsigned core_index, unsigned queue_index, Cycle now);
  /// Ends slots of peers that have not started.
  void abort(std::span<const PeerSubmission> removed, Cycle now);
  void tell_peer(const TileInstruction &instruction, const Fault &fault, Cycle now) const;
  /// Reads a slot. The detail of a fault is a bus address within the slot.
  [[nodiscard]] Fault fetch(std::uint64_t address, unsigned queue, isa::tile::MachineCode &code, Cycle now);
  void leave_phase(unsigned core_index, unsigned queue_index, Cycle now);
  void finish(unsigned core_index, unsigned queue_index, Cycle now);
  [[nodiscard]] Fault take_effect(SubmissionQueue &queue, unsigned core_index, Cycle now);
  [[nodiscard]] Fault execute(const SubmissionQueue &queue, unsigned core_index, Cycle now);
  void complete(unsigned core_index, unsigned queue_index, Cycle now);

  [[nodiscard]] static InstructionEvent event_of(const TileInstruction &instruction);
  void tell_start(const SubmissionQueue &queue) const;

  Surroundings surroundings_;
  TileGeometry geometry_;
  arithmetic::Path path_;
  std::optional<std::array<std::vector<Cycle>, isa::tile::kClasses>> durations_;  // replayed durations; empty: durations are computed
  std::vector<Core> cores_;
  std::array<TileContext, kMostContexts> places_{};
  Cycle all_clear_at_ = 0;  // time when all scrubbers have finished
};

}  // namespace cox::model
