/* xlate.c - the public API's small parts: version, diagnostics, ISA tables, files. */
#include "xlate_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef XL_VERSION
#define XL_VERSION "0"
#endif

const char *xl_version(void)
{
	return XL_VERSION;
}

/* ---- diagnostics */
void log_diag(const struct diag *d, const char *file, struct xl_diag *out)
{
	static const char *const kinds[] = { [DIAG_C_MALFORMED] = "malformed", [DIAG_C_UNSUPPORTED] = "unsupported",
		[DIAG_C_TARGET] = "target", [DIAG_C_INTERNAL] = "internal", [DIAG_C_IO] = "io", [DIAG_C_USAGE] = "usage" };
	static const char *const severities[] = { [DIAG_ERROR] = "error", [DIAG_WARNING] = "warning", [DIAG_NOTE] = "note" };

	out->code = diag_name(d->code);
	out->kind = kinds[diag_class(d->code)];
	out->severity = severities[diag_severity(d->code)];
	out->file = file;
	out->program = d->program;
	out->isa = d->isa;
	out->inst = d->inst;
	out->text = d->text;
	out->addr = d->addr;
}

static void forward(void *user, const struct diag *d)
{
	struct log_sink *s = user;
	struct xl_diag out;

	s->last = d->code;
	if (!s->log || !s->log->diag)
		return;
	log_diag(d, s->file, &out);
	s->log->diag(s->log->user, &out);
}

void log_sink_init(struct log_sink *s, const struct xl_log *log, const char *file)
{
	memset(s, 0, sizeof(*s));
	s->sink.emit = forward;
	s->sink.user = s;
	s->log = log;
	s->file = file;
}

void log_errno(struct log_sink *s, const char *path, const char *what)
{
	int err = errno;
	char text[128] = "";

	if (strerror_r(err, text, sizeof(text)))
		snprintf(text, sizeof(text), "error %d", err);
	diag_emit(&s->sink, DIAG_IO, DIAG_NO_ADDR, "cannot %s %s: %s", what, path, text);
}

enum xl_status log_status(const struct log_sink *s)
{
	if (s->last == DIAG_OK)
		return XL_INTERNAL;
	switch (diag_class(s->last)) {
	case DIAG_C_USAGE:
		return XL_USAGE;
	case DIAG_C_INTERNAL:
		return XL_INTERNAL;
	default:
		return XL_UNREADABLE;
	}
}

void hash_text(const struct rec_hash *h, char out[33])
{
	static const char digits[] = "0123456789abcdef";

	for (unsigned i = 0; i < 16; i++) {
		out[2 * i] = digits[h->b[i] >> 4];
		out[2 * i + 1] = digits[h->b[i] & 15];
	}
	out[32] = 0;
}

/* ---- ISA tables */
int xl_isa_get(uint32_t i, struct xl_isa_info *out)
{
	const struct isa *isa;

	for (size_t k = 0; (isa = isa_at(k)); k++) {
		for (const struct isa_cpu *c = isa->cpus; c->name; c++) {
			if (i--)
				continue;
			*out = (struct xl_isa_info){ isa->name, c->name, c->waves, isa->word };
			return 1;
		}
	}
	return 0;
}

int xl_isa_row(const char *name, uint32_t i, struct xl_isa_row *out)
{
	const struct isa_cpu *cpu;
	const struct isa *isa = isa_find(name, &cpu);
	struct isa_row row = { 0 };

	if (!isa || !isa->row(cpu, i, &row))
		return 0;
	*out = (struct xl_isa_row){ row.mnemonic, row.encoding, row.present, row.lifted, row.executed };
	return 1;
}

int xl_float_row(uint32_t i, struct xl_float_row *out)
{
	enum { EXACT, HOST, EMULATED };
	static const char *const names[] = { "exact", "host-precision", "emulated" };
	static const struct { enum ir_op op; int guarantee; const char *note; } rows[] = {
#define FLOAT(op, guarantee, note) { IR_##op, guarantee, note },
#include "../ir/float.def"
	};
	static const char *const forms[IR_OP_COUNT] = {
#define OPC(x) "Op" #x
#define OPB(x, y) "Op" #x
#define EXT(x) #x
#define IRR "several"
#define OP(name, sig, cls, fx, div, eval, spv) [IR_##name] = spv,
#include "../ir/ops.def"
	};

	if (i >= sizeof(rows) / sizeof(rows[0]))
		return 0;
	*out = (struct xl_float_row){ ir_ops[rows[i].op].name, forms[rows[i].op], names[rows[i].guarantee], rows[i].note };
	return 1;
}

int xl_disassemble(const char *name, uint32_t wave, const uint8_t *code, size_t size, size_t offset, char *text, size_t cap)
{
	const struct isa_cpu *cpu;
	const struct isa *isa = isa_find(name, &cpu);

	if (cap)
		*text = 0;
	if (!isa || (wave != 32 && wave != 64))
		return -3;
	return offset < size ? isa->disasm(cpu, wave, code, size, offset, text, cap) : ISA_E_TRUNCATED;
}

int xl_flow_at(const char *name, uint32_t wave, const uint8_t *code, size_t size, size_t offset, struct xl_flow *out)
{
	const struct isa_cpu *cpu;
	const struct isa *isa = isa_find(name, &cpu);
	struct isa_flow f = { 0 };
	int n = -3;

	_Static_assert((int)XL_FLOW_INDIRECT == (int)ISA_FLOW_INDIRECT && (int)XL_FLOW_POP == (int)ISA_FLOW_POP, "one list");
	if (isa && (wave == 32 || wave == 64))
		n = offset < size ? isa->flow(cpu, wave, code, size, offset, &f) : ISA_E_TRUNCATED;
	*out = (struct xl_flow){ (int)f.kind, f.falls, f.stack, f.target };
	return n;
}

size_t xl_isa_next(const char *name, const uint8_t *code, size_t size, size_t offset)
{
	const struct isa_cpu *cpu;
	const struct isa *isa = isa_find(name, &cpu);

	return isa && offset < size ? isa->next(code, size, offset) : size;
}

/* ---- files */
int xl_file_kind(const char *path)
{
	uint8_t head[64];
	ssize_t n;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return 0;
	n = read(fd, head, sizeof(head));
	close(fd);
	if (n < 0)
		return 0;
	if (xgc_is(head, (size_t)n))
		return 'c';
	if (xlp_is(head, (size_t)n))
		return 'p';
	if (hsa_is(head, (size_t)n))
		return 'e';
	for (ssize_t i = 0; i < n; i++) {
		if (head[i] == '{')
			return 'j';
		if (head[i] != ' ' && head[i] != '\n' && head[i] != '\t' && head[i] != '\r')
			break;
	}
	return '?';
}

enum xl_status xl_file_write(const char *path, const void *bytes, size_t size, const struct xl_log *log)
{
	struct buf b = { .v = (uint8_t *)(uintptr_t)bytes, .n = size };
	struct log_sink sink;

	log_sink_init(&sink, log, NULL);
	if (!buf_replace(&b, path))
		return XL_OK;
	log_errno(&sink, path, "write");
	return XL_UNREADABLE;
}
