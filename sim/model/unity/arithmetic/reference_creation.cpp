// SPDX-License-Identifier: MIT
// Tensor descriptors and random numbers: CREATE_TENSOR to DESTROY_TENSOR, SHAPE to HAS_NAN, DROPOUT; and UNSTACK.
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {

Status creation(const isa::unity::Creation & /*operation*/, Memory & /*memory*/) { return {}; }
Status query(const isa::unity::Query & /*operation*/, Memory & /*memory*/) { return {}; }
Status unstack(const isa::unity::Unstack & /*operation*/, Memory & /*memory*/) { return {}; }
Status dropout(const isa::unity::Dropout & /*operation*/, Memory & /*memory*/) { return {}; }

}  // namespace cox::model::unity::reference
