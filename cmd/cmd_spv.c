/* cmd_spv.c - a program's module, from a package or translated now: as text, or as it is. */
#include "cmd.h"

#include <stdlib.h>

static const char usage[] = "FILE KEY [-o FILE]\n\n"
	"SPIR-V disassembly of a package's module, or of a cache's program translated now.\n\n"
	"  --generated              the geometry stage that goes with it, where there is one\n"
	"  -o, --output FILE        the module itself (- is standard output)\n";

static int put(struct xl_context *c, const uint32_t *words, size_t n, const char *output)
{
	struct xl_log log = stderr_log();
	char *text;

	if (output)
		return (int)xl_file_write(output, words, n * 4, &log);
	text = xl_spirv_text(c, words, n, &log);
	if (!text)
		return XL_INTERNAL;
	fputs(text, stdout);
	free(text);
	return 0;
}

static int none(const char *name)
{
	fprintf(stderr, "error: no geometry stage goes with %s\n", name);
	return XL_USAGE;
}

static int from_package(struct xl_context *c, const struct input *in, uint32_t i, const char *output, bool generated)
{
	struct xl_log log = stderr_log();
	struct xl_slot *slot = xl_slot_new();
	struct xl_package_program p;
	const uint32_t *words;
	size_t n;
	int rc;

	if (!slot)
		return XL_INTERNAL;
	xl_package_get(in->package, slot, i, &p);
	words = !p.words ? NULL : (generated ? xl_package_generated : xl_package_module)(in->package, slot, i, &n, &log);
	if (p.words && generated && !p.generated_words) {
		rc = none(p.name);
	} else if (words) {
		rc = put(c, words, n, output);
	} else {
		rc = p.words ? XL_UNREADABLE : XL_REFUSED;
		for (uint32_t k = 0; k < p.ndiag; k++)
			say_diag(stderr, &p.diag[k], in->path);
	}
	xl_slot_free(slot);
	return rc;
}

static int from_record(struct xl_context *c, const struct input *in, const struct picked *p, const struct translate *t,
		       const char *output, bool generated)
{
	const struct xl_translation *out = xl_translate(c, p->record, p->program, &t->options);

	for (uint32_t i = 0; i < out->ndiag; i++)
		say_diag(stderr, &out->diag[i], in->path);
	if (!out->words)
		return (int)out->status;
	if (generated && !out->generated)
		return none(in->path);
	return put(c, generated ? out->generated : out->words, generated ? out->ngenerated : out->nwords, output);
}

int cmd_spv(int argc, char **argv)
{
	static const struct opt opts[] = { TRANSLATE_OPTS, { "output", 'o', true }, { "generated", 0, false }, { NULL, 0, false } };
	struct args a = { .argc = argc, .argv = argv, .opt = opts, .command = "spv", .usage = usage, .more = translate_usage,
		.most = 2, .names = "FILE and KEY" };
	struct translate t = { 0 };
	struct xl_target *target;
	struct xl_context *c;
	const char *output = NULL;
	bool generated = false;
	struct input in;
	struct picked p;
	int k, rc = 0;

	while (!rc && (k = args_next(&a)) >= 0) {
		if (k == OPT_OWN)
			output = a.value;
		else if (k == OPT_OWN + 1)
			generated = true;
		else
			rc = translate_option(&a, k, &t);
	}
	if (rc)
		return rc;
	if (k == ARGS_STOP)
		return a.exit_code;
	rc = open_and_pick(&a, &in, &p);
	if (rc)
		return rc;
	rc = output ? input_stays(&a, in.path, output) : 0;
	target = rc ? NULL : translate_target(&t, &rc);
	c = target ? xl_context_new(target) : NULL;
	if (c)
		rc = in.package ? from_package(c, &in, p.program, output, generated) :
			from_record(c, &in, &p, &t, output, generated);
	else if (target)
		rc = XL_INTERNAL;
	xl_context_free(c);
	xl_target_free(target);
	if (p.record)
		input_unread(&in, p.record);
	input_close(&in);
	return rc;
}
