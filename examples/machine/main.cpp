// SPDX-License-Identifier: MIT
// The main program of an application on the target.
#include "examples/machine/mx_application.h"

int main() { return cox::machine::run_application(); }
