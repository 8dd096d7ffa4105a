// SPDX-License-Identifier: MIT
// The secure image of a build whose runtime is non-secure (docs/trustzone.md): gives the board to the non-secure state and begins the
// runtime there. Its handlers remain, to report faults of the secure state by name.
#include "boards/cortex-m55/security.h"
#include "boards/cortex-m55/tick.h"

int main() {
  cox::board::tick::stop();
  cox::board::security::divide();
  cox::board::security::start_nonsecure();
}
