// SPDX-License-Identifier: MIT
// three_engines.c in C++: a task on the tile cores, a kernel of the MX engine and a product of the matrix unit at the same time
// (README.md).
#include "examples/three_engines/three_engines.h"

#include <array>
#include <bit>
#include <cstdio>
#include <cstring>
#include <span>

#include "coxswain/firmware/image/image_header.h"
#include "coxswain/firmware/image/loader.h"
#include "coxswain/firmware/schedule/bindings.h"
#include "coxswain/firmware/schedule/scheduler.h"
#include "coxswain/hal/accelerator.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/cache.h"
#include "coxswain/kernels/cube/engine.h"
#include "coxswain/kernels/cube/gemm.h"
#include "coxswain/kernels/mx/eladd.h"
#include "coxswain/kernels/mx/engine.h"
#include "coxswain/kernels/mx/mx9_pack.h"
#include "coxswain/kernels/mx/mx9_unpack.h"

namespace {

namespace board = cox::board;
namespace cube = cox::kernels::cube;
namespace hal = cox::hal;
namespace image = cox::firmware::image;
namespace mx = cox::kernels::mx;
namespace schedule = cox::firmware::schedule;
using cox::Result;
using cox::Status;
using cox::isa::mx::Block;

constexpr std::size_t kImageRoom = 1U << 20, kStreamBytes = 64U << 10;

hal::Accelerator accelerator;
schedule::Scheduler scheduler;
mx::Engine mx_engine;
cube::Engine cube_engine;

bool failed(const char *step, const Status &status) {
  if (status.ok()) return false;
  std::printf("%s: %s: %s is %ld, limit %ld\n", step, cox::error_name(status.code()), status.what(), static_cast<long>(status.value()),
              static_cast<long>(status.limit()));
  return true;
}

std::uintptr_t next;  ///< the first byte of DRAM that is not in use

/// Allocates DRAM in whole cache lines.
template <typename T>
std::span<T> take(std::size_t count) {
  auto *const first = reinterpret_cast<T *>(next);  // NOLINT(performance-no-int-to-ptr)
  next += (count * sizeof(T) + 63) / 64 * 64;
  return {first, count};
}

/// The task copies 64 KiB in window 0: input, then output.
class Copy {
 public:
  Status prepare() {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): memory of the map
    const auto *const base = reinterpret_cast<const std::byte *>(board::dram_base());
    image::ImageHeader header{};
    std::memcpy(&header, base, sizeof(header));
    const std::span bytes(base, sizeof(header) + header.payload_bytes);
    const Result<std::size_t> needed = image::workspace_bytes(bytes);
    if (!needed) return needed.status();
    const Result<image::LoadedTask> loaded = image::load(bytes, scheduler.device_geometry(), take<std::byte>(needed.value()));
    if (!loaded) return loaded.status();
    task_ = loaded.value();
    window_ = take<std::byte>(static_cast<std::size_t>(task_.windows()[0].size));
    for (std::size_t i = 0; i < kBytes; ++i) window_[i] = static_cast<std::byte>(i * 7 + i / 256);
    hal::clean_cache(window_.data(), window_.size());
    return {};
  }
  Result<unsigned> start() {
    const std::array<hal::Window, hal::kWindows> windows{hal::Window{hal::bus_address(window_.data()), window_.size(), true, true}};
    return scheduler.start(task_, windows);
  }
  bool is_right() {
    hal::invalidate_cache(window_.data(), window_.size());
    return std::memcmp(window_.data(), &window_[kBytes], kBytes) == 0;
  }

 private:
  static constexpr std::size_t kBytes = 64U << 10;
  image::LoadedTask task_;
  std::span<std::byte> window_;
};

/// The kernel adds a tensor to itself.
class Addition {
 public:
  Status prepare() {
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = static_cast<float>(i % 64);
    if (const Status status = mx::mx9_pack_planes(values_, kChannels, kPixels, term_); !status) return status;
    hal::clean_cache(term_.data(), term_.size_bytes());
    if (const Status status = stream_.init(take<std::byte>(kStreamBytes), mx_engine.windows()); !status) return status;
    const mx::Tensor term{hal::bus_address(term_.data()), kChannels, kSide, kSide},
        sum{hal::bus_address(sum_.data()), kChannels, kSide, kSide};
    return mx::eladd(stream_, term, term, sum);
  }
  Result<std::uint32_t> submit() { return mx_engine.submit(stream_); }
  bool is_right() {
    hal::invalidate_cache(sum_.data(), sum_.size_bytes());
    if (failed("mx9_unpack_planes", mx::mx9_unpack_planes(sum_, kChannels, kPixels, values_))) return false;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (values_[i] != static_cast<float>(i % 64 * 2)) return false;
    }
    return true;
  }

 private:
  static constexpr std::uint32_t kChannels = 16, kSide = 256;
  static constexpr std::size_t kPixels = kSide * kSide;
  mx::Stream stream_;
  std::span<Block> term_ = take<Block>(kPixels), sum_ = take<Block>(kPixels);
  std::span<float> values_ = take<float>(kChannels * kPixels);
};

/// The product of two matrices of 768 x 768 in BF16.
class Product {
 public:
  Status prepare() {
    for (int row = 0; row < kN; ++row) {
      for (int column = 0; column < kN; ++column) {
        left_[place(row, column)] = bfloat16(element(row, column));
        right_[place(row, column)] = bfloat16(element(column, row));
      }
    }
    hal::clean_cache(left_.data(), left_.size_bytes());
    hal::clean_cache(right_.data(), right_.size_bytes());
    if (const Status status = stream_.init(take<std::byte>(kStreamBytes), cube_engine.windows()); !status) return status;
    cube::GemmArguments arguments;
    arguments.left = {hal::bus_address(left_.data()), kN, kN};
    arguments.right = {hal::bus_address(right_.data()), kN, kN};
    arguments.output = {hal::bus_address(output_.data()), kN, kN};
    return cube::gemm(stream_, arguments);
  }
  Result<std::uint32_t> submit() { return cube_engine.submit(stream_); }
  /// Checks an element in each of 16 rows, in all parts of the output.
  bool is_right() {
    hal::invalidate_cache(output_.data(), output_.size_bytes());
    for (int i = 0; i < 16; ++i) {
      const int row = i * (kN - 1) / 15, column = (i * 37 + 11) % kN;
      int expected = 0;
      for (int k = 0; k < kN; ++k) expected += element(row, k) * element(column, k);
      if (output_[place(row, column)] != static_cast<float>(expected)) return false;
    }
    return true;
  }

 private:
  static constexpr int kN = 768;
  static constexpr std::size_t kElements = std::size_t{kN} * kN;
  static int element(int row, int column) { return (row * 3 + column) % 5 - 2; }
  static std::size_t place(int row, int column) { return static_cast<std::size_t>(row) * kN + static_cast<std::size_t>(column); }
  /// An integer in BF16, which is the upper half of a float.
  static std::uint16_t bfloat16(int number) {
    return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(number)) >> 16);
  }

  cube::Stream stream_;
  std::span<std::uint16_t> left_ = take<std::uint16_t>(kElements), right_ = take<std::uint16_t>(kElements);
  std::span<float> output_ = take<float>(kElements);
};

bool verdict(const char *name, bool is_right) {
  std::printf("%s: %s\n", name, is_right ? "right" : "WRONG");
  return is_right;
}

}  // namespace

int three_engines() {
  next = board::dram_base() + kImageRoom;
  const cox::MemoryRange range = hal::dram_range();
  const cox::isa::Window dram[] = {{.base = range.address, .bytes = range.size, .read = true, .write = true}};
  if (failed("open", accelerator.open())) return 1;
  if (failed("mx", mx_engine.init(accelerator, {.windows = dram})) || failed("tile", scheduler.initialise(accelerator))) return 1;
  if (failed("cube", cube_engine.init(accelerator, {.windows = dram}))) return 1;
  static Copy copy;
  static Addition addition;
  static Product product;
  if (failed("task", copy.prepare()) || failed("addition", addition.prepare()) || failed("product", product.prepare())) return 1;

  const Result<std::uint32_t> product_tag = product.submit(), addition_tag = addition.submit();
  if (failed("submit", product_tag.status()) || failed("submit", addition_tag.status())) return 1;
  const Result<unsigned> run = copy.start();
  if (failed("start", run.status())) return 1;
  const Result<schedule::RunReport> report = scheduler.wait(run.value());
  if (failed("wait", report.status()) || failed("task", report.value().status)) return 1;
  if (failed("addition", mx_engine.wait(addition_tag.value(), mx::Engine::kDefaultLimit))) return 1;
  if (failed("product", cube_engine.wait(product_tag.value(), cube::Engine::kDefaultLimit))) return 1;

  bool good = verdict("task", copy.is_right());
  good = verdict("mx", addition.is_right()) && good;
  good = verdict("cube", product.is_right()) && good;
  // The task began last. If neither stream had ended then, all three worked at the same time.
  const std::uint64_t start = report.value().start_cycle;
  good = verdict("at the same time", start < mx_engine.end_cycle() && start < cube_engine.end_cycle()) && good;
  if (failed("close", mx_engine.close()) || failed("close", cube_engine.close()) || failed("close", scheduler.close())) return 1;
  if (failed("close", accelerator.close())) return 1;
  return good ? 0 : 1;
}
