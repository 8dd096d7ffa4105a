// SPDX-License-Identifier: MIT
#include "boards/native/fixed_memory.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace cox::board {

FixedMemory::~FixedMemory() {
  if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
}

bool FixedMemory::map(const char *name, std::uint64_t address, std::size_t bytes, std::string &error) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the caller asks for this address
  void *const wanted = reinterpret_cast<void *>(static_cast<std::uintptr_t>(address));
  // MAP_NORESERVE, because most of DRAM is never touched.
  void *const got = mmap(wanted, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  const int reason = errno;
  // A Linux kernel older than 4.17 treats the address as a hint, and may map another one.
  if (got == MAP_FAILED || got != wanted) {
    if (got != MAP_FAILED) munmap(got, bytes);
    char range[64];
    std::snprintf(range, sizeof(range), " at 0x%08llx, %zu bytes", static_cast<unsigned long long>(address), bytes);
    error = std::string("cannot map ") + name + range + ": " + (got == MAP_FAILED ? std::strerror(reason) : "the address is taken");
    if (got != MAP_FAILED || reason == EEXIST) error += " (another board, or a sanitizer's shadow memory, which leaves 511 MiB of DRAM)";
    return false;
  }
  bytes_ = std::span(static_cast<std::byte *>(got), bytes);
  return true;
}

std::byte *FixedMemory::at(std::uint64_t address, std::uint64_t size) const {
  const std::uint64_t base = reinterpret_cast<std::uintptr_t>(bytes_.data());
  if (address < base || address - base > bytes_.size() || size > bytes_.size() - (address - base)) return nullptr;
  return bytes_.data() + (address - base);
}

}  // namespace cox::board
