// SPDX-License-Identifier: MIT
// The heap for code that runs before main (constructors, the C library): bounded, and closed when main begins.
#pragma once

namespace cox::board::heap {

/// Makes every later allocation fail.
void close();

}  // namespace cox::board::heap
