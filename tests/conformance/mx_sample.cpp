// SPDX-License-Identifier: MIT
// The MX engine in the conformance suite: a program that moves blocks.
#include <cstring>

#include "coxswain/isa/mx/operation.h"
#include "coxswain/isa/mx/table.h"
#include "tests/conformance/sample.h"

namespace cox::conformance {
namespace {

namespace mx = isa::mx;

constexpr std::uint32_t kBlocks = 300;
constexpr std::uint32_t kBytes = kBlocks * sizeof(mx::Block);

void append(Bytes &program, mx::Opcode opcode, std::initializer_list<std::pair<const char *, std::int64_t>> fields) {
  mx::MachineCode code = mx::begin(opcode);
  const mx::Instruction &instruction = mx::instruction_of(opcode);
  for (const auto &[name, value] : fields) EXPECT_TRUE(mx::set(code, *mx::find_field(instruction, name), value).ok()) << name;
  const std::size_t size = program.size();
  program.resize(size + instruction.bytes);
  std::memcpy(program.data() + size, code.data(), instruction.bytes);
}

class MxSample final : public Sample {
 public:
  void open(test::EngineMachine &machine, unsigned context) const override {
    machine.write(registers::mx::base::hi::offset(context, 0), 0);
    machine.write(registers::mx::base::lo::offset(context, 0), static_cast<std::uint32_t>(test::EngineMachine::kWindow));
  }
  Bytes input(unsigned seed) const override {
    Bytes bytes(kBytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7 + seed * 29 + (i >> 8));
    return bytes;
  }
  Bytes expected(const Bytes &input) const override { return input; }
  Bytes program(std::uint64_t input, std::uint64_t output) const override {
    Bytes program;
    append(program, mx::Opcode::CONFBADDR, {});
    append(program, mx::Opcode::MOVE, {{"InOffset", offset(input)}, {"OutOffset", offset(output)}, {"Run", kBlocks - 1}});
    return program;
  }
  Refused refused() const override {
    Refused refused;
    append(refused.program, mx::Opcode::CONFBADDR, {});
    // The input begins at 0xFFFF0, so its first block extends past the end of the window, which has 1 MiB.
    append(refused.program, mx::Opcode::SIGMOID, {{"Length1", 1}, {"InOffset", 0xFFFF0}});
    refused.code = registers::FaultCode::window;
    refused.detail = registers::EngineFaultDetail{8, 32}.pack();
    return refused;
  }

 private:
  static std::int64_t offset(std::uint64_t address) { return static_cast<std::int64_t>(address - test::EngineMachine::kWindow); }
};

}  // namespace

std::unique_ptr<Sample> make_mx_sample() { return std::make_unique<MxSample>(); }

}  // namespace cox::conformance
