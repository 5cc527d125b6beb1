/* amd_alu_check.h - what a program left against what the reference machine holds, for amd_alu_test.c: registers, masks, SCC,
 * EXEC, memory, accesses. */
#ifndef AMD_ALU_CHECK_H
#define AMD_ALU_CHECK_H

static bool close_to(double a, double b, double rel)
{
	return (isnan(a) && isnan(b)) || a == b || fabs(a - b) <= rel * fmax(1e-30, fmax(fabs(a), fabs(b)));
}

static bool nans(char type, uint64_t a, uint64_t b)
{
	return type == 'f' ? isnan(as_float((uint32_t)a)) && isnan(as_float((uint32_t)b)) :
	       type == 'd' ? isnan(as_double(a)) && isnan(as_double(b)) :
	       isnan(as_half((uint32_t)a & 0xffff)) && isnan(as_half((uint32_t)b & 0xffff));
}

/* NaNs need not have the same bits; ops of host precision are compared with a tolerance. */
static bool same_value(char type, unsigned flags, uint64_t a, uint64_t b)
{
	bool approx = flags & APPROX;

	if ((flags & ABSOLUTE) && type == 'f' && fabsf(as_float((uint32_t)a) - as_float((uint32_t)b)) < 4e-6f)
		return true;
	if ((flags & ABSOLUTE) && type == 'h' && (a ^ b) < 65536 && fabs(as_half(a & 65535) - as_half(b & 65535)) < 1e-3)
		return true;
	if (a == b)
		return true;
	if (type == 'p' || type == 'h')
		return (((a ^ b) & 0xffff) == 0 || nans('h', a, b) || (approx && close_to(as_half(a & 0xffff), as_half(b & 0xffff), 2e-3))) &&
		       ((uint32_t)(a ^ b) < 65536 || nans('h', a >> 16, b >> 16));
	if (type == 'f')
		return nans('f', a, b) || (approx && close_to((double)as_float((uint32_t)a), (double)as_float((uint32_t)b), 2e-6));
	if (type == 'd')
		return nans('d', a, b) || (approx && close_to(as_double(a), as_double(b), 1e-12));
	return false;
}

static bool compare_dump(const struct test *x, const struct machine *want, const struct world *w, unsigned lane, unsigned i)
{
	const struct vref *r = find_vref(x->t.op);
	bool vec = x->dump[i].vector, pk = !strncmp(x->t.op, "v_pk_", 5) || strstr(x->t.op, "mixlo") || strstr(x->t.op, "mixhi");
	int reg = x->dump[i].reg;
	uint32_t got = w->out[lane][i], exp = vec ? want->v[lane][reg] : want->s[reg];
	char type = r ? r->sig[0] : pk ? 'p' : strstr(x->t.op, "mix") ? 'f' : 'i';

	if (got == exp)
		return true;
	if (!vec || x->t.n == 0 || reg < x->t.o[0].index || reg >= x->t.o[0].index + (int)x->t.o[0].n)
		return false;
	if (type == 'd') { /* the pair is judged as a whole, at its first half */
		unsigned k = (unsigned)(reg - x->t.o[0].index);
		uint64_t g = 0, e = 0;
		for (unsigned j = 0; j < x->ndump; j++)
			for (unsigned h = 0; h < 2; h++)
				if (x->dump[j].vector && x->dump[j].reg == reg - (int)k + (int)h) {
					g |= (uint64_t)w->out[lane][j] << 32 * h;
					e |= (uint64_t)want->v[lane][x->dump[j].reg] << 32 * h;
				}
		return same_value('d', r->flags, g, e);
	}
	return same_value(type, r ? r->flags : 0, got, exp);
}

static bool fail(const struct test *x, unsigned wave, const char *what)
{
	printf("FAIL %s %s w%u: %s: %s\n", x->isa_name, x->cpu->name, wave, x->line, what);
	failed++;
	return false;
}

static int by_lane(const void *a, const void *b)
{
	return (int)((const struct access *)a)->lane - (int)((const struct access *)b)->lane;
}

static bool same_log(const struct test *x, unsigned wave, struct log *got, struct log *want)
{
	char text[256];

	qsort(got->a, got->n, sizeof *got->a, by_lane); /* no lane has two */
	for (unsigned i = 0; i < got->n && i < want->n; i++) {
		struct access *g = &got->a[i], *e = &want->a[i];
		if (g->lane == e->lane && g->space == e->space && g->bits == e->bits && g->n == e->n && g->atomic == e->atomic &&
		    g->addr == e->addr && g->index == e->index && !memcmp(g->v, e->v, sizeof g->v))
			continue;
		snprintf(text, sizeof text, "access: lane %u/%u space %u/%u bits %u/%u n %u/%u atomic %d/%d addr %llx/%llx index %llx/%llx value "
			"%llx/%llx %llx/%llx", g->lane, e->lane, g->space, e->space, g->bits, e->bits, g->n, e->n, g->atomic, e->atomic,
			(unsigned long long)g->addr, (unsigned long long)e->addr, (unsigned long long)g->index, (unsigned long long)e->index,
			(unsigned long long)g->v[0], (unsigned long long)e->v[0], (unsigned long long)g->v[1], (unsigned long long)e->v[1]);
		return fail(x, wave, text);
	}
	if (got->n != want->n)
		return fail(x, wave, "another number of accesses");
	return true;
}

static bool same_images(const struct test *x, unsigned wave, const struct img_log *got, const struct img_log *want)
{
	char text[256];

	for (unsigned i = 0; i < got->n && i < want->n; i++) {
		const struct img_access *g = &got->a[i], *e = &want->a[i];
		unsigned k = 0;
		while (k < g->n && k < e->n && (g->v[k] == e->v[k] || (isnan(as_float(g->v[k])) && isnan(as_float(e->v[k])))))
			k++;
		if (g->lane == e->lane && g->op == e->op && g->sub == e->sub && g->imm == e->imm && g->n == e->n && k == g->n)
			continue;
		snprintf(text, sizeof text, "image access: lane %u/%u %s/%s sub %x/%x imm %u/%u words %u/%u; word %u: %08x/%08x", g->lane, e->lane,
			ir_ops[g->op].name, ir_ops[e->op].name, g->sub, e->sub, g->imm, e->imm, g->n, e->n, k, g->v[k], e->v[k]);
		return fail(x, wave, text);
	}
	return got->n == want->n || fail(x, wave, "another number of image accesses");
}

static bool check_memory(const struct test *x, unsigned wave, const struct machine *want, const struct world *w)
{
	char text[128];

	for (unsigned lane = 0; lane < wave && (x->lds || x->scratch); lane++)
		for (unsigned k = 0; k < LDS_REGS; k++) {
			unsigned at = x->lds ? (k * wave + lane) * 4 : lane * 64 + k * 4;
			uint32_t e = (uint32_t)get(want->lds + at, 4), g = w->out[lane][MAX_DUMP + 3 + k];
			uint64_t ew = get(want->lds + (at & ~7u), 8), gw = k & 1 ? w->out[lane][MAX_DUMP + 3 + (k & ~1u)] : g;
			gw = x->lds ? w->out[lane & ~1u][MAX_DUMP + 3 + k] | (uint64_t)w->out[lane | 1][MAX_DUMP + 3 + k] << 32 : gw;
			if (g == e || (strstr(x->t.op, "_f32") && isnan(as_float(g)) && isnan(as_float(e))) ||
			    (strstr(x->t.op, "_f64") && isnan(as_double(gw)) && isnan(as_double(ew))))
				continue;
			snprintf(text, sizeof text, "memory at 0x%x: got %08x, want %08x", at, g, e);
			return fail(x, wave, text);
		}
	return true;
}

static bool check(const struct test *x, unsigned wave, bool masks, const struct machine *want, const struct world *w)
{
	char text[256];

	for (unsigned lane = 0; lane < wave; lane++) {
		for (unsigned i = 0; i < x->ndump; i++) {
			int reg = x->dump[i].reg;
			bool mask = masks && !x->dump[i].vector && reg < EXEC && reg != M0;
			int base = wave == 64 ? reg & ~1 : reg;
			uint32_t bit = want->s[(base + (int)lane / 32) & 127] >> lane % 32 & 1;
			if (!x->dump[i].vector && reg >= EXEC + (wave == 64 ? 2 : 1))
				continue;
			if (mask ? w->out[lane][i] == bit : compare_dump(x, want, w, lane, i))
				continue;
			snprintf(text, sizeof text, "lane %u %c%d: got %08x, want %08x%s; v2-v7 %08x %08x %08x %08x %08x %08x", lane,
				x->dump[i].vector ? 'v' : 's', reg, w->out[lane][i], mask ? bit : x->dump[i].vector ? want->v[lane][reg] :
				want->s[reg], mask ? " (mask)" : "", w->m->v[lane][2], w->m->v[lane][3], w->m->v[lane][4], w->m->v[lane][5],
				w->m->v[lane][6], w->m->v[lane][7]);
			return fail(x, wave, text);
		}
		if (w->out[lane][MAX_DUMP] != want->scc)
			return fail(x, wave, "SCC");
		if (w->out[lane][MAX_DUMP + 1] != want->s[EXEC] || (wave == 64 && w->out[lane][MAX_DUMP + 2] != want->s[EXEC + 1]))
			return fail(x, wave, "EXEC");
	}
	return true;
}
#endif
