// SPDX-License-Identifier: MIT
#include "kernels/mx/softmax.h"
