// SPDX-License-Identifier: MIT
#include "tools/run/tile/events_csv.h"

namespace cox::tools::run {

void write_events_csv(std::ostream &out, const Timeline &timeline) {
  out << "index,core,class,name,start,end\n";
  for (const TimedInstruction &instruction : timeline.instructions) {
    out << instruction.index << ',' << instruction.core << ',' << isa::tile::kClassNames[static_cast<std::size_t>(instruction.queue)] << ','
        << instruction.name << ',' << instruction.start << ',' << instruction.end << '\n';
  }
}

}  // namespace cox::tools::run
