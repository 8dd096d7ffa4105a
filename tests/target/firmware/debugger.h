// SPDX-License-Identifier: MIT
// Stops the control core under QEMU and sets its program counter, through QEMU's gdbstub. Tests use this to make the real image hang.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cox::tests {

/// A function of an image.
struct Symbol {
  std::uint32_t address = 0;  ///< address of its first instruction
  std::uint32_t bytes = 0;
};

/// Returns the only function of the ELF file whose mangled name begins with `prefix`. Throws std::runtime_error if there is none or more
/// than one.
Symbol find_function(const std::string &elf, std::string_view prefix);

/// Returns the options of QEMU for a machine that waits at a socket for a debugger, before its first instruction.
std::vector<std::string> debugged(const std::string &socket_path);

/// A connection to the gdbstub. Each failure, and each call of more than a minute, throws std::runtime_error.
class Debugger {
 public:
  /// Waits for the machine to listen.
  explicit Debugger(const std::string &socket_path);
  Debugger(const Debugger &) = delete;
  Debugger &operator=(const Debugger &) = delete;
  /// Ends the machine, unless detach() was called.
  ~Debugger();

  /// Lets the core run until it reaches `address`. If the core is at this address already, it runs until it reaches the address again.
  void run_to(std::uint32_t address);
  std::vector<std::uint8_t> read(std::uint32_t address, std::uint32_t bytes);
  /// Sets the address at which the core continues.
  void set_program_counter(std::uint32_t address);
  /// Lets the core continue without a debugger.
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
