/* diag.h - diagnostics: coded, located, collected by a sink. And remarks: what a pass decided and why.
 *
 * A diagnostic is {code, program, guest byte offset, disassembly, text}. Library code never prints.
 */
#ifndef XL_DIAG_H
#define XL_DIAG_H

#include <stdint.h>

enum diag_severity { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE };
enum diag_class { DIAG_C_MALFORMED, DIAG_C_UNSUPPORTED, DIAG_C_TARGET, DIAG_C_INTERNAL, DIAG_C_IO, DIAG_C_USAGE };

enum diag_code {
	DIAG_OK,
#define DIAG(name, code, severity, cls, text) DIAG_##name,
#include "diag.def"
#undef DIAG
	DIAG_COUNT
};

#define DIAG_NO_ADDR UINT32_MAX /* the diagnostic has no guest address */

struct diag {
	enum diag_code code;
	const char *program; /* record name, or NULL */
	const char *isa;     /* "gfx1030", or NULL */
	uint32_t addr;       /* guest byte offset into the code, or DIAG_NO_ADDR */
	const char *inst;    /* disassembly of the instruction there, or NULL */
	const char *text;    /* the reason, one line */
};

/* A remark: `xlate explain` prints these. */
struct remark {
	const char *pass;    /* a name in the code: it stays */
	uint32_t addr;
	const char *text;
};

/* Where diagnostics and remarks go. The callbacks copy what they keep, but for a remark's pass. `remark` may be NULL. */
struct diag_sink {
	void (*emit)(void *user, const struct diag *);
	void (*remark)(void *user, const struct remark *);
	void *user;
	const char *program, *isa;                                               /* filled into every diagnostic */
	void (*locate)(void *user, uint32_t addr, char *text, uint32_t cap);     /* disassembly at addr, or NULL */
	uint32_t errors;                                                         /* emitted so far */
};

void diag_emit(struct diag_sink *s, enum diag_code code, uint32_t addr, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void diag_say(struct diag_sink *s, const char *pass, uint32_t addr, const char *text); /* a remark as it stands */
/* "BEFOREn WHAT", and "n WHAT": what most programs have is not worth a printf. */
void diag_number(struct diag_sink *s, const char *pass, uint32_t addr, const char *before, unsigned n, const char *what);
void diag_count(struct diag_sink *s, const char *pass, uint32_t addr, unsigned n, const char *what);
void diag_remark(struct diag_sink *s, const char *pass, uint32_t addr, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

const char *diag_name(enum diag_code code);     /* "bad-branch" */
const char *diag_meaning(enum diag_code code);  /* the one-line meaning */
enum diag_severity diag_severity(enum diag_code code);
enum diag_class diag_class(enum diag_code code);
enum diag_code diag_find(const char *name);     /* DIAG_OK when unknown */

#endif
