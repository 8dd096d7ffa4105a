// SPDX-License-Identifier: MIT
// The MX engine: runs streams from its submission queue, one instruction after another, and writes completions to its completion queue
// (docs/design.md, Engines; docs/model.md, Time of the MX engine).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "coxswain/isa/mx/table.h"
#include "sim/model/device/serial_engine.h"
#include "sim/model/mx/arithmetic/execute.h"
#include "sim/model/mx/geometry.h"
#include "sim/model/options.h"

namespace cox::model::mx {

class Engine final : public SerialEngine {
 public:
  static constexpr registers::Engine kEngine = registers::Engine::mx;

  Engine(const Surroundings &surroundings, const Options &options);

  [[nodiscard]] Cycle next_event(unsigned unit, Cycle enabled_at) const override;
  void step_ends(unsigned unit, Cycle now) override;
  void step_starts(unsigned unit, Cycle now, Cycle enabled_at) override;
  void pause(unsigned unit, Cycle now) override;
  void resume(unsigned unit, Cycle now, Cycle stood) override;

  void reset(unsigned unit, Cycle now) override;
  void power_on() override { bases_ = {}; }
  void on_context_reset(unsigned context) override { bases_[context] = {}; }
  void on_owner_change(unsigned context) override { bases_[context] = {}; }

  [[nodiscard]] std::uint32_t report(registers::Name name) const override;
  [[nodiscard]] bool read(registers::Name name, Index index, std::uint32_t &value) const override;
  [[nodiscard]] bool write(registers::Name name, Index index, std::uint32_t value, Cycle now, const char *&reason) override;

 private:
  /// Phases of the stream at the head of the submission ring.
  enum class Phase : std::uint8_t {
    fetch,     ///< the engine fetches the next instruction now
    setup,     ///< before the first byte moves, until `transfer_begin_`
    transfer,  ///< bytes move until the DRAM channel has finished
    drain,     ///< all bytes have moved; until `end_`
  };

  [[nodiscard]] bool transferring() const { return executing() && phase_ == Phase::transfer; }
  [[nodiscard]] Cycle phase_end() const;
  void begin_instruction(Cycle now);
  [[nodiscard]] Fault fetch_instruction(isa::mx::Fetched &fetched, Cycle now) const;
  [[nodiscard]] Fault admit(const isa::mx::Fetched &fetched);
  void finish_instruction(Cycle now);
  [[nodiscard]] Fault take_effect(Cycle now);
  /// Tells ECC that the operands are read. Returns the fault of the first word that ECC cannot correct.
  [[nodiscard]] Fault read_sources(const isa::mx::Footprint &footprint) const;
  void write_destinations(const isa::mx::Footprint &footprint) const;
  /// Cycles that `bytes` take without competition.
  [[nodiscard]] Cycle alone(std::uint64_t bytes) const;
  void add_touches();

  Geometry geometry_;
  DramChannel &channel_;
  unsigned mover_;  ///< number of the engine's mover on the shared DRAM channel
  Path path_;
  std::array<isa::mx::BaseRegisters, kMostContexts> bases_{};

  isa::mx::Selection selection_;  ///< base registers that the running stream has chosen
  // The running instruction.
  isa::mx::MachineCode code_{};
  std::vector<Touch> touches_;  ///< filled only if an observer wants touches
  const isa::mx::Instruction *instruction_ = nullptr;
  isa::mx::Operation operation_;
  Phase phase_ = Phase::fetch;
  Cycle transfer_begin_ = 0;
  Cycle end_ = 0;  ///< earliest end; competition for DRAM may delay the actual end
  bool paused_ = false;
  std::uint64_t paused_transfer_ = 0;  ///< while the clock is stopped: remaining work of the transfer
  Cycle stood_ = 0;                    ///< cycles in which a stopped clock or an injected fault held up the instruction
  Cycle alone_end_ = 0;                ///< cycle at which the instruction would end if nothing else used DRAM
};

}  // namespace cox::model::mx
