/* validate.c - SPIRV-Tools in process: validation for the target's environment, and disassembly. */
#include "spirv.h"

#include <spirv-tools/libspirv.h>
#include <stdlib.h>
#include <string.h>

struct spirv_tools {
	spv_context context;
	spv_validator_options options;
};

/* The oldest environment that takes the target's SPIR-V version. */
static spv_target_env environment(const struct fact_target *t)
{
	if (t->spirv >= 0x00010600)
		return SPV_ENV_VULKAN_1_3;
	if (t->spirv >= 0x00010500)
		return SPV_ENV_VULKAN_1_2;
	if (t->spirv >= 0x00010400)
		return SPV_ENV_VULKAN_1_1_SPIRV_1_4;
	return t->spirv >= 0x00010300 ? SPV_ENV_VULKAN_1_1 : SPV_ENV_VULKAN_1_0;
}

struct spirv_tools *spirv_tools_new(const struct fact_target *t)
{
	struct spirv_tools *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->context = spvContextCreate(environment(t));
	s->options = spvValidatorOptionsCreate();
	if (!s->context || !s->options) {
		spirv_tools_free(s);
		return NULL;
	}
	spvValidatorOptionsSetRelaxBlockLayout(s->options, t->vulkan >= (1u << 22 | 1u << 12));
	spvValidatorOptionsSetUniformBufferStandardLayout(s->options, t->uniform_standard_layout);
	spvValidatorOptionsSetScalarBlockLayout(s->options, t->scalar_layout);
	spvValidatorOptionsSetWorkgroupScalarBlockLayout(s->options, t->shared_layout);
	return s;
}

void spirv_tools_free(struct spirv_tools *s)
{
	if (!s)
		return;
	if (s->options)
		spvValidatorOptionsDestroy(s->options);
	if (s->context)
		spvContextDestroy(s->context);
	free(s);
}

/* Finding a readable name for each id takes a third of SPIRV-Tools' time, and only an error's text shows them: a module
 * is validated without, and again with them if it is wrong. */
static spv_result_t validate(struct spirv_tools *s, const uint32_t *words, size_t n, bool names, spv_diagnostic *d)
{
	struct spv_const_binary_t binary = {words, n};

	spvValidatorOptionsSetFriendlyNames(s->options, names);
	return spvValidateWithOptions(s->context, s->options, &binary, d);
}

int spirv_validate(struct spirv_tools *s, const uint32_t *words, size_t n, struct diag_sink *diag)
{
	spv_diagnostic d = NULL;
	spv_result_t r = validate(s, words, n, false, &d);

	if (r != SPV_SUCCESS) {
		spvDiagnosticDestroy(d);
		d = NULL;
		validate(s, words, n, true, &d);
		diag_emit(diag, DIAG_INVALID_MODULE, DIAG_NO_ADDR, "%s", d && d->error ? d->error : "no message");
	}
	spvDiagnosticDestroy(d);
	return r == SPV_SUCCESS ? 0 : -1;
}

char *spirv_disassemble(struct spirv_tools *s, const uint32_t *words, size_t n, struct arena *a, struct diag_sink *diag)
{
	spv_diagnostic d = NULL;
	spv_text text = NULL;
	char *out = NULL;
	spv_result_t r = spvBinaryToText(s->context, words, n, SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_NO_HEADER,
	                                 &text, &d);

	if (r == SPV_SUCCESS && text) {
		out = arena_alloc(a, text->length + 1);
		if (out)
			memcpy(out, text->str, text->length);
	} else
		diag_emit(diag, DIAG_INVALID_MODULE, DIAG_NO_ADDR, "%s", d && d->error ? d->error : "no SPIR-V module");
	spvTextDestroy(text);
	spvDiagnosticDestroy(d);
	return out;
}
