// SPDX-License-Identifier: MIT
// The DMA engine of the SoC (docs/dma.md). It belongs to the model because it shares the bandwidth to DRAM with the accelerator.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "coxswain/device/dma_descriptor.h"
#include "sim/model/device/dram_channel.h"
#include "sim/model/faults/injector.h"
#include "sim/model/geometry.h"
#include "sim/model/host.h"

namespace cox::model {

class DmaEngine {
 public:
  DmaEngine(const Geometry &geometry, const Host &host, faults::Injector &faults, DramChannel &channel);

  void reset(Cycle now);
  // read() and write() return false for a bus fault. `offset` counts from the beginning of the DMA engine's registers.
  [[nodiscard]] bool read(std::uint32_t offset, std::uint32_t size, std::uint32_t &value) const;
  [[nodiscard]] bool write(Cycle now, std::uint32_t offset, std::uint32_t size, std::uint32_t value);

  [[nodiscard]] Cycle next_event() const;
  /// Processes what is due at `now`.
  void step(Cycle now);
  /// The level of the interrupt line.
  [[nodiscard]] bool interrupt() const { return (status_ & enable_) != 0; }

 private:
  using Error = registers::dma::Error;
  using Descriptor = registers::dma::Descriptor;

  enum class Phase : std::uint8_t {
    idle,
    fetch,     ///< reads a descriptor, until `until`
    transfer,  ///< moves bytes, at least until `until`
    drain,     ///< the DRAM channel has moved the bytes, and the engine's port has not
  };

  struct Channel {
    unsigned mover = 0;
    Phase phase = Phase::idle;
    std::uint64_t list = 0;  ///< LIST
    std::uint64_t at = 0;    ///< AT
    std::uint32_t ended = 0;
    Error last = Error::none;   ///< how the last list has ended
    Error error = Error::none;  ///< what is wrong with the descriptor in progress
    bool held = false;          ///< the bus does not answer until `until`, so ABORT does not end the list before
    bool aborted = false;       ///< in that case: ABORT was written
    Descriptor descriptor{};
    Cycle until = kNever;
    Cycle interrupt_at = kNever;
  };

  [[nodiscard]] const registers::dma::Register *find_register(std::uint32_t offset, std::uint32_t size, unsigned &channel,
                                                              const char *verb) const;
  [[nodiscard]] const char *write_register(Cycle now, registers::dma::Name name, unsigned index, std::uint32_t value);
  [[nodiscard]] const char *write_channel_control(Cycle now, unsigned index, std::uint32_t value);
  [[nodiscard]] Cycle phase_end(const Channel &channel) const;
  void begin_descriptor(unsigned index, std::uint64_t address, Cycle now);
  [[nodiscard]] Error fetch(Channel &channel, unsigned index, Cycle now);
  void end_phase(unsigned index, Cycle now);
  void end_descriptor(unsigned index, Cycle now);
  void end_list(Channel &channel, Error error, Cycle now);
  void write_status(const Channel &channel, Error error, Cycle now) const;
  [[nodiscard]] Error copy_rows(const Descriptor &descriptor);
  void stop(Channel &channel, Cycle now);

  Geometry geometry_;
  const Host &host_;
  faults::Injector &faults_;
  DramChannel &dram_;
  std::array<Channel, registers::dma::channel::kCount> channels_;
  std::uint32_t status_ = 0;  ///< INT_STATUS
  std::uint32_t enable_ = 0;  ///< INT_ENABLE
  std::vector<std::byte> row_;
};

}  // namespace cox::model
