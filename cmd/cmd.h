/* cmd.h - what the subcommands share: table, options, messages, keys, JSON text. Public API of libxlate only. */
#ifndef XL_CMD_H
#define XL_CMD_H

#include "../libxlate/xlate.h"

#include <stdbool.h>
#include <stdio.h>

/* AddressSanitizer's shadow is larger than any limit on address space: where it is, processes have none. gcc says so itself. */
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

/* ---- subcommands: CMD(name, one line). cmd_<name> lives in cmd_<name>.c (explain in cmd_ir.c) and returns the exit code. */
#define CMDS(CMD) \
	CMD(import, "guest containers into a cache") \
	CMD(build, "translate, validate, package") \
	CMD(merge, "join packages of shards") \
	CMD(diff, "what changed between two packages") \
	CMD(export, "modules of a package as .spv files or a Fossilize database") \
	CMD(list, "what is in a cache or package") \
	CMD(show, "all that is known of one program") \
	CMD(dis, "guest disassembly") \
	CMD(ir, "the IR, after any pass") \
	CMD(spv, "SPIR-V disassembly") \
	CMD(cfg, "control flow as a picture") \
	CMD(explain, "what every pass decided and why") \
	CMD(check, "revalidate a package") \
	CMD(corpus, "recorded programs against a baseline") \
	CMD(reduce, "a failing program made small") \
	CMD(report, "a package as one HTML page") \
	CMD(load, "make a package's pipelines on the device at hand") \
	CMD(isa, "guest ISAs, coverage, float contract") \
	CMD(profile, "target profiles and the facts in use") \
	CMD(version, "version and build facts") \
	CMD(help, "help of a command")
#define CMD(name, what) int cmd_##name(int argc, char **argv);
CMDS(CMD)
#undef CMD

/* ---- options: `args_next` walks argv. Long options take "--name value" or "--name=value"; "--" ends options. */
struct opt { const char *name; char letter; bool takes; };
struct args {
	int argc, at;
	char **argv;
	const struct opt *opt; /* ends with name == NULL */
	const char *command, *usage, *more; /* more: behind it in the help, or NULL */
	const char *value;     /* of the option or positional just returned */
	int most;              /* 0: positionals are returned; else so many are gathered, and more are an error */
	const char *names;     /* where `most`: what they are */
	const char *pos[2];
	int npos;
	bool only_positional;
	bool quiet;            /* -q was seen: all commands take it */
	int exit_code;         /* what to return after ARGS_STOP */
};
enum { ARGS_END = -1, ARGS_POSITIONAL = -2, ARGS_STOP = -3 };
/* Index into opt, or ARGS_*. ARGS_STOP: --help was printed or a usage error was reported; return exit_code. */
int args_next(struct args *);
int usage_error(const struct args *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool args_number(const char *s, unsigned long max, unsigned long *out);
int args_jobs(const struct args *, unsigned *out); /* the value of --jobs: 0, or 2 after a message */
unsigned processors(void);                         /* that this process may run on */

/* Set by the first SIGINT or SIGTERM from now on; the second one kills. */
volatile int *stop_on_signals(void);

/* ---- messages on stderr */
void say_diag(FILE *, const struct xl_diag *, const char *file); /* one line, coloured on a terminal */
void diag_to_stderr(void *user, const struct xl_diag *);
struct xl_log stderr_log(void);
bool use_color(FILE *);
void json_string(FILE *, const char *); /* quoted and escaped; NULL is null */
void xml_text(FILE *, const char *);    /* for HTML, too, and attributes: what is no printable UTF-8 becomes '?'; NULL is nothing */

/* ---- an input file that holds programs: cache, package or record JSON */
struct input {
	const char *path;
	int kind;             /* 'c', 'p', 'j', 'e' (a code object, read as a cache) */
	struct xl_cache *cache;
	struct xl_package *package;
	struct xl_record *record; /* 'j' */
};
/* 0, else the exit code, after a message. */
int input_open(struct input *, const char *path);
void input_close(struct input *);
/* True: writing `path` would replace the input. */
bool input_is_file(const char *input, const char *path);
int input_stays(const struct args *, const char *input, const char *output); /* 0, or 2 after a message: that */
int input_package(const struct input *); /* 0, or 3 after a message: it is none */
int input_guest(const struct input *);   /* 0, or 3 after a message: it holds no guest code */
uint32_t input_records(const struct input *);                     /* caches and JSON */
struct xl_record *input_read(const struct input *, uint32_t i);   /* to be freed by input_unread */
void input_unread(const struct input *, struct xl_record *);

/* What is in a folder, in order of name, hidden ones left out: as scandir. */
struct dirent;
int folder_list(const char *path, struct dirent ***list);

/* One program picked by KEY: number in `list`, name, name of a pipeline with one program, or prefix of a key. */
struct picked {
	struct xl_record *record;    /* cache, JSON */
	uint32_t program;            /* index in the record, or in the package */
};
int input_pick(struct input *, const char *key, struct picked *); /* 0, else the exit code, after a message */
/* Opens FILE and picks KEY, the positionals in either order. */
int open_and_pick(const struct args *, struct input *, struct picked *);

/* ---- translation options shared by build, ir, spv, explain */
#define TRANSLATE_OPTS { "target", 't', true }, { "addresses", 0, true }, { "bounds", 0, true }, { "float", 0, true }, \
	{ "debug", 'g', false }, { "verify", 0, false }
enum { OPT_TARGET, OPT_ADDRESSES, OPT_BOUNDS, OPT_FLOAT, OPT_DEBUG, OPT_VERIFY, OPT_OWN };
struct translate { const char *target; struct xl_options options; };
int translate_option(struct args *, int opt, struct translate *); /* 0, or 2 after a message */
bool pass_exists(const char *pass); /* of the pipeline, or "lift" */
struct xl_target *translate_target(const struct translate *, int *exit_code); /* NULL after a message */
extern const char translate_usage[];

#endif
