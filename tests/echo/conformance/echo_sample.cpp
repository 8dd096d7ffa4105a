// SPDX-License-Identifier: MIT
// The echo engine in the conformance suite.
#include <cstring>
#include <span>

#include "tests/conformance/sample.h"
#include "tests/echo/kernels/build.h"

namespace cox::conformance {
namespace {

namespace echo = isa::echo;

constexpr std::uint32_t kBytes = 5000;

Bytes bytes_of(std::span<const echo::MachineCode> codes) {
  const std::span<const std::byte> bytes = std::as_bytes(codes);
  return {bytes.begin(), bytes.end()};
}

class EchoSample final : public Sample {
 public:
  Bytes input(unsigned seed) const override {
    Bytes bytes(kBytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7 + seed * 29 + (i >> 8));
    return bytes;
  }
  Bytes expected(const Bytes &input) const override { return input; }
  Bytes program(std::uint64_t input, std::uint64_t output) const override {
    const echo::MachineCode codes[] = {echo::copy(input, output, kBytes)};
    return bytes_of(codes);
  }
  Refused refused() const override {
    const std::uint64_t input = test::EngineMachine::kWindow;
    const echo::MachineCode codes[] = {echo::copy(input, input + 64, 64), echo::fail()};
    const std::uint32_t position = sizeof codes[0];
    return {bytes_of(codes), registers::FaultCode::unsupported, registers::EngineFaultDetail{position, registers::kNoFaultField}.pack()};
  }
};

}  // namespace

std::unique_ptr<Sample> make_echo_sample() { return std::make_unique<EchoSample>(); }

}  // namespace cox::conformance
