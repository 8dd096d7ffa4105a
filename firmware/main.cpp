// SPDX-License-Identifier: MIT
// The firmware image.
#include "coxswain/firmware/firmware.h"

int main() { return cox::firmware::firmware_main(); }
