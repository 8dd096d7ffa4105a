// SPDX-License-Identifier: MIT
// The whole firmware as one call: what the image's main() is, and what a tool runs on the native board.
#pragma once

namespace cox::firmware {

/// Identifies the device, prints a banner, and serves jobs and console until the submitter wants it to leave (firmware/job/job_queue.h,
/// kExitWhenDone). 0 then; 1 with a message on the console where the device or the job ring is not what this firmware knows. Can be called
/// again after it has returned: it begins from nothing.
int firmware_main();

}  // namespace cox::firmware
