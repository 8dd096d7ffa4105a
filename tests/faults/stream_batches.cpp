// SPDX-License-Identifier: MIT
// Inferences through kernels: digits on the MX engine, products on the matrix unit.
#include <algorithm>
#include <cstring>
#include <random>
#include <span>

#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/device.h"
#include "coxswain/kernels/cube/engine.h"
#include "coxswain/kernels/cube/gemm.h"
#include "coxswain/kernels/mx/engine.h"
#include "examples/digits_mx/network_stream.h"
#include "tests/faults/batch.h"
#include "tools/file/file.h"

namespace cox::faults {
namespace {

constexpr std::uint64_t kMiB = 1U << 20;
constexpr std::uint64_t kLimit = 3000;  // microseconds
constexpr unsigned kMostRetries = 2;

/// The common part of the batches on the MX engine and on the matrix unit. Inference i may use i % 3 retries.
class StreamBatch : public Batch {
 public:
  [[nodiscard]] std::string geometry() const override { return {}; }
  [[nodiscard]] Targets targets() const override { return targets_; }
  [[nodiscard]] std::uint64_t bound() const override { return inferences() * (kMostRetries + 1) * (kLimit + 3000) * 1000; }
  std::string boot(board::NativeBoard &board) override {
    dram_ = board.dram();
    core_dram_ = board.core_dram();
    if (const Status status = accelerator_.open(); !status.ok()) return std::string("open: ") + status.what();
    window_ = {.base = hal::dram_range().address, .bytes = 8 * kMiB, .read = true, .write = true};
    if (const Status status = init(accelerator_); !status.ok()) return std::string("init: ") + status.what();
    return write_memory();
  }
  std::vector<Outcome> run(board::NativeBoard &board) override {
    const std::uint64_t begin = board.now();
    std::vector<Outcome> outcomes;
    for (unsigned i = 0; i < inferences(); ++i) {
      outcomes.push_back(try_one(i, i % (kMostRetries + 1)));
      // An application that learns of lost memory contents writes them again.
      if (outcomes.back().error == ErrorCode::device_fault) static_cast<void>(write_memory());
    }
    if (targets_.cycles == 0) {
      targets_.cycles = board.now() - begin;
      add_targets(targets_);
      targets_.memory.push_back({"queue", hal::bus_address(board::queue_memory()), 256});
    }
    return outcomes;
  }
  Outcome run_again(board::NativeBoard &) override {
    static_cast<void>(write_memory());
    return try_one(0, 0);
  }

 protected:
  [[nodiscard]] virtual unsigned inferences() const = 0;
  virtual Status init(hal::Accelerator &accelerator) = 0;
  /// Writes the streams and everything that they read.
  virtual std::string write_memory() = 0;
  virtual void add_targets(Targets &targets) const = 0;
  virtual Status infer(unsigned number, unsigned retries, std::vector<std::byte> &output) = 0;

  /// What the host sees at a bus address.
  [[nodiscard]] std::byte *at(std::uint64_t address) const { return dram_.data() + (address - hal::dram_range().address); }

  std::span<std::byte> dram_, core_dram_;
  hal::Accelerator accelerator_;
  isa::Window window_;

 private:
  Outcome try_one(unsigned number, unsigned retries) {
    std::vector<std::byte> output;
    const Status status = infer(number, retries, output);
    Outcome outcome{.error = status.code(), .what = status.what(), .value = status.value(), .right = false, .retries = retries};
    if (!status.ok()) return outcome;
    if (right_.size() == number) right_.push_back(output);
    outcome.right = output == right_.at(number);
    return outcome;
  }

  Targets targets_;
  std::vector<std::vector<std::byte>> right_;
};

/// Allocates memory for maps, one after the other.
struct Bump {
  std::uint64_t next;
  Result<std::uint64_t> take(std::uint64_t bytes) {
    const std::uint64_t taken = next;
    next += (bytes + 63) / 64 * 64;
    return taken;
  }
};

class MxBatch final : public StreamBatch {
 public:
  explicit MxBatch(const std::string &weights) : weights_(tools::read_file(weights)) {}

 protected:
  [[nodiscard]] unsigned inferences() const override { return 6; }
  Status init(hal::Accelerator &accelerator) override { return engine_.init(accelerator, {.context = 2, .windows = {&window_, 1}}); }
  std::string write_memory() override {
    std::memset(dram_.data(), 0, 2 * kMiB);
    std::memcpy(dram_.data(), weights_.data(), weights_.size());
    Bump arena{hal::dram_range().address + kMiB};
    const std::span<std::byte> code = core_dram_.subspan(2 * kMiB, 4096);
    std::ranges::fill(code, std::byte{0});
    Status status = stream_.init(code, {&window_, 1});
    if (status.ok()) status = network_.append(stream_, hal::dram_range().address, arena);
    used_ = arena.next - hal::dram_range().address - kMiB;
    return status.ok() ? "" : std::string("network: ") + status.what();
  }
  void add_targets(Targets &targets) const override {
    const unsigned instructions = inferences() * stream_.instructions();
    targets.queues.push_back({"MX", 3 * instructions, instructions, inferences()});
    targets.units.push_back({"engine=MX", 4, inferences()});
    targets.memory.push_back({"dram", hal::dram_range().address, weights_.size()});
    targets.memory.push_back({"dram", hal::dram_range().address + kMiB, used_});
    targets.memory.push_back({"dram", hal::dram_range().address + 2 * kMiB, stream_.code().size()});
  }
  Status infer(unsigned number, unsigned retries, std::vector<std::byte> &output) override {
    const std::span blocks(reinterpret_cast<isa::mx::Block *>(at(network_.image().address)), network_.image().count());
    std::minstd_rand random(number + 1);
    for (isa::mx::Block &block : blocks) {
      block = {};
      block.exponent = 127;
      block.elements[0] = static_cast<std::int8_t>(random() % 64);
    }
    std::memset(at(network_.logits().address), 0, network_.logits().bytes());
    engine_.set_retries(retries);
    const Status status = engine_.run(stream_, kLimit);
    const std::byte *from = at(network_.logits().address);
    output.assign(from, from + network_.logits().bytes());
    return status;
  }

 private:
  std::vector<std::uint8_t> weights_;
  kernels::mx::Engine engine_;
  kernels::mx::Stream stream_;
  digits_mx::NetworkStream network_;
  std::uint64_t used_ = 0;
};

class CubeBatch final : public StreamBatch {
 protected:
  [[nodiscard]] unsigned inferences() const override { return 6; }
  Status init(hal::Accelerator &accelerator) override { return engine_.init(accelerator, {.context = 5, .windows = {&window_, 1}}); }
  std::string write_memory() override {
    std::minstd_rand random(7);
    std::memset(dram_.data() + kOutput, 0, kMiB);
    std::memset(core_dram_.data() + kCode, 0, kMiB);
    for (std::uint64_t i = 0; i < kOutput; i += 2) {
      // BF16 numbers between -1 and 1.
      const auto bits = static_cast<std::uint16_t>(random());
      const std::uint16_t value = static_cast<std::uint16_t>((bits & 0x807F) | 0x3F00);
      std::memcpy(dram_.data() + i, &value, sizeof value);
    }
    return {};
  }
  void add_targets(Targets &targets) const override {
    targets.queues.push_back({"CUBE", 2 * slots_, slots_, submitted_});
    targets.units.push_back({"engine=CUBE", 5, submitted_});
    targets.memory.push_back({"dram", hal::dram_range().address, 64 << 10});
    targets.memory.push_back({"dram", hal::dram_range().address + kRight, 64 << 10});
    targets.memory.push_back({"dram", hal::dram_range().address + kCode, 64 << 10});
  }
  Status infer(unsigned number, unsigned retries, std::vector<std::byte> &output) override {
    namespace cube = kernels::cube;
    struct Shape {
      cube::Type type;
      cube::OutputType to;
      std::uint32_t m, k, n;
      bool fed;
    };
    constexpr Shape kShapes[3] = {{cube::Type::int8, cube::OutputType::int32, 96, 256, 80, false},
                                  {cube::Type::bfloat16, cube::OutputType::float32, 64, 128, 176, false},
                                  {cube::Type::int8, cube::OutputType::int32, 200, 300, 250, true}};
    const Shape &shape = kShapes[number % 3];
    cube::GemmArguments call;
    call.type = shape.type;
    call.to = shape.to;
    call.left = {.address = hal::dram_range().address, .rows = shape.m, .columns = shape.k};
    call.right = {.address = hal::dram_range().address + kRight, .rows = shape.k, .columns = shape.n};
    call.output = {.address = hal::dram_range().address + kOutput, .rows = shape.m, .columns = shape.n};
    const std::uint64_t bytes = 4ULL * shape.m * shape.n;
    std::memset(dram_.data() + kOutput, 0, bytes);
    engine_.set_retries(retries);
    constexpr std::size_t kSegment = cube::Stream::kMostReserved * isa::cube::kSlotBytes;
    Status status = shape.fed ? stream_.init(core_dram_.subspan(kCode, 4 * kSegment), {&window_, 1}, 4)
                              : stream_.init(core_dram_.subspan(kCode, 256 << 10), {&window_, 1});
    if (status.ok() && shape.fed) status = engine_.attach(stream_, kLimit);
    if (status.ok()) status = gemm(stream_, call);
    if (status.ok()) status = engine_.run(stream_, kLimit);
    if (submitted_ < 100) {
      slots_ += stream_.slots();
      submitted_ += 1 + stream_.fed_slots() / cube::Stream::kMostReserved;
    }
    output.assign(dram_.data() + kOutput, dram_.data() + kOutput + bytes);
    return status;
  }

 private:
  static constexpr std::uint64_t kRight = kMiB, kOutput = 2 * kMiB, kCode = 8 * kMiB;

  kernels::cube::Engine engine_;
  kernels::cube::Stream stream_;
  unsigned slots_ = 0, submitted_ = 0;
};

}  // namespace

std::unique_ptr<Batch> make_mx_batch(const std::string &weights) { return std::make_unique<MxBatch>(weights); }
std::unique_ptr<Batch> make_cube_batch() { return std::make_unique<CubeBatch>(); }

}  // namespace cox::faults
