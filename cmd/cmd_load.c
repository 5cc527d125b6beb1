/* cmd_load.c - the loader on the device at hand: all pipelines of a package, with progress, times and reasons. */
#include "load.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char usage[] = "PKG [options]\n\n"
	"Makes every pipeline of a package on a Vulkan device, as a host would in the background, and says which failed and why.\n"
	"Graphics pipelines get the fixed-function state that the package knows, and else one that fits their programs.\n\n"
	"  --device N|NAME    which device: number, or a part of its name (default: the first)\n"
	"  --state DIR        keep driver cache and journal there: what crashed or failed is not tried again\n"
	"  --retry            try what the journal says crashed or failed\n"
	"  --restart N        when the driver takes the process down, go on without what it died of, up to N times (--state)\n"
	"  --control FILE     live control: pause, stop, priority N NAME, hide NAME, list, describe NAME (names with *)\n"
	"  -j, --jobs N       threads that compile (default: one less than there are processors)\n"
	"  --memory MIB       bound on unpacked modules (default 64)\n"
	"  --stages 1|2|auto  optimised only; fast, then optimised; or fast for what is waited for (default auto)\n"
	"  --frames           ask for every pipeline 60 times a second, as a host that draws with them, and time the answers\n"
	"  --partial          a device that lacks something fails the programs that need it, not the package\n"
	"  --vouch FACT       a measured fact that the device is known to have, e.g. fma-fused; may be repeated\n"
	"  --any-stamp        take packages of other versions\n"
	"  --json             one JSON object on standard output\n"
	"  -q, --quiet        no progress, no totals\n";

enum { DEVICE, STATE, RETRY, RESTART, CONTROL, JOBS, MEMORY, STAGES, FRAMES, PARTIAL, VOUCH, ANY_STAMP, JSON };
static const struct opt opts[] = { { "device", 0, true }, { "state", 0, true }, { "retry", 0, false }, { "restart", 0, true },
	{ "control", 0, true },
	{ "jobs", 'j', true }, { "memory", 0, true }, { "stages", 0, true }, { "frames", 0, false }, { "partial", 0, false },
	{ "vouch", 0, true }, { "any-stamp", 0, false }, { "json", 0, false }, { NULL, 0, false } };

static int number(struct args *a, const char *what, unsigned long max, unsigned long *out)
{
	if (args_number(a->value, max, out) && *out)
		return 0;
	return usage_error(a, "%s takes a number from 1 to %lu", what, max);
}

static int stages(struct args *a, struct load_run *r)
{
	r->info.flags &= ~(uint32_t)(XL_LOAD_ONE_STAGE | XL_LOAD_TWO_STAGES);
	if (!strcmp(a->value, "1"))
		r->info.flags |= XL_LOAD_ONE_STAGE;
	else if (!strcmp(a->value, "2"))
		r->info.flags |= XL_LOAD_TWO_STAGES;
	else if (strcmp(a->value, "auto"))
		return usage_error(a, "--stages takes 1, 2 or auto");
	return 0;
}

static int vouch(struct args *a, struct load_run *r)
{
	size_t n = strlen(r->vouched), m = strlen(a->value);

	if (n + m + 2 > sizeof(r->vouched))
		return usage_error(a, "too much is vouched for");
	memcpy(r->vouched + n, a->value, m);
	memcpy(r->vouched + n + m, "\n", 2);
	r->info.vouched = r->vouched;
	return 0;
}

static int option(struct args *a, int k, struct load_run *r)
{
	unsigned long n;
	int rc = 0;

	switch (k) {
	case DEVICE:
		r->device = a->value;
		break;
	case STATE:
		r->info.state_dir = a->value;
		break;
	case RETRY:
		r->retry = true;
		break;
	case RESTART:
		rc = number(a, "--restart", 10000, &n);
		r->restarts = rc ? 0 : (uint32_t)n;
		break;
	case CONTROL:
		r->info.control = a->value;
		break;
	case JOBS:
		rc = number(a, "--jobs", 256, &n);
		r->info.threads = rc ? 0 : (uint32_t)n;
		break;
	case MEMORY:
		rc = number(a, "--memory", 1 << 20, &n);
		r->info.memory = rc ? 0 : (uint64_t)n << 20;
		break;
	case STAGES:
		return stages(a, r);
	case FRAMES:
		r->frames = true;
		break;
	case PARTIAL:
		r->info.flags |= XL_LOAD_PARTIAL;
		break;
	case VOUCH:
		return vouch(a, r);
	case ANY_STAMP:
		r->info.flags |= XL_LOAD_ANY_STAMP;
		break;
	case JSON:
		r->json = true;
		break;
	}
	return rc;
}

/* ---- what the loader tells; its calls come one at a time */
static void on_message(void *user, const struct xl_load_message *m)
{
	struct load_run *r = user;

	load_show_clear(r);
	fprintf(stderr, "%s%s%s: %s%s%s%s\n", m->subject ? m->subject : "", m->subject ? ": " : "", m->error ? "error" : "note",
		m->text, *xl_load_code_name(m->code, NULL) ? " [" : "", xl_load_code_name(m->code, NULL),
		*xl_load_code_name(m->code, NULL) ? "]" : "");
}

static void on_progress(void *user, const struct xl_load_progress *p)
{
	struct load_run *r = user;

	if (p->ready == 1 && !r->first_ns)
		r->first_ns = load_clock() - r->start_ns;
	load_show_progress(r, p);
}

/* Ctrl-C ends the waiting; the cache is written, and the next run goes on from there. */
static volatile sig_atomic_t interrupted;

static void on_signal(int sig)
{
	(void)sig;
	interrupted = 1;
}

static void retry(struct xl_loader *l, uint32_t n)
{
	bool again = false;

	(void)xl_load_wait(l, -1);
	for (uint32_t i = 0; i < n; i++) {
		struct xl_load_report rep;

		if (!xl_load_report(l, i, &rep) || rep.state != XL_LOAD_FAILED ||
		    (rep.code != XL_LOAD_QUARANTINE && rep.code != XL_LOAD_DRIVER))
			continue;
		xl_load_release(l, i);
		again = true;
	}
	if (again)
		(void)xl_load_prefetch(l, NULL, 0, 0);
}

static void work(struct load_run *r)
{
	struct sigaction act = { .sa_handler = on_signal }, old;
	uint32_t n, count;

	sigaction(SIGINT, &act, &old);
	xl_load_all(r->loader, &count);
	r->start_ns = load_clock();
	(void)xl_load_prefetch(r->loader, NULL, 0, 0);
	if (r->retry)
		retry(r->loader, count);
	for (n = 0; !interrupted && !xl_load_wait(r->loader, r->frames ? 16 : 100); n++) {
		if (r->frames)
			load_time_gets(r, count);
	}
	r->wall_ns = load_clock() - r->start_ns;
	sigaction(SIGINT, &old, NULL);
	r->count = count;
	r->interrupted = interrupted;
}

static int run(struct load_run *r)
{
	enum xl_load_status status;
	struct xl_load_device *d;
	char why[256];
	int rc;

	d = xl_load_device_open(r->device, NULL, why, sizeof(why));
	if (!d) {
		fprintf(stderr, "error: %s [vulkan]\n", why);
		return XL_INTERNAL;
	}
	r->info.instance = d->instance;
	r->info.physical_device = d->physical_device;
	r->info.device = d->device;
	r->info.created = d->created;
	r->info.proc = d->proc;
	r->name = d->properties.deviceName;
	r->info.message = on_message;
	r->info.progress = on_progress;
	r->info.user = r;
	r->loader = xl_load_open(&r->info, &status);
	rc = (int)status;
	if (r->loader) {
		work(r);
		rc = load_show_result(r);
		xl_load_close(r->loader);
	}
	xl_load_device_close(d);
	return rc;
}

/* Each try is a process of its own: one that the driver takes down leaves its journal, and the next does without what was
 * being compiled. Nothing of Vulkan is in this process. */
static int run_restarted(struct load_run *r)
{
	for (uint32_t i = 0;; i++) {
		pid_t pid;
		int status;

		fflush(stdout);
		pid = fork();
		if (!pid) {
			int rc = run(r);

			fflush(stdout);
			_exit(rc);
		}
		if (pid < 0)
			return XL_INTERNAL;
		while (waitpid(pid, &status, 0) < 0)
			;
		if (WIFEXITED(status))
			return WEXITSTATUS(status);
		fprintf(stderr, "error: the driver took the process down with signal %d [quarantine]\n", WTERMSIG(status));
		if (i == r->restarts || WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM)
			return XL_INTERNAL;
		r->retry = false;
	}
}

int cmd_load(int argc, char **argv)
{
	struct args a = { .argc = argc, .argv = argv, .opt = opts, .command = "load", .usage = usage };
	struct load_run r = { .info = { .size = sizeof(r.info), .flags = XL_LOAD_NORMAL_PRIORITY } };
	int k, rc;

	while ((k = args_next(&a)) >= 0 || k == ARGS_POSITIONAL) {
		if (k == ARGS_POSITIONAL && r.info.package)
			return usage_error(&a, "one package only");
		if (k == ARGS_POSITIONAL) {
			r.info.package = a.value;
			continue;
		}
		rc = option(&a, k, &r);
		if (rc)
			return rc;
	}
	if (k == ARGS_STOP)
		return a.exit_code;
	if (!r.info.package)
		return usage_error(&a, "no package");
	if (r.restarts && !r.info.state_dir)
		return usage_error(&a, "--restart needs --state");
	r.quiet = a.quiet;
	rc = r.restarts ? run_restarted(&r) : run(&r);
	free(r.get_ns);
	return rc;
}
