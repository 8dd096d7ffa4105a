// SPDX-License-Identifier: MIT
// The PIM cores in the conformance suite: a vector times a matrix.
#include "coxswain/isa/pim/program.h"
#include "tests/conformance/sample.h"
#include "tests/sim/pim/programs.h"

namespace cox::conformance {
namespace {

namespace pim = test::pim;

class PimSample final : public Sample {
 public:
  Bytes input(unsigned seed) const override { return pim::operands_of(seed); }
  Bytes expected(const Bytes &input) const override { return pim::product_of(input); }
  Bytes program(std::uint64_t input, std::uint64_t output) const override {
    pim::Assembly program;
    pim::add_product(program, 0, dram(input), dram(output));
    return program.bytes();
  }
  Refused refused() const override {
    using namespace pim::build;  // NOLINT(google-build-using-namespace)
    using pim::build::r;
    pim::Assembly program;
    program.add(1, constant(r(1), pim::kOutput - 2)).add(1, load_local(r(2), r(1)));
    // The last two bytes of the word lie behind the memory, whose end is not the next one's begin.
    const auto position = static_cast<std::uint32_t>(program.cores[1].size() - 1);
    constexpr unsigned kRs1 = 21;
    return {program.bytes(), registers::FaultCode::buffer,
            registers::EngineFaultDetail{isa::pim::Position{1, position}.pack(), kRs1}.pack()};
  }
  Bytes spy(std::uint64_t output) const override {
    using namespace pim::build;  // NOLINT(google-build-using-namespace)
    using pim::build::r;
    pim::Assembly program;
    program.add(0, constant(r(1), dram(output))).add(0, general_li(r(2), 64));
    for (const std::uint32_t memory : {0U, pim::kInput, pim::kOutput}) {
      program.add(0, constant(r(3), memory)).add(0, trans(r(1), r(3), r(2))).add(0, pim::build::add(r(1), r(1), r(2)));
    }
    return program.bytes();
  }

 private:
  /// The address of window 0 in the cores' DRAM.
  static std::uint32_t dram(std::uint64_t address) {
    return pim::kDram + static_cast<std::uint32_t>(address - test::EngineMachine::kWindow);
  }
};

}  // namespace

std::unique_ptr<Sample> make_pim_sample() { return std::make_unique<PimSample>(); }

}  // namespace cox::conformance
