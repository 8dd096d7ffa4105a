// SPDX-License-Identifier: MIT
// Optimisers, with torch's formulas, and LABEL_SMOOTH. An element is evaluated in a wider format; parameters and states round when they
// are stored, so a step uses new states before they round.
#include "sim/model/unity/arithmetic/real_functions.h"
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {
namespace {

using isa::unity::LabelSmooth;
using isa::unity::Opcode;
using isa::unity::OptimizerStep;

/// One parameter with its states; for which they are, OptimizerStep says.
template <typename Wide>
struct Element {
  Wide parameter = 0, gradient = 0;
  Wide state[2] = {0, 0};
};

template <typename Wide>
class Optimizer {
 public:
  explicit Optimizer(const OptimizerStep &operation)
      : op_(operation.op),
        nesterov_(operation.nesterov),
        rate_(operation.rate),
        hyper_{operation.hyper[0], operation.hyper[1], operation.hyper[2]} {
    if (op_ != Opcode::ADAM) return;
    for (unsigned i = 0; i < 2; ++i) {
      // 1 - beta^step, without cancellation for a beta near 1.
      correction_[i] = -std::expm1(static_cast<Wide>(operation.step) * std::log(hyper_[i]));
    }
  }

  void step(Element<Wide> &e) const {
    const Wide g = e.gradient;
    switch (op_) {
      case Opcode::MOMENTUM: {
        const Wide mu = hyper_[0];
        e.state[0] = mu * e.state[0] + g;
        e.parameter -= rate_ * (nesterov_ ? g + mu * e.state[0] : e.state[0]);
        break;
      }
      case Opcode::ADA_GRAD:
        e.state[0] += g * g;
        e.parameter -= rate_ * g / (std::sqrt(e.state[0]) + hyper_[0]);
        break;
      case Opcode::ADA_DELTA: {
        const Wide rho = hyper_[0], epsilon = hyper_[1];
        e.state[0] = mean(rho, e.state[0], g * g);
        const Wide delta = std::sqrt(e.state[1] + epsilon) / std::sqrt(e.state[0] + epsilon) * g;
        e.state[1] = mean(rho, e.state[1], delta * delta);
        e.parameter -= rate_ * delta;
        break;
      }
      case Opcode::RMS_PROP:
        e.state[0] = mean(hyper_[0], e.state[0], g * g);
        e.parameter -= rate_ * g / (std::sqrt(e.state[0]) + hyper_[1]);
        break;
      case Opcode::CENTERED_RMSPROP:
        e.state[0] = mean(hyper_[0], e.state[0], g * g);
        e.state[1] = mean(hyper_[0], e.state[1], g);
        e.parameter -= rate_ * g / (std::sqrt(e.state[0] - e.state[1] * e.state[1]) + hyper_[1]);
        break;
      case Opcode::ADAM:
        e.state[0] = mean(hyper_[0], e.state[0], g);
        e.state[1] = mean(hyper_[1], e.state[1], g * g);
        e.parameter -= rate_ / correction_[0] * e.state[0] / (std::sqrt(e.state[1] / correction_[1]) + hyper_[2]);
        break;
      default: e.parameter -= rate_ * g; break;  // SGD
    }
  }

 private:
  /// A moving average.
  static Wide mean(Wide weight, Wide old, Wide value) { return weight * old + (1 - weight) * value; }

  Opcode op_;
  bool nesterov_;
  Wide rate_;
  Wide hyper_[3];
  Wide correction_[2] = {1, 1};  ///< ADAM: for the averages' start at 0
};

template <typename Wide>
Wide number(const std::byte *run, Unit unit, std::uint64_t i) {
  return static_cast<Wide>(real_of_bits(load_bits(run, unit, i), unit));
}
template <typename Wide>
void store(std::byte *run, Unit unit, std::uint64_t i, Wide value) {
  store_bits(run, unit, i, bits_of_wide(value, unit));
}

}  // namespace

Status optimizer_step(const OptimizerStep &operation, Memory &memory) {
  const Unit unit = operation.parameters.unit;
  const std::byte *gradients = read(memory, operation.gradients);
  std::byte *parameters = write(memory, operation.parameters);
  std::byte *const states[2] = {write_optional(memory, operation.states[0]), write_optional(memory, operation.states[1])};
  in_wider(unit, [&](auto wide) {
    using Wide = decltype(wide);
    const Optimizer<Wide> optimizer(operation);
    for (std::uint64_t i = 0; i < operation.parameters.elements; ++i) {
      Element<Wide> element{number<Wide>(parameters, unit, i), number<Wide>(gradients, unit, i)};
      for (unsigned s = 0; s < 2; ++s) {
        if (states[s] != nullptr) element.state[s] = number<Wide>(states[s], unit, i);
      }
      optimizer.step(element);
      store(parameters, unit, i, element.parameter);
      for (unsigned s = 0; s < 2; ++s) {
        if (states[s] != nullptr) store(states[s], unit, i, element.state[s]);
      }
    }
  });
  return {};
}

Status label_smooth(const LabelSmooth &operation, Memory &memory) {
  const Unit unit = operation.source.unit;
  const std::byte *source = read(memory, operation.source), *prior = read_optional(memory, operation.prior);
  std::byte *result = write(memory, operation.result);
  in_wider(unit, [&](auto wide) {
    using Wide = decltype(wide);
    const auto epsilon = static_cast<Wide>(operation.epsilon);
    for (std::uint64_t i = 0; i < operation.source.elements; ++i) {
      const Wide share = prior == nullptr ? 1 / static_cast<Wide>(operation.classes) : number<Wide>(prior, unit, i % operation.classes);
      store(result, unit, i, (1 - epsilon) * number<Wide>(source, unit, i) + epsilon * share);
    }
  });
  return {};
}

}  // namespace cox::model::unity::reference
