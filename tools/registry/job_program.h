// SPDX-License-Identifier: MIT
// A program that the firmware runs as a job: the memory that its submitter must fill, and what `cox run` needs to know of its engine. Each
// engine whose programs run as jobs implements JobProgram and Recording in its own folder (docs/design.md, Registry of the tools).
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "coxswain/base/status.h"
#include "coxswain/device/waiting_unit.h"
#include "tools/registry/program_format.h"

namespace cox::tools {

/// The start time and the first core of a run, as its job reports them.
struct RunPlace {
  std::uint64_t start_cycle = 0;
  unsigned first_core = 0;
};

/// What DRAM holds when a run begins, besides the constants of the image.
struct RunContents {
  std::map<std::size_t, std::span<const std::uint8_t>> inputs;  ///< by the index into JobProgram::tensors()
  std::map<unsigned, std::span<const std::uint8_t>> windows;    ///< by number; bytes from the window's base on
};

/// A recording of one run of a program on the device. `cox run` writes it in several forms.
class Recording {
 public:
  Recording() = default;
  Recording(const Recording &) = delete;
  Recording &operator=(const Recording &) = delete;
  virtual ~Recording() = default;

  /// Adds the control core's own trace, the result of a read_trace job.
  virtual void add_control_trace(std::span<const std::byte> reading) = 0;

  virtual void write_events(std::ostream &out) const = 0;   ///< --events: a table
  virtual void write_trace(std::ostream &out) const = 0;    ///< --trace: a Chrome trace
  virtual void write_picture(std::ostream &out) const = 0;  ///< --svg: a picture
};

class JobProgram {
 public:
  /// A window of DRAM that a run needs.
  struct Window {
    unsigned index = 0;
    std::uint64_t size = 0;
    bool writable = false;
  };
  /// Bytes of a window that the image fills.
  struct Constant {
    unsigned window = 0;
    std::uint64_t offset = 0, size = 0;
  };
  enum class Direction : std::uint8_t { input, output };
  struct Tensor {
    std::string name;
    Direction direction = Direction::input;
    unsigned window = 0;
    std::uint64_t offset = 0, size = 0;  ///< bytes
  };
  struct Interface {
    std::string name;
    std::vector<std::uint8_t> image;    ///< for a load job
    std::uint64_t workspace_bytes = 0;  ///< memory that the firmware keeps while the program is loaded
    unsigned cores = 1;                 ///< cores that the program needs
    std::uint64_t images = 1;           ///< images that a run computes
    std::vector<Window> windows;
    std::vector<Constant> constants;
    std::vector<Tensor> tensors;
  };

  explicit JobProgram(Interface interface) : interface_(std::move(interface)) {}
  JobProgram(const JobProgram &) = delete;
  JobProgram &operator=(const JobProgram &) = delete;
  virtual ~JobProgram() = default;

  [[nodiscard]] const Interface &interface() const { return interface_; }
  [[nodiscard]] const std::string &name() const { return interface_.name; }
  [[nodiscard]] const std::vector<Tensor> &tensors() const { return interface_.tensors; }

  /// Returns the multiply-accumulates of one run.
  [[nodiscard]] virtual std::uint64_t multiply_accumulates() const = 0;
  /// What the device can do at most in a cycle for a program.
  struct Limits {
    std::uint64_t macs_per_cycle = 0;  ///< INT8 multiply-accumulates of the program's cores together
    double dram_bytes_per_cycle = 0;   ///< bytes to and from DRAM, all movers together
  };
  /// Returns the limits of a device with these options; empty if the engine has no such numbers.
  [[nodiscard]] virtual std::optional<Limits> limits(const model::Options & /*device*/) const { return std::nullopt; }
  /// Returns false if a run must not begin again after a fault, because the program changes its inputs. Returns true if it may, and also if
  /// the image cannot be read.
  [[nodiscard]] virtual bool restartable() const = 0;
  /// Returns a sentence for the user about a job that failed with this status.
  [[nodiscard]] virtual std::string describe(const Status &status) const = 0;
  /// Returns describe() of a run that began with `contents`, with what else can be found out about the error.
  [[nodiscard]] virtual std::string describe_run(const Status &status, const RunContents & /*contents*/) const { return describe(status); }
  /// Returns lines to append to the sentence about a failed run, one for each unit of the engine that waited for keys.
  [[nodiscard]] virtual std::string describe_waiting(std::span<const registers::WaitingUnit> /*units*/) const { return {}; }
  /// Runs the program step by step without firmware: obeys the commands in `in`, and prints to `out`. Throws FileError if the engine has no
  /// such view of a run.
  virtual void step(const RunContents &contents, std::istream &in, std::ostream &out, bool prompt) const;
  /// Prints what the user asked to see of a run on standard output, for example registers. `outputs`: bytes of the output tensors, by their
  /// numbers.
  virtual void print_outputs(const std::map<std::size_t, std::vector<std::uint8_t>> & /*outputs*/, std::ostream & /*out*/) const {}
  /// Returns a replay file for the model (docs/model.md, Options) with the durations in the trace file at `path`. Throws
  /// Failure(bad_input).
  [[nodiscard]] virtual std::string replay_of_trace(const std::string &path) const = 0;
  /// Returns true if read_recording() can be called.
  [[nodiscard]] virtual bool is_recorded() const { return true; }
  /// Reads the run at `place` in the event log at `path`. Throws Failure(failed) if the log cannot be read or lacks a part of the run.
  [[nodiscard]] virtual std::unique_ptr<Recording> read_recording(const std::string &path, const RunPlace &place) const = 0;

 private:
  Interface interface_;
};

/// Returns the format of the task image `file` if it holds a program of an engine that runs streams, and nullptr for any other file. Throws
/// FileError if such an image is broken.
[[nodiscard]] const ProgramFormat *format_of_image(ProgramFormats formats, const std::string &file);

/// Returns the format of a program that is to run as a job: format_of_image(), otherwise the format with the ending of `file` if programs
/// of this format run as jobs, otherwise the first format whose programs run as jobs. Throws FileError.
[[nodiscard]] const ProgramFormat &job_format(ProgramFormats formats, const std::string &file);

}  // namespace cox::tools
