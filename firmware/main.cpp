// SPDX-License-Identifier: MIT
// The firmware image.
#include "firmware/firmware.h"

int main() { return cox::firmware::firmware_main(); }
