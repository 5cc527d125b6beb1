/* graph_svg.c - a graph that has its places as SVG. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

static const char style[] =
#include "cmd_graph.css.inc"
	;
enum { LINE = 16, PAD = 8, CURVE = 22, MARGIN = 24 };

/* Bytes of the UTF-8 character at s, 0: none that XML takes. */
static size_t character(const unsigned char *s, size_t n)
{
	size_t more = s[0] >= 0xf0 ? 3 : s[0] >= 0xe0 ? 2 : 1;
	uint32_t c = s[0] & (0x3f >> more);

	if (s[0] < 0x80)
		return s[0] >= 0x20 && s[0] != 0x7f;
	if (s[0] < 0xc2 || s[0] > 0xf4 || n <= more)
		return 0;
	for (size_t i = 1; i <= more; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	/* No overlong forms, surrogates, controls; nothing that turns text round. */
	if (c < (more == 1 ? 0xa0u : more == 2 ? 0x800u : 0x10000u) || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) || c >= 0xfffe)
		return (c >= 0x10000 && c <= 0x10ffff && more == 3) ? 4 : 0;
	if ((c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff)
		return 0;
	return more + 1;
}

void graph_escape(FILE *f, const char *s, size_t n)
{
	for (size_t i = 0, k; i < n; i += k) {
		const unsigned char *u = (const unsigned char *)s + i;

		k = character(u, n - i);
		if (!k)
			k = 1, fputs(*u == '\n' || *u == '\t' ? " " : "?", f);
		else if (*u == '<' || *u == '>' || *u == '&' || *u == '"' || *u == '\'')
			fprintf(f, "&#%u;", *u);
		else
			fwrite(u, 1, k, f);
	}
}

static void text(FILE *f, const char *s)
{
	graph_escape(f, s, strlen(s));
}

static void node(const struct graph *g, FILE *f, const struct graph_node *n)
{
	const char *s = g->text + n->line;
	int x = n->x + PAD, y = n->y + PAD + 12;

	fprintf(f, "<g class=\"b%s\"><rect class=\"box\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\"/>", n->odd ? " odd" : "", n->x,
		n->y, n->w, n->h);
	fprintf(f, "<text class=\"t\" x=\"%d\" y=\"%d\">", x, y);
	text(f, g->text + n->title);
	fputs("</text>", f);
	for (uint32_t i = 0; i < n->nline; i++, s += strlen(s) + 1) {
		fprintf(f, "<text x=\"%d\" y=\"%d\">", x, y += LINE);
		text(f, s);
		fputs("</text>", f);
	}
	if (n->hidden)
		fprintf(f, "<text class=\"n\" x=\"%d\" y=\"%d\">\xe2\x80\xa6 %u more line%s</text>", x, y + LINE, n->hidden,
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
	text(f, g->text + a->title);
	fputs(e->cut ? " to far " : " to ", f);
	text(f, g->text + b->title);
	fputs("</title>", f);
	if (e->cut) {
		fprintf(f, "<path d=\"M%d %dv12\"/><text class=\"l\" x=\"%d\" y=\"%d\">to ", e->out, a->y + a->h, e->out + 4, a->y + a->h + 12);
		text(f, g->text + b->title);
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
		text(f, g->text + e->label);
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
	text(f, title);
	fputs("</title>\n", f);
	if (alone)
		fprintf(f, "<style>\n%s</style>\n", style);
	fprintf(f, "<rect class=\"bg\" width=\"%d\" height=\"%d\"/><text class=\"h\" x=\"%d\" y=\"%d\">", width, height, MARGIN, MARGIN);
	text(f, title);
	fputs("</text>", f);
	if (g->left_out || g->full)
		fprintf(f, "<text class=\"n\" x=\"%d\" y=\"%d\">%u of %u blocks%s</text>", MARGIN, MARGIN + LINE, n,
			n + g->left_out, g->full ? ", not all ways between them" : "");
	else
		fprintf(f, "<text class=\"n\" x=\"%d\" y=\"%d\">%u block%s</text>", MARGIN, MARGIN + LINE, n, n == 1 ? "" : "s");
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
