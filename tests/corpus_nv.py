#!/usr/bin/env python3
"""corpus_nv.py LISTINGS SRC CORPUS VKEXEC: records of compute shaders that NAK compiled for sm86 and sm53.

The shaders are SRC/NAME.comp. LISTINGS/CHIP has nak.NAME.00.cs.bin and .txt; the text's header gives sizes, registers
and constant banks. All of these shaders were compiled with one descriptor set layout, LAYOUT below; the offsets follow
NVK's rule (ascending bindings, each aligned to its descriptor's size) and agree with the c[1] offsets in the code.
VK_ICD_FILENAMES chooses the device that runs the originals.
"""
import json
import os
import re
import shutil
import subprocess
import sys

listings, src, corpus, vkexec = sys.argv[1:5]
BANKS = {1: "root_table", 3: "descriptor_set"}
SIZES = {"uniform_buffer": 16, "storage_buffer": 16, "combined_image_sampler": 4, "storage_image": 8,
         "uniform_texel_buffer": 4}
LAYOUT = [("uniform_buffer", 1)] * 2 + [("storage_buffer", 1)] * 3 + [("combined_image_sampler", 8)] + \
         [("combined_image_sampler", 1)] * 5 + [("storage_image", 1)] * 2 + [("uniform_texel_buffer", 1)]
IMAGES = {5: ("2d", "float", None), 11: ("2d", "float", "rgba8"), 12: ("2d", "uint", "r32ui"),
          13: ("buffer", "float", None)}
# Fixed part plus 64 elements of the runtime array, as the other recorder counts it.
BUFFERS = {"nv_alu": {2: 256, 3: 256, 4: 512}, "nv_manyregs": {2: 1024, 3: 1024}, "nv_reduce": {2: 256, 3: 260},
           "nv_subgroup": {2: 256}}
# Programs whose output is one value: the others race, read past a buffer, convert what has no integer, or ask for the
# subgroup size.
DEFINED = {"nv_reduce"}


def bindings(name, text):
    out, offset = [], 0
    for n, (kind, count) in enumerate(LAYOUT):
        size = SIZES[kind]
        offset = -(-offset // size) * size
        if re.search(r"binding *= *%d\b" % n, text):
            b = {"binding": n, "type": kind, "count": count, "unsized": 0, "offset": offset, "stride": size,
                 "buffer_size": BUFFERS.get(name, {}).get(n, 0)}
            if n in IMAGES:
                dim, numeric, form = IMAGES[n]
                b["image"] = {"dim": dim, "arrayed": 0, "ms": 0, "depth": 0, "numeric": numeric, "format": form}
            out.append(b)
        offset += size * count
    return {"set": 0, "size": -(-offset // 16) * 16, "bindings": out}


def header(path):
    h, banks = {}, []
    with open(path) as f:
        for line in f:
            m = re.match(r"cbuf\[(\d+)\]: type (\d+) set (\d+)", line)
            if m:
                bank, kind, number = map(int, m.groups())
                banks.append({"bank": bank, "holds": BANKS[kind]} | ({"set": number} if kind == 3 else {}))
            elif ": " in line and not line.startswith(" "):
                key, value = line.strip().split(": ")
                h[key] = value
            elif not line.strip():
                return h, banks
    return h, banks


for chip in ("sm86", "sm53"):
    for file in sorted(os.listdir(src)):
        base = file[:-5]
        name, stem = "nv_" + base, f"{listings}/{chip}/nak.{base}.00.cs"
        h, banks = header(stem + ".txt")
        with open(f"{src}/{file}") as f:
            text = f.read()
        spv = f"{corpus}/spv/{name}.comp.spv"
        subprocess.run(["glslangValidator", "-V", "--quiet", "--target-env", "vulkan1.1", "-o", spv, f"{src}/{file}"],
                       check=True)
        expected = {"status": "undefined"}
        if name in DEFINED:
            line = subprocess.run([vkexec, "-o", f"{corpus}/expected/{name}.out", spv], stdout=subprocess.PIPE,
                                  text=True, check=True).stdout.split(" ", 2)
            expected = {"status": "ok", "fnv64": line[1], "stats": line[2].strip(), "output": name + ".out",
                        "command": ["vkexec", name + ".comp.spv"]}
        num = {k: int(h[k]) for k in ("sph_size", "code_size", "const_data_size", "gprs", "barriers", "slm_size",
                                      "crs_size", "smem_size")}
        d = {"name": name, "kind": "comp", "isa": chip, "cpu": chip, "abi": "nvk", "linked": False, "device": "NVK",
             "driver": "Mesa 25.0.7", "mesa": "25.0.7", "robust_buffer_access": 0,
             "inputs": [{"file": name + ".comp.spv", "stage": "comp", "entry": "main"}],
             "push_constant_size": 4 if "push_constant" in text else 0, "push_constant_offset": 40,
             "sets": [bindings(name, text)], "vertex_attributes": [], "color_formats": [], "expected": expected,
             "spirv": {"subgroup": int("subgroup" in text), "atomic": int("tomic" in text), "discard": 0, "nspec": 0},
             "executables": [{
                 "isa": chip, "real": 1, "stage": "comp", "compiler": h["compiler"], "sm": int(h["sm"]),
                 "chipset": h["chipset"], "sph_offset": 0, "sph_size": num["sph_size"], "code_offset": num["sph_size"],
                 "code_size": num["code_size"], "const_data_offset": num["sph_size"] + num["code_size"],
                 "const_data_size": num["const_data_size"], "const_data_used": num["const_data_size"],
                 "gprs": num["gprs"], "barriers": num["barriers"], "local_bytes_per_thread": num["slm_size"],
                 "crs_bytes_per_warp": num["crs_size"], "workgroup_size": [int(x) for x in h["local_size"].split()],
                 "shared_bytes": num["smem_size"], "cbufs": banks, "inputs": [], "outputs": [],
                 "code": f"{name}.comp.bin"}],
             "real_stages": ["comp"]}
        shutil.copyfile(stem + ".bin", f"{corpus}/{chip}/{name}.comp.bin")
        os.chmod(f"{corpus}/{chip}/{name}.comp.bin", 0o644)
        with open(f"{corpus}/{chip}/{name}.json", "w") as f:
            json.dump(d, f, separators=(",", ":"))
            f.write("\n")
