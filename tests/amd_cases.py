#!/usr/bin/env python3
"""Write fixtures/isa/gfx7/exec.txt and fixtures/isa/gfx10/exec.txt: the encodings that amd_alu_test executes.

    tests/amd_cases.py [llvm-mc]        from the top of the tree

The rows of the instruction table say which mnemonics there are and what operands they take; llvm-mc encodes each text and
prints it again. What it refuses is left out. Lines: bytes TAB text TAB cpu[/wWAVE],..."""
import os
import re
import subprocess
import sys

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
AMD = os.path.join(HERE, "libxlate", "isa", "amd")
MC = sys.argv[1] if len(sys.argv) > 1 else "llvm-mc-19"
CPUS = ["gfx700", "gfx1010", "gfx1013", "gfx1030"]
INST = re.compile(r"^INST\((\w+),\s+(\w+),\s+(\w+),\s+(\w+),\s+(\w+),\s+(\w+),\s+(\w+),\s+(.*),\s*([\w|]+)\)$")
FMT = re.compile(r"^FMT\((\w+),\s+(\w+), (\w+), (\w+), (\w+), (\w+), (\w+)\)$")


def lines(pattern, *names):
    for name in names:
        for line in open(os.path.join(AMD, name)):
            m = pattern.match(line)
            if m:
                yield m.groups()


FORMATS = {f[0]: f[1:] for f in lines(FMT, "amd_fmt.def")}
DWORDS = {"B64": 2, "F64": 2, "B96": 3, "B128": 4, "B256": 8, "B512": 16}


def reg(letter, at, n):
    return "%s%d" % (letter, at) if n == 1 else "%s[%d:%d]" % (letter, at, at + n - 1)


def kind(t):
    """(class letter or '', plain type)"""
    if t[0] in "VSR" and t[1:] in ("B32", "F32", "B64", "F16", "B128", "B256"):
        return t[0], t[1:]
    return "", t


def mask(at, wave):
    return reg("s", at, wave // 32)


def operands(fmt, wave, vop3, scalar_first=False, constant=None):
    """Texts of (destinations, sources) of an ALU format."""
    d0, d1, s0, s1, s2, _ = FORMATS[fmt]
    vcc = "vcc" if wave == 64 else "vcc_lo"
    dst, src = [], []
    for i, t in enumerate((d0, d1)):
        if t == "0":
            continue
        c, t = kind(t)
        if t == "MASK":
            dst.append(mask(20 if i else 10, wave) if vop3 else vcc)
        else:
            dst.append(reg("s" if c in "SR" and c else "v", 12 if t == "B128" else 10, DWORDS.get(t, 1)))
    for i, t in enumerate((s0, s1, s2)):
        if t == "0":
            continue
        c, t = kind(t)
        if t == "MASK":
            src.append(mask(22, wave) if vop3 else vcc)
        elif c in "SR" and c:
            src.append(reg("s", 4 + 2 * i, DWORDS.get(t, 1)))
        elif i == 0 and scalar_first and c != "V":
            src.append(reg("s", 4, DWORDS.get(t, 1)))
        elif i == 0 and constant and c != "V":
            src.append({"f": "-4.0", "i": "-7"}[constant] if "F" in t else "-7")
        else:
            src.append(reg("v", 16 if t == "B128" else 2 + 2 * i, DWORDS.get(t, 1)))
    return dst, src


def is_float(fmt, i):
    return "F" in kind(FORMATS[fmt][2 + i])[1] or FORMATS[fmt][2 + i] == "MIX"


def with_mods(fmt, src, which):
    out = []
    for i, s in enumerate(src):
        if is_float(fmt, i) and (which >> i & 1):
            s = ["-%s", "|%s|", "-|%s|"][(i + which) % 3] % s
        out.append(s)
    return out


def valu(row, wave):
    name, enc, fmt, flags = row
    f = FORMATS[fmt]
    n = sum(t != "0" for t in f[2:5])
    any_float = any(is_float(fmt, i) for i in range(n))
    implicit = fmt == "NONE"

    def text(suffix, dst, src, tail=""):
        if name.startswith("v_cmpx") and not GFX7:
            dst = []
        return ("%s%s %s%s" % (name, suffix, ", ".join(dst + src), tail)).strip()

    if implicit:
        yield name
        return
    if enc in ("VOP1", "VOP2", "VOPC"):
        for kw in ({}, {"scalar_first": True}, {"constant": "f"}):
            d, s = operands(fmt, wave, False, **kw)
            if "K1" in fmt:
                s = [s[0], "0x40490fdb" if "F32" in fmt else "0x3c01", s[1]]
            elif "K2" in fmt:
                s = [s[0], s[1], "0x40490fdb" if "F32" in fmt else "0x3c01"]
            if enc == "VOPC" and kw:
                continue
            yield text("", d, s) if "K1" in fmt or "K2" in fmt or "NOE64" in flags else text("_e32", d, s)
    if enc != "VOP3P":
        suffix = "" if enc == "VOP3" else "_e64"
        d, s = operands(fmt, wave, True)
        yield text(suffix, d, s)
        d, s = operands(fmt, wave, True, scalar_first=True)
        yield text(suffix, d, with_mods(fmt, s, 5))
        if any_float:
            yield text(suffix, d, with_mods(fmt, s, 2))
            yield text(suffix, d, with_mods(fmt, operands(fmt, wave, True)[1], 7), " mul:2" if GFX7 and f[1] != "0" else " clamp mul:2")
            yield text(suffix, d, s, " div:2")
            yield text(suffix, d, s, " mul:4")
        if not (GFX7 and f[1] != "0"): # no such bit: the second destination is there
            yield text(suffix, d, s, " clamp")
        for bits in ((1, 0, 1, 1), (0, 1, 0, 1)):
            sel = list(bits[:n]) + [1]
            yield text(suffix, d, operands(fmt, wave, True)[1], " op_sel:[%s]" % ",".join(map(str, sel)))
        if name.startswith("v_med3_f"): # between constants
            for pair in (["1.0", "-1.0", "v6"], ["v2", "0", "1.0"], ["-4.0", "v4", "4.0"], ["v2", "0", "-1.0"], ["1.0", "1.0", "v6"]):
                yield text(suffix, d, pair)
            yield text(suffix, d, ["-1.0", "-v4", "|1.0|"])
        if "permlane" in name:
            for sel in ("1,0", "0,1", "1,1"):
                yield text(suffix, d, operands(fmt, wave, True)[1], " op_sel:[%s]" % sel)
    else:
        d, s = operands(fmt, wave, True)
        ones = lambda v: ",".join(str(v >> i & 1) for i in range(n))
        yield text("", d, s)
        yield text("", d, s, " op_sel:[%s] op_sel_hi:[%s]" % (ones(1), ones(6)))
        if any_float:
            yield text("", d, s, " op_sel:[%s] op_sel_hi:[%s] neg_lo:[%s] neg_hi:[%s]" % (ones(2), ones(5), ones(1), ones(2)))
            if "MIX" in fmt:
                yield text("", d, ["-v2", "|v4|", "-|v6|"], " op_sel:[0,1,0] op_sel_hi:[1,1,0] clamp")
                yield text("", d, s, " op_sel_hi:[1,0,1]")
        yield text("", d, s, " clamp")
    if GFX7 or enc not in ("VOP1", "VOP2", "VOPC"):
        return
    d, s = operands(fmt, wave, enc == "VOPC")
    sels = " src0_sel:%s" + (" src1_sel:%s" if n > 1 else "")
    put = " dst_sel:%s dst_unused:%s" if enc != "VOPC" else "%s%s"
    for a, b, c, u in (("BYTE_1", "WORD_1", "WORD_1", "UNUSED_PRESERVE"), ("WORD_1", "DWORD", "DWORD", "UNUSED_PAD"),
                       ("DWORD", "BYTE_3", "BYTE_2", "UNUSED_SEXT")):
        tail = put % ((c, u) if enc != "VOPC" else ("", "")) + sels % ((a, b) if n > 1 else (a,))
        yield text("_sdwa", d, s, tail)
        if a == "BYTE_1":
            if any_float:
                yield text("_sdwa", d, with_mods(fmt, s, 3), tail)
            else:
                yield text("_sdwa", d, ["sext(%s)" % x if x[0] == "v" and x[:3] != "vcc" else x for x in s], tail)
    if enc == "VOPC":
        return
    for tail in (" quad_perm:[3,1,0,2] row_mask:0xf bank_mask:0xf", " row_shr:3 row_mask:0xa bank_mask:0x7 bound_ctrl:1"):
        yield text("_dpp", d, with_mods(fmt, s, 1), tail)
    yield text("_dpp", d, s, " dpp8:[7,2,1,4,0,0,5,3]")
    if name in ("v_mov_b32", "v_add_f32"):
        for c in ("row_shl:1", "row_ror:5", "row_mirror", "row_half_mirror", "row_share:6", "row_xmask:9"):
            yield text("_dpp", d, s, " %s row_mask:0xf bank_mask:0xf" % c)
            yield text("_dpp", d, s, " %s row_mask:0x5 bank_mask:0xf fi:1" % c)
        yield text("_dpp", d, s, " dpp8:[7,2,1,4,0,0,5,3] fi:1")


def salu(row, wave):
    name, enc, fmt, flags = row
    if enc == "SOPK":
        if "waitcnt" in name:
            yield "%s null, 0x0" % name
        elif fmt == "SK_VERSION":
            yield "%s 0x1234" % name
        elif fmt in ("SK_DST", "SK_SRC"):
            yield "%s s10, 0x1234" % name
            yield "%s s10, 0xfff9" % name
        elif fmt == "SK_GETREG":
            for at, n in (0, 8), (4, 2), (5, 3):
                yield "%s s10, hwreg(HW_REG_MODE, %d, %d)" % (name, at, n)
        elif fmt == "SK_SETREG":
            yield "%s hwreg(HW_REG_MODE, 4, 2), s4" % name
        elif fmt == "SK_SETREG_IMM":
            yield "%s hwreg(HW_REG_MODE, 0, 8), 0xc0" % name
        return
    if enc == "SOPP" and "branch" in name:
        yield "%s 1" % name
        return
    if enc == "SOPP" and name not in ("s_endpgm",):
        yield name
        yield "%s 0" % name
        yield "%s 0x0" % name
        return
    if fmt == "NONE":
        return
    d, s = operands(fmt.replace("NODST_", ""), wave, True) if fmt in FORMATS else ([], [])
    dst, src = FORMATS[fmt][0], FORMATS[fmt][2:4]
    w = [DWORDS.get(kind(t)[1], 1) for t in src if t != "0"]
    d = [] if dst == "0" else [reg("s", 10, DWORDS.get(kind(dst)[1], 1))]
    if not w or "pc_b64" in name or "rfe" in name:
        return
    texts = [[reg("s", 4 + 2 * i, k) for i, k in enumerate(w)]]
    texts.append([reg("s", 4, w[0])] + ["-7"] * (len(w) - 1))
    texts.append(["vcc" if w[0] == 2 else "vcc_lo"] + [reg("s", 6, k) for k in w[1:]])
    texts.append(["exec" if w[0] == 2 else "exec_lo"] + [reg("s", 6, k) for k in w[1:]])
    for t in texts[:1] if "movrel" in name else texts:
        yield "%s %s" % (name, ", ".join(d + t))
    if d and "movrel" not in name:
        yield "%s %s" % (name, ", ".join(["exec" if d[0][1] == "[" else "exec_lo"] + texts[0]))
        yield "%s %s" % (name, ", ".join(["vcc" if d[0][1] == "[" else "vcc_lo"] + texts[0]))


def count(t):
    """Dwords of a memory operand by its name in the format: B32, L4, C2 ..."""
    return {"o": 0, "A1": 1, "A2": 2, "C1": 2, "C2": 4, "L1": 1, "L2": 2, "L3": 3, "L4": 4, "S1": 1, "S2": 2, "S3": 3, "S4": 4,
            "L8": 8, "L16": 16, "B32": 1, "B64": 2, "B96": 3, "B128": 4}[t]


DATA = re.compile(r"^DATA\((\w+),\s+\d+,\s+\d+,\s+(\w+),")
DATA_FORMATS = [(f[0], int(f[1], 16)) for f in lines(DATA, "amd_data.def")]
SOME_FORMATS = [("8_8", "UNORM"), ("16_16", "FLOAT"), ("2_10_10_10", "SNORM"), ("32_32", "UINT"), ("32", "FLOAT"), ("16", "UNORM")]
NUMBERS = ["UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "FLOAT"]


def memory(row):
    name, enc, fmt, flags = row
    p = fmt.split("_")
    if enc == "DS":
        if fmt in ("NONE", "DS_GWS") or "GWS" in flags:
            if name == "ds_nop":
                yield name
            return
        ops = []
        if p[1] != "o":
            ops.append(reg("v", 10, count(p[1])))
        if p[2] == "A":
            ops.append("v2")
        ops += [reg("v", 4 + 4 * i, count(t)) for i, t in enumerate(p[3:])]
        for tail in (" offset0:1 offset1:2",) if "OFF2" in flags else ("", " offset:16"):
            yield "%s %s%s" % (name, ", ".join(ops), tail)
        if "swizzle" in name:
            for o in (0x8000 | 0x1b, 0x041f, 0x7c1f, 0x0010):
                yield "%s %s offset:0x%x" % (name, ", ".join(ops), o)
        return
    if enc in ("MUBUF", "MTBUF"):
        if fmt == "NONE":
            yield name
            return
        data = reg("v", 10, count(p[1]))
        f = ("" if enc == "MUBUF" else " dfmt:14, nfmt:7," if GFX7 else " format:77,")
        if enc == "MTBUF":
            for d, numbers in DATA_FORMATS:
                for k, number in enumerate(NUMBERS):
                    if (numbers >> k & 1 or GFX7) and (name.endswith("_xyzw") or (d, number) in SOME_FORMATS):
                        yield "%s %s, off, s[4:7], s8 format:[%s] offset:20" % (
                            name, data, "BUF_DATA_FORMAT_%s,BUF_NUM_FORMAT_%s" % (d, number) if GFX7 else "BUF_FMT_%s_%s" % (d, number))
        for addr, tail in (("off", " offset:20"), ("v2", " offen offset:8"), ("v[2:3]", " idxen offen offset:4"), ("v2", " idxen")):
            for glc in ("", " glc"):
                yield "%s %s, %s, s[4:7],%s s8%s%s" % (name, data, addr, f, tail, glc)
        return
    if enc in ("FLAT", "GLOBAL", "SCRATCH"):
        data = reg("v", 10, count(p[1]))
        atomic, store = p[1][0] in "AC", "store" in name
        ret = reg("v", 20, count(p[1]) // (2 if p[1][0] == "C" else 1))
        for a, s, tail in (("v[2:3]", "off", " offset:-16"), ("v2", "s[4:5]", " offset:8"), ("v[2:3]", "", ""), ("v[2:3]", "", " offset:24"),
                           ("v2", "off", " offset:4"), ("off", "s4", " offset:8"), ("off", "off", " offset:12"), ("", "s[4:5]", " offset:8"),
                           ("", "off", " offset:8")):
            rest = [x for x in (a, s) if x]
            if atomic:
                yield "%s %s%s" % (name, ", ".join([rest[0], data] + rest[1:]), tail)
                yield "%s %s%s glc" % (name, ", ".join([ret, rest[0], data] + rest[1:]), tail)
            elif store and "addtid" not in name:
                yield "%s %s%s" % (name, ", ".join([rest[0], data] + rest[1:]), tail)
            else:
                yield "%s %s%s" % (name, ", ".join([data] + rest), tail)
        return
    if enc in ("SMEM", "SMRD"):
        m = re.match(r"SM_L(\d+)(_BUF)?$", fmt)
        if m:
            n = int(m.group(1))
            dst = reg("s", 12, n) if n < 16 else "s[12:27]"
            base = "s[4:7]" if m.group(2) else "s[4:5]"
            for o in ("0x10", "s8", "0x4", "s8 offset:0x10"):
                yield "%s %s, %s, %s" % (name, dst, base, o)
        m = re.match(r"SM_([SAC])(\d)(_BUF)?$", fmt)
        if m:
            n = int(m.group(2)) * (2 if m.group(1) == "C" else 1)
            for o in ("0x10", "s8", "s8 offset:0x10"):
                for glc in ("", " glc"):
                    yield "%s %s, %s, %s%s" % (name, reg("s", 12, n), "s[4:7]" if m.group(3) else "s[4:5]", o, glc)
        elif fmt == "SM_WAVEID":
            yield "%s s10" % name
        elif fmt == "NONE":
            yield name


COORDS = {"1D": (1, 2), "2D": (2, 4), "3D": (3, 6), "CUBE": (3, 4), "1D_ARRAY": (2, 2), "2D_ARRAY": (3, 4), "2D_MSAA": (3, 4),
          "2D_MSAA_ARRAY": (4, 4)}
IMG = re.compile(r"^IMG\((\w+),\s+(\d), ([\w|]+)\)$")
IMAGES = {f[0]: f[1:] for f in lines(IMG, "amd_fmt.def")}


def image(row):
    name, enc, fmt, flags = row
    if fmt not in IMAGES or "bvh" in name or "pck" in name:
        return
    if fmt == "IMG_INFO":
        for dim, mask, n in (("1D", 9, 2), ("2D", 3, 2), ("2D", 11, 3), ("3D", 15, 4), ("1D_ARRAY", 3, 2), ("2D_ARRAY", 7, 3), ("2D_MSAA", 3, 2),
                             ("2D_MSAA_ARRAY", 7, 3)):
            if dim == "2D" or not GFX7:
                yield "%s %s, v14, s[4:11] dmask:0x%x%s unorm" % (name, reg("v", 8, n), mask, "" if GFX7 else " dim:SQ_RSRC_IMG_" + dim)
        return
    extra, parts = int(IMAGES[fmt][0]), IMAGES[fmt][1].split("|")
    samp, atomic, store = "SAMP" in flags, "atomic" in name, "store" in name
    dims = ["2D"] if GFX7 else ["1D", "2D", "3D", "2D_ARRAY", "CUBE"] if samp else list(COORDS)
    for dim in dims:
        coords, grads = COORDS[dim]
        if "GRAD" in parts:
            grads = 2 * ((grads // 2 + 1) // 2) if "G16" in parts else grads
        n = extra + coords + ("LOD" in parts) + (grads if "GRAD" in parts else 0)
        tail = "" if GFX7 else " dim:SQ_RSRC_IMG_" + dim
        rest = "s[4:11]" + (", s[12:15]" if samp else "")
        masks = [("0x1", 1)] if has(name, "c") and "gather" not in name else [("0xf", 4), ("0x5", 2)]
        if "gather" in name:
            masks = [("0x1", 4), ("0x4", 4)]
        if "get_lod" in name:
            masks = [("0x3", 2), ("0x2", 1)]
        if atomic:
            masks = [("0x3", 2)] if "cmpswap" in name else [("0x1", 1)]
        size = n if n <= 8 else 16
        if GFX7:
            size = n if n <= 4 or n > 8 else 8
        for i, (m, k) in enumerate(masks):
            addr = reg("v", 14, size)
            if i and not GFX7 and 1 < n <= 12:
                addr = "[%s]" % ", ".join("v%d" % (14 + (5 * j + 3) % 13) for j in range(n))
            for unorm in (("",) if samp else (" unorm",)):
                yield "%s %s, %s, %s dmask:%s%s%s" % (name, reg("v", 8, k), addr, rest, m, tail, unorm)
                if atomic:
                    yield "%s %s, %s, %s dmask:%s%s%s glc" % (name, reg("v", 8, k), addr, rest, m, tail, unorm)
                elif samp and not GFX7 and i == 0:
                    yield "%s %s, %s, %s dmask:%s%s d16" % (name, reg("v", 8, (k + 1) // 2), addr, rest, m, tail)
                elif not samp and not GFX7 and i == 0:
                    yield "%s %s, %s, %s dmask:%s%s%s d16" % (name, reg("v", 8, (k + 1) // 2), addr, rest, m, tail, unorm)
                    half = (n + 1) // 2
                    yield "%s %s, %s, %s dmask:%s%s%s a16" % (name, reg("v", 8, k), reg("v", 14, half), rest, m, tail, unorm)


def has(name, part):
    return part in name.split("_")[2:]


def assemble(texts, cpu, wave):
    """[(hex, text)] of what llvm-mc takes."""
    args = [MC, "-triple=amdgcn", "-mcpu=" + cpu, "-show-encoding"]
    if cpu != "gfx700":
        args.append("-mattr=" + ("+wavefrontsize64,-wavefrontsize32" if wave == 64 else "+wavefrontsize32,-wavefrontsize64"))
    for _ in range(3):
        p = subprocess.run(args, input="\n".join(texts) + "\n", capture_output=True, text=True)
        bad = {int(m.group(1)) for m in re.finditer(r"^<stdin>:(\d+):\d+: error", p.stderr, re.M)}
        if not bad:
            break
        texts = [t for i, t in enumerate(texts) if i + 1 not in bad]
    out = []
    for line in p.stdout.splitlines():
        m = re.match(r"^\t(.*\S)\s*(?:;|//) encoding: \[(.*)\]$", line)
        if m:
            out.append((re.sub(r"0x|,", "", m.group(2)), re.sub(r"\s+", " ", m.group(1))))
    return out


TABLES = ["amd_salu.def", "amd_valu.def", "amd_vopc.def", "amd_vop3.def", "amd_smem.def", "amd_ds.def", "amd_buf.def",
          "amd_flat.def", "amd_mimg.def"]


def cases(name, cpus):
    global GFX7
    GFX7 = name == "gfx7"
    found = {}
    order = []
    for cpu in cpus:
        for wave in (64,) if GFX7 else (32, 64):
            texts = []
            for m, enc, *rest in lines(INST, *TABLES):
                if rest[CPUS.index(cpu)] == "NA" or rest[5] == "NONE" or enc in ("VINTRP", "EXP"):
                    continue
                row = (m, enc, rest[4], rest[6])
                texts += salu(row, wave) if enc[:3] == "SOP" else valu(row, wave) if enc[0] == "V" else \
                        image(row) if enc == "MIMG" else memory(row)
            for line in assemble(list(dict.fromkeys(texts)), cpu, wave):
                if line not in found:
                    order.append(line)
                found.setdefault(line, []).append((cpu, wave))
    path = os.path.join(HERE, "fixtures", "isa", name, "exec.txt")
    with open(path, "w") as f:
        f.write("# %s: what amd_alu_test executes; made by tests/amd_cases.py with llvm-mc. Bytes, text, cpu/wave list.\n" % name)
        for line in order:
            where = []
            for cpu in cpus:
                waves = [w for c, w in found[line] if c == cpu]
                if waves:
                    where += [cpu] if len(waves) == (1 if GFX7 else 2) else ["%s/w%d" % (cpu, waves[0])]
            f.write("%s\t%s\t%s\n" % (line[0], line[1], ",".join(where)))
    print(path, len(order))


cases("gfx7", ["gfx700"])
cases("gfx10", ["gfx1010", "gfx1013", "gfx1030"])
