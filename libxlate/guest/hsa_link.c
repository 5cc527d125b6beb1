/* hsa_link.c - relocations: those of an object file are applied, those that a loader would apply mark their section as
 * unknown. Source: LLVM's published "User Guide for AMDGPU Backend", "Relocation Records". */
#include "hsa_int.h"

enum { ABS32_LO = 1, ABS32_HI = 2, ABS64 = 3, REL32 = 4, REL64 = 5, ABS32 = 6, REL32_LO = 10, REL32_HI = 11 };

/* Bytes that a relocation writes, 0: not one that can be applied without a loader. */
static unsigned width(uint32_t type)
{
	switch (type) {
	case REL64:
		return 8;
	case REL32:
	case REL32_LO:
	case REL32_HI:
		return 4;
	default: /* the others hold addresses, which only the loader knows */
		return 0;
	}
}

static bool apply(struct elf *e, struct elf_section *s, const struct elf_section *table, const struct elf_rela *r, struct arena *a)
{
	unsigned n = width(r->type);
	struct elf_symbol sym;
	uint64_t value;
	uint8_t *at;

	if (r->offset > s->size || n > s->size - r->offset)
		return elf_fault(e, "a relocation leaves section %s", s->name);
	if (!n)
		return elf_fault(e, "relocation of type %u in section %s", r->type, s->name);
	if (!elf_symbol(e, table, r->symbol, &sym))
		return elf_fault(e, "a relocation names no symbol");
	if (!sym.section)
		return elf_fault(e, "\"%.64s\" is not defined in this object", sym.name);
	value = sym.value + (uint64_t)r->addend - (s->address + r->offset);
	if (r->type == REL32_HI)
		value >>= 32;
	at = elf_own(e, s, a);
	if (!at)
		return elf_fault(e, "section %s has no bytes", s->name);
	for (unsigned i = 0; i < n; i++)
		at[r->offset + i] = (uint8_t)(value >> 8 * i);
	return true;
}

bool hsa_link(struct elf *e, struct arena *a)
{
	if (e->type != ELF_REL)
		return true;
	for (uint32_t i = 1; i < e->nsection; i++) {
		const struct elf_section *r = &e->section[i];

		if (r->type == ELF_RELTAB && r->info < e->nsection && (e->section[r->info].flags & ELF_ALLOC))
			return elf_fault(e, "relocations without addends");
		if (r->type != ELF_RELA || !r->info || r->info >= e->nsection || r->link >= e->nsection ||
		    !(e->section[r->info].flags & ELF_ALLOC))
			continue;
		for (uint32_t k = 0; k < elf_relas(r); k++) {
			struct elf_rela rela = elf_rela(r, k);

			if (!elf_work(e, 1))
				return false;
			/* writable data is not used */
			if (!(e->section[r->info].flags & ELF_WRITE) &&
			    !apply(e, &e->section[r->info], &e->section[r->link], &rela, a))
				return false;
		}
	}
	return true;
}

bool hsa_link_dynamic(struct elf *e, const struct elf_section *s)
{
	if (e->type == ELF_REL)
		return false;
	for (uint32_t i = 1; i < e->nsection; i++) {
		const struct elf_section *r = &e->section[i];

		if (!elf_work(e, 1 + (r->type == ELF_RELA ? elf_relas(r) : 0)))
			return true;
		if (!(r->flags & ELF_ALLOC) || (r->type != ELF_RELA && r->type != ELF_RELTAB))
			continue;
		for (uint32_t k = 0; r->type == ELF_RELA && k < elf_relas(r); k++) {
			uint64_t at = elf_rela(r, k).offset;

			if (at + 8 > s->address && at < s->address + s->size)
				return true;
		}
		if (r->type == ELF_RELTAB) /* never made for these GPUs: do not trust anything */
			return true;
	}
	return false;
}
