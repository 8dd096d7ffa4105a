// SPDX-License-Identifier: MIT
// The first kernel call of the matrix unit (docs/kernels/cube.md): C = A * B, 128 x 64 by 64 x 256, BF16 in and FP32 out.
#include <array>
#include <bit>
#include <cstdio>
#include <span>

#include "coxswain/hal/accelerator.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/cache.h"
#include "coxswain/kernels/cube/engine.h"
#include "coxswain/kernels/cube/gemm.h"

namespace {

namespace cube = cox::kernels::cube;
using cox::Status;

constexpr std::uint32_t kM = 128, kK = 64, kN = 256;

cox::hal::Accelerator accelerator;
cube::Engine engine;
alignas(32) std::array<std::byte, 4096> stream_memory;

int refuse(const char *step, const Status &status) {
  std::printf("%s: %s: %s is %ld, limit %ld\n", step, cox::error_name(status.code()), status.what(), static_cast<long>(status.value()),
              static_cast<long>(status.limit()));
  return 1;
}

template <typename T>
std::span<T> memory(std::uint64_t address, std::uint64_t count) {
  return {cox::hal::core_pointer<T>(address), static_cast<std::size_t>(count)};
}

/// An integer from -2 to 2 in BF16, which is the upper half of a float.
std::uint16_t bfloat16(std::uint32_t number) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(number % 5) - 2) >> 16);
}

}  // namespace

int main() {
  // Done once: open the accelerator, and initialise the engine with the parts of DRAM that it may access.
  if (Status status = accelerator.open(); !status) return refuse("open", status);
  const cox::MemoryRange range = cox::hal::dram_range();
  const cox::isa::Window dram[] = {{.base = range.address, .bytes = range.size, .read = true, .write = true}};
  cube::Engine::Configuration configuration;
  configuration.windows = dram;
  if (Status status = engine.init(accelerator, configuration); !status) return refuse("init", status);

  // The addresses of A, B and C leave 32 KiB each for A and B.
  const std::uint64_t base = range.address;
  const auto a = memory<std::uint16_t>(base, kM * kK);
  const auto b = memory<std::uint16_t>(base + 0x8000, kK * kN);
  const auto c = memory<float>(base + 0x10000, kM * kN);

  // Done once: build the stream. Kernels write slots into it.
  cube::Stream stream;
  if (Status status = stream.init(stream_memory, engine.windows()); !status) return refuse("stream", status);
  cube::GemmArguments arguments;  // BF16 in and FP32 out by default
  arguments.left = {base, kM, kK};
  arguments.right = {base + 0x8000, kK, kN};
  arguments.output = {base + 0x10000, kM, kN};
  if (Status status = cube::gemm(stream, arguments); !status) return refuse("gemm", status);

  // Done for each input: write A and B, run the stream, read C.
  for (std::uint32_t i = 0; i < a.size(); ++i) a[i] = bfloat16(i);
  for (std::uint32_t i = 0; i < b.size(); ++i) b[i] = bfloat16(i / 7);
  cox::hal::clean_cache(a.data(), a.size_bytes());
  cox::hal::clean_cache(b.data(), b.size_bytes());
  if (Status status = engine.run(stream); !status) return refuse("run", status);
  cox::hal::invalidate_cache(c.data(), c.size_bytes());

  for (const std::uint32_t place : std::array<std::uint32_t, 3>{0, 1000, kM * kN - 1})
    std::printf("c[%u] = %ld\n", static_cast<unsigned>(place), static_cast<long>(c[place]));
  return 0;
}
