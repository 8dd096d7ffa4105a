// SPDX-License-Identifier: MIT
#include "kernels/cube/stream.h"
