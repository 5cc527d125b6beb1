"""The comparison behind llvm_parity.sh, which says what it does and takes the same arguments."""
import argparse
import collections
import os
import random
import re
import subprocess
import sys
import tempfile

CPUS = [(cpu, wave) for cpu in ("gfx1010", "gfx1013", "gfx1030") for wave in (32, 64)]
SENTINEL = "s_nop 0xbeef"
SENTINEL_BYTES = "efbe80bf"
BATCH = 20000
LENGTHS = (4, 8, 12, 16, 20)

# Fixed high bits of each encoding: value, bits below it, name.
CLASSES = [(0, 31, "VOP2"), (0x3E, 25, "VOPC"), (0x3F, 25, "VOP1"), (2, 30, "SOP2"), (0xB, 28, "SOPK"), (0x17D, 23, "SOP1"),
           (0x17E, 23, "SOPC"), (0x17F, 23, "SOPP")] + [(x, 26, n) for x, n in (
               (0x30, ""), (0x31, ""), (0x32, "VINTRP"), (0x33, "VOP3P"), (0x34, ""), (0x35, "VOP3"), (0x36, "DS"),
               (0x37, "FLAT"), (0x38, "MUBUF"), (0x39, ""), (0x3A, "MTBUF"), (0x3B, ""), (0x3C, "MIMG"), (0x3D, "SMEM"),
               (0x3E, "EXP"), (0x3F, ""))]
CONSTANTS = [0x3F800000, 0xBF000000, 0x40800000, 0x3E22F983, 0x3C00, 0xC400, 0x3118, 0xFFF0, 0xFFFF, 0x3C003C00, 0xFFFF3C00,
             0x3FE00000, 0x3FC45F30]


def dis(xlate, cpu, wave, lines):
    """One text per line of hex, '' where refused."""
    with tempfile.NamedTemporaryFile("w", suffix=".hex") as f:
        f.write("".join(line + "\n" for line in lines))
        f.flush()
        r = subprocess.run([xlate, "dis", "--cpu", cpu, "--wave", str(wave), "--hex", f.name], capture_output=True, text=True)
    out = r.stdout.splitlines()
    if len(out) != len(lines):
        sys.exit(f"llvm_parity: {len(out)} lines for {len(lines)} inputs: {r.stderr[:200]}")
    return ["" if t.startswith("!") else re.sub(r"\s+", " ", t).strip() for t in out]


def llvm_run(cpu, wave, lines):
    """All texts of each line, with None in front where its first bytes are refused. None for the whole if llvm-mc dies."""
    feature = "+wavefrontsize64,-wavefrontsize32" if wave == 64 else "+wavefrontsize32,-wavefrontsize64"
    # in brackets: without them llvm-mc takes all lines for one stretch of bytes
    source = "".join("[" + ",".join("0x" + h[i:i + 2] for i in range(0, len(h), 2)) + "]\n" for x in lines
                     for h in (x, SENTINEL_BYTES))
    r = subprocess.run([os.environ["LLVM_MC"], "-disassemble", "-triple=amdgcn", "-mcpu=" + cpu, "-mattr=" + feature],
                       input=source, capture_output=True, text=True)
    if r.returncode < 0 or "PLEASE submit" in r.stderr:
        return None
    refused = {int(m) for m in re.findall(r"<stdin>:(\d+):2: (?:warning|error): invalid", r.stderr)}
    out, texts = [], []
    for line in r.stdout.splitlines():
        text = re.sub(r"\s+", " ", re.sub(r"\s*; Warning.*", "", line)).strip()
        if text == SENTINEL:
            if 2 * len(out) + 1 in refused:
                texts.insert(0, None)
            out.append(texts)
            texts = []
        elif text and not text.startswith("."):
            texts.append(text)
    return out if len(out) == len(lines) else None


def llvm(cpu, wave, lines, crashed):
    """llvm_run, bisected around the words that kill it: those give []."""
    out = llvm_run(cpu, wave, lines)
    if out is not None:
        return out
    if len(lines) == 1:
        crashed.append(lines[0])
        return [[]]
    half = len(lines) // 2
    return llvm(cpu, wave, lines[:half], crashed) + llvm(cpu, wave, lines[half:], crashed)


def word(r):
    """Random, with few bits set in half of the cases."""
    k, w = r.random(), r.getrandbits(32)
    for limit in (0.3, 0.15, 0.07):
        if k < limit:
            w &= r.getrandbits(32)
    return w


def rare(r, bits):
    return r.getrandbits(bits) & r.getrandbits(bits)


def encoding(r):
    """20 bytes that begin with a likely instruction: class first, then fields that are valid more often than chance has it."""
    high, low, name = r.choice(CLASSES)
    w0, w1 = high << low | word(r) & ((1 << low) - 1), word(r)
    if r.random() < 0.15:
        w1 = r.choice(CONSTANTS + [r.randrange(80), 0x100000000 - r.randrange(1, 20)])
    if name in ("VOP1", "VOP2", "VOPC"):
        if r.random() < 0.4:
            w0 = w0 & ~0x1FF | r.choice([0xF9, 0xFA, 0xE9, 0xEA, 0xFF])
        if w0 & 0x1FF == 0xF9 and r.random() < 0.7:
            w1 = (r.getrandbits(8) | r.choice([r.randrange(7), 6]) << 8 | r.randrange(4) << 11 | rare(r, 3) << 13 |
                  r.randrange(7) << 16 | rare(r, 5) << 19)
            if name != "VOP1":
                w1 |= r.randrange(7) << 24 | rare(r, 5) << 27
    if name in ("VOP3", "VOP3P") and r.random() < 0.5:
        src = [r.choice([256 + r.getrandbits(8), r.randrange(106), r.randrange(106, 256)]) for _ in range(3)]
        if r.random() < 0.5:
            src[2] = 0
        if r.random() < 0.3:
            src[1] = 0
        w1 = src[0] | src[1] << 9 | src[2] << 18 | rare(r, 5) << 27
        if r.random() < 0.6:
            w0 &= ~0x7F00
    if name == "MIMG" and r.random() < 0.7:
        w0 = w0 & ~6 | r.choice([0, 0, 1, 1, 2, 3]) << 1
        w1 &= ~(0x1F << 21) if r.random() < 0.6 else ~(0xF << 26)
    if name == "FLAT" and r.random() < 0.5:
        w1 = w1 & ~(0xFF << 16) | r.choice([0x7D, 0x7D, 0x7F, r.randrange(128)]) << 16
    return b"".join(w.to_bytes(4, "little") for w in (w0, w1, *(r.getrandbits(32) for _ in range(3)))).hex()


def excused(h, theirs, ours):
    """Name of the entry in ERRATA.md under which a difference falls, or None."""
    w0, w1 = (int.from_bytes(bytes.fromhex(h[i:i + 8]), "little") for i in (0, 8))
    kind = w0 >> 26
    if not theirs and re.search(r":107\]", ours):
        return "E1 VCC in a range"
    if w0 >> 31 == 0 and w0 & 0x1FF == 0xF9 and not ours:
        if any(w1 >> at & 7 == 7 for at in (8, 16, 24)) or w1 >> 11 & 3 == 3:
            return "E2 SDWA select"
    if kind == 0x3C:
        gather, atomic = "gather4" in theirs + ours, "atomic" in theirs + ours
        if not ours and (w0 >> 1 & 3 or (w1 >> 8 & 255) > 250 or (w1 & 255) > 240):
            return "E3 image form that LLVM lacks"
        if gather and (w1 >> 31 and w0 >> 16 & 1 or (w1 >> 8 & 255) > 251):
            return "E3 image form that LLVM lacks"
        if atomic and (not ours or w0 >> 16 & 1):
            return "E3 image form that LLVM lacks"
        if w0 >> 3 & 7 == 7 and not re.match(r"image_(load|store) ", theirs):
            return "E3 image form that LLVM lacks"
    if kind in (0x38, 0x3A) and w1 >> 24 == 255 and not ours:
        return "E4 literal buffer offset"
    if not ours and "sext(" in theirs and not (w0 >> 31 == 0 and w0 & 0x1FF == 0xF9):
        return "E5 sext without SDWA"
    only_vgpr = r"v_(interp|readfirstlane|readlane|permlane|mqsad_u32|cmp|movrel|swap)"
    if not ours and re.match(only_vgpr, theirs) and re.search(r"\bsrc_|null", theirs):
        return "E6 read-only register"
    if not ours and re.match(r"v_movrels\w*_sdwa v\d+, (sext\()?(s\d|s\[|ttmp|vcc|exec|m0|null|src_|-?\d)", theirs):
        return "E6 read-only register"
    if not theirs and re.match(r"v_cmpx?_\w+_dpp ", ours):
        return "E7 compare with DPP"
    return None


def clean(texts):
    """First text of a line as a comparison sees it: '' where LLVM refuses, or prints what it calls invalid."""
    if not texts or texts[0] is None:
        return ""
    bad = "/*" in texts[0] or "invalid_" in texts[0] or texts[0] == "v_illegal"
    return "" if bad else texts[0]


def first(xlate, cpu, wave, lines):
    """Text and length in bytes of the instruction that each line begins with: its longest start that is one."""
    starts = dis(xlate, cpu, wave, [x[:2 * n] for x in lines for n in LENGTHS])
    out = []
    for at in range(0, len(starts), len(LENGTHS)):
        found = [(t, n) for t, n in zip(starts[at:], LENGTHS) if t]
        out.append(found[-1] if found else ("", 0))
    return out


def check_random(xlate, cpu, wave, count, seed):
    r = random.Random(f"{seed}/{cpu}/{wave}")
    crashed, excuses, bad, both, done = [], collections.Counter(), 0, 0, 0
    while done < count:
        lines = [encoding(r) for _ in range(min(BATCH, count - done))]
        done += len(lines)
        theirs, ours = llvm(cpu, wave, lines, crashed), first(xlate, cpu, wave, lines)
        cut = []
        for h, t, (o, n) in zip(lines, theirs, ours):
            a = clean(t)
            if a == o:
                if o:
                    cut.append((h[:2 * n], o))
                continue
            if o == "v_nop" and n == 4 and not a and h[:2] in ("e9", "ea", "f9", "fa"):
                continue  # with the word behind it an invalid DPP or SDWA form: cut before that word it is an instruction
            if not t and h in crashed:
                continue
            why = excused(h, a, o)
            if why:
                excuses[why] += 1
                continue
            bad += 1
            if bad <= 10:
                print(f"  {cpu}/w{wave} {h}\n    llvm {a or '!invalid'}\n    ours {o or '!invalid'}")
        both += len(cut)
        for (h, o), t in zip(cut, llvm(cpu, wave, [h for h, _ in cut], crashed)):
            if t != [o]:
                bad += 1
                print(f"  {cpu}/w{wave} {h}: length {len(h) // 2} is not LLVM's: {t}")
    note = ", ".join(f"{k}: {v}" for k, v in sorted(excuses.items()))
    print(f"{'FAIL' if bad else 'ok'} random {cpu}/w{wave}: {count} words, {both} instructions agree, {bad} differ, "
          f"{len(crashed)} kill llvm-mc; {note}")
    for h in crashed[:3]:
        print(f"  kills llvm-mc: {h[:16]}")
    return not bad


def same_but_address(a, b):
    """gfx7 images: the encoding does not hold how many address registers there are."""
    def cut(t):
        m = re.match(r"(image_\S+ [^,]+), v(?:\[(\d+):\d+\]|(\d+))(.*)", t)
        return m and (m[1], m[2] or m[3], m[4])
    return cut(a) is not None and cut(a) == cut(b)


def check_file(xlate, path, where):
    cpu, _, wave = where.partition("/w")
    pairs = collections.defaultdict(set)
    with open(path) as f:
        for line in f:
            part = line.rstrip("\n").split("\t")
            if len(part) == 3 and not line.startswith("#") and where in part[2].split(","):
                pairs[part[0]].add(part[1])
    keys = list(pairs)
    bad = address = 0
    for h, o in zip(keys, dis(xlate, cpu, int(wave or 64), keys)):
        if o in pairs[h]:
            continue
        if cpu == "gfx700" and any(same_but_address(o, t) for t in pairs[h]):
            address += 1
            continue
        bad += 1
        if bad <= 10:
            print(f"  {where} {h}\n    want {sorted(pairs[h])}\n    got  {o or '!invalid'}")
    print(f"{'FAIL' if bad else 'ok'} {os.path.basename(path)} {where}: {len(keys)} encodings, {bad} differ, {address} only in "
          "the image address size")
    return not bad


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("xlate")
    p.add_argument("-n", type=int, default=200000)
    p.add_argument("-s", type=int, default=1)
    p.add_argument("files", nargs="*")
    a = p.parse_intermixed_args()
    results = []
    for path in a.files:
        with open(path) as f:
            columns = {c for line in f if not line.startswith("#") for c in line.rstrip("\n").split("\t")[-1].split(",")}
        results += [check_file(a.xlate, path, c) for c in sorted(columns) if c.startswith("gfx")]
    if a.n:
        results += [check_random(a.xlate, cpu, wave, a.n, a.s) for cpu, wave in CPUS]
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed, 0 skipped")
    return not all(results)


if __name__ == "__main__":
    sys.exit(main())
