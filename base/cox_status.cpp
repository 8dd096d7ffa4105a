// SPDX-License-Identifier: MIT
#include "base/cox_status.h"

#include "base/status.h"

const char *cox_error_name(uint32_t error) { return cox::error_name(static_cast<cox::ErrorCode>(error)); }
