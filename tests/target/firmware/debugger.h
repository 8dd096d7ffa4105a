// SPDX-License-Identifier: MIT
// The control core under QEMU, stopped and led astray through QEMU's gdbstub: how a test makes the real image hang.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cox::tests {

/// A function of an image.
struct Symbol {
  std::uint32_t address = 0;  ///< of its first instruction
  std::uint32_t bytes = 0;
};

/// The one function of the ELF file whose mangled name begins with `prefix`. Throws std::runtime_error where there is not exactly one.
Symbol find_function(const std::string &elf, std::string_view prefix);

/// QEMU's options for a machine that waits for a debugger at a socket before its first instruction.
std::vector<std::string> debugged(const std::string &socket_path);

/// A connection. Whatever fails, or takes longer than a minute, throws std::runtime_error.
class Debugger {
 public:
  /// Waits for the machine to listen.
  explicit Debugger(const std::string &socket_path);
  Debugger(const Debugger &) = delete;
  Debugger &operator=(const Debugger &) = delete;
  /// Without detach() before it the machine ends.
  ~Debugger();

  /// Lets the core run until it comes to `address`, again where it stands there.
  void run_to(std::uint32_t address);
  std::vector<std::uint8_t> read(std::uint32_t address, std::uint32_t bytes);
  /// The address at which the core goes on.
  void set_program_counter(std::uint32_t address);
  /// The core runs on, without a debugger.
  void detach();

 private:
  std::string ask(const std::string &packet);
  void resume(const std::string &packet);
  void expect(const std::string &packet, std::string_view answer);
  void send(const std::string &packet);
  std::string receive();
  char next();

  int socket_ = -1;
  bool detached_ = false;
};

}  // namespace cox::tests
