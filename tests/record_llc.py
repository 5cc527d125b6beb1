#!/usr/bin/env python3
"""record_llc.py RECORD SOURCE: the program of a record becomes one that LLVM compiles from SOURCE.

RECORD is what radvdump wrote of the same compute program: its modules, expected output and GPU stay. A comment line of SOURCE,
"; set: {...}", is its one set as records have it, only memory. The program's arguments are the set's pointer (s2), the workgroup's
numbers x and y, and in v0 the lane's.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

record, source = sys.argv[1:3]
with open(record) as f:
    d = json.load(f)
with open(source) as f:
    text = f.read()
program = d["executables"][0]
wave = program["wave_size"]
features = [f"-mattr=+wavefrontsize{wave}"] if d["isa"] == "gfx10" else []
with tempfile.TemporaryDirectory() as work:
    with open(f"{work}/a.ll", "w") as f:
        f.write(text.replace("HIGH", d["address32_hi"]))
    subprocess.run(["llc-19", "-mtriple=amdgcn-unknown-mesa3d", f"-mcpu={d['cpu']}", *features, "-O2", "-filetype=obj",
                    f"{work}/a.ll", "-o", f"{work}/a.o"], check=True)
    symbols = subprocess.run(["llvm-readelf-19", "-s", f"{work}/a.o"], check=True, stdout=subprocess.PIPE, text=True).stdout
    subprocess.run(["llvm-objcopy-19", "-O", "binary", "--only-section=.text", f"{work}/a.o", f"{work}/a.bin"], check=True)
    size = int(re.search(r" (\d+) FUNC .* main$", symbols, re.M).group(1))
    with open(f"{work}/a.bin", "rb") as f:
        code = f.read()[:size]
with open(os.path.join(os.path.dirname(record), program["code"]), "wb") as f:
    f.write(code)
version = subprocess.run(["llc-19", "--version"], stdout=subprocess.PIPE, text=True).stdout
d["driver"] = "LLVM " + re.search(r"LLVM version (\S+)", version).group(1)
d["sets"] = [json.loads(re.search(r"^; set: (.*)$", text, re.M).group(1))]
for key in ("rsrc1", "rsrc2", "rsrc3", "num_sgprs", "num_vgprs", "stats"):
    del program[key]
program.update(match="none", code_size=size, exec_size=size, user_sgprs=1, inline_push_constant_mask="0x0", float_mode="0xc0",
               sgprs=[{"reg": f"s{2 + i}", "n": 1, "name": name}
                      for i, name in enumerate(("descriptor_set0", "workgroup_id_x", "workgroup_id_y"))],
               vgprs=[{"reg": "v0", "n": 1, "name": "local_invocation_id_x"}])
with open(record, "w") as f:
    f.write(json.dumps(d, separators=(",", ":")) + "\n")
