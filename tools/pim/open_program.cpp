// SPDX-License-Identifier: MIT
#include "tools/pim/open_program.h"

#include <fmt/format.h>

#include <string_view>

#include "tools/file/error.h"

namespace cox::tools::pim {

std::string container_text(const Status &status) {
  const std::string_view what = status.what();
  std::string text = std::string(error_name(status.code())) + ": ";
  if (what == "magic") return text + "the file does not begin like a PIM program";
  if (status.code() == ErrorCode::stream_truncated)
    return text + fmt::format("the program has {} bytes, and a part of it ends at byte {}", status.value(), status.limit());
  if (status.index() >= 0)
    text += what == "setting" || what == "copy" ? fmt::format("{} {}: ", what, status.index())
                                                : fmt::format("core {}: {}: ", status.index(), what);
  else
    text += fmt::format("{}: ", what);
  if (status.code() == ErrorCode::misaligned_address)
    return text + fmt::format("offset {} is not a multiple of {}", status.value(), status.limit());
  if (status.code() == ErrorCode::address_outside_buffer)
    return text + fmt::format("{:#x} lies in no local memory and not in the array", status.value());
  if (status.code() == ErrorCode::address_outside_window) return text + fmt::format("{:#x} lies in no window", status.value());
  return text + fmt::format("{}, the limit is {}", status.value(), status.limit());
}

isa::pim::Program open_program(std::span<const std::uint8_t> bytes, const std::string &file) {
  const Result<isa::pim::Program> program = isa::pim::Program::open(std::as_bytes(bytes));
  if (!program) throw FileError((file.empty() ? "" : file + ": ") + container_text(program.status()), program.status().code());
  return program.value();
}

}  // namespace cox::tools::pim
