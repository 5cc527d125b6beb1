/* isa_text.h - building one line of disassembly. What printf does, without its cost: a line takes a dozen calls. */
#ifndef XL_ISA_TEXT_H
#define XL_ISA_TEXT_H

#include <stddef.h>

struct isa_text {
	char *at;
	size_t left; /* bytes left, the terminating 0 among them; never 0 */
};

/* `text` of cap > 0 bytes becomes "". What does not fit is cut off. */
void isa_text_init(struct isa_text *, char *text, size_t cap);
void isa_text_put(struct isa_text *, const char *s);
void isa_text_putn(struct isa_text *, const char *s, size_t n);
/* Of printf's forms only %s, %c, %u, %d, %x and the last three with l or ll; no widths, no flags. */
void isa_text_form(struct isa_text *, const char *form, ...) __attribute__((format(printf, 2, 3)));

#endif
