/* nv_cfg.c - which instructions can be reached, where blocks start, and where the control stack of sm53 leads.
 *
 * sm53 keeps targets on a stack: ssy, pbk and pcnt push one, sync, brk and cont drop entries up to the newest of their
 * own kind and go there. Every path to an instruction must bring the same stack; then the target is a fact of the
 * instruction. Programs where it is not so are refused. (A lane's view is enough: where lanes wait for each other
 * changes no value.)
 */
#include "nv_lift.h"

#include <string.h>

enum frame_kind { FRAME_SSY, FRAME_PBK, FRAME_PCNT };
enum { MAX_FRAMES = 1 << 14 };

struct nv_frame {
	const struct nv_frame *below, *next; /* next: list of all frames */
	int64_t target;
	uint8_t kind;
};

struct discover {
	struct nv_lift *l;
	const struct nv_frame *frames;
	uint32_t nframe;
	struct todo { uint32_t offset; const struct nv_frame *stack; } *todo;
	uint32_t ntodo;
	size_t cap;
};

static bool refuse(struct discover *d, enum diag_code code, uint32_t addr, const char *why)
{
	diag_emit(d->l->ctx->diag, code, addr, "%s", why);
	return false;
}

/* One frame per (what is below, kind, target): equal stacks are equal pointers. */
static const struct nv_frame *push(struct discover *d, const struct nv_frame *below, unsigned kind, int64_t target)
{
	struct nv_frame *f;

	for (const struct nv_frame *i = d->frames; i; i = i->next)
		if (i->below == below && i->kind == kind && i->target == target)
			return i;
	if (d->nframe++ >= MAX_FRAMES)
		return NULL;
	f = arena_new(d->l->ctx->scratch, struct nv_frame);
	f->below = below;
	f->next = d->frames;
	f->target = target;
	f->kind = (uint8_t)kind;
	d->frames = f;
	return f;
}

static bool valid(const struct nv_lift *l, int64_t target)
{
	if (target < 0 || target >= (int64_t)l->ctx->exec_size || target % l->step)
		return false;
	return l->in->chip != NV_SM53 || target % 32;
}

/* Go on at `target` later, with this stack. */
static bool reach(struct discover *d, const struct nv_inst *from, int64_t target, const struct nv_frame *stack)
{
	struct nv_lift *l = d->l;

	l->in = from;
	if (!valid(l, target))
		return refuse(d, DIAG_BAD_BRANCH, from->offset, "the target is no instruction of this program");
	d->todo = arena_grow(l->ctx->scratch, d->todo, d->ntodo, &d->cap, d->ntodo + 1u, sizeof *d->todo);
	d->todo[d->ntodo++] = (struct todo){(uint32_t)target, stack};
	return true;
}

static bool queue(struct discover *d, const struct nv_inst *from, int64_t target, const struct nv_frame *stack)
{
	if (!reach(d, from, target, stack))
		return false;
	d->l->leader[nv_slot(d->l, (uint32_t)target)] = true;
	return true;
}

static bool always(const struct nv_inst *in)
{
	return in->guard.index == NV_PT && !in->guard.inv;
}

static unsigned frame_of(unsigned op)
{
	switch (op) {
	case NV_SSY:
	case NV_SYNC: return FRAME_SSY;
	case NV_PBK:
	case NV_BRK: return FRAME_PBK;
	default: return FRAME_PCNT;
	}
}

/* What an instruction does to control, *on: control may go on behind it; and whether it orders memory between workgroups. */
static bool follow(struct discover *d, struct nv_inst *in, const struct nv_frame **stack, bool *on)
{
	*on = true;
	switch (in->op) {
	case NV_SSY:
	case NV_PBK:
	case NV_PCNT:
		*stack = push(d, *stack, frame_of(in->op), in->target);
		return *stack || refuse(d, DIAG_TOO_LARGE, in->offset, "the control stack has too many states");
	case NV_SYNC:
	case NV_BRK:
	case NV_CONT: {
		const struct nv_frame *f = *stack;

		if (in->op == NV_SYNC && f && f->kind != FRAME_SSY)
			return refuse(d, DIAG_UNLIFTED, in->offset, "sync with a loop on top of the control stack");
		while (f && f->kind != frame_of(in->op))
			f = f->below;
		if (!f)
			return refuse(d, DIAG_BAD_BRANCH, in->offset, "the control stack holds no target for this");
		in->target = f->target;
		*on = !always(in);
		return queue(d, in, f->target, f->below);
	}
	case NV_BRA:
		*on = !always(in);
		return queue(d, in, in->target, *stack);
	case NV_EXIT:
		*on = !always(in);
		return true;
	case NV_MEMBAR: d->l->coherent |= in->m[NVM_SCOPE] != NV_SCOPE_CTA; return true;
	case NV_ATOMG:
	case NV_ATOMGCAS:
	case NV_ATOMGCASP:
	case NV_RED: d->l->coherent = true; return true;
	default: return true;
	}
}

/* Follow straight code from one place until it ends or meets code that was seen. */
static bool trace(struct discover *d, uint32_t offset, const struct nv_frame *stack)
{
	struct nv_lift *l = d->l;
	struct nv_inst *in;
	bool on = true;

	while (on) {
		uint32_t s = nv_slot(l, offset);
		int n;

		if (offset >= l->ctx->exec_size)
			return refuse(d, DIAG_NO_END, offset, "control runs past the end of the code");
		if (l->at[s]) {
			if (l->stack[s] != stack)
				return refuse(d, DIAG_UNLIFTED, offset, "the control stack differs between the paths to here");
			return true;
		}
		in = arena_raw(l->ctx->scratch, sizeof *in);
		n = nv_decode(l->ctx->cpu, l->ctx->code, l->ctx->exec_size, offset, in);
		if (n < 0)
			return refuse(d, n == ISA_E_TRUNCATED ? DIAG_TRUNCATED : DIAG_BAD_ENCODING, offset, "no instruction");
		l->stack[s] = stack;
		l->at[s] = in;
		if (!follow(d, in, &stack, &on))
			return false;
		offset = nv_after(l, offset);
		if (nv_rows[in->op].flags & ISA_F_BRANCH && on && offset < l->ctx->exec_size)
			l->leader[nv_slot(l, offset)] = true;
	}
	return true;
}

bool nv_cfg_discover(struct nv_lift *l)
{
	struct discover d = {.l = l};
	struct lift_ctx *c = l->ctx;
	struct nv_inst start = {.chip = (uint8_t)c->cpu->column, .offset = c->entry};

	l->entry = c->cpu->column == NV_SM53 ? (uint32_t)nv53_next(c->code, c->exec_size, c->entry) : c->entry;

	l->nslot = nv_slot(l, c->exec_size) + 1;
	l->at = arena_array(c->scratch, struct nv_inst *, l->nslot);
	l->stack = arena_array_raw(c->scratch, const struct nv_frame *, l->nslot); /* of those with an instruction */
	l->leader = arena_array(c->scratch, bool, l->nslot);
	l->block = arena_array(c->scratch, uint32_t, l->nslot);
	if (!reach(&d, &start, l->entry, NULL))
		return false;
	while (d.ntodo) {
		struct todo t = d.todo[--d.ntodo];

		if (!trace(&d, t.offset, t.stack))
			return false;
	}
	return true;
}
