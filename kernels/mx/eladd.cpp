// SPDX-License-Identifier: MIT
#include "kernels/mx/eladd.h"
