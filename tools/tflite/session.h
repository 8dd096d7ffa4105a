// SPDX-License-Identifier: MIT
// A model on the native board: an engine's kernels run it on the accelerator's model, in this process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cox::tools::tflite {

class ModelFile;

inline constexpr unsigned kMostUnits = 8;  ///< that can run a model

struct SessionSettings {
  std::string model_options = "{}";  ///< options of the accelerator model, as a JSON object; `events` names the file `events`
  std::string events;                ///< the event log that the accelerator model writes
  std::uint64_t time_limit_us = 0;   ///< of an inference, by the control core's clock; 0: the default of the kernels
  unsigned units = 1;                ///< of the engine, over which the operators are distributed
};

/// When a unit worked for an operator.
struct UnitTime {
  unsigned unit = 0;
  std::uint64_t start = 0, end = 0;
};

/// When an operator ran, in cycles since the first instruction of its inference started.
struct LayerTime {
  std::uint64_t start = 0, end = 0;
  std::uint64_t dram_bytes = 0;
  unsigned instructions = 0;    ///< 0: the operator had nothing to do, and the other members are 0
  std::vector<UnitTime> units;  ///< by number; those that worked for the operator
};

/// The times of one inference.
struct InferenceTime {
  std::uint64_t cycles = 0;  ///< from the start of the first instruction to the end of the last
  std::vector<LayerTime> layers;
};

class Session {
 public:
  Session() = default;
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;
  virtual ~Session() = default;

  struct Sizes {
    std::size_t arena_bytes = 0, constant_bytes = 0, program_bytes = 0;
    unsigned instructions = 0;
    unsigned units = 1;
    std::uint64_t peak_macs_per_cycle = 0;   ///< INT8 products of these units
    std::uint32_t dram_bytes_per_cycle = 0;  ///< of all units together
  };
  [[nodiscard]] virtual Sizes sizes() const = 0;
  /// Runs one inference. `inputs` has the bytes of each input of the model. Returns the bytes of each output. Variables keep their values
  /// from one inference to the next. Throws Failure(failed) that names the operator of a fault.
  [[nodiscard]] virtual std::vector<std::vector<std::uint8_t>> run(std::span<const std::span<const std::uint8_t>> inputs) = 0;
  /// Switches the board off and returns the times of all inferences. run() must not be called afterwards. Throws Failure(failed) if the
  /// log cannot be read.
  [[nodiscard]] virtual std::vector<InferenceTime> finish() = 0;
};

}  // namespace cox::tools::tflite
