// SPDX-License-Identifier: MIT
// The whole firmware as one call, for the image's main() and for tools that run it on the native board.
#pragma once

namespace cox::firmware {

/// Identifies the device, prints a banner, and serves jobs and console until the submitter wants it to leave (firmware/job/job_queue.h,
/// kExitWhenDone). Then returns 0. Returns 1, with a message on the console, if it does not know the device or refuses the job ring. It can
/// be called again and then starts anew.
int firmware_main();

}  // namespace cox::firmware
