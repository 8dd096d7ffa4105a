/* SPDX-License-Identifier: MIT */
/* The program on the target. */
#include "examples/three_engines/three_engines.h"

int main(void) { return three_engines(); }
