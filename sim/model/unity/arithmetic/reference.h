// SPDX-License-Identifier: MIT
// The scalar reference: one element after another, as docs/unity-arithmetic.md says.
#pragma once

#include "coxswain/base/status.h"
#include "coxswain/isa/unity/operation.h"
#include "sim/model/unity/arithmetic/memory.h"

namespace cox::model::unity::reference {

void elementwise(const isa::unity::Elementwise &operation, Memory &memory);
void reduction(const isa::unity::Reduction &operation, Memory &memory);
void data_move(const isa::unity::DataMove &operation, Memory &memory);
void copy(const isa::unity::Copy &operation, Memory &memory);
void pad(const isa::unity::Pad &operation, Memory &memory);
void concatenate(const isa::unity::Concatenate &operation, Memory &memory);
void split(const isa::unity::Split &operation, Memory &memory);
void transpose(const isa::unity::Transpose &operation, Memory &memory);
[[nodiscard]] Status gather(const isa::unity::Gather &operation, Memory &memory);
[[nodiscard]] Status scatter(const isa::unity::Scatter &operation, Memory &memory);
void tile(const isa::unity::Tile &operation, Memory &memory);
void roll(const isa::unity::Roll &operation, Memory &memory);
void reverse(const isa::unity::Reverse &operation, Memory &memory);
void select(const isa::unity::Select &operation, Memory &memory);
void search(const isa::unity::Search &operation, Memory &memory);
void resize(const isa::unity::Resize &operation, Memory &memory);
void convolution(const isa::unity::Convolution &operation, Memory &memory);
void pool(const isa::unity::Pool &operation, Memory &memory);
void volume_convolution(const isa::unity::VolumeConvolution &operation, Memory &memory);
void volume_pool(const isa::unity::VolumePool &operation, Memory &memory);
void section_pool(const isa::unity::SectionPool &operation, Memory &memory);
void quantised_add(const isa::unity::QuantisedAdd &operation, Memory &memory);
void activation(const isa::unity::Activation &operation, Memory &memory);
void softmax(const isa::unity::Softmax &operation, Memory &memory);
void norm(const isa::unity::Norm &operation, Memory &memory);
[[nodiscard]] Status matrix_operation(const isa::unity::MatrixOperation &operation, Memory &memory);
[[nodiscard]] Status fourier(const isa::unity::Fourier &operation, Memory &memory);
[[nodiscard]] Status creation(const isa::unity::Creation &operation, Memory &memory);
[[nodiscard]] Status query(const isa::unity::Query &operation, Memory &memory);
[[nodiscard]] Status unstack(const isa::unity::Unstack &operation, Memory &memory);
[[nodiscard]] Status dropout(const isa::unity::Dropout &operation, Memory &memory);
[[nodiscard]] Status recurrent(const isa::unity::Recurrent &operation, Memory &memory);
[[nodiscard]] Status lookup(const isa::unity::Lookup &operation, Memory &memory);
[[nodiscard]] Status pixel_shuffle(const isa::unity::PixelShuffle &operation, Memory &memory);
[[nodiscard]] Status grid_sample(const isa::unity::GridSample &operation, Memory &memory);
[[nodiscard]] Status affine_grid(const isa::unity::AffineGrid &operation, Memory &memory);
[[nodiscard]] Status loss(const isa::unity::Loss &operation, Memory &memory);
[[nodiscard]] Status score(const isa::unity::Score &operation, Memory &memory);
[[nodiscard]] Status optimizer_step(const isa::unity::OptimizerStep &operation, Memory &memory);
[[nodiscard]] Status label_smooth(const isa::unity::LabelSmooth &operation, Memory &memory);

}  // namespace cox::model::unity::reference
