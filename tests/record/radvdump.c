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
#include <sys/wait.h>
#include <unistd.h>

#include "radv_json.h"
#include "radv_stats.h"

static const char usage[] = "usage: radvdump -o PREFIX [options] file.spv...\n"
			    "       radvdump stats LIST    a job a line: name, tab, options, iface.spv[:code.spv]...\n"
			    "                              prints name, tab, the driver's statistics as JSON\n"
			    "  -l       unlinked: vertex and fragment shader in pipeline libraries of their own\n"
			    "  -c NAME  format of colour targets: rgba32f (default), rgba16f, rgba8, rgba16, rgba16_snorm; integers\n"
			    "           are of 16 bits with the last two, of 32 with the others\n"
			    "  -t N     VkPrimitiveTopology (3)\n"
			    "  -e LINE  the executor's result line for the same modules, to be recorded as expected\n"
			    "  -s N     required subgroup size of a compute shader\n"
			    "  -m N     samples\n"
			    "  -R MASK  vertex inputs that advance by instance, bit per location\n"
			    "  -z N     depth test, VkCompareOp\n"
			    "  -n, -L, -V  as the executor has them, which gets these and -t, -m, -R, -z from the record\n"
			    "  -a       write the driver's listings too (PREFIX.STAGE.asm)\n";

static void load(struct spvinfo *m, const char *file)
{
	if (!spvinfo_load(m, file))
		radv_device_fail("%s is no SPIR-V module", file);
}

static bool parse(int argc, char **argv, struct radv_build *b, struct radv_record *r)
{
	int option;
	b->color = "rgba32f";
	b->topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
	while ((option = getopt(argc, argv, "o:c:t:e:s:m:R:n:L:V:z:la")) != -1) {
		switch (option) {
		case 'o':
			r->prefix = optarg;
			break;
		case 'c':
			b->color = optarg;
			if (!radv_build_colour(b->color))
				return false;
			break;
		case 't':
			b->topology = (VkPrimitiveTopology)atoi(optarg);
			break;
		case 'e':
			r->expected = optarg;
			break;
		case 's':
			b->subgroup = (uint32_t)atoi(optarg);
			break;
		case 'm':
			b->samples = (uint32_t)atoi(optarg);
			break;
		case 'R':
			b->instance_rate = (uint32_t)strtoul(optarg, NULL, 0);
			break;
		case 'z':
			b->depth_test = 1 + (uint32_t)atoi(optarg);
			break;
		case 'n': case 'L': case 'V': /* the executor's alone */
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
	for (int i = 1; i + 1 < argc; i++)
		if (argv[i][0] == '-' && argv[i][1] && strchr("tmRnLVz", argv[i][1]) && !argv[i][2] &&
		    r->nargs + 2 <= RADV_DRAW_ARGS) {
			r->args[r->nargs++] = argv[i];
			r->args[r->nargs++] = argv[i + 1];
		}
	for (; optind < argc && b->n < RADV_STAGES; optind++, b->n++) {
		char *colon = strchr(argv[optind], ':');
		if (colon)
			*colon++ = 0;
		r->files[b->n] = argv[optind];
		load(&b->modules[b->n], argv[optind]);
		if (colon)
			load(&b->code[b->n], colon);
	}
	r->linked = !b->unlinked && b->n > 1;
	return b->n > 0;
}

/* A job of a list, in a process of its own: a driver that crashes costs its line only. */
static int run_job(char *line)
{
	struct radv_build *b = calloc(1, sizeof *b);
	struct radv_record r = {0};
	struct radv_device d;
	char *argv[64] = {"radvdump"}, *tab = strchr(line, '\t');
	int argc = 1;
	if (!tab)
		return 2;
	*tab = 0;
	for (char *t = strtok(tab + 1, " \t\r\n"); t && argc < 63; t = strtok(NULL, " \t\r\n"))
		argv[argc++] = t;
	optind = 1;
	if (!parse(argc, argv, b, &r))
		return 2;
	alarm(60);
	radv_device_open(&d, getenv("RADV_FORCE_FAMILY"));
	radv_build_statistics(&d, b);
	radv_stats_print(&d, b, line);
	fflush(stdout);
	_exit(0);
}

/* The whole list is read first: a child that exits would move the offset of a file that it shares. */
static int run_list(const char *file)
{
	FILE *f = fopen(file, "r");
	char **lines = NULL;
	size_t room = 0, n = 0;
	int failed = 0, status;
	if (!f)
		radv_device_fail("cannot read %s", file);
	do {
		lines = realloc(lines, sizeof *lines * (n + 1));
		lines[n] = NULL;
		room = 0;
	} while (getline(&lines[n], &room, f) > 0 && ++n);
	fclose(f);
	for (size_t i = 0; i < n; i++) {
		pid_t pid = fork();
		if (!pid)
			_exit(run_job(lines[i]));
		if (pid < 0 || waitpid(pid, &status, 0) < 0 || status) {
			printf("%.*s\tfailed\n", (int)strcspn(lines[i], "\t"), lines[i]);
			fflush(stdout);
			failed++;
		}
		free(lines[i]);
	}
	free(lines[n]);
	free(lines);
	return failed != 0;
}

int main(int argc, char **argv)
{
	struct radv_build *b = calloc(1, sizeof *b);
	struct radv_record r = {0};
	struct radv_blobs blobs;
	struct radv_device d;
	if (argc == 3 && !strcmp(argv[1], "stats"))
		return run_list(argv[2]);
	if (!parse(argc, argv, b, &r) || !r.prefix) {
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
