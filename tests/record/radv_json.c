#include "radv_json.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../exec/image.h"
#include "radv_abi.h"

enum { MAX_EXECUTABLES = 16 };

struct writer {
	FILE *f;
	struct radv_device *device;
	const struct radv_build *build;
	const struct radv_blobs *blobs;
	const struct radv_record *record;
	const char *name; /* last component of the prefix */
	int missing;
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static void quote(FILE *f, const char *s)
{
	fputc('"', f);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			fputc('\\', f);
		if ((unsigned char)*s >= 32)
			fputc(*s, f);
	}
	fputc('"', f);
}

static void write_file(const struct writer *w, const char *stage, const char *suffix, const void *data, size_t size)
{
	char name[1024];
	snprintf(name, sizeof name, "%s.%s.%s", w->record->prefix, stage, suffix);
	FILE *f = fopen(name, "wb");
	if (!f || fwrite(data, 1, size, f) != size || fclose(f))
		radv_device_fail("cannot write %s", name);
}

/* SPIR-V's name of an image format as GLSL spells it: Rgba8Snorm is rgba8_snorm. */
static void format_name(FILE *f, const char *spv)
{
	static const char *const parts[] = {"Snorm", "G11f", "B10f", "A2", "a2ui"};
	fputc('"', f);
	for (const char *at = spv; *at; at++) {
		for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
			if (at > spv && !strncmp(at, parts[i], strlen(parts[i])))
				fputc('_', f);
		fputc(tolower((unsigned char)*at), f);
	}
	fputc('"', f);
}

static void image_facts(FILE *f, const struct resource *r, bool shadow)
{
	static const char *const dims[] = {"1d", "2d", "3d", "cube", "rect", "buffer", "subpass"};
	static const char *const formats[] = {
#define FORMAT(spv, vk, bytes, kind, class) [SpvImageFormat##spv] = #spv,
#include "../exec/image_formats.def"
#undef FORMAT
	};
	const char *format = r->format < sizeof formats / sizeof *formats ? formats[r->format] : NULL;
	fprintf(f, ",\"image\":{\"dim\":\"%s\",\"arrayed\":%d,\"ms\":%d,\"depth\":%d,\"numeric\":\"%s\",\"format\":",
		r->dim < sizeof dims / sizeof *dims ? dims[r->dim] : "?", r->arrayed, r->multisampled, shadow,
		r->base == 'i'   ? "sint"
		: r->base == 'u' ? "uint"
				 : "float");
	if (!format) {
		fputs("null}", f);
		return;
	}
	format_name(f, format);
	fputc('}', f);
}

/* Bytes of a descriptor in RADV's sets. */
static int descriptor_size(VkDescriptorType t)
{
	switch (t) {
	case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
		return 96;
	case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
	case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
		return 64;
	case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
		return 32;
	default:
		return 16;
	}
}

static void write_binding(struct writer *w, const struct binding *b)
{
	const struct matrix_layout none = {0, false};
	VkDeviceSize offset = 0;
	bool buffer = b->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER || b->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
	if (w->device->binding_offset)
		w->device->binding_offset(w->device->handle, w->build->sets[b->set], b->binding, &offset);
	fprintf(w->f,
		"{\"binding\":%u,\"type\":\"%s\",\"count\":%u,\"unsized\":%d,\"offset\":%u,\"stride\":%d%s,\"buffer_"
		"size\":%llu",
		b->binding, bindings_type_name(b->type), b->count, b->unsized, (unsigned)offset,
		descriptor_size(b->type),
		b->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER ? ",\"sampler_at\":80" : "",
		buffer ? (unsigned long long)spvinfo_size(b->module, b->res->type_id, 64, none) : 0);
	if (b->type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT)
		fprintf(w->f, ",\"input_attachment_index\":%u", b->res->input_attachment);
	if (b->res->image)
		image_facts(w->f, b->res, b->shadow);
	fputc('}', w->f);
}

static uint32_t bits_of(float v)
{
	uint32_t bits;
	memcpy(&bits, &v, sizeof bits);
	return bits;
}

/* State of fixed functions, by the keys of xlate-record(5). */
static void write_state(struct writer *w)
{
	const struct radv_build *b = w->build;
	const struct radv_fixed *f = &b->fixed;
	fprintf(w->f, "\"primitive_restart\":%u,\"depth_clamp\":%u,\"rasterizer_discard\":%u,\"polygon_mode\":%u,",
		f->assembly.primitiveRestartEnable, f->raster.depthClampEnable, f->raster.rasterizerDiscardEnable,
		(unsigned)f->raster.polygonMode);
	fprintf(w->f, "\"cull_mode\":%u,\"front_face\":%u,\"depth_bias\":%u,\"line_width\":\"0x%x\",", f->raster.cullMode,
		(unsigned)f->raster.frontFace, f->raster.depthBiasEnable, bits_of(f->raster.lineWidth));
	fprintf(w->f, "\"samples\":%u,\"alpha_to_coverage\":%u,\"alpha_to_one\":%u,", (unsigned)f->samples.rasterizationSamples,
		f->samples.alphaToCoverageEnable, f->samples.alphaToOneEnable);
	fprintf(w->f, "\"depth_format\":%d,\"depth_test\":%u,\"depth_writes\":%u,\"depth_compare\":%u,", (int)b->depth_format,
		f->depth.depthTestEnable, f->depth.depthWriteEnable, (unsigned)f->depth.depthCompareOp);
	fprintf(w->f, "\"depth_bounds\":%u,\"stencil_test\":%u,\"blend\":[", f->depth.depthBoundsTestEnable,
		f->depth.stencilTestEnable);
	for (uint32_t i = 0; i < b->ntargets; i++) {
		const VkPipelineColorBlendAttachmentState *s = &f->blends[i];
		fprintf(w->f, "%s{\"target\":%u,\"enable\":%u,\"write_mask\":%u", i ? "," : "", i, s->blendEnable, s->colorWriteMask);
		if (s->blendEnable)
			fprintf(w->f,
				",\"src_color\":%u,\"dst_color\":%u,\"color_op\":%u,\"src_alpha\":%u,\"dst_alpha\":%u,"
				"\"alpha_op\":%u",
				(unsigned)s->srcColorBlendFactor, (unsigned)s->dstColorBlendFactor, (unsigned)s->colorBlendOp,
				(unsigned)s->srcAlphaBlendFactor, (unsigned)s->dstAlphaBlendFactor, (unsigned)s->alphaBlendOp);
		fputc('}', w->f);
	}
	fputs("],\"dynamic_states\":[],", w->f);
}

static void write_interface(struct writer *w)
{
	const struct radv_build *b = w->build;
	fprintf(w->f, "\"push_constant_size\":%u,\"sets\":[", b->push_size);
	for (uint32_t s = 0; s < b->nsets; s++) {
		VkDeviceSize size = 0;
		bool any = false;
		if (w->device->layout_size)
			w->device->layout_size(w->device->handle, b->sets[s], &size);
		fprintf(w->f, "%s{\"set\":%u,\"size\":%u,\"bindings\":[", s ? "," : "", s, (unsigned)size);
		for (int i = 0; i < b->nbindings; i++) {
			if (b->bindings[i].set != s)
				continue;
			fputs(any ? "," : "", w->f);
			write_binding(w, &b->bindings[i]);
			any = true;
		}
		fputs("]}", w->f);
	}
	fputs("],\"vertex_attributes\":[", w->f);
	for (uint32_t i = 0; i < b->nattributes; i++)
		fprintf(w->f, "%s{\"location\":%u,\"binding\":%u,\"format\":%d,\"stride\":%u%s}", i ? "," : "",
			b->attributes[i].location, b->attributes[i].binding, b->attributes[i].format,
			b->vertex_bindings[i].stride, b->vertex_bindings[i].inputRate ? ",\"per_instance\":1" : "");
	fputs("],", w->f);
	if (b->modules[0].stage == STAGE_VERT) {
		fprintf(w->f, "\"topology\":%d,\"provoking_last\":0,", (int)b->fixed.assembly.topology);
		write_state(w);
	}
	fputs("\"color_formats\":[", w->f);
	for (uint32_t i = 0; i < b->ntargets; i++)
		fprintf(w->f, "%s%d", i ? "," : "", b->targets[i]);
	fputs("],", w->f);
}

static uint32_t get(const struct radv_blob *b, enum radv_field f)
{
	return (uint32_t)radv_blob_get(b, f, 0);
}

static const char *hardware_stage(const struct radv_blob *b)
{
	if (get(b, RADV_SHADER_TYPE) == RADV_GS_COPY)
		return "VS(gs copy)";
	switch (get(b, RADV_STAGE)) {
	case RADV_COMP:
	case RADV_TASK:
		return "CS";
	case RADV_FRAG:
		return "PS";
	case RADV_TESC:
		return "HS";
	}
	if (get(b, RADV_NGG))
		return "NGG_GS";
	switch (get(b, RADV_STAGE)) {
	case RADV_VERT:
		return get(b, RADV_VS_AS_LS) ? "LS" : get(b, RADV_VS_AS_ES) ? "ES" : "VS";
	case RADV_TESE:
		return get(b, RADV_TES_AS_ES) ? "ES" : "VS";
	}
	return "GS";
}

static void write_fragment(FILE *f, const struct radv_blob *b)
{
	bool any = false;
	fprintf(f, "\"spi_ps_input_ena\":\"0x%x\",\"spi_ps_input_addr\":\"0x%x\",\"spi_shader_col_format\":\"0x%x\",",
		get(b, RADV_PS_INPUT_ENA), get(b, RADV_PS_INPUT_ADDR), get(b, RADV_PS_COL_FORMAT));
	fprintf(f, "\"cb_shader_mask\":\"0x%x\",\"spi_shader_z_format\":\"0x%x\",\"db_shader_control\":\"0x%x\",",
		get(b, RADV_PS_CB_MASK), get(b, RADV_REG_Z_FORMAT), get(b, RADV_REG_DB_CONTROL));
	fprintf(f, "\"spi_ps_in_control\":\"0x%x\",\"num_inputs\":%u,\"attr_to_location\":[",
		get(b, RADV_REG_PS_IN_CONTROL), get(b, RADV_PS_NUM_INPUTS));
	for (int i = 0; i < 32; i++) {
		if (!(get(b, RADV_PS_INPUT_MASK) >> i & 1))
			continue;
		fprintf(f, "%s%d", any ? "," : "", i);
		any = true;
	}
	fprintf(f, "],\"early_fragment_tests\":%u,\"flat_attr_mask_by_f32\":\"0x%x\",", get(b, RADV_PS_EARLY_TESTS),
		get(b, RADV_PS_FLOAT32_MASK));
	fprintf(f, "\"viewport_input\":%u,\"clip_cull_inputs\":\"0x%x\",", get(b, RADV_PS_VIEWPORT_INPUT),
		get(b, RADV_PS_CLIP_CULL_INPUTS));
	fprintf(f, "\"prim_id_input\":%u,\"has_pcoord\":%u,\"can_discard\":%u,", get(b, RADV_PS_PRIM_ID),
		get(b, RADV_PS_HAS_PCOORD), get(b, RADV_PS_CAN_DISCARD));
}

static void write_exports(FILE *f, const struct radv_blob *b)
{
	bool any = false;
	fprintf(f, "\"param_exports\":%u,\"pos_exports\":%u,\"param_of_location\":{", get(b, RADV_PARAM_EXPORTS),
		get(b, RADV_POS_EXPORTS));
	for (int i = 0; i < 32; i++) {
		unsigned param = (unsigned)radv_blob_get(b, RADV_PARAM_OF_SLOT, RADV_SLOT_VAR0 + i);
		if (param >= 32)
			continue;
		fprintf(f, "%s\"%d\":%u", any ? "," : "", i, param);
		any = true;
	}
	fprintf(f, "},\"writes_point_size\":%u,\"writes_layer\":%u,\"writes_viewport\":%u", get(b, RADV_WRITES_POINT_SIZE),
		get(b, RADV_WRITES_LAYER), get(b, RADV_WRITES_VIEWPORT));
	fprintf(f, ",\"clip_enable\":\"0x%x\",\"cull_enable\":\"0x%x\"", get(b, RADV_CLIP_MASK), get(b, RADV_CULL_MASK));
	if (get(b, RADV_STAGE) == RADV_VERT)
		fprintf(f, ",\"draw_id\":%u,\"base_instance\":%u", get(b, RADV_VS_DRAW_ID), get(b, RADV_VS_BASE_INSTANCE));
	fprintf(f, ",\"vb_desc_usage_mask\":\"0x%x\",\"spi_shader_pos_format\":\"0x%x\",", get(b, RADV_VB_MASK),
		get(b, RADV_REG_POS_FORMAT));
}

static void write_shader(struct writer *w, const struct radv_blob *b, const char *stage)
{
	FILE *f = w->f;
	uint32_t s = get(b, RADV_STAGE);
	write_file(w, stage, "bin", b->code, get(b, RADV_CODE_SIZE));
	fprintf(f,
		"\"code_size\":%u,\"exec_size\":%u,\"wave_size\":%u,\"ngg\":%u,\"ngg_culling\":%u,\"ngg_passthrough\":%"
		"u,",
		get(b, RADV_CODE_SIZE), get(b, RADV_EXEC_SIZE), get(b, RADV_WAVE_SIZE), get(b, RADV_NGG),
		get(b, RADV_NGG_CULLING), get(b, RADV_NGG_PASSTHROUGH));
	fprintf(f, "\"hw_stage\":\"%s\",\"num_sgprs\":%u,\"num_vgprs\":%u,\"lds_size_units\":%u,\"lds_bytes\":%u,",
		hardware_stage(b), get(b, RADV_NUM_SGPRS), get(b, RADV_NUM_VGPRS), get(b, RADV_LDS_UNITS),
		get(b, RADV_LDS_UNITS) * 512);
	fprintf(f, "\"scratch_bytes_per_wave\":%u,\"float_mode\":\"0x%02x\",", get(b, RADV_SCRATCH_BYTES),
		get(b, RADV_FLOAT_MODE));
	fprintf(f, "\"rsrc1\":\"0x%08x\",\"rsrc2\":\"0x%08x\",\"rsrc3\":\"0x%08x\",\"user_sgprs\":%u,",
		get(b, RADV_RSRC1), get(b, RADV_RSRC2), get(b, RADV_RSRC3), get(b, RADV_RSRC2) >> 1 & 31);
	if (s == RADV_COMP || s == RADV_TASK || s == RADV_MESH)
		fprintf(f, "\"workgroup_size\":[%u,%u,%u],", (unsigned)radv_blob_get(b, RADV_CS_BLOCK_SIZE, 0),
			(unsigned)radv_blob_get(b, RADV_CS_BLOCK_SIZE, 1),
			(unsigned)radv_blob_get(b, RADV_CS_BLOCK_SIZE, 2));
	fprintf(f, "\"inline_push_constant_mask\":\"0x%llx\",",
		(unsigned long long)radv_blob_get(b, RADV_INLINE_PUSH_MASK, 0));
	if (s == RADV_FRAG)
		write_fragment(f, b);
	else if (s != RADV_COMP && s != RADV_TASK)
		write_exports(f, b);
	radv_abi_write(f, b, w->device->gfx);
	fputc(',', f);
	fputs("\"code\":", f);
	char name[1024];
	snprintf(name, sizeof name, "%s.%s.bin", w->name, stage);
	quote(f, name);
	fputc(',', f);
}

static void write_listing(struct writer *w, const VkPipelineExecutableInfoKHR *info, const char *stage)
{
	uint32_t n = 0;
	RADV(w->device->texts, w->device->handle, info, &n, NULL);
	VkPipelineExecutableInternalRepresentationKHR *list = calloc(n + 1, sizeof *list);
	for (uint32_t i = 0; i < n; i++)
		list[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR;
	RADV(w->device->texts, w->device->handle, info, &n, list);
	for (uint32_t i = 0; i < n; i++)
		list[i].pData = calloc(1, list[i].dataSize + 1);
	RADV(w->device->texts, w->device->handle, info, &n, list);
	for (uint32_t i = 0; i < n; i++)
		if (strstr(list[i].name, "Assembly"))
			write_file(w, stage, "asm", list[i].pData, strlen(list[i].pData));
	free(list);
}

static void write_executable(struct writer *w, const VkPipelineExecutablePropertiesKHR *p, uint32_t index)
{
	static const char *const names[] = {"vert", "tesc", "tese", "geom", "frag", "comp", "task", "mesh"};
	VkPipelineExecutableInfoKHR info = {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
					    .pipeline = w->build->captured, .executableIndex = index};
	const struct radv_blob *b = NULL;
	uint32_t n = 0;
	RADV(w->device->statistics, w->device->handle, &info, &n, NULL);
	VkPipelineExecutableStatisticKHR *stats = calloc(n + 1, sizeof *stats);
	for (uint32_t i = 0; i < n; i++)
		stats[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
	RADV(w->device->statistics, w->device->handle, &info, &n, stats);
	for (uint32_t i = 0; i < n; i++)
		if (!strcmp(stats[i].name, "Hash"))
			b = radv_blob_find(w->blobs, (uint32_t)stats[i].value.u64);
	const char *stage = "none";
	if (b)
		stage = get(b, RADV_SHADER_TYPE) == RADV_GS_COPY ? "gscopy" : names[get(b, RADV_STAGE) & 7];
	fprintf(w->f, "%s{\"name\":\"%s\",\"stages\":%u,\"stage\":\"%s\",\"subgroup_size\":%u,\"match\":\"%s\",",
		index ? "," : "", p->name, p->stages, stage, p->subgroupSize, b ? "hash" : "none");
	if (b)
		write_shader(w, b, stage);
	else
		w->missing++;
	if (w->record->listings)
		write_listing(w, &info, stage);
	fputs("\"stats\":{", w->f);
	for (uint32_t i = 0; i < n; i++)
		fprintf(w->f, "%s\"%s\":%llu", i ? "," : "", stats[i].name, (unsigned long long)stats[i].value.u64);
	fputs("}}", w->f);
	free(stats);
}

static void write_executables(struct writer *w)
{
	VkPipelineInfoKHR info = {VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = w->build->captured};
	VkPipelineExecutablePropertiesKHR list[MAX_EXECUTABLES];
	uint32_t n = MAX_EXECUTABLES;
	memset(list, 0, sizeof list);
	for (int i = 0; i < MAX_EXECUTABLES; i++)
		list[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR;
	RADV(w->device->executables, w->device->handle, &info, &n, list);
	fputs("\"executables\":[", w->f);
	for (uint32_t i = 0; i < n; i++)
		write_executable(w, &list[i], i);
	fputs("],", w->f);
}

/* The result of the originals on lavapipe, "OK hash bytes=...", and the command that gives it. */
static void write_expected(struct writer *w)
{
	const char *line = w->record->expected, *stats = line ? strchr(line, '=') : NULL;
	if (!line)
		return;
	bool ok = !strncmp(line, "OK ", 3) && stats;
	fprintf(w->f, "\"expected\":{\"status\":\"%s\"", ok ? "ok" : "fail");
	if (ok) {
		while (stats > line && stats[-1] != ' ')
			stats--;
		fprintf(w->f, ",\"fnv64\":\"%.16s\",\"stats\":", line + 3);
		quote(w->f, stats);
		fputs(",\"output\":", w->f);
		char name[1024];
		snprintf(name, sizeof name, "%s.out", w->name);
		quote(w->f, name);
	}
	fputs(",\"command\":[\"vkexec\"", w->f);
	for (int i = 0; i < w->record->nargs; i++) {
		fputc(',', w->f);
		quote(w->f, w->record->args[i]);
	}
	for (int i = 0; i < w->build->n; i++) {
		fputc(',', w->f);
		quote(w->f, base_name(w->record->files[i]));
	}
	fputs("]},", w->f);
}

static void write_module_facts(struct writer *w)
{
	bool subgroup = false, atomic = false, discard = false;
	int nspec = 0;
	for (int i = 0; i < w->build->n; i++) {
		const struct spvinfo *m = &w->build->modules[i];
		subgroup |= m->has_subgroup;
		atomic |= m->has_atomic;
		discard |= m->has_discard;
		nspec += m->nspec;
	}
	fprintf(w->f, "\"spirv\":{\"subgroup\":%d,\"atomic\":%d,\"discard\":%d,\"nspec\":%d},", subgroup, atomic,
		discard, nspec);
}

int radv_json_write(struct radv_device *d, const struct radv_build *b, const struct radv_blobs *blobs,
		    const struct radv_record *r)
{
	char file[1024];
	struct writer w = {.device = d, .build = b, .blobs = blobs, .record = r, .name = base_name(r->prefix)};
	snprintf(file, sizeof file, "%s.json", r->prefix);
	w.f = fopen(file, "w");
	if (!w.f)
		radv_device_fail("cannot write %s", file);
	fprintf(w.f, "{\"name\":\"%s\",\"kind\":\"%s\",\"isa\":\"%s\",\"cpu\":\"%s\",\"abi\":\"radv\",\"linked\":%s,",
		w.name, b->n > 1 ? "pair" : spvinfo_stage_name(b->modules[0].stage), d->isa, d->cpu,
		r->linked ? "true" : "false");
	fprintf(w.f, "\"device\":\"%s\",\"family\":\"%s\",\"driver\":\"%s\",\"mesa\":\"25.0.7\",", d->name, d->family,
		d->driver);
	fprintf(w.f, "\"address32_hi\":\"0x%08x\",\"color\":\"%s\",\"inputs\":[", d->gfx < 9 ? 0u : 0xffff8000u,
		b->color);
	for (int i = 0; i < b->n; i++) {
		fprintf(w.f, "%s{\"file\":", i ? "," : "");
		quote(w.f, base_name(r->files[i]));
		fprintf(w.f, ",\"stage\":\"%s\",\"entry\":\"%s\"}", spvinfo_stage_name(b->modules[i].stage),
			b->modules[i].entry);
	}
	fputs("],", w.f);
	write_interface(&w);
	write_expected(&w);
	write_module_facts(&w);
	write_executables(&w);
	fputs("\"real_stages\":[", w.f);
	for (int i = 0; i < b->n; i++)
		fprintf(w.f, "%s\"%s\"", i ? "," : "", spvinfo_stage_name(b->modules[i].stage));
	fputs("]}\n", w.f);
	if (fclose(w.f))
		radv_device_fail("cannot write %s", file);
	return w.missing;
}
