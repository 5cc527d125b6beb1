#!/usr/bin/env python3
"""tables.py XLATE VKEXEC ROOT LIST: recorded programs whose records do not describe their descriptor sets, then executed.

A LIST has a line "family<tab>name" a program. Of a record's sets stay number and size, and of its images what they are and at
which byte they start: the sets are only memory. The bindings that are made up for them are numbered by place, and corpus.py gives
them the original's numbers by `places`; then it compares original and translation on the same resources. Prints what corpus.py prints; its exit status, too.
"""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def only_memory(record):
    record["places"] = {s["set"]: {b["offset"] // 16: b["binding"] for b in s["bindings"]} for s in record["sets"]}
    for s in record["sets"]:
        s["images"] = [dict(b["image"], offset=b["offset"]) for b in s.pop("bindings") if "image" in b]


def main():
    xlate, vkexec, root, names = sys.argv[1:5]
    with tempfile.TemporaryDirectory() as work, open(names) as f:
        os.symlink(os.path.abspath(f"{root}/spv"), f"{work}/spv")
        for line in f:
            where = line.split("#")[0].strip().split("\t")
            if len(where) < 2:
                continue
            family, name = where[:2]
            os.makedirs(f"{work}/{family}", exist_ok=True)
            with open(f"{root}/{family}/{name}.json") as j:
                record = json.load(j)
            only_memory(record)
            for p in record["executables"]:
                os.symlink(os.path.abspath(f"{root}/{family}/{p['code']}"), f"{work}/{family}/{p['code']}")
            with open(f"{work}/{family}/{name}.json", "w") as j:
                json.dump(record, j)
        return subprocess.run([sys.executable, f"{HERE}/corpus.py", xlate, vkexec, work, names]).returncode


if __name__ == "__main__":
    sys.exit(main())
