#!/usr/bin/env python3
"""corpus_manifest.py CORPUS COMPILER: writes CORPUS/MANIFEST.tsv from the records that are there.

One row a program: what it is, which guests have it, what it binds, where it comes from and what compiled it.
"""
import json
import os
import sys

root, compiler = sys.argv[1:3]
rows = {}
for family in sorted(os.listdir(root)):
    folder = os.path.join(root, family)
    if not os.path.isdir(folder):
        continue
    for file in sorted(os.listdir(folder)):
        if not file.endswith(".json"):
            continue
        with open(os.path.join(folder, file)) as f:
            d = json.load(f)
        binds = " ".join(f"{s['set']}.{b['binding']}:{b['type']}" + (f"[{b['count']}]" if b["count"] > 1 else "")
                         for s in d["sets"] for b in s.get("bindings", ()))
        binds = " ".join([binds] + [f"{s['set']}:memory[{s['size']}]" for s in d["sets"] if "bindings" not in s]).strip()
        if d["push_constant_size"]:
            binds = (binds + f" push:{d['push_constant_size']}").strip()
        row = rows.setdefault(d["name"], {"families": [], "compilers": set()})
        row.update(kind=d["kind"], stages="+".join(i["stage"] for i in d["inputs"]), binds=binds or "-")
        row["families"].append(family)
        driver = " (RADV)" if d["abi"] == "radv" else " (NAK)"
        row["compilers"].add(d["driver"] + ("" if d["driver"].startswith("LLVM") else driver))
with open(os.path.join(root, "MANIFEST.tsv"), "w") as out:
    print("name\tkind\tstages\tguests\tresources\torigin\tlicence\tmodules\tguest code", file=out)
    for name in sorted(rows):
        r = rows[name]
        print(name, r["kind"], r["stages"], ",".join(r["families"]), r["binds"], "own", "MIT", compiler,
              "; ".join(sorted(r["compilers"])), sep="\t", file=out)
