// SPDX-License-Identifier: MIT
#include "kernels/mx/stream.h"
