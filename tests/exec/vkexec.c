/*
 * vkexec: runs SPIR-V on a Vulkan device with deterministic inputs, and compares originals with translations.
 *
 * Resources (bindings, sizes, contents, vertex inputs, targets) come from iface.spv, the code that runs is exec.spv, so
 * a translation runs on exactly the inputs of the original: one compute shader          dispatch of 2x2x1 workgroups;
 * what storage buffers and images then hold one vertex shader           12 vertices x 2 instances through transform
 * feedback: position and every output stages up to a fragment     6 vertices (or 2 mesh groups) into 64x64 targets of
 * four 32-bit components Prints one line: OK hash bytes covered changed | EQUAL hash ... | DIFFERS where | EMPTY |
 * CRASH n | TIMEOUT | FAIL why.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "batch.h"
#include "job.h"
#include "profile.h"

static const char usage[] =
	"usage: vkexec [options] iface.spv[:exec.spv]...          run exec and write its outputs; '+stage.spv' joins them\n"
	"       vkexec compare [options] iface.spv[:exec.spv]...  run both on one device and compare\n"
	"       vkexec batch [-j N] LIST                          a job a line: name, tab, arguments; '-' reads stdin\n"
	"       vkexec profile                                    the device's Vulkan profile, as JSON\n"
	"  -o FILE  outputs (compare: of the original)      -O FILE  outputs of the translation\n"
	"  -i FILE  inputs                                  -r FILE  recorded outputs that the original must equal\n"
	"  -T N     processor seconds until TIMEOUT (20)    -g X,Y,Z workgroups (2,2,1)\n"
	"  -t N     VkPrimitiveTopology (3)                 -w BITS  lavapipe's vector width (256)\n"
	"  -n I,V,FI,FV  instances and vertices, first ones (1,6,0,0)    -R MASK  locations that advance by instance\n"
	"  -m 4     samples of the targets, resolved at the end          -L N     targets of four layers, N > 1\n"
	"  -V 2     a second viewport, the lower right quarter           -z N     depth test, VkCompareOp\n"
	"  -P       floats in buffers and push constants are positive, integers of vertices 0 or 1; targets never stored are 0\n"
	"  -H       colour targets stand for half ones      -v       keep the driver's messages\n";

static int run_batch(int argc, char **argv)
{
	int workers = 2;
	if (argc == 3 && !strcmp(argv[0], "-j")) {
		workers = atoi(argv[1]);
		argc -= 2;
		argv += 2;
	}
	if (argc != 1) {
		fputs(usage, stderr);
		return CHILD_USAGE;
	}
	return batch_run(argv[0], workers);
}

int main(int argc, char **argv)
{
	struct job job;
	bool compare = argc > 1 && !strcmp(argv[1], "compare");
	int status;
	if (argc > 1 && !strcmp(argv[1], "batch"))
		return run_batch(argc - 2, argv + 2);
	if (argc == 2 && !strcmp(argv[1], "profile"))
		return profile_print();
	if (!job_parse(&job, argc - 1 - compare, argv + 1 + compare)) {
		fputs(usage, stderr);
		return CHILD_USAGE;
	}
	job.compare = compare; /* without the word, iface:exec only runs exec */
	struct child_slot *slot = child_slots(1);
	pid_t pid = job_start(&job, slot);
	if (pid < 0 || waitpid(pid, &status, 0) < 0) {
		perror("vkexec");
		return CHILD_USAGE;
	}
	int code = child_finish(slot, status);
	puts(slot->line);
	if (code == CHILD_DIED && job.output)
		unlink(job.output); /* a file cut short must not pass for a result */
	return code;
}
