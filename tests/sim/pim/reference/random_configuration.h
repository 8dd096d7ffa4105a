// SPDX-License-Identifier: MIT
#pragma once

#include "tests/sim/pim/reference/random.h"
#include "tests/sim/pim/reference/state.h"

namespace cox::model::pim::oracle {

/// A legal configuration that is small enough for thousands of programs. Its last memory is for messages. Some memories adjoin.
Configuration random_configuration(Random &random);

}  // namespace cox::model::pim::oracle
