// SPDX-License-Identifier: MIT
// Lists of copies by the DMA engine.
#include <algorithm>
#include <cstring>
#include <random>
#include <span>

#include "coxswain/hal/accelerator.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/dma.h"
#include "tests/faults/batch.h"

namespace cox::faults {
namespace {

using hal::Dma;
using hal::DmaCopy;

/// Each inference moves two lists of random copies at the same time, each from an area of its own to another one.
class DmaBatch final : public Batch {
 public:
  [[nodiscard]] std::string geometry() const override { return {}; }
  [[nodiscard]] Targets targets() const override { return targets_; }
  [[nodiscard]] std::uint64_t bound() const override { return kInferences * 2 * 1000ULL * (kLimit + 2 * Dma::kStopLimit); }
  std::string boot(board::NativeBoard &board) override {
    dram_ = board.dram();
    if (const Status status = accelerator_.open(); !status.ok()) return std::string("open: ") + status.what();
    const Result<std::span<std::byte>> memory = accelerator_.reserve(Dma::kQueueBytes);
    const Status status = memory ? dma_.open(memory.value()) : memory.status();
    return status.ok() ? "" : std::string("DMA: ") + status.what();
  }
  std::vector<Outcome> run(board::NativeBoard &board) override {
    const std::uint64_t begin = board.now();
    std::vector<Outcome> outcomes;
    for (unsigned i = 0; i < kInferences; ++i) outcomes.push_back(infer(board, i));
    if (targets_.cycles == 0) {
      targets_.cycles = board.now() - begin;
      for (const char *channel : {"dma0", "dma1"})
        targets_.queues.push_back({channel, kInferences * kCopies, kInferences * kCopies, kInferences});
      targets_.memory.push_back({"dram", hal::dram_range().address, kLists * kArea});
      const std::span<std::byte> queues = board::queue_memory();
      // The accelerator reserves at the end.
      targets_.memory.push_back({"queue", hal::bus_address(queues) + queues.size() - Dma::kQueueBytes, Dma::kQueueBytes});
      targets_.line = 2;
    }
    return outcomes;
  }
  Outcome run_again(board::NativeBoard &board) override { return infer(board, 0); }

 private:
  static constexpr unsigned kInferences = 6, kLists = 2, kCopies = 4;
  static constexpr std::uint32_t kLimit = 50'000;  // microseconds; several ticks
  static constexpr std::uint64_t kArea = 1U << 20, kOutput = 4U << 20;

  [[nodiscard]] std::byte *at(std::uint64_t address) const { return dram_.data() + (address - board::dram_base()); }

  Outcome infer(board::NativeBoard &board, unsigned number) {
    std::minstd_rand random(number + 1);
    std::generate_n(dram_.data(), kLists * kArea, [&] { return static_cast<std::byte>(random()); });
    std::memset(dram_.data() + kOutput, 0, kLists * kArea);
    std::vector<DmaCopy> copies[kLists];
    for (unsigned list = 0; list < kLists; ++list) {
      for (unsigned i = 0; i < kCopies; ++i) copies[list].push_back(random_copy(random, list, i));
    }
    const Status status = move(board, copies);
    Outcome outcome{.error = status.code(), .what = status.what(), .value = status.value(), .right = status.ok(), .retries = 0};
    for (const std::vector<DmaCopy> &list : copies) {
      for (const DmaCopy &copy : list) {
        for (std::uint32_t row = 0; row < copy.rows; ++row) {
          const std::byte *const from = at(copy.source + row * copy.source_stride);
          outcome.right = outcome.right && std::memcmp(at(copy.destination + row * copy.destination_stride), from, copy.bytes) == 0;
        }
      }
    }
    return outcome;
  }

  static DmaCopy random_copy(std::minstd_rand &random, unsigned list, unsigned index) {
    const std::uintptr_t place = board::dram_base() + list * kArea + index * (kArea / kCopies);
    DmaCopy copy{.source = place, .destination = place + kOutput, .bytes = 1 + static_cast<std::uint32_t>(random() % 60'000)};
    if (random() % 3 == 0) {
      copy.rows = 2 + static_cast<std::uint32_t>(random() % 30);
      copy.bytes = 64 * (1 + static_cast<std::uint32_t>(random() % 64));
      copy.source_stride = copy.bytes + 8 * static_cast<std::uint32_t>(random() % 8);
      copy.destination_stride = copy.bytes + 64 * static_cast<std::uint32_t>(random() % 4);
    } else {
      const std::uintptr_t shift = random() % 64;
      copy.source += shift;
      copy.destination += shift;
    }
    return copy;
  }

  /// Moves the lists and returns the first outcome that is not ok.
  Status move(board::NativeBoard &board, const std::vector<DmaCopy> (&copies)[kLists]) {
    // Memory that a channel may still write is refused. This program waits until the channel has stopped; another one would use other
    // memory.
    for (unsigned list = 0; list < kLists; ++list) {
      for (unsigned wait = 0; wait < 100 && !dma_.check_memory(board::dram_base() + kOutput + list * kArea, kArea).ok(); ++wait) {
        board.advance(10'000'000);
        dma_.supervise();
      }
    }
    Status first;
    std::vector<Dma::Handle> handles;
    for (const std::vector<DmaCopy> &list : copies) {
      const Result<Dma::Handle> handle = dma_.submit(list, kLimit);
      if (handle) {
        handles.push_back(handle.value());
      } else if (first.ok()) {
        first = handle.status();
      }
    }
    for (const Dma::Handle handle : handles) {
      const Status status = dma_.wait(handle);
      if (first.ok()) first = status;
    }
    return first;
  }

  hal::Accelerator accelerator_;
  Dma dma_;
  std::span<std::byte> dram_;
  Targets targets_;
};

}  // namespace

std::unique_ptr<Batch> make_dma_batch() { return std::make_unique<DmaBatch>(); }

}  // namespace cox::faults
