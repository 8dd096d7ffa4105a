// SPDX-License-Identifier: MIT
// Submits jobs without work to the firmware under QEMU, one after another. The mailbox's log then has the times of their round trips.
#include <cstdio>
#include <cstdlib>

#include "coxswain/host/coxswain_host.h"
#include "tests/host/machines.h"

int main(int count, char **arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: bench_host LOG JOBS\n");
    return 2;
  }
  const auto machine = cox::tests::qemu_machine({.mailbox_log = arguments[1]});
  cox_host *host = nullptr;
  if (machine == nullptr || machine->open({}, &host).error != COX_OK) {
    std::fprintf(stderr, "bench_host: no machine under QEMU\n");
    return 1;
  }
  cox_host_job job{};
  job.kind = COX_HOST_SHARE;
  job.argument = 1;
  for (int i = 0; i < std::atoi(arguments[2]); ++i) {
    const cox_status status = cox_host_do(host, &job, COX_HOST_FOREVER, nullptr);
    if (status.error != COX_OK) {
      std::fprintf(stderr, "bench_host: %s %s\n", cox_error_name(status.error), status.what);
      return 1;
    }
  }
  cox_host_close(host);
  return 0;
}
