/* reduce.h - the parts of `xlate reduce`: the candidate at hand, its code, and whether it still fails the same way. */
#ifndef XL_CMD_REDUCE_H
#define XL_CMD_REDUCE_H

#include "cmd.h"

/* How a program ends: what has to stay. */
struct reduce_end {
	enum { END_OK, END_REFUSED, END_CRASH, END_HANG, END_MEMORY } kind;
	int signal;             /* END_CRASH */
	char code[40];          /* END_REFUSED: of the first error */
	char inst[40];          /* its instruction's mnemonic, "" none */
};

struct reduce_code { uint8_t *v; uint32_t size, exec_size, entry; };

struct reduce {
	const struct xl_record *record;
	uint32_t program;
	struct xl_program_info info;
	const struct xl_target *target;
	struct translate translate;
	const char *test;       /* a command, or NULL */
	struct reduce_end want;
	unsigned time_limit;    /* seconds */
	unsigned long attempts, left;
	volatile int *stop;     /* set by a signal */
	char *candidate;        /* a file for the command */
	/* the smallest so far */
	struct reduce_code code;
	uint8_t *keep;
	uint32_t nkeep;
};

/* reduce_test.c */
/* "v_mov_b32 v0, 1" and "r0 = mov 1": the operation's name. */
void reduce_mnemonic(const char *inst, char *name, size_t cap);
bool reduce_end_of(const struct reduce *, const struct xl_record *, uint32_t program, struct reduce_end *);
bool reduce_goes_on(const struct reduce *); /* attempts are left, and nobody said stop */
/* Whether this code and these parts fail the same way; then they are the smallest so far. Counts against `left`. */
bool reduce_try(struct reduce *, const struct reduce_code *, const uint8_t *keep);
struct xl_record *reduce_record(const struct reduce *, const struct reduce_code *, const uint8_t *keep, uint32_t *program);

/* reduce_code.c: smaller code, as long as it goes. True: something was gained. */
bool reduce_cut(struct reduce *);      /* an end instead of a tail */
bool reduce_blank(struct reduce *);    /* instructions that do nothing instead of others */
bool reduce_remove(struct reduce *);   /* without those, branches put right */
bool reduce_operands(struct reduce *); /* zero bytes in what is left */
uint32_t reduce_instructions(const struct reduce *, const struct reduce_code *); /* that do something */

#endif
