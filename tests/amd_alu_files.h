/* amd_alu_files.h - the lines of exec.txt and the list of what was executed, for amd_alu_test.c. */
#ifndef AMD_ALU_FILES_H
#define AMD_ALU_FILES_H

static unsigned hex_bytes(const char *s, uint8_t *out, unsigned cap)
{
	unsigned n = 0, v;

	for (; n < cap && sscanf(s + 2 * n, "%2x", &v) == 1; n++)
		out[n] = (uint8_t)v;
	return n;
}

/* "gfx1010,gfx1030/w64": the last cpu named and its waves, 32 | 64. */
static const struct isa_cpu *cpu_of(const struct isa *isa, const char *list, unsigned *waves)
{
	const char *p = strrchr(list, ',') ? strrchr(list, ',') + 1 : list;
	const struct isa_cpu *cpu = isa->cpus;

	*waves = strstr(p, "/w32") ? 32 : strstr(p, "/w64") || isa == &isa_gfx7 ? 64 : 96;
	for (const struct isa_cpu *c = isa->cpus; c->name; c++)
		if (!strncmp(p, c->name, strlen(c->name)))
			cpu = c;
	return cpu;
}

/* Mnemonics that ran, sorted, each once with its encoding. */
struct names { char *v[4096]; unsigned n; };

static void add_name(struct names *l, const char *name)
{
	for (unsigned i = 0; i < l->n; i++)
		if (!strcmp(l->v[i], name))
			return;
	if (l->n < 4096 && (l->v[l->n] = malloc(strlen(name) + 1)))
		strcpy(l->v[l->n++], name);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void write_names(FILE *f, const char *isa, struct names *l)
{
	qsort(l->v, l->n, sizeof *l->v, by_name);
	fprintf(f, "# %s: instructions that amd_alu_test executed and compared. Written by amd_alu_test -u.\n", isa);
	for (unsigned i = 0; i < l->n; i++)
		fprintf(f, "%s\n", l->v[i]);
}

static void compare_names(const char *isa, struct names *l, bool update)
{
	char path[128], line[128];
	FILE *f;

	snprintf(path, sizeof path, "fixtures/isa/%s/executed.txt", isa);
	f = fopen(path, update ? "w" : "r");
	if (f && update) {
		write_names(f, isa, l);
		fclose(f);
		return;
	}
	unsigned at = 0;
	while (f && fgets(line, sizeof line, f)) { /* both in order of name */
		line[strcspn(line, "\n")] = 0;
		if (*line == '#')
			continue;
		if (at == l->n || strcmp(l->v[at], line))
			break;
		at++;
	}
	if (!f || at != l->n || !feof(f)) {
		printf("FAIL %s: is not what was executed, from %s on: -u writes it\n", path, at < l->n ? l->v[at] : "its end");
		failed++;
	}
	if (f)
		fclose(f);
}

static bool makes_mask(const struct text *t)
{
	const struct vref *r = find_vref(t->op);

	return (r && r->sig[1] == 'm') || !strncmp(t->op, "v_cmp", 5) ||
	       (t->op[0] == 's' && t->n && t->o[0].kind == K_S);
}

static void run_line(const char *name, const struct isa *isa, char *line, unsigned rounds, const char *only, struct names *done)
{
	static struct test x;
	char *text = strchr(line, '\t'), *list = text ? strchr(text + 1, '\t') : NULL;
	unsigned waves, best = 0;

	if (*line == '#' || !list)
		return;
	*text++ = 0;
	*list++ = 0;
	list[strcspn(list, "\n")] = 0;
	memset(&x, 0, sizeof x);
	x.isa_name = name;
	x.isa = isa;
	x.line = text;
	x.cpu = cpu_of(isa, list, &waves);
	x.bytes = hex_bytes(line, x.code, sizeof x.code);
	for (unsigned wave = 32; wave <= 64; wave += 32) {
		if (!(waves & wave))
			continue;
		parse_text(text, &x.t, wave);
		if (only && strcmp(only, x.t.op))
			return;
		x.ndump = x.top = 0;
		list_registers(&x);
		x.lds = !strncmp(x.t.op, "ds_", 3);
		x.scratch = !strncmp(x.t.op, "scratch_", 8);
		x.mask_result = makes_mask(&x.t);
		best |= one(&x, wave, rounds) == 1;
	}
	if (best)
		add_name(done, x.t.op);
}

static void run_isa(const char *name, const struct isa *isa, unsigned rounds, const char *only, bool update)
{
	static struct names done;
	char path[128], line[512];
	FILE *f;

	snprintf(path, sizeof path, "fixtures/isa/%s/exec.txt", name);
	f = fopen(path, "r");
	if (!f) {
		printf("FAIL %s: cannot be read\n", path);
		failed++;
		return;
	}
	while (fgets(line, sizeof line, f))
		run_line(name, isa, line, rounds, only, &done);
	fclose(f);
	add_name(&done, "s_endpgm"); /* of every program */
	qsort(done.v, done.n, sizeof *done.v, by_name);
	if (!only)
		compare_names(name, &done, update);
	while (done.n)
		free(done.v[--done.n]);
}
#endif
