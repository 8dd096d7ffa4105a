// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/cox_cube_mad.h"

#include <new>

#include "coxswain/kernels/cube/intrinsics.h"
#include "coxswain/kernels/engine/c_interface.h"

namespace {

namespace instructions = cox::isa::cube;
namespace intrinsics = cox::kernels::cube::intrinsics;
using cox::ErrorCode;
using cox::Status;
using cox::kernels::c_interface::one_of;
using cox::kernels::c_interface::to_c;
using cox::kernels::cube::Stream;

static_assert(int{intrinsics::PIPE_MTE2} == COX_CUBE_MTE2 && int{intrinsics::PIPE_MTE1} == COX_CUBE_MTE1 &&
              int{intrinsics::PIPE_M} == COX_CUBE_M && int{intrinsics::PIPE_FIX} == COX_CUBE_FIX &&
              int{intrinsics::PIPE_ALL} == COX_CUBE_ALL_PIPES);

/// Appends the instructions of `calls` to the stream.
template <typename Calls>
cox_status append(cox_cube_stream *stream, const Calls &calls) {
  intrinsics::Scope scope(*std::launder(reinterpret_cast<Stream *>(stream->opaque)));
  calls();
  return to_c(scope.status());
}

/// A pointer into a buffer of the unit, as the published prototypes take it.
template <typename T>
T *at(std::uint32_t offset) {
  return reinterpret_cast<T *>(std::uintptr_t{offset});  // NOLINT(performance-no-int-to-ptr)
}

using Mad = void (*)(const cox_cube_mad &mad, bool source, bool init_value);

cox_status append_mad(cox_cube_stream *stream, const cox_cube_mad &mad, Mad call) {
  if (mad.start > COX_CUBE_START_ZERO) return to_c(Status(ErrorCode::field_out_of_range, "start", -1, mad.start, COX_CUBE_START_ZERO));
  return append(stream, [&] { call(mad, mad.start == COX_CUBE_START_BIAS, mad.start == COX_CUBE_START_ZERO); });
}

template <typename Accumulator, typename Element>
void call_mad(const cox_cube_mad &mad, bool source, bool init_value) {
  intrinsics::mad(at<__cc__ Accumulator>(mad.dst), at<__ca__ Element>(mad.src0), at<__cb__ Element>(mad.src1), mad.bt_addr, mad.m, mad.k,
                  mad.n, 0, 0, 0, mad.k_direction_align, false, source, init_value);
}

void call_mad_s4(const cox_cube_mad &mad, bool source, bool init_value) {
  intrinsics::mad_s4(at<__cc__ std::int32_t>(mad.dst), at<__ca__ void>(mad.src0), at<__cb__ void>(mad.src1), mad.bt_addr, mad.m, mad.k,
                     mad.n, 0, 0, 0, mad.k_direction_align, false, source, init_value);
}

cox_status append_move_to_l0(cox_cube_stream *stream, const cox_cube_l1_to_l0 &move, bool right) {
  return append(stream, [&] {
    intrinsics::detail::move_to_l0(right, one_of<instructions::Type>(move.type), move.dst, move.src, move.src_pitch, move.rows,
                                   move.columns, move.transpose, move.k_direction_align);
  });
}

}  // namespace

cox_status cox_cube_mad_bf16(cox_cube_stream *stream, const cox_cube_mad *mad) {
  return append_mad(stream, *mad, call_mad<float, intrinsics::bfloat16_t>);
}
cox_status cox_cube_mad_f16(cox_cube_stream *stream, const cox_cube_mad *mad) {
  return append_mad(stream, *mad, call_mad<float, intrinsics::half>);
}
cox_status cox_cube_mad_f32(cox_cube_stream *stream, const cox_cube_mad *mad) { return append_mad(stream, *mad, call_mad<float, float>); }
cox_status cox_cube_mad_s8(cox_cube_stream *stream, const cox_cube_mad *mad) {
  return append_mad(stream, *mad, call_mad<std::int32_t, std::int8_t>);
}
cox_status cox_cube_mad_s4(cox_cube_stream *stream, const cox_cube_mad *mad) { return append_mad(stream, *mad, call_mad_s4); }

cox_status cox_cube_set_flag(cox_cube_stream *stream, cox_cube_pipe from, cox_cube_pipe to, uint32_t flag) {
  return append(stream, [&] {
    intrinsics::set_flag(one_of<intrinsics::pipe_t>(from), one_of<intrinsics::pipe_t>(to), one_of<intrinsics::event_t>(flag));
  });
}
cox_status cox_cube_wait_flag(cox_cube_stream *stream, cox_cube_pipe from, cox_cube_pipe to, uint32_t flag) {
  return append(stream, [&] {
    intrinsics::wait_flag(one_of<intrinsics::pipe_t>(from), one_of<intrinsics::pipe_t>(to), one_of<intrinsics::event_t>(flag));
  });
}
cox_status cox_cube_pipe_barrier(cox_cube_stream *stream, cox_cube_pipe pipe) {
  if (pipe > COX_CUBE_ALL_PIPES) return to_c(Status(ErrorCode::field_out_of_range, "pipe", -1, pipe, COX_CUBE_ALL_PIPES));
  return append(stream, [&] { intrinsics::pipe_barrier(one_of<intrinsics::pipe_t>(pipe)); });
}

cox_status cox_cube_move_dram_to_l1(cox_cube_stream *stream, const cox_cube_dram_to_l1 *move) {
  return append(stream, [&] {
    intrinsics::dram_to_l1({.source = move->src,
                            .rows = move->rows,
                            .row_bytes = move->row_bytes,
                            .source_pitch = move->src_pitch,
                            .format = move->fractal ? instructions::Format::fractal : instructions::Format::linear,
                            .destination = move->dst,
                            .destination_pitch = move->dst_pitch});
  });
}
cox_status cox_cube_move_l1_to_l0a(cox_cube_stream *stream, const cox_cube_l1_to_l0 *move) {
  return append_move_to_l0(stream, *move, false);
}
cox_status cox_cube_move_l1_to_l0b(cox_cube_stream *stream, const cox_cube_l1_to_l0 *move) {
  return append_move_to_l0(stream, *move, true);
}
cox_status cox_cube_move_l1_to_bt(cox_cube_stream *stream, uint32_t bt_addr, uint32_t src, uint32_t bytes) {
  return append(stream, [&] { intrinsics::l1_to_bt(bt_addr, src, bytes); });
}
cox_status cox_cube_move_l0c_to_dram(cox_cube_stream *stream, const cox_cube_l0c_to_dram *move) {
  return append(stream, [&] {
    intrinsics::out_cfg({});
    instructions::Output output;
    output.integer = move->integer;
    output.to = one_of<instructions::OutputType>(move->to);
    output.destination_pitch = move->dst_pitch;
    output.source_pitch = move->src_pitch;
    output.rows = move->rows;
    output.columns = move->columns;
    intrinsics::detail::move_out(output, move->dst, move->src);
  });
}
