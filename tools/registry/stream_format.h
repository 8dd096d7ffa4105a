// SPDX-License-Identifier: MIT
// A format whose programs are streams. Their text form has lines of Field=value (tools/assembly), their binary form is the engine's bytes.
// A program is a single file: the text, the bytes, or a task image with windows, constants and tensors.
#pragma once

#include <cstddef>
#include <ostream>

#include "tools/check/report.h"
#include "tools/image/stream_image.h"
#include "tools/registry/job_program.h"
#include "tools/registry/program_format.h"

namespace cox::tools {

class StreamFormat : public ProgramFormat {
 public:
  using ProgramFormat::ProgramFormat;

  [[nodiscard]] std::string text_name() const override;
  [[nodiscard]] std::string binary_name() const override;
  [[nodiscard]] bool is_text(std::string_view text) const override;
  /// Returns true if `bytes` is a task image for the engine, or can be printed as instructions of the engine.
  [[nodiscard]] bool is_binary(std::span<const std::uint8_t> bytes) const final;
  /// Writes a task image if `output` has the ending of one, otherwise the stream's bytes. `path` may be text or, for an image, also bytes.
  void assemble(const std::string &path, const std::string &bindings, const model::Options &device, const std::string &output) const final;
  void disassemble(const std::string &path, const std::string &output) const final;
  [[nodiscard]] Verdict check(const std::string &path, const model::Options &device, bool json, const Print &print) const final;
  /// Takes only task images.
  [[nodiscard]] std::shared_ptr<const JobProgram> read_job(const std::string &path) const override;

  /// A program with the addresses that its bindings give.
  struct Placed {
    StreamBindings bindings;
    std::vector<std::uint8_t> stream;
    model::Options device{};  ///< on which it is to run
  };
  [[nodiscard]] Placed place(const StreamImage &image) const;
  /// Returns the multiply-accumulates of a program.
  [[nodiscard]] virtual std::uint64_t multiply_accumulates(const Placed & /*program*/) const { return 0; }
  /// Returns false if the program changes its inputs, so that it may compute something else when it runs again.
  [[nodiscard]] virtual bool restartable(const Placed & /*program*/) const { return true; }
  /// Returns a sentence for the user about an error of a load or of a run.
  [[nodiscard]] virtual std::string describe(const Placed &program, const Status &status) const;
  /// As in JobProgram.
  [[nodiscard]] virtual std::string describe_run(const Placed &program, const Status &status, const RunContents & /*contents*/) const {
    return describe(program, status);
  }
  /// As in JobProgram.
  [[nodiscard]] virtual std::string describe_waiting(const Placed & /*program*/, std::span<const registers::WaitingUnit> /*units*/) const {
    return {};
  }
  virtual void step(const Placed &program, const RunContents &contents, std::istream &in, std::ostream &out, bool prompt) const;
  /// Prints an output tensor of a run, if the user asked to see it.
  virtual void print_output(const JobProgram::Tensor & /*tensor*/, std::span<const std::uint8_t> /*bytes*/, std::ostream & /*out*/) const {}

 protected:
  /// assemble_text() for a device.
  [[nodiscard]] virtual std::vector<std::uint8_t> assemble_for(std::string_view text, const std::string &file,
                                                               const model::Options & /*device*/) const {
    return assemble_text(text, file);
  }
  /// assemble_for() with the bindings that the text gives, for formats whose texts can have some.
  [[nodiscard]] virtual Placed assemble_placed(std::string_view text, const std::string &file, const model::Options &device) const {
    return {.bindings = {}, .stream = assemble_for(text, file, device)};
  }
  /// check_stream() for a device, with the windows of an image. A stream without bindings has no windows.
  [[nodiscard]] virtual Report check_program(const Placed &program, const model::Options & /*device*/) const {
    return check_stream(program.stream);
  }
  [[nodiscard]] StreamImage make_image(std::vector<std::uint8_t> stream, const std::string &path, const std::string &bindings) const;
  /// Returns `bindings.image` with the program and its relocations. `path` and `file`, the source of the bindings, are for messages.
  [[nodiscard]] StreamImage image_of(std::vector<std::uint8_t> stream, StreamBindings bindings, const std::string &path,
                                     const std::string &file) const;
  [[nodiscard]] virtual bool is_instruction(std::string_view name) const = 0;
  [[nodiscard]] virtual Report check_stream(std::span<const std::uint8_t> stream) const = 0;
  /// Returns the number of instructions in a stream, including those that the engine would refuse.
  [[nodiscard]] virtual std::size_t count(std::span<const std::uint8_t> stream) const = 0;

  // What an engine's places of relocations are (docs/task-image.md, Programs of streams): base registers, or slots with DRAM addresses.

  /// Returns the number of base registers, 0 if the engine has no such registers.
  [[nodiscard]] virtual unsigned base_registers() const { return 0; }
  /// Returns the DRAM addresses in the stream, in order of their places.
  [[nodiscard]] virtual std::vector<PlacedAddress> addresses(std::span<const std::uint8_t> /*stream*/) const { return {}; }
  /// Changes one of addresses().
  virtual void write_address(std::span<std::uint8_t> /*stream*/, const PlacedAddress & /*placed*/) const {}
  /// Returns the relocation of one of addresses() that lies in no window, if it is an address of the stream itself.
  [[nodiscard]] virtual std::optional<firmware::image::Relocation> own_relocation(std::span<const std::uint8_t> /*stream*/,
                                                                                  const PlacedAddress & /*placed*/) const {
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool is_image_of_engine(std::span<const std::uint8_t> bytes) const;
};

}  // namespace cox::tools
