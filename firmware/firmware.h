// SPDX-License-Identifier: MIT
// The whole firmware as one call, for the image's main() and for tools that run it on the native board.
#pragma once

namespace cox::firmware {

/// Identifies the device, prints a banner, and serves jobs and console until the submitter wants the firmware to leave
/// (firmware/job/job_queue.h, kExitWhenDone). Then returns 0. Returns 1, with a message on the console, if the device is unknown or the job
/// ring is refused. Each call starts anew. If board::accelerator_present() is false, it serves only the console and never returns.
int firmware_main();

}  // namespace cox::firmware
