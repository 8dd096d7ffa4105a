// SPDX-License-Identifier: MIT
#pragma once

#include "isa/mx/table.h"
