#!/usr/bin/env python3
"""interp.py XLATE VKEXEC CORPUS: interpolated parameters of translated programs against barycentrics computed here.

The recorded pairs of PROGRAMS draw a quad of two triangles whose corners have different w. Their translations run on
lavapipe; every pixel that is a pixel away from all edges must be what the corners' values say: weighted by the pixel's
barycentrics, in perspective or without, the provoking vertex's, or beside the pixel. Within 1e-4, half targets within 2e-3.
Rasterizers snap corners to 1/256 pixel, some for coverage alone: either reference is right. Prints a line per failure and
"N passed, N failed, N skipped".
"""
import json
import os
import struct
import subprocess
import sys
import tempfile

import corpus
import picture

SIZE, CORNERS = 64, [(0x32 >> i & 1, 0x2c >> i & 1) for i in range(6)]


class Pixel:
    """Values at a pixel's center, in the triangle of three corner numbers."""

    def __init__(self, x, y, triangle, place, w, snap):
        self.at, self.corner, self.w = (x + 0.5, y + 0.5), [CORNERS[i] for i in triangle], []
        self.first, self.window = triangle[0], []
        for c in self.corner:
            p = [(place(v) * 0.5 + 0.5) * SIZE for v in c]
            self.window.append([round(v * 256) / 256 for v in p] if snap else p)
            self.w.append(w(*c))

    def weights(self, dx=0.0, dy=0.0):
        (ax, ay), (bx, by), (cx, cy) = self.window
        x, y = self.at[0] + dx, self.at[1] + dy
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        b = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
        c = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
        return 1 - b - c, b, c

    def inside(self):
        """A pixel away from each edge."""
        (ax, ay), (bx, by), (cx, cy) = self.window
        area = abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay))
        ends = ((bx, by, cx, cy), (cx, cy, ax, ay), (ax, ay, bx, by))
        return all(w * area / ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 >= 1
                   for w, (x0, y0, x1, y1) in zip(self.weights(), ends))

    def straight(self, f, dx=0.0, dy=0.0):
        return [sum(w * v for w, v in zip(self.weights(dx, dy), values)) for values in zip(*(f(*c) for c in self.corner))]

    def smooth(self, f):
        weights = [b / w for b, w in zip(self.weights(), self.w)]
        return [sum(w * v for w, v in zip(weights, values)) / sum(weights) for values in zip(*(f(*c) for c in self.corner))]


def kinds(p):
    s = p.smooth(lambda x, y: (x, y, x * y, 1 - x))
    l = p.straight(lambda x, y: (y, x, 0.25 + x, y * 3))
    (x, y), i = CORNERS[p.first], p.first
    whole = i * 7 - 20, i << 20
    product = (whole[0] * whole[1] + 2 ** 31) % 2 ** 32 - 2 ** 31
    return ([v * 2 + l[0] for v in s], [l[1] + x * 0.5, l[2] + y * 0.5, l[3] + i * 0.5, s[3]], [*whole, product, -1])


def centroid(p):
    s = p.smooth(lambda x, y: (x, y, 1 + x * 4))
    l = p.straight(lambda x, y: (x * 5, y * 5))
    return ([s[0] * s[0], s[1] * s[1], s[2] * 2 - s[2] + l[0], l[1] * 0.25],)


def shared(p):
    s = p.smooth(lambda x, y: (x, y, x * 3 - 1, 2 - y))
    l = p.straight(lambda x, y: (y * 2, x * 2, (x + y) * 2))
    return ([s[0] - s[2] + l[0] * 0.25, s[1] + l[1] * 0.25, s[3] + l[2] * 0.25, l[1] + l[0] * 0.25],)


def offset(p):
    values = lambda x, y: (x, y, x * 3 - 1, y * 16)
    l, beside = p.straight(values), p.straight(values, 0.25, -0.5)
    other = p.straight(lambda x, y: (y * 8, x * 8), l[0] * 0.5, (0.5 - l[1]) * 0.5)
    return ([beside[0], l[3] - beside[3], *other],)


# what a program's targets hold; where a corner's x or y is, and its w
PROGRAMS = {
    "interp_kinds": (kinds, lambda v: v * 1.6 - 0.8, lambda x, y: 1 + x * 2 + y),
    "interp_centroid": (centroid, lambda v: v * 1.7 - 0.9, lambda x, y: 1.5 - y),
    "interp_shared": (shared, lambda v: v * 1.71 - 0.93, lambda x, y: 1.5 - y),
    "interp_offset": (offset, lambda v: v * 1.6 - 0.8, lambda x, y: 1 + x),
}


def close(got, wanted, tolerance):
    return all(abs(g - w) <= tolerance * max(1, abs(w)) for target, values in zip(got, wanted) for g, w in zip(target, values))


def judge(file, program, tolerance):
    """What is wrong with the pictures of an output file, or nothing."""
    expected, place, w = PROGRAMS[program]
    pictures, seen = picture.pictures(file), 0
    for y in range(SIZE):
        for x in range(SIZE):
            for triangle in ((0, 1, 2), (3, 4, 5)):
                pixels = [Pixel(x, y, triangle, place, w, snap) for snap in (False, True)]
                if not pixels[0].inside():
                    continue
                seen += 1
                at = (y * SIZE + x) * 16
                got = [struct.unpack_from("<4i" if form in picture.INTEGERS else "<4f", data, at) for form, _, _, data in pictures]
                wanted = [expected(p) for p in pixels]
                if len(got) != len(wanted[0]) or not any(close(got, v, tolerance) for v in wanted):
                    return f"pixel {x},{y}: {got} is not {wanted[0]}"
    return "" if seen > 1000 else f"{seen} pixels are inside"


def main():
    xlate, vkexec, root = sys.argv[1:]
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory() as work:
        for family in ("navi21", "navi21-w32", "navi10", "bonaire"):
            files = [f"{root}/{family}/{name}.json" for name in PROGRAMS]
            os.makedirs(f"{work}/{family}")
            modules, _ = corpus.translate(xlate, "lavapipe", files, f"{work}/{family}")
            for name, file in zip(PROGRAMS, files):
                with open(file) as f:
                    record = json.load(f)
                arguments, missing = corpus.job(root, record, modules)
                bad = missing and f"no module of the {missing} program"
                if not bad:
                    r = subprocess.run([vkexec, "-o", f"{work}/out", *arguments], stdout=subprocess.PIPE, text=True)
                    half = record.get("color") in ("rgba8", "rgba16f")
                    bad = judge(f"{work}/out", name, 2e-3 if half else 1e-4) if r.returncode == 0 else r.stdout
                passed += not bad
                failed += bool(bad)
                if bad:
                    print(f"{family} {name}: {bad}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
