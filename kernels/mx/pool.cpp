// SPDX-License-Identifier: MIT
#include "kernels/mx/pool.h"
