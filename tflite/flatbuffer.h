// SPDX-License-Identifier: MIT
// The generated reader of models, for the .cpp files of this folder. The library's assertion is off, because an application has no
// abort(); its verifier checks a model before anything reads it.
#pragma once

#ifndef FLATBUFFERS_ASSERT
#define FLATBUFFERS_ASSERT(condition) static_cast<void>(condition)
#endif
#include "coxswain/tflite/schema_generated.h"
