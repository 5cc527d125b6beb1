"""capture.py: what any capture of a draw has and an old archive's records lack, put in from the original module.

The records of the public archive keep the driver's compiled programs, but not all of the pipeline state around them: when depth
and stencil are tested, what position exports are beside the position, which of two draw parameters a program gets, which
attachments of the subpass it reads. A capture has these in registers and in the descriptions of pipeline and render pass; here
the execution modes, decorations and stores of the original module say the same. Nothing that a record has is replaced, and what
does not agree with the numbers that the record does have (exports, registers) is left out.
"""
import json
import os
import struct

# Numbers of SPIR-V 1.6, chapters 3.6, 3.20, 3.21 and 3.49.
EARLY_TESTS = 9
BINDING, SET, BUILTIN, ATTACHMENT = 33, 34, 11, 43
POINT_SIZE, CLIP, CULL, LAYER, VIEWPORT, INSTANCE, BASE_INSTANCE, DRAW = 1, 3, 4, 9, 10, 43, 4425, 4426
EXECUTION_MODE, ARRAY, STRUCT, POINTER, CONSTANT, CALL, VARIABLE, STORE, COPY, COPY_SIZED = 16, 28, 30, 32, 43, 57, 59, 62, 63, 64
CHAIN, CHAIN_IN_BOUNDS, DECORATE, DECORATE_MEMBER, COPY_OBJECT = 65, 66, 71, 72, 83
OUTPUT = 3


class Module:
    """Which built-ins a module writes and reads, and what it says of itself."""

    def __init__(self, file):
        with open(file, "rb") as f:
            data = f.read()
        words = struct.unpack(f"<{len(data) // 4}I", data)
        self.modes, self.decorations, self.members = set(), {}, {}
        self.types, self.constants, self.variables, self.chains = {}, {}, {}, {}
        self.stored, self.loaded = set(), set()  # of what place() returns
        at = 5
        while at < len(words):
            count = words[at] >> 16
            if not count:
                raise ValueError(f"{file}: no SPIR-V")
            self.instruction(words[at] & 0xffff, words[at + 1:at + count])
            at += count

    def instruction(self, op, w):
        if op == EXECUTION_MODE:
            self.modes.add(w[1])
        elif op == DECORATE:
            self.decorations[w[0], w[1]] = w[2] if len(w) > 2 else 0
        elif op == DECORATE_MEMBER:
            self.members[w[0], w[1], w[2]] = w[3] if len(w) > 3 else 0
        elif op in (ARRAY, STRUCT, POINTER):
            self.types[w[0]] = w[1:]
        elif op == CONSTANT:
            self.constants[w[1]] = w[2]
        elif op == VARIABLE:
            self.variables[w[1]] = {"type": self.types[w[0]][1], "class": w[2]}
            if len(w) > 3:
                self.variables[w[1]]["initial"] = True
        elif op in (CHAIN, CHAIN_IN_BOUNDS, COPY_OBJECT):
            base, path = self.place(w[2])
            self.chains[w[1]] = base, path + tuple(self.constants.get(i) for i in w[3:])
            self.loaded.add(self.place(w[1]))
        else:
            written = w[:1] if op in (STORE, COPY, COPY_SIZED) else w[3:] if op == CALL else ()
            self.stored.update(self.place(i) for i in written)
            self.loaded.update(self.place(i) for i in w if i in self.variables)

    def place(self, pointer):
        """The variable behind a pointer and the path of indices into it, None for one that is no constant."""
        return self.chains.get(pointer, (pointer, ()))

    def builtins(self, places):
        """The built-ins among the places, each with a bit per element of an array."""
        found = {}
        for variable, path in places:
            v = self.variables.get(variable)
            if not v:
                continue
            if (variable, BUILTIN) in self.decorations:
                what = self.decorations[variable, BUILTIN]
                found[what] = found.get(what, 0) | self.elements(v["type"], path)
            for (block, member, decoration), what in self.members.items():
                if block == v["type"] and decoration == BUILTIN and (not path or path[0] == member):
                    found[what] = found.get(what, 0) | self.elements(self.types[block][member], path[1:])
        return found

    def size(self, what):
        """Elements of an output array."""
        outputs = {(v, ()) for v, d in self.variables.items() if d["class"] == OUTPUT}
        return bin(self.builtins(outputs).get(what, 0)).count("1")

    def elements(self, t, path):
        if path and path[0] is not None:
            return 1 << path[0]
        return (1 << self.constants.get(self.types[t][1], 0)) - 1 if len(self.types.get(t, ())) == 2 else 1


def vertex(module, program):
    """Facts of a vertex program's exports and draw parameters."""
    facts = {}
    # An initial value of nothing but zeros is no distance: what lies on a plane is not clipped, and drivers take it out.
    initial = {(v, ()) for v, d in module.variables.items() if d["class"] == OUTPUT and "initial" in d}
    stored, written = module.builtins(module.stored), module.builtins(module.stored | initial)
    clip = stored.get(CLIP, 0)
    cull = stored.get(CULL, 0) << module.size(CLIP)
    misc = any(b in written for b in (POINT_SIZE, LAYER, VIEWPORT))
    vectors = sum((clip | cull) >> 4 * half & 15 != 0 for half in (0, 1))
    if program.get("pos_exports") == 1 + misc + vectors:
        facts.update(writes_point_size=int(POINT_SIZE in written), writes_layer=int(LAYER in written),
                     writes_viewport=int(VIEWPORT in written), clip_enable=clip, cull_enable=cull)
    read = module.builtins(module.loaded)
    draw, instance = int(DRAW in read), int(BASE_INSTANCE in read or INSTANCE in read)
    registers = [r["n"] for r in program.get("sgprs", ()) if r["name"] == "base_vertex_drawid_startinstance"]
    if registers == [1 + draw + instance]:
        facts.update(draw_id=draw, base_instance=instance)
    return facts


def fragment(module, program):
    return {"early_fragment_tests": int(EARLY_TESTS in module.modes)}


def attachments(module, record):
    """Which input attachment each binding is."""
    known = {(module.decorations.get((i, SET)), module.decorations.get((i, BINDING))): value
             for (i, what), value in module.decorations.items() if what == ATTACHMENT}
    for s in record["sets"]:
        for b in s.get("bindings", ()):
            if b["type"] == "input_attachment" and (s["set"], b["binding"]) in known:
                b.setdefault("input_attachment_index", known[s["set"], b["binding"]])


def complete(record, root):
    """Puts into a record what it lacks. Where stages were linked, the driver moved and removed what their modules say."""
    for stage in record["inputs"]:
        programs = [p for p in record["executables"] if p["stage"] == stage["stage"]]
        if stage["stage"] not in ("vert", "frag") or stage["stage"] not in record["real_stages"] or record["linked"] or not programs:
            continue
        module = Module(f"{root}/spv/{stage['file']}")
        attachments(module, record)
        for key, value in (vertex if stage["stage"] == "vert" else fragment)(module, programs[0]).items():
            programs[0].setdefault(key, value)


def written(file, record, root, folder):
    """The record's file, or where it lacked something a complete one in the folder, with its code beside it."""
    before = json.dumps(record)
    complete(record, root)
    if json.dumps(record) == before:
        return file
    os.makedirs(folder, exist_ok=True)
    for program in record["executables"]:
        code = f"{folder}/{program['code']}"
        if not os.path.exists(code):
            os.symlink(os.path.abspath(f"{os.path.dirname(file)}/{program['code']}"), code)
    copy = f"{folder}/{os.path.basename(file)}"
    with open(copy, "w") as f:
        json.dump(record, f)
    return copy
