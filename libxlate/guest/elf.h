/* elf.h - 64-bit little-endian ELF files, as far as GPU code objects need them: sections, symbols, the bytes behind an
 * address, notes.
 *
 * The file is untrusted: every offset, size, index and string is checked before use, and what is returned lies inside the
 * file. Sections are views into the caller's bytes; copies (relocated sections of an object file) live in the arena.
 * Source of the layout: the System V gABI, chapters 4 and 5.
 */
#ifndef XL_ELF_H
#define XL_ELF_H

#include "../../ir/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ELF_MAX_SECTIONS = 4096, ELF_MAX_SYMBOLS = 1 << 20, ELF_MAX_IMAGE = 64 << 20 };
/* Symbols, relocations and sections that are looked at in an object's life, however they refer to each other: a real one with
 * thousands of kernels has a hundredth of it. */
enum { ELF_MAX_WORK = 1 << 27 };
enum elf_type { ELF_REL = 1, ELF_EXEC = 2, ELF_DYN = 3 };
enum elf_section_type { ELF_PROGBITS = 1, ELF_SYMTAB = 2, ELF_RELA = 4, ELF_NOTE = 7, ELF_NOBITS = 8, ELF_RELTAB = 9, ELF_DYNSYM = 11 };
enum elf_section_flags { ELF_WRITE = 1, ELF_ALLOC = 2, ELF_EXECUTE = 4 };

struct elf_section {
	const char *name;
	uint32_t type, link, info;
	uint64_t flags, address, align, size; /* size: bytes in memory; of a NOBITS section none are in the file */
	const uint8_t *bytes;                 /* NULL: NOBITS or empty */
};

struct elf_symbol {
	const char *name;
	uint64_t value, size; /* value: an address, also in object files (after elf_open placed the sections) */
	uint32_t section;     /* index, 0: undefined or special */
	uint8_t type;         /* 0 none, 1 object, 2 function, 3 section */
};

struct elf {
	const uint8_t *v;
	size_t n;
	uint8_t os_abi, abi_version;
	uint16_t type, machine;
	uint32_t flags;
	uint32_t nsection;
	struct elf_section *section;
	uint64_t work;        /* see elf_work */
	char why[160];        /* the first fault, for a diagnostic */
};

/* The first bytes of an ELF file? */
bool elf_is(const uint8_t *v, size_t n);
/* False: `why` says what is wrong. In an object file, allocated sections get addresses one behind the other. */
bool elf_open(struct elf *, const uint8_t *v, size_t n, struct arena *);
bool elf_fault(struct elf *, const char *fmt, ...) __attribute__((format(printf, 2, 3))); /* false; keeps the first */

/* False, with a fault: n more things are looked at, and those are too many. */
bool elf_work(struct elf *, uint64_t n);
/* Symbols of a symbol table section, by index; false past the end or when it is broken. */
bool elf_symbol(const struct elf *, const struct elf_section *table, uint32_t i, struct elf_symbol *);
/* The defined symbol of that name, in either symbol table. */
bool elf_find(struct elf *, const char *name, struct elf_symbol *);
/* The section in memory that holds [address, address + size). NULL: none does wholly. */
const struct elf_section *elf_at(const struct elf *, uint64_t address, uint64_t size);

/* One relocation with addend. */
struct elf_rela { uint64_t offset; uint32_t type, symbol; int64_t addend; };
uint32_t elf_relas(const struct elf_section *);
struct elf_rela elf_rela(const struct elf_section *, uint32_t i);
/* A section's bytes as a copy that may be changed. */
uint8_t *elf_own(struct elf *, struct elf_section *, struct arena *);

/* Walks the notes of a note section: *at starts at 0. False at the end, or when the rest is broken. */
struct elf_note { const char *name; uint32_t type, size; const uint8_t *desc; };
bool elf_note(const struct elf_section *, size_t *at, struct elf_note *);

static inline uint16_t elf_u16(const uint8_t *p) { return (uint16_t)(p[0] | p[1] << 8); }
static inline uint32_t elf_u32(const uint8_t *p) { return elf_u16(p) | (uint32_t)elf_u16(p + 2) << 16; }
static inline uint64_t elf_u64(const uint8_t *p) { return elf_u32(p) | (uint64_t)elf_u32(p + 4) << 32; }

#endif
