#!/usr/bin/env python3
"""subgroups.py [-t TARGET] XLATE VKEXEC ROOT LIST...: programs whose results depend on the wave's size, judged by a C
reference beside the shader.

A LIST has a line "family<tab>name" a program. ROOT/src/NAME.ref.c computes what the program writes on a device whose
waves have a given size. First the reference itself: the original module on lavapipe with vectors of 128, 256 and 512
bits must write what it says for waves of 4, 8 and 16 lanes. Then every translation, at each of the three, must write
what it says for the guest's wave. -x FILE lists the programs that do not yet (see corpus.py). Prints a line per
failure and "N passed, N failed, N skipped".
"""
import argparse
import json
import os
import sys
import tempfile

from corpus import arguments, invalid, older_driver, read_lists, read_todo, reason, run, translate

WIDTHS = (128, 256, 512)
SECONDS = "120"  # wide waves on narrow vectors are much code to compile, more so under sanitizers


def reference(work, root, name, vkexec):
    """Compiles it and gets the inputs; returns the function wave -> file of expected outputs."""
    program, inputs = f"{work}/{name}.ref", f"{work}/{name}.in"
    r = run(os.environ.get("CC", "cc"), "-std=c11", "-O1", "-o", program, f"{root}/src/{name}.ref.c", "-lm")
    if r.returncode:
        raise RuntimeError(r.stderr.strip().splitlines()[0])
    r = run(vkexec, "-i", inputs, f"{root}/spv/{name}.comp.spv")
    if r.returncode:
        raise RuntimeError(r.stdout.strip())

    def expected(wave):
        out = f"{work}/{name}.{wave}.out"
        if not os.path.exists(out) and run(program, str(wave), inputs, out).returncode:
            raise RuntimeError("the reference cannot read the inputs")
        return out
    return expected


def execute(vkexec, width, expected, stage):
    return run(vkexec, "-T", SECONDS, "-w", str(width), "-r", expected, stage).stdout.strip()


def judge(o, work, name, family, expected, modules, said):
    """Empty, or why the translation fails."""
    module, original = f"{modules}/{name}.comp.spv", f"{o.root}/spv/{name}.comp.spv"
    if not os.path.exists(module):
        return "REFUSED " + reason(said, name, "comp")
    if invalid(module):
        return "INVALID " + invalid(module)
    with open(f"{o.root}/{family}/{name}.json") as f:
        wave = json.load(f)["executables"][0]["wave_size"]
    for width in WIDTHS:
        line = execute(o.vkexec, width, expected(wave), f"{original}:{module}")
        if not line.startswith("OK"):
            return f"subgroups of {width // 32}, waves of {wave}: {line}"
    return ""


def main():
    o = arguments(argparse.ArgumentParser())
    families, todo, references = read_lists(o.lists), read_todo(o.todo), {}
    count = {"passed": 0, "failed": 0, "skipped": 0}

    older = older_driver(o)

    def result(where, bad):
        what = "failed" if bad else "passed"
        if "DIFFERS" in bad and older and where not in todo:
            what, bad = "skipped", bad + ": the driver is older than the profile's"
        if where in todo:
            what = "skipped" if bad else "failed"
            bad = "todo: " + bad if bad else "passes now: take it out of " + o.todo
        count[what] += 1
        if bad:
            print(f"{'skip: ' if what == 'skipped' else ''}{' '.join(where)}: {bad}")

    with tempfile.TemporaryDirectory(prefix="xlate-subgroups-") as work:
        for name in sorted({n for names in families.values() for n in names}):
            references[name] = reference(work, o.root, name, o.vkexec)
            lines = [execute(o.vkexec, w, references[name](w // 32), f"{o.root}/spv/{name}.comp.spv") for w in WIDTHS]
            result(("reference", name), next((x for x in lines if not x.startswith("OK")), ""))
        for family, names in families.items():
            os.makedirs(f"{work}/{family}")
            modules, said = translate(o.xlate, o.target, [f"{o.root}/{family}/{n}.json" for n in names],
                                      f"{work}/{family}")
            for name in names:
                result((family, name), judge(o, work, name, family, references[name], modules, said))
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**count))
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
