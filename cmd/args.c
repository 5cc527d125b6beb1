/* args.c - options of the subcommands. */
#define _GNU_SOURCE
#include "cmd.h"

#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_JOBS = 256 };

int usage_error(const struct args *a, const char *fmt, ...)
{
	va_list va;

	fprintf(stderr, "xlate %s: ", a->command);
	va_start(va, fmt);
	vfprintf(stderr, fmt, va);
	va_end(va);
	fprintf(stderr, "; xlate help %s says more\n", a->command);
	return XL_USAGE;
}

static int stop(struct args *a, int code)
{
	a->exit_code = code;
	return ARGS_STOP;
}

static int long_option(struct args *a, const char *s)
{
	size_t n = strcspn(s, "=");

	if (!strcmp(s, "help")) {
		printf("usage: xlate %s %s%s\n", a->command, a->usage, a->more ? a->more : "");
		return stop(a, 0);
	}
	if (!strcmp(s, "quiet")) {
		a->quiet = true;
		return args_next(a);
	}
	for (int i = 0; a->opt && a->opt[i].name; i++) {
		if (strncmp(a->opt[i].name, s, n) || a->opt[i].name[n])
			continue;
		a->value = NULL;
		if (!a->opt[i].takes) {
			if (s[n])
				return stop(a, usage_error(a, "--%s takes no value", a->opt[i].name));
			return i;
		}
		if (s[n])
			a->value = s + n + 1;
		else if (a->at < a->argc)
			a->value = a->argv[a->at++];
		else
			return stop(a, usage_error(a, "--%s needs a value", a->opt[i].name));
		return i;
	}
	return stop(a, usage_error(a, "no option --%.*s", (int)n, s));
}

static int short_option(struct args *a, const char *s)
{
	if (*s == 'q' && !s[1]) {
		a->quiet = true;
		return args_next(a);
	}
	for (int i = 0; a->opt && a->opt[i].name; i++) {
		if (!a->opt[i].letter || a->opt[i].letter != *s)
			continue;
		a->value = NULL;
		if (!a->opt[i].takes)
			return s[1] ? stop(a, usage_error(a, "no option -%s", s)) : i;
		if (s[1])
			a->value = s + 1;
		else if (a->at < a->argc)
			a->value = a->argv[a->at++];
		else
			return stop(a, usage_error(a, "-%c needs a value", *s));
		return i;
	}
	return stop(a, usage_error(a, "no option -%s", s));
}

int args_next(struct args *a)
{
	const char *s;

	if (!a->at)
		a->at = 1;
	if (a->at >= a->argc)
		return ARGS_END;
	s = a->argv[a->at++];
	if (a->only_positional || s[0] != '-' || !s[1]) {
		a->value = s;
		if (!a->most)
			return ARGS_POSITIONAL;
		if (a->npos == a->most)
			return stop(a, usage_error(a, "%s only", a->names));
		a->pos[a->npos++] = s;
		return args_next(a);
	}
	if (!strcmp(s, "--")) {
		a->only_positional = true;
		return args_next(a);
	}
	return s[1] == '-' ? long_option(a, s + 2) : short_option(a, s + 1);
}

bool args_number(const char *s, unsigned long max, unsigned long *out)
{
	char *end;

	if (*s < '0' || *s > '9')
		return false;
	*out = strtoul(s, &end, 10);
	return !*end && *out <= max;
}

unsigned processors(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);

	return n < 1 ? 1 : n > MOST_JOBS ? MOST_JOBS : (unsigned)n;
}

int args_jobs(const struct args *a, unsigned *out)
{
	unsigned long n;

	if (!args_number(a->value, MOST_JOBS, &n) || !n)
		return usage_error(a, "--jobs is 1 to %d", MOST_JOBS);
	*out = (unsigned)n;
	return 0;
}

/* ---- translation options */
const char translate_usage[] =
	"  -t, --target NAME|FILE   profile by shipped name, or a Vulkan profile JSON file (default lavapipe)\n"
	"  --addresses binding|host|refuse   pointers: bindings, and data as host addresses (default); all host; refuse data\n"
	"  --bounds host|exact      out-of-range accesses: the pipeline's robustness, or the guest's rule\n"
	"  --float host|strict      denormals and fusion: the host's rules, or emulated where it can be seen\n"
	"  -g, --debug              names and guest addresses in the module\n"
	"  --verify                 check the IR after every pass\n";

static int choice(struct args *a, const char *option, const char *const *names, int *out)
{
	for (int i = 0; names[i]; i++) {
		if (!strcmp(names[i], a->value)) {
			*out = i;
			return 0;
		}
	}
	return usage_error(a, "--%s does not know %s", option, a->value);
}

int translate_option(struct args *a, int opt, struct translate *t)
{
	static const char *const addresses[] = { "binding", "host", "refuse", NULL };
	static const char *const bounds[] = { "host", "exact", NULL };
	static const char *const floats[] = { "host", "strict", NULL };

	switch (opt) {
	case OPT_TARGET:
		t->target = a->value;
		return 0;
	case OPT_ADDRESSES:
		return choice(a, "addresses", addresses, &t->options.addresses);
	case OPT_BOUNDS:
		return choice(a, "bounds", bounds, &t->options.bounds);
	case OPT_FLOAT:
		return choice(a, "float", floats, &t->options.floats);
	case OPT_DEBUG:
		t->options.debug = 1;
		return 0;
	default:
		t->options.verify = 1;
		return 0;
	}
}

bool pass_exists(const char *pass)
{
	const char *name, *what;

	for (uint32_t i = 0; (name = xl_pass_name(i, &what)); i++) {
		if (!strcmp(name, pass))
			return true;
	}
	return !strcmp(pass, "lift");
}

struct xl_target *translate_target(const struct translate *t, int *exit_code)
{
	struct xl_log log = stderr_log();
	enum xl_status status;
	struct xl_target *target = xl_target_open(t->target ? t->target : "lavapipe", &log, &status);

	if (!target)
		*exit_code = (int)status;
	return target;
}
