/* cmd_check.c - every module of a package, validated again. */
#include "cmd.h"

#include <stdlib.h>

static const char usage[] = "PKG [-t TARGET]\n\n"
	"Reads every blob, checks its hash, and validates every module for the package's own target or another.\n\n"
	"  -t, --target NAME|FILE   another profile\n"
	"  -q, --quiet              no count\n";

/* Pipelines of which all programs are good. */
static uint32_t whole(const struct xl_package *p, const bool *fine)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < xl_package_pipelines(p); i++) {
		struct xl_package_pipeline one;
		uint32_t k = 0;

		xl_package_pipeline(p, i, &one);
		while (k < one.nprogram && fine[one.program[k]])
			k++;
		n += k == one.nprogram;
	}
	return n;
}

static int check_all(const struct input *in, struct xl_context *c, struct xl_slot *slot, bool quiet)
{
	struct xl_log log = stderr_log();
	uint32_t n = xl_package_programs(in->package), good = 0, refused = 0;
	bool *fine = calloc(n + 1u, sizeof(*fine));
	int rc = 0;

	if (!fine || xl_package_index_pipelines(in->package)) {
		free(fine);
		return XL_INTERNAL;
	}
	for (uint32_t i = 0; i < n; i++) {
		struct xl_package_program p;
		const uint32_t *words;
		size_t size;
		int one;

		xl_package_get(in->package, slot, i, &p);
		if (!p.words) {
			refused++;
			continue;
		}
		words = xl_package_module(in->package, slot, i, &size, &log);
		one = !words || !xl_package_reflection(in->package, slot, i, &log) ? XL_UNREADABLE :
			(int)xl_validate(c, words, size, &log);
		if (!one && p.generated_words) {
			words = xl_package_generated(in->package, slot, i, &size, &log);
			one = !words || !xl_package_generated_reflection(in->package, slot, i, &log) ? XL_UNREADABLE :
				(int)xl_validate(c, words, size, &log);
		}
		if (one)
			fprintf(stderr, "%s:%s: error: the module is %s\n", in->path, p.name,
				one == XL_UNREADABLE ? "damaged" : "not valid");
		fine[i] = !one;
		good += !one;
		rc = one > rc ? one : rc;
	}
	if (!quiet)
		printf("%u valid, %u not, %u refused; %u of %u pipelines whole\n", good, n - good - refused, refused,
		       whole(in->package, fine), xl_package_pipelines(in->package));
	free(fine);
	return rc;
}

int cmd_check(int argc, char **argv)
{
	static const struct opt opts[] = { { "target", 't', true }, { NULL, 0, false } };
	struct args a = { .argc = argc, .argv = argv, .opt = opts, .command = "check", .usage = usage, .most = 1,
		.names = "one package" };
	const char *options, *needs, *own;
	struct translate t = { 0 };
	struct xl_target *target;
	struct xl_context *c;
	struct xl_slot *slot;
	struct input in;
	int k, rc;

	while ((k = args_next(&a)) >= 0)
		t.target = a.value;
	if (k == ARGS_STOP)
		return a.exit_code;
	if (!a.npos)
		return usage_error(&a, "no package");
	rc = input_open(&in, a.pos[0]);
	if (rc)
		return rc;
	rc = input_package(&in);
	if (rc) {
		input_close(&in);
		return rc;
	}
	xl_package_stamp(in.package, &options, &own, &needs);
	if (!t.target)
		t.target = own;
	target = translate_target(&t, &rc);
	c = target ? xl_context_new(target) : NULL;
	slot = xl_slot_new();
	if (c && slot)
		rc = check_all(&in, c, slot, a.quiet);
	else if (target)
		rc = XL_INTERNAL;
	xl_slot_free(slot);
	xl_context_free(c);
	xl_target_free(target);
	input_close(&in);
	return rc;
}
