/* graph_guest.c - the control flow of guest code: followed from the entry, cut into blocks where something jumps to. The control
 * stack of sm53 is followed along the first way to each place. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

enum { STARTS = 1, LEADER = 2, FRAMES = 1 << 14, DEEP = 64, WORD = 4 /* every instruction starts at a multiple */ };
struct frame { uint32_t below, depth; int64_t target; int stack; };
struct code {
	const struct xl_program_info *p;
	uint8_t *flag;           /* by word */
	uint32_t *stack;         /* of the leader there: frame, 0 none */
	uint32_t *number;        /* of the leader there: node + 1, 0 not drawn */
	uint32_t words;
	struct frame *frame;
	uint32_t *made;          /* of the push there: frame */
	uint32_t nframe;
	uint32_t *todo, ntodo;
};

static int flow_at(const struct code *c, uint32_t at, struct xl_flow *f)
{
	return xl_flow_at(c->p->cpu, c->p->wave, c->p->code, c->p->exec_size, at, f);
}

static uint32_t step(const struct code *c, uint32_t at)
{
	return (uint32_t)xl_isa_next(c->p->cpu, c->p->code, c->p->exec_size, at);
}

static bool inside(const struct code *c, int64_t at)
{
	return at >= 0 && at < c->p->exec_size && at % WORD == 0;
}

static void lead(struct code *c, int64_t at, uint32_t stack)
{
	uint32_t w;

	if (!inside(c, at) || (at = step(c, (uint32_t)at)) >= c->p->exec_size)
		return;
	w = (uint32_t)at / WORD;
	if (c->flag[w] & LEADER)
		return;
	c->flag[w] |= LEADER;
	c->stack[w] = stack;
	c->todo[c->ntodo++] = (uint32_t)at;
}

static uint32_t push(struct code *c, uint32_t below, const struct xl_flow *f)
{
	if (c->nframe == FRAMES || c->frame[below].depth == DEEP)
		return below;
	c->frame[c->nframe] = (struct frame){ below, c->frame[below].depth + 1, f->target, f->stack };
	return c->nframe++;
}

/* The frame that a pop goes to, or 0. */
static uint32_t top(const struct code *c, uint32_t stack, int kind)
{
	while (stack && c->frame[stack].stack != kind)
		stack = c->frame[stack].below;
	return stack;
}

/* Marks what can be reached from a leader in a straight line, and where that leads. */
static void trace(struct code *c, uint32_t at)
{
	uint32_t stack = c->stack[at / WORD];

	for (at = step(c, at); at < c->p->exec_size; at = step(c, at)) {
		struct xl_flow f;
		int n = flow_at(c, at, &f);
		uint32_t to;

		if (c->flag[at / WORD] & STARTS)
			return;
		c->flag[at / WORD] |= STARTS;
		if (n <= 0)
			return;
		if (f.kind == XL_FLOW_PUSH) {
			stack = c->made[at / WORD] = push(c, stack, &f);
		} else if (f.kind == XL_FLOW_POP) {
			to = top(c, stack, f.stack);
			if (to)
				lead(c, c->frame[to].target, c->frame[to].below);
		} else if (f.kind == XL_FLOW_JUMP || f.kind == XL_FLOW_CALL) {
			lead(c, f.target, stack);
		}
		at += (uint32_t)n;
		if (!f.falls)
			return;
		if (f.kind != XL_FLOW_NEXT && f.kind != XL_FLOW_PUSH) {
			lead(c, step(c, at), stack);
			return;
		}
	}
}

static uint32_t node_at(struct graph *g, const struct code *c, int64_t at)
{
	char title[48];

	if (inside(c, at) && step(c, (uint32_t)at) < c->p->exec_size)
		return c->number[step(c, (uint32_t)at) / WORD];
	if (g->nnode >= g->limits.blocks + 64) {
		g->full = true;
		return 0;
	}
	snprintf(title, sizeof(title), "outside: %s0x%llx", at < 0 ? "-" : "", (unsigned long long)(at < 0 ? -at : at));
	graph_node(g, title);
	if (g->bad)
		return 0;
	g->node[g->nnode - 1].odd = true;
	g->outside++;
	return g->nnode;
}

static void join(struct graph *g, const struct code *c, uint32_t from, int64_t to, enum graph_kind kind, const char *label)
{
	uint32_t n = node_at(g, c, to);

	if (n)
		graph_edge(g, from, n - 1, kind, label);
}

static void leave(struct graph *g, const struct code *c, uint32_t from, const struct xl_flow *f, uint32_t next, uint32_t stack)
{
	bool both = f->falls && f->kind != XL_FLOW_NEXT && f->kind != XL_FLOW_PUSH && f->kind != XL_FLOW_CALL;
	uint32_t to;

	if (f->kind == XL_FLOW_POP) {
		to = top(c, stack, f->stack);
		if (to)
			join(g, c, from, c->frame[to].target, both ? GRAPH_TAKEN : GRAPH_JUMP, both ? "taken" : NULL);
	} else if (f->kind == XL_FLOW_CALL) {
		if (f->target)
			join(g, c, from, f->target, GRAPH_CALL, "call");
	} else if (f->kind == XL_FLOW_JUMP) {
		join(g, c, from, f->target, both ? GRAPH_TAKEN : GRAPH_JUMP, both ? "taken" : NULL);
	}
	if (f->falls)
		join(g, c, from, next, both ? GRAPH_OTHER : GRAPH_NEXT, both ? "else" : NULL);
}

/* A distance is hard to read: then the target stands behind it. */
static void instruction(char *line, size_t cap, uint32_t at, const char *text, const struct xl_flow *f)
{
	char target[32] = "";

	if (f->kind == XL_FLOW_JUMP || f->kind == XL_FLOW_CALL) {
		snprintf(target, sizeof(target), "0x%llx", (unsigned long long)f->target);
		snprintf(line, cap, strstr(text, target) || f->target < 0 ? "%4x  %s" : "%4x  %s  ; %s", at, text, target);
	} else {
		snprintf(line, cap, "%4x  %s", at, text);
	}
}

/* The block's text into node `number`, or (edges) its ways out. */
static void block(struct graph *g, struct code *c, uint32_t at, bool edges)
{
	uint32_t number = c->number[at / WORD], stack = c->stack[at / WORD];
	char text[256], line[300];

	while (at < c->p->exec_size) {
		struct xl_flow f;
		int n = flow_at(c, at, &f);
		uint32_t next;

		xl_disassemble(c->p->cpu, c->p->wave, c->p->code, c->p->exec_size, at, text, sizeof(text));
		if (!edges) {
			instruction(line, sizeof(line), at, n > 0 ? text : n == -2 ? "!truncated" : "!invalid", &f);
			graph_line(g, line);
		}
		if (n <= 0) {
			g->node[number - 1].odd = true;
			return;
		}
		if (f.kind == XL_FLOW_PUSH)
			stack = c->made[at / WORD];
		next = step(c, at + (uint32_t)n);
		if (!f.falls || (f.kind != XL_FLOW_NEXT && f.kind != XL_FLOW_PUSH) || next >= c->p->exec_size ||
		    (c->flag[next / WORD] & LEADER)) {
			if (edges)
				leave(g, c, number - 1, &f, next, stack);
			return;
		}
		at = next;
	}
}

static void blocks(struct graph *g, struct code *c)
{
	uint32_t drawn = 0, entry = step(c, c->p->entry) / WORD;
	char title[32];

	for (uint32_t w = 0; w < c->words && !g->bad; w++) {
		if (!(c->flag[w] & LEADER))
			continue;
		if (drawn == g->limits.blocks) {
			g->left_out++;
			continue;
		}
		snprintf(title, sizeof(title), w == entry ? "entry 0x%x" : "0x%x", w * WORD);
		graph_node(g, title);
		if (g->bad)
			return;
		c->number[w] = ++drawn;
		g->entry = w == entry ? drawn - 1 : g->entry;
		block(g, c, w * WORD, false);
	}
	for (uint32_t w = 0; w < c->words && !g->bad; w++) {
		if (c->number[w])
			block(g, c, w * WORD, true);
	}
}

void graph_of_code(struct graph *g, const struct xl_program_info *p)
{
	struct code c = { .p = p, .words = p->exec_size / WORD + 1, .nframe = 1 };

	c.flag = calloc(c.words, 1);
	c.stack = calloc(c.words, sizeof(*c.stack));
	c.number = calloc(c.words, sizeof(*c.number));
	c.made = calloc(c.words, sizeof(*c.made));
	c.todo = calloc(c.words, sizeof(*c.todo));
	c.frame = calloc(FRAMES, sizeof(*c.frame));
	if (c.flag && c.stack && c.number && c.made && c.todo && c.frame) {
		lead(&c, step(&c, p->entry), 0);
		while (c.ntodo)
			trace(&c, c.todo[--c.ntodo]);
		blocks(g, &c);
	} else {
		g->bad = true;
	}
	free(c.flag);
	free(c.stack);
	free(c.number);
	free(c.made);
	free(c.todo);
	free(c.frame);
}
