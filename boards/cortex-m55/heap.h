// SPDX-License-Identifier: MIT
// The heap of what runs before main (constructors, the C library): bounded, and closed when main begins.
#pragma once

namespace cox::board::heap {

/// From now on there is no more memory.
void close();

}  // namespace cox::board::heap
