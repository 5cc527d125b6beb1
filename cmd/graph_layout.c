/* graph_layout.c - places for blocks and edges, from top to bottom.
 *
 * Edges that close a loop are found by a walk from the entry and count the other way round; then every block is one layer below the
 * lowest of those before it. An edge that crosses layers bends in each. Within a layer blocks and bends are sorted by the mean place
 * of what they are joined to, some times down and up; then each is moved to where its neighbours are, as near as the order and
 * the distances allow (least squares, by pooling those that would overlap). An edge that closes a loop bends in the layers of both
 * its blocks, too: it leaves below the one, runs up beside both, and arrives above the other.
 */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

enum { GAP_X = 28, GAP_BEND = 14, GAP_Y = 44, SORTS = 8, MOVES = 12, CHAR_64THS = 468 };

/* A block or a bend in a layer. Neighbours: links[up .. up + nup) above, [down .. down + ndown) below. */
struct item { uint32_t node, bend; /* one of them is NONE */ double key, x, want; int w; uint32_t up, nup, down, ndown, edge; };
#define NONE UINT32_MAX
struct lay {
	struct graph *g;
	struct item *item;
	uint32_t nitem, *link, *first, *order, *temp; /* order: items by layer, from first[layer] on */
	struct pool { double sum, weight; uint32_t n; } *pool;
};

/* ---- loops and layers */
struct walk { uint32_t *at, *stack, *order, norder, *first, *out; uint8_t *state; };

static void visit(struct graph *g, struct walk *w, uint32_t root)
{
	uint32_t sp = 0;

	if (w->state[root])
		return;
	w->state[root] = 1;
	w->stack[sp++] = root;
	while (sp) {
		uint32_t n = w->stack[sp - 1];
		struct graph_edge *e;

		if (w->at[n] == w->first[n + 1]) {
			w->state[n] = 2;
			w->order[w->norder++] = n;
			sp--;
			continue;
		}
		e = &g->edge[w->out[w->at[n]++]];
		e->back = w->state[e->to] == 1;
		if (!w->state[e->to]) {
			w->state[e->to] = 1;
			w->stack[sp++] = e->to;
		}
	}
}

static bool layers(struct graph *g)
{
	struct walk w = { 0 };
	uint32_t n = g->nnode;
	bool ok;

	w.at = calloc(n + 1u, sizeof(*w.at));
	w.stack = calloc(n + 1u, sizeof(*w.stack));
	w.order = calloc(n + 1u, sizeof(*w.order));
	w.first = calloc(n + 2u, sizeof(*w.first));
	w.out = calloc(g->nedge + 1u, sizeof(*w.out));
	w.state = calloc(n + 1u, 1);
	ok = w.at && w.stack && w.order && w.first && w.out && w.state;
	if (ok) {
		for (uint32_t i = 0; i < g->nedge; i++)
			w.first[g->edge[i].from + 1]++;
		for (uint32_t i = 0; i < n; i++)
			w.first[i + 1] += w.first[i];
		memcpy(w.at, w.first, n * sizeof(*w.at));
		for (uint32_t i = 0; i < g->nedge; i++)
			w.out[w.at[g->edge[i].from]++] = i;
		memcpy(w.at, w.first, n * sizeof(*w.at));
		visit(g, &w, g->entry);
		for (uint32_t i = 0; i < n; i++)
			visit(g, &w, i);
		for (uint32_t i = n; i--;) {
			uint32_t from = w.order[i];

			for (uint32_t k = w.first[from]; k < w.first[from + 1]; k++) {
				const struct graph_edge *e = &g->edge[w.out[k]];

				if (!e->back && g->node[e->to].layer <= g->node[from].layer)
					g->node[e->to].layer = g->node[from].layer + 1;
			}
		}
		for (uint32_t i = 0; i < n; i++)
			g->nlayer = g->node[i].layer >= g->nlayer ? g->node[i].layer + 1 : g->nlayer;
	}
	free(w.at);
	free(w.stack);
	free(w.order);
	free(w.first);
	free(w.out);
	free(w.state);
	return ok;
}

static bool bends(struct graph *g)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < g->nedge; i++) {
		struct graph_edge *e = &g->edge[i];
		uint32_t a = g->node[e->from].layer, b = g->node[e->to].layer;

		e->nbend = e->back ? a - b + 1 : b - a - 1;
		e->cut = total + e->nbend > GRAPH_BENDS;
		e->nbend = e->cut ? 0 : e->nbend;
		e->bend = (uint32_t)total;
		total += e->nbend;
	}
	g->nbend = (uint32_t)total;
	g->bend = calloc(total + 1, sizeof(*g->bend));
	for (uint32_t i = 0; g->bend && i < g->nedge; i++) {
		const struct graph_edge *e = &g->edge[i];
		uint32_t layer = e->back ? g->node[e->to].layer : g->node[e->from].layer + 1;

		for (uint32_t k = 0; k < e->nbend; k++)
			g->bend[e->bend + k].layer = layer + k;
	}
	return g->bend;
}

/* ---- items and what they are joined to */
/* Calls for each pair of items that an edge joins, the upper one first. */
static void pairs(struct lay *l, void (*f)(struct lay *, uint32_t upper, uint32_t lower))
{
	const struct graph *g = l->g;

	for (uint32_t i = 0; i < g->nedge; i++) {
		const struct graph_edge *e = &g->edge[i];
		uint32_t b = g->nnode + e->bend, n = e->nbend;

		for (uint32_t k = 0; k + 1 < n; k++)
			f(l, b + k, b + k + 1);
		if (e->back || e->cut)
			continue;
		if (!n) {
			f(l, e->from, e->to);
			continue;
		}
		f(l, e->from, b);
		f(l, b + n - 1, e->to);
	}
}

static void count(struct lay *l, uint32_t upper, uint32_t lower)
{
	l->item[upper].ndown++;
	l->item[lower].nup++;
}

static void join(struct lay *l, uint32_t upper, uint32_t lower)
{
	struct item *a = &l->item[upper], *b = &l->item[lower];

	l->link[a->down + a->ndown++] = lower;
	l->link[b->up + b->nup++] = upper;
}

static bool items(struct lay *l)
{
	struct graph *g = l->g;
	uint32_t total = 0;

	for (uint32_t i = 0; i < l->nitem; i++) {
		l->item[i] = (struct item){ .node = i < g->nnode ? i : NONE, .bend = i < g->nnode ? NONE : i - g->nnode };
		l->item[i].w = i < g->nnode ? g->node[i].w : 0;
	}
	pairs(l, count);
	for (uint32_t i = 0; i < l->nitem; i++) {
		struct item *it = &l->item[i];

		it->up = total;
		it->down = total + it->nup;
		total += it->nup + it->ndown;
		it->nup = it->ndown = 0;
	}
	l->link = calloc(total + 1u, sizeof(*l->link));
	if (l->link)
		pairs(l, join);
	return l->link;
}

static uint32_t layer_of(const struct lay *l, uint32_t i)
{
	return i < l->g->nnode ? l->g->node[i].layer : l->g->bend[i - l->g->nnode].layer;
}

/* The first order: blocks as they come, each edge's bends behind the block that it leaves. */
static void first_order(struct lay *l)
{
	struct graph *g = l->g;
	uint32_t *at = l->temp;

	for (uint32_t i = 0; i < g->nnode; i++)
		l->item[i].key = i;
	for (uint32_t i = 0; i < g->nedge; i++) {
		for (uint32_t k = 0; k < g->edge[i].nbend; k++)
			l->item[g->nnode + g->edge[i].bend + k].key = (g->edge[i].back ? g->edge[i].to : g->edge[i].from) + 0.5;
	}
	for (uint32_t i = 0; i < l->nitem; i++)
		l->first[layer_of(l, i) + 1]++;
	for (uint32_t i = 0; i < g->nlayer; i++)
		l->first[i + 1] += l->first[i];
	memcpy(at, l->first, g->nlayer * sizeof(*at));
	for (uint32_t i = 0; i < l->nitem; i++)
		l->order[at[layer_of(l, i)]++] = i;
}

/* Stable, by key. */
static void merge_sort(struct lay *l, uint32_t *v, uint32_t n)
{
	for (uint32_t width = 1; width < n; width *= 2) {
		for (uint32_t a = 0; a < n; a += 2 * width) {
			uint32_t m = a + width < n ? a + width : n, e = m + width < n ? m + width : n, i = a, k = m, at = a;

			while (i < m || k < e)
				l->temp[at++] = k == e || (i < m && l->item[v[i]].key <= l->item[v[k]].key) ? v[i++] : v[k++];
		}
		memcpy(v, l->temp, n * sizeof(*v));
	}
}

static double mean(const struct lay *l, const struct item *it, bool up, bool down, double otherwise)
{
	double sum = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; up && i < it->nup; i++, n++)
		sum += l->item[l->link[it->up + i]].x;
	for (uint32_t i = 0; down && i < it->ndown; i++, n++)
		sum += l->item[l->link[it->down + i]].x;
	return n ? sum / n : otherwise;
}

static void sort_layer(struct lay *l, uint32_t layer, bool up, bool first)
{
	uint32_t *v = l->order + l->first[layer], n = l->first[layer + 1] - l->first[layer];

	for (uint32_t i = 0; i < n && !first; i++) {
		struct item *it = &l->item[v[i]];

		it->key = mean(l, it, up, !up, it->x);
	}
	merge_sort(l, v, n);
	for (uint32_t i = 0; i < n; i++)
		l->item[v[i]].x = n > 1 ? (double)i / (n - 1) : 0.5;
}

static void sort_all(struct lay *l)
{
	uint32_t n = l->g->nlayer;

	for (uint32_t i = 0; i < n; i++)
		sort_layer(l, i, true, true);
	for (unsigned s = 0; s < SORTS; s++) {
		for (uint32_t i = 0; i < n; i++)
			sort_layer(l, s % 2 ? n - 1 - i : i, !(s % 2), false);
	}
}

/* ---- x */
static double distance(const struct item *a, const struct item *b)
{
	return (a->w + b->w) / 2.0 + (a->node != NONE && b->node != NONE ? GAP_X : GAP_BEND);
}

/* Least squares of x to `want` with the distances kept. */
static void move_layer(struct lay *l, uint32_t layer)
{
	uint32_t *v = l->order + l->first[layer], n = l->first[layer + 1] - l->first[layer], np = 0, at = 0;
	double offset = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct item *it = &l->item[v[i]];
		double weight = it->node == NONE ? 4 : 1;

		offset += i ? distance(&l->item[v[i - 1]], it) : 0;
		l->pool[np++] = (struct pool){ (it->want - offset) * weight, weight, 1 };
		while (np > 1 && l->pool[np - 2].sum / l->pool[np - 2].weight > l->pool[np - 1].sum / l->pool[np - 1].weight) {
			np--;
			l->pool[np - 1].sum += l->pool[np].sum;
			l->pool[np - 1].weight += l->pool[np].weight;
			l->pool[np - 1].n += l->pool[np].n;
		}
	}
	offset = 0;
	for (uint32_t p = 0; p < np; p++) {
		for (uint32_t i = 0; i < l->pool[p].n; i++, at++) {
			offset += at ? distance(&l->item[v[at - 1]], &l->item[v[at]]) : 0;
			l->item[v[at]].x = l->pool[p].sum / l->pool[p].weight + offset;
		}
	}
}

static void move_all(struct lay *l)
{
	uint32_t n = l->g->nlayer;

	for (uint32_t k = 0; k < n; k++) {
		double x = 0;

		for (uint32_t i = l->first[k]; i < l->first[k + 1]; i++) {
			struct item *it = &l->item[l->order[i]];

			x += i > l->first[k] ? distance(&l->item[l->order[i - 1]], it) : 0;
			it->x = x;
		}
	}
	for (unsigned m = 0; m < MOVES; m++) {
		for (uint32_t j = 0; j < n; j++) {
			uint32_t k = m % 2 ? n - 1 - j : j;

			for (uint32_t i = l->first[k]; i < l->first[k + 1]; i++) {
				struct item *it = &l->item[l->order[i]];

				it->want = mean(l, it, !(m % 2) || m + 2 >= MOVES, m % 2 || m + 2 >= MOVES, it->x);
			}
			move_layer(l, k);
		}
	}
}

/* ---- pixels */
static void sizes(struct graph *g)
{
	for (uint32_t i = 0; i < g->nnode; i++) {
		struct graph_node *n = &g->node[i];
		const char *s = g->text + n->line;
		size_t most = strlen(g->text + n->title) + 2;

		for (uint32_t k = 0; k < n->nline; k++, s += strlen(s) + 1)
			most = strlen(s) > most ? strlen(s) : most;
		most = most > g->limits.columns ? g->limits.columns : most < 8 ? 8 : most;
		n->w = (int)(most * CHAR_64THS / 64) + 2 * GRAPH_PAD;
		n->h = (int)(n->nline + 1 + (n->hidden != 0)) * GRAPH_LINE + 2 * GRAPH_PAD;
	}
}

static void pixels(struct lay *l)
{
	struct graph *g = l->g;
	double left = 1e9, right = 0;
	int y = GRAPH_MARGIN + GAP_Y;

	for (uint32_t i = 0; i < l->nitem; i++) {
		const struct item *it = &l->item[i];

		left = it->x - it->w / 2.0 < left ? it->x - it->w / 2.0 : left;
		right = it->x + it->w / 2.0 > right || !i ? it->x + it->w / 2.0 : right;
	}
	for (uint32_t i = 0; i < l->nitem; i++) {
		const struct item *it = &l->item[i];
		int x = (int)(it->x - left) + GRAPH_MARGIN;

		if (it->node != NONE)
			g->node[it->node].x = x - it->w / 2;
		else
			g->bend[it->bend].x = x;
	}
	for (uint32_t i = 0; i < g->nnode; i++) {
		int *h = &g->layer_h[g->node[i].layer];

		*h = g->node[i].h > *h ? g->node[i].h : *h;
	}
	for (uint32_t k = 0; k < g->nlayer; k++) {
		g->layer_y[k] = y;
		y += g->layer_h[k] + GAP_Y;
	}
	for (uint32_t i = 0; i < g->nnode; i++)
		g->node[i].y = g->layer_y[g->node[i].layer];
	g->width = (int)(right - left) + 2 * GRAPH_MARGIN;
	g->height = y + GRAPH_MARGIN;
}

/* Where the edges of a block leave or arrive: beside each other, in the order of where they go. */
static int by_place(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : x[1] < y[1] ? -1 : x[1] > y[1];
}

static bool ports(struct graph *g, bool out)
{
	int (*v)[3] = calloc(g->nedge + 1u, sizeof(*v));
	uint32_t n = 0;

	if (!v)
		return false;
	/* Sorted by block, then by the next place on the way. */
	for (uint32_t i = 0; i < g->nedge; i++) {
		const struct graph_edge *e = &g->edge[i];
		const struct graph_node *to = &g->node[out ? e->to : e->from];
		uint32_t k = e->bend + (out == e->back ? e->nbend - 1 : 0);

		v[n][0] = (int)(out ? e->from : e->to);
		v[n][1] = e->nbend ? g->bend[k].x : to->x + to->w / 2;
		v[n++][2] = (int)i;
	}
	qsort(v, n, sizeof(*v), by_place);
	for (uint32_t i = 0, e; i < n; i = e) {
		const struct graph_node *b = &g->node[v[i][0]];

		for (e = i; e < n && v[e][0] == v[i][0]; e++)
			;
		for (uint32_t k = i; k < e; k++) {
			int spread = e - i < 2 ? 0 : (b->w - 24 < 22 * (int)(e - i) ? b->w - 24 : 22 * (int)(e - i));
			int x = b->x + b->w / 2 - spread / 2 + (e - i < 2 ? 0 : (int)((long)spread * (k - i) / (e - i - 1)));

			*(out ? &g->edge[v[k][2]].out : &g->edge[v[k][2]].in) = x;
		}
	}
	free(v);
	return true;
}

void graph_layout(struct graph *g)
{
	struct lay l = { .g = g };

	sizes(g);
	if (g->bad || !g->nnode || !layers(g) || !bends(g)) {
		g->bad |= g->nnode != 0;
		return;
	}
	l.nitem = g->nnode + g->nbend;
	l.item = calloc(l.nitem, sizeof(*l.item));
	l.order = calloc(l.nitem, sizeof(*l.order));
	l.temp = calloc((size_t)l.nitem + g->nlayer, sizeof(*l.temp));
	l.first = calloc(g->nlayer + 1u, sizeof(*l.first));
	l.pool = calloc(l.nitem, sizeof(*l.pool));
	g->layer_y = calloc(g->nlayer, sizeof(*g->layer_y));
	g->layer_h = calloc(g->nlayer, sizeof(*g->layer_h));
	if (l.item && l.order && l.temp && l.first && l.pool && g->layer_y && g->layer_h && items(&l)) {
		first_order(&l);
		sort_all(&l);
		move_all(&l);
		pixels(&l);
		g->bad |= !ports(g, true) || !ports(g, false);
	} else {
		g->bad = true;
	}
	free(l.item);
	free(l.order);
	free(l.temp);
	free(l.first);
	free(l.pool);
	free(l.link);
}
