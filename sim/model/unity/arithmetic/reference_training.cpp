// SPDX-License-Identifier: MIT
// Training: losses, ACCURACY, AUC, optimisers, LABEL_SMOOTH.
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {

Status loss(const isa::unity::Loss & /*operation*/, Memory & /*memory*/) { return {}; }
Status score(const isa::unity::Score & /*operation*/, Memory & /*memory*/) { return {}; }
Status optimizer_step(const isa::unity::OptimizerStep & /*operation*/, Memory & /*memory*/) { return {}; }
Status label_smooth(const isa::unity::LabelSmooth & /*operation*/, Memory & /*memory*/) { return {}; }

}  // namespace cox::model::unity::reference
