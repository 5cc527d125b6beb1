/* json.c - the pipeline's part of a record file: layout, state, images, and the list of programs. */
#include "json_util.h"

#include <string.h>

static const char *const desc_names[REC_DESC_COUNT] = { [DESC_SAMPLER] = "sampler",
	[DESC_COMBINED] = "combined_image_sampler", [DESC_SAMPLED_IMAGE] = "sampled_image",
	[DESC_STORAGE_IMAGE] = "storage_image", [DESC_UNIFORM_TEXEL] = "uniform_texel_buffer",
	[DESC_STORAGE_TEXEL] = "storage_texel_buffer", [DESC_UNIFORM_BUFFER] = "uniform_buffer",
	[DESC_STORAGE_BUFFER] = "storage_buffer", [DESC_INPUT_ATTACHMENT] = "input_attachment",
	[REC_DESC_ACCEL] = "acceleration_structure", [REC_DESC_INLINE_BLOCK] = "inline_uniform_block" };
static const char *const dim_names[DIM_UNKNOWN] = { [DIM_1D] = "1d", [DIM_2D] = "2d", [DIM_3D] = "3d", [DIM_CUBE] = "cube",
	[DIM_BUFFER] = "buffer", [DIM_SUBPASS] = "subpass" };
static const char *const numeric_names[NUMERIC_UNKNOWN] = { [NUMERIC_FLOAT] = "float", [NUMERIC_SINT] = "sint",
	[NUMERIC_UINT] = "uint" };
/* In SPIR-V's order (ImageFormat 1 and up), spelt as GLSL's layout qualifiers. */
static const char *const format_names[] = { NULL, "rgba32f", "rgba16f", "r32f", "rgba8", "rgba8_snorm", "rg32f", "rg16f",
	"r11f_g11f_b10f", "r16f", "rgba16", "rgb10_a2", "rg16", "rg8", "r16", "r8", "rgba16_snorm", "rg16_snorm",
	"rg8_snorm", "r16_snorm", "r8_snorm", "rgba32i", "rgba16i", "rgba8i", "r32i", "rg32i", "rg16i", "rg8i", "r16i", "r8i",
	"rgba32ui", "rgba16ui", "rgba8ui", "r32ui", "rgb10_a2ui", "rg32ui", "rg16ui", "rg8ui", "r16ui", "r8ui", "r64ui",
	"r64i" };
enum { FORMATS = sizeof(format_names) / sizeof(format_names[0]) };

#define KNOWN_LIST(list, rows, count) ((list).v = (rows), (list).n = (count), (list).known = REC_KNOWN, \
	(list).from = REC_FROM_SOURCE)

static void image(struct json_in *in, const cJSON *o, uint32_t key, uint32_t set, uint32_t binding, struct rec_image *m)
{
	const char *format = json_text(in, o, "format", 32), *dim = json_text(in, o, "dim", 16);
	const char *numeric = json_text(in, o, "numeric", 16);

	m->key = key;
	m->a = set;
	m->b = binding;
	/* "rect": by coordinates that count texels. Only instructions say so; the image is one of two dimensions. */
	m->dim = dim && !strcmp(dim, "rect") ? DIM_2D : json_choice(dim, dim_names, DIM_UNKNOWN);
	m->arrayed = (uint32_t)json_num(in, o, "arrayed", 1, 2);
	m->ms = (uint32_t)json_num(in, o, "ms", 1, 2);
	m->depth = (uint32_t)json_num(in, o, "depth", 2, 2);
	m->numeric = json_choice(numeric, numeric_names, NUMERIC_UNKNOWN);
	m->format = json_choice(format, format_names, FORMATS);
	if (m->format == FORMATS) {
		if (format)
			json_fault(in, DIAG_BAD_RECORD, "set %u binding %u: unknown image format %s", set, binding, format);
		m->format = 0;
	}
}

static void binding(struct json_in *in, const cJSON *o, uint32_t set, struct rec_binding *b)
{
	const char *type = json_text(in, o, "type", 64);

	b->set = set;
	b->binding = (uint32_t)json_num(in, o, "binding", 1 << 20, 0);
	b->type = json_choice(type, desc_names, REC_DESC_COUNT);
	if (b->type == REC_DESC_COUNT)
		json_fault(in, DIAG_BAD_RECORD, "set %u binding %u: unknown type %s", set, b->binding, type ? type : "(none)");
	b->count = (uint32_t)json_num(in, o, "count", 1 << 20, 1);
	b->offset = (uint32_t)json_num(in, o, "offset", 1 << 28, 0);
	b->stride = (uint32_t)json_num(in, o, "stride", 1 << 16, 0);
	b->sampler_at = (uint32_t)json_num(in, o, "sampler_at", 1 << 16, 0);
	b->buffer_size = (uint32_t)json_num(in, o, "buffer_size", REC_NONE - 1, REC_NONE);
	b->unsized = (uint32_t)json_num(in, o, "unsized", 1, 0);
}

/* `images` of a set without bindings: {"offset": 64, "dim": "2d", ...}, what is known of those whose descriptors start there. */
static struct rec_image *images_at(struct json_in *in, const cJSON *o, uint32_t set, struct rec_image *img, uint32_t *n, size_t *cap)
{
	uint32_t count;
	const cJSON *list = json_list(in, o, "images", 4096, &count);

	for (const cJSON *e = list ? list->child : NULL; e && !in->bad; e = e->next) {
		if (*n == 4096) {
			json_fault(in, DIAG_BAD_RECORD, "more than 4096 images");
			break;
		}
		img = arena_grow(in->a, img, *n, cap, *n + 1, sizeof(*img));
		memset(&img[*n], 0, sizeof(*img));
		image(in, e, REC_KEY_BANK_OFFSET, set, (uint32_t)json_num(in, e, "offset", 1 << 28, 0), &img[*n]);
		if (cJSON_GetObjectItemCaseSensitive(e, "behind"))
			img[*n].c = 1 + (uint32_t)json_num(in, e, "behind", 1 << 28, 0);
		(*n)++;
	}
	return img;
}

/* Sets and their bindings; images are kept by location, as this source knows them. */
static void sets(struct json_in *in, const cJSON *root)
{
	uint32_t nset, nbind, total = 0, nimage = 0;
	const cJSON *list = json_list(in, root, "sets", 64, &nset), *e, *b;
	struct rec_set *set = arena_array(in->a, struct rec_set, nset);
	struct rec_binding *bind = NULL;
	struct rec_image *img = NULL;
	struct rec_attachment *att = NULL;
	size_t bind_cap = 0, img_cap = 0, att_cap = 0;
	uint32_t natt = 0;

	if (!list)
		return;
	nset = 0;
	for (e = list->child; e && !in->bad; e = e->next, nset++) {
		const cJSON *bs = json_list(in, e, "bindings", 4096, &nbind);

		set[nset].set = (uint32_t)json_num(in, e, "set", 31, 0);
		set[nset].size = (uint32_t)json_num(in, e, "size", 1 << 28, 0);
		for (b = bs ? bs->child : NULL; b && !in->bad; b = b->next) {
			const cJSON *m = cJSON_GetObjectItemCaseSensitive(b, "image");

			if (total == 4096) {
				json_fault(in, DIAG_BAD_RECORD, "more than 4096 bindings");
				return;
			}
			bind = arena_grow(in->a, bind, total, &bind_cap, total + 1, sizeof(*bind));
			binding(in, b, set[nset].set, &bind[total++]);
			if (cJSON_GetObjectItemCaseSensitive(b, "input_attachment_index")) {
				att = arena_grow(in->a, att, natt, &att_cap, natt + 1, sizeof(*att));
				att[natt++] = (struct rec_attachment){ bind[total - 1].set, bind[total - 1].binding,
					(uint32_t)json_num(in, b, "input_attachment_index", 255, 0) };
			}
			if (!cJSON_IsObject(m))
				continue;
			img = arena_grow(in->a, img, nimage, &img_cap, nimage + 1, sizeof(*img));
			memset(&img[nimage], 0, sizeof(*img));
			image(in, m, REC_KEY_SET_BINDING, bind[total - 1].set, bind[total - 1].binding, &img[nimage++]);
		}
		img = images_at(in, e, set[nset].set, img, &nimage, &img_cap);
	}
	KNOWN_LIST(in->pipeline->sets, set, nset);
	KNOWN_LIST(in->pipeline->bindings, bind, total);
	KNOWN_LIST(in->pipeline->images, img, nimage);
	if (natt)
		KNOWN_LIST(in->pipeline->attachments, att, natt);
}

/* How attachments are blended, in their order, and what is set while drawing. */
static void output_state(struct json_in *in, const cJSON *root)
{
	struct xl_pipeline_record *p = in->pipeline;
	uint32_t n, i = 0;
	const cJSON *list = json_list(in, root, "blend", 16, &n), *e;

	if (list) {
		struct rec_blend *b = arena_array(in->a, struct rec_blend, n);

		for (e = list->child; e; e = e->next, i++) {
			b[i].target = (uint32_t)json_num(in, e, "target", 15, i);
#define BLEND(field, most, or) b[i].field = (uint32_t)json_num(in, e, #field, most, or);
			BLEND(enable, 1, 0)
			BLEND(src_color, 18, 0)
			BLEND(dst_color, 18, 0)
			BLEND(color_op, 4, 0)
			BLEND(src_alpha, 18, 0)
			BLEND(dst_alpha, 18, 0)
			BLEND(alpha_op, 4, 0)
			BLEND(write_mask, 15, 15)
#undef BLEND
		}
		KNOWN_LIST(p->blends, b, n);
	}
	list = json_list(in, root, "dynamic_states", 64, &n);
	if (list) {
		struct rec_dynamic *d = arena_array(in->a, struct rec_dynamic, n);

		for (e = list->child, i = 0; e; e = e->next, i++)
			d[i].state = (uint32_t)json_value(in, e, "dynamic_states", UINT32_MAX);
		KNOWN_LIST(p->dynamics, d, n);
	}
}

static void state(struct json_in *in, const cJSON *root)
{
	struct xl_pipeline_record *p = in->pipeline;
	uint32_t n, i = 0;
	const cJSON *list, *e;

#define PIPELINE_FACT(field, key, max, what) p->field = json_fact(in, root, key, max);
#include "../record.def"
	list = json_list(in, root, "vertex_attributes", 64, &n);
	if (list) {
		struct rec_attrib *at = arena_array(in->a, struct rec_attrib, n);

		for (e = list->child; e; e = e->next, i++) {
			at[i].location = (uint32_t)json_num(in, e, "location", 255, 0);
			at[i].binding = (uint32_t)json_num(in, e, "binding", 255, 0);
			at[i].format = (uint32_t)json_num(in, e, "format", UINT32_MAX, 0);
			at[i].offset = (uint32_t)json_num(in, e, "offset", 1 << 20, 0);
			at[i].stride = (uint32_t)json_num(in, e, "stride", 1 << 20, 0);
			at[i].per_instance = (uint32_t)json_num(in, e, "per_instance", 1, 0);
		}
		KNOWN_LIST(p->attribs, at, n);
	}
	list = json_list(in, root, "color_formats", 16, &n);
	if (list) {
		struct rec_color *c = arena_array(in->a, struct rec_color, n);

		for (e = list->child, i = 0; e; e = e->next, i++) {
			c[i].target = i;
			c[i].format = (uint32_t)json_value(in, e, "color_formats", UINT32_MAX);
		}
		KNOWN_LIST(p->colors, c, n);
	}
	output_state(in, root);
}

/* A name becomes part of exported file names. */
static const char *record_name(struct json_in *in, const cJSON *root, const char *file)
{
	const char *name = json_text(in, root, "name", 200);

	if (in->bad)
		return NULL;
	if (!name) {
		const char *dot = strrchr(file, '.');

		name = arena_printf(in->a, "%.*s", (int)(dot && dot != file ? dot - file : (long)strlen(file)), file);
	}
	if (!*name || strchr(name, '/') || name[0] == '.') {
		json_fault(in, DIAG_BAD_RECORD, "name \"%s\" is empty, hidden or has a slash", name);
		return NULL;
	}
	return name;
}

/* Programs of one API stage: one, or a geometry program and its copy program, which is linked to it. */
static void link_program(struct json_in *in, struct xl_record_program *program, uint32_t i)
{
	for (uint32_t k = 0; k < i && !in->bad; k++) {
		struct xl_record_program *other = &program[k], *it = &program[i];
		struct rec_link *l;
		bool copy = it->hw_stage == HW_COPY;

		if (other->stage != it->stage)
			continue;
		if (copy == (other->hw_stage == HW_COPY)) {
			json_fault(in, DIAG_BAD_RECORD, "a second %s program", record_stage_name(it->stage));
			return;
		}
		l = arena_new(in->a, struct rec_link);
		*l = (struct rec_link){ ROLE_GS_COPY, copy ? i : k };
		if (copy)
			KNOWN_LIST(other->links, l, 1);
		else
			KNOWN_LIST(it->links, l, 1);
	}
}

static void programs(struct json_in *in, const cJSON *root, const struct json_reader *reader)
{
	struct xl_pipeline_record *p = in->pipeline;
	const char *isa = json_text(in, root, "isa", 31), *cpu = json_text(in, root, "cpu", 31);
	uint32_t n, i = 0;
	const cJSON *list = json_list(in, root, "executables", JSON_MAX_PROGRAMS, &n), *e;

	if (in->bad)
		return;
	if (!isa || !p->abi || !n) {
		json_fault(in, DIAG_BAD_RECORD, "no %s", !isa ? "isa" : !p->abi ? "abi" : "executables");
		return;
	}
	p->program = arena_array(in->a, struct xl_record_program, n);
	p->nprogram = n;
	for (e = list->child; e && !in->bad; e = e->next, i++) {
		p->program[i].pipeline = p;
		p->program[i].isa = isa;
		p->program[i].cpu = cpu ? cpu : isa;
		in->where = arena_printf(in->a, "executables[%u]", i);
		json_program(in, e, reader, &p->program[i]);
		link_program(in, p->program, i);
	}
	in->where = NULL;
}

static void pipeline(struct json_in *in, const cJSON *root, const char *file, const struct json_reader *reader)
{
	struct xl_pipeline_record *p = in->pipeline;
	const char *driver, *device;
	char why[200];

	if (!cJSON_IsObject(root)) {
		json_fault(in, DIAG_BAD_JSON, "the file is not a JSON object");
		return;
	}
	p->name = record_name(in, root, file);
	p->abi = json_text(in, root, "abi", 31);
	driver = json_text(in, root, "mesa", 64);
	device = json_text(in, root, "device", 128);
	p->origin.file = arena_strdup(in->a, file);
	p->origin.format = "record-json";
	p->origin.producer = arena_printf(in->a, "%s%s%s", device ? device : "", driver ? ", Mesa " : "", driver ? driver : "");
	json_pool(in, "");
	sets(in, root);
	state(in, root);
	programs(in, root, reader);
	p->strings = in->pool;
	p->nstrings = in->npool;
	if (!in->bad && !record_check(p, why, sizeof(why)))
		json_fault(in, DIAG_BAD_RECORD, "%s", why);
}

const struct xl_pipeline_record *json_import(struct arena *a, const char *file, const char *text, size_t size,
					     const struct json_reader *reader, struct diag_sink *sink)
{
	struct json_in in = { .a = a, .sink = sink };
	jmp_buf *volatile outer = a->oom, here;
	cJSON *volatile root = NULL;

	if (size > JSON_MAX_TEXT) {
		diag_emit(sink, DIAG_BAD_JSON, DIAG_NO_ADDR, "the file has %zu bytes, more than %d", size, JSON_MAX_TEXT);
		return NULL;
	}
	if (setjmp(here)) {
		cJSON_Delete(root);
		a->oom = outer;
		if (outer)
			longjmp(*outer, 1);
		diag_emit(sink, DIAG_OUT_OF_MEMORY, DIAG_NO_ADDR, "the record needs more than %zu bytes", a->limit);
		return NULL;
	}
	a->oom = &here;
	in.pipeline = arena_new(a, struct xl_pipeline_record);
	root = cJSON_ParseWithLength(text, size);
	if (root)
		pipeline(&in, root, file, reader);
	else
		json_fault(&in, DIAG_BAD_JSON, "not JSON");
	cJSON_Delete(root);
	a->oom = outer;
	return in.bad ? NULL : in.pipeline;
}
