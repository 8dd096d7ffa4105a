// SPDX-License-Identifier: MIT
#include "tests/target/firmware/debugger.h"

#include <elf.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>
#include <thread>

#include "tools/file/file.h"

namespace cox::tests {

namespace {

constexpr unsigned kProgramCounter = 15;  ///< register number of a core with the M profile
constexpr int kSeconds = 60;

template <typename T>
T at(const std::vector<std::uint8_t> &bytes, std::size_t offset) {
  T value{};
  if (offset + sizeof(T) > bytes.size()) throw std::runtime_error("the ELF file is truncated");
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

}  // namespace

Symbol find_function(const std::string &elf, std::string_view prefix) {
  const std::vector<std::uint8_t> file = tools::read_file(elf);
  const auto header = at<Elf32_Ehdr>(file, 0);
  std::vector<Symbol> found;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const auto section = at<Elf32_Shdr>(file, header.e_shoff + i * sizeof(Elf32_Shdr));
    if (section.sh_type != SHT_SYMTAB) continue;
    const auto names = at<Elf32_Shdr>(file, header.e_shoff + section.sh_link * sizeof(Elf32_Shdr));
    for (std::uint32_t offset = 0; offset < section.sh_size; offset += sizeof(Elf32_Sym)) {
      const auto symbol = at<Elf32_Sym>(file, section.sh_offset + offset);
      if (ELF32_ST_TYPE(symbol.st_info) != STT_FUNC) continue;
      const std::size_t name = names.sh_offset + symbol.st_name;
      if (name + prefix.size() > file.size() || std::memcmp(file.data() + name, prefix.data(), prefix.size()) != 0) continue;
      found.push_back({symbol.st_value & ~1U, symbol.st_size});  // bit 0 marks Thumb code
    }
  }
  if (found.size() != 1) throw std::runtime_error(fmt::format("{}: {} functions {}", elf, found.size(), prefix));
  return found.front();
}

std::vector<std::string> debugged(const std::string &socket_path) {
  return {"-S", "-chardev", "socket,id=debugger,path=" + socket_path + ",server=on,wait=off", "-gdb", "chardev:debugger"};
}

Debugger::Debugger(const std::string &socket_path) {
  socket_ = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_path.size() >= sizeof(address.sun_path)) throw std::runtime_error(socket_path + ": too long for a socket");
  std::memcpy(address.sun_path, socket_path.c_str(), socket_path.size());
  bool connected = false;
  for (int i = 0; i < kSeconds * 100 && !connected; ++i) {
    connected = connect(socket_, reinterpret_cast<const sockaddr *>(&address), sizeof(address)) == 0;
    if (!connected) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  if (!connected) throw std::runtime_error(socket_path + ": nobody listens");
  const timeval limit{.tv_sec = kSeconds, .tv_usec = 0};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  // QEMU's gdbstub allows writing a register only after a request for the register description.
  ask("qXfer:features:read:target.xml:0,1000");
}

Debugger::~Debugger() {
  constexpr std::string_view kKill = "$k#6b";
  if (!detached_) static_cast<void>(::send(socket_, kKill.data(), kKill.size(), MSG_NOSIGNAL));
  close(socket_);
}

void Debugger::run_to(std::uint32_t address) {
  resume("s");  // steps over the breakpoint at this address
  const std::string breakpoint = fmt::format("0,{:x},2", address);
  expect(fmt::format("Z{}", breakpoint), "OK");
  resume("c");
  expect(fmt::format("z{}", breakpoint), "OK");
}

void Debugger::resume(const std::string &packet) {
  const std::string stop = ask(packet);
  if (!stop.starts_with("T05") && !stop.starts_with("S05")) throw std::runtime_error("the machine stopped with " + stop);
}

std::vector<std::uint8_t> Debugger::read(std::uint32_t address, std::uint32_t bytes) {
  const std::string text = ask(fmt::format("m{:x},{:x}", address, bytes));
  std::vector<std::uint8_t> result;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    result.push_back(static_cast<std::uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
  if (result.size() != bytes) throw std::runtime_error(fmt::format("memory at {:#x}: {}", address, text));
  return result;
}

void Debugger::set_program_counter(std::uint32_t address) {
  std::string value;
  for (unsigned i = 0; i < 4; ++i) value += fmt::format("{:02x}", address >> 8 * i & 0xFF);
  expect(fmt::format("P{:x}={}", kProgramCounter, value), "OK");
}

void Debugger::detach() {
  expect("D", "OK");
  detached_ = true;
}

void Debugger::expect(const std::string &packet, std::string_view answer) {
  if (const std::string got = ask(packet); got != answer) throw std::runtime_error(packet + ": " + got);
}

std::string Debugger::ask(const std::string &packet) {
  send(packet);
  return receive();
}

void Debugger::send(const std::string &packet) {
  unsigned sum = 0;
  for (const char c : packet) sum += static_cast<unsigned char>(c);
  const std::string text = fmt::format("${}#{:02x}", packet, sum & 0xFF);
  if (write(socket_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) throw std::runtime_error("the debugger's socket");
}

std::string Debugger::receive() {
  while (next() != '$') {
  }
  std::string text;
  for (char c = next(); c != '#'; c = next()) text += c;
  next();
  next();
  if (write(socket_, "+", 1) != 1) throw std::runtime_error("the debugger's socket");
  return text;
}

char Debugger::next() {
  char c = 0;
  if (recv(socket_, &c, 1, 0) != 1) throw std::runtime_error("the machine does not answer its debugger");
  return c;
}

}  // namespace cox::tests
