/* graph_svg.c - a graph that has its places as SVG. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

static const char style[] =
#include "cmd_graph.css.inc"
	;
enum { CURVE = 22 };

static void node(const struct graph *g, FILE *f, const struct graph_node *n)
{
	const char *s = g->text + n->line;
	int x = n->x + GRAPH_PAD, y = n->y + GRAPH_PAD + 12;

	fprintf(f, "<g class=\"b%s\"><rect class=\"box\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\"/>", n->odd ? " odd" : "", n->x,
		n->y, n->w, n->h);
	fprintf(f, "<text class=\"t\" x=\"%d\" y=\"%d\">", x, y);
	xml_text(f, g->text + n->title);
	fputs("</text>", f);
	for (uint32_t i = 0; i < n->nline; i++, s += strlen(s) + 1) {
		fprintf(f, "<text x=\"%d\" y=\"%d\">", x, y += GRAPH_LINE);
		xml_text(f, s);
		fputs("</text>", f);
	}
	if (n->hidden)
		fprintf(f, "<text class=\"n\" x=\"%d\" y=\"%d\">\xe2\x80\xa6 %u more line%s</text>", x, y + GRAPH_LINE, n->hidden,
			n->hidden == 1 ? "" : "s");
	fputs("</g>\n", f);
}

static void curve(FILE *f, int x0, int y0, int x1, int y1, int reach)
{
	if (x0 == x1 && (y1 > y0) == (reach > 0))
		fprintf(f, "V%d", y1);
	else
		fprintf(f, "C%d %d %d %d %d %d", x0, y0 + reach, x1, y1 - reach, x1, y1);
}

static int bottom(const struct graph *g, uint32_t layer)
{
	return g->layer_y[layer] + g->layer_h[layer];
}

static void down(const struct graph *g, FILE *f, const struct graph_edge *e)
{
	const struct graph_node *a = &g->node[e->from], *b = &g->node[e->to];
	int x = e->out, y = bottom(g, a->layer);

	fprintf(f, "M%d %dV%d", x, a->y + a->h, y);
	for (uint32_t i = 0; i < e->nbend; i++) {
		const struct graph_bend *p = &g->bend[e->bend + i];

		curve(f, x, y, p->x, g->layer_y[p->layer], CURVE);
		x = p->x;
		y = bottom(g, p->layer);
		fprintf(f, "V%d", y);
	}
	curve(f, x, y, e->in, b->y - 6, CURVE);
}

static void up(const struct graph *g, FILE *f, const struct graph_edge *e)
{
	const struct graph_node *a = &g->node[e->from], *b = &g->node[e->to];
	int x = g->bend[e->bend + e->nbend - 1].x, y = bottom(g, a->layer);

	fprintf(f, "M%d %dV%dC%d %d %d %d %d %d", e->out, a->y + a->h, y, e->out, y + CURVE, x, y + CURVE, x, y);
	for (uint32_t i = e->nbend; i--;) {
		const struct graph_bend *p = &g->bend[e->bend + i];

		if (i + 1 < e->nbend)
			curve(f, x, y, p->x, bottom(g, p->layer), -CURVE);
		x = p->x;
		y = g->layer_y[p->layer];
		fprintf(f, "V%d", y);
	}
	fprintf(f, "C%d %d %d %d %d %d", x, y - CURVE, e->in, y - CURVE - 6, e->in, b->y - 6);
}

static void edge(const struct graph *g, FILE *f, const struct graph_edge *e)
{
	static const char *const names[] = {
#define K(id, name) [GRAPH_##id] = name,
		GRAPH_KINDS(K)
#undef K
	};
	const struct graph_node *a = &g->node[e->from], *b = &g->node[e->to];

	fprintf(f, "<g class=\"e %s%s\"><title>", names[e->kind], e->back ? " back" : "");
	xml_text(f, g->text + a->title);
	fputs(e->cut ? " to far " : " to ", f);
	xml_text(f, g->text + b->title);
	fputs("</title>", f);
	if (e->cut) {
		fprintf(f, "<path d=\"M%d %dv12\"/><text class=\"l\" x=\"%d\" y=\"%d\">to ", e->out, a->y + a->h, e->out + 4, a->y + a->h + 12);
		xml_text(f, g->text + b->title);
		fputs("</text></g>\n", f);
		return;
	}
	fputs("<path d=\"", f);
	if (e->back)
		up(g, f, e);
	else
		down(g, f, e);
	fprintf(f, "\"/><polygon points=\"%d,%d %d,%d %d,%d\"/>", e->in - 4, b->y - 8, e->in + 4, b->y - 8, e->in, b->y);
	if (e->label) {
		fprintf(f, "<text class=\"l\" x=\"%d\" y=\"%d\">", e->out + 4, a->y + a->h + 12);
		xml_text(f, g->text + e->label);
		fputs("</text>", f);
	}
	fputs("</g>\n", f);
}

static void head(const struct graph *g, FILE *f, const char *title, bool alone)
{
	uint32_t n = g->nnode - g->outside;
	int width = g->width < 480 ? 480 : g->width, height = g->height < 80 ? 80 : g->height;

	fprintf(f, "<svg%s class=\"g\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\"><title>",
		alone ? " xmlns=\"http://www.w3.org/2000/svg\"" : "", width, height, width, height);
	xml_text(f, title);
	fputs("</title>\n", f);
	if (alone)
		fprintf(f, "<style>\n%s</style>\n", style);
	fprintf(f, "<rect class=\"bg\" width=\"%d\" height=\"%d\"/><text class=\"h\" x=\"%d\" y=\"%d\">", width, height, GRAPH_MARGIN, GRAPH_MARGIN);
	xml_text(f, title);
	fputs("</text>", f);
	if (g->left_out || g->full)
		fprintf(f, "<text class=\"n\" x=\"%d\" y=\"%d\">%u of %u blocks%s</text>", GRAPH_MARGIN, GRAPH_MARGIN + GRAPH_LINE, n,
			n + g->left_out, g->full ? ", not all ways between them" : "");
	else
		fprintf(f, "<text class=\"n\" x=\"%d\" y=\"%d\">%u block%s</text>", GRAPH_MARGIN, GRAPH_MARGIN + GRAPH_LINE, n, n == 1 ? "" : "s");
	fputs("\n", f);
}

bool graph_svg(struct graph *g, FILE *f, const char *title, bool alone)
{
	if (g->bad)
		return false;
	head(g, f, title, alone);
	for (uint32_t i = 0; i < g->nedge; i++)
		edge(g, f, &g->edge[i]);
	for (uint32_t i = 0; i < g->nnode; i++)
		node(g, f, &g->node[i]);
	fputs("</svg>\n", f);
	return true;
}
