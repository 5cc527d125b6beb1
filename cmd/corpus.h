/* corpus.h - the parts of `xlate corpus run`: records of a folder, what became of them, the baseline.
 *
 * A corpus is a folder: FAMILY/NAME.json are records (xlate import reads them), spv/ the modules that their programs were compiled
 * from, where a record names them. What is executed or compiled by a driver is so by the project's test tools, where they are given.
 */
#ifndef XL_CMD_CORPUS_H
#define XL_CMD_CORPUS_H

#include "build.h"

/* One program. Strings are its own; NULL or negative: not known. A baseline has the same columns. */
struct corpus_row {
	char *family, *name, *stage;    /* NAME.STAGE is the program */
	char *status, *code;            /* ok refused failed; the diagnostic's code */
	char *valid;                    /* yes no */
	char *equal;                    /* the executor's word: equal differs crash ... */
	double words, cost;             /* of the module; the driver's instructions for it by those of the original */
	/* own */
	uint32_t record;
	double instructions;            /* of the original on its GPU */
	char key[33];
};
struct corpus_record {
	char *family, *name, *file;
	char *gpu;                      /* whose driver recorded it, or NULL */
	char *originals[8], *stages[8]; /* its modules in order */
	bool real[8];                   /* a translation stands for it */
	unsigned nstage, wave;
	char *options;                  /* for the executor */
	char *colors;
	bool pair, linked;
	uint32_t row, nrow;             /* its programs */
};
struct corpus {
	const char *dir;
	char *work;                     /* a folder for what is made on the way */
	struct corpus_record *record;
	uint32_t nrecord;
	struct corpus_row *row;         /* sorted by corpus_row_order, no two the same */
	uint32_t nrow;
	size_t record_cap, row_cap;
	unsigned threads;
	struct translate translate;
	volatile int *stop;             /* set by a signal */
};

/* corpus_find.c. 0, else the exit code after a message. */
int corpus_find(struct corpus *);
void corpus_free(struct corpus *);
void corpus_row_free(struct corpus_row *);
/* corpus_tools.c: translates the records of `gpu` (NULL: all) for `target`, modules into WORK/SUB/FAMILY/NAME.STAGE.spv; `note`: into
 * the rows. */
int corpus_translate(struct corpus *, const char *gpu, const char *target, const char *sub, bool note);
int corpus_execute(struct corpus *, const char *executor);
int corpus_costs(struct corpus *, const char *compiler);
/* corpus_base.c */
int corpus_row_order(const void *, const void *); /* by family, name, stage */
struct corpus_base { struct corpus_row *row; uint32_t n; };
int corpus_base_read(struct corpus_base *, const char *path); /* 0; XL_UNREADABLE; -1: there is none */
int corpus_base_write(const struct corpus *, const struct corpus_base *old, const char *path);
void corpus_base_free(struct corpus_base *);
/* Prints what changed; how many got worse. The baseline may be NULL. */
uint32_t corpus_compare(FILE *, const struct corpus *, const struct corpus_base *, double tolerance, bool quiet, FILE *junit);

#endif
