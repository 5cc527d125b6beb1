/*
 * outputs.h: what a program wrote, as a list of records, and the two files made of such records.
 *
 * Output file: "VKXO1\0\0\0", then per record 8 bytes of kind (xfb, xfbown, color, depth, ssbo, texbuf, image), eight 32-bit
 * words {a, b, c, format, width, height, bytes, extra} and the bytes. Input file: the same with "VKXI1" and kinds ubo,
 * ssbo, utexel, stexel, simage, stimage, sampler, push, vattr. a, b, c are set, binding and array element of a
 * resource.
 */
#ifndef OUTPUTS_H
#define OUTPUTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* How bytes are compared: BITS exactly, floats of a width by tolerance, NORM within one step of the format. */
enum word_class { CLASS_BITS, CLASS_F16, CLASS_F32, CLASS_F64, CLASS_NORM8, CLASS_NORM16 };

struct record {
	char kind[8];
	uint32_t a, b, c, format, width, height, extra;
	uint64_t size;
	uint8_t *data;
	uint8_t *classes; /* class of the element that starts at this byte; elements follow each other by their width */
	uint64_t changed; /* bytes that differ from the initial contents */
	uint32_t background; /* pictures: the 32-bit word that no shader has written */
};

struct outputs {
	struct record *records;
	int count;
	uint64_t covered; /* pixels of the first target, or vertices */
};

/* Adds a record with a copy of the data and classes all CLASS_BITS; valid until the next one is added. */
struct record *outputs_add(struct outputs *o, const char *kind, const void *data, uint64_t size);
void outputs_free(struct outputs *o);
/* Marks count elements of a class from a byte on. */
void outputs_classify(struct record *r, uint64_t at, enum word_class class, uint64_t count);
uint32_t outputs_class_size(enum word_class class);
void outputs_count_changed(struct record *r, const uint8_t *initial);
uint64_t outputs_changed(const struct outputs *o);
/* FNV-1a 64 and size of the output file's bytes. */
uint64_t outputs_hash(const struct outputs *o, uint64_t *bytes);
/* Writes the records behind the magic ("VKXO1" or "VKXI1"); false if the file cannot be written. */
bool outputs_write(const struct outputs *o, const char *magic, const char *file);
/* Reads an output file made by the same program as `like`; false if its records are others. */
bool outputs_read(struct outputs *o, const struct outputs *like, const char *file);

#endif
