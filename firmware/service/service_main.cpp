// SPDX-License-Identifier: MIT
// The secure image of a board whose application is non-secure: opens the accelerator, divides the board, and begins the application.
#include "boards/cortex-m55/security.h"
#include "coxswain/firmware/console/text.h"
#include "coxswain/firmware/coxswain.h"

namespace {

using cox::firmware::console::print;
using cox::firmware::console::Text;

bool opened(const char *step, const cox_status &status) {
  if (status.error != COX_OK) print(Text() << "service: " << step << ": " << cox_error_name(status.error) << ": " << status.what);
  return status.error == COX_OK;
}

}  // namespace

int main() {
  const cox_options options = COX_OPTIONS;
  if (!opened("cox_open", cox_open(&options)) || !opened("cox_tile_open", cox_tile_open())) return 1;
  print(Text() << "service: the firmware is secure; the application begins");
  cox::board::security::divide();
  cox::board::security::start_nonsecure();
}
