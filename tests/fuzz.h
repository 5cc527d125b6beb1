/* fuzz.h - what the fuzz drivers share. Each driver defines LLVMFuzzerTestOneInput and seeds; by itself it is a program that
 * mutates its seeds in process: `fuzz_x -n COUNT|-t SECONDS -s SEED [-i INDEX [-w FILE]]` (-t ends after so many seconds,
 * whatever -n says; -i repeats one input of a run, -w writes it to a file first; files given as arguments are run as they are). With FUZZ_LIB defined
 * it is a libFuzzer target: clang -DFUZZ_LIB -fsanitize=fuzzer,address,undefined.
 *
 * A hang is an input that takes 20 seconds of processor time, or 200 by the clock on the wall: a signal ends the process, which names
 * the input. */
#ifndef XL_FUZZ_H
#define XL_FUZZ_H

#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *v, size_t n);

struct fuzz_bytes { uint8_t *v; size_t n; };
/* Driver: fills the list of seeds. */
static void fuzz_seeds(void);
/* Driver: changes an input in its own way (fixing hashes, say) after the generic mutation; may do nothing. */
static void fuzz_repair(uint8_t *v, size_t n);

/* Driver: narrows the mutations of one input to [*from, *from + *len), lengths then stay; `r` is random. May do nothing. */
static void fuzz_window(const uint8_t *v, size_t n, uint64_t r, size_t *from, size_t *len);

static struct fuzz_bytes *fuzz_seed;
static size_t fuzz_nseed;

static inline void fuzz_add_seed(const void *v, size_t n)
{
	fuzz_seed = realloc(fuzz_seed, (fuzz_nseed + 1) * sizeof(*fuzz_seed));
	fuzz_seed[fuzz_nseed].v = malloc(n ? n : 1);
	memcpy(fuzz_seed[fuzz_nseed].v, v, n);
	fuzz_seed[fuzz_nseed++].n = n;
}

static inline struct fuzz_bytes fuzz_read(const char *path)
{
	struct fuzz_bytes b = { NULL, 0 };
	FILE *f = fopen(path, "rb");
	uint8_t part[4096];
	size_t n;

	while (f && (n = fread(part, 1, sizeof(part), f)) > 0) {
		b.v = realloc(b.v, b.n + n + 1);
		memcpy(b.v + b.n, part, n);
		b.n += n;
		b.v[b.n] = 0;
	}
	if (f)
		fclose(f);
	return b;
}

static int fuzz_by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Calls `each` with the paths under dir that end in `suffix`, sorted: a run depends on its seed alone. */
static inline void fuzz_walk(const char *dir, const char *suffix, void (*each)(const char *path))
{
	DIR *d = opendir(dir);
	char **name = NULL, path[2048];
	size_t n = 0;

	for (struct dirent *e; d && (e = readdir(d));) {
		size_t len = strlen(e->d_name), s = strlen(suffix);

		if (len <= s || strcmp(e->d_name + len - s, suffix))
			continue;
		name = realloc(name, (n + 1) * sizeof(*name));
		name[n++] = strdup(e->d_name);
	}
	if (d)
		closedir(d);
	if (n)
		qsort(name, n, sizeof(*name), fuzz_by_name);
	for (size_t i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, name[i]);
		each(path);
		free(name[i]);
	}
	free(name);
}

#ifdef FUZZ_LIB
#define FUZZ_INDEX 0ul
#else
#define FUZZ_INDEX fuzz_index
static uint64_t fuzz_state;
static volatile unsigned long fuzz_index;

static inline uint64_t fuzz_random(void) /* splitmix64 */
{
	uint64_t z = fuzz_state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static inline size_t fuzz_below(size_t n)
{
	return n ? fuzz_random() % n : 0;
}

static void fuzz_mutate_once(struct fuzz_bytes *b, size_t cap, size_t start, size_t room)
{
	static const uint32_t words[] = { 0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff };
	size_t at = start + fuzz_below(room), len = 1 + fuzz_below(fuzz_below(2) ? 4 : 64), from;
	bool fixed = start || room != b->n;
	size_t what = fuzz_below(8);

	if (at >= b->n)
		return;
	if (fixed) {
		if (what == 4 || what == 6)
			what = 3;
		if (len > start + room - at)
			len = start + room - at;
	}
	switch (what) {
	case 0:
		b->v[at] ^= (uint8_t)(1u << fuzz_below(8));
		break;
	case 1:
		b->v[at] = (uint8_t)fuzz_random();
		break;
	case 2: { /* a word, often a special one */
		uint32_t w = fuzz_below(2) ? words[fuzz_below(sizeof(words) / 4)] : (uint32_t)fuzz_random();

		at = start + ((at - start) & ~(size_t)3);
		if (at + 4 <= start + room && at + 4 <= b->n)
			memcpy(b->v + at, &w, 4);
		break;
	}
	case 3: /* an ASCII digit: numbers in text */
		for (size_t i = 0; i < 64 && at + i < b->n; i++) {
			if (b->v[at + i] >= '0' && b->v[at + i] <= '9') {
				b->v[at + i] = (uint8_t)('0' + fuzz_below(10));
				break;
			}
		}
		break;
	case 4: /* remove */
		if (len < b->n - at) {
			memmove(b->v + at, b->v + at + len, b->n - at - len);
			b->n -= len;
		}
		break;
	case 5: /* copy within */
		from = fuzz_below(b->n);
		if (from + len <= b->n && at + len <= b->n)
			memmove(b->v + at, b->v + from, len);
		break;
	case 6: /* duplicate */
		if (at + len <= b->n && b->n + len <= cap) {
			memmove(b->v + at + len, b->v + at, b->n - at);
			b->n += len;
		}
		break;
	default: { /* from another seed */
		const struct fuzz_bytes *o = &fuzz_seed[fuzz_below(fuzz_nseed)];

		from = fuzz_below(o->n);
		if (from + len <= o->n && at + len <= b->n)
			memcpy(b->v + at, o->v + from, len);
	}
	}
}

static unsigned long fuzz_run_seed;

static void fuzz_alarm(int sig)
{
	char text[96];
	int n = snprintf(text, sizeof(text), "HANG: -s %lu -i %lu\n", fuzz_run_seed, fuzz_index);

	(void)sig;
	if (n > 0 && write(2, text, (size_t)n) < 0)
		_exit(3);
	_exit(3);
}

static void fuzz_limit(unsigned seconds)
{
	setitimer(ITIMER_PROF, &(struct itimerval){ .it_value = { (time_t)seconds, 0 } }, NULL);
	alarm(10 * seconds);
}

/* Sanitizers end the process by themselves: say which input it was. */
void __asan_on_error(void);
void __asan_on_error(void)
{
	fprintf(stderr, "CRASH: -s %lu -i %lu\n", fuzz_run_seed, fuzz_index);
}

int main(int argc, char **argv)
{
	unsigned long count = 2000, only = 0, seed = 1, crashes = 0, done = 0;
	time_t limit = 0, start = time(NULL);
	const char *save = NULL;
	int one = 0, c;

	while ((c = getopt(argc, argv, "n:t:s:i:w:")) >= 0) {
		if (c == 'n')
			count = strtoul(optarg, NULL, 10);
		else if (c == 't')
			limit = (time_t)strtoul(optarg, NULL, 10), count = limit ? ULONG_MAX : 0;
		else if (c == 's')
			seed = strtoul(optarg, NULL, 10);
		else if (c == 'w')
			save = optarg;
		else if (c == 'i')
			only = strtoul(optarg, NULL, 10), one = 1;
		else
			return 2;
	}
	for (int i = optind; i < argc; i++) { /* files: run as they are */
		struct fuzz_bytes b = fuzz_read(argv[i]);

		LLVMFuzzerTestOneInput(b.v, b.n);
		free(b.v);
	}
	if (optind < argc)
		return 0;
	fuzz_seeds();
	if (!fuzz_nseed) {
		printf("no seeds\n0 passed, 0 failed, 1 skipped\n");
		return 0;
	}
	fuzz_run_seed = seed;
	signal(SIGALRM, fuzz_alarm);
	signal(SIGPROF, fuzz_alarm);
	for (size_t i = 0; i < fuzz_nseed && !one; i++) /* the seeds themselves */
		LLVMFuzzerTestOneInput(fuzz_seed[i].v, fuzz_seed[i].n);
	for (unsigned long i = one ? only : 0; i < (one ? only + 1 : count) && (!limit || time(NULL) - start < limit); i++) {
		const struct fuzz_bytes *s;
		struct fuzz_bytes b;
		size_t cap, changes, from = 0, len;

		fuzz_index = i;
		fuzz_state = seed * 0x100000001b3u + i; /* each input by itself */
		s = &fuzz_seed[fuzz_below(fuzz_nseed)];
		cap = s->n + 256;
		b.v = malloc(cap);
		b.n = s->n;
		memcpy(b.v, s->v, s->n);
		len = b.n;
		fuzz_window(b.v, b.n, fuzz_random(), &from, &len);
		for (changes = 1 + fuzz_below(fuzz_below(4) ? 4 : 24); changes; changes--)
			fuzz_mutate_once(&b, cap, from, from || len != s->n ? len : b.n);
		fuzz_repair(b.v, b.n);
		if (one && save) {
			FILE *f = fopen(save, "wb");

			if (!f || fwrite(b.v, 1, b.n, f) != b.n || fclose(f))
				return 2;
		}
		fuzz_limit(20);
		LLVMFuzzerTestOneInput(b.v, b.n);
		fuzz_limit(0);
		free(b.v);
		done++;
	}
	for (size_t i = 0; i < fuzz_nseed; i++)
		free(fuzz_seed[i].v);
	free(fuzz_seed);
	printf("%lu passed, %lu failed, 0 skipped\n", done, crashes);
	return 0;
}
#endif

#endif
