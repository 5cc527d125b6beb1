/* spirv_val.c - SPIRV-Tools alone over modules in files, as spirv-val runs it: what validation costs without xlate.
 * usage: spirv_val ENV THREADS FILE.spv...; prints one figure a line; seconds: processor time of all threads, wall: by the
 * clock, each of the best of nine rounds. */
#include <pthread.h>
#include <spirv-tools/libspirv.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct module {
	uint32_t *words;
	size_t n;
};

struct work {
	struct module *modules;
	unsigned count;
	atomic_uint next, invalid;
	spv_target_env env;
};

static int read_module(const char *name, struct module *m)
{
	FILE *f = fopen(name, "rb");
	long size = f && !fseek(f, 0, SEEK_END) ? ftell(f) : -1;

	m->words = size > 0 ? malloc((size_t)size) : NULL;
	m->n = m->words ? (size_t)size / 4 : 0;
	if (m->words) {
		rewind(f);
		if (fread(m->words, 4, m->n, f) != m->n)
			m->n = 0;
	}
	if (f)
		fclose(f);
	return m->n ? 0 : -1;
}

static void *run(void *arg)
{
	struct work *w = arg;
	spv_context context = spvContextCreate(w->env);
	spv_validator_options options = spvValidatorOptionsCreate();

	/* layouts that Vulkan 1.2 devices have: no module is given up early for one */
	spvValidatorOptionsSetScalarBlockLayout(options, true);
	spvValidatorOptionsSetWorkgroupScalarBlockLayout(options, true);
	for (unsigned i; (i = atomic_fetch_add(&w->next, 1)) < w->count;) {
		struct spv_const_binary_t binary = {w->modules[i].words, w->modules[i].n};
		spv_diagnostic d = NULL;

		if (spvValidateWithOptions(context, options, &binary, &d) != SPV_SUCCESS)
			atomic_fetch_add(&w->invalid, 1);
		spvDiagnosticDestroy(d);
	}
	spvValidatorOptionsDestroy(options);
	spvContextDestroy(context);
	return NULL;
}

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	enum { MOST = 256, ROUNDS = 9 };
	unsigned threads = argc > 3 ? (unsigned)atoi(argv[2]) : 0;
	struct work w = {.env = SPV_ENV_VULKAN_1_3};
	double best = 0, wall = 0;
	size_t bytes = 0;

	if (!threads || threads > MOST || !spvParseTargetEnv(argv[1], &w.env)) {
		fputs("usage: spirv_val ENV THREADS FILE.spv...\n", stderr);
		return 2;
	}
	w.modules = calloc((size_t)argc, sizeof *w.modules);
	for (int i = 3; w.modules && i < argc; i++)
		if (!read_module(argv[i], &w.modules[w.count]))
			bytes += w.modules[w.count++].n * 4;
	for (int round = 0; round < ROUNDS; round++) {
		pthread_t t[MOST];
		double cpu0 = seconds(CLOCK_PROCESS_CPUTIME_ID), wall0 = seconds(CLOCK_MONOTONIC), cpu1, wall1;
		unsigned n = 0;

		atomic_store(&w.next, 0);
		atomic_store(&w.invalid, 0);
		while (n < threads && !pthread_create(&t[n], NULL, run, &w))
			n++;
		while (n)
			pthread_join(t[--n], NULL);
		cpu1 = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu0;
		wall1 = seconds(CLOCK_MONOTONIC) - wall0;
		best = round && best < cpu1 ? best : cpu1;
		wall = round && wall < wall1 ? wall : wall1;
	}
	printf("modules %u\nbytes %zu\ninvalid %u\nseconds %.4f\nwall %.4f\n", w.count, bytes, atomic_load(&w.invalid), best, wall);
	for (unsigned i = 0; i < w.count; i++)
		free(w.modules[i].words);
	free(w.modules);
	return w.count == 0;
}
