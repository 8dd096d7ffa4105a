// SPDX-License-Identifier: MIT
// This board has no hooks of its own: QEMU's simulation probe answers (boards/devices/simulated.h).
