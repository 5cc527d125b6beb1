#!/usr/bin/env python3
"""interp.py [-t TARGET -o OUTCOME] XLATE VKEXEC CORPUS: interpolated parameters of translated programs against barycentrics
computed here.

The recorded pairs of PROGRAMS draw triangles whose corners have different w, most of them a quad. Their translations run on
lavapipe (or, where VK_ICD_FILENAMES says so, on the device that TARGET stands for); every pixel that is a pixel away from all
edges must be what the corners' values say: weighted by the pixel's barycentrics, in perspective or without, the provoking
vertex's, or beside the pixel; or the weights and the corners' values themselves. Within 1e-4, half targets within 2e-3.
Rasterizers snap corners to 1/256 pixel, some for coverage alone: either reference is right. Programs of PATCHED are recorded
ones whose instructions read another parameter: drivers do not make such code. `xlate explain` must say how each came about:
by the host's interpolation, or by OUTCOME (emulated on lavapipe); for a target with barycentrics it is to say so, too.
Prints a line per failure and "N passed, N failed, N skipped".
"""
import argparse
import json
import math
import os
import struct
import subprocess
import sys
import tempfile

import corpus
import picture

SIZE, CORNERS = 64, [(0x32 >> i & 1, 0x2c >> i & 1) for i in range(6)]


class Shape:
    """Corners in normalized coordinates, their w, and triangles of corner numbers."""

    def __init__(self, places, w, triangles):
        self.places, self.w, self.triangles = places, w, triangles


def quad(place, w):
    return Shape([tuple(place(v) for v in c) for c in CORNERS], [w(*c) for c in CORNERS], ((0, 1, 2), (3, 4, 5)))


def strip():
    return Shape([(i * 0.34 - 0.85, 0.8 if i & 1 else -0.7) for i in range(6)], [1 + (i & 1) for i in range(6)],
                 [(i, i + 1 + (i & 1), i + 2 - (i & 1)) for i in range(4)])


def fan():
    arc = [((math.cos(i * 0.3) * 1.6 - 0.83) * 0.9, (math.sin(i * 0.3) * 1.6 - 0.71) * 0.9) for i in range(6)]
    return Shape([(-0.81, -0.73)] + arc[1:], [1 + (i & 1) for i in range(6)], [(i + 1, i + 2, 0) for i in range(4)])


class Pixel:
    """Values at a pixel's center, in the triangle of three corner numbers."""

    def __init__(self, x, y, triangle, shape, snap):
        self.at, self.triangle, self.corner = (x + 0.5, y + 0.5), triangle, [CORNERS[i] for i in triangle]
        self.first, self.window, self.w = triangle[0], [], [shape.w[i] for i in triangle]
        for i in triangle:
            p = [(v * 0.5 + 0.5) * SIZE for v in shape.places[i]]
            self.window.append([round(v * 256) / 256 for v in p] if snap else p)

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

    def in_perspective(self, dx=0.0, dy=0.0):
        weights = [b / w for b, w in zip(self.weights(dx, dy), self.w)]
        return [w / sum(weights) for w in weights]

    def smooth(self, f):
        return [sum(w * v for w, v in zip(self.in_perspective(), values)) for values in zip(*(f(*c) for c in self.corner))]

    def here(self):
        """w, which one over is interpolated without perspective."""
        return 1 / sum(b / w for b, w in zip(self.weights(), self.w))


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


PLACES = ((0.375, 0.125), (0.875, 0.375), (0.125, 0.625), (0.625, 0.875))  # of four samples, as Vulkan has them


def sample(p):
    """Beside the pixel, at its samples: the first and the others by number, one number by where the pixel is."""
    beside = lambda f, k: p.straight(f, PLACES[k][0] - 0.5, PLACES[k][1] - 0.5)
    values = lambda x, y: (x * 16, y * 16, x * 8 - 1, y * 24)
    own = beside(lambda x, y: (y * 32, x * 32), int(p.at[0]) + int(p.at[1]) * 2 & 3)
    return ([beside(values, 1)[0] - p.straight(values)[1] * 0.25, beside(values, 3)[3] - beside(values, 2)[2], *own],)


# ---- barycentrics as numbers, vertices' own values
PLAIN = lambda x, y: (x, y, x * y, 1 - x)


def value_at(i):
    x, y = CORNERS[i]
    return x * 0.5 + 0.25, y, x * y - 0.5, i * 0.125


def whole_at(i):
    return i * 7 - 20, i << 20


def signed(v):
    return (v + 2 ** 31) % 2 ** 32 - 2 ** 31


def bary_kinds(p):
    plain, straight = p.smooth(PLAIN), p.straight(lambda x, y: (y * 2, x * 2))
    return ([*p.in_perspective(), plain[0] * 2], [*(4 * v for v in p.weights()), plain[2] + straight[1]])


def bary_raw(p):
    plain, v, n = p.smooth(PLAIN), [value_at(i) for i in p.triangle], [whole_at(i) for i in p.triangle]
    return ([v[0][0] - v[1][0], v[0][1] - v[1][1], *v[2][2:]], [v[1][3], v[2][0], plain[1], plain[2]],
            [n[0][0], n[1][0], n[2][1], signed(n[0][1] ^ n[1][1])])


def bary_hand(p):
    b, s, v = p.in_perspective(), p.weights(), [value_at(i) for i in p.triangle]
    mix = lambda k: [sum(w * c for w, c in zip(k, values)) for values in zip(*v)]
    total = sum(w * w for w in b)
    second = mix([w * w / total for w in b])
    if s[0] > 0.5:
        second[:2] = [v[0][2] * s[1] + v[1][2] * s[2], v[0][3] * s[1] + v[1][3] * s[2]]
    second[3] += p.smooth(PLAIN)[0] * b[0]
    return (mix(b), second)


def bary_places(p):
    b, s, v = p.in_perspective(), p.weights(), value_at(p.triangle[1])
    return ([*b[1:], *s[1:]], [*b[1:], p.here(), b[1] * v[0] + b[2] * v[3]])


def bary_sample(p):
    """The mean of four samples."""
    value = lambda i: (i & 1, i * 0.125, 1 - i * 0.25, i * i)
    v, sums = [value(i) for i in p.triangle], [0.0] * 4
    for x, y in PLACES:
        b, s = p.in_perspective(x - 0.5, y - 0.5), p.weights(x - 0.5, y - 0.5)
        one = (b[1] ** 2 / 4, b[2] ** 2 / 4, (v[1][2] + (v[2][1] - v[1][2]) * b[1]) * s[1], s[2] + v[0][3])
        sums = [t + o / 4 for t, o in zip(sums, one)]
    return (sums,)


def bary_order(p):
    v = [(i * 0.125, i * i * 0.03, 1 - i * 0.2) for i in p.triangle]
    return ([*p.in_perspective(), v[0][0]], [v[0][1], v[0][2], v[1][0], v[2][0]])


# ---- instructions that read another parameter
def one_slot(p):
    """interp_kinds, with and without perspective of one parameter."""
    s, l = p.smooth(PLAIN), p.straight(PLAIN)
    (x, y), i = CORNERS[p.first], p.first
    return ([v * 2 + l[0] for v in s], [l[1] + x * 0.5, l[2] + y * 0.5, l[3] + i * 0.5, s[3]], kinds(p)[2])


def differences(p):
    """bary_raw, from a parameter that is interpolated, too: P0, P1 - P0 and P2 - P0 in place of three values."""
    plain, v, n = p.smooth(PLAIN), [PLAIN(*CORNERS[i]) for i in p.triangle], bary_raw(p)[2]
    v[1:] = [[a - b for a, b in zip(k, v[0])] for k in v[1:]]
    return ([v[0][0] - v[1][0], v[0][1] - v[1][1], *v[2][2:]], [v[1][3], v[2][0], plain[1], plain[2]], n)


def read_instead(code, kinds_of, old, new, count):
    """Interpolation instructions (0 p1, 1 p2, 2 mov) of attribute `old` read `new`: bits 31:26 are 0x32, 17:16 the kind, 15:10
    the attribute, on all of these GPUs."""
    words, found = list(struct.unpack(f"<{len(code) // 4}I", code)), 0
    for i, w in enumerate(words):
        if w >> 26 == 0x32 and (w >> 16 & 3) in kinds_of and w >> 10 & 63 == old:
            words[i] = w & ~(63 << 10) | new << 10
            found += 1
    assert found == count, f"{found} instructions, not {count}"
    return struct.pack(f"<{len(words)}I", *words)


KINDS = quad(lambda v: v * 1.6 - 0.8, lambda x, y: 1 + x * 2 + y)
RAW = quad(lambda v: v * 1.7 - 0.9, lambda x, y: 1.5 - y)
# what a program's targets hold; what is drawn; does the host interpolate all
PROGRAMS = {
    "interp_kinds": (kinds, KINDS, True),
    "interp_centroid": (centroid, RAW, True),
    "interp_shared": (shared, quad(lambda v: v * 1.71 - 0.93, lambda x, y: 1.5 - y), True),
    "interp_offset": (offset, quad(lambda v: v * 1.6 - 0.8, lambda x, y: 1 + x), True),
    "interp_sample": (sample, quad(lambda v: v * 1.625 - 0.8125, lambda x, y: 1 + y), True),
    "bary_kinds": (bary_kinds, KINDS, False),
    "bary_raw": (bary_raw, RAW, False),
    "bary_hand": (bary_hand, quad(lambda v: v * 1.71 - 0.93, lambda x, y: 1 + x), False),
    "bary_places": (bary_places, quad(lambda v: v * 1.61 - 0.83, lambda x, y: 1 + x * 2 + y), False),
    "bary_sample": (bary_sample, quad(lambda v: v * 1.625 - 0.8125, lambda x, y: 1 + x + y), False),
    "bary_strip": (bary_order, strip(), False),
    "bary_fan": (bary_order, fan(), False),
    "one_slot": (one_slot, KINDS, False),
    "differences": (differences, RAW, False),
}
# made of a recorded program: which, instructions, attribute, the one read instead, how many
PATCHED = {
    "one_slot": ("interp_kinds", (0, 1), 1, 0, 8),
    "differences": ("bary_raw", (2,), 0, 2, 8),
}


def close(got, wanted, tolerance):
    return all(abs(g - w) <= tolerance * max(1, abs(w)) for target, values in zip(got, wanted) for g, w in zip(target, values))


def judge(file, program, tolerance):
    """What is wrong with the pictures of an output file, or nothing."""
    expected, shape, _ = PROGRAMS[program]
    pictures, seen = picture.pictures(file), 0
    for y in range(SIZE):
        for x in range(SIZE):
            for triangle in shape.triangles:
                pixels = [Pixel(x, y, triangle, shape, snap) for snap in (False, True)]
                if not pixels[0].inside():
                    continue
                seen += 1
                at = (y * SIZE + x) * 16
                got = [struct.unpack_from("<4i" if form in picture.INTEGERS else "<4f", data, at) for form, _, _, data in pictures]
                wanted = [expected(p) for p in pixels]
                if len(got) != len(wanted[0]) or not any(close(got, v, tolerance) for v in wanted):
                    return f"pixel {x},{y}: {got} is not {wanted[0]}"
    return "" if seen > 900 else f"{seen} pixels are inside"


def record_of(root, family, name, work):
    """The record's file; of a patched program a new one, beside its code."""
    if name not in PATCHED:
        return f"{root}/{family}/{name}.json"
    base, *how = PATCHED[name]
    with open(f"{root}/{family}/{base}.json") as f:
        record = json.load(f)
    record.update(name=name, topology=3, provoking_last=0)
    for e in record["executables"]:
        with open(f"{root}/{family}/{e['code']}", "rb") as f:
            code = f.read()
        e["code"] = f"{name}.{e['stage']}.bin"
        with open(f"{work}/{e['code']}", "wb") as f:
            f.write(read_instead(code, *how) if e["stage"] == "frag" else code)
    with open(f"{work}/{name}.json", "w") as f:
        json.dump(record, f)
    return f"{work}/{name}.json"


def outcome(xlate, file, name, target):
    """How the program came about, as its remarks say."""
    r = subprocess.run([xlate, "explain", file, f"{name}.frag", "-t", target], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    said = [line.split(": ")[1 if line.startswith("hostinterp   +") else 0].split() for line in r.stdout.splitlines()
            if line.startswith("hostinterp")]
    found = {w for words in said for w in words if w in ("host", "native", "emulated")}
    return found.pop() if len(found) == 1 else f"{sorted(found)} in {r.stdout}{r.stderr}"


def run_one(options, work, family, name, modules, file):
    with open(file) as f:
        record = json.load(f)
    arguments, missing = corpus.job(options.root, record, modules)
    if missing:
        return f"no module of the {missing} program"
    for target, other in ((options.target, options.outcome), ("radv-navi21", "native")):
        wanted, said = "host" if PROGRAMS[name][2] else other, outcome(options.xlate, file, name, target)
        if said != wanted:
            return f"for {target} it is {said}, not {wanted}"
    r = subprocess.run([options.vkexec, "-o", f"{work}/out", *arguments], stdout=subprocess.PIPE, text=True)
    half = record.get("color") in ("rgba8", "rgba16f")
    if r.returncode != 0:
        return r.stdout or f"vkexec ends with {r.returncode}"
    return judge(f"{work}/out", name, 2e-3 if half else 1e-4)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("-t", dest="target", default="lavapipe")
    p.add_argument("-o", dest="outcome", default="emulated")
    for a in ("xlate", "vkexec", "root"):
        p.add_argument(a)
    options = p.parse_args()
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory() as work:
        for family in ("navi21", "navi21-w32", "navi10", "bonaire"):
            os.makedirs(f"{work}/{family}/made")
            files = {name: record_of(options.root, family, name, f"{work}/{family}/made") for name in PROGRAMS}
            modules, _ = corpus.translate(options.xlate, options.target, list(files.values()), f"{work}/{family}")
            for name, file in files.items():
                bad = run_one(options, work, family, name, modules, file)
                passed += not bad
                failed += bool(bad)
                if bad:
                    print(f"{family} {name}: {bad}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
