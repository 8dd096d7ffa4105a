// SPDX-License-Identifier: MIT
#include "coxswain/hal/native_bus.h"

#include <cstdio>
#include <cstdlib>

namespace cox::hal::native {
namespace {

Bus *current = nullptr;

Bus &connected(std::uintptr_t address) {
  if (current == nullptr) {
    std::fprintf(stderr, "hal: access to register 0x%08jx before a bus was set\n", static_cast<std::uintmax_t>(address));
    std::abort();
  }
  return *current;
}

}  // namespace

void set_bus(Bus *bus) { current = bus; }

std::uint32_t read(std::uintptr_t address) { return connected(address).read(address); }

void write(std::uintptr_t address, std::uint32_t value) { connected(address).write(address, value); }

void barrier() {
  if (current != nullptr) current->barrier();
}

void maintain_cache(CacheOperation operation, const void *data, std::size_t bytes) {
  if (current != nullptr && bytes != 0) current->maintain_cache(operation, reinterpret_cast<std::uintptr_t>(data), bytes);
}

}  // namespace cox::hal::native
