// SPDX-License-Identifier: MIT
#include "coxswain/firmware/trace/trace.h"

#if defined(COX_TRACE)
namespace cox::firmware::trace {

constinit Ring ring;

}  // namespace cox::firmware::trace
#endif
