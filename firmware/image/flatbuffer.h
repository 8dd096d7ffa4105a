// SPDX-License-Identifier: MIT
// The generated reader of task images, for the .cpp files of this folder. The library's assertion is off, because the firmware has no
// abort(); the FlatBuffers verifier checks an image before the firmware reads it.
#pragma once

#define FLATBUFFERS_ASSERT(condition) static_cast<void>(condition)
#include "coxswain/firmware/image/task_generated.h"
