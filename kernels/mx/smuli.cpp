// SPDX-License-Identifier: MIT
#include "kernels/mx/smuli.h"
