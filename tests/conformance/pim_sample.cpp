// SPDX-License-Identifier: MIT
// The PIM engine in the conformance suite.
#include "isa/pim/program.h"
#include "tests/conformance/sample.h"

namespace cox::conformance {
namespace {

class PimSample final : public Sample {
 public:
  Bytes input(unsigned /*seed*/) const override { return Bytes(64); }
  Bytes expected(const Bytes &input) const override { return input; }
  Bytes program(std::uint64_t /*input*/, std::uint64_t /*output*/) const override { return Bytes(sizeof(isa::pim::ProgramHeader)); }
  Refused refused() const override {
    return {Bytes(sizeof(isa::pim::ProgramHeader)), registers::FaultCode::unsupported,
            registers::EngineFaultDetail{0, registers::kNoFaultField}.pack()};
  }
};

}  // namespace

std::unique_ptr<Sample> make_pim_sample() { return std::make_unique<PimSample>(); }

}  // namespace cox::conformance
