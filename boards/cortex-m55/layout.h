// SPDX-License-Identifier: MIT
// The symbols of linker/layout.ld.in. Only their addresses have a meaning; their values have none.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
extern const std::byte linker_vectors[] __asm("__Vectors");  // vectors.S
extern std::byte linker_fault_stack_top[];
extern std::byte linker_stack_limit[];
extern std::byte linker_stack_top[];
extern const std::byte linker_data_image[];
extern std::byte linker_data_start[];
extern std::byte linker_data_end[];
extern std::byte linker_bss_start[];
extern std::byte linker_bss_end[];
extern std::byte linker_heap_start[];
extern std::byte linker_heap_end[];
extern std::byte linker_retained_start[];
extern std::byte linker_retained_end[];
extern std::byte linker_queues_start[];
extern std::byte linker_queues_end[];

// The veneers through which non-secure code calls the entries of a secure image (security.h).
extern const std::byte linker_entries_start[];
extern const std::byte linker_entries_end[];

using Constructor = void (*)();
extern const Constructor linker_init_array_start[];
extern const Constructor linker_init_array_end[];
}

namespace cox::board {

inline std::uint32_t address_of(const std::byte *symbol) { return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(symbol)); }

}  // namespace cox::board
