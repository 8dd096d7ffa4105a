// SPDX-License-Identifier: MIT
// Executes operations from standard input: a JSON object a line, with the operation (json_operation.h) and the member `memory`, bytes in
// hexadecimal digits. Writes for each line the memory afterwards, or "error WHAT INDEX VALUE LIMIT". Usage: PROGRAM reference|fast
#include <cstdio>
#include <iostream>
#include <string>

#include "sim/model/unity/arithmetic/execute.h"
#include "tests/sim/unity/arithmetic/json_operation.h"
#include "tests/sim/unity/arithmetic/test_memory.h"

namespace cox::test {
namespace {

int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

std::vector<std::byte> bytes_of(const std::string &digits) {
  std::vector<std::byte> bytes(digits.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(digit(digits[2 * i]) << 4 | digit(digits[2 * i + 1]));
  return bytes;
}

std::string digits_of(const std::vector<std::byte> &bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string digits;
  for (const std::byte byte : bytes) {
    digits += kDigits[std::to_integer<unsigned>(byte) >> 4];
    digits += kDigits[std::to_integer<unsigned>(byte) & 15];
  }
  return digits;
}

int run(model::unity::Path path) {
  for (std::string line; std::getline(std::cin, line);) {
    const nlohmann::json members = nlohmann::json::parse(line);
    TestMemory memory(bytes_of(members.at("memory").get<std::string>()));
    const Status status = model::unity::execute(operation_of(members, TestMemory::kBase), memory, path);
    if (status) {
      std::puts(digits_of(memory.finish()).c_str());
    } else {
      std::printf("error %s %d %lld %lld\n", status.what(), status.index(), static_cast<long long>(status.value()),
                  static_cast<long long>(status.limit()));
    }
  }
  return 0;
}

}  // namespace
}  // namespace cox::test

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  return cox::test::run(std::string(argv[1]) == "fast" ? cox::model::unity::Path::fast : cox::model::unity::Path::reference);
}
