#!/usr/bin/env python3
"""mutate.py [-n N] [-j N] [-k DIR] VKEXEC JOBS: plants errors in translations, each must be caught.

JOBS is a batch list of the executor (corpus.py -k leaves one): "name<tab>original.spv:translation.spv ...". Up to N
places of each kind in each translation are mutated, spread evenly:
  swap    operands of an operation that is not commutative change places
  const   a constant operand is off by one
  branch  the targets of a conditional branch change places
and in generated geometry stages, of which all is moving values,
  vertex  an input's value is another vertex's
  stale   an output keeps the value that it had for the vertex before
A mutant is caught when the executor says anything but EQUAL. Two rules keep out mutants that no test could see:
  - swap and const touch only values that reach a store to memory or to an output through operations that hide nothing
    (sums, products, negation, exclusive or, conversions, composites): nothing that only steers or is masked afterwards;
  - a mutant that survives counts only if gross damage at its place shows: the result of a swap, or the constant, plus
    45; for a value of a vertex zero in its place; for a branch the condition always true and, in another run, always false, and both must show. Otherwise the
    inputs never bring the place to effect (a branch around a store of one value by many lanes): skipped.
  - a survivor of a compute program runs once more over three workgroups in x: what one group leaves undone and another
    does in its place shows only in an odd number of them.
Prints a line per survivor and "N passed, N failed, N skipped".
"""
import argparse
import os
import shutil
import struct
import subprocess
import sys
import tempfile

BINARY = {"IAdd": 128, "FAdd": 129, "ISub": 130, "FSub": 131, "IMul": 132, "FMul": 133, "UDiv": 134, "SDiv": 135,
          "FDiv": 136, "UMod": 137, "SRem": 138, "SMod": 139, "FRem": 140, "ShiftRightLogical": 194,
          "ShiftRightArithmetic": 195, "ShiftLeftLogical": 196, "BitwiseOr": 197, "BitwiseXor": 198, "BitwiseAnd": 199}
SWAP = {BINARY[n] for n in ("ISub", "FSub", "UDiv", "SDiv", "FDiv", "UMod", "SRem", "SMod", "FRem", "ShiftRightLogical",
                            "ShiftRightArithmetic", "ShiftLeftLogical")}
PLAIN = {BINARY[n] for n in ("IAdd", "FAdd", "ISub", "FSub", "IMul", "FMul", "BitwiseXor")}
UNARY = {83, 111, 112, 124, 126, 127, 200}  # CopyObject, ConvertSToF, ConvertUToF, Bitcast, SNegate, FNegate, Not
TYPE_INT, TYPE_FLOAT, TYPE_POINTER, TYPE_BOOL, CONSTANT, CONSTANT_TRUE, CONSTANT_FALSE = 21, 22, 32, 20, 43, 41, 42
FUNCTION, VARIABLE, STORE, COMPOSITE_CONSTRUCT, COMPOSITE_EXTRACT = 54, 59, 62, 80, 81
ENTRY_POINT, CONSTANT_NULL, LOAD, ACCESS_CHAIN, GEOMETRY = 15, 46, 61, 65, 3
IMAGE_WRITE, ATOMIC_EXCHANGE, ATOMIC_IADD, ATOMIC_XOR, BRANCH_CONDITIONAL = 99, 229, 234, 242, 250
NO_RESULT = {STORE, IMAGE_WRITE, BRANCH_CONDITIONAL, 5, 6, 15, 16, 71, 72, 246, 247, 249, 251}  # names, modes, control
OUTPUTS = {2, 3, 11, 12}  # storage classes Uniform, Output, Image (texel pointers of atomics), StorageBuffer


class Module:
    def __init__(self, file):
        self.file = file
        with open(file, "rb") as f:
            data = f.read()
        words = struct.unpack("<%dI" % (len(data) // 4), data)
        self.header, self.code, at = list(words[:5]), [], 5
        while at < len(words):
            n = words[at] >> 16
            self.code.append(list(words[at:at + n]))
            at += n
        self.types = {}   # result id -> its type id
        self.defs = {}    # result id -> instruction
        for i in self.code:
            op = i[0] & 0xffff
            if TYPE_BOOL <= op <= 38:
                self.defs[i[1]] = i
            elif len(i) > 2 and op not in NO_RESULT:
                self.defs.setdefault(i[2], i)
                self.types.setdefault(i[2], i[1])

    def geometry(self):
        return any(i[0] & 0xffff == ENTRY_POINT and i[1] == GEOMETRY for i in self.code)

    def origin(self, ident):
        """What a value of a geometry stage is, whatever its id: a constant, or which part of which input."""
        i = self.defs.get(ident)
        if not i or i[0] & 0xffff in (VARIABLE, CONSTANT, 44):
            return ident
        return (i[0], *(self.origin(x) if i[0] & 0xffff in (LOAD, ACCESS_CHAIN) or k == 0 else x for k, x in enumerate(i[3:])))

    def op_of(self, ident):
        i = self.defs.get(ident)
        return i[0] & 0xffff if i else 0

    def storage(self, pointer):
        """Storage class of a pointer's type."""
        t = self.defs.get(self.types.get(pointer, 0))
        return t[2] if t and t[0] & 0xffff == TYPE_POINTER else 0

    def written(self):
        """Ids whose value goes to memory or to an output."""
        out = []
        for i in self.code:
            op = i[0] & 0xffff
            if op == IMAGE_WRITE:
                out.append(i[3])
            elif op == STORE and self.storage(i[1]) in OUTPUTS:
                out.append(i[2])
            elif (op == ATOMIC_EXCHANGE or ATOMIC_IADD <= op <= ATOMIC_XOR) and self.storage(i[3]) in OUTPUTS:
                out.append(i[-1])
        return out

    def open_values(self):
        """Results that reach a write without anything in between that could hide a change."""
        seen, todo = set(), self.written()
        while todo:
            ident = todo.pop()
            i, op = self.defs.get(ident), self.op_of(ident)
            if not i or ident in seen:
                continue
            seen.add(ident)
            if op in PLAIN:
                todo += i[3:5]
            elif op in UNARY or op == COMPOSITE_EXTRACT:
                todo.append(i[3])
            elif op == COMPOSITE_CONSTRUCT:
                todo += i[3:]
        return seen

    def scalar(self, type_id):
        """'i' or 'f' for a 32-bit scalar type, else ''."""
        t = self.defs.get(type_id)
        if not t or t[2:3] != [32]:
            return ""
        return {TYPE_INT: "i", TYPE_FLOAT: "f"}.get(t[0] & 0xffff, "")

    def save(self, file, code, extra):
        """Writes code with extra constants in front of the first function; new ids are above the bound."""
        words = self.header[:3] + [self.header[3] + 8] + self.header[4:]
        for i in code:
            if i[0] & 0xffff == FUNCTION and extra:
                for e in extra:
                    words += e
                extra = []
            words += i
        with open(file, "wb") as f:
            f.write(struct.pack("<%dI" % len(words), *words))


def vertex_places(m):
    """Those of a geometry stage."""
    out, last = {"vertex": [], "stale": []}, {}
    for n, i in enumerate(m.code):
        op = i[0] & 0xffff
        if op == ACCESS_CHAIN and len(i) == 5:
            out["vertex"].append((n, 4))
        elif op == STORE and m.storage(i[1]) in OUTPUTS:
            if i[1] in last and m.origin(last[i[1]]) != m.origin(i[2]):
                out["stale"].append((n, 2))
            last[i[1]] = i[2]
    return out


def places(m):
    """(kind, instruction index, operand) of all mutants."""
    if m.geometry():
        return vertex_places(m)
    values, out = m.open_values(), {"swap": [], "const": [], "branch": []}
    for n, i in enumerate(m.code):
        op = i[0] & 0xffff
        if op == BRANCH_CONDITIONAL and i[2] != i[3]:
            out["branch"].append((n, 0))
        if op not in BINARY.values() or i[2] not in values:
            continue
        if op in SWAP and i[3] != i[4]:
            out["swap"].append((n, 0))
        for k in (3, 4):
            if m.op_of(i[k]) == CONSTANT and m.scalar(m.types[i[k]]):
                out["const"].append((n, k))
    return out


def moved_constant(m, ident, new, by):
    kind, value = m.scalar(m.types[ident]), m.defs[ident][3]
    if kind == "f":
        value = struct.unpack("<I", struct.pack("<f", struct.unpack("<f", struct.pack("<I", value))[0] + by))[0]
    else:
        value = (value + by) & 0xffffffff
    return [4 << 16 | CONSTANT, m.types[ident], new, value]


def mutate(m, kind, n, k, file):
    code, extra, i = list(m.code), [], list(m.code[n])
    if kind == "swap":
        i[3], i[4] = i[4], i[3]
    elif kind == "branch":
        i[2], i[3] = i[3], i[2]
    elif kind == "stale":
        i[k] = next(j[2] for j in reversed(code[:n]) if j[0] & 0xffff == STORE and j[1] == i[1])
    else:
        new = m.header[3]
        last = kind == "vertex" and m.defs[i[k]][3] == 2
        extra = [moved_constant(m, i[k], new, -1 if last else 1)]
        i[k] = new
    code[n] = i
    m.save(file, code, extra)


def damage(m, kind, n, k, which, file):
    """Gross form number `which`, one for a value and two for a branch; False if there is none."""
    code, i, new = list(m.code), list(m.code[n]), m.header[3]
    if kind == "branch":
        i[1] = new
        extra = [[3 << 16 | (CONSTANT_TRUE if which else CONSTANT_FALSE), m.types[m.code[n][1]], new]]
        code[n] = i
    elif kind in ("vertex", "stale"):
        if which:
            return False
        at = n
        while code[at][0] & 0xffff != STORE:  # a value of a vertex: where it is stored
            at += 1
        store = list(code[at])
        extra = [[3 << 16 | CONSTANT_NULL, m.types[store[2]], new]]
        store[2] = new
        code[at] = store
    elif kind == "const":
        if which:
            return False
        extra = [moved_constant(m, i[k], new, 45)]
        i[k] = new
        code[n] = i
    else:
        scalar, type_id, result = m.scalar(i[1]), i[1], i[2]
        if which or not scalar:
            return False
        bits = 45 if scalar == "i" else struct.unpack("<I", struct.pack("<f", 45.0))[0]
        extra = [[4 << 16 | CONSTANT, type_id, new, bits]]
        i[2] = new + 1
        add = BINARY["IAdd" if scalar == "i" else "FAdd"]
        code[n:n + 1] = [i, [5 << 16 | add, type_id, result, new + 1, new]]
    m.save(file, code, extra)
    return True


def spread(items, n):
    return items if len(items) <= n else [items[k * len(items) // n] for k in range(n)]


def valid(file):
    if not shutil.which("spirv-val"):
        return True
    return subprocess.run(["spirv-val", "--target-env", "vulkan1.3", "--scalar-block-layout", file],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def run_batch(options, file, jobs):
    """Results by name."""
    with open(file, "w") as f:
        for name, arguments in jobs:
            f.write(f"{name}\t{' '.join(arguments)}\n")
    r = subprocess.run([options.vkexec, "batch", "-j", options.j, file], stdout=subprocess.PIPE, text=True)
    return dict(line.split("\t", 1) for line in r.stdout.splitlines() if "\t" in line)


def instead(argument, file):
    """The executor's argument with another translation, or another generated stage."""
    return "+" + file if argument[0] == "+" else argument.split(":")[0] + ":" + file


def plant(options, work):
    """All mutants: name -> (module, kind, instruction, operand, arguments, position of the module)."""
    mutants = {}
    with open(options.jobs) as f:
        lines = [line.rstrip("\n").split("\t", 1) for line in f if "\t" in line]
    for program, text in lines:
        arguments = ["-T", "5"] + text.split()
        for at, a in enumerate(arguments):
            if ":" not in a and a[0] != "+":
                continue
            file = a.split(":")[-1].lstrip("+")
            m = Module(file)
            for kind, found in places(m).items():
                for n, k in spread(found, options.n):
                    mutant = f"{work}/m{len(mutants)}.spv"
                    mutate(m, kind, n, k, mutant)
                    if kind == "branch" and not valid(mutant):
                        continue
                    changed = arguments[:at] + [instead(a, mutant)] + arguments[at + 1:]
                    operand = f" operand {k - 3}" if kind == "const" else ""
                    name = f"{program} {os.path.basename(file)} {kind} instruction {n}{operand}"
                    mutants[name] = (m, kind, n, k, changed, at)
    return mutants


def regrid(options, work, mutants, survivors):
    """Survivors that also survive on another grid, where the translation itself is equal there."""
    jobs = {}
    for name in survivors:
        m, _, _, _, arguments, at = mutants[name]
        plain = arguments[:at] + [instead(arguments[at], m.file)] + arguments[at + 1:]
        jobs[name] = [["-g", "3,2,1"] + a for a in (plain, arguments)]
    plain, changed = (run_batch(options, f"{work}/grid{k}.list", [(name, j[k]) for name, j in jobs.items()]) for k in (0, 1))
    return [n for n in survivors if not plain.get(n, "").startswith("EQUAL") or changed.get(n, "").startswith("EQUAL")]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("-n", type=int, default=2)
    p.add_argument("-j", default="2")
    p.add_argument("-k", default="")
    p.add_argument("vkexec")
    p.add_argument("jobs")
    options = p.parse_args()
    work = options.k or tempfile.mkdtemp(prefix="xlate-mutate-")
    os.makedirs(work, exist_ok=True)
    mutants = plant(options, work)
    results = run_batch(options, f"{work}/mutants.list", [(name, x[4]) for name, x in mutants.items()])
    survivors = regrid(options, work, mutants, [n for n in mutants if results.get(n, "").startswith("EQUAL")])
    probes, wanted = [], {}
    for s, name in enumerate(survivors):
        m, kind, n, k, arguments, at = mutants[name]
        for which in (0, 1):
            file = f"{work}/p{s}.{which}.spv"
            if damage(m, kind, n, k, which, file) and valid(file):
                probes.append((f"{s}.{which}", arguments[:at] + [instead(arguments[at], file)] + arguments[at + 1:]))
        wanted[name] = 2 if kind == "branch" else 1
    shown = {}
    for probe, result in run_batch(options, f"{work}/probes.list", probes).items():
        if not result.startswith("EQUAL"):
            name = survivors[int(probe.split(".")[0])]
            shown[name] = shown.get(name, 0) + 1
    failed = [name for name in survivors if shown.get(name, 0) == wanted[name]]
    for name in failed:
        print(f"survived: {name}: {results[name]}")
    if not options.k:
        shutil.rmtree(work, ignore_errors=True)
    if len(survivors) > len(failed):
        print(f"skip: errors planted where the inputs never bring them to effect: {len(survivors) - len(failed)}")
    print(f"{len(mutants) - len(survivors)} passed, {len(failed)} failed, {len(survivors) - len(failed)} skipped")
    return 1 if failed or not mutants else 0


if __name__ == "__main__":
    sys.exit(main())
