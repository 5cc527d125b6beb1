/* json_program.c - one element of a record file's `executables`. */
#include "json_util.h"

#include <string.h>

static const char *const base_names[REC_BASE_COUNT] = { [REC_BASE_FLOAT] = "f", [REC_BASE_INT] = "i",
	[REC_BASE_UINT] = "u" };
static const char *const holds_names[HOLDS_COUNT] = { [HOLDS_ROOT] = "root_table",
	[HOLDS_CONST_DATA] = "shader_const_data", [HOLDS_SET] = "descriptor_set", [HOLDS_UBO] = "ubo",
	[HOLDS_DYNAMIC_UBO] = "dynamic_ubo" };
static const char *const hw_names[HW_COUNT] = { [HW_LS] = "LS", [HW_HS] = "HS", [HW_ES] = "ES", [HW_GS] = "GS",
	[HW_VS] = "VS", [HW_PS] = "PS", [HW_CS] = "CS", [HW_NGG] = "NGG_GS", [HW_COPY] = "COPY" };

#define KNOWN_LIST(list, rows, count) ((list).v = (rows), (list).n = (count), (list).known = REC_KNOWN, \
	(list).from = REC_FROM_SOURCE)
#define NUM(o, key, max, otherwise) ((uint32_t)json_num(in, o, key, max, otherwise))

/* Register words, kept under their hardware address. */
static void registers(struct json_in *in, const cJSON *o, struct xl_record_program *p)
{
	static const struct { const char *key; uint32_t space, offset; } regs[] = {
#define PROGRAM_REG(key, space, offset) { key, space, offset },
#include "../record.def"
	};
	enum { N = sizeof(regs) / sizeof(regs[0]) };
	struct rec_register *r = arena_array(in->a, struct rec_register, N);
	uint32_t n = 0;

	for (unsigned i = 0; i < N; i++) {
		struct rec_fact f = json_fact(in, o, regs[i].key, UINT32_MAX);

		if (f.known)
			r[n++] = (struct rec_register){ regs[i].space, regs[i].offset, (uint32_t)f.v };
	}
	if (n)
		KNOWN_LIST(p->registers, r, n);
}

/* `sgprs` and `vgprs`: {"reg": "s2", "n": 1, "name": "..."}. */
static void entries(struct json_in *in, const cJSON *o, struct xl_record_program *p)
{
	static const char *const keys[REC_FILE_COUNT] = { "sgprs", "vgprs" };
	static const char letter[REC_FILE_COUNT] = { 's', 'v' };
	struct rec_entry *row = NULL;
	size_t cap = 0;
	uint32_t n = 0, count;
	bool seen = false;

	for (unsigned file = 0; file < REC_FILE_COUNT; file++) {
		const cJSON *list = json_list(in, o, keys[file], 256, &count);

		seen |= list != NULL;
		for (const cJSON *e = list ? list->child : NULL; e && !in->bad; e = e->next) {
			const char *reg = json_text(in, e, "reg", 8), *name = json_text(in, e, "name", 64);
			uint32_t at = 0, digits = 0;

			for (const char *c = reg && reg[0] == letter[file] ? reg + 1 : ""; *c >= '0' && *c <= '9'; c++, digits++)
				at = at * 10 + (uint32_t)(*c - '0');
			if (!digits || digits > 3 || strlen(reg) != digits + 1 || at > 255 || !name) {
				json_fault(in, DIAG_BAD_RECORD, "%s: register \"%s\"", keys[file], reg ? reg : "");
				return;
			}
			row = arena_grow(in->a, row, n, &cap, n + 1, sizeof(*row));
			row[n].file = file;
			row[n].reg = at;
			row[n].n = NUM(e, "n", 256 - at, 1);
			row[n++].name_str = json_pool(in, name);
		}
	}
	if (seen)
		KNOWN_LIST(p->entries, row, n);
}

static void banks(struct json_in *in, const cJSON *o, struct xl_record_program *p)
{
	uint32_t n, i = 0;
	const cJSON *list = json_list(in, o, "cbufs", 64, &n);
	struct rec_bank *b = arena_array(in->a, struct rec_bank, n);

	if (!list)
		return;
	for (const cJSON *e = list->child; e && !in->bad; e = e->next, i++) {
		const char *holds = json_text(in, e, "holds", 32);

		b[i].bank = NUM(e, "bank", 31, 0);
		b[i].holds = json_choice(holds, holds_names, HOLDS_COUNT);
		if (b[i].holds == HOLDS_COUNT)
			json_fault(in, DIAG_BAD_RECORD, "cbufs: bank %u holds \"%s\"", b[i].bank, holds ? holds : "");
		b[i].set = NUM(e, "set", 31, REC_NONE);
		b[i].binding = NUM(e, "binding", 1 << 20, REC_NONE);
		b[i].element = NUM(e, "element", 1 << 20, REC_NONE);
		b[i].dynamic_index = NUM(e, "dynamic_index", 255, REC_NONE);
		b[i].descriptor_offset = NUM(e, "descriptor_offset", 1 << 28, REC_NONE);
	}
	KNOWN_LIST(p->banks, b, n);
}

static const struct rec_io *io(struct json_in *in, const cJSON *o, const char *key, uint32_t *n, bool *seen)
{
	const cJSON *list = json_list(in, o, key, 256, n);
	struct rec_io *r = arena_array(in->a, struct rec_io, *n);
	uint32_t i = 0;

	*seen = list != NULL;
	for (const cJSON *e = list ? list->child : NULL; e && !in->bad; e = e->next, i++) {
		const char *base = json_text(in, e, "base", 8);

		r[i].location = NUM(e, "location", 255, 0);
		r[i].component = NUM(e, "component", 3, 0);
		r[i].n = NUM(e, "n", 16, 4);
		r[i].base = json_choice(base, base_names, REC_BASE_COUNT);
		if (r[i].base == REC_BASE_COUNT)
			json_fault(in, DIAG_BAD_RECORD, "%s: base \"%s\"", key, base ? base : "");
		r[i].width = NUM(e, "width", 64, 32);
		r[i].index = NUM(e, "index", 1, 0);
		r[i].attr = NUM(e, "attr", 0x400, REC_NONE);
		r[i].flat = NUM(e, "flat", 1, 0);
		r[i].noperspective = NUM(e, "noperspective", 1, 0);
		r[i].centroid = NUM(e, "centroid", 1, 0);
		r[i].sample = NUM(e, "sample", 1, 0);
		r[i].patch = NUM(e, "patch", 1, 0);
	}
	return r;
}

/* Where varyings, fragment attributes and colours are. */
static void interface(struct json_in *in, const cJSON *o, struct xl_record_program *p)
{
	const cJSON *list, *e, *map = cJSON_GetObjectItemCaseSensitive(o, "param_of_location");
	uint32_t n, i = 0;
	bool seen;

	p->inputs.v = io(in, o, "inputs", &p->inputs.n, &seen);
	p->inputs.known = seen ? REC_KNOWN : REC_UNRECORDED;
	p->inputs.from = seen ? REC_FROM_SOURCE : REC_FROM_NONE;
	p->outputs.v = io(in, o, "outputs", &p->outputs.n, &seen);
	p->outputs.known = seen ? REC_KNOWN : REC_UNRECORDED;
	p->outputs.from = seen ? REC_FROM_SOURCE : REC_FROM_NONE;
	list = json_list(in, o, "attr_to_location", 64, &n);
	if (list) {
		struct rec_attr *a = arena_array(in->a, struct rec_attr, n);

		for (e = list->child; e; e = e->next, i++)
			a[i] = (struct rec_attr){ i, (uint32_t)json_value(in, e, "attr_to_location", 255) };
		KNOWN_LIST(p->attrs, a, n);
	}
	list = json_list(in, o, "color_registers", 16, &n);
	if (list) {
		struct rec_export *x = arena_array(in->a, struct rec_export, n);

		for (e = list->child, i = 0; e; e = e->next, i++) {
			uint32_t target = NUM(e, "target", 7, 0), mask = NUM(e, "mask", 15, 0), reg = NUM(e, "first_reg", 255, 0);

			x[i] = (struct rec_export){ target, mask, reg };
		}
		KNOWN_LIST(p->exports, x, n);
	}
	if (cJSON_IsObject(map)) {
		struct rec_param *r = arena_array(in->a, struct rec_param, 64);

		for (e = map->child, i = 0; e && !in->bad; e = e->next, i++) {
			const char *k = e->string;
			uint32_t loc = (uint32_t)(k[0] - '0');

			if (i == 64 || k[0] < '0' || k[0] > '9' || (k[1] && (k[1] < '0' || k[1] > '9' || k[2]))) {
				json_fault(in, DIAG_BAD_RECORD, "param_of_location: location \"%.20s\"", k);
				return;
			}
			if (k[1])
				loc = loc * 10 + (uint32_t)(k[1] - '0');
			r[i] = (struct rec_param){ loc, (uint32_t)json_value(in, e, k, 255) };
		}
		KNOWN_LIST(p->params, r, i);
	}
}

static void facts(struct json_in *in, const cJSON *o, struct xl_record_program *p)
{
	uint32_t n;
	const cJSON *wg = json_list(in, o, "workgroup_size", 3, &n);

#define PROGRAM_FACT(field, key, max, what) if (*(key)) p->field = json_fact(in, o, key, max);
#include "../record.def"
	if (wg && n == 3) {
		struct rec_fact *f[3] = { &p->workgroup_x, &p->workgroup_y, &p->workgroup_z };
		const cJSON *e = wg->child;

		for (unsigned i = 0; i < 3; i++, e = e->next) {
			f[i]->v = json_value(in, e, "workgroup_size", 65536);
			f[i]->known = REC_KNOWN;
			f[i]->from = REC_FROM_SOURCE;
			if (!f[i]->v)
				json_fault(in, DIAG_BAD_RECORD, "workgroup_size is 0");
		}
	}
}

/* A part of the code file, by the keys PREFIX_offset and PREFIX_size. */
static struct rec_bytes part(struct json_in *in, const cJSON *o, const char *prefix, struct rec_bytes file)
{
	const char *at_key = arena_printf(in->a, "%s_offset", prefix), *size_key = arena_printf(in->a, "%s_size", prefix);
	uint64_t at = json_num(in, o, at_key, JSON_MAX_FILE, 0), size = json_num(in, o, size_key, JSON_MAX_FILE, 0);

	if (at > file.size || size > file.size - at) {
		json_fault(in, DIAG_BAD_RECORD, "%s %llu and %s %llu leave the code file of %u bytes", at_key,
			   (unsigned long long)at, size_key, (unsigned long long)size, file.size);
		return (struct rec_bytes){ NULL, 0 };
	}
	return (struct rec_bytes){ file.v + at, (uint32_t)size };
}

static void code(struct json_in *in, const cJSON *o, const struct json_reader *reader, struct xl_record_program *p)
{
	const char *name = json_text(in, o, "code", 255);
	struct rec_bytes file = { NULL, 0 };

	if (in->bad)
		return;
	if (!name || !*name || name[0] == '.' || strchr(name, '/') || strchr(name, '\\')) {
		json_fault(in, DIAG_BAD_RECORD, "code \"%s\" is not the name of a file beside the record", name ? name : "");
		return;
	}
	if (reader->read(reader->user, name, in->a, &file)) {
		json_fault(in, DIAG_IO, "cannot read code file %s", name);
		return;
	}
	if (file.size > JSON_MAX_FILE) {
		json_fault(in, DIAG_BAD_RECORD, "code file %s has more than %d bytes", name, JSON_MAX_FILE);
		return;
	}
	p->code = part(in, o, "code", file);
	p->header = part(in, o, "sph", file);
	p->data = part(in, o, "const_data", file);
	p->data_used = NUM(o, "const_data_used", p->data.size, p->data.size);
	p->exec_size = NUM(o, "exec_size", p->code.size, p->code.size);
	if (!p->exec_size)
		json_fault(in, DIAG_BAD_RECORD, "the program has no code");
}

void json_program(struct json_in *in, const cJSON *o, const struct json_reader *reader, struct xl_record_program *p)
{
	const char *stage, *hw;
	unsigned s;

	if (!cJSON_IsObject(o)) {
		json_fault(in, DIAG_BAD_JSON, "not an object");
		return;
	}
	stage = json_text(in, o, "stage", 16);
	hw = json_text(in, o, "hw_stage", 16);
	for (s = 0; stage && s < STAGE_COUNT && strcmp(record_stage_name(s), stage); s++)
		;
	if (stage && !strcmp(stage, "gscopy")) {
		s = STAGE_GEOMETRY;
		hw = "COPY";
	}
	if (!stage || s == STAGE_COUNT) {
		json_fault(in, DIAG_BAD_RECORD, "unknown stage \"%s\"", stage ? stage : "");
		return;
	}
	p->stage = (uint8_t)s;
	p->name = arena_printf(in->a, "%s.%s", in->pipeline->name, stage);
	/* Only AMD's hardware runs one API stage as different hardware stages: there it must be stated. */
	p->hw_stage = strncmp(p->isa, "gfx", 3) ? HW_NONE : (uint8_t)json_choice(hw, hw_names, HW_COUNT);
	if (p->hw_stage == HW_COUNT)
		p->hw_stage = HW_UNKNOWN;
	/* NVIDIA's warps are 32 lanes always; AMD's wave size is a choice of the compiler. */
	p->wave = (uint8_t)json_num(in, o, "wave_size", 64, strncmp(p->isa, "gfx", 3) ? 32 : 0);
	if (p->wave != 32 && p->wave != 64)
		json_fault(in, DIAG_BAD_RECORD, "wave_size is %u", p->wave);
	facts(in, o, p);
	registers(in, o, p);
	entries(in, o, p);
	banks(in, o, p);
	interface(in, o, p);
	code(in, o, reader, p);
}
