/* elf.c - checked reads of ELF files. */
#include "elf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { HEADER = 64, SECTION = 64, SYMBOL = 24, RELA = 24, NOTE = 12 };
enum { SHN_LORESERVE = 0xff00 };

bool elf_fault(struct elf *e, const char *fmt, ...)
{
	va_list ap;

	if (!e->why[0]) {
		va_start(ap, fmt);
		vsnprintf(e->why, sizeof(e->why), fmt, ap);
		va_end(ap);
	}
	return false;
}

bool elf_is(const uint8_t *v, size_t n)
{
	return n >= 4 && !memcmp(v, "\177ELF", 4);
}

/* A string that ends inside its section, or NULL. */
static const char *text_at(const struct elf_section *s, uint64_t at)
{
	if (!s->bytes || at >= s->size || !memchr(s->bytes + at, 0, (size_t)(s->size - at)))
		return NULL;
	return (const char *)s->bytes + at;
}

static bool read_section(struct elf *e, uint32_t i, const uint8_t *h)
{
	struct elf_section *s = &e->section[i];
	uint64_t offset = elf_u64(h + 24);

	s->type = elf_u32(h + 4);
	s->flags = elf_u64(h + 8);
	s->address = elf_u64(h + 16);
	s->size = elf_u64(h + 32);
	s->link = elf_u32(h + 40);
	s->info = elf_u32(h + 44);
	s->align = elf_u64(h + 48);
	if (!i || !s->type) { /* the null section's fields mean other things */
		memset(s, 0, sizeof(*s));
		return true;
	}
	if (s->address + s->size < s->address || (s->align & (s->align - 1)))
		return elf_fault(e, "section %u has an address, size or alignment that cannot be", i);
	if (s->type == ELF_NOBITS || !s->size)
		return true;
	if (offset > e->n || s->size > e->n - offset)
		return elf_fault(e, "section %u leaves the file: %llu bytes at %llu of %zu", i, (unsigned long long)s->size,
				 (unsigned long long)offset, e->n);
	s->bytes = e->v + offset;
	return true;
}

/* An object file's sections have no addresses yet. */
static bool place(struct elf *e)
{
	uint64_t at = 0x1000;

	for (uint32_t i = 1; i < e->nsection; i++) {
		struct elf_section *s = &e->section[i];
		uint64_t align = s->align ? s->align : 1;

		if (!(s->flags & ELF_ALLOC))
			continue;
		if (align > ELF_MAX_IMAGE || s->size > ELF_MAX_IMAGE || at > ELF_MAX_IMAGE)
			return elf_fault(e, "section %u is too large", i);
		at = (at + align - 1) & ~(align - 1);
		s->address = at;
		at += s->size;
	}
	return true;
}

static bool overlapping(struct elf *e)
{
	for (uint32_t i = 1; i < e->nsection; i++) {
		const struct elf_section *a = &e->section[i];

		if (!(a->flags & ELF_ALLOC) || !a->bytes)
			continue;
		for (uint32_t k = i + 1; k < e->nsection; k++) {
			const struct elf_section *b = &e->section[k];

			if ((b->flags & ELF_ALLOC) && b->bytes && a->address < b->address + b->size &&
			    b->address < a->address + a->size)
				return !elf_fault(e, "sections %u and %u overlap in memory", i, k);
		}
	}
	return false;
}

bool elf_open(struct elf *e, const uint8_t *v, size_t n, struct arena *a)
{
	const struct elf_section *names;
	uint64_t table;
	uint32_t count, name_index;

	memset(e, 0, sizeof(*e));
	e->v = v;
	e->n = n;
	if (!elf_is(v, n) || n < HEADER)
		return elf_fault(e, "no ELF header in %zu bytes", n);
	if (v[4] != 2 || v[5] != 1 || v[6] != 1)
		return elf_fault(e, "not a 64-bit little-endian ELF file");
	e->os_abi = v[7];
	e->abi_version = v[8];
	e->type = elf_u16(v + 16);
	e->machine = elf_u16(v + 18);
	e->flags = elf_u32(v + 48);
	table = elf_u64(v + 40);
	count = elf_u16(v + 60);
	name_index = elf_u16(v + 62);
	if (!count || elf_u16(v + 58) != SECTION)
		return elf_fault(e, "no section table");
	if (count > ELF_MAX_SECTIONS || table > n || (uint64_t)count * SECTION > n - table)
		return elf_fault(e, "%u sections at %llu leave the file", count, (unsigned long long)table);
	e->section = arena_array(a, struct elf_section, count);
	if (!e->section)
		return elf_fault(e, "out of memory");
	e->nsection = count;
	for (uint32_t i = 0; i < count; i++) {
		if (!read_section(e, i, v + table + (uint64_t)i * SECTION))
			return false;
	}
	if (name_index >= count)
		return elf_fault(e, "no section names");
	names = &e->section[name_index];
	for (uint32_t i = 0; i < count; i++) {
		const char *s = text_at(names, elf_u32(v + table + (uint64_t)i * SECTION));

		e->section[i].name = s ? s : "";
	}
	return (e->type != ELF_REL || place(e)) && !overlapping(e);
}

bool elf_symbol(const struct elf *e, const struct elf_section *t, uint32_t i, struct elf_symbol *out)
{
	const uint8_t *p;
	const char *name;
	uint32_t section;

	if (!t->bytes || t->link >= e->nsection || i >= ELF_MAX_SYMBOLS || i >= t->size / SYMBOL)
		return false;
	p = t->bytes + (uint64_t)i * SYMBOL;
	name = text_at(&e->section[t->link], elf_u32(p));
	section = elf_u16(p + 6);
	*out = (struct elf_symbol){ .name = name ? name : "", .value = elf_u64(p + 8), .size = elf_u64(p + 16),
		.section = section < SHN_LORESERVE && section < e->nsection ? section : 0, .type = p[4] & 15 };
	if (e->type == ELF_REL && out->section)
		out->value += e->section[out->section].address;
	return true;
}

bool elf_work(struct elf *e, uint64_t n)
{
	if (n <= ELF_MAX_WORK - e->work) {
		e->work += n;
		return true;
	}
	e->work = ELF_MAX_WORK;
	return elf_fault(e, "its symbols, relocations and sections refer to each other too often");
}

bool elf_find(struct elf *e, const char *name, struct elf_symbol *out)
{
	for (uint32_t k = 1; k < e->nsection; k++) {
		const struct elf_section *t = &e->section[k];

		if (t->type != ELF_SYMTAB && t->type != ELF_DYNSYM)
			continue;
		for (uint32_t i = 1; elf_work(e, 1) && elf_symbol(e, t, i, out); i++) {
			if (out->section && !strcmp(out->name, name))
				return true;
		}
	}
	return false;
}

const struct elf_section *elf_at(const struct elf *e, uint64_t address, uint64_t size)
{
	for (uint32_t i = 1; i < e->nsection; i++) {
		const struct elf_section *s = &e->section[i];

		if ((s->flags & ELF_ALLOC) && s->bytes && address >= s->address && address - s->address <= s->size &&
		    size <= s->size - (address - s->address))
			return s;
	}
	return NULL;
}

uint32_t elf_relas(const struct elf_section *s)
{
	uint64_t n = s->bytes ? s->size / RELA : 0;

	return n > ELF_MAX_SYMBOLS ? ELF_MAX_SYMBOLS : (uint32_t)n;
}

struct elf_rela elf_rela(const struct elf_section *s, uint32_t i)
{
	const uint8_t *p = s->bytes + (uint64_t)i * RELA;

	return (struct elf_rela){ .offset = elf_u64(p), .type = elf_u32(p + 8), .symbol = elf_u32(p + 12),
		.addend = (int64_t)elf_u64(p + 16) };
}

uint8_t *elf_own(struct elf *e, struct elf_section *s, struct arena *a)
{
	bool own = s->bytes && (s->bytes < e->v || s->bytes >= e->v + e->n);
	uint8_t *v;

	if (!s->bytes || own)
		return (uint8_t *)(uintptr_t)s->bytes;
	v = arena_alloc(a, (size_t)s->size);
	if (v)
		memcpy(v, s->bytes, (size_t)s->size);
	s->bytes = v;
	return v;
}

bool elf_note(const struct elf_section *s, size_t *at, struct elf_note *out)
{
	uint64_t left = s->bytes ? s->size - *at : 0, name, desc;
	const uint8_t *p;

	if (left < NOTE)
		return false;
	p = s->bytes + *at;
	name = ((uint64_t)elf_u32(p) + 3) & ~3ull;
	desc = ((uint64_t)elf_u32(p + 4) + 3) & ~3ull;
	/* The last note's padding may be missing. */
	if (name > left - NOTE || elf_u32(p + 4) > left - NOTE - name || !elf_u32(p) || p[NOTE + elf_u32(p) - 1])
		return false;
	*out = (struct elf_note){ .name = (const char *)p + NOTE, .type = elf_u32(p + 8), .size = elf_u32(p + 4),
		.desc = p + NOTE + name };
	*at += (size_t)(NOTE + name + (desc < left - NOTE - name ? desc : left - NOTE - name));
	return true;
}
