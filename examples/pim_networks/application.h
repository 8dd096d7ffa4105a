// SPDX-License-Identifier: MIT
// The application of both networks: writes the program on the control core and runs it for each image (README.md).
#pragma once

#include "examples/pim_networks/network.h"

namespace cox::pim_networks {

/// Processes the data block at the base of DRAM and returns the exit status.
int run_network(const char *application, const Network &network);

}  // namespace cox::pim_networks
