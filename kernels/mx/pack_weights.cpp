// SPDX-License-Identifier: MIT
#include "kernels/mx/pack_weights.h"
