// SPDX-License-Identifier: MIT
#include "kernels/mx/mx9_unpack.h"
