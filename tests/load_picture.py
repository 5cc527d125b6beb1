#!/usr/bin/env python3
"""load_picture.py PICTURE.ppm: the picture of examples/frames.c against what corpus/src/julia.* and disc.* say, computed here:
a disc over a quadratic map, at the middle of each pixel. Exit 1 when a channel differs by more than one step."""
import sys

TINT, C = (0.5, 0.25, 0.75), (6.0, -9.0)


def disc(x, y):
    r = x * x + y * y
    return None if r > 0.81 else (TINT[0] * (1 - r) + x, TINT[1] * (1 - r) + y, TINT[2] * (1 - r) + r)


def julia(x, y):
    glow = 0.0
    for _ in range(6):
        r = x * x + y * y
        glow += 2.0 ** -r
        if r > 64:
            break
        x, y = x * x - y * y + C[0] * 0.0625, 2 * x * y + C[1] * 0.0625
    return glow, glow * 0.5, 0.25


with open(sys.argv[1], "rb") as f:
    magic, size, most, pixels = f.read().split(b"\n", 3)
n = int(size.split()[0])
bad = 0
for row in range(n):
    for col in range(n):
        u, v = (col + 0.5) / n, (row + 0.5) / n
        want = disc(2 * u - 1, 2 * v - 1) or julia(3 * u - 1.5, 3 * v - 1.5)
        got = pixels[3 * (row * n + col):3 * (row * n + col) + 3]
        bad += any(abs(255 * min(max(w, 0), 1) - g) > 1.0 for w, g in zip(want, got))
print(f"{bad} of {n * n} pixels differ")
sys.exit(bad != 0 or len(pixels) != 3 * n * n)
