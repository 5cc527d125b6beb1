#!/usr/bin/env python3
"""corpus.py [-f host|strict] [-j N] [-k DIR] [-p DIR] [-t TARGET] [-x FILE] XLATE VKEXEC ROOT LIST...: recorded
programs through XLATE, then executed.

A LIST has a line "family<tab>name" a program; ROOT/family/name.json is its record, ROOT/spv its original modules. Per
family: import, build, export; then every module is validated (spirv-val, where there is one), and VKEXEC runs original
and translation on the same inputs and compares. Prints a line per failure and "N passed, N failed, N skipped"; a
program that ROOT lacks is skipped. -x FILE is a list of programs that are known to fail: they count as skipped, and
one that passes is a failure, so that it gets taken out. -k keeps the work files in DIR, among them equal.list, the
jobs that passed. -p writes the pictures of a failing comparison to DIR/family-name.png: the original's, the translation's,
their difference. VK_ICD_FILENAMES chooses the device, lavapipe if unset.
"""
import argparse
import glob
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

import capture
import picture

TAME = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lists", "tame.txt")


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")


def read_lists(files):
    """Families in order, each with its names."""
    families = {}
    for file in files:
        with open(file) as f:
            for line in f:
                line = line.split("#")[0].strip()
                if line:
                    family, name = line.split("\t")[:2]
                    families.setdefault(family, []).append(name)
    return families


def read_todo(file):
    """The (family, name) pairs that are known to fail."""
    return {(f, n) for f, names in read_lists([file] if file else []).items() for n in names}


def translate(xlate, target, records, work, floats="host"):
    """Import, build, export; returns the folder of modules and what standard error said."""
    cache, package, modules = f"{work}/c.xgc", f"{work}/p.xlp", f"{work}/spv"
    said = ""
    for command in ([xlate, "import", *records, "-o", cache],
                    [xlate, "build", cache, "-o", package, "--target", target, "--float", floats, "--keep-going",
                     "--report", "json"],
                    [xlate, "export", "--spv", modules, package]):
        r = run(*command)
        said += r.stderr
        if command[1] == "build":
            with open(f"{work}/report.json", "w") as f:
                f.write(r.stdout)
        if r.returncode not in (0, 1):
            said += f"{os.path.basename(xlate)} {command[1]}: exit {r.returncode}\n"
    with open(f"{work}/stderr.txt", "w") as f:
        f.write(said)
    return modules, said


def reason(said, name, stage):
    """The diagnostic that names the program, for the line of a refusal."""
    for line in said.splitlines():
        if re.search(r"(^|[/:\s.])" + re.escape(name) + r"([.:\s]|$)", line):
            return line[:200]
    return (said.strip().splitlines() or ["no diagnostic"])[-1][:200]


def renumber(module, places):
    """Bindings that were numbered by their place in a table get the original's numbers."""
    with open(module, "rb") as f:
        words = list(struct.unpack(f"<{os.path.getsize(module) // 4}I", f.read()))
    sets, bindings, at = {}, {}, 5
    while at < len(words):
        if words[at] == 4 << 16 | 71 and words[at + 2] in (33, 34):  # OpDecorate: Binding, DescriptorSet
            (bindings if words[at + 2] == 33 else sets)[words[at + 1]] = at + 3
        at += words[at] >> 16
    for variable, at in bindings.items():
        words[at] = places[str(words[sets[variable]])][str(words[at])]
    os.chmod(module, 0o644)
    with open(module, "wb") as f:
        f.write(struct.pack(f"<{len(words)}I", *words))


def job(root, record, modules, more=()):
    """Arguments of the comparison, more among them, or the first stage without a module."""
    arguments = [*more] + [a for a in record["expected"].get("command", [])[1:] if not a.endswith(".spv")]
    if record.get("color") in ("rgba8", "rgba16f"):
        arguments.append("-H")
    for stage in record["inputs"]:
        original = f"{root}/spv/{stage['file']}"
        if stage["stage"] not in record["real_stages"]:
            # a stage made up by the recorder: runs as it is, except beside a lone vertex shader
            if record["kind"] != "vert":
                arguments.append(original)
            continue
        module = f"{modules}/{record['name']}.{stage['stage']}.spv"
        if not os.path.exists(module):
            return None, stage["stage"]
        if "places" in record:
            renumber(module, record["places"])
        arguments.append(f"{original}:{module}")
        if os.path.exists(module[:-4] + ".geom.spv"):
            arguments.append(f"+{module[:-4]}.geom.spv")
    return arguments, None


def invalid(module):
    if not shutil.which("spirv-val"):
        return ""
    r = run("spirv-val", "--target-env", "vulkan1.3", "--scalar-block-layout", module)
    return (r.stdout + r.stderr).strip().splitlines()[0][:200] if r.returncode else ""


def family_jobs(options, family, names, work, results):
    """Translates a family; fills results with failures already known and returns the lines left to run."""
    files, records, lines, tame = [], {}, [], read_todo(TAME)
    for name in names:
        file = f"{options.root}/{family}/{name}.json"
        if not os.path.exists(file):
            results[family, name] = "SKIPPED not in " + options.root
            continue
        with open(file) as f:
            records[name] = json.load(f)
        files.append(capture.written(file, records[name], options.root, f"{work}/records"))
    if not files:
        return lines
    os.makedirs(work, exist_ok=True)
    modules, said = translate(options.xlate, options.target, files, work, options.floats)
    for name, record in records.items():
        arguments, missing = job(options.root, record, modules, ["-P"] if (family, name) in tame else [])
        if missing:
            results[family, name] = f"REFUSED {missing}: {reason(said, name, missing)}"
            continue
        bad = [v for a in arguments if ":" in a or a[0] == "+" for v in [invalid(a.split(":")[-1].lstrip("+"))] if v]
        if bad:
            results[family, name] = "INVALID " + bad[0]
            continue
        lines.append(f"{family}/{name}\t{' '.join(arguments)}\n")
    return lines


def arguments(p):
    """What every judge of lists takes; the device is lavapipe unless the environment names another."""
    p.add_argument("-t", dest="target", default="lavapipe")
    p.add_argument("-x", dest="todo", default="")
    for a in ("xlate", "vkexec", "root"):
        p.add_argument(a)
    p.add_argument("lists", nargs="+")
    icd = glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json")
    if icd:
        os.environ.setdefault("VK_ICD_FILENAMES", icd[0])
    return p.parse_args()


def older_driver(options):
    """The device offers an earlier Vulkan than the profile was made for: then it is not the profile's driver."""
    m = re.search(r'"apiVersion":(\d+)', run(options.vkexec, "profile").stdout)
    of_profile = json.loads(run(options.xlate, "profile", options.target).stdout)["vulkan"]["value"]
    return m and int(m.group(1)) >> 12 < of_profile >> 12


def draw(options, work, lines, k):
    """The pictures of a comparison that failed; the file's name, or nothing where there are none."""
    line = next((x for x in lines if x.startswith("/".join(k) + "\t")), None)
    if not options.pictures or not line:
        return ""
    os.makedirs(options.pictures, exist_ok=True)
    one, two, file = f"{work}/a.out", f"{work}/b.out", f"{options.pictures}/{k[0]}-{k[1]}.png"
    run(options.vkexec, "compare", "-o", one, "-O", two, *line.split("\t")[1].split())
    there = os.path.exists(one) and os.path.exists(two) and picture.write(file, one, two)
    for out in (one, two):
        if os.path.exists(out):
            os.unlink(out)
    return f" ({file})" if there else ""


def main():
    p = argparse.ArgumentParser()
    p.add_argument("-j", default="2")
    p.add_argument("-k", default="")
    p.add_argument("-p", dest="pictures", default="")
    p.add_argument("-f", dest="floats", default="host")
    options = arguments(p)
    families, results, lines, todo = read_lists(options.lists), {}, [], read_todo(options.todo)
    work = options.k or tempfile.mkdtemp(prefix="xlate-corpus-")
    for family, names in families.items():
        lines += family_jobs(options, family, names, f"{work}/{family}", results)
    with open(f"{work}/jobs.list", "w") as f:
        f.writelines(lines)
    if lines:
        r = run(options.vkexec, "batch", "-j", options.j, f"{work}/jobs.list")
        for line in r.stdout.splitlines():
            if "\t" in line:
                where, result = line.split("\t", 1)
                results[tuple(where.split("/", 1))] = result
    astray = [k for k, result in results.items() if result.startswith(("CRASH", "DIFFERS")) and k not in todo]
    if astray and older_driver(options):
        for k in astray:
            results[k] = f"SKIPPED {results[k]}: the driver is older than the profile's; Mesa 22.3 does so"
    count = {"passed": 0, "failed": 0, "skipped": 0}
    for family, names in families.items():
        for name in names:
            result = results.get((family, name), "no result")
            what = "passed" if result.startswith("EQUAL") else "skipped" if result.startswith("SKIPPED") else "failed"
            if (family, name) in todo and what != "skipped":
                what = "skipped" if what == "failed" else "failed"
                result = "todo: " + result if what == "skipped" else "passes now: take it out of " + options.todo
            if what == "failed" and result.startswith("DIFFERS"):
                result += draw(options, work, lines, (family, name))
            count[what] += 1
            if what != "passed":
                print(f"{'skip: ' if what == 'skipped' else ''}{family} {name}: {result}")
    with open(f"{work}/equal.list", "w") as f:
        f.writelines(x for x in lines if results.get(tuple(x.split("\t")[0].split("/", 1)), "").startswith("EQUAL"))
    if not options.k:
        shutil.rmtree(work, ignore_errors=True)
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**count))
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
