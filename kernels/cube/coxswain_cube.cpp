// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/coxswain_cube.h"

#include "coxswain/hal/cache.h"
#include "coxswain/isa/cube/warning.h"
#include "coxswain/kernels/cube/coxswain_cube_arguments.h"
#include "coxswain/kernels/cube/engine.h"
#include "coxswain/kernels/engine/c_engine.h"
#include "coxswain/kernels/engine/c_interface.h"

namespace {

namespace cube = cox::kernels::cube;
using cox::ErrorCode;
using cox::Result;
using cox::Status;
using cox::kernels::c_interface::memory_at;
using cox::kernels::c_interface::to_c;
using cube::Stream;

static_assert(int{cox::isa::cube::kWarnEmptyMad} == COX_CUBE_WARN_EMPTY_MAD &&
              int{cox::isa::cube::kWarnBiasWrapped} == COX_CUBE_WARN_BIAS_WRAPPED &&
              int{cox::isa::cube::kWarnFlagsLeft} == COX_CUBE_WARN_FLAGS_LEFT);

using CEngine = cox::kernels::c_interface::CEngine<cube::Engine, cox_cube_stream>;
constinit CEngine engine("cox_cube_open");

Stream &stream_in(cox_cube_stream &stream) { return CEngine::stream_in(stream); }

}  // namespace

cox_status cox_cube_open() { return engine.open(); }
cox_status cox_cube_close() { return engine.close(); }

cox_status cox_cube_stream_init(cox_cube_stream *stream, void *memory, size_t bytes, uint32_t segments) {
  return engine.init_stream(*stream, memory, bytes, segments);
}

cox_status cox_cube_attach(cox_cube_stream *stream) {
  return engine.alone([&](cube::Engine &unit) { return unit.attach(stream_in(*stream)); });
}

void cox_cube_stream_clear(cox_cube_stream *stream) { stream_in(*stream).clear(); }
uint32_t cox_cube_stream_slots(const cox_cube_stream *stream) { return CEngine::stream_in(*stream).slots(); }

cox_status cox_cube_run(cox_cube_stream *stream, uint32_t time_limit_us) { return engine.run(*stream, time_limit_us); }
cox_status cox_cube_submit(cox_cube_stream *stream, cox_handle *handle) { return engine.submit(*stream, handle); }
cox_status cox_cube_wait(cox_handle handle, uint32_t time_limit_us) { return engine.wait(handle, time_limit_us); }

uint32_t cox_cube_warnings() { return engine.engine() == nullptr ? 0 : engine.engine()->warnings(); }
uint64_t cox_cube_end_cycle() { return engine.end_cycle(); }

void cox_cube_give(uint64_t address, size_t bytes) { cox::hal::clean_cache(memory_at(address), bytes); }
void cox_cube_take(uint64_t address, size_t bytes) { cox::hal::invalidate_cache(memory_at(address), bytes); }

cox_status cox_cube_gemm(cox_cube_stream *stream, const cox_cube_gemm_arguments *arguments) {
  return to_c(cube::gemm(stream_in(*stream), cube::of_c(*arguments)));
}

cox_status cox_cube_gemv(cox_cube_stream *stream, const cox_cube_gemv_arguments *arguments) {
  return to_c(cube::gemv(stream_in(*stream), cube::of_c(*arguments)));
}

cox_status cox_cube_conv2d(cox_cube_stream *stream, const cox_cube_conv2d_arguments *arguments) {
  return to_c(cube::conv2d(stream_in(*stream), cube::of_c(*arguments)));
}
cox_status cox_cube_conv2d_slots(const cox_cube_conv2d_arguments *arguments, uint64_t *slots) {
  return to_c(cube::conv2d_slots(cube::of_c(*arguments)), slots);
}
uint32_t cox_cube_conv2d_output_side(uint32_t side, uint32_t before, uint32_t after, uint32_t kernel, uint32_t dilation, uint32_t stride) {
  return cube::conv2d_output_side(side, before, after, kernel, dilation, stride);
}

cox_status cox_cube_attention(cox_cube_stream *scores, cox_cube_stream *output, const cox_cube_attention_arguments *arguments,
                              uint32_t time_limit_us) {
  return engine.alone([&](cube::Engine &unit) {
    return cube::attention(unit, {stream_in(*scores), stream_in(*output)}, cube::of_c(*arguments), CEngine::limit_of(time_limit_us));
  });
}
cox_status cox_cube_attention_scratch_bytes(const cox_cube_attention_arguments *arguments, uint64_t *bytes) {
  return to_c(cube::attention_scratch_bytes(cube::of_c(*arguments)), bytes);
}
cox_status cox_cube_attention_least_scratch_bytes(const cox_cube_attention_arguments *arguments, uint64_t *bytes) {
  return to_c(cube::attention_least_scratch_bytes(cube::of_c(*arguments)), bytes);
}
