/* xlate_show.c - a record as JSON: every fact with its provenance, every list by column name. */
#include "xlate_int.h"

#include <stdlib.h>

struct out { struct buf b; int first; };

static void raw(struct out *o, const char *s)
{
	buf_put(&o->b, s, strlen(s));
}

static void comma(struct out *o)
{
	if (!o->first)
		raw(o, ",");
	o->first = 0;
}

static void number(struct out *o, uint64_t v)
{
	char text[24];
	unsigned n = sizeof(text);

	text[--n] = 0;
	do {
		text[--n] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	raw(o, text + n);
}

static void string(struct out *o, const char *s)
{
	static const char digits[] = "0123456789abcdef";

	raw(o, "\"");
	for (; s && *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			raw(o, "\\");
		if (c < 0x20) {
			char esc[7] = { '\\', 'u', '0', '0', digits[c >> 4], digits[c & 15], 0 };

			raw(o, esc);
		} else {
			buf_u8(&o->b, c);
		}
	}
	raw(o, "\"");
}

static void key(struct out *o, const char *name)
{
	comma(o);
	string(o, name);
	raw(o, ":");
}

static void bytes(struct out *o, const char *name, struct rec_bytes b)
{
	static const char digits[] = "0123456789abcdef";

	key(o, name);
	raw(o, "\"");
	for (uint32_t i = 0; i < b.size; i++) {
		buf_u8(&o->b, (uint8_t)digits[b.v[i] >> 4]);
		buf_u8(&o->b, (uint8_t)digits[b.v[i] & 15]);
	}
	raw(o, "\"");
}

static void fact(struct out *o, const char *name, struct rec_fact f)
{
	static const char *const from[REC_FROM_COUNT] = { "none", "source", "header", "state", "code", "user" };

	if (f.known == REC_UNRECORDED)
		return;
	key(o, name);
	raw(o, "{\"value\":");
	if (f.known == REC_KNOWN)
		number(o, f.v);
	else
		raw(o, "null");
	raw(o, ",\"from\":");
	string(o, from[f.from]);
	raw(o, "}");
}

static void rows(struct out *o, const struct xl_pipeline_record *r, const char *name, const uint32_t *v, uint32_t n,
		 const char *const *columns, unsigned ncolumn, uint8_t known)
{
	if (known == REC_UNRECORDED)
		return;
	key(o, name);
	raw(o, "[");
	for (uint32_t i = 0; i < n; i++) {
		raw(o, i ? ",{" : "{");
		o->first = 1;
		for (unsigned c = 0; c < ncolumn; c++, v++) {
			size_t len = strlen(columns[c]);

			if (len > 4 && !strcmp(columns[c] + len - 4, "_str")) {
				key(o, "name");
				string(o, record_str(r, *v));
				continue;
			}
			key(o, columns[c]);
			if (*v == REC_NONE)
				raw(o, "null");
			else
				number(o, *v);
		}
		raw(o, "}");
	}
	raw(o, "]");
	o->first = 0;
}

#define C(name, max, none) #name,
#define ROWS(o, r, owner, field, columns) do { \
		static const char *const names[] = { columns(C) }; \
		rows(o, r, #field, (const uint32_t *)(owner)->field.v, (owner)->field.n, names, \
		     sizeof(names) / sizeof(names[0]), (owner)->field.known); \
	} while (0)

static void program(struct out *o, const struct xl_pipeline_record *r, const struct xl_record_program *p, int code)
{
	static const char *const hw[HW_COUNT] = { "unknown", "none", "LS", "HS", "ES", "GS", "VS", "PS", "CS", "NGG", "COPY" };
	char hex[33];

	hash_text(&p->key, hex);
	raw(o, "{");
	o->first = 1;
	key(o, "name"), string(o, p->name);
	key(o, "key"), string(o, hex);
	key(o, "isa"), string(o, p->isa);
	key(o, "cpu"), string(o, p->cpu);
	key(o, "stage"), string(o, record_stage_name(p->stage));
	key(o, "hardware_stage"), string(o, hw[p->hw_stage]);
	key(o, "wave"), number(o, p->wave);
	key(o, "code_size"), number(o, p->code.size);
	key(o, "exec_size"), number(o, p->exec_size);
	key(o, "entry"), number(o, p->entry);
	key(o, "data_size"), number(o, p->data.size);
	bytes(o, "header", p->header);
	if (code) {
		bytes(o, "code", p->code);
		bytes(o, "data", p->data);
	}
	fact(o, "address", p->address);
#define PROGRAM_FACT(field, jkey, max, what) fact(o, #field, p->field);
#include "record.def"
#define PROGRAM_LIST(field, row, columns, most) ROWS(o, r, p, field, columns);
#include "record.def"
	raw(o, "}");
}

char *xl_record_json(const struct xl_record *record, int code)
{
	const struct xl_pipeline_record *r = record->pipeline;
	struct out o = { .first = 1 };

	raw(&o, "{");
	key(&o, "name"), string(&o, r->name);
	key(&o, "abi"), string(&o, r->abi);
	key(&o, "origin"), raw(&o, "{\"file\":"), string(&o, r->origin.file);
	raw(&o, ",\"format\":"), string(&o, r->origin.format);
	raw(&o, ",\"producer\":"), string(&o, r->origin.producer), raw(&o, "}");
#define PIPELINE_FACT(field, jkey, max, what) fact(&o, #field, r->field);
#include "record.def"
#define PIPELINE_LIST(field, row, columns, most) ROWS(&o, r, r, field, columns);
#include "record.def"
	key(&o, "programs"), raw(&o, "[");
	for (uint32_t i = 0; i < r->nprogram; i++) {
		if (i)
			raw(&o, ",");
		program(&o, r, &r->program[i], code);
	}
	raw(&o, "]}");
	buf_u8(&o.b, 0);
	if (o.b.bad) {
		buf_free(&o.b);
		return NULL;
	}
	return (char *)o.b.v;
}
