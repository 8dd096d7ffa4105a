// SPDX-License-Identifier: MIT
// What keys cost the control core.
#pragma once

namespace unity_selftest {

/// Adds a key to each of many entries and awaits it, and awaits one that does not come. Prints the instructions of a key. No container
/// runs. Returns false if a count or an error is wrong.
bool measure_keys();

}  // namespace unity_selftest
