// SPDX-License-Identifier: MIT
// Handwritten digits on PIM cores (README.md).
#include "examples/machine/mx_application.h"
#include "examples/pim_networks/application.h"

int cox::machine::run_application() { return pim_networks::run_network("pim_digits", pim_networks::kDigits); }
