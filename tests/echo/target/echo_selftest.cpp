// SPDX-License-Identifier: MIT
// The echo engine's kernel on the control core, under QEMU: a copy, a fault and the recovery from it. tests/echo/target.py has the expected
// output.
#include <cstdio>
#include <cstring>

#include "coxswain/hal/board.h"
#include "coxswain/hal/cache.h"
#include "coxswain/hal/device.h"
#include "tests/echo/kernels/build.h"
#include "tests/echo/kernels/echo.h"

namespace {

namespace echo = cox::kernels::echo;
using cox::Status;

constexpr std::uint32_t kBytes = 3000;
constexpr std::uint64_t kLimit = 10'000;  // us

cox::hal::Accelerator accelerator;
echo::Engine engine;
echo::Stream stream;
alignas(64) std::array<std::byte, 1024> stream_memory;

std::byte *memory(std::uint64_t address) { return reinterpret_cast<std::byte *>(static_cast<std::uintptr_t>(address)); }

int refuse(const char *step, const Status &status) {
  std::printf("%s: %s: %s\n", step, cox::error_name(status.code()), status.what());
  return 1;
}

}  // namespace

int main() {
  if (const Status status = accelerator.open(); !status.ok()) return refuse("open", status);
  const std::uint64_t base = cox::board::dram_base(), destination = base + 0x10000;
  const cox::isa::Window window{.base = base, .bytes = 0x100000, .read = true, .write = true};
  if (const Status status = engine.init(accelerator, {.windows = {&window, 1}}); !status.ok()) return refuse("init", status);
  if (const Status status = stream.init(stream_memory, engine.windows()); !status.ok()) return refuse("stream", status);

  // The first stream ends in a fault. The second stream shows that a run after a fault is right.
  if (const Status status = echo::copy(stream, base, destination, 64); !status.ok()) return refuse("copy", status);
  const auto fail = cox::isa::echo::fail();
  std::memcpy(stream.reserve(sizeof fail), &fail, sizeof fail);
  const Status fault = engine.run(stream, kLimit);
  std::printf("fault: %s at instruction %ld, %s\n", cox::error_name(fault.code()), static_cast<long>(fault.index()), engine.fault().name);

  for (std::uint32_t i = 0; i < kBytes; ++i) memory(base)[i] = static_cast<std::byte>(i * 13 + (i >> 7));
  cox::hal::clean_cache(memory(base), kBytes);
  stream.clear();
  if (const Status status = echo::copy(stream, base, destination, kBytes); !status.ok()) return refuse("copy", status);
  if (const Status status = engine.run(stream, kLimit); !status.ok()) return refuse("run", status);
  cox::hal::invalidate_cache(memory(destination), kBytes);
  const bool equal = std::memcmp(memory(base), memory(destination), kBytes) == 0;
  std::printf("copy: %s\n", equal ? "equal" : "differs");
  return equal ? 0 : 1;
}
