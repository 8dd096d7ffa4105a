// SPDX-License-Identifier: MIT
// What tests of the host library share: a machine with the real firmware, and a link to it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "coxswain/host/coxswain_host.h"
#include "tests/host/machines.h"
#include "tests/tools/run/small_task.h"
#include "tools/tile/image.h"

namespace cox::tests {

inline constexpr std::uint32_t kLong = 30'000'000;  ///< a limit that only a broken program reaches

/// The board on which a test runs.
struct Kind {
  const char *name;
  std::unique_ptr<Machine> (*machine)(const MachineSettings &);
  bool is_process;  ///< the machine is a process of its own. Otherwise the firmware is a thread of this one
};
inline const Kind kQemu{"qemu", qemu_machine, true}, kNative{"native", native_machine, false};

inline std::string kind_name(const testing::TestParamInfo<Kind> &info) { return info.param.name; }

class HostTest : public testing::TestWithParam<Kind> {
 protected:
  static constexpr std::size_t kTensor = tools::run::kTensor;

  void start(const MachineSettings &settings = {}, const cox_host_options &options = {}) {
    boot(settings);
    if (!IsSkipped()) open(options);
  }
  void boot(const MachineSettings &settings) {
    machine = GetParam().machine(settings);
    if (machine == nullptr) GTEST_SKIP() << "no QEMU, or no image";
  }
  void open(const cox_host_options &options = {}) {
    const cox_status status = machine->open(options, &host);
    ASSERT_EQ(status.error, COX_OK) << cox_error_name(status.error) << " " << status.what;
  }
  void close() {
    cox_host_close(host);
    host = nullptr;
  }
  /// Closes the link and ends the firmware, so that Machine::waits_for_ticks() can be called.
  void stop() {
    close();
    machine->stop();
  }
  void TearDown() override {
    close();
    if (machine != nullptr) machine->stop();
  }
  void load(std::uint32_t slot) {
    const cox_status status = cox_host_load(host, slot, image.data(), image.size(), kLong);
    ASSERT_EQ(status.error, COX_OK) << cox_error_name(status.error) << " " << status.what;
  }
  std::uint64_t allocate(std::uint64_t bytes) {
    std::uint64_t address = 0;
    EXPECT_EQ(cox_host_allocate(host, bytes, &address).error, COX_OK);
    return address;
  }
  std::uint8_t *at(std::uint64_t address, std::uint64_t bytes) {
    return static_cast<std::uint8_t *>(cox_host_memory(host, address, bytes));
  }
  static cox_host_job run_job(std::uint32_t slot, std::uint64_t window) {
    cox_host_job job{};
    job.kind = COX_HOST_RUN;
    job.task_slot = slot;
    job.windows[0] = {window, 2 * kTensor};
    return job;
  }
  static cox_host_job share_job(std::uint32_t weight = 1) {
    cox_host_job job{};
    job.kind = COX_HOST_SHARE;
    job.argument = weight;
    return job;
  }
  void expect_copied(std::uint64_t window) {
    const std::uint8_t *bytes = at(window, 2 * kTensor);
    EXPECT_EQ(std::memcmp(bytes, bytes + kTensor, kTensor), 0);
  }

  std::unique_ptr<Machine> machine;
  cox_host *host = nullptr;
  std::vector<std::uint8_t> image = task::build_image(tools::run::copy_task());
};

/// A file for the test that runs.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string &text = {}) { std::ofstream(path()) << text; }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;
  ~TemporaryFile() { unlink(path().c_str()); }

  /// Each test has one such file.
  [[nodiscard]] static std::string path() {
    std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    std::ranges::replace(name, '/', '_');
    return testing::TempDir() + "host_" + name + "_" + std::to_string(getpid());
  }
};

/// A file with a plan of faults for the accelerator (docs/faults.md).
class FaultPlan : TemporaryFile {
 public:
  explicit FaultPlan(const std::string &lines) : TemporaryFile(lines) {}

  /// Returns options of the model that name the plan.
  [[nodiscard]] static std::string options() { return R"({"faults": ")" + path() + R"("})"; }
};

}  // namespace cox::tests
