/* graph.c - the parts of a picture: strings in one pool, nodes and edges in arrays. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

void graph_init(struct graph *g, struct graph_limits limits)
{
	memset(g, 0, sizeof(*g));
	g->limits = limits;
}

void graph_free(struct graph *g)
{
	free(g->text);
	free(g->node);
	free(g->edge);
	free(g->bend);
	free(g->layer_y);
	free(g->layer_h);
	memset(g, 0, sizeof(*g));
}

static bool room(struct graph *g, void **v, size_t *cap, size_t want, size_t size)
{
	size_t n = *cap ? *cap : 64;
	void *grown;

	if (want <= *cap)
		return true;
	while (n < want)
		n *= 2;
	grown = realloc(*v, n * size);
	if (!grown) {
		g->bad = true;
		return false;
	}
	*v = grown;
	*cap = n;
	return true;
}

/* At most `most` characters, the last one dots where there were more. Offset 0 is the empty string. */
static size_t put(struct graph *g, const char *s, size_t most)
{
	static const char dots[] = "\xe2\x80\xa6";
	size_t n = strlen(s), at;
	bool cut = n > most;

	n = cut ? most - 1 : n;
	if (!room(g, (void **)&g->text, &g->text_cap, g->ntext + n + 8, 1))
		return 0;
	if (!g->ntext)
		g->text[g->ntext++] = 0;
	at = g->ntext;
	memcpy(g->text + at, s, n);
	g->ntext += n;
	if (cut) {
		memcpy(g->text + g->ntext, dots, 3);
		g->ntext += 3;
	}
	g->text[g->ntext++] = 0;
	return at;
}

void graph_node(struct graph *g, const char *title)
{
	if (!room(g, (void **)&g->node, &g->node_cap, g->nnode + 1u, sizeof(*g->node)))
		return;
	g->node[g->nnode] = (struct graph_node){ .title = put(g, title, g->limits.columns) };
	g->node[g->nnode++].line = g->ntext;
}

void graph_line(struct graph *g, const char *text)
{
	struct graph_node *n = g->nnode ? &g->node[g->nnode - 1] : NULL;

	if (!n || n->nline == g->limits.lines) {
		if (n)
			n->hidden++;
		return;
	}
	put(g, text, g->limits.columns);
	n->nline++;
}

void graph_edge(struct graph *g, uint32_t from, uint32_t to, enum graph_kind kind, const char *label)
{
	if (g->nedge == GRAPH_EDGES) {
		g->full = true;
		return;
	}
	if (!room(g, (void **)&g->edge, &g->edge_cap, g->nedge + 1u, sizeof(*g->edge)))
		return;
	g->edge[g->nedge++] = (struct graph_edge){ .from = from, .to = to, .kind = (uint8_t)kind,
		.label = label ? put(g, label, 24) : 0 };
}
