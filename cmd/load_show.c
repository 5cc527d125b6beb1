/* load_show.c - progress, totals and JSON of `xlate load`. */
#include "load.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

uint64_t load_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static double ms(uint64_t ns)
{
	return (double)ns / 1e6;
}

/* ---- progress: from a second on, five times a second, on a terminal */
void load_show_clear(struct load_run *r)
{
	if (r->shown)
		fputs("\r\033[K", stderr);
	r->shown = false;
}

void load_show_progress(struct load_run *r, const struct xl_load_progress *p)
{
	uint64_t now = load_clock(), run = now - r->start_ns;
	uint32_t done = p->optimised + p->failed;
	double rate;

	if (r->quiet || run < 1000000000u || now - r->last_shown_ns < 200000000u)
		return;
	r->last_shown_ns = now; /* then it is asked five times a second only what standard error is */
	if (!isatty(2))
		return;
	r->shown = true;
	rate = done / ((double)run / 1e9);
	fprintf(stderr, "\r\033[K%u of %u, %.0f a second, %.0f s left, %u failed%s", done, p->asked, rate,
		rate > 0 ? (p->asked - done) / rate : 0.0, p->failed, p->paused ? ", paused" : "");
	fflush(stderr);
}

/* ---- frames */
void load_time_gets(struct load_run *r, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct xl_load_pipeline p;
		uint64_t t;

		if (r->nget == r->cap_get) {
			size_t cap = r->cap_get ? r->cap_get * 2 : 1 << 16;
			uint32_t *grown = cap <= 1u << 26 ? realloc(r->get_ns, cap * sizeof(*grown)) : NULL;

			if (!grown)
				return;
			r->get_ns = grown;
			r->cap_get = cap;
		}
		t = load_clock();
		(void)xl_load_get(r->loader, i, &p);
		t = load_clock() - t;
		r->get_ns[r->nget++] = t > UINT32_MAX ? UINT32_MAX : (uint32_t)t;
	}
}

static int by_size(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static double percentile_us(const struct load_run *r, double part)
{
	size_t i = (size_t)((double)r->nget * part);

	return r->nget ? r->get_ns[i < r->nget ? i : r->nget - 1] / 1e3 : 0;
}

/* ---- result */
static const char *state_text(const struct xl_load_report *p)
{
	if (p->state == XL_LOAD_HIDDEN)
		return "hidden";
	if (p->state == XL_LOAD_READY)
		return p->optimised ? "optimised" : "fast";
	return p->state == XL_LOAD_PENDING ? "pending" : p->quarantined ? "quarantined" : "failed";
}

static void json_pipelines(const struct load_run *r)
{
	struct xl_load_report p;

	for (uint32_t i = 0; i < r->count && xl_load_report(r->loader, i, &p); i++) {
		printf("%s\n{\"name\":", i ? "," : "");
		json_string(stdout, p.name);
		printf(",\"state\":\"%s\",\"read_ms\":%.3f,\"fast_ms\":%.3f,\"optimised_ms\":%.3f", state_text(&p), ms(p.read_ns),
		       ms(p.fast_ns), ms(p.optimised_ns));
		if (p.reason) {
			printf(",\"code\":\"%s\",\"reason\":", xl_load_code_name(p.code, NULL));
			json_string(stdout, p.reason);
		}
		printf("}");
	}
}

/* What the loader's threads do besides the driver's work, of that. */
static double overhead(const struct xl_load_progress *p)
{
	return p->driver_cpu_ns ? 100.0 * (double)p->own_cpu_ns / (double)p->driver_cpu_ns : 0;
}

static void json(const struct load_run *r, const struct xl_load_progress *p)
{
	printf("{\"package\":");
	json_string(stdout, r->info.package);
	printf(",\"device\":");
	json_string(stdout, r->name);
	printf(",\"pipelines\":%u,\"ready\":%u,\"optimised\":%u,\"failed\":%u,\"quarantined\":%u,\"interrupted\":%s,", r->count,
	       p->ready, p->optimised, p->failed, p->quarantined, r->interrupted ? "true" : "false");
	printf("\"wall_ms\":%.3f,\"first_ms\":%.3f,\"read_ms\":%.3f,\"driver_ms\":%.3f,\"peak_bytes\":%llu,", ms(r->wall_ns),
	       ms(r->first_ns), ms(p->read_ns), ms(p->driver_ns), (unsigned long long)p->peak);
	printf("\"own_cpu_ms\":%.3f,\"driver_cpu_ms\":%.3f,\"overhead_percent\":%.2f,", ms(p->own_cpu_ns), ms(p->driver_cpu_ns), overhead(p));
	if (r->nget)
		printf("\"get\":{\"calls\":%zu,\"p50_us\":%.3f,\"p99_us\":%.3f,\"p999_us\":%.3f,\"max_us\":%.3f},", r->nget,
		       percentile_us(r, .5), percentile_us(r, .99), percentile_us(r, .999), percentile_us(r, 1));
	printf("\"list\":[");
	json_pipelines(r);
	printf("]}\n");
}

static void text(const struct load_run *r, const struct xl_load_progress *p)
{
	printf("%s: %u pipelines, %u ready, %u failed, %u quarantined\n", r->name, r->count, p->ready, p->failed, p->quarantined);
	printf("%.1f ms, first after %.1f ms; in the driver %.1f ms, reading %.1f ms; at most %llu KiB unpacked\n", ms(r->wall_ns),
	       ms(r->first_ns), ms(p->driver_ns), ms(p->read_ns), (unsigned long long)p->peak / 1024);
	printf("processor: %.1f ms in the driver, %.1f ms of the loader's own, %.2f %% of that\n", ms(p->driver_cpu_ns),
	       ms(p->own_cpu_ns), overhead(p));
	if (r->nget)
		printf("%zu gets: half within %.2f us, 99.9 %% within %.2f us, all within %.2f us\n", r->nget, percentile_us(r, .5),
		       percentile_us(r, .999), percentile_us(r, 1));
	for (int i = 0; i < XL_LOAD_SLOW && p->slow[i] != XL_LOAD_NONE; i++) {
		struct xl_load_report rep;

		if (xl_load_report(r->loader, p->slow[i], &rep))
			printf("%s%s %.1f ms", i ? ", " : "slowest: ", rep.name, ms(p->slow_ns[i]));
	}
	printf("%s", p->slow[0] != XL_LOAD_NONE ? "\n" : "");
}

int load_show_result(struct load_run *r)
{
	struct xl_load_progress p;

	load_show_clear(r);
	xl_load_progress(r->loader, &p);
	if (r->nget)
		qsort(r->get_ns, r->nget, sizeof(*r->get_ns), by_size);
	if (r->json)
		json(r, &p);
	else if (!r->quiet)
		text(r, &p);
	return p.optimised == r->count ? 0 : XL_REFUSED;
}
