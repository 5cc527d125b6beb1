/* The lines before the first block: function, register files, markers, resources, interface. */
#include "parse.h"

#include <string.h>

static void parse_fn(struct parser *p)
{
	struct lex *l = &p->l;
	struct ir_fn *fn = p->fn;

	if (!lex_keyword(l, "fn"))
		lex_fail(l, "expected 'fn'");
	fn->name = lex_string(l);
	fn->stage = STAGE_COMPUTE;
	fn->wave = 32;
	while (!lex_end(l)) {
		const char *at = l->at;
		struct slice w = lex_need_word(l, "a header field");
		unsigned stage;
		if (text_find(text_stages, w.s, w.n, &stage))
			fn->stage = (uint8_t)stage;
		else if (lex_is(w, "wave"))
			fn->wave = (uint8_t)lex_number(l, "wave", 255);
		else if (lex_is(w, "workgroup"))
			for (unsigned i = 0; i < 3; i++)
				fn->workgroup[i] = (uint32_t)lex_number(l, "workgroup", UINT32_MAX);
		else if (lex_is(w, "shared"))
			fn->shared_bytes = (uint32_t)lex_number(l, "shared", UINT32_MAX);
		else if (lex_is(w, "scratch"))
			fn->scratch_bytes = (uint32_t)lex_number(l, "scratch", UINT32_MAX);
		else if (lex_is(w, "high"))
			fn->marker_high = (uint32_t)lex_number(l, "high", UINT32_MAX);
		else if (lex_is(w, "ssa"))
			fn->ssa = true;
		else if (lex_is(w, "structured"))
			fn->structured = true;
		else {
			l->at = at;
			lex_fail(l, "unknown header field");
		}
	}
	lex_eol(l);
}

enum { MAX_FILES = 256 };

static void parse_files(struct parser *p)
{
	const char **files = arena_array(p->fn->arena, const char *, MAX_FILES);
	unsigned n = 0;

	while (!lex_end(&p->l)) {
		if (n == MAX_FILES)
			lex_fail(&p->l, "too many register files");
		if (lex_char(&p->l, '-')) {
			n++;
			continue;
		}
		const char *at = p->l.at;
		char *s = lex_string(&p->l);
		if (strchr(s, '.') || (*s >= '0' && *s <= '9')) {
			p->l.at = at;
			lex_fail(&p->l, "a register file's name has no dot and starts with a letter");
		}
		files[n++] = s;
	}
	p->fn->files = files;
}

/* "vgpr.5" or "1.5" */
static bool parse_register(struct parser *p, struct slice w, unsigned *file, unsigned *index)
{
	const char *dot = memchr(w.s, '.', w.n);
	uint64_t number;

	if (!dot || !lex_parse_u64((struct slice){ dot + 1, w.n - (size_t)(dot + 1 - w.s) }, &number) || number > 65535)
		return false;
	*index = (unsigned)number;
	struct slice name = { w.s, (size_t)(dot - w.s) };
	for (unsigned i = 0; p->fn->files && i < MAX_FILES; i++)
		if (p->fn->files[i] && lex_is(name, p->fn->files[i])) {
			*file = i;
			return true;
		}
	if (!lex_parse_u64(name, &number) || number >= MAX_FILES)
		return false;
	*file = (unsigned)number;
	return true;
}

static void parse_marker(struct parser *p)
{
	struct lex *l = &p->l;
	unsigned file = 0, index = 0;
	struct slice w;
	uint64_t n;

	lex_need(l, '$');
	const char *at = l->at;
	w = lex_need_word(l, "a marker");
	lex_need(l, ':');
	ir_type t = parse_type(p);
	if (lex_parse_u64(w, &n)) {
		if (n != p->fn->nmarker) {
			l->at = at;
			lex_fail(l, "marker number out of sequence");
		}
		at = l->at;
		if (!lex_end(l) && !parse_register(p, lex_need_word(l, "a register"), &file, &index)) {
			l->at = at;
			lex_fail(l, "unknown register");
		}
	} else if (!parse_register(p, w, &file, &index)) {
		l->at = at;
		lex_fail(l, "unknown register");
	}
	if (!names_add(l->arena, &p->markers, w, p->fn->nmarker))
		lex_fail(l, "marker declared twice");
	ir_marker_new(p->fn, t, file, index);
}

static void parse_data(struct parser *p, struct ir_resource *r)
{
	struct lex *l = &p->l;
	const char *at = l->at;
	const char *hex = lex_string(l);
	size_t n = strlen(hex);

	if (n != (size_t)r->size * 2) {
		l->at = at;
		lex_fail(l, "data needs two digits per byte of 'size', which stands before it");
	}
	uint8_t *data = arena_alloc(l->arena, r->size ? r->size : 1);
	for (size_t i = 0; i < r->size; i++) {
		uint64_t v = 0;
		char byte[4] = { '0', 'x', hex[2 * i], hex[2 * i + 1] };
		if (!lex_parse_u64((struct slice){ byte, 4 }, &v)) {
			l->at = at;
			lex_fail(l, "data is not hexadecimal");
		}
		data[i] = (uint8_t)v;
	}
	r->data = data;
}

static void parse_resource(struct parser *p)
{
	struct lex *l = &p->l;
	struct ir_resource r = { .count = 1 };

	r.kind = (uint8_t)parse_name(p, text_res_kinds, "resource kind");
	while (!lex_end(l)) {
		const char *at = l->at;
		struct slice w = lex_need_word(l, "a resource field");
		if (lex_is(w, "set"))
			r.set = (uint32_t)lex_number(l, "set", UINT32_MAX);
		else if (lex_is(w, "binding"))
			r.binding = (uint32_t)lex_number(l, "binding", UINT32_MAX);
		else if (lex_is(w, "count"))
			r.count = (uint32_t)lex_number(l, "count", UINT32_MAX);
		else if (lex_is(w, "dim"))
			r.dim = (uint8_t)parse_name(p, text_dims, "dimension");
		else if (lex_is(w, "arrayed"))
			r.arrayed = (uint8_t)lex_number(l, "arrayed", 255);
		else if (lex_is(w, "ms"))
			r.ms = (uint8_t)lex_number(l, "ms", 255);
		else if (lex_is(w, "depth"))
			r.depth = (uint8_t)lex_number(l, "depth", 255);
		else if (lex_is(w, "numeric"))
			r.numeric = (uint8_t)parse_name(p, text_numerics, "numeric kind");
		else if (lex_is(w, "attachment"))
			r.attachment = (uint16_t)lex_number(l, "attachment", 65535);
		else if (lex_is(w, "format"))
			r.format = (uint16_t)lex_number(l, "format", 65535);
		else if (lex_is(w, "size"))
			r.size = (uint32_t)lex_number(l, "size", UINT32_MAX);
		else if (lex_is(w, "read"))
			r.read = true;
		else if (lex_is(w, "written"))
			r.written = true;
		else if (lex_is(w, "nonuniform"))
			r.nonuniform = true;
		else if (lex_is(w, "coherent"))
			r.coherent = true;
		else if (lex_is(w, "path"))
			r.path = lex_string(l);
		else if (lex_is(w, "data"))
			parse_data(p, &r);
		else {
			l->at = at;
			lex_fail(l, "unknown resource field");
		}
	}
	/* not ir_resource_new: entries that it would join must keep their numbers, and joining compares all pairs */
	p->fn->res = arena_grow(l->arena, p->fn->res, p->fn->nres, &p->fn->res_cap, p->fn->nres + 1u, sizeof r);
	p->fn->res[p->fn->nres++] = r;
}

static void parse_iface(struct parser *p, bool output)
{
	struct lex *l = &p->l;
	struct ir_iface f = { .output = output };

	f.base = (uint8_t)ir_base(parse_type(p));
	while (!lex_end(l)) {
		const char *at = l->at;
		struct slice w = lex_need_word(l, "an interface field");
		if (lex_is(w, "builtin"))
			f.builtin = (uint8_t)parse_name(p, text_sysvals, "builtin");
		else if (lex_is(w, "comps"))
			f.comps = (uint8_t)lex_number(l, "comps", 255);
		else if (lex_is(w, "location"))
			f.location = (uint16_t)lex_number(l, "location", 65535);
		else if (lex_is(w, "index"))
			f.index = (uint16_t)lex_number(l, "index", 65535);
		else if (lex_is(w, "elems"))
			f.elems = (uint16_t)lex_number(l, "elems", 65535);
		else if (lex_is(w, "sign"))
			f.sign = (uint8_t)lex_number(l, "sign", 255);
		else if (lex_is(w, "interp"))
			f.interp = (uint8_t)parse_name(p, text_interps, "interpolation");
		else if (lex_is(w, "at"))
			f.at = (uint8_t)parse_name(p, text_interp_ats, "interpolation place");
		else if (lex_is(w, "made"))
			f.made = (uint8_t)parse_name(p, text_mades, "what is made");
		else if (lex_is(w, "from"))
			f.from = (uint16_t)lex_number(l, "from", 65535);
		else if (lex_is(w, "capture"))
			f.capture = (uint8_t)lex_number(l, "capture", 255);
		else if (lex_is(w, "capture_at"))
			f.capture_at = (uint16_t)lex_number(l, "capture_at", 65535);
		else if (lex_is(w, "capture_stride"))
			f.capture_stride = (uint16_t)lex_number(l, "capture_stride", 65535);
		else {
			l->at = at;
			lex_fail(l, "unknown interface field");
		}
	}
	p->fn->iface = arena_grow(l->arena, p->fn->iface, p->fn->niface, &p->fn->iface_cap, p->fn->niface + 1u, sizeof f);
	p->fn->iface[p->fn->niface++] = f;
}

void parse_header(struct parser *p)
{
	struct lex *l = &p->l;

	parse_fn(p);
	for (;;) {
		if (lex_keyword(l, "files"))
			parse_files(p);
		else if (lex_keyword(l, "marker"))
			parse_marker(p);
		else if (lex_keyword(l, "res"))
			parse_resource(p);
		else if (lex_keyword(l, "in"))
			parse_iface(p, false);
		else if (lex_keyword(l, "out"))
			parse_iface(p, true);
		else
			break;
		lex_eol(l);
	}
}
