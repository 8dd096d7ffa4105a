// SPDX-License-Identifier: MIT
// Batches of inferences on a device with a fault plan. The campaign (campaign.cpp) runs its plans on them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "boards/native/native_board.h"
#include "coxswain/base/status.h"

namespace cox::faults {

/// Parts of the device that a batch uses. The faults of a plan hit these parts.
struct Targets {
  struct Queue {
    std::string name;  ///< such as "LD core=0"
    unsigned accesses = 0, instructions = 0, doorbells = 0;
  };
  struct Unit {
    std::string name;  ///< such as "core=0"
    unsigned completion_queue = 0;
    unsigned entries = 0;
  };
  struct Range {
    std::string memory;  ///< such as "l2 core=0"
    std::uint64_t address = 0, bytes = 0;
  };
  std::vector<Queue> queues;
  std::vector<Unit> units;  ///< none: faults of the channels of the DMA engine take the place of those of units
  bool needs_all = false;   ///< an inference needs every unit; else one of them can stand in for another
  std::vector<Range> memory;
  unsigned line = 0;         ///< number of the interrupt line
  std::uint64_t cycles = 0;  ///< cycles of the batch without faults
};

struct Outcome {
  ErrorCode error = ErrorCode::ok;
  std::string what;
  std::int64_t value = 0;
  bool right = false;    ///< whether the bytes are right, if the inference ended well
  unsigned retries = 0;  ///< number of retries that the inference may use
};

class Batch {
 public:
  virtual ~Batch() = default;
  Batch() = default;
  Batch(const Batch &) = delete;
  Batch &operator=(const Batch &) = delete;

  /// Options of the model without the plan: "\"geometry\": {...}".
  [[nodiscard]] virtual std::string geometry() const = 0;
  [[nodiscard]] virtual Targets targets() const = 0;
  /// Initialises the device, once after power-on. Returns a sentence if that fails.
  virtual std::string boot(board::NativeBoard &board) = 0;
  /// Runs all inferences. The first call is on a device without faults. Its results are the reference for later calls.
  virtual std::vector<Outcome> run(board::NativeBoard &board) = 0;
  /// Rewrites memory, as an application does when it learns of a fault in memory, and runs one more inference.
  virtual Outcome run_again(board::NativeBoard &board) = 0;
  /// Largest number of device cycles that run() takes, whatever happens. It also holds for run_again().
  [[nodiscard]] virtual std::uint64_t bound() const = 0;
};

/// Makes a batch of jobs of two owners, which run the task in the file `image`. The file `inputs` has the inputs of all inferences in
/// order.
std::unique_ptr<Batch> make_tile_batch(const std::string &image, const std::string &inputs, unsigned tile_cores);
/// The inferences of examples/digits_mx. `weights` is the file of the packed weights.
std::unique_ptr<Batch> make_mx_batch(const std::string &weights);
/// Products of several types and sizes. One of them is fed in segments.
std::unique_ptr<Batch> make_cube_batch();
/// Programs of the PIM cores as jobs of two owners.
std::unique_ptr<Batch> make_pim_batch();
/// Programs of two Unity units, ordered by keys, as jobs of two owners.
std::unique_ptr<Batch> make_unity_batch();
/// Programs that use all five engines, each on the results of others, as jobs of two owners.
std::unique_ptr<Batch> make_mixed_batch();
/// Lists of copies by the DMA engine.
std::unique_ptr<Batch> make_dma_batch();

/// A batch with its name in messages and the name of what it tests.
struct NamedBatch {
  std::string name, engine;
  std::unique_ptr<Batch> batch;
};
/// Returns the batches whose name begins with `only`.
std::vector<NamedBatch> make_batches(const std::string &only);

}  // namespace cox::faults
