// SPDX-License-Identifier: MIT
// Jobs with programs of the Unity units, on the real image under QEMU and natively: units that order their work by keys, and keys that
// never come.
#include <gmock/gmock.h>

#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string>

#include "coxswain/hal/stream_engine.h"
#include "tests/target/firmware/jobs_on_board.h"
#include "tools/registry/job_program.h"
#include "tools/unity/registration.h"

namespace cox::tests {
namespace {

using firmware::job::Outcome;
using firmware::job::State;
using registers::WaitingUnit;
using testing::AllOf;
using testing::ElementsAre;
using testing::Field;

constexpr unsigned kWords = 1024, kResult = 1000;
/// A device with as many units as a container may have.
constexpr const char *kDevice = R"({"geometry": {"unity_units": 8}})";

std::string word(unsigned number) { return "data+" + std::to_string(4 * number); }

/// An instruction on words of the tensor: result = first op second.
std::string binary(const char *op, unsigned result, unsigned first, unsigned second, const std::string &keys = "") {
  return std::string("    ") + op + " D=" + word(result) + " S0=" + word(first) + " S1=" + word(second) +
         " LEN=1 S0_UNIT=s32 S1_UNIT=s32 D_UNIT=s32 " + keys + "\n";
}
std::string add(unsigned result, unsigned first, unsigned second, const std::string &keys = "") {
  return binary("ADD", result, first, second, keys);
}
std::string unit(unsigned number) { return ".unit " + std::to_string(number) + "\n"; }
std::string entry(unsigned table, unsigned number) { return std::to_string(table) + ":" + std::to_string(number); }

class UnityJobs : public JobsOnBoard {
 protected:
  /// Loads a program whose text lacks the tensor `data`, and submits a run. Word i of the tensor is i + 1, up to word 63; the rest is 0.
  std::size_t submit(const std::string &program, std::uint32_t time_limit_us = 0) {
    const std::string path = testing::TempDir() + "unity_jobs_" + std::to_string(getpid()) + ".xdsa";
    std::ofstream(path) << ".window 0 base=0x1000000 bytes=" << 4 * kWords
                        << "\n.window 1 base=0x2000000 bytes=64\n.window 2 base=0x3000000 bytes=64\n.tensor data window=0 offset=0 bytes="
                        << 4 * kWords << " in out\n"
                        << program;
    const auto job = tools::unity::program_format().read_job(path);
    std::vector<std::uint8_t> bytes(4 * kWords);
    for (std::uint32_t i = 0; i < 64; ++i) {
      const std::uint32_t value = i + 1;
      std::memcpy(&bytes[4 * i], &value, sizeof value);
    }
    loads_.push_back(jobs_.load(job->interface().image, slot_));
    windows_.push_back({jobs_.place(bytes), bytes.size()});
    std::vector<firmware::job::Window> windows = {windows_.back()};
    for (unsigned i = 1; i < job->interface().windows.size(); ++i) windows.push_back({jobs_.place(std::vector<std::uint8_t>(64)), 64});
    runs_.push_back(jobs_.run(slot_, windows, time_limit_us));
    ++slot_;
    return runs_.size() - 1;
  }
  void run() {
    execute(jobs_, kDevice);
    for (const std::size_t load : loads_) ASSERT_EQ(jobs_.outcome(load).error, ErrorCode::ok) << jobs_.outcome(load).what;
    for (const std::size_t run : runs_) ASSERT_EQ(jobs_.outcome(run).state, State::done);
  }
  [[nodiscard]] JobResult result(std::size_t run) const { return jobs_.outcome(runs_[run]); }
  [[nodiscard]] static std::vector<WaitingUnit> waiting(const JobResult &result) {
    return {result.job.waiting, result.job.waiting + result.job.waiting_units};
  }
  /// The address of the container that a run's units read: the workspace of its load.
  [[nodiscard]] std::uint64_t container(std::size_t run) const { return jobs_.request(loads_[run]).workspace_address; }
  void expect_result(std::size_t run, std::uint32_t expected) {
    ASSERT_EQ(result(run).error, ErrorCode::ok) << run << ": " << result(run).what;
    std::uint32_t value = 0;
    std::memcpy(&value, jobs_.bytes(windows_[run].address + std::uint64_t{4} * kResult, sizeof value).data(), sizeof value);
    EXPECT_EQ(value, expected) << run;
    EXPECT_EQ(result(run).job.waiting_units, 0);
  }

  static auto waits(unsigned unit, int instruction, unsigned table, unsigned entry, unsigned wanted, unsigned held) {
    return AllOf(Field(&WaitingUnit::unit, unit), Field(&WaitingUnit::instruction, instruction), Field(&WaitingUnit::table, table),
                 Field(&WaitingUnit::entry, entry), Field(&WaitingUnit::wanted, wanted), Field(&WaitingUnit::held, held));
  }

  JobList jobs_{32};
  std::uint32_t slot_ = 0;
  std::vector<std::size_t> loads_, runs_;
  std::vector<firmware::job::Window> windows_;
};

// Programs of tests/sim/unity/machine/random_timing_test.cpp.

/// Unit u adds 1 to the word that unit u - 1 has written.
std::string chain() {
  std::string text = unit(0) + add(993, 0, 0, "deposit=0:0");
  for (unsigned u = 1; u < 8; ++u)
    text += unit(u) + add(993 + u, 992 + u, 0, "fetch=" + entry(0, u - 1) + (u < 7 ? " deposit=" + entry(0, u) : ""));
  return text;
}

/// Unit 0 writes two buffers in turn; unit 1 adds them up. Two keys say that buffers are free.
std::string two_buffers() {
  std::string producer, consumer;
  for (unsigned i = 0; i < 12; ++i) {
    producer += add(200 + i % 2, i, 0, "fetch=0:1 deposit=0:2 blk");
    consumer += add(kResult, kResult, 200 + i % 2, "fetch=0:2 deposit=0:1 blk");
  }
  return ".key 0:1 = 2\n" + unit(0) + producer + unit(1) + consumer;
}

/// Both units loop five times and pass the word to and fro.
std::string loops() {
  std::string text = ".key 0:0 = 1\n", subs;
  for (unsigned u = 0; u < 2; ++u) {
    const std::string turn = "turn" + std::to_string(u);
    // The counter is the sum of words 0 and 3.
    text += unit(u) + add(500 + u, 0, 3, "blk") + "    WHILE_LOOP PRED=" + word(500 + u) + " BODY=" + turn + " LIMIT=5 UNIT=s32\n";
    subs += ".sub " + turn + "\n" + add(kResult, kResult, u, "fetch=" + entry(0, u) + " deposit=" + entry(0, 1 - u)) +
            binary("SUB", 500 + u, 500 + u, 0);
  }
  return text + subs;
}

/// Unit 0 computes the predicate of unit 1's branch; unit 2 waits for what the branch runs.
std::string branches() {
  return unit(0) + binary("SUB", 600, 3, 3, "deposit=0:7") + unit(1) + "    COND PRED=" + word(600) +
         " TRUE=never FALSE=seven UNIT=s32 fetch=0:7\n" + unit(2) + add(kResult, 700, 700, "fetch=0:8") + ".sub never\n" +
         add(700, 60, 60, "deposit=0:8") + ".sub seven\n" + add(700, 5, 0, "deposit=0:8");
}

TEST_P(UnityJobs, UnitsWithKeysGiveTheSameResults) {
  const std::string programs[] = {chain(), two_buffers(), loops(), branches()};
  for (const std::string &program : programs) submit(program);
  run();
  const std::uint32_t expected[] = {9, 78 + 12, 15, 14};
  for (std::size_t i = 0; i < std::size(programs); ++i) expect_result(i, expected[i]);
}

/// The example of docs/isa/unity.md without unit 1's deposit.
std::string missing_key() {
  return unit(0) + add(100, 0, 0, "deposit=0:5") + add(101, 0, 0, "fetch=2*0:5 deposit=0:6") + unit(1) + add(102, 0, 0) +
         add(103, 0, 0, "fetch=0:6");
}

TEST_P(UnityJobs, AMissingKeyEndsTheJobWithAReport) {
  const std::size_t stuck = submit(missing_key());
  // The control core could deposit a key, so these wait: one until the limit of the program, one until that of the job.
  constexpr unsigned kLimit = 200 * 1024;
  const std::size_t limited = submit(".host_deposits\n.time_limit " + std::to_string(kLimit) + "\n" + missing_key());
  const std::size_t late = submit(".host_deposits\n" + missing_key(), 5000);
  const std::size_t next = submit(chain());
  run();

  for (const std::size_t job : {stuck, limited, late}) {
    const JobResult result = this->result(job);
    EXPECT_THAT(waiting(result), ElementsAre(waits(0, 1, 0, 5, 2, 1), waits(1, 1, 0, 6, 1, 0))) << job;
    if (job == late) {
      EXPECT_EQ(result.error, ErrorCode::time_limit);
      EXPECT_EQ(result.what, "stream");
      continue;
    }
    EXPECT_EQ(result.error, ErrorCode::deadlock);
    EXPECT_EQ(result.what, "units");
    EXPECT_EQ(result.job.error_value, 3) << "a bit for each unit";
    EXPECT_EQ(result.job.fault_address, container(job) + result.job.waiting[0].offset);
  }
  const auto cycles = [&](std::size_t job) { return result(job).job.end_cycle - result(job).job.start_cycle; };
  EXPECT_LT(cycles(stuck), kLimit / 2) << "at once";
  EXPECT_GE(cycles(limited), kLimit);
  expect_result(next, 9);
}

TEST_P(UnityJobs, AFaultReportsTheUnitsThatWaitForItsKeys) {
  const std::string faulty = "    ADD D=data S0=data S1=data LEN=0 S0_UNIT=s32 S1_UNIT=s32 D_UNIT=s32 deposit=3:7\n";
  const std::size_t failed = submit(unit(0) + add(100, 0, 0, "blk") + faulty + unit(1) + add(101, 0, 0) + add(102, 0, 0, "fetch=8*3:7"));
  const std::size_t next = submit(branches());
  run();
  const JobResult result = this->result(failed);
  EXPECT_EQ(result.error, ErrorCode::device_fault);
  EXPECT_EQ(result.what, "LEN");
  EXPECT_EQ(result.index, 1);
  EXPECT_EQ(result.job.error_value, static_cast<std::int64_t>(hal::FaultCode::field_out_of_range));
  EXPECT_THAT(waiting(result), ElementsAre(waits(1, 1, 3, 7, 8, 0)));
  expect_result(next, 14);
}

INSTANTIATE_TEST_SUITE_P(Native, UnityJobs, testing::Values(BoardKind::native));
INSTANTIATE_TEST_SUITE_P(Qemu, UnityJobs, testing::Values(BoardKind::qemu));

}  // namespace
}  // namespace cox::tests
