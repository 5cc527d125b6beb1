#!/usr/bin/env python3
"""cost.py: what RADV says about our translations, in the currency of the GPU that the guest program came from.

  cost.py cost [-v] [-k DIR] [-n NAME] XLATE RADVDUMP ROOT FAMILY [LIST...]
      Translates ROOT/FAMILY's records (those that the LISTs name, else all) for the profile of their own GPU, compiles
      the modules with RADV for that GPU, and divides the driver's statistics by those of the original program, which
      stand in the record. Prints `figure NAME_cost_STATISTIC_median VALUE ratio`, _p95 and _programs; the words of our
      modules against the originals', debug information stripped, likewise. -v prints a line a program, worst first.
  cost.py accept XLATE RADVDUMP ROOT LIST...
      Every program of the lists, translated for RADV's profile of each GPU that one is shipped for, must compile there.
      Prints a line per failure and "N passed, N failed, N skipped"; a program that is refused by xlate is skipped.

Exit 77 where there is no RADV of Mesa 25.
"""
import argparse
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "bench"))
from corpus import read_lists
from ratio import words

GPUS = ("navi10", "navi21", "bonaire")
STATISTICS = {"Instructions": "instructions", "Code size": "bytes", "VGPRs": "vgprs", "SGPRs": "sgprs",
              "Latency": "latency", "Inverse Throughput": "inverse_throughput"}


def driver():
    return next(iter(sorted(glob.glob("/usr/share/vulkan/icd.d/radeon_icd*.json"))), None)


def translate(xlate, target, records, work):
    """Returns the folder of modules; what was refused is not in it."""
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    cache, package, modules = f"{work}/c.xgc", f"{work}/p.xlp", f"{work}/spv"
    with open(f"{work}/stderr.txt", "w") as log:
        for command in ([xlate, "import", *records, "-o", cache],
                        [xlate, "build", "-q", cache, "-o", package, "--target", target, "--keep-going"],
                        [xlate, "export", "--spv", modules, package]):
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=log, check=False)
    return modules


def job(root, record, modules, subgroup):
    """Arguments for radvdump, with our module in the place of each original that has one; None without any."""
    arguments, ours = ["-c", record.get("color", "rgba32f")], 0
    if len(record["inputs"]) > 1 and not record["linked"]:
        arguments.append("-l")
    sizes = [e["wave_size"] for e in record["executables"] if e["stage"] == "comp"]
    if sizes and subgroup:
        arguments += ["-s", str(sizes[0])]
    for stage in record["inputs"]:
        original = f"{root}/spv/{stage['file']}"
        module = f"{modules}/{record['name']}.{stage['stage']}.spv"
        if stage["stage"] not in record["real_stages"]:
            arguments.append(original)
        elif not os.path.exists(module):
            return None
        else:
            arguments.append(f"{original}:{module}")
            ours += 1
    return arguments if ours else None


def compile_all(radvdump, gpu, waves, jobs, work):
    """jobs: name -> arguments. Returns name -> statistics by stage, None where the driver refused or crashed."""
    with open(f"{work}/{gpu}.list", "w") as f:
        f.writelines(f"{name}\t{' '.join(arguments)}\n" for name, arguments in jobs.items())
    env = dict(os.environ, VK_ICD_FILENAMES=driver(), RADV_FORCE_FAMILY=gpu, RADV_DEBUG="nongg",
               RADV_PERFTEST=waves, MESA_SHADER_CACHE_DISABLE="true")
    with open(f"{work}/{gpu}.log", "w") as log:
        out = subprocess.run([radvdump, "stats", f"{work}/{gpu}.list"], env=env, stdout=subprocess.PIPE, stderr=log,
                             text=True, check=False).stdout
    results = dict.fromkeys(jobs)
    for line in out.splitlines():
        name, _, text = line.partition("\t")
        if text.startswith("{"):
            results[name] = json.loads(text)
    return results


def load(root, family, names):
    records = {}
    for file in sorted(glob.glob(f"{root}/{family}/*.json")):
        name = os.path.basename(file)[:-5]
        if names is None or name in names:
            with open(file) as f:
                records[name] = json.load(f)
    return records


def rank(ratios, share):
    ordered = sorted(ratios)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def cost(o, work):
    names = read_lists(o.lists).get(o.family, []) if o.lists else None
    records = load(o.root, o.family, names)
    if not records:
        return 0
    gpu = next(iter(records.values()))["family"]
    modules = translate(o.xlate, f"radv-{gpu}", [f"{o.root}/{o.family}/{n}.json" for n in records], f"{work}/{gpu}")
    jobs = {n: a for n, r in records.items() for a in [job(o.root, r, modules, True)] if a}
    waves = "pswave32,gewave32,cswave32" if o.family.endswith("-w32") else ""
    rows, ratios = [], {s: [] for s in [*STATISTICS.values(), "words"]}
    for name, stages in compile_all(o.radvdump, gpu, waves, jobs, work).items():
        record = records[name]
        for executable in record["executables"]:
            stage = executable["stage"]
            if stage not in record["real_stages"] or not stages or stage not in stages or "stats" not in executable:
                continue
            row = {ours: stages[stage][key] / max(1, executable["stats"][key]) for key, ours in STATISTICS.items()}
            original = next(i["file"] for i in record["inputs"] if i["stage"] == stage)
            row["words"] = words(f"{modules}/{name}.{stage}.spv") / words(f"{o.root}/spv/{original}")
            rows.append((row, name, stage, executable["stats"]["Instructions"]))
            for key, value in row.items():
                ratios[key].append(value)
    if o.v:
        for row, name, stage, n in sorted(rows, key=lambda r: -r[0]["instructions"]):
            print(f"{o.family} {name}.{stage}: {n} instructions; " + " ".join(f"{k} {v:.2f}" for k, v in row.items()))
    if rows:
        print(f"figure {o.n or o.family}_cost_programs {len(rows)} programs")
    for key, values in ratios.items():
        if values:
            print(f"figure {o.n or o.family}_cost_{key}_median {rank(values, 0.5):.3f} ratio")
            print(f"figure {o.n or o.family}_cost_{key}_p95 {rank(values, 0.95):.3f} ratio")
    return 0


def generated(jobs, modules):
    """Whole pipelines of the jobs with which a generated geometry stage goes."""
    return {f"{n} with its geometry stage": [a for a in jobs[n] if a != "-l"] + [f"{modules}/{n}.frag.geom.spv"]
            for n in list(jobs) if jobs[n] and os.path.exists(f"{modules}/{n}.frag.geom.spv")}


def accept(o, work):
    count = {"passed": 0, "failed": 0, "skipped": 0}
    for family, names in read_lists(o.lists).items():
        records = load(o.root, family, names)
        if not records:
            continue
        files = [f"{o.root}/{family}/{n}.json" for n in records]
        for gpu in GPUS:
            modules = translate(o.xlate, f"radv-{gpu}", files, f"{work}/{family}-{gpu}")
            jobs = {n: job(o.root, r, modules, False) for n, r in records.items()}
            jobs.update(generated(jobs, modules))
            for name in (n for n, a in jobs.items() if a is None):
                count["skipped"] += 1
                print(f"skip: {family} {name}: no translation for {gpu}")
            for name in (n for n, a in jobs.items() if a is None):
                print(f"skip: {family} {name}: refused for radv-{gpu}")
            results = compile_all(o.radvdump, gpu, "", {n: a for n, a in jobs.items() if a}, work)
            # What an old driver does not take of the original shaders says nothing of ours.
            alone = {n: [a.split(":")[0] for a in jobs[n]] for n, stages in results.items() if not stages}
            originals = compile_all(o.radvdump, gpu, "", alone, work) if alone else {}
            for name, stages in results.items():
                what = "passed" if stages else "failed" if originals[name] else "skipped"
                count[what] += 1
                if what == "failed":
                    print(f"{family} {name}: RADV for {gpu} does not take its translation")
                if what == "skipped":
                    print(f"skip: {family} {name}: this RADV for {gpu} does not take the original either (Mesa 25 does)")
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**count))
    return 1 if count["failed"] else 0


def main():
    p = argparse.ArgumentParser()
    sub = p.add_subparsers(dest="mode", required=True)
    for mode in ("cost", "accept"):
        s = sub.add_parser(mode)
        s.add_argument("-v", action="store_true")
        s.add_argument("-k", default="")
        s.add_argument("-n", default="")
        for a in ("xlate", "radvdump", "root") + (("family",) if mode == "cost" else ()):
            s.add_argument(a)
        s.add_argument("lists", nargs="*" if mode == "cost" else "+")
    o = p.parse_args()
    if not driver():
        print("skip: no RADV")
        return 77
    work = o.k or tempfile.mkdtemp(prefix="xlate-cost-")
    try:
        return (cost if o.mode == "cost" else accept)(o, work)
    finally:
        if not o.k:
            shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
