// SPDX-License-Identifier: MIT
// The kinds of programs, from the rows of device/engines.h. A row without its folder does not link. A board with BOARD_STREAM_JOBS 0
// (docs/porting.md) has no kinds.
#include "coxswain/firmware/stream/program_kind.h"

// id::kind is the ProgramKind of an engine that runs streams and whose home is `layers`.
#define COX_KIND_layers_slots(use, id)
#define COX_KIND_layers_streams(use, id) use(id)
#define COX_KIND_layers_joined_streams(use, id) use(id)
#define COX_KIND_tests_slots(use, id)
#define COX_KIND_tests_streams(use, id)
#define COX_KIND_tests_joined_streams(use, id)

#define COX_DECLARE(id)     \
  namespace id {            \
  extern ProgramKind &kind; \
  }
#define COX_NAME(id) &id::kind,

#define COX_DECLARE_ROW(id, number, name, full_name, submission, home, ...) COX_KIND_##home##_##submission(COX_DECLARE, id)
#define COX_NAME_ROW(id, number, name, full_name, submission, home, ...) COX_KIND_##home##_##submission(COX_NAME, id)

namespace cox::firmware::stream {

#ifdef COX_WITHOUT_STREAM_JOBS

ProgramKinds program_kinds() { return {}; }

#else

COX_ENGINES(COX_DECLARE_ROW)

ProgramKinds program_kinds() {
  static ProgramKind *const kinds[] = {COX_ENGINES(COX_NAME_ROW)};
  return kinds;
}

#endif

}  // namespace cox::firmware::stream
