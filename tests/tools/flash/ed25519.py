# SPDX-License-Identifier: MIT
"""Ed25519 signatures from RFC 8032, section 5.1, for a test that must not depend on the library that cox uses. Slow, and not for secrets."""
import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def add(one, other):
    (x1, y1), (x2, y2) = one, other
    product = D * x1 * x2 * y1 * y2 % P
    return (x1 * y2 + x2 * y1) * pow(1 + product, P - 2, P) % P, (y1 * y2 + x1 * x2) * pow(1 - product, P - 2, P) % P


def times(scalar, point):
    result = (0, 1)
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def base():
    y = 4 * pow(5, P - 2, P) % P
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    return (P - x if x & 1 else x), y


def encoded(point):
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def secret(seed):
    digest = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little") & ((1 << 254) - 8) | 1 << 254
    return scalar, digest[32:]


def public_key(seed):
    return encoded(times(secret(seed)[0], base()))


def sign(seed, message):
    scalar, prefix = secret(seed)
    public = public_key(seed)
    nonce = int.from_bytes(hashlib.sha512(prefix + message).digest(), "little") % L
    commitment = encoded(times(nonce, base()))
    challenge = int.from_bytes(hashlib.sha512(commitment + public + message).digest(), "little") % L
    return commitment + ((nonce + challenge * scalar) % L).to_bytes(32, "little")
