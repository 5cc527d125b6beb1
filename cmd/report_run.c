/* report_run.c - what needs translating again: times, and the texts of the pages. */
#include "report.h"
#include "deflate.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct pool {
	struct report *r;
	void (*work)(struct pool *, struct report_worker *, uint32_t i);
	pthread_mutex_t lock;
	uint32_t next, n;
	size_t bytes;                   /* of chunks that are done */
};

static double clock_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *worker(void *user)
{
	struct pool *p = user;
	struct report_worker w = { p->r, xl_context_new(p->r->target), xl_slot_new(), false };
	bool ok = w.context && w.slot;

	for (;;) {
		uint32_t i;

		pthread_mutex_lock(&p->lock);
		p->r->bad |= !ok;
		i = ok && p->next < p->n && !p->r->bad && (p->r->full || p->bytes < REPORT_PAGES) ? p->next++ : UINT32_MAX;
		pthread_mutex_unlock(&p->lock);
		if (i == UINT32_MAX)
			break;
		p->work(p, &w, i);
	}
	xl_slot_free(w.slot);
	xl_context_free(w.context);
	return NULL;
}

static void run(struct pool *p)
{
	unsigned want = p->r->threads, started = 0;
	pthread_t *thread = calloc(want, sizeof(*thread));

	pthread_mutex_init(&p->lock, NULL);
	while (thread && started + 1 < want && !pthread_create(&thread[started], NULL, worker, p))
		started++;
	worker(p);
	for (unsigned i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	pthread_mutex_destroy(&p->lock);
	free(thread);
}

static void measure(struct pool *p, struct report_worker *w, uint32_t i)
{
	struct report_row *row = &p->r->row[i];
	struct xl_record *record;
	double start;

	/* What crashed or hung in its own process would do so here. */
	if (row->record == XL_NO_PROGRAM || row->status == XL_INTERNAL)
		return;
	record = input_read(p->r->cache, row->record);
	if (!record)
		return;
	start = clock_now();
	xl_translate(w->context, record, row->program, &p->r->translate.options);
	row->seconds = clock_now() - start;
	input_unread(p->r->cache, record);
}

void report_measure(struct report *r)
{
	struct pool p = { .r = r, .work = measure, .n = r->nrow };

	run(&p);
}

static void pages(struct pool *p, struct report_worker *w, uint32_t i)
{
	struct report *r = p->r;
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	struct report_chunk *c = &r->chunk[i];

	if (f) {
		fputs("[", f);
		for (uint32_t k = i * REPORT_CHUNK; k < (i + 1) * REPORT_CHUNK && k < r->npage; k++) {
			fputs(k % REPORT_CHUNK ? ",\n" : "", f);
			report_page(w, f, &r->row[r->page[k]]);
		}
		fputs("]", f);
		if (!fclose(f))
			c->v = deflate_raw(text, n, &c->n);
	}
	free(text);
	pthread_mutex_lock(&p->lock);
	r->bad |= !c->v || w->bad;
	p->bytes += c->n;
	pthread_mutex_unlock(&p->lock);
}

void report_pages(struct report *r)
{
	struct pool p = { .r = r, .work = pages, .n = (r->npage + REPORT_CHUNK - 1) / REPORT_CHUNK };
	size_t bytes = 0;

	r->chunk = calloc(p.n + 1u, sizeof(*r->chunk));
	r->bad |= !r->chunk;
	if (r->bad)
		return;
	run(&p);
	/* As many as fit, however many threads made more: each was begun in order. */
	while (r->nchunk < p.n && r->chunk[r->nchunk].v && (r->full || bytes < REPORT_PAGES))
		bytes += r->chunk[r->nchunk++].n;
	for (uint32_t k = 0; k < r->npage && k / REPORT_CHUNK < r->nchunk; k++)
		r->row[r->page[k]].detail = k;
}
