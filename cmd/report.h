/* report.h - the parts of `xlate report`: rows, what is measured and shown of each, the page. */
#ifndef XL_CMD_REPORT_H
#define XL_CMD_REPORT_H

#include "cmd.h"

struct report_row {
	uint32_t index;                 /* in the package */
	const char *name, *stage, *cpu;
	const char *code;               /* why it was refused; NULL: it was not */
	char *text;                     /* ... in words, or NULL */
	char key[33];
	uint32_t wave, guest_words, words;
	int status;                     /* enum xl_status */
	uint32_t record, program;       /* in the cache; XL_NO_PROGRAM: it has none of this key and name */
	double seconds;                 /* to translate and validate; below 0: not measured */
	uint32_t detail;                /* number of its page, or XL_NO_PROGRAM */
};
enum { REPORT_CHUNK = 8 /* pages compressed together */, REPORT_PAGES = 16 << 20 /* bytes of them, compressed */,
	REPORT_TEXT = 192 << 10 /* bytes of each text on a page */ };

struct report {
	const struct input *package, *cache; /* cache: or NULL */
	const struct xl_target *target;
	struct translate translate;
	unsigned threads;
	bool full;                      /* a page for every program, nothing cut */
	struct report_row *row;
	uint32_t nrow;
	uint32_t *page;                 /* rows that may get pages, the most wanted first */
	uint32_t npage;
	struct report_chunk { uint8_t *v; size_t n; } *chunk;
	uint32_t nchunk;
	bool bad;                       /* out of memory */
};

/* report_run.c: on `threads` threads. */
void report_measure(struct report *);
void report_pages(struct report *); /* chunks, as many as are wanted; sets row.detail */
/* report_page.c: a page as JSON. */
struct report_worker { struct report *r; struct xl_context *context; struct xl_slot *slot; bool bad; /* out of memory */ };
void report_page(struct report_worker *, FILE *, const struct report_row *);
/* report_write.c: the whole file. False: out of memory or not written. */
bool report_write(const struct report *, FILE *);

#endif
