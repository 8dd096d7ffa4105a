// SPDX-License-Identifier: MIT
#include "coxswain/tflite/options.h"

#include "coxswain/tflite/flatbuffer.h"

namespace cox::tflite {

namespace {

using schema::BuiltinOptions;

constexpr std::int8_t kMostPadding = 1, kMostActivation = 5;

/// Returns the type of the options that the operator must have, or NONE if it needs none.
BuiltinOptions options_type_of(OperatorCode code) {
  switch (code) {
    case OperatorCode::conv_2d: return BuiltinOptions::Conv2DOptions;
    case OperatorCode::depthwise_conv_2d: return BuiltinOptions::DepthwiseConv2DOptions;
    case OperatorCode::transpose_conv: return BuiltinOptions::TransposeConvOptions;
    case OperatorCode::average_pool_2d:
    case OperatorCode::max_pool_2d: return BuiltinOptions::Pool2DOptions;
    case OperatorCode::fully_connected: return BuiltinOptions::FullyConnectedOptions;
    case OperatorCode::add: return BuiltinOptions::AddOptions;
    case OperatorCode::sub: return BuiltinOptions::SubOptions;
    case OperatorCode::mul: return BuiltinOptions::MulOptions;
    case OperatorCode::softmax: return BuiltinOptions::SoftmaxOptions;
    case OperatorCode::concatenation: return BuiltinOptions::ConcatenationOptions;
    case OperatorCode::resize_bilinear: return BuiltinOptions::ResizeBilinearOptions;
    case OperatorCode::resize_nearest_neighbor: return BuiltinOptions::ResizeNearestNeighborOptions;
    case OperatorCode::mean: return BuiltinOptions::ReducerOptions;
    case OperatorCode::split: return BuiltinOptions::SplitOptions;
    case OperatorCode::strided_slice: return BuiltinOptions::StridedSliceOptions;
    case OperatorCode::pack: return BuiltinOptions::PackOptions;
    case OperatorCode::unpack: return BuiltinOptions::UnpackOptions;
    default: return BuiltinOptions::NONE;
  }
}

/// Reads numbers of a closed set, and keeps the first error.
class Numbers {
 public:
  explicit Numbers(std::int32_t index) : index_(index) {}
  Padding padding(std::int8_t value) { return static_cast<Padding>(check(value, kMostPadding, "padding")); }
  Activation activation(std::int8_t value) { return static_cast<Activation>(check(value, kMostActivation, "activation")); }
  [[nodiscard]] Status status() const { return status_; }

 private:
  std::int8_t check(std::int8_t value, std::int8_t most, const char *what) {
    if (value >= 0 && value <= most) return value;
    if (status_.ok()) status_ = Status{ErrorCode::field_out_of_range, what, index_, value, most};
    return 0;
  }

  std::int32_t index_;
  Status status_;
};

}  // namespace

Result<Options> options(const Model &model, std::size_t index) {
  const schema::Operator &table = model.operator_table(index);
  const auto number = static_cast<std::int32_t>(index);
  const BuiltinOptions wanted = options_type_of(model.op(index).code);
  if (wanted == BuiltinOptions::NONE) return Options(NoOptions{});
  if (table.builtin_options_type() != wanted) {
    return Status{ErrorCode::image_malformed, "operator.builtin_options", number, static_cast<std::int64_t>(table.builtin_options_type()),
                  static_cast<std::int64_t>(wanted)};
  }
  Numbers numbers(number);
  const auto arithmetic = [&numbers](const auto &from) {
    return Options(ArithmeticOptions{numbers.activation(from.fused_activation_function())});
  };
  const auto resize = [](const auto &from) { return Options(ResizeOptions{from.align_corners(), from.half_pixel_centers()}); };
  Options read;
  switch (wanted) {
    case BuiltinOptions::Conv2DOptions: {
      const schema::Conv2DOptions &from = *table.builtin_options_as_Conv2DOptions();
      read = ConvolutionOptions{numbers.padding(from.padding()),
                                from.stride_h(),
                                from.stride_w(),
                                from.dilation_h_factor(),
                                from.dilation_w_factor(),
                                1,
                                numbers.activation(from.fused_activation_function())};
      break;
    }
    case BuiltinOptions::DepthwiseConv2DOptions: {
      const schema::DepthwiseConv2DOptions &from = *table.builtin_options_as_DepthwiseConv2DOptions();
      read = ConvolutionOptions{numbers.padding(from.padding()),
                                from.stride_h(),
                                from.stride_w(),
                                from.dilation_h_factor(),
                                from.dilation_w_factor(),
                                from.depth_multiplier(),
                                numbers.activation(from.fused_activation_function())};
      break;
    }
    case BuiltinOptions::TransposeConvOptions: {
      const schema::TransposeConvOptions &from = *table.builtin_options_as_TransposeConvOptions();
      read = ConvolutionOptions{
          numbers.padding(from.padding()), from.stride_h(), from.stride_w(), 1, 1, 1, numbers.activation(from.fused_activation_function())};
      break;
    }
    case BuiltinOptions::Pool2DOptions: {
      const schema::Pool2DOptions &from = *table.builtin_options_as_Pool2DOptions();
      read = PoolOptions{numbers.padding(from.padding()),
                         from.stride_h(),
                         from.stride_w(),
                         from.filter_height(),
                         from.filter_width(),
                         numbers.activation(from.fused_activation_function())};
      break;
    }
    case BuiltinOptions::FullyConnectedOptions: {
      const schema::FullyConnectedOptions &from = *table.builtin_options_as_FullyConnectedOptions();
      read = FullyConnectedOptions{numbers.activation(from.fused_activation_function()), from.weights_format(), from.keep_num_dims()};
      break;
    }
    case BuiltinOptions::AddOptions: read = arithmetic(*table.builtin_options_as_AddOptions()); break;
    case BuiltinOptions::SubOptions: read = arithmetic(*table.builtin_options_as_SubOptions()); break;
    case BuiltinOptions::MulOptions: read = arithmetic(*table.builtin_options_as_MulOptions()); break;
    case BuiltinOptions::SoftmaxOptions: read = SoftmaxOptions{table.builtin_options_as_SoftmaxOptions()->beta()}; break;
    case BuiltinOptions::ConcatenationOptions: {
      const schema::ConcatenationOptions &from = *table.builtin_options_as_ConcatenationOptions();
      read = ConcatenationOptions{from.axis(), numbers.activation(from.fused_activation_function())};
      break;
    }
    case BuiltinOptions::ResizeBilinearOptions: read = resize(*table.builtin_options_as_ResizeBilinearOptions()); break;
    case BuiltinOptions::ResizeNearestNeighborOptions: read = resize(*table.builtin_options_as_ResizeNearestNeighborOptions()); break;
    case BuiltinOptions::ReducerOptions: read = ReducerOptions{table.builtin_options_as_ReducerOptions()->keep_dims()}; break;
    case BuiltinOptions::SplitOptions: read = SplitOptions{table.builtin_options_as_SplitOptions()->num_splits()}; break;
    case BuiltinOptions::StridedSliceOptions: {
      const schema::StridedSliceOptions &from = *table.builtin_options_as_StridedSliceOptions();
      read = StridedSliceOptions{from.begin_mask(),    from.end_mask(),         from.ellipsis_mask(),
                                 from.new_axis_mask(), from.shrink_axis_mask(), from.offset()};
      break;
    }
    case BuiltinOptions::PackOptions: {
      const schema::PackOptions &from = *table.builtin_options_as_PackOptions();
      read = PackOptions{from.values_count(), from.axis()};
      break;
    }
    case BuiltinOptions::UnpackOptions: {
      const schema::UnpackOptions &from = *table.builtin_options_as_UnpackOptions();
      read = PackOptions{from.num(), from.axis()};
      break;
    }
    case BuiltinOptions::NONE: break;
  }
  if (!numbers.status()) return numbers.status();
  return read;
}

}  // namespace cox::tflite
