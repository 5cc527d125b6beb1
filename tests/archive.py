#!/usr/bin/env python3
"""archive.py [-x FILE] XLATE VKEXEC ROOT [FAMILY...]: every recorded vertex and fragment program of an archive.

Those of ROOT/FAMILY (navi21, navi21-w32 and bonaire) whose original runs, translated, validated and compared as corpus.py
does; -x FILE (tests/lists/archive.txt) has those that are known to be refused or different, with the reason. Prints what
corpus.py prints and a line a family and stage: how many are equal, refused, different and invalid; apart from those, how
many have no result to be equal to, which is what a reason says that starts with UNDEFINED. Exit status as corpus.py's.
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
REASONS = os.path.join(HERE, "lists", "archive.txt")
UNDEFINED = "undefined in the original"
RESULTS = ("REFUSED", "DIFFERS", "INVALID")


def undefined(file):
    """(family, name) of the programs whose original leaves open what it computes."""
    with open(file) as f:
        for line in f:
            where, _, reason = line.partition("#")
            if where and reason.strip().startswith(UNDEFINED):
                yield tuple(where.split())


def programs(root, family):
    """(name, kind) of the family's lone vertex and fragment programs with a known result that no wave has a say in."""
    for file in sorted(os.listdir(f"{root}/{family}")):
        if not file.endswith(".json"):
            continue
        with open(f"{root}/{family}/{file}") as f:
            record = json.load(f)
        expected = record.get("expected") or {}
        if record["kind"] in ("vert", "frag") and expected.get("status") == "ok" and not record["spirv"]["subgroup"]:
            yield file[:-5], record["kind"]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("-x", dest="todo", default=REASONS)
    for a in ("xlate", "vkexec", "root"):
        p.add_argument(a)
    p.add_argument("families", nargs="*", default=["navi21", "navi21-w32", "bonaire"])
    o = p.parse_args()
    kinds, count = {}, collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as work:
        with open(f"{work}/all.list", "w") as f:
            for family in o.families:
                for name, kind in programs(o.root, family):
                    kinds[family, name] = kind
                    count[family, kind]["all"] += 1
                    f.write(f"{family}\t{name}\n")
        r = subprocess.run([sys.executable, f"{HERE}/corpus.py", "-x", o.todo, o.xlate, o.vkexec, o.root, f"{work}/all.list"],
                           stdout=subprocess.PIPE, text=True)
    sys.stdout.write(r.stdout)
    without = set(undefined(o.todo))
    for line in r.stdout.splitlines():
        words = line.removeprefix("skip: ").split(": ")
        where = tuple(words[0].split(" ", 1))
        if where not in kinds or "passes now" in line:
            continue
        result = next((w for w in RESULTS if w in line), "DIFFERS")
        count[where[0], kinds[where]]["UNDEFINED" if where in without else result] += 1
    for (family, kind), c in sorted(count.items()):
        equal = c["all"] - c["UNDEFINED"] - sum(c[w] for w in RESULTS)
        print(f"{family} {kind}: {equal} of {c['all']} equal, {c['REFUSED']} refused, {c['DIFFERS']} different, "
              f"{c['INVALID']} invalid; {c['UNDEFINED']} {UNDEFINED}")
    return r.returncode


if __name__ == "__main__":
    sys.exit(main())
