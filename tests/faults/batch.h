// SPDX-License-Identifier: MIT
// Batches of inferences on a device that a plan spoils: what the campaign (campaign.cpp) runs a plan on.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "boards/native/native_board.h"

namespace cox::faults {

/// Where faults can strike a batch.
struct Targets {
  struct Queue {
    std::string name;  ///< "LD core=0"
    unsigned accesses = 0, instructions = 0, doorbells = 0;
  };
  struct Unit {
    std::string name;  ///< "core=0"
    unsigned completion_queue = 0;
    unsigned entries = 0;
  };
  struct Range {
    std::string memory;  ///< "l2 core=0"
    std::uint64_t address = 0, bytes = 0;
  };
  std::vector<Queue> queues;
  std::vector<Unit> units;
  std::vector<Range> memory;
  std::uint64_t cycles = 0;  ///< that the batch takes without faults
};

struct Outcome {
  ErrorCode error = ErrorCode::ok;
  std::string what;
  std::int64_t value = 0;
  bool right = false;    ///< the bytes; of those that ended well
  unsigned retries = 0;  ///< that it might make use of
};

class Batch {
 public:
  virtual ~Batch() = default;
  Batch() = default;
  Batch(const Batch &) = delete;
  Batch &operator=(const Batch &) = delete;

  /// Options of the model, without the plan: "\"geometry\": {...}".
  [[nodiscard]] virtual std::string geometry() const = 0;
  [[nodiscard]] virtual Targets targets() const = 0;
  /// Takes the device into use, once after power-on. A sentence where that fails.
  virtual std::string boot(board::NativeBoard &board) = 0;
  /// Runs all inferences. The first time, on a device without a plan, what comes out is what is right from then on.
  virtual std::vector<Outcome> run(board::NativeBoard &board) = 0;
  /// One inference more, after memory was written anew as whoever is told of a fault in it does.
  virtual Outcome run_again(board::NativeBoard &board) = 0;
  /// Device cycles that run() takes at most, whatever happens; run_again() no more.
  [[nodiscard]] virtual std::uint64_t bound() const = 0;
};

/// The task in the image file, by jobs of two owners; `inputs`: values for its input, one inference behind the other.
std::unique_ptr<Batch> make_tile_batch(const std::string &image, const std::string &inputs, unsigned tile_cores);
/// examples/digits_mx; `weights`: packed.
std::unique_ptr<Batch> make_mx_batch(const std::string &weights);
/// Products of several types and sizes, one of them fed in segments.
std::unique_ptr<Batch> make_cube_batch();

}  // namespace cox::faults
