// SPDX-License-Identifier: MIT
// The firmware image of a build with keys: it takes only images that are signed with one of them.
#include "coxswain/firmware/console/text.h"
#include "coxswain/firmware/firmware.h"
#include "coxswain/firmware/signature/built_in_keys.h"
#include "coxswain/firmware/signature/policy.h"

int main() {
  using namespace cox::firmware;
  cox_signing_policy policy{};
  policy.keys = signature::built_in_keys;
  policy.key_count = signature::built_in_key_count;
  if (const cox::Status status = signature::set_policy(policy); !status.ok()) {
    console::print(console::Text() << "coxswain: the keys of this build are refused: " << status);
    return 1;
  }
  return firmware_main();
}
