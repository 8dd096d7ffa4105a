// SPDX-License-Identifier: MIT
#pragma once

#include "isa/cube/table.h"
