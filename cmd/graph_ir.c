/* graph_ir.c - the control flow of a function in the text form of xlate-ir(5): blocks are lines `bN:`, the last line of each says
 * where control goes. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

/* b12 -> 12; UINT32_MAX: no block. *end is behind it. */
static uint32_t block(const char *s, const char **end)
{
	char *e;
	unsigned long n;

	while (*s == ' ')
		s++;
	if (s[0] != 'b' || s[1] < '0' || s[1] > '9')
		return UINT32_MAX;
	n = strtoul(s + 1, &e, 10);
	*end = e;
	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

static void edge(struct graph *g, uint32_t from, const char *s, enum graph_kind kind, const char *label)
{
	const char *end;
	uint32_t to = block(s, &end);

	if (to != UINT32_MAX)
		graph_edge(g, from, to, kind, label);
}

/* `value, 3: b4, 9: b5, else: b6` */
static void cases(struct graph *g, uint32_t from, const char *s)
{
	while ((s = strchr(s, ','))) {
		const char *colon;
		char label[24];
		size_t n;

		s += strspn(s, ", ");
		colon = strchr(s, ':');
		if (!colon)
			return;
		n = (size_t)(colon - s) < sizeof(label) - 1 ? (size_t)(colon - s) : sizeof(label) - 1;
		memcpy(label, s, n);
		label[n] = 0;
		edge(g, from, colon + 1, GRAPH_CASE, label);
		s = colon;
	}
}

static void terminator(struct graph *g, uint32_t from, const char *s)
{
	const char *yes, *no;

	if (!strncmp(s, "br ", 3)) {
		edge(g, from, s + 3, GRAPH_JUMP, NULL);
	} else if (!strncmp(s, "brc ", 4)) {
		yes = strchr(s, ',');
		no = yes ? strchr(yes + 1, ',') : NULL;
		if (!no)
			return;
		edge(g, from, yes + 1, GRAPH_TAKEN, "true");
		edge(g, from, no + 1, GRAPH_OTHER, "false");
	} else if (!strncmp(s, "sw ", 3)) {
		cases(g, from, s + 3);
	}
}

static void line(struct graph *g, const char *s, char **last)
{
	const char *end;

	if (*s == '\t') {
		graph_line(g, s + 1);
		free(*last);
		*last = strdup(s + 1);
		g->bad |= !*last;
	} else if (block(s, &end) != UINT32_MAX && *end == ':') {
		if (g->nnode && *last)
			terminator(g, g->nnode - 1, *last);
		free(*last);
		*last = NULL;
		graph_node(g, s);
	}
}

/* Blocks stand in the text in the order of their numbers: those past the limit are the last. */
static void limit(struct graph *g)
{
	uint32_t n = 0;

	if (g->nnode > g->limits.blocks) {
		g->left_out = g->nnode - g->limits.blocks;
		g->nnode = g->limits.blocks;
	}
	for (uint32_t i = 0; i < g->nedge; i++) {
		if (g->edge[i].from < g->nnode && g->edge[i].to < g->nnode)
			g->edge[n++] = g->edge[i];
	}
	g->nedge = n;
}

void graph_of_ir(struct graph *g, const char *text)
{
	char *last = NULL, *copy = NULL;

	for (const char *end; *text && !g->bad; text = *end ? end + 1 : end) {
		end = text + strcspn(text, "\n");
		copy = strndup(text, (size_t)(end - text));
		if (copy)
			line(g, copy, &last);
		g->bad |= !copy;
		free(copy);
	}
	if (g->nnode && last)
		terminator(g, g->nnode - 1, last);
	free(last);
	limit(g);
}
