// SPDX-License-Identifier: MIT
#include "sim/model/cube/hazard/detector.h"

namespace cox::model::cube {

struct Detector::State {};

Detector::Detector() : state_(std::make_unique<State>()) {}
Detector::~Detector() = default;
Detector::Detector(Detector &&) noexcept = default;
Detector &Detector::operator=(Detector &&) noexcept = default;

void Detector::add(const isa::cube::MachineCode & /*code*/, const isa::cube::Operation & /*operation*/,
                   std::vector<Finding> & /*findings*/) {}
void Detector::end(std::vector<Finding> & /*findings*/) {}

std::string Finding::text() const { return {}; }
Analysis analyse(std::span<const std::byte> /*stream*/) { return {}; }

}  // namespace cox::model::cube
