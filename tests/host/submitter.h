// SPDX-License-Identifier: MIT
// A thread of a host that submits random jobs of all engines, and checks what becomes of each of them.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "coxswain/host/coxswain_host.h"
#include "tests/firmware/stream_programs.h"

namespace cox::tests {

/// A program for one of the engines.
struct EngineProgram {
  std::string name;
  std::vector<std::uint8_t> image;
  std::vector<WindowText> windows;
  WindowContents (*contents)(unsigned seed);
  std::uint64_t instructions = 0;
  unsigned cores = 0;  ///< tile cores of a run; 0: the program is a stream
};

inline constexpr std::size_t kEnginePrograms = 5;
/// The programs that submitters use: a task of tile cores, a stream of the MX engine, one of the matrix unit, a program of the PIM cores,
/// one of the Unity units.
using EnginePrograms = std::array<EngineProgram, kEnginePrograms>;
EnginePrograms engine_programs();

/// Numbers of jobs, by what became of them.
struct Answers {
  unsigned right = 0;      ///< done, and each byte is right
  unsigned refused = 0;    ///< refused with the right error
  unsigned cancelled = 0;  ///< by their submitter
  unsigned failed = 0;     ///< by a fault of the accelerator
  unsigned retried = 0;    ///< of `right`: begun again after a fault

  [[nodiscard]] unsigned all() const { return right + refused + cancelled + failed; }
  Answers &operator+=(const Answers &other);
};
/// [program]
using AnswersByProgram = std::array<Answers, kEnginePrograms>;

/// Each submitter has an owner and a task slot of its own, and up to four jobs in the ring. It replaces the program in its slot from time
/// to time. Wrong answers are failures of the test.
class Submitter {
 public:
  struct Settings {
    unsigned number = 0;              ///< owner and task slot
    unsigned seed = 0;                ///< of the choice of jobs
    unsigned jobs = 0;                ///< number of jobs, without loads and cancels
    bool cancel_tasks = true;         ///< cancel runs of tile tasks, too
    std::uint32_t time_limit_us = 0;  ///< of each run. If it is not 0, faults of the accelerator are expected
  };

  Submitter(cox_host *host, const EnginePrograms &programs, const Settings &settings);

  AnswersByProgram run();

 private:
  struct Pending {
    std::uint64_t ticket = 0;
    std::uint64_t area = 0;        ///< memory of the windows; 0: a job without windows
    std::uint32_t error = COX_OK;  ///< the error that the job must end with
    const char *what = "";
    WindowContents contents = {};
    bool cancelled = false;
  };
  /// A kind of job, with its share of the jobs.
  struct Choice {
    unsigned weight;
    Pending (Submitter::*make)(cox_host_job &job);
  };
  static const std::array<Choice, 5> kChoices;

  void change_program();
  void perform(const cox_host_job &job);
  Pending run_job(cox_host_job &job);
  Pending too_small_a_window(cox_host_job &job);
  Pending missing_window(cox_host_job &job);
  Pending no_such_slot(cox_host_job &job);
  Pending share(cox_host_job &job);
  void submit();
  void cancel_one();
  void finish();
  void judge(const Pending &pending, const cox_host_outcome &outcome);
  void expect_memory(const Pending &pending, const std::vector<std::vector<std::uint8_t>> &expected) const;
  [[nodiscard]] std::uint64_t allocate(std::uint64_t bytes) const;
  [[nodiscard]] std::uint64_t free_area() const;
  [[nodiscard]] std::uint8_t *window(std::uint64_t area, std::size_t index) const;
  [[nodiscard]] bool has_failed() const;
  [[nodiscard]] Answers &answers() { return answers_[current_]; }
  [[nodiscard]] const EngineProgram &program() const { return programs_[current_]; }

  cox_host *host_;
  const EnginePrograms &programs_;
  Settings settings_;
  std::mt19937 random_;
  std::array<std::uint64_t, kEnginePrograms> images_{};  ///< bus addresses
  std::uint64_t workspace_ = 0;
  std::array<std::uint64_t, 4> areas_{};
  std::size_t current_ = kEnginePrograms;  ///< index of the program in the slot; kEnginePrograms: none
  std::deque<Pending> pending_;
  AnswersByProgram answers_{};
};

}  // namespace cox::tests
