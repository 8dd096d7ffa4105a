// SPDX-License-Identifier: MIT
// Fourier transforms of any length: FFT, IFFT.
#include "sim/model/unity/arithmetic/matrix.h"
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {
namespace {

using isa::unity::Fourier;
using isa::unity::Opcode;

template <typename Wide>
struct Complex {
  Wide re = 0, im = 0;

  void add_product(const Complex &a, const Complex &b) {
    re += a.re * b.re - a.im * b.im;
    im += a.re * b.im + a.im * b.re;
  }
};

/// e^(2 pi i k / n). Roots at multiples of an eighth of the circle from one another have equal digits; those on the axes are exact.
template <typename Wide>
Complex<Wide> root_of_unity(std::uint64_t k, std::uint64_t n) {
  const std::uint64_t octant = 8 * k / n, rest = 8 * k % n;
  const std::uint64_t part = octant % 2 == 0 ? rest : n - rest;
  const Wide angle = std::numbers::pi_v<Wide> / 4 * static_cast<Wide>(part) / static_cast<Wide>(n);
  const Wide c = std::cos(angle), s = std::sin(angle);
  switch (octant) {
    case 0: return {c, s};
    case 1: return {s, c};
    case 2: return {-s, c};
    case 3: return {-c, s};
    case 4: return {-c, -s};
    case 5: return {-s, -c};
    case 6: return {s, -c};
    default: return {c, -s};
  }
}

/// Transforms of one length, by mixed radix: a transform of length p m is p transforms of length m and m sums of p terms for each residue.
/// A prime length is a sum for each element.
template <typename Wide>
class Transform {
 public:
  using Vector = std::vector<Complex<Wide>>;

  Transform(std::uint64_t length, bool inverse) : length_(length) {
    for (std::uint64_t k = 0; k < length; ++k) {
      roots_.push_back(root_of_unity<Wide>(k, length));
      if (!inverse) roots_.back().im = 0 - roots_.back().im;
    }
  }

  /// y[k] = sum of x[t] root^(k t).
  void run(const Vector &x, Vector &y) const { run(x.data(), 1, y.data(), length_); }

 private:
  [[nodiscard]] static std::uint64_t smallest_factor(std::uint64_t n) {
    for (std::uint64_t p = 2; p * p <= n; ++p) {
      if (n % p == 0) return p;
    }
    return n;
  }

  /// Transforms x[0], x[step] ... x[(n - 1) step]; n step is the whole length.
  void run(const Complex<Wide> *x, std::uint64_t step, Complex<Wide> *y, std::uint64_t n) const {
    if (n == 1) {
      y[0] = x[0];
      return;
    }
    const std::uint64_t p = smallest_factor(n), m = n / p;
    for (std::uint64_t q = 0; q < p; ++q) run(x + q * step, step * p, y + q * m, m);
    Vector parts(p);
    for (std::uint64_t k = 0; k < m; ++k) {
      for (std::uint64_t q = 0; q < p; ++q) parts[q] = y[q * m + k];
      for (std::uint64_t s = 0; s < p; ++s) y[s * m + k] = combined(parts, (s * m + k) * step);
    }
  }
  /// The sum of parts[q] root^(q turn).
  [[nodiscard]] Complex<Wide> combined(const Vector &parts, std::uint64_t turn) const {
    Complex<Wide> sum = parts[0];
    std::uint64_t at = 0;
    for (std::uint64_t q = 1; q < parts.size(); ++q) {
      at += turn;
      if (at >= length_) at -= length_;
      sum.add_product(parts[q], roots_[at]);
    }
    return sum;
  }

  std::uint64_t length_;
  Vector roots_;  // root^k
};

template <typename Wide>
void execute(const Fourier &operation, Memory &memory) {
  const Unit unit = operation.source.unit;
  const std::uint64_t length = operation.length;
  const bool inverse = operation.op == Opcode::IFFT;
  const std::byte *source = read(memory, operation.source);
  std::byte *result = write(memory, operation.result);
  const auto number = [&](std::uint64_t i) { return static_cast<Wide>(real_of_bits(load_bits(source, unit, i), unit)); };
  const Transform<Wide> transform(length, inverse);
  typename Transform<Wide>::Vector x(length), y(length);
  for (std::uint64_t first = 0; first < operation.batch * length; first += length) {
    bool finite = true;
    for (std::uint64_t t = 0; t < length; ++t) {
      const std::uint64_t i = first + t;
      x[t] = operation.real_input ? Complex<Wide>{number(i), 0} : Complex<Wide>{number(2 * i), number(2 * i + 1)};
      finite = finite && std::isfinite(x[t].re) && std::isfinite(x[t].im);
    }
    if (finite) {
      transform.run(x, y);
    } else {
      std::fill(y.begin(), y.end(), Complex<Wide>{kNotANumber<Wide>, kNotANumber<Wide>});
    }
    const Wide divisor = inverse ? static_cast<Wide>(length) : Wide{1};
    for (std::uint64_t k = 0; k < length; ++k) {
      store_bits(result, unit, 2 * (first + k), bits_of_wide(y[k].re / divisor, unit));
      store_bits(result, unit, 2 * (first + k) + 1, bits_of_wide(y[k].im / divisor, unit));
    }
  }
}

}  // namespace

Status fourier(const Fourier &operation, Memory &memory) {
  in_matrix_format(operation.source.unit, [&](auto wide) { execute<decltype(wide)>(operation, memory); });
  return {};
}

}  // namespace cox::model::unity::reference
