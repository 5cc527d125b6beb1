/* hsa_note.c - the metadata note of a code object: a MessagePack map. Keys that are not known are stepped over. */
#include "hsa_int.h"

enum { NOTE_METADATA = 32 };

static bool fault(struct hsa_object *o, const char *what)
{
	return elf_fault(&o->elf, "metadata: %s", what);
}

static uint32_t number(struct hsa_object *o, struct msgpack *m, const char *key, uint32_t max)
{
	struct msgpack_value v = msgpack_next(m);

	if (v.kind == MSGPACK_INT && v.n <= max)
		return (uint32_t)v.n;
	elf_fault(&o->elf, "metadata: %s is no number up to %u", key, max);
	msgpack_skip_rest(m, v);
	return 0;
}

static struct hsa_text text(struct hsa_object *o, struct msgpack *m)
{
	struct msgpack_value v = msgpack_next(m);

	if (v.kind == MSGPACK_TEXT && v.n <= 1024)
		return (struct hsa_text){ v.text, (size_t)v.n };
	fault(o, "a name is no text of up to 1024 bytes");
	msgpack_skip_rest(m, v);
	return (struct hsa_text){ NULL, 0 };
}

static uint32_t arg_kind(const struct msgpack_value *v)
{
	static const char *const kinds[] = {
#define HSA_ARG(suffix, kind, what) [REC_ARG_##suffix] = kind,
#include "../hsa.def"
	};

	for (uint32_t i = 0; i < REC_ARG_HIDDEN; i++) {
		if (msgpack_is(v, kinds[i]))
			return i;
	}
	return REC_ARG_HIDDEN;
}

static void argument(struct hsa_object *o, struct msgpack *m, struct rec_kernarg *a)
{
	struct msgpack_value map = msgpack_next(m), key, v;

	*a = (struct rec_kernarg){ .offset = REC_NONE, .size = REC_NONE, .kind = REC_ARG_COUNT };
	if (map.kind != MSGPACK_MAP) {
		fault(o, "an argument is no map");
		return;
	}
	for (uint64_t i = 0; i < map.n && !m->bad; i++) {
		key = msgpack_next(m);
		if (msgpack_is(&key, ".offset")) {
			a->offset = number(o, m, ".offset", HSA_MAX_KERNARG);
		} else if (msgpack_is(&key, ".size")) {
			a->size = number(o, m, ".size", HSA_MAX_KERNARG);
		} else if (msgpack_is(&key, ".value_kind")) {
			v = msgpack_next(m);
			a->kind = arg_kind(&v);
			msgpack_skip_rest(m, v);
		} else {
			msgpack_skip_rest(m, key);
			msgpack_skip(m);
		}
	}
	if (a->offset == REC_NONE || a->size == REC_NONE || a->kind == REC_ARG_COUNT)
		fault(o, "an argument has no offset, size or value kind");
	else if (a->kind == REC_ARG_GLOBAL_BUFFER && a->size != 8)
		fault(o, "a pointer is not 8 bytes");
}

static void arguments(struct hsa_object *o, struct msgpack *m, struct arena *a, struct hsa_kernel *k)
{
	struct msgpack_value list = msgpack_next(m);

	if (list.kind != MSGPACK_ARRAY || list.n > HSA_MAX_ARGS) {
		fault(o, "the arguments are no list of reasonable length");
		return;
	}
	k->arg = arena_array(a, struct rec_kernarg, list.n + 1);
	k->narg = (uint32_t)list.n;
	for (uint32_t i = 0; i < k->narg && !m->bad && !o->elf.why[0]; i++)
		argument(o, m, &k->arg[i]);
}

static void group_size(struct hsa_object *o, struct msgpack *m, struct hsa_kernel *k)
{
	struct msgpack_value list = msgpack_next(m);

	if (list.kind != MSGPACK_ARRAY || list.n != 3) {
		fault(o, ".reqd_workgroup_size is no list of three");
		return;
	}
	for (unsigned i = 0; i < 3; i++)
		k->group[i] = number(o, m, ".reqd_workgroup_size", 65536);
	k->fixed_group = true;
}

static void kernel(struct hsa_object *o, struct msgpack *m, struct arena *a, struct hsa_kernel *k)
{
	struct msgpack_value map = msgpack_next(m), key;
	const struct { const char *key; uint32_t *to, max; } numbers[] = {
		{ ".group_segment_fixed_size", &k->group_size, 1 << 20 },
		{ ".private_segment_fixed_size", &k->private_size, 1 << 24 },
		{ ".kernarg_segment_size", &k->kernarg_size, HSA_MAX_KERNARG },
		{ ".wavefront_size", &k->wave, 64 },
		{ ".max_flat_workgroup_size", &k->flat_size, UINT32_MAX - 1 },
	};
	unsigned n;

	if (map.kind != MSGPACK_MAP) {
		fault(o, "a kernel is no map");
		return;
	}
	for (uint64_t i = 0; i < map.n && !m->bad && !o->elf.why[0]; i++) {
		key = msgpack_next(m);
		for (n = 0; n < sizeof(numbers) / sizeof(numbers[0]) && !msgpack_is(&key, numbers[n].key); n++)
			;
		if (n < sizeof(numbers) / sizeof(numbers[0])) {
			*numbers[n].to = number(o, m, numbers[n].key, numbers[n].max);
		} else if (msgpack_is(&key, ".name")) {
			k->name = text(o, m);
		} else if (msgpack_is(&key, ".symbol")) {
			k->symbol = text(o, m);
		} else if (msgpack_is(&key, ".args")) {
			arguments(o, m, a, k);
		} else if (msgpack_is(&key, ".reqd_workgroup_size")) {
			group_size(o, m, k);
		} else if (msgpack_is(&key, ".uses_dynamic_stack")) {
			k->dynamic_stack = msgpack_next(m).n != 0;
		} else {
			msgpack_skip_rest(m, key);
			msgpack_skip(m);
		}
	}
}

static void kernels(struct hsa_object *o, struct msgpack *m, struct arena *a)
{
	struct msgpack_value list = msgpack_next(m);

	if (list.kind != MSGPACK_ARRAY || list.n > HSA_MAX_KERNELS || o->kernel) {
		fault(o, "the kernels are no list of reasonable length");
		return;
	}
	o->kernel = arena_array(a, struct hsa_kernel, list.n + 1);
	o->nkernel = (uint32_t)list.n;
	for (uint32_t i = 0; i < o->nkernel && !m->bad && !o->elf.why[0]; i++)
		kernel(o, m, a, &o->kernel[i]);
}

static void version(struct hsa_object *o, struct msgpack *m)
{
	struct msgpack_value list = msgpack_next(m);
	uint32_t major;

	if (list.kind != MSGPACK_ARRAY || list.n != 2) {
		fault(o, "the version is no pair");
		return;
	}
	major = number(o, m, "the version", 1000);
	o->version = number(o, m, "the version", 1000);
	if (major != 1 || o->version > 2)
		elf_fault(&o->elf, "metadata version %u.%u is not known", major, o->version);
}

static bool metadata(struct hsa_object *o, const struct elf_note *n, struct arena *a)
{
	struct msgpack m = { .v = n->desc, .n = n->size };
	struct msgpack_value map = msgpack_next(&m), key;
	bool versioned = false;

	if (map.kind != MSGPACK_MAP)
		return fault(o, "no map");
	for (uint64_t i = 0; i < map.n && !m.bad && !o->elf.why[0]; i++) {
		key = msgpack_next(&m);
		if (msgpack_is(&key, "amdhsa.version")) {
			version(o, &m);
			versioned = true;
		} else if (msgpack_is(&key, "amdhsa.kernels")) {
			kernels(o, &m, a);
		} else {
			msgpack_skip_rest(&m, key);
			msgpack_skip(&m);
		}
	}
	if (m.bad)
		return fault(o, "damaged");
	if (!versioned)
		return fault(o, "no version");
	return !o->elf.why[0];
}

bool hsa_note_read(struct hsa_object *o, struct arena *a)
{
	struct elf_note n;

	for (uint32_t i = 1; i < o->elf.nsection; i++) {
		size_t at = 0;

		if (o->elf.section[i].type != ELF_NOTE)
			continue;
		while (elf_note(&o->elf.section[i], &at, &n)) {
			if (n.type == NOTE_METADATA && !strcmp(n.name, "AMDGPU"))
				return metadata(o, &n, a);
		}
	}
	return elf_fault(&o->elf, "no metadata note of a code object V3 or newer");
}
