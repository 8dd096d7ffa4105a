// SPDX-License-Identifier: MIT
// The generated reader of task images, with the library's assertion turned off: every access below is behind the verifier, and the
// firmware has no abort() to offer. For the .cpp files of this folder.
#pragma once

#define FLATBUFFERS_ASSERT(condition) static_cast<void>(condition)
#include "firmware/image/task_generated.h"
