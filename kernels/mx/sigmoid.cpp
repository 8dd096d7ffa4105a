// SPDX-License-Identifier: MIT
#include "kernels/mx/sigmoid.h"
