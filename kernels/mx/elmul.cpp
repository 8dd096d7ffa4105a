// SPDX-License-Identifier: MIT
#include "kernels/mx/elmul.h"
