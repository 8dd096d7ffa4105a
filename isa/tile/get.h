// SPDX-License-Identifier: MIT
#pragma once

#include "isa/tile/table.h"
