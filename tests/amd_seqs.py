#!/usr/bin/env python3
"""Write fixtures/isa/gfx7/seq.txt and fixtures/isa/gfx10/seq.txt: the instructions that amd_seq_test makes programs of.

    tests/amd_seqs.py [llvm-mc]        from the top of the tree

Most are lines of exec.txt with other registers, few enough that each instruction's result soon is another's operand: v2 to v7,
s4 to s7, vcc, exec, m0. The others, listed here, are what programs begin and end with, masks and loops, LDS at v1, four times
the lane's number, at v8, its neighbour's, and at v14, eight times the number, and a lane's words in memory at v12 and v13.
Lines: bytes TAB text TAB cpu/wWAVE. llvm-mc encodes all but branches."""
import random
import re
import subprocess
import sys

MC = sys.argv[1] if len(sys.argv) > 1 else "llvm-mc-19"
SKIP = re.compile(r"branch|image|movrel|swaprel|^exp|interp|buffer_|setpc|swappc|getpc|call|endpgm|setreg|getreg|_load|_store|_atomic"
                  r"|^ds_|^flat|^global|^scratch|^s_dcache|trap|barrier|sleep|sendmsg|halt|memtime|memrealtime|^s_(wait|nop|clause|inst"
                  r"|round|denorm|set|inc|dec|ttrace|icache|sub_vector|get_waveid|version|wakeup|code_end|gl1)|v_nop|clrexcp|pipeflush")
PER_NAME = 2
CONSTANTS = ["0", "1", "-1", "2", "7", "31", "32", "-16", "0xff", "0xffff", "0xffff0000", "0x7fffffff", "0x80000000", "1.0", "-1.0", "0.5", "2.0",
             "4.0", "0x7f800000", "0xff800000", "0x800000", "0x807fffff", "0x3c003c00", "0x7bff8001", "0x40490fdb", "0x4b000001", "0x3ff00000",
             "0x12345678"]


def vector(r, m):
    n = int(m.group(2)) - int(m.group(1)) + 1 if m.group(1) else 1
    a = r.randrange(2, 9 - n)
    return "v[%d:%d]" % (a, a + n - 1) if n > 1 else "v%d" % a


def scalar(r, m, free, wave):
    """free: may it be what is not a plain register?"""
    n = int(m.group(2)) - int(m.group(1)) + 1 if m.group(1) else 1
    if n > 2:
        return m.group(0)
    if n == 2:
        return r.choice(["s[4:5]", "s[6:7]", "s[4:5]", "vcc"] + ["exec"] * (free and wave == 64))
    return r.choice(["s4", "s5", "s6", "s7"] * 2 + ["vcc_lo"] + ["exec_lo", "m0"] * free)


def other_registers(r, text, wave):
    op, _, rest = text.partition(" ")
    mask = r.random() < .15
    rest = re.sub(r"\bv(?:\[(\d+):(\d+)\]|\d+)", lambda m: vector(r, m), rest)
    rest = re.sub(r"\bs(?:\[(\d+):(\d+)\]|\d+)", lambda m: scalar(r, m, mask, wave), rest)
    return op + " " + rest


def control(wave, gfx7):
    """What a program is made of besides."""
    full = wave == 64
    b, ex, vcc = ("b64", "exec", "vcc") if full else ("b32", "exec_lo", "vcc_lo")

    def m(a):
        return "s[%d:%d]" % (a, a + 1) if full else "s%d" % a
    one, two = ("0x4", "0x8") if gfx7 else ("0x10", "0x20")
    out = ["s_load_dwordx4 s[8:11], s[2:3], " + one, "s_load_dwordx4 s[12:15], s[2:3], " + two,
           "s_buffer_load_dwordx4 s[4:7], s[8:11], " + one, "s_buffer_load_dwordx8 s[48:55], s[8:11], " + two,
           "v_lshlrev_b32_e32 v12, 7, v0", "v_or_b32_e32 v13, 0x4000, v12", "v_lshlrev_b32_e32 v1, 2, v0", "v_lshlrev_b32_e32 v14, 3, v0", "v_xor_b32_e32 v8, 4, v1", "s_mov_b32 m0, s48",
           "s_cmp_lg_u32 s49, 0", "s_mov_b64 vcc, s[50:51]", "s_cselect_b32 s60, 1, 0", "s_endpgm", "v_mov_b32_e32 v20, s60"]
    out += ["s_mov_%s %s, %s" % (b, ex, m(52)), "s_mov_%s %s, %s" % (b, m(62), ex), "s_mov_%s %s, -1" % (b, ex)]
    out += ["buffer_load_dword v%d, v12, s[8:11], 0 offen offset:%d" % (i, 1024 + 4 * i) for i in range(2, 8)]
    out += ["buffer_store_dword v%d, v13, s[12:15], 0 offen offset:%d" % (i, 4 * i) for i in range(2, 8)]
    out += ["buffer_store_dword v20, v13, s[12:15], 0 offen offset:%d" % (4 * i) for i in range(8, 22)]
    out += ["buffer_%s_dword v%d, v13, s[12:15], 0 offen offset:%d" % (o, v, 4 * i) for o in ("load", "store") for v in range(2, 8)
            for i in (22, 23, 26, 30)]
    out += ["buffer_load_dword v%d, v12, s[8:11], 0 offen offset:%d" % (9 - i, 1024 + 4 * i) for i in range(2, 8)]
    for n, words in ((2, (22, 24, 30)), (3, (22, 25)), (4, (22, 26))):
        for v in range(2, 9 - n):
            to = "dwordx%d v[%d:%d]" % (n, v, v + n - 1)
            out += ["buffer_%s_%s, v13, s[12:15], 0 offen offset:%d" % (o, to, 4 * i) for o in ("load", "store") for i in words]
            out += ["buffer_load_%s, v12, s[8:11], 0 offen offset:%d" % (to, 1024 + 4 * (10 - n - v))]
    out += ["v_mov_b32_e32 v20, %s" % s for s in ("s4", "s5", "s6", "s7", "vcc_lo", "vcc_hi", "m0", "s62", "s63")]
    out += ["v_cndmask_b32_e64 v20, 0, 1, %s" % s for s in (m(4), m(6), vcc, m(62))]
    for depth in range(4):
        saved, count = m(16 + 2 * depth), "s%d" % (40 + depth)
        out += ["s_%s_saveexec_%s %s, %s" % (o, b, saved, c) for o in ("and", "or", "xor", "andn2") for c in (vcc, m(4), m(6))]
        out += ["s_mov_%s %s, %s" % (b, saved, ex), "s_mov_%s %s, %s" % (b, ex, saved), "s_or_%s %s, %s, %s" % (b, ex, ex, saved),
                "s_xor_%s %s, %s, %s" % (b, ex, ex, saved), "s_andn2_%s %s, %s, %s" % (b, ex, saved, ex)]
        out += ["s_mov_b32 %s, %d" % (count, k) for k in (1, 2, 3)]
        out += ["s_sub_u32 %s, %s, 1" % (count, count), "s_cmp_lg_u32 %s, 0" % count]
        turn, most = "v%d" % (21 + 2 * depth), "v%d" % (22 + 2 * depth)
        out += ["v_mov_b32_e32 %s, 0" % turn, "v_mov_b32_e32 %s, 0" % most]
        out += ["v_and_b32_e32 %s, 3, v%d" % (most, v) for v in range(2, 8)]
        out += ["v_add_i32_e32 %s, vcc, 1, %s" % (turn, turn) if gfx7 else "v_add_nc_u32_e32 %s, 1, %s" % (turn, turn),
                "v_cmp_lt_u32_e32 %s, %s, %s" % (vcc, turn, most)]
        first = "s%d" % (44 + depth)
        out += ["v_readfirstlane_b32 %s, %s" % (first, most), "v_cmp_eq_u32_e32 %s, %s, %s" % (vcc, first, most),
                "s_xor_%s %s, %s, %s" % (b, ex, ex, saved)]
    out += ["s_%s_%s %s, %s, %s" % (o, b, ex, ex, c) for o in ("and", "andn2") for c in (vcc, m(4), m(6))]
    for c in (vcc, m(4), m(6)):
        out += ["s_%s_%s %s, %s, %s" % (o, b, c, x, y) for o in ("and", "or", "xor", "andn2", "orn2", "nor") for x, y in
                ((vcc, m(4)), (m(4), m(6)), (m(6), ex))]
        out += ["s_mov_%s %s, %s" % (b, c, ex), "s_not_%s %s, %s" % (b, c, vcc)]
    for v in range(2, 7):
        for at in (0, 8 * wave):
            pair, tail = "v[%d:%d]" % (v, v + 1), " offset:%d" % at if at else ""
            out += ["ds_write_b64 v14, %s%s" % (pair, tail), "ds_read_b64 %s, v14%s" % (pair, tail)]
        out += ["ds_write2_b32 v1, v%d, v%d offset1:%d" % (v, 9 - v, wave), "ds_read2_b32 %s, v1 offset0:%d offset1:1" % (pair, wave),
                "ds_read2_b32 %s, v8 offset0:2 offset1:%d" % (pair, 2 * wave)]
    for v in range(2, 8):
        for at in (0, 4 * wave, 8 * wave, 12 * wave):
            tail = " offset:%d" % at if at else ""
            out += ["ds_write_b32 v1, v%d%s" % (v, tail), "ds_read_b32 v%d, v1%s" % (v, tail), "ds_read_b32 v%d, v8%s" % (v, tail)]
        out += ["ds_%s v1, v%d" % (o, v) for o in ("write_b8", "write_b16", "add_u32", "max_i32", "xor_b32")]
        out += ["ds_read_%s v%d, v1 offset:1" % (o, v) for o in ("i8", "u8")] + ["ds_read_i16 v%d, v8" % v]
        out += ["ds_add_rtn_u32 v%d, v1, v%d offset:%d" % (v, 9 - v, 4 * wave)]
        out += ["ds_swizzle_b32 v%d, v%d offset:%s" % (v, 9 - v, o) for o in ("0x801b", "0x41f", "0x7c1f")]
        out += [] if gfx7 else ["ds_bpermute_b32 v%d, v8, v%d offset:12" % (v, 9 - v), "ds_permute_b32 v%d, v8, v%d" % (v, 9 - v)]
    out += ["v_mov_b32_e32 v%d, %s" % (v, c) for v in range(2, 8) for c in CONSTANTS]
    out += ["s_mov_b32 %s, %s" % (t, c) for t in ("s4", "s5", "s6", "s7", "m0") for c in CONSTANTS]
    out += ["v_readfirstlane_b32 s%d, v%d" % (i, 9 - i) for i in range(4, 8)]
    out += ["v_readlane_b32 s%d, v%d, s%d" % (i, i - 2, 11 - i) for i in range(4, 8)] + ["v_readlane_b32 s6, v4, %d" % (wave - 3)]
    out += ["v_writelane_b32 v%d, s%d, s%d" % (i - 1, i, 11 - i) for i in range(4, 8)] + ["v_writelane_b32 v3, s5, 5"]
    return out


def assemble(texts, cpu, wave):
    args = [MC, "-triple=amdgcn", "-mcpu=" + cpu, "-show-encoding"]
    if cpu != "gfx700":
        args.append("-mattr=" + ("+wavefrontsize64,-wavefrontsize32" if wave == 64 else "+wavefrontsize32,-wavefrontsize64"))
    p = subprocess.run(args, input="\n".join(texts) + "\n", capture_output=True, text=True)
    for line in p.stdout.splitlines():
        m = re.match(r"^\t(.*\S)\s*(?:;|//) encoding: \[(.*)\]$", line)
        if m:
            yield re.sub(r"0x|,", "", m.group(2)), re.sub(r"\s+", " ", m.group(1))


def run(isa, guests):
    path = "fixtures/isa/%s/" % isa
    with open(path + "exec.txt") as f:
        known = [x.rstrip("\n").split("\t") for x in f if x[0] != "#"]
    with open(path + "seq.txt", "w") as f:
        f.write("# %s: what amd_seq_test makes programs of; made by tests/amd_seqs.py with llvm-mc. Bytes, text, cpu/wave.\n" % isa)
        for cpu, wave in guests:
            r = random.Random(wave)
            names = {}
            for _, text, where in known:
                if not SKIP.search(text) and (isa == "gfx7" or {cpu, "%s/w%d" % (cpu, wave)} & set(where.split(","))):
                    names.setdefault(text.split()[0], []).append(text)
            texts = [other_registers(r, t, wave) for n in sorted(names) for t in r.sample(names[n], min(PER_NAME, len(names[n])))]
            n = 0
            for line in dict.fromkeys(assemble(control(wave, isa == "gfx7") + texts, cpu, wave)):
                f.write("%s\t%s\t%s/w%d\n" % (*line, cpu, wave))
                n += 1
            print(path + "seq.txt", cpu, wave, n)


run("gfx7", [("gfx700", 64)])
run("gfx10", [("gfx1010", 32), ("gfx1030", 64)])
