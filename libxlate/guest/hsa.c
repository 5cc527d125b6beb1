/* hsa.c - code objects to records: finds a kernel's descriptor, code and data, and says what its registers hold. */
#include "hsa_int.h"

#include <stdio.h>

enum { EM_AMDGPU = 224, OS_HSA = 64, DESCRIPTOR = 64, MAX_STRINGS = 4096, BYTES_AT_ONCE = 32 /* hashed in the time of a symbol */ };
/* Byte offsets in a kernel descriptor. */
enum { KD_GROUP = 0, KD_PRIVATE = 4, KD_KERNARG = 8, KD_ENTRY = 16, KD_RSRC3 = 44, KD_RSRC1 = 48, KD_RSRC2 = 52, KD_PROPERTIES = 56,
	KD_PRELOAD = 58 };
enum { PROPERTY_WAVE32 = 1 << 10, PROPERTY_DYNAMIC_STACK = 1 << 11 };

static const struct { uint8_t bit, n; const char *name; } users[] = {
#define HSA_USER(bit, n, name) { bit, n, name },
#include "../hsa.def"
};
static const struct { uint8_t bit; const char *name; } systems[] = {
#define HSA_SYSTEM(bit, name) { bit, name },
#include "../hsa.def"
};
static const struct { uint32_t mach; const char *name, *isa, *cpu; } cpus[] = {
#define HSA_CPU(mach, name, isa, cpu) { mach, name, isa, cpu },
#include "../hsa.def"
};
enum { USERS = sizeof(users) / sizeof(users[0]), SYSTEMS = sizeof(systems) / sizeof(systems[0]),
	CPUS = sizeof(cpus) / sizeof(cpus[0]), ENTRIES = USERS + SYSTEMS + 3 };

/* One kernel at work. */
struct make {
	struct hsa_object *o;
	const struct hsa_kernel *k;
	struct arena *a;
	struct diag_sink *diag;
	struct xl_pipeline_record *p;
	struct xl_record_program *g;
	char *pool;
	uint32_t npool, nentry;
	struct rec_entry *entry;
};

bool hsa_is(const uint8_t *v, size_t n)
{
	return elf_is(v, n);
}

static struct rec_fact known(uint64_t v, enum rec_from from)
{
	return (struct rec_fact){ .v = v, .known = REC_KNOWN, .from = (uint8_t)from };
}

#define KNOWN_LIST(list, rows, count) ((list).v = (rows), (list).n = (count), (list).known = REC_KNOWN, \
	(list).from = REC_FROM_SOURCE)

static bool refuse(struct make *m, enum diag_code code, const char *what)
{
	diag_emit(m->diag, code, DIAG_NO_ADDR, "kernel \"%.*s\": %s", (int)(m->k->name.n < 64 ? m->k->name.n : 64),
		  m->k->name.v ? m->k->name.v : "", what);
	return false;
}

/* ---- registers at entry */
static void add_entry(struct make *m, uint32_t file, uint32_t reg, uint32_t n, const char *name)
{
	m->entry[m->nentry++] = (struct rec_entry){ .file = file, .reg = reg, .n = n, .name_str = m->npool };
	m->npool += (uint32_t)snprintf(m->pool + m->npool, MAX_STRINGS - m->npool, "%s", name) + 1;
}

static bool registers(struct make *m, uint32_t rsrc2, uint32_t properties)
{
	static const char *const ids[] = { "workitem_id_x", "workitem_id_y", "workitem_id_z" };
	uint32_t reg = 0, user = rsrc2 >> 1 & 31, id = rsrc2 >> 11 & 3;

	m->entry = arena_array(m->a, struct rec_entry, ENTRIES);
	for (unsigned i = 0; i < USERS; i++) {
		if (!(properties >> users[i].bit & 1))
			continue;
		add_entry(m, REC_FILE_SCALAR, reg, users[i].n, users[i].name);
		reg += users[i].n;
	}
	if (reg > user)
		return refuse(m, DIAG_BAD_HEADER, "more user data than its registers hold");
	m->g->user_first = known(0, REC_FROM_HEADER);
	m->g->user_count = known(user, REC_FROM_HEADER);
	reg = user;
	for (unsigned i = 0; i < SYSTEMS; i++) {
		if (rsrc2 >> systems[i].bit & 1)
			add_entry(m, REC_FILE_SCALAR, reg++, 1, systems[i].name);
	}
	if (id > 2)
		return refuse(m, DIAG_BAD_HEADER, "work item ids of an unknown form");
	for (unsigned i = 0; i <= id; i++)
		add_entry(m, REC_FILE_VECTOR, i, 1, ids[i]);
	KNOWN_LIST(m->g->entries, m->entry, m->nentry);
	return true;
}

/* ---- the descriptor */
static const uint8_t *descriptor(struct make *m, uint64_t *address)
{
	const struct hsa_kernel *k = m->k;
	const struct elf_section *s;
	struct elf_symbol sym;

	if (!k->symbol.v || !elf_find(&m->o->elf, arena_printf(m->a, "%.*s", (int)k->symbol.n, k->symbol.v), &sym)) {
		refuse(m, DIAG_BAD_RECORD, "no symbol for its descriptor");
		return NULL;
	}
	s = elf_at(&m->o->elf, sym.value, DESCRIPTOR);
	if (!s || (s->flags & ELF_WRITE)) {
		refuse(m, DIAG_BAD_RECORD, "its descriptor lies outside of the object's constants");
		return NULL;
	}
	*address = sym.value;
	return s->bytes + (sym.value - s->address);
}

static bool header(struct make *m, uint64_t *entry)
{
	struct xl_record_program *g = m->g;
	const struct hsa_kernel *k = m->k;
	uint64_t at = 0;
	const uint8_t *d = descriptor(m, &at);
	struct rec_register *r;
	uint32_t rsrc1, rsrc2, properties;

	if (!d)
		return false;
	rsrc1 = elf_u32(d + KD_RSRC1);
	rsrc2 = elf_u32(d + KD_RSRC2);
	properties = elf_u16(d + KD_PROPERTIES);
	*entry = at + elf_u64(d + KD_ENTRY);
	g->header = (struct rec_bytes){ d, DESCRIPTOR };
	g->wave = properties & PROPERTY_WAVE32 ? 32 : 64;
	if (g->wave == 32 && !strcmp(m->o->isa, "gfx7"))
		return refuse(m, DIAG_BAD_HEADER, "waves of 32 lanes on a GPU that has none");
	if ((k->wave && k->wave != g->wave) || elf_u32(d + KD_GROUP) != k->group_size || elf_u32(d + KD_PRIVATE) != k->private_size)
		return refuse(m, DIAG_BAD_HEADER, "descriptor and metadata disagree about wave size, shared or private memory");
	if (elf_u16(d + KD_PRELOAD))
		return refuse(m, DIAG_BAD_HEADER, "kernel arguments preloaded into registers");
	r = arena_array(m->a, struct rec_register, 3);
	for (uint32_t i = 0; i < 3; i++)
		r[i] = (struct rec_register){ REC_SPACE_AMD_RSRC, i + 1, i == 0 ? rsrc1 : i == 1 ? rsrc2 : elf_u32(d + KD_RSRC3) };
	KNOWN_LIST(g->registers, r, 3);
	g->float_mode = known(rsrc1 >> 12 & 0xff, REC_FROM_HEADER);
	g->shared_bytes = known(k->group_size, REC_FROM_SOURCE);
	if (!k->dynamic_stack && !(properties & PROPERTY_DYNAMIC_STACK))
		g->scratch_lane_bytes = known(k->private_size, REC_FROM_SOURCE);
	return registers(m, rsrc2, properties);
}

/* ---- code and constants */
static bool code(struct make *m, uint64_t entry)
{
	struct elf *e = &m->o->elf;
	const struct elf_section *s = elf_at(e, entry, 4);
	struct rec_memory *mem;

	if (!s || !(s->flags & ELF_EXECUTE) || ((entry | s->address) & 3) || s->size > HSA_MAX_FILE || hsa_link_dynamic(e, s))
		return refuse(m, DIAG_BAD_HEADER, "its code is not in this object");
	if (!elf_work(e, s->size / BYTES_AT_ONCE))
		return false;
	m->g->code = (struct rec_bytes){ s->bytes, (uint32_t)s->size & ~3u };
	m->g->exec_size = m->g->code.size;
	m->g->entry = (uint32_t)(entry - s->address);
	m->g->address = known(s->address, REC_FROM_SOURCE);
	mem = arena_array(m->a, struct rec_memory, e->nsection);
	for (uint32_t i = 1; i < e->nsection; i++) {
		const struct elf_section *c = &e->section[i];
		uint32_t at = m->g->nmemory;

		if (c->type != ELF_PROGBITS || !(c->flags & ELF_ALLOC) || (c->flags & (ELF_WRITE | ELF_EXECUTE)) || !c->bytes ||
		    c->size > HSA_MAX_FILE || hsa_link_dynamic(e, c))
			continue;
		/* Each kernel has all constants, and what reads its record goes through their bytes. */
		if (!elf_work(e, at + c->size / BYTES_AT_ONCE))
			return false;
		for (; at && mem[at - 1].address > c->address; at--)
			mem[at] = mem[at - 1];
		mem[at] = (struct rec_memory){ c->address, c->bytes, (uint32_t)c->size };
		m->g->nmemory++;
	}
	m->g->memory = mem;
	return true;
}

/* ---- arguments: where the host finds them */
static bool arguments(struct make *m)
{
	const struct hsa_kernel *k = m->k;
	struct rec_binding *b = arena_array(m->a, struct rec_binding, k->narg + 1);
	struct rec_set *set = arena_new(m->a, struct rec_set);
	uint32_t n = 0, values = 0;

	for (uint32_t i = 0; i < k->narg; i++) {
		const struct rec_kernarg *arg = &k->arg[i];
		uint32_t end = arg->offset + arg->size;

		if (end > k->kernarg_size)
			return refuse(m, DIAG_BAD_RECORD, "an argument leaves the kernel argument segment");
		if (i && arg->size && arg->offset < k->arg[i - 1].offset + k->arg[i - 1].size)
			return refuse(m, DIAG_BAD_RECORD, "arguments overlap");
		if (arg->kind == REC_ARG_BY_VALUE)
			values = (end + 3) & ~3u;
		if (arg->kind != REC_ARG_GLOBAL_BUFFER)
			continue;
		if (arg->offset & 7)
			return refuse(m, DIAG_BAD_RECORD, "a pointer is not aligned");
		b[n++] = (struct rec_binding){ .binding = i + 1, .type = DESC_STORAGE_BUFFER, .count = 1, .offset = arg->offset,
			.stride = 8, .buffer_size = REC_NONE, .unsized = 1 };
	}
	set->size = k->kernarg_size;
	KNOWN_LIST(m->p->sets, set, 1);
	KNOWN_LIST(m->p->bindings, b, n);
	KNOWN_LIST(m->g->kernargs, k->arg, k->narg);
	m->p->push_size = known(values, REC_FROM_SOURCE);
	return true;
}

static void group(struct make *m)
{
	const struct hsa_kernel *k = m->k;

	if (!k->fixed_group && k->flat_size != 1)
		return;
	m->g->workgroup_x = known(k->fixed_group ? k->group[0] : 1, REC_FROM_SOURCE);
	m->g->workgroup_y = known(k->fixed_group ? k->group[1] : 1, REC_FROM_SOURCE);
	m->g->workgroup_z = known(k->fixed_group ? k->group[2] : 1, REC_FROM_SOURCE);
}

static const struct xl_pipeline_record *record(struct make *m, const char *file, uint32_t number)
{
	char why[160];
	uint64_t entry;

	m->p = arena_new(m->a, struct xl_pipeline_record);
	m->g = arena_new(m->a, struct xl_record_program);
	m->pool = arena_alloc(m->a, MAX_STRINGS);
	m->npool = 1;
	m->p->name = arena_printf(m->a, "%.*s", (int)m->k->name.n, m->k->name.v ? m->k->name.v : "");
	m->p->abi = "hsa";
	m->p->origin = (struct rec_origin){ .file = file, .number = number, .format = "amd-code-object",
		.producer = arena_printf(m->a, "code object V%u for %s", m->o->elf.abi_version + 2u, m->o->gpu) };
	m->p->nprogram = 1;
	m->p->program = m->g;
	m->g->pipeline = m->p;
	m->g->name = arena_printf(m->a, "%s.comp", m->p->name);
	m->g->isa = m->o->isa;
	m->g->cpu = m->o->cpu;
	m->g->stage = STAGE_COMPUTE;
	m->g->hw_stage = HW_CS;
	if (!header(m, &entry) || !code(m, entry) || !arguments(m))
		return NULL;
	group(m);
	m->p->strings = m->pool;
	m->p->nstrings = m->npool;
	if (!record_check(m->p, why, sizeof(why))) {
		refuse(m, DIAG_BAD_RECORD, why);
		return NULL;
	}
	return m->p;
}

static bool open_object(struct hsa_object *o, const uint8_t *v, size_t n, struct arena *a)
{
	struct elf *e = &o->elf;
	uint32_t i = 0;

	if (!elf_open(e, v, n, a))
		return false;
	if (e->machine != EM_AMDGPU || e->os_abi != OS_HSA)
		return elf_fault(e, "machine %u, OS %u: no AMD code object for HSA", e->machine, e->os_abi);
	if (!e->abi_version || e->abi_version > 4)
		return elf_fault(e, "code object version %u is not read", e->abi_version + 2u);
	while (i < CPUS && cpus[i].mach != (e->flags & 0xff))
		i++;
	if (i == CPUS)
		return elf_fault(e, "GPU number 0x%x is no guest of xlate", e->flags & 0xff);
	o->isa = cpus[i].isa;
	o->cpu = cpus[i].cpu;
	o->gpu = cpus[i].name;
	return hsa_link(e, a) && hsa_note_read(o, a);
}

const struct xl_pipeline_record *const *hsa_import(struct arena *a, const char *file, const uint8_t *v, size_t n, uint32_t *count,
						  struct diag_sink *diag)
{
	struct hsa_object *o = arena_new(a, struct hsa_object);
	const struct xl_pipeline_record **list;

	*count = 0;
	if (n > HSA_MAX_FILE) {
		diag_emit(diag, DIAG_BAD_RECORD, DIAG_NO_ADDR, "%zu bytes, more than %d", n, HSA_MAX_FILE);
		return NULL;
	}
	if (!open_object(o, v, n, a)) {
		diag_emit(diag, DIAG_BAD_RECORD, DIAG_NO_ADDR, "%s", o->elf.why);
		return NULL;
	}
	list = arena_array(a, const struct xl_pipeline_record *, o->nkernel + 1);
	file = arena_strdup(a, file);
	for (uint32_t i = 0; i < o->nkernel; i++) {
		struct make m = { .o = o, .k = &o->kernel[i], .a = a, .diag = diag };
		const struct xl_pipeline_record *p = record(&m, file, i);

		if (p)
			list[(*count)++] = p;
		if (o->elf.work == ELF_MAX_WORK) { /* the others are no cheaper */
			diag_emit(diag, DIAG_BAD_RECORD, DIAG_NO_ADDR, "%s", o->elf.why);
			break;
		}
	}
	return list;
}
