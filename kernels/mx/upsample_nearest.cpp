// SPDX-License-Identifier: MIT
#include "kernels/mx/upsample_nearest.h"
