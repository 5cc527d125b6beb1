/* guard_fact_test.c - what a translation depends on is in its key or its guard: every fact of every recorded program is
 * changed, one at a time; where that makes another module or another end, key or guard must have changed as well. */
#include "../libxlate/xlate_int.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

struct result {
	struct rec_hash key, words;
	int status;
	uint32_t nguard;
	struct xlp_guard guard[STATE_COUNT];
};

static unsigned passed, failed, differed;

static struct result translate(struct xl_context *c, const struct xl_record *r, uint32_t program)
{
	struct xl_options o = { .skip_validation = 1 };
	const struct xl_translation *t = xl_translate(c, r, program, &o);
	struct result out;

	memset(&out, 0, sizeof(out));
	out.status = (int)t->status;
	out.key = record_key(&r->pipeline->program[program]);
	out.words = record_bytes_hash(t->words, t->words ? t->nwords * 4 : 0);
	out.nguard = xlate_guards(c, &r->pipeline->program[program], out.guard);
	return out;
}

/* Another value that the record could have: none, one more, one less. */
static void change(struct rec_fact *f, unsigned way, uint64_t most)
{
	f->from = 0;
	if (way == 0)
		*f = (struct rec_fact){ 0, rec_known(*f) ? 0 : REC_KNOWN, 0 };
	else
		*f = (struct rec_fact){ way == 1 ? (rec_or(*f, 0) < most ? rec_or(*f, 0) + 1 : 0) : rec_or(*f, 1) / 2, REC_KNOWN, 0 };
}

static void vary(struct xl_context *c, const struct xl_record *r, uint32_t program, struct rec_fact *f, uint64_t most,
		 const char *name, const struct result *was)
{
	const struct rec_fact kept = *f;

	for (unsigned way = 0; way < 3; way++) {
		struct result now;

		change(f, way, most);
		now = translate(c, r, program);
		*f = kept;
		if (now.status == was->status && !memcmp(&now.words, &was->words, sizeof(now.words)))
			continue;
		differed++;
		if (memcmp(&now.key, &was->key, sizeof(now.key)) || now.nguard != was->nguard ||
		    memcmp(now.guard, was->guard, sizeof(now.guard))) {
			passed++;
			continue;
		}
		failed++;
		printf("%s, program %u: %s changes the module, but neither key nor guard\n", xl_record_name(r), program, name);
	}
}

/* State that no translation asks for: known or not, the program is the same one, and so is its module. */
static void all_state(struct xl_context *c, const struct xl_record *r, uint32_t program, const struct result *was)
{
	struct xl_pipeline_record *pipeline = (struct xl_pipeline_record *)(uintptr_t)r->pipeline, before = *pipeline;
	uint64_t content = record_content(&pipeline->program[program]);
	struct result now;

#define PIPELINE_FACT(field, jkey, max, what)
#define PIPELINE_STATE(field, jkey, max, what) pipeline->field = (struct rec_fact){ .known = REC_KNOWN, .v = max };
#include "../libxlate/record.def"
	now = translate(c, r, program);
	if (!memcmp(&now, was, sizeof(now)) && record_content(&pipeline->program[program]) == content) {
		passed++;
	} else {
		failed++;
		printf("%s, program %u: fixed-function state changes the module, or what it is known by\n", xl_record_name(r), program);
	}
	*pipeline = before;
}

static void all_facts(struct xl_context *c, const struct xl_record *r)
{
	struct xl_pipeline_record *pipeline = (struct xl_pipeline_record *)(uintptr_t)r->pipeline;

	for (uint32_t i = 0; i < pipeline->nprogram; i++) {
		struct xl_record_program *p = &pipeline->program[i];
		struct result was = translate(c, r, i);

		all_state(c, r, i, &was);
#define PIPELINE_STATE(field, jkey, max, what)
#define PIPELINE_FACT(field, jkey, max, what) vary(c, r, i, &pipeline->field, max, #field, &was);
#define PROGRAM_FACT(field, jkey, max, what) vary(c, r, i, &p->field, max, #field, &was);
#include "../libxlate/record.def"
	}
}

int main(void)
{
	static const char *const dirs[] = { "navi21", "navi21-w32", "bonaire", "sm86", "sm53" };
	struct xl_target *target = xl_target_open("lavapipe", NULL, NULL);
	struct xl_context *c = target ? xl_context_new(target) : NULL;

	for (unsigned d = 0; c && d < sizeof(dirs) / sizeof(dirs[0]); d++) {
		char pattern[64];
		glob_t g;

		snprintf(pattern, sizeof(pattern), "corpus/%s/*.json", dirs[d]);
		if (glob(pattern, 0, NULL, &g))
			continue;
		for (size_t k = 0; k < g.gl_pathc; k++) {
			struct xl_record *r = xl_record_import(g.gl_pathv[k], NULL, NULL);

			if (r)
				all_facts(c, r);
			xl_record_free(r);
		}
		globfree(&g);
	}
	xl_context_free(c);
	xl_target_free(target);
	printf("%u changes of a fact made another module\n", differed);
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed || !passed;
}
