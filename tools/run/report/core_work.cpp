// SPDX-License-Identifier: MIT
#include "tools/run/report/core_work.h"

#include <algorithm>
#include <vector>

#include "sim/model/observers/event_log.h"
#include "tools/command/failure.h"

namespace cox::tools::run {

void add_core_work(Statistics &statistics, const std::string &path, unsigned cores) {
  std::vector<model::EventRecord> records;
  std::string error;
  if (!model::read_event_log(path, records, error)) throw Failure(ExitCode::failed, error);
  statistics.cores.resize(std::max<std::size_t>(statistics.cores.size(), cores));
  for (const model::EventRecord &record : records) {
    if (record.kind != model::EventKind::instruction || record.core >= statistics.cores.size()) continue;
    if (record.queue >= firmware::job::kQueues) continue;
    Statistics::Work &work = statistics.cores[record.core].at(record.queue);
    ++work.instructions;
    work.occupied_cycles += record.end - record.start;
  }
}

}  // namespace cox::tools::run
