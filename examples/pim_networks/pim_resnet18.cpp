// SPDX-License-Identifier: MIT
// ResNet-18 on PIM cores (README.md).
#include "examples/machine/mx_application.h"
#include "examples/pim_networks/application.h"

int cox::machine::run_application() { return pim_networks::run_network("pim_resnet18", pim_networks::kResnet18); }
