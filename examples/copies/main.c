/* SPDX-License-Identifier: MIT */
/* The program on the target. */
#include "examples/copies/copies.h"

int main(void) { return copies(); }
