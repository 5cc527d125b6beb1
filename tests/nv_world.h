/* nv_world.h - what a recorded NVIDIA compute program sees when the evaluator runs it: its constant banks and
 * descriptors as the
 * record lays them out, its buffers at addresses of our choice, filled from the executor's recorded inputs.
 * For lift_nv_test.c alone.
 */
#ifndef NV_WORLD_H
#define NV_WORLD_H

#include "../ir/eval.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BUFFERS = 64, GROUPS_X = 2, GROUPS_Y = 2 };
static const uint64_t BUFFER_BASE = 0x100000000000, BUFFER_STEP = 0x100000000, TABLE_BASE = 0x200000000000;

struct buffer {
	uint32_t set, binding, elem, size;
	bool uniform;
	uint8_t *data;
};

struct world { /* what the program sees */
	const struct facts *facts;
	bool sm86;
	struct buffer buffer[MAX_BUFFERS];
	unsigned nbuffer;
	uint8_t push[256];
	char why[160];
};

/* ---- the executor's files: "VKXI1" or "VKXO1", then records {kind[8], set, binding, element, format, w, h, bytes,
 * x} */
struct rec {
	char kind[8];
	uint32_t h[8];
	const uint8_t *data;
};

static bool next_record(const uint8_t *p, size_t size, size_t *at, struct rec *r)
{
	if (size - *at < 40)
		return false;
	memcpy(r->kind, p + *at, 8);
	memcpy(r->h, p + *at + 8, 32);
	*at += 40;
	if (size - *at < r->h[6])
		return false;
	r->data = p + *at;
	*at += r->h[6];
	return true;
}

static struct buffer *find_buffer(struct world *w, uint32_t set, uint32_t binding, uint32_t elem)
{
	for (unsigned i = 0; i < w->nbuffer; i++)
		if (w->buffer[i].set == set && w->buffer[i].binding == binding && w->buffer[i].elem == elem)
			return &w->buffer[i];
	return NULL;
}

static bool load_inputs(struct world *w, const uint8_t *p, size_t size)
{
	struct rec r;
	size_t at = 8;

	while (next_record(p, size, &at, &r)) {
		bool uniform = !strcmp(r.kind, "ubo");

		if (!strcmp(r.kind, "push"))
			memcpy(w->push, r.data, r.h[6] < sizeof w->push ? r.h[6] : sizeof w->push);
		if ((uniform || !strcmp(r.kind, "ssbo")) && w->nbuffer < MAX_BUFFERS) {
			struct buffer *b = &w->buffer[w->nbuffer++];
			*b = (struct buffer){r.h[0], r.h[1], r.h[2], r.h[6], uniform, malloc(r.h[6] + 16u)};
			memcpy(b->data, r.data, r.h[6]);
		}
	}
	return at == size;
}

/* ---- tables and memory */
static uint64_t address_of(const struct world *w, const struct buffer *b)
{
	return BUFFER_BASE + (uint64_t)(b - w->buffer) * BUFFER_STEP;
}

static void descriptor(const struct world *w, const struct buffer *b, uint32_t out[4])
{
	uint64_t a = address_of(w, b);

	if (b->uniform && w->sm86) {
		uint64_t v = a >> 4 | (uint64_t)((b->size + 63u) / 64 * 4) << 45;
		out[0] = (uint32_t)v;
		out[1] = (uint32_t)(v >> 32);
		out[2] = out[3] = 0;
		return;
	}
	out[0] = (uint32_t)a;
	out[1] = (uint32_t)(a >> 32);
	out[2] = b->size;
	out[3] = 0;
}

/* One byte of a table. */
static bool table_byte(struct world *w, uint32_t table, uint32_t off, uint8_t *out)
{
	const struct fact_table *t = &w->facts->table[table];

	for (uint32_t i = 0; i < t->nentry; i++) {
		const struct fact_entry *e = &t->entry[i];
		uint32_t rel = off - e->offset, stride = e->stride ? e->stride : e->size, words[4] = {0};
		uint64_t address;
		struct buffer *b;

		if (off < e->offset || rel >= e->size)
			continue;
		switch (e->kind) {
		case ENTRY_PUSH: *out = w->push[(e->base + rel) % sizeof w->push]; return true;
		case ENTRY_DATA: *out = e->data[rel]; return true;
		case ENTRY_SYSVAL:
			words[0] = e->sysval == SYSVAL_num_workgroups ? (rel < 4 ? GROUPS_X : rel < 8 ? GROUPS_Y : 1) : 0;
			*out = ((uint8_t *)words)[rel & 3];
			return true;
		case ENTRY_POINTER:
			address = TABLE_BASE + e->table * BUFFER_STEP;
			*out = (uint8_t)(address >> 8 * (rel % 8));
			return true;
		case ENTRY_DESC:
			b = find_buffer(w, e->set, e->binding, rel / stride);
			if (!b)
				continue;
			descriptor(w, b, words);
			*out = rel % stride < 16 ? ((uint8_t *)words)[rel % stride] : 0;
			return true;
		default: continue;
		}
	}
	snprintf(w->why, sizeof w->why, "table %u has nothing at %u", table, off);
	return false;
}

static uint8_t *memory(struct world *w, uint64_t address, uint32_t size)
{
	uint64_t i = (address - BUFFER_BASE) / BUFFER_STEP, off = (address - BUFFER_BASE) % BUFFER_STEP;

	if (address < BUFFER_BASE || i >= w->nbuffer || off + size > w->buffer[i].size) {
		snprintf(w->why, sizeof w->why, "no memory at 0x%llx", (unsigned long long)address);
		return NULL;
	}
	return w->buffer[i].data + off;
}

static struct buffer *by_handle(struct world *w, const struct eval_access *a, unsigned n)
{
	const uint64_t *h = a->args[n];
	const struct ir_inst *in = &a->fn->inst[h[0] < a->fn->ninst ? h[0] : 0];

	if (in->op != IR_hbuf) { /* bind: resource and element */
		const struct ir_resource *r = &a->fn->res[h[0]];
		return find_buffer(w, r->set, r->binding, (uint32_t)h[1]);
	}
	for (unsigned i = 0; i < w->nbuffer; i++) {
		uint32_t words[4];
		uint64_t hash = 0;

		descriptor(w, &w->buffer[i], words);
		for (unsigned k = 0; k < 4; k++)
			hash = (hash ^ (k < 2 ? words[k] : 0)) * 0x9e3779b97f4a7c15ull;
		if (hash == h[1])
			return &w->buffer[i];
	}
	return NULL;
}

static ir_id operand(const struct eval_access *a, unsigned n)
{
	const struct ir_inst *in = &a->fn->inst[a->inst];

	return in->nargs8 == 255 ? in->x.ext[n] : in->a[n];
}

static bool is_bind(const struct eval_access *a, unsigned n) /* of a binding whose value is not a buffer */
{
	return a->fn->inst[operand(a, n)].op == IR_bind;
}

/* Where an access goes: bytes to read into or write from. Tables are copied into `copy`. */
static uint8_t *target(struct world *w, const struct eval_access *a, uint32_t size, uint8_t *copy)
{
	const struct ir_inst *in = &a->fn->inst[a->inst];
	struct buffer *b;

	switch (in->op) {
	case IR_ldtab:
		for (uint32_t i = 0; i < size; i++)
			if (!table_byte(w, in->sub, (uint32_t)a->offset + i, &copy[i]))
				return NULL;
		return copy;
	case IR_ldptr:
	case IR_stptr:
	case IR_atptr:
		if (a->offset >= TABLE_BASE) {
			for (uint32_t i = 0; i < size; i++)
				if (!table_byte(w, (uint32_t)((a->offset - TABLE_BASE) / BUFFER_STEP), (uint32_t)a->offset + i,
					&copy[i]))
					return NULL;
			return copy;
		}
		return memory(w, a->offset, size);
	default:
		if (is_bind(a, 1)) {
			const struct ir_resource *r = &a->fn->res[a->args[1][0]];
			if (r->kind == RES_PUSH)
				return w->push + a->offset % sizeof w->push;
			if (r->kind == RES_CONST_DATA)
				return a->offset + size <= r->size ? memcpy(copy, r->data + a->offset, size) : NULL;
		}
		b = by_handle(w, a, 1);
		if (!b) {
			snprintf(w->why, sizeof w->why, "unknown buffer");
			return NULL;
		}
		if ((uint32_t)a->offset + size > b->size) {
			memset(copy, 0, size);
			return copy;
		}
		return b->data + (uint32_t)a->offset;
	}
}

static bool io_load(void *user, const struct eval_access *a, uint64_t *out)
{
	const struct ir_inst *in = &a->fn->inst[a->inst];
	uint32_t bytes = ir_bits(in->type) / 8, n = ir_elems(in->type);
	uint8_t copy[64], *p;

	if (in->op != IR_ldtab && in->op != IR_ldptr && in->op != IR_ldbuf)
		return false;
	p = target(user, a, bytes * n, copy);
	for (uint32_t i = 0; p && i < n; i++) {
		out[i] = 0;
		memcpy(&out[i], p + i * bytes, bytes);
	}
	return p != NULL;
}

static bool io_store(void *user, const struct eval_access *a, const uint64_t *value)
{
	const struct ir_inst *in = &a->fn->inst[a->inst];
	ir_type t;
	uint8_t copy[64], *p;

	if (in->op != IR_stptr && in->op != IR_stbuf)
		return false;
	t = a->fn->inst[operand(a, a->nargs - 1)].type;
	p = target(user, a, ir_bits(t) / 8 * ir_elems(t), copy);
	for (uint32_t i = 0; p && i < ir_elems(t); i++)
		memcpy(p + i * ir_bits(t) / 8, &value[i], ir_bits(t) / 8);
	return p != NULL;
}

static bool io_atomic(void *user, const struct eval_access *a, uint64_t *old)
{
	const struct ir_inst *in = &a->fn->inst[a->inst];
	unsigned first = in->op == IR_atptr ? 2 : 4, bits = ir_bits(in->type);
	uint64_t replace, value;
	uint8_t copy[64], *p;

	if (in->op != IR_atptr && in->op != IR_atbuf)
		return false;
	p = target(user, a, bits / 8, copy);
	if (!p)
		return false;
	*old = 0;
	memcpy(old, p, bits / 8);
	replace = a->nargs > first + 1 && a->args[first + 1] ? *a->args[first + 1] : 0;
	value = eval_atomic(in->sub, bits, ir_is_float(in->type), *old, *a->args[first], replace);
	memcpy(p, &value, bits / 8);
	return true;
}

#endif
