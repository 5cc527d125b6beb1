#!/usr/bin/env python3
"""coverage.py XLATE: per AMD family, how many instructions are decoded, translated, and executed by a test; the missing by name.

Executed: by amd_alu_test against its reference (fixtures/isa/*/executed.txt), in a program of corpus/ that the lists of
tests/lists say is equal on lavapipe, or in an HSA kernel of corpus/hsa whose results hsa_test compares. An instruction that such a
program holds is translated, whatever its row says (calls are followed, not lifted). Not counted as a compute program's: what
interpolates, exports or orders pixels, and rows with the flag SYS. Fails below the floors."""
import os
import re
import subprocess
import sys
import tempfile

FAMILIES = {"gfx7": (["gfx700"], ["bonaire"], "gfx700"),
            "gfx10": (["gfx1010", "gfx1013", "gfx1030"], ["navi10", "navi21", "navi21-w32"], "gfx1030")}
FLOORS = {"gfx7": 97.4, "gfx10": 97.4}  # percent of what a compute program may use, executed
PIXELS = re.compile(r"^(v_interp_.*|exp|s_endpgm_ordered_ps_done)$")
xlate = sys.argv[1]


def run(*command):
    return subprocess.run([xlate, *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def listed(path, family):
    with open(path) as f:
        return [x.split("\t")[1].split("#")[0].strip() for x in f if x.startswith(family + "\t")]


def system_rows():
    rows = set()
    for name in ("amd_salu.def", "amd_smem.def", "amd_ds.def"):
        with open(os.path.join("libxlate/isa/amd", name)) as f:
            rows |= {m[1] for m in (re.match(r"INST\((\w+),.*\bSYS\)$", line) for line in f) if m}
    return rows


def base(mnemonic):
    return re.sub(r"_(e32|e64|sdwa|dpp8|dpp)$", "", mnemonic)


def disassembled(work, files):
    """Mnemonics of the programs in files."""
    cache, found = os.path.join(work, "c.xgc"), set()
    run("import", "-q", *files, "-o", cache)
    for line in run("list", cache).splitlines():
        part = line.split()
        if len(part) > 6:
            for text in run("dis", cache, part[0]).splitlines():
                m = re.match(r"\s*[0-9a-f]+:(?:\s+[0-9a-f]{8})+\s+(\w+)", text)
                if m:
                    found.add(base(m[1]))
    return found


def run_by_programs(work, families, gpu):
    found = set()
    for family in families:
        todo = set(listed("tests/lists/todo.txt", family))
        names = [n for n in listed(f"tests/lists/{family}-comp.txt", family) if n not in todo]
        files = [f"corpus/{family}/{n}.json" for n in names]
        found |= disassembled(work, [f for f in files if os.path.exists(f)])
    for name in sorted(os.listdir("corpus/hsa")):
        if name.endswith(f"-{gpu}.co"):
            found |= disassembled(work, [f"corpus/hsa/{name}"])
    return found


def family(work, isa):
    cpus, families, gpu = FAMILIES[isa]
    rows, system = {}, system_rows()
    for cpu in cpus:
        for line in run("isa", cpu, "--rows").splitlines():
            name, encoding, state = line.split()
            rows.setdefault((name, encoding), state)
    ran = run_by_programs(work, families, gpu)
    table, missing = {}, {"refused": [], "translated, not executed": []}
    total = [0, 0, 0]
    for (name, encoding), state in rows.items():
        t = table.setdefault(encoding, [0, 0, 0, 0])
        got = [1, int(state != "refused" or name in ran), int(state == "executed" or name in ran)]
        part = not PIXELS.match(name) and name not in system
        for i in range(3):
            t[i] += got[i]
            total[i] += got[i] if part else 0
        t[3] += part
        if part and not got[2]:
            missing["translated, not executed" if got[1] else "refused"].append(name)
    print(f"{isa:12} {'decoded':>8} {'compute':>8} {'lifted':>8} {'executed':>8}")
    for encoding, t in table.items():
        print(f"{encoding:12} {t[0]:8} {t[3]:8} {t[1]:8} {t[2]:8}")
    percent = 100 * total[2] / total[0]
    print(f"of {total[0]} that a compute program may use: {100 * total[1] / total[0]:.2f} % translated, {percent:.2f} % executed")
    for why, names in missing.items():
        print(f"{why}: {' '.join(names)}")
    if percent < FLOORS[isa]:
        print(f"FAIL {isa}: {percent:.2f} % executed, the floor is {FLOORS[isa]} %")
    return percent >= FLOORS[isa]


with tempfile.TemporaryDirectory() as d:
    results = [family(d, isa) for isa in FAMILIES]
print(f"{sum(results)} passed, {len(results) - sum(results)} failed, 0 skipped")
sys.exit(not all(results))
