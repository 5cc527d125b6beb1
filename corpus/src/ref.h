/*
 * ref.h: what a subgroup program must write, computed on the CPU. NAME.ref.c includes this and defines
 *
 *	static void reference(uint32_t wave);
 *
 * and is run as `ref WAVE INPUTS OUTPUTS`: INPUTS is the executor's input file (vkexec -i), OUTPUTS gets the output file
 * that a device whose subgroups have WAVE lanes must write (vkexec -r compares). Both formats: tests/exec/outputs.h.
 * Four workgroups run. Lane l of a workgroup is lane l % wave of wave l / wave.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REF_GROUPS = 4, REF_LANES = 256, REF_BUFFERS = 16 };

struct ref_buffer {
	char kind[8];
	uint32_t head[8]; /* set, binding, element, format, width, height, bytes, extra */
	uint32_t *words;
	int output;
};

static struct ref_buffer ref_buffers[REF_BUFFERS];
static int ref_count;

static void reference(uint32_t wave);

static uint32_t *ref_find(uint32_t binding, int output)
{
	for (int i = 0; i < ref_count; i++) {
		if (ref_buffers[i].head[1] == binding) {
			ref_buffers[i].output |= output;
			return ref_buffers[i].words;
		}
	}
	fprintf(stderr, "no binding %u\n", binding);
	exit(2);
}

/* The initial words of set 0's buffer. */
static inline const uint32_t *ref_in(uint32_t binding)
{
	return ref_find(binding, 0);
}

/* The same, to be overwritten with what the program leaves there. */
static inline uint32_t *ref_out(uint32_t binding)
{
	return ref_find(binding, 1);
}

int main(int argc, char **argv)
{
	char magic[8];
	FILE *f = argc == 4 ? fopen(argv[2], "rb") : NULL;
	if (!f || fread(magic, 1, 8, f) != 8 || memcmp(magic, "VKXI1", 6))
		return 2;
	for (struct ref_buffer *b = ref_buffers; ref_count < REF_BUFFERS; b++, ref_count++) {
		if (fread(b->kind, 1, 8, f) != 8 || fread(b->head, 4, 8, f) != 8)
			break;
		b->words = calloc(b->head[6] / 4 + 1, 4);
		if (fread(b->words, 1, b->head[6], f) != b->head[6])
			return 2;
	}
	fclose(f);
	reference((uint32_t)atoi(argv[1]));
	f = fopen(argv[3], "wb");
	if (!f)
		return 2;
	fwrite("VKXO1\0\0", 1, 8, f);
	for (int i = 0; i < ref_count; i++) {
		const struct ref_buffer *b = &ref_buffers[i];
		if (!b->output)
			continue;
		fwrite(b->kind, 1, 8, f);
		fwrite(b->head, 4, 8, f);
		fwrite(b->words, 1, b->head[6], f);
	}
	return fclose(f) ? 2 : 0;
}

/* Runs the body for the waves of all workgroups: `first` is the index of the wave's first lane, `lanes` their number. */
#define REF_WAVES(size)                                                                                                \
	for (uint32_t first = 0, lanes; first < REF_GROUPS * (size); first += lanes)                                   \
		if ((lanes = (size) - first % (size) < wave ? (size) - first % (size) : wave))
