/* load_json.c - reflections read: the JSON that a package has for each module, into plain structs. A reader of its own, as
 * the text is of one known shape: no escapes matter, numbers are whole. Names that are not known are stepped over. */
#include "load_int.h"

#include <stdlib.h>

enum { DEPTH = 8 };
struct in { const char *s; bool bad; };

static bool fail(struct in *in)
{
	in->bad = true;
	return false;
}

static void space(struct in *in)
{
	while (*in->s == ' ' || *in->s == '\n' || *in->s == '\t' || *in->s == '\r')
		in->s++;
}

static bool take(struct in *in, char c)
{
	space(in);
	if (in->bad || *in->s != c)
		return false;
	in->s++;
	return true;
}

static bool text(struct in *in, char *out, size_t cap)
{
	size_t n = 0;

	if (!take(in, '"'))
		return fail(in);
	while (in->s[n] && in->s[n] != '"' && in->s[n] != '\\')
		n++;
	if (cap)
		memcpy(out, in->s, n < cap ? n : cap - 1);
	in->s += n;
	for (; *in->s && *in->s != '"'; in->s++) {
		if (*in->s == '\\' && !*++in->s)
			return fail(in);
		if (n + 1 < cap)
			out[n++] = *in->s;
	}
	if (cap)
		out[n < cap ? n : cap - 1] = 0;
	return take(in, '"') || fail(in);
}

static uint32_t number(struct in *in)
{
	uint64_t v = 0;

	space(in);
	if (*in->s < '0' || *in->s > '9')
		fail(in);
	for (; *in->s >= '0' && *in->s <= '9' && !in->bad; in->s++) {
		v = v * 10 + (uint64_t)(*in->s - '0');
		if (v > UINT32_MAX)
			fail(in);
	}
	if (*in->s == '.' || *in->s == 'e' || *in->s == 'E')
		fail(in);
	return (uint32_t)v;
}

static void skip(struct in *in, unsigned depth)
{
	space(in);
	if (depth > DEPTH || in->bad) {
		fail(in);
	} else if (*in->s == '"') {
		text(in, NULL, 0);
	} else if (*in->s == '{' || *in->s == '[') {
		char end = *in->s == '{' ? '}' : ']';

		in->s++;
		if (take(in, end))
			return;
		do {
			if (end == '}' && (!text(in, NULL, 0) || !take(in, ':')))
				fail(in);
			skip(in, depth + 1);
		} while (!in->bad && take(in, ','));
		if (!take(in, end))
			fail(in);
	} else {
		size_t n = strcspn(in->s, ",]} \n\t\r");

		if (!n)
			fail(in);
		in->s += n;
	}
}

/* The next field of an object that was begun: its name. False at the end. */
static bool field(struct in *in, bool *first, char name[24])
{
	if (take(in, '}'))
		return false;
	if (!*first && !take(in, ','))
		return fail(in);
	*first = false;
	return (text(in, name, 24) && take(in, ':')) || fail(in);
}

static const struct { const char *name; VkDescriptorType type; } types[] = {
	{ "storage_buffer", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER }, { "uniform_buffer", VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER },
	{ "uniform_texel", VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER }, { "storage_texel", VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER },
	{ "sampled_image", VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE }, { "storage_image", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE },
	{ "sampler", VK_DESCRIPTOR_TYPE_SAMPLER }, { "combined", VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER },
	{ "input_attachment", VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT },
};

static void binding(struct in *in, struct load_iface *o)
{
	struct load_binding *b = &o->binding[o->nbinding];
	char name[24], value[24] = "";
	bool first = true, typed = false;

	if (o->nbinding == LOAD_BINDINGS || !take(in, '{')) {
		fail(in);
		return;
	}
	memset(b, 0, sizeof(*b));
	b->count = 1;
	b->stages = o->stage;
	while (field(in, &first, name)) {
		if (!strcmp(name, "set"))
			b->set = number(in);
		else if (!strcmp(name, "binding"))
			b->binding = number(in);
		else if (!strcmp(name, "count"))
			b->count = number(in);
		else if (!strcmp(name, "type"))
			text(in, value, sizeof(value));
		else
			skip(in, 1);
	}
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]) && !typed; i++) {
		typed = !strcmp(types[i].name, value);
		b->type = types[i].type;
	}
	if (!typed)
		fail(in);
	o->nbinding++;
}

static void slot(struct in *in, struct load_slot *s, uint32_t *n)
{
	char name[24], type[24] = "";
	bool first = true;

	if (*n == LOAD_SLOTS || !take(in, '{')) {
		fail(in);
		return;
	}
	s += (*n)++;
	memset(s, 0, sizeof(*s));
	while (field(in, &first, name)) {
		if (!strcmp(name, "location"))
			s->location = number(in);
		else if (!strcmp(name, "component"))
			s->component = number(in);
		else if (!strcmp(name, "components"))
			s->components = number(in);
		else if (!strcmp(name, "array"))
			s->array = number(in);
		else if (!strcmp(name, "type"))
			text(in, type, sizeof(type));
		else
			skip(in, 1);
	}
	s->type = !strcmp(type, "f32") ? 'f' : !strcmp(type, "i32") ? 'i' : !strcmp(type, "u32") ? 'u' : '?';
	if (s->component > 3 || s->components > 4)
		fail(in);
}

static void list(struct in *in, struct load_iface *o, char what)
{
	if (!take(in, '['))
		fail(in);
	if (take(in, ']'))
		return;
	do {
		if (what == 'b')
			binding(in, o);
		else if (what == 'i')
			slot(in, o->input, &o->ninput);
		else
			slot(in, o->output, &o->noutput);
	} while (!in->bad && take(in, ','));
	if (!take(in, ']'))
		fail(in);
}

static void workgroup(struct in *in, struct load_iface *o)
{
	bool ok = take(in, '[');

	for (int i = 0; i < 3 && ok; i++) {
		o->workgroup[i] = number(in);
		ok = take(in, i < 2 ? ',' : ']');
	}
	if (!ok)
		fail(in);
}

static void push(struct in *in, struct load_iface *o)
{
	char name[24];
	bool first = true;

	if (!take(in, '{'))
		fail(in);
	while (!in->bad && field(in, &first, name)) {
		if (!strcmp(name, "offset"))
			o->push_offset = number(in);
		else if (!strcmp(name, "size"))
			o->push_size = number(in);
		else
			skip(in, 1);
	}
}

static void stage(struct in *in, struct load_iface *o)
{
	static const struct { const char *name; VkShaderStageFlagBits bit; } stages[] = {
		{ "vertex", VK_SHADER_STAGE_VERTEX_BIT }, { "tess_ctrl", VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT },
		{ "tess_eval", VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT }, { "geometry", VK_SHADER_STAGE_GEOMETRY_BIT },
		{ "fragment", VK_SHADER_STAGE_FRAGMENT_BIT }, { "compute", VK_SHADER_STAGE_COMPUTE_BIT },
		{ "task", VK_SHADER_STAGE_TASK_BIT_EXT }, { "mesh", VK_SHADER_STAGE_MESH_BIT_EXT },
	};
	char name[24];

	if (!text(in, name, sizeof(name)))
		return;
	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
		if (!strcmp(stages[i].name, name))
			o->stage = stages[i].bit;
	}
	for (uint32_t i = 0; i < o->nbinding; i++)
		o->binding[i].stages = o->stage;
}

bool load_json_read(struct load_room *to, const char *s)
{
	struct load_iface *o = &to->iface;
	struct in in = { s, false };
	char name[24];
	bool first = true;

	*o = (struct load_iface){ .binding = to->binding, .input = to->input, .output = to->output };
	if (!take(&in, '{'))
		return false;
	while (!in.bad && field(&in, &first, name)) {
		if (!strcmp(name, "stage"))
			stage(&in, o);
		else if (!strcmp(name, "workgroup"))
			workgroup(&in, o);
		else if (!strcmp(name, "subgroup"))
			o->subgroup = number(&in);
		else if (!strcmp(name, "shared"))
			o->shared = number(&in);
		else if (!strcmp(name, "clip"))
			o->clip = number(&in);
		else if (!strcmp(name, "cull"))
			o->cull = number(&in);
		else if (!strcmp(name, "layer"))
			o->layer = number(&in) + 1;
		else if (!strcmp(name, "viewport"))
			o->viewport = number(&in) + 1;
		else if (!strcmp(name, "push"))
			push(&in, o);
		else if (!strcmp(name, "bindings") || !strcmp(name, "inputs") || !strcmp(name, "outputs"))
			list(&in, o, name[0]);
		else
			skip(&in, 0);
	}
	space(&in);
	return !in.bad && !*in.s && o->stage && (uint64_t)o->push_offset + o->push_size <= 65536;
}

struct load_kept *load_json_keep(const struct load_iface *from)
{
	struct load_kept *k = malloc(sizeof(*k) + ((size_t)from->nbinding + from->ninput + from->noutput) * sizeof(k->binding[0]));
	struct load_iface *to;

	if (!k)
		return NULL;
	atomic_init(&k->users, 1);
	k->number = 0;
	to = &k->iface;
	*to = *from;
	to->binding = k->binding;
	to->input = (struct load_slot *)(void *)(k->binding + from->nbinding);
	to->output = to->input + from->ninput;
	memcpy(to->binding, from->binding, from->nbinding * sizeof(*to->binding));
	memcpy(to->input, from->input, from->ninput * sizeof(*to->input));
	memcpy(to->output, from->output, from->noutput * sizeof(*to->output));
	return k;
}
