/*
 * radvdump: compiles SPIR-V with RADV's null device, for a GPU that is not there, and writes the machine code with its
 * record: registers, ABI, descriptor layout, states, driver statistics.
 *
 *	VK_ICD_FILENAMES=.../radeon_icd.json RADV_FORCE_FAMILY=navi21 RADV_DEBUG=nongg radvdump -l -o DIR/NAME
 *a.vert.spv b.frag.spv
 *
 * Needs Mesa 25.0.7: the machine code and its registers come from the pipeline cache, whose layout that release
 *defines.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "radv_json.h"

static const char usage[] = "usage: radvdump -o PREFIX [options] file.spv...\n"
			    "  -l       unlinked: vertex and fragment shader in pipeline libraries of their own\n"
			    "  -c NAME  format of float colour targets: rgba32f (default), rgba16f, rgba8\n"
			    "  -t N     VkPrimitiveTopology (3)\n"
			    "  -e LINE  the executor's result line for the same modules, to be recorded as expected\n"
			    "  -a       write the driver's listings too (PREFIX.STAGE.asm)\n";

static bool parse(int argc, char **argv, struct radv_build *b, struct radv_record *r)
{
	int option;
	b->color = "rgba32f";
	b->topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
	while ((option = getopt(argc, argv, "o:c:t:e:la")) != -1) {
		switch (option) {
		case 'o':
			r->prefix = optarg;
			break;
		case 'c':
			b->color = optarg;
			break;
		case 't':
			b->topology = (VkPrimitiveTopology)atoi(optarg);
			break;
		case 'e':
			r->expected = optarg;
			break;
		case 'l':
			b->unlinked = true;
			break;
		case 'a':
			r->listings = true;
			break;
		default:
			return false;
		}
	}
	for (; optind < argc && b->n < RADV_STAGES; optind++) {
		r->files[b->n] = argv[optind];
		if (!spvinfo_load(&b->modules[b->n++], argv[optind]))
			radv_device_fail("%s is no SPIR-V module", argv[optind]);
	}
	r->linked = !b->unlinked && b->n > 1;
	return r->prefix && b->n;
}

int main(int argc, char **argv)
{
	struct radv_build *b = calloc(1, sizeof *b);
	struct radv_record r = {0};
	struct radv_blobs blobs;
	struct radv_device d;
	if (!parse(argc, argv, b, &r)) {
		fputs(usage, stderr);
		return 2;
	}
	alarm(60);
	radv_device_open(&d, getenv("RADV_FORCE_FAMILY"));
	if (!strstr(d.driver, "25.0.7"))
		radv_device_fail(
			"the driver is \"%s\", its cache cannot be read: install Mesa 25.0.7 (tests/mesa25.sh)",
			d.driver);
	radv_build_run(&d, b);
	radv_blob_parse(&d, b->cache, &blobs);
	int missing = radv_json_write(&d, b, &blobs, &r);
	if (missing)
		radv_device_fail("%s: %d executables without code in the cache", r.prefix, missing);
	return 0;
}
