// SPDX-License-Identifier: MIT
#include "onednn_convolution.h"

#include <dnnl.hpp>
#include <random>
#include <unordered_map>

namespace cox::bench {

namespace {

/// oneDNN's AMX code needs a permission of the operating system that this version of oneDNN does not request, so the process would be
/// killed. Therefore oneDNN may use only the instructions that the model can use. The call fails if oneDNN has already chosen its
/// instructions. This error is ignored, because the choice can no longer be changed.
void keep_to_avx512() { (void)dnnl::set_max_cpu_isa(dnnl::cpu_isa::avx512_core_vnni); }

}  // namespace

struct OnednnLayer::State {
  State() { keep_to_avx512(); }

  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  dnnl::convolution_forward convolution;
  std::unordered_map<int, dnnl::memory> arguments;
};

OnednnLayer::OnednnLayer(const LayerShape &shape, Source source_type) : state_(std::make_unique<State>()) {
  using Type = dnnl::memory::data_type;
  using Tag = dnnl::memory::format_tag;
  const auto n = [](std::uint32_t value) { return static_cast<dnnl::memory::dim>(value); };
  const dnnl::memory::dim padding = shape.kernel / 2;
  const bool bytes_only = source_type != Source::float32;
  const Type weight_type = bytes_only ? Type::s8 : Type::f32;
  const Type byte_type = source_type == Source::signed_bytes ? Type::s8 : Type::u8;
  const dnnl::memory::desc source({1, n(shape.channels), n(shape.size), n(shape.size)}, bytes_only ? byte_type : Type::f32, Tag::any);
  const dnnl::memory::desc weights({n(shape.kernels), n(shape.channels), n(shape.kernel), n(shape.kernel)}, weight_type, Tag::any);
  const dnnl::memory::desc bias({n(shape.kernels)}, Type::f32, Tag::x);
  const dnnl::memory::desc destination({1, n(shape.kernels), n(shape.size), n(shape.size)}, weight_type, Tag::any);
  dnnl::primitive_attr attributes;
  if (bytes_only) {
    dnnl::post_ops relu;
    relu.append_eltwise(1.0f, dnnl::algorithm::eltwise_relu, 0.0f, 0.0f);
    attributes.set_output_scales(2, std::vector<float>(shape.kernels, 1e-4f));  // one per output channel
    attributes.set_post_ops(relu);
  }
  const dnnl::convolution_forward::desc description(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, source,
                                                    weights, bias, destination, {1, 1}, {padding, padding}, {padding, padding});
  const dnnl::convolution_forward::primitive_desc primitive(description, attributes, state_->engine);
  state_->convolution = dnnl::convolution_forward(primitive);

  std::mt19937 random(2);
  std::normal_distribution<float> normal;
  const auto filled = [&](const dnnl::memory::desc &layout) {
    dnnl::memory memory(layout, state_->engine);
    if (bytes_only) {
      auto *bytes = static_cast<std::uint8_t *>(memory.get_data_handle());
      for (std::size_t i = 0; i < layout.get_size(); ++i) bytes[i] = static_cast<std::uint8_t>(random() & 0x3F);
    } else {
      auto *values = static_cast<float *>(memory.get_data_handle());
      for (std::size_t i = 0; i < layout.get_size() / sizeof(float); ++i) values[i] = normal(random);
    }
    return memory;
  };
  state_->arguments = {{DNNL_ARG_SRC, filled(primitive.src_desc())},
                       {DNNL_ARG_WEIGHTS, filled(primitive.weights_desc())},
                       {DNNL_ARG_BIAS, filled(primitive.bias_desc())},
                       {DNNL_ARG_DST, filled(primitive.dst_desc())}};
}

OnednnLayer::~OnednnLayer() = default;

void OnednnLayer::run() const {
  state_->convolution.execute(state_->stream, state_->arguments);
  state_->stream.wait();
}

}  // namespace cox::bench
