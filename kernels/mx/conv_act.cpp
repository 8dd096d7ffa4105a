// SPDX-License-Identifier: MIT
#include "kernels/mx/conv_act.h"
