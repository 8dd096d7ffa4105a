// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "tools/tflite/model_file.h"
#include "tools/tflite/session.h"

namespace cox::tools::tflite {

/// Switches the board on and encodes the model for the Unity units. All its operators have kernels. `file` must outlive the session. Only
/// one session can exist at a time. Throws Failure(failed).
[[nodiscard]] std::unique_ptr<Session> open_unity_session(const ModelFile &file, const SessionSettings &settings);

}  // namespace cox::tools::tflite
