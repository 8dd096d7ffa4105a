// SPDX-License-Identifier: MIT
// Runs the matrix unit's kernels on the control core and measures their cost there. tests/target/kernels_cube/run.py has the expected
// output.
#include <cstdio>

#include "coxswain/hal/board.h"
#include "coxswain/hal/cache.h"
#include "coxswain/hal/device.h"
#include "selftest.h"

namespace selftest {
namespace {

namespace board = cox::board;
namespace cube = cox::kernels::cube;

constexpr std::size_t kLine = 32;
constexpr unsigned kSegments = 8, kQueueSizeLog2 = 4;
constexpr std::size_t kStreamBytes = kSegments * 8192;

std::size_t used = 0;

}  // namespace

cox::hal::Accelerator accelerator;
cube::Engine engine;
cube::Stream stream;

void release_memory() { used = 0; }

std::span<std::byte> take(std::size_t bytes) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): DRAM's address
  auto *const first = reinterpret_cast<std::byte *>(board::dram_base() + used);
  used += (bytes + 2 * kLine - 1) / kLine * kLine;
  return {first, bytes};
}

void give(std::span<const std::byte> memory) { cox::hal::clean_cache(memory.data(), memory.size()); }
void fetch(std::span<std::byte> memory) { cox::hal::invalidate_cache(memory.data(), memory.size()); }

namespace {

cox::Status bring_up() {
  if (cox::Status status = accelerator.open(); !status) return status;
  const cox::isa::Window windows[] = {{.base = board::dram_base(), .bytes = board::dram_size(), .read = true, .write = true}};
  // The stream lies in queue memory. This memory is not cached, so nothing has to be cleaned.
  const cox::Result<std::span<std::byte>> stream_memory = accelerator.reserve(kStreamBytes);
  if (!stream_memory) return stream_memory.status();
  if (cox::Status status = stream.init(stream_memory.value(), windows, kSegments); !status) return status;
  if (cox::Status status = engine.init(accelerator, {.windows = windows, .queue_size_log2 = kQueueSizeLog2}); !status) return status;
  return engine.attach(stream);
}

}  // namespace
}  // namespace selftest

int main() {
  using namespace selftest;
  if (!good(bring_up())) return 1;
  test_streams();
  test_products();
  test_convolutions();
  test_softmax();
  test_attention();
  measure();
  return failed ? 1 : 0;
}
