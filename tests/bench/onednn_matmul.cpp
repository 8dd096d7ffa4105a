// SPDX-License-Identifier: MIT
#include "onednn_matmul.h"

#include <omp.h>

#include <dnnl.hpp>
#include <random>
#include <unordered_map>

namespace cox::bench {

struct OnednnMatmul::State {
  // oneDNN's AMX code needs a permission that this version does not request (as in onednn_convolution.cpp).
  State() {
    (void)dnnl::set_max_cpu_isa(dnnl::cpu_isa::avx512_core_vnni);
    omp_set_num_threads(1);  // The clock (paired_runs.h) measures only this thread.
  }

  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  dnnl::matmul product;
  std::unordered_map<int, dnnl::memory> arguments;
};

OnednnMatmul::OnednnMatmul(const GemmShape &shape) : state_(std::make_unique<State>()) {
  using Type = dnnl::memory::data_type;
  using Tag = dnnl::memory::format_tag;
  const dnnl::memory::desc a({shape.m, shape.k}, Type::f32, Tag::any), b({shape.k, shape.n}, Type::f32, Tag::any);
  const dnnl::memory::desc c({shape.m, shape.n}, Type::f32, Tag::any);
  const dnnl::matmul::primitive_desc primitive(dnnl::matmul::desc(a, b, c), state_->engine);
  state_->product = dnnl::matmul(primitive);

  std::mt19937 random(2);
  std::normal_distribution<float> normal;
  const auto filled = [&](const dnnl::memory::desc &layout) {
    dnnl::memory memory(layout, state_->engine);
    auto *values = static_cast<float *>(memory.get_data_handle());
    for (std::size_t i = 0; i < layout.get_size() / sizeof(float); ++i) values[i] = normal(random);
    return memory;
  };
  state_->arguments = {{DNNL_ARG_SRC, filled(primitive.src_desc())},
                       {DNNL_ARG_WEIGHTS, filled(primitive.weights_desc())},
                       {DNNL_ARG_DST, filled(primitive.dst_desc())}};
}

OnednnMatmul::~OnednnMatmul() = default;

void OnednnMatmul::run() const {
  state_->product.execute(state_->stream, state_->arguments);
  state_->stream.wait();
}

}  // namespace cox::bench
