// SPDX-License-Identifier: MIT
// Copies by the DMA engine under QEMU: the bytes, and the instructions that the control core executes for a copy, by itself and by the DMA
// engine. docs/dma.md (When the core copies) has the figures.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>

#include "coxswain/hal/accelerator.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/cache.h"
#include "coxswain/hal/dma.h"
#include "tests/target/selftest/selftest.h"

namespace {

using cox::hal::Dma;
using cox::hal::DmaCopy;
using selftest::good;
using selftest::verdict;

constexpr std::uint32_t kBytes[] = {64, 256, 512, 1024, 2048, 4096, 8192, 16384};
constexpr std::uint32_t kMost = 16384;

Dma dma;

std::uintptr_t source() { return cox::board::dram_base(); }
std::uintptr_t destination() { return cox::board::dram_base() + (1U << 20); }
std::byte &byte_at(std::uintptr_t address) { return *reinterpret_cast<std::byte *>(address); }  // NOLINT(performance-no-int-to-ptr)

/// Moves a list of `count` equal copies, and sets the instructions for each of them, from submit() until the outcome is taken. Sources that
/// begin `shift` bytes later are not aligned with destinations, so the core copies.
bool move(std::size_t count, std::uint32_t bytes, std::uint32_t shift, std::uint32_t &instructions) {
  std::array<DmaCopy, Dma::kMostCopies> copies;
  for (std::size_t i = 0; i < count; ++i) {
    copies[i] = {.source = source() + i * 2 * kMost + shift, .destination = destination() + i * kMost, .bytes = bytes};
  }
  const std::uint64_t begun = cox::board::executed_instructions();
  const cox::Result<Dma::Handle> list = dma.submit(std::span(copies).first(count));
  const bool right = good(list.status()) && good(dma.wait(list.value()));
  instructions = static_cast<std::uint32_t>((cox::board::executed_instructions() - begun) / count);
  for (std::size_t i = 0; right && i < count; ++i) {
    for (std::uint32_t k = 0; k < bytes; ++k) {
      if (byte_at(copies[i].source + k) != byte_at(copies[i].destination + k)) return false;
    }
  }
  return right;
}

void measure(const char *name, std::size_t count, std::uint32_t least, std::uint32_t shift) {
  bool right = true;
  for (const std::uint32_t bytes : kBytes) {
    if (bytes < least) continue;
    std::uint32_t instructions = 0;
    right = move(count, bytes, shift, instructions) && right;
    std::printf("dma.%s.%lu %lu\n", name, static_cast<unsigned long>(bytes), static_cast<unsigned long>(instructions));
  }
  verdict(name, right);
}

bool open() {
  static cox::hal::Accelerator accelerator;
  if (!good(accelerator.open())) return false;
  const cox::Result<std::span<std::byte>> memory = accelerator.reserve(Dma::kQueueBytes);
  return good(memory.status()) && good(dma.open(memory.value()));
}

}  // namespace

int main() {
  if (!open()) return 1;
  for (std::size_t i = 0; i < 2 * Dma::kMostCopies * kMost; ++i) byte_at(source() + i) = static_cast<std::byte>(selftest::random_bits());
  std::uint32_t instructions = 0;
  static_cast<void>(move(1, kMost, 0, instructions));  // the first call may do more
  measure("core", 1, 0, 4);
  measure("core_of_16", Dma::kMostCopies, 0, 4);
  measure("engine", 1, Dma::kLeastListBytes, 0);
  measure("engine_of_16", Dma::kMostCopies, Dma::kLeastBytes, 0);
  std::printf("dma.least_list_bytes %lu\n", static_cast<unsigned long>(Dma::kLeastListBytes));
  std::printf("dma.least_bytes %lu\n", static_cast<unsigned long>(Dma::kLeastBytes));
  verdict("close", good(dma.close()));
  return selftest::failed ? 1 : 0;
}
