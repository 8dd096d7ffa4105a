// SPDX-License-Identifier: MIT
// Compares the footprints of small random operations with a walk over their elements.
#include "tests/isa/tile/operation/walk.h"

namespace cox::isa::tile {
namespace {

using test::instruction;
using test::Values;
using Walk = test::Walk;

TEST_F(Walk, LoadsAndStores) {
  for (int i = 0; i < count(); ++i) {
    SCOPED_TRACE(i);
    const bool load = chance();
    const int format = any(0, 6);
    const int conversion = any(0, 7);
    const int dense = any(0, 1);
    const Shape extent = shape(9, 4, 4);
    const Shape from = at_least(extent);
    const Shape to = at_least(extent);
    const int batch = any(1, 3);
    const MachineCode cfg = instruction(load ? "lda_cfg" : "sta_cfg", {{"SME", {double(dense)}},
                                                                       {"RS", {2}},
                                                                       {"BAS", {3}},
                                                                       {"DF", {double(format)}},
                                                                       {"STile", from.values()},
                                                                       {"DTile", to.values()},
                                                                       {"CVT", {double(conversion)}}});
    configure(cfg);
    const int after = conversion == 0 ? format : conversion - 1;
    const Place dram{Space::dram, 3, 1000, load ? from : to, bits_of(load ? format : after), dense == 1};
    const Place l2{Space::l2, 5, 4096, load ? to : from, bits_of(load ? after : format)};
    box(load ? dram : l2, false, batch, extent);
    box(load ? l2 : dram, true, batch, extent);
    compare(instruction(load ? "lda_mov" : "sta_mov", {{"RS", {2}},
                                                       {load ? "DBSG" : "SBSG", {5}},
                                                       {"STaddr", {load ? 1000.0 : 4096.0}},
                                                       {"DTaddr", {load ? 4096.0 : 1000.0}},
                                                       {"Tile", {double(batch), double(extent.c), double(extent.h), double(extent.w)}}}));
  }
}

TEST_F(Walk, Exchanges) {
  for (int i = 0; i < count() / 3; ++i) {
    SCOPED_TRACE(i);
    const bool in = chance();
    const int format = any(0, 6);
    const Shape extent = shape(9, 4, 4);
    const Shape from = at_least(extent);
    const Shape to = at_least(extent);
    configure(instruction(in ? "si_cfg" : "so_cfg", {{"DF", {double(format)}}, {"STile", from.values()}, {"DTile", to.values()}}));
    box({in ? Space::remote_l2 : Space::l2, in ? 2 : 7, 64, from, bits_of(format)}, false, 2, extent);
    box({in ? Space::l2 : Space::remote_l2, in ? 7 : 2, 1 << 20, to, bits_of(format)}, true, 2, extent);
    compare(instruction(in ? "si_mov" : "so_mov", {{"CORE", {2}},
                                                   {in ? "DBSG" : "SBSG", {7}},
                                                   {"STaddr", {64}},
                                                   {"DTaddr", {1 << 20}},
                                                   {"Tile", {2, double(extent.c), double(extent.h), double(extent.w)}}}));
  }
}

TEST_F(Walk, Transforms) {
  const Layout from_layouts[] = {kNhwc, kNhwc,     kNchw, kNhwc, kBlocks8, kNchw, kBlocks8,
                                 kNhwc, kBlocks16, kNhwc, kNhwc, kNhwc,    kNchw, kBlocks16};
  const Layout to_layouts[] = {kNhwc,     kNchw, kNhwc, kBlocks8, kNhwc, kBlocks8,  kNchw,
                               kBlocks16, kNhwc, kNhwc, kNhwc,    kNhwc, kBlocks16, kNchw};
  for (int i = 0; i < 4 * count(); ++i) {
    const int order = i % 14;
    const int format = any(0, 6);
    SCOPED_TRACE(testing::Message() << i << " order " << order << " format " << format);
    const Shape extent = shape(order >= 9 && order <= 11 ? 9 : 40, 4, 4);
    Shape written = extent;
    if (order == 9) std::swap(written.h, written.w);
    if (order == 10) std::swap(written.c, written.w);
    if (order == 11) std::swap(written.c, written.h);
    const int batch = any(1, 2);
    const Place from{Space::l2, 1, 512, at_least(extent), bits_of(format), false, from_layouts[order]};
    const Place to{Space::l2, 2, 1 << 20, at_least(written), bits_of(format), false, to_layouts[order]};
    configure(instruction("dt_cfg", {{"DF", {double(format)}}, {"STile", from.shape.values()}, {"DTile", to.shape.values()}}));
    box(from, false, batch, extent);
    box(to, true, batch, written);
    for (const Place &place : {from, to}) {
      // Pixels of 8 INT4 channels are padded. An access has only three strides. With several images, channel blocks, rows and pixels there
      // are four dimensions. So the footprint has one run for each row of a block, including the padding, and the walk must touch this
      // padding.
      const bool blocks = place.layout == kBlocks8 && place.bits == 4;
      if (!blocks || batch == 1 || extent.c < 16 || extent.h == 1 || extent.w == 1) continue;
      for (int n = 0; n < batch; ++n) {
        for (int c = 0; c < extent.c / 8 * 8; c += 8) {
          for (int h = 0; h < extent.h; ++h) {
            const std::int64_t first = bit(place, n, c, h, 0);
            touch(place, place.selector == 2, first, bit(place, n, c + 7, h, extent.w - 1) + 4 - first);
          }
        }
      }
    }
    compare(instruction("dt_cal", {{"Order", {double(order)}},
                                   {"SBSG", {1}},
                                   {"DBSG", {2}},
                                   {"STaddr", {512}},
                                   {"DTaddr", {1 << 20}},
                                   {"Tile", {double(batch), double(extent.c), double(extent.h), double(extent.w)}}}));
  }
}

TEST_F(Walk, Weights) {
  for (int i = 0; i < count(); ++i) {
    SCOPED_TRACE(i);
    const bool to_l2 = chance();
    const int formats[] = {0, 1, 2, 3, 4, 6};
    const int format = formats[any(0, 5)];
    const bool map = !to_l2 && chance();
    const Shape record{any(1, 20), map ? 1 : any(1, 3), map ? 1 : any(1, 3)};
    const int first = any(0, 2) * 2;
    const Shape source{record.c + first + any(0, 1), record.h, record.w};
    const int masked = any(0, 1);
    const int kernels = any(1, 5);
    configure(instruction(to_l2 ? "ldw_cfg" : "lw_cfg", {{"BAS", {1}},
                                                         {"DF", {double(format)}},
                                                         {"MKC", {3}},
                                                         {"MKEN", {double(masked)}},
                                                         {"SWsize", source.values()},
                                                         {"DWsize", record.values()},
                                                         {"C0", {double(first)}}}));
    if (map)
      configure(instruction("lw_cfg", {{"BAS", {1}},
                                       {"DF", {double(format)}},
                                       {"MKC", {3}},
                                       {"MKEN", {double(masked)}},
                                       {"SWsize", source.values()},
                                       {"DWsize", record.values()},
                                       {"C0", {double(first)}},
                                       {"MAP", {1}}}));
    const int bits = bits_of(format);
    const std::int64_t made = record.h * record.w * aligned(bytes(record.c, bits)) + 32;
    const std::int64_t taken = map ? aligned(bytes(source.c, bits)) : source.h * source.w * aligned(bytes(source.c, bits)) + 32;
    const bool dram = to_l2 || chance();
    const int start = dram ? 77 : 80;  // L2 addresses are multiples of 8
    run(dram ? Space::dram : Space::l2, dram ? 1 : 9, false, start, kernels * taken);
    run(to_l2 ? Space::l2 : Space::wl0, to_l2 ? 6 : 0, true, to_l2 ? 8192 : 640, kernels * made);
    const Values size{double(kernels), double(record.c), double(record.h), double(record.w)};
    if (to_l2) {
      compare(instruction("ldw_mov", {{"DBSG", {6}}, {"STaddr", {double(start)}}, {"DTaddr", {8192}}, {"Wsize", size}}));
    } else {
      compare(instruction("lw_mov",
                          {{"SS", {dram ? 1.0 : 0.0}}, {"SBSG", {9}}, {"STaddr", {double(start)}}, {"DTaddr", {10}}, {"Wsize", size}}));
    }
  }
}

TEST_F(Walk, Convolutions) {
  for (int i = 0; i < 2 * count(); ++i) {
    SCOPED_TRACE(i);
    const bool floats = any(0, 3) == 0;
    const int floating[] = {3, 4, 6};
    const int source_format = floats ? floating[any(0, 2)] : any(0, 2);
    const int weight_format = floats ? source_format : any(0, 2);
    const int output_format = any(0, 6);
    const int groups = any(1, 3);
    const int channels = any(1, 5);
    const Shape output{groups * any(1, 3), any(1, 3), any(1, 3)};
    const Shape map{groups * channels + any(0, 3), any(1, 6), any(1, 6)};
    const Shape result = at_least(output);
    const int kernel[] = {any(1, 3), any(1, 3)};
    const int stride[] = {any(1, 4), any(1, 4)};
    const int dilation[] = {any(0, 3), any(0, 3)};
    const int upsample[] = {any(0, 3), any(0, 3)};
    const int first[] = {any(-6, 6), any(-6, 6)};
    const int batch = any(1, 2);
    const bool add = chance();
    const bool sums = chance();
    const bool table = chance();
    configure(instruction("pe_cfg_fm", {{"IF", {double(any(0, 1))}},
                                        {"OF", {double(any(0, 1))}},
                                        {"SF", {double(source_format)}},
                                        {"WF", {double(weight_format)}},
                                        {"DF", {double(output_format)}},
                                        {"STile", map.values()},
                                        {"DTile", result.values()}}));
    configure(instruction("pe_cfg_pm", {{"ACTMD", {table ? 5.0 : 1.0}},
                                        {"ADDEN", {add ? 1.0 : 0.0}},
                                        {"STRIDE", {double(stride[0]), double(stride[1])}},
                                        {"PSUM", {sums ? 1.0 : 0.0}}}));
    configure(instruction("pe_cfg_tp", {{"KERNEL", {double(kernel[0]), double(kernel[1])}},
                                        {"Tile", {double(batch), double(output.c), double(channels), double(output.h), double(output.w)}},
                                        {"GROUPS", {groups == 1 && chance() ? 0.0 : double(groups)}},
                                        {"DILATION", {double(dilation[0]), double(dilation[1])}},
                                        {"UPSAMPLE", {double(upsample[0]), double(upsample[1])}}}));
    configure(instruction("pe_cfg_lut", {{"TBSG", {11}}, {"Taddr", {336}}, {"SEGN", {15}}}));

    const Place source{Space::l2, 1, 100000, map, bits_of(source_format)};
    // The last row and column that the kernel covers, over all outputs. They are counted in the upsampled map.
    const int last[] = {first[0] + (output.h - 1) * stride[0] + (kernel[0] - 1) * std::max(dilation[0], 1),
                        first[1] + (output.w - 1) * stride[1] + (kernel[1] - 1) * std::max(dilation[1], 1)};
    const int up[] = {std::max(upsample[0], 1), std::max(upsample[1], 1)};
    for (int n = 0; n < batch; ++n) {
      for (int h = 0; h < map.h; ++h) {
        for (int w = 0; w < map.w; ++w) {
          if (h * up[0] < first[0] || h * up[0] > last[0] || w * up[1] < first[1] || w * up[1] > last[1]) continue;
          for (int c = 0; c < groups * channels; ++c) element(source, false, n, c, h, w);
        }
      }
    }
    const bool wide = source_format == 2 || weight_format == 2;
    const int accumulator = wide ? 64 : 32;
    if (add) box({Space::l2, 3, 400000, result, accumulator}, false, batch, output);
    box({Space::l2, 2, 200000, result, sums ? accumulator : bits_of(output_format)}, true, batch, output);
    if (table && !sums) run(Space::l2, 11, false, 336, 17 * 4);
    run(Space::wl0, 0, false, 64 * 5, output.c * (kernel[0] * kernel[1] * aligned(bytes(channels, bits_of(weight_format))) + 32));
    // Except in an upsampled map, STaddr is the address of the pixel in row SPHI and column SPWI.
    std::int64_t address = source.base;
    if (up[0] == 1 && up[1] == 1) address += (first[0] * map.w + first[1]) * aligned(bytes(map.c, source.bits));
    compare(instruction("pe_conv", {{"SPHI", {double(first[0])}},
                                    {"SPWI", {double(first[1])}},
                                    {"SBSG", {1}},
                                    {"DBSG", {2}},
                                    {"STaddr", {double(address)}},
                                    {"SWaddr", {5}},
                                    {"DTaddr", {200000}},
                                    {"PTaddr", {400000}},
                                    {"PBSG", {3}}}));
  }
}

struct VectorCase {
  int function, path;
};

TEST_F(Walk, ElementWiseReductionsTables) {
  const VectorCase cases[] = {{16, 4}, {18, 5}, {18, 69}, {19, 5}, {19, 69}, {20, 4}, {21, 4},
                              {22, 4}, {23, 4}, {32, 4},  {40, 4}, {41, 4},  {41, 69}};
  configure(instruction("vp_cfg_gcs", {{"CMPS", {1}}}));
  configure(instruction("vp_cfg_gms", {{"SEGN", {7}}}));
  configure(instruction("vp_cfg_qp", {}));
  configure(instruction("vp_cfg_lut", {{"TBSG", {12}}, {"Taddr", {904}}}));
  for (int i = 0; i < 3 * count(); ++i) {
    const VectorCase &what = cases[static_cast<std::size_t>(i) % std::size(cases)];
    SCOPED_TRACE(testing::Message() << i << " LUT " << what.function << " GPMD " << what.path);
    const bool norm = what.function == 41;
    const bool two = what.path == 69;
    const bool floats = any(0, 3) == 0;
    const int in = any(0, 6);
    const int out = any(0, 6);
    const int has[] = {any(1, 7), norm ? 5 : any(1, 7)};
    const int reduced = what.function >= 20 && what.function <= 23 ? any(1, 7) : 0;
    const Shape extent = shape(9, 4, 4);
    const Shape written{(reduced & 1) != 0 ? 1 : extent.c, (reduced & 4) != 0 ? 1 : extent.h, (reduced & 2) != 0 ? 1 : extent.w};
    const Shape from = at_least(extent);
    const Shape to = at_least(written);
    const int index = any(0, 3);
    configure(instruction(
        "vp_cfg_fm",
        {{"IDF", {double(in)}}, {"ODF", {double(out)}}, {"VF32", {floats ? 1.0 : 0.0}}, {"STile", from.values()}, {"DTile", to.values()}}));
    configure(instruction("vp_cfg_tp", {{"Tile", extent.values()}, {"T0F", {double(has[0])}}, {"T1F", {double(has[1])}}}));
    const int bits = floats ? 32 : bits_of(in);
    for (int tensor = 0; tensor < (two ? 2 : 1); ++tensor) {
      const int bit_set = has[tensor];
      const bool parameters = norm && tensor == 1;
      Shape own = from;
      Shape read = extent;
      if ((bit_set & 1) == 0) own.c = read.c = 1;
      if ((bit_set & 2) == 0) own.w = read.w = 1;
      if ((bit_set & 4) == 0) own.h = read.h = 1;
      if (parameters) own.h = read.h = 2;
      const std::int64_t image = aligned(bytes(own.c, bits)) * own.h * own.w;
      box({Space::l2, tensor + 1, (tensor + 1) * 100000 + (parameters ? 0 : index * image), own, bits}, false, 1, read);
    }
    const int written_bits = floats ? 32 : bits_of(out);
    box({Space::l2, 3, 300000 + index * aligned(bytes(to.c, written_bits)) * to.h * to.w, to, written_bits}, true, 1, written);
    if (what.function == 32) run(Space::l2, 12, false, 904, 9 * 4);
    MachineCode code = instruction("vp_self", {{"GPMD", {double(what.path)}},
                                               {"LUT", {double(what.function)}},
                                               {what.function <= 21 ? "ACCD" : "CMPD", {double(reduced)}},
                                               {"SBSG", {1}},
                                               {"SBSG1", {2}},
                                               {"DBSG", {3}},
                                               {"STaddr", {100000}},
                                               {"STaddr1", {200000}},
                                               {"DTaddr", {300000}}});
    ASSERT_TRUE(set_batch(code, index).ok());
    compare(code);
  }
}

/// Division that rounds toward minus infinity.
int floor_divided(int value, int divisor) {
  int quotient = 0;
  while (quotient * divisor > value) --quotient;
  while ((quotient + 1) * divisor <= value) ++quotient;
  return quotient;
}

TEST_F(Walk, PoolsAndResizes) {
  configure(instruction("vp_cfg_gcs", {{"CMPS", {1}}}));
  configure(instruction("vp_cfg_gms", {}));
  configure(instruction("vp_cfg_qp", {}));
  const int functions[] = {17, 56, 48, 49};
  for (int i = 0; i < 3 * count(); ++i) {
    const int function = functions[any(0, 3)];
    SCOPED_TRACE(testing::Message() << i << " LUT " << function);
    const bool resize = function == 48 || function == 49;
    // If true, a resize reads the map's nearest pixel for each position outside of the map.
    const bool nearest_row = chance();
    const int in = any(0, 6);
    const int out = any(0, 6);
    const Shape output = shape(9, 4, 4);
    const Shape map{output.c + any(0, 3), any(1, 6), any(1, 6)};
    const Shape result = at_least(output);
    const int kernel[] = {any(1, 3), any(1, 3)};
    const int stride[] = {any(1, 4), any(1, 4)};
    const int first[] = {any(-4, 4), any(-4, 4)};
    const int numerator[] = {any(0, 5), any(0, 5)};
    const int denominator[] = {any(1, 5), any(1, 5)};
    const int offset[] = {any(-20, 20), any(-20, 20)};
    configure(
        instruction("vp_cfg_fm", {{"IDF", {double(in)}}, {"ODF", {double(out)}}, {"STile", map.values()}, {"DTile", result.values()}}));
    configure(instruction("vp_cfg_tp", {{"STRIDE", {double(stride[0]), double(stride[1])}},
                                        {"KERNEL", {double(kernel[0]), double(kernel[1])}},
                                        {"Tile", output.values()},
                                        {"T0F", {7}},
                                        {"PADV_AREA", {nearest_row ? -32768.0 : 1.5}}}));
    configure(instruction("vp_cfg_rs", {{"NUM", {double(numerator[0]), double(numerator[1])}},
                                        {"DEN", {double(denominator[0]), double(denominator[1])}},
                                        {"OFFSET", {double(offset[0]), double(offset[1])}}}));
    const Place source{Space::l2, 1, 100000, map, bits_of(in)};
    const int sizes[] = {map.h, map.w};
    const int lengths[] = {output.h, output.w};
    int low[2];
    int high[2];
    for (int axis = 0; axis < 2; ++axis) {
      low[axis] = first[axis];
      high[axis] = first[axis] + (lengths[axis] - 1) * stride[axis] + kernel[axis] - 1;
      if (!resize) continue;
      low[axis] = 1 << 20;
      high[axis] = -(1 << 20);
      for (int o = 0; o < lengths[axis]; ++o) {
        const int at = floor_divided(2 * (first[axis] + o) * numerator[axis] + offset[axis], 2 * denominator[axis]);
        for (int neighbour = at; neighbour <= at + (function == 49 ? 1 : 0); ++neighbour) {
          const int looked = nearest_row ? std::clamp(neighbour, 0, sizes[axis] - 1) : neighbour;
          low[axis] = std::min(low[axis], looked);
          high[axis] = std::max(high[axis], looked);
        }
      }
    }
    for (int h = std::max(low[0], 0); h <= std::min(high[0], map.h - 1); ++h) {
      for (int w = std::max(low[1], 0); w <= std::min(high[1], map.w - 1); ++w) {
        for (int c = 0; c < output.c; ++c) element(source, false, 0, c, h, w);
      }
    }
    box({Space::l2, 2, 200000, result, bits_of(out)}, true, 1, output);
    std::int64_t address = source.base;
    if (!resize) address += (first[0] * map.w + first[1]) * aligned(bytes(map.c, source.bits));
    compare(instruction("vp_pool", {{"GPMD", {4}},
                                    {"LUT", {double(function)}},
                                    {"IPH", {double(first[0])}},
                                    {"IPW", {double(first[1])}},
                                    {"SBSG", {1}},
                                    {"DBSG", {2}},
                                    {"STaddr", {double(address)}},
                                    {"DTaddr", {200000}}}));
  }
}

}  // namespace
}  // namespace cox::isa::tile
