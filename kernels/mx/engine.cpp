// SPDX-License-Identifier: MIT
#include "kernels/mx/engine.h"
