// SPDX-License-Identifier: MIT
#include "kernels/mx/concat.h"
