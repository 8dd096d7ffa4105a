// SPDX-License-Identifier: MIT
#include "hal/mx_engine.h"
