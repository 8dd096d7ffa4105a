// SPDX-License-Identifier: MIT
// Addresses in a container that a task image relocates (docs/unity-assembly.md, Task images): those of operands in the operand tables that
// lie in the container, those of predicates in the lists of CASE and of results in the lists of UNSTACK, DRAM addresses in streams of the
// matrix unit, and the page.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tools/image/stream_image.h"

namespace cox::tools::unity {

/// In the order of their places. The place is an isa::unity::AddressPlace. Containers that are not relative have none.
[[nodiscard]] std::vector<PlacedAddress> addresses(std::span<const std::uint8_t> container);
/// Changes one of addresses(). In an image, an address has no meaning; but 0 would say that an operand is absent, so it becomes 1 there.
void write_address(std::span<std::uint8_t> container, const PlacedAddress &placed);
/// The relocation of an address of one of the container's own bytes. In a file, a container lies at address 0.
[[nodiscard]] std::optional<firmware::image::Relocation> relocate_own(std::span<const std::uint8_t> container, const PlacedAddress &placed);

}  // namespace cox::tools::unity
