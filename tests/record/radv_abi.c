#include "radv_abi.h"

/* One list of registers in the making. */
struct list {
	FILE *file;
	char prefix; /* s or v */
	int next;
	bool any;
};

static void add_at(struct list *l, int reg, int count, const char *name)
{
	fprintf(l->file, "%s{\"reg\":\"%c%d\",\"n\":%d,\"name\":\"%s\"}", l->any ? "," : "", l->prefix, reg, count,
		name);
	l->any = true;
}

static void add(struct list *l, int count, const char *name)
{
	add_at(l, l->next, count, name);
	l->next += count;
}

static uint32_t get(const struct radv_blob *b, enum radv_field f)
{
	return (uint32_t)radv_blob_get(b, f, 0);
}

static uint32_t get_at(const struct radv_blob *b, enum radv_field f, int i)
{
	return (uint32_t)radv_blob_get(b, f, i);
}

/* gfx9 and later run two API stages as one program, with eight system registers in front. */
static bool merged(const struct radv_blob *b, int gfx)
{
	uint32_t stage = get(b, RADV_STAGE);
	return gfx >= 9 && (stage == RADV_GEOM || stage == RADV_TESC || get(b, RADV_NGG));
}

static const char *data_name(uint32_t stage, int k)
{
	static const char *const common[RADV_UD_STAGE] = {
		"",
		"push_constants_ptr",
		"inline_push_constants",
		"indirect_descriptor_sets_ptr",
		"view_index",
		"streamout_buffers",
		"streamout_state",
		"task_state",
		"ngg_culling_settings",
		"ngg_viewport",
		"ngg_lds_layout",
		"ngg_state",
		"ngg_query_va",
		"vgt_esgs_ring_itemsize",
		"force_vrs_rates",
		"task_ring_entry",
		"next_stage_pc",
		"epilog_pc",
	};
	static const char *const vertex[] = {"vertex_buffers_ptr", "base_vertex_drawid_startinstance",
					     "vs_prolog_inputs", "tcs_offchip_layout"};
	static const char *const compute[] = {
		"num_work_groups_or_ptr", "sbt",          "ray_launch_size", "stack_base", "traversal",
		"task_ring_offsets",      "task_draw_id", "task_ib"};
	if (k < RADV_UD_STAGE)
		return common[k];
	k -= RADV_UD_STAGE;
	if (stage == RADV_COMP || stage == RADV_TASK)
		return compute[k];
	if (stage == RADV_FRAG)
		return "ps_state";
	return k < 4 ? vertex[k] : "?";
}

static void user_data(struct list *l, const struct radv_blob *b, int base)
{
	int count, reg;
	for (int k = 0; k < RADV_SET_REGISTERS_COUNT; k++) {
		char name[40];
		reg = radv_blob_register(b, RADV_SET_REGISTERS, k, &count);
		snprintf(name, sizeof name, "descriptor_set%d", k);
		if (reg >= 0)
			add_at(l, base + reg, 1, name);
	}
	for (int k = RADV_UD_FIRST; k < RADV_UD_COUNT; k++) {
		reg = radv_blob_register(b, RADV_DATA_REGISTERS, k, &count);
		if (reg >= 0)
			add_at(l, base + reg, count, data_name(get(b, RADV_STAGE), k));
	}
}

static void compute_system(struct list *l, const struct radv_blob *b)
{
	static const char *const ids[] = {"workgroup_id_x", "workgroup_id_y", "workgroup_id_z"};
	for (int k = 0; k < 3; k++)
		if (get_at(b, RADV_CS_BLOCK_ID, k))
			add(l, 1, ids[k]);
	if (get(b, RADV_CS_LOCAL_INDEX))
		add(l, 1, "tg_size");
	if (get(b, RADV_SCRATCH_BYTES))
		add(l, 1, "scratch_offset");
}

static void fragment_system(struct list *l, const struct radv_blob *b, int gfx)
{
	add(l, 1, "prim_mask");
	if (get(b, RADV_PS_POPS) && gfx < 11)
		add(l, 1, "pops_collision_wave_id");
	if (get(b, RADV_PS_PROVOKING))
		add(l, 1, "load_provoking_vtx");
	add(l, 1, "scratch_offset");
}

static void vertex_system(struct list *l, const struct radv_blob *b)
{
	if (get(b, RADV_VS_AS_ES)) {
		add(l, 1, "es2gs_offset");
	} else if (!get(b, RADV_VS_AS_LS)) {
		if (get(b, RADV_SO_OUTPUTS)) {
			add(l, 1, "streamout_config");
			add(l, 1, "streamout_write_index");
		}
		for (int k = 0; k < 4; k++)
			if (get_at(b, RADV_SO_STRIDES, k))
				add(l, 1, "streamout_offset");
	}
	add(l, 1, "scratch_offset");
}

static void tessellation_system(struct list *l, const struct radv_blob *b)
{
	if (get(b, RADV_STAGE) == RADV_TESC) {
		add(l, 1, "tess_offchip_offset");
		add(l, 1, "tcs_factor_offset");
	} else if (get(b, RADV_TES_AS_ES)) {
		add(l, 1, "tess_offchip_offset");
		l->next++;
		add(l, 1, "es2gs_offset");
	} else {
		l->next++;
		add(l, 1, "tess_offchip_offset");
	}
	add(l, 1, "scratch_offset");
}

static void scalar_registers(struct list *l, const struct radv_blob *b, int gfx)
{
	uint32_t stage = get(b, RADV_STAGE), rsrc2 = get(b, RADV_RSRC2);
	bool m = merged(b, gfx);
	int base = m ? 8 : 0, user = (int)(rsrc2 >> 1 & 31);
	if (gfx >= 10 && (rsrc2 >> 27 & 1))
		user |= 32;
	add_at(l, 0, 2, "ring_offsets_or_scratch_base");
	if (m) {
		add_at(l, 2, 1,
		       stage == RADV_TESC ? "tess_offchip_offset"
		       : get(b, RADV_NGG) ? "gs_tg_info"
					  : "gs2vs_offset");
		add_at(l, 3, 1, "merged_wave_info");
		add_at(l, 4, 1, stage == RADV_TESC ? "tcs_factor_offset" : "tess_offchip_offset");
		add_at(l, 5, 1, "scratch_offset");
	}
	user_data(l, b, base);
	l->next = base + user;
	if (stage == RADV_COMP || stage == RADV_TASK)
		compute_system(l, b);
	else if (stage == RADV_FRAG)
		fragment_system(l, b, gfx);
	else if (!m && stage == RADV_VERT)
		vertex_system(l, b);
	else if (!m && (stage == RADV_TESC || stage == RADV_TESE))
		tessellation_system(l, b);
	else if (!m && stage == RADV_GEOM) {
		add(l, 1, "gs2vs_offset");
		add(l, 1, "gs_wave_id");
		add(l, 1, "scratch_offset");
	}
}

static void fragment_vectors(struct list *l, const struct radv_blob *b)
{
	static const struct {
		const char *name;
		int count;
	} inputs[16] = {
		{"persp_sample_ij", 2},  {"persp_center_ij", 2},  {"persp_centroid_ij", 2},  {"persp_pull_model", 3},
		{"linear_sample_ij", 2}, {"linear_center_ij", 2}, {"linear_centroid_ij", 2}, {"line_stipple", 1},
		{"frag_coord_x", 1},     {"frag_coord_y", 1},     {"frag_coord_z", 1},       {"frag_coord_w", 1},
		{"front_face", 1},       {"ancillary", 1},        {"sample_coverage", 1},    {"pos_fixed_pt", 1},
	};
	for (int k = 0; k < 16; k++)
		if (get(b, RADV_PS_INPUT_ENA) >> k & 1)
			add(l, inputs[k].count, inputs[k].name);
}

static void compute_vectors(struct list *l, const struct radv_blob *b)
{
	bool z = get_at(b, RADV_CS_THREAD_ID, 2), y = z || get_at(b, RADV_CS_THREAD_ID, 1);
	add(l, 1, "local_invocation_id_x");
	if (y)
		add(l, 1, "local_invocation_id_y");
	if (z)
		add(l, 1, "local_invocation_id_z");
}

static void add_names(struct list *l, const char *const *names)
{
	for (; *names; names++)
		add(l, 1, *names);
}

static void vertex_vectors(struct list *l, const struct radv_blob *b, int gfx, bool tess_control)
{
	add(l, 1, "vertex_id");
	if (get(b, RADV_SHADER_TYPE) == RADV_GS_COPY)
		return;
	if (get(b, RADV_VS_AS_LS) || tess_control) {
		add(l, 1, "vs_rel_patch_id");
		if (gfx >= 10)
			add(l, 1, "unused");
		add(l, 1, "instance_id");
	} else if (gfx >= 10) {
		add(l, 1, "unused");
		add(l, 1, get(b, RADV_NGG) ? "unused" : "vs_prim_id");
		add(l, 1, "instance_id");
	} else {
		add(l, 1, "instance_id");
		add(l, 1, "vs_prim_id");
	}
}

static void vector_registers(struct list *l, const struct radv_blob *b, int gfx)
{
	static const char *const merged_geometry[] = {"gs_vtx_offset01",  "gs_vtx_offset23", "gs_prim_id",
						      "gs_invocation_id", "gs_vtx_offset45", NULL};
	static const char *const geometry[] = {"gs_vtx_offset0", "gs_vtx_offset1",   "gs_prim_id",
					       "gs_vtx_offset2", "gs_vtx_offset3",   "gs_vtx_offset4",
					       "gs_vtx_offset5", "gs_invocation_id", NULL};
	static const char *const evaluation[] = {"tes_u", "tes_v", "tes_rel_patch_id", "tes_patch_id", NULL};
	uint32_t stage = get(b, RADV_STAGE), first = stage;
	bool m = merged(b, gfx);
	if (stage == RADV_COMP || stage == RADV_TASK) {
		compute_vectors(l, b);
		return;
	}
	if (stage == RADV_FRAG) {
		fragment_vectors(l, b);
		return;
	}
	if (m && stage != RADV_TESC && gfx < 12)
		add_names(l, merged_geometry);
	if (stage == RADV_GEOM && m)
		first = get(b, RADV_GS_ES_TYPE);
	if (stage == RADV_TESC) {
		add(l, 1, "tcs_patch_id");
		add(l, 1, "tcs_rel_ids");
		first = m ? RADV_VERT : RADV_TESC;
	}
	if (stage == RADV_GEOM && !m)
		add_names(l, geometry);
	else if (first == RADV_VERT)
		vertex_vectors(l, b, gfx, stage == RADV_TESC);
	else if (first == RADV_TESE)
		add_names(l, evaluation);
	else if (first == RADV_MESH)
		add(l, 1, "vertex_id(thread)");
}

void radv_abi_write(FILE *f, const struct radv_blob *b, int gfx)
{
	struct list s = {f, 's', 0, false}, v = {f, 'v', 0, false};
	fputs("\"sgprs\":[", f);
	scalar_registers(&s, b, gfx);
	fputs("],\"vgprs\":[", f);
	vector_registers(&v, b, gfx);
	fputs("]", f);
}
