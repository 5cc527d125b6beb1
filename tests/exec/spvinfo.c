#include "spvinfo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const stage_names[STAGE_COUNT] = {
	[STAGE_VERT] = "vert", [STAGE_TESC] = "tesc", [STAGE_TESE] = "tese", [STAGE_GEOM] = "geom",
	[STAGE_FRAG] = "frag", [STAGE_COMP] = "comp", [STAGE_TASK] = "task", [STAGE_MESH] = "mesh",
};

const char *spvinfo_stage_name(int stage)
{
	return stage_names[stage];
}

bool spvinfo_decoration(const struct spvinfo *m, uint32_t id, int member, uint32_t kind, uint32_t *value)
{
	for (int i = 0; i < m->ndecorations; i++) {
		const struct decoration *d = &m->decorations[i];
		if (d->target == id && d->member == member && d->kind == kind) {
			if (value)
				*value = d->value;
			return true;
		}
	}
	return false;
}

const uint32_t *spvinfo_def(const struct spvinfo *m, uint32_t id)
{
	return id < m->bound && m->def[id] ? m->words + m->def[id] : NULL;
}

/* Specialization constant expressions: the integer operations that array sizes are made of. */
static uint32_t spec_op(const struct spvinfo *m, const uint32_t *d)
{
	uint32_t a = spvinfo_constant(m, d[4]);
	uint32_t b = spvinfo_words(d[0]) > 5 ? spvinfo_constant(m, d[5]) : 0;
	switch (d[3]) {
	case SpvOpIAdd:
		return a + b;
	case SpvOpISub:
		return a - b;
	case SpvOpIMul:
		return a * b;
	case SpvOpUDiv:
		return b ? a / b : 0;
	case SpvOpSDiv:
		return b ? (uint32_t)((int32_t)a / (int32_t)b) : 0;
	case SpvOpUMod:
		return b ? a % b : 0;
	case SpvOpShiftRightLogical:
		return a >> (b & 31);
	case SpvOpShiftLeftLogical:
		return a << (b & 31);
	case SpvOpBitwiseOr:
		return a | b;
	case SpvOpBitwiseAnd:
		return a & b;
	case SpvOpSelect:
		return a ? b : spvinfo_constant(m, d[6]);
	case SpvOpSNegate:
		return 0u - a;
	}
	return 1;
}

uint32_t spvinfo_constant(const struct spvinfo *m, uint32_t id)
{
	const uint32_t *d = spvinfo_def(m, id);
	if (!d)
		return 1;
	switch (spvinfo_op(d[0])) {
	case SpvOpConstant:
	case SpvOpSpecConstant:
		return d[3];
	case SpvOpConstantFalse:
	case SpvOpSpecConstantFalse:
	case SpvOpConstantNull:
		return 0;
	case SpvOpSpecConstantOp:
		return spec_op(m, d);
	}
	return 1;
}

char spvinfo_base(const struct spvinfo *m, uint32_t type, uint32_t *width)
{
	const uint32_t *d = spvinfo_def(m, type);
	if (!d)
		return 0;
	switch (spvinfo_op(d[0])) {
	case SpvOpTypeBool:
		*width = 32;
		return 'u';
	case SpvOpTypeInt:
		*width = d[2];
		return d[3] ? 'i' : 'u';
	case SpvOpTypeFloat:
		*width = d[2];
		return 'f';
	}
	return 0;
}

uint32_t spvinfo_member(const struct spvinfo *m, uint32_t type, int i, struct matrix_layout *ml)
{
	uint32_t offset = 0;
	*ml = (struct matrix_layout){0, false};
	spvinfo_decoration(m, type, i, SpvDecorationOffset, &offset);
	spvinfo_decoration(m, type, i, SpvDecorationMatrixStride, &ml->stride);
	ml->row_major = spvinfo_decoration(m, type, i, SpvDecorationRowMajor, NULL);
	return offset;
}

uint64_t spvinfo_size(const struct spvinfo *m, uint32_t type, uint32_t runtime, struct matrix_layout ml)
{
	const struct matrix_layout none = {0, false};
	const uint32_t *d = spvinfo_def(m, type);
	uint32_t v, op = d ? spvinfo_op(d[0]) : 0;
	switch (op) {
	case SpvOpTypeBool:
		return 4;
	case SpvOpTypeInt:
	case SpvOpTypeFloat:
		return d[2] / 8;
	case SpvOpTypePointer:
		return 8;
	case SpvOpTypeVector:
		return d[3] * spvinfo_size(m, d[2], runtime, none);
	case SpvOpTypeMatrix: {
		const uint32_t *column = spvinfo_def(m, d[2]);
		if (!ml.stride)
			ml.stride = (uint32_t)spvinfo_size(m, d[2], runtime, none);
		return (uint64_t)(ml.row_major ? column[3] : d[3]) * ml.stride;
	}
	case SpvOpTypeArray:
	case SpvOpTypeRuntimeArray: {
		uint32_t n = op == SpvOpTypeArray ? spvinfo_constant(m, d[3]) : runtime;
		if (!spvinfo_decoration(m, type, SPVINFO_NO_MEMBER, SpvDecorationArrayStride, &v))
			v = (uint32_t)spvinfo_size(m, d[2], runtime, ml);
		return (uint64_t)n * v;
	}
	case SpvOpTypeStruct: {
		uint64_t size = 0;
		uint32_t next = 0;
		for (uint32_t i = 0; i < spvinfo_words(d[0]) - 2; i++) {
			struct matrix_layout mm;
			uint32_t at = spvinfo_member(m, type, (int)i, &mm);
			if (!spvinfo_decoration(m, type, (int)i, SpvDecorationOffset, NULL))
				at = next;
			uint64_t end = at + spvinfo_size(m, d[2 + i], runtime, mm);
			next = (uint32_t)end;
			if (end > size)
				size = end;
		}
		return size;
	}
	}
	return 0;
}

/* A walk over an object in memory. */
struct walk {
	const struct spvinfo *module;
	uint32_t runtime;
	uint64_t size;
	spvinfo_visit *visit;
	void *context;
	int arrays; /* nesting of vectors and arrays */
};

static void walk_type(struct walk *w, uint32_t type, uint64_t at, struct matrix_layout ml);

static void walk_matrix(struct walk *w, const uint32_t *d, uint64_t at, struct matrix_layout ml)
{
	const struct matrix_layout none = {0, false};
	const uint32_t *column = spvinfo_def(w->module, d[2]);
	uint32_t size = (uint32_t)spvinfo_size(w->module, column[2], w->runtime, none);
	uint32_t stride = ml.stride ? ml.stride : size * column[3];
	for (uint32_t i = 0; i < d[3]; i++)
		for (uint32_t j = 0; j < column[3]; j++)
			walk_type(w, column[2], at + (ml.row_major ? j * stride + i * size : i * stride + j * size),
				  none);
}

static void walk_elements(struct walk *w, const uint32_t *d, uint64_t at, struct matrix_layout ml)
{
	uint32_t op = spvinfo_op(d[0]), n = w->runtime, stride;
	if (op != SpvOpTypeRuntimeArray)
		n = op == SpvOpTypeArray ? spvinfo_constant(w->module, d[3]) : d[3];
	if (op == SpvOpTypeVector)
		ml = (struct matrix_layout){0, false};
	if (op == SpvOpTypeVector ||
	    !spvinfo_decoration(w->module, d[1], SPVINFO_NO_MEMBER, SpvDecorationArrayStride, &stride))
		stride = (uint32_t)spvinfo_size(w->module, d[2], w->runtime, ml);
	w->arrays++;
	for (uint32_t i = 0; i < n && at + (uint64_t)i * stride < w->size; i++)
		walk_type(w, d[2], at + (uint64_t)i * stride, ml);
	w->arrays--;
}

static void walk_type(struct walk *w, uint32_t type, uint64_t at, struct matrix_layout ml)
{
	const uint32_t *d = spvinfo_def(w->module, type);
	switch (d ? spvinfo_op(d[0]) : 0) {
	case SpvOpTypeBool:
	case SpvOpTypeInt:
	case SpvOpTypeFloat:
		w->visit(w->context, at, d, w->arrays > 0);
		break;
	case SpvOpTypeMatrix:
		walk_matrix(w, d, at, ml);
		break;
	case SpvOpTypeVector:
	case SpvOpTypeArray:
	case SpvOpTypeRuntimeArray:
		walk_elements(w, d, at, ml);
		break;
	case SpvOpTypeStruct:
		for (uint32_t i = 0; i < spvinfo_words(d[0]) - 2; i++) {
			struct matrix_layout mm;
			uint32_t offset = spvinfo_member(w->module, type, (int)i, &mm);
			walk_type(w, d[2 + i], at + offset, mm);
		}
		break;
	}
}

void spvinfo_scalars(const struct spvinfo *m, uint32_t type, uint32_t runtime, uint64_t size, spvinfo_visit *visit,
		     void *context)
{
	struct walk w = {m, runtime, size, visit, context, 0};
	walk_type(&w, type, 0, (struct matrix_layout){0, false});
}

uint32_t spvinfo_locations(const struct spvinfo *m, uint32_t type)
{
	const uint32_t *d = spvinfo_def(m, type);
	uint32_t width = 32, n = 0;
	switch (d ? spvinfo_op(d[0]) : 0) {
	case SpvOpTypeVector:
		spvinfo_base(m, d[2], &width);
		return width == 64 && d[3] > 2 ? 2 : 1;
	case SpvOpTypeMatrix:
		return d[3] * spvinfo_locations(m, d[2]);
	case SpvOpTypeArray:
		return spvinfo_constant(m, d[3]) * spvinfo_locations(m, d[2]);
	case SpvOpTypeStruct:
		for (uint32_t i = 0; i < spvinfo_words(d[0]) - 2; i++)
			n += spvinfo_locations(m, d[2 + i]);
		return n;
	}
	return 1;
}

static void push_slot(const struct spvinfo *m, uint32_t scalar, uint32_t count, struct slot at, struct slot *slots,
		      int *n)
{
	at.width = 32;
	at.base = spvinfo_base(m, scalar, &at.width);
	at.count = count;
	if (*n < SPVINFO_MAX)
		slots[(*n)++] = at;
}

static void struct_slots(const struct spvinfo *m, const uint32_t *d, struct slot at, struct slot *slots, int *n)
{
	uint32_t location = at.location, v;
	for (uint32_t i = 0; i < spvinfo_words(d[0]) - 2; i++) {
		struct slot s = at;
		int k = (int)i;
		if (spvinfo_decoration(m, d[1], k, SpvDecorationBuiltIn, NULL))
			continue;
		if (spvinfo_decoration(m, d[1], k, SpvDecorationLocation, &v))
			location = v;
		s.location = location;
		s.component = 0;
		if (spvinfo_decoration(m, d[1], k, SpvDecorationComponent, &v))
			s.component = v;
		s.flat |= spvinfo_decoration(m, d[1], k, SpvDecorationFlat, NULL);
		s.noperspective |= spvinfo_decoration(m, d[1], k, SpvDecorationNoPerspective, NULL);
		s.centroid |= spvinfo_decoration(m, d[1], k, SpvDecorationCentroid, NULL);
		s.sample |= spvinfo_decoration(m, d[1], k, SpvDecorationSample, NULL);
		s.patch |= spvinfo_decoration(m, d[1], k, SpvDecorationPatch, NULL);
		s.per_primitive |= spvinfo_decoration(m, d[1], k, SpvDecorationPerPrimitiveEXT, NULL);
		spvinfo_slots(m, d[2 + i], s, slots, n);
		location += spvinfo_locations(m, d[2 + i]);
	}
}

void spvinfo_slots(const struct spvinfo *m, uint32_t type, struct slot at, struct slot *slots, int *n)
{
	const uint32_t *d = spvinfo_def(m, type);
	uint32_t op = d ? spvinfo_op(d[0]) : 0;
	switch (op) {
	case SpvOpTypeBool:
	case SpvOpTypeInt:
	case SpvOpTypeFloat:
		push_slot(m, type, 1, at, slots, n);
		break;
	case SpvOpTypeVector:
		push_slot(m, d[2], d[3], at, slots, n);
		break;
	case SpvOpTypeMatrix:
	case SpvOpTypeArray: {
		uint32_t count = op == SpvOpTypeMatrix ? d[3] : spvinfo_constant(m, d[3]);
		for (uint32_t i = 0; i < count && i < 64; i++) {
			spvinfo_slots(m, d[2], at, slots, n);
			at.location += spvinfo_locations(m, d[2]);
		}
		break;
	}
	case SpvOpTypeStruct:
		struct_slots(m, d, at, slots, n);
		break;
	}
}

bool spvinfo_has_builtin(const uint32_t *list, int n, uint32_t builtin)
{
	for (int i = 0; i < n; i++)
		if (list[i] == builtin)
			return true;
	return false;
}

static int stage_of(uint32_t model)
{
	switch (model) {
	case SpvExecutionModelVertex:
		return STAGE_VERT;
	case SpvExecutionModelTessellationControl:
		return STAGE_TESC;
	case SpvExecutionModelTessellationEvaluation:
		return STAGE_TESE;
	case SpvExecutionModelGeometry:
		return STAGE_GEOM;
	case SpvExecutionModelFragment:
		return STAGE_FRAG;
	case SpvExecutionModelGLCompute:
		return STAGE_COMP;
	case SpvExecutionModelTaskNV:
	case SpvExecutionModelTaskEXT:
		return STAGE_TASK;
	case SpvExecutionModelMeshNV:
	case SpvExecutionModelMeshEXT:
		return STAGE_MESH;
	}
	return -1;
}

static void note_capability(struct spvinfo *m, uint32_t cap)
{
	if (m->ncaps < 128)
		m->caps[m->ncaps++] = cap;
	if (cap == SpvCapabilityPhysicalStorageBufferAddresses)
		m->has_pointers = true;
	if (cap == SpvCapabilityRayQueryKHR || cap == SpvCapabilityRayTraversalPrimitiveCullingKHR ||
	    cap == SpvCapabilityRayQueryProvisionalKHR || cap == SpvCapabilityRayTracingKHR ||
	    cap == SpvCapabilityRayTracingProvisionalKHR)
		m->has_ray_query = true;
	if ((cap >= SpvCapabilityGroupNonUniform && cap <= SpvCapabilityGroupNonUniformQuad) ||
	    cap == SpvCapabilitySubgroupBallotKHR || cap == SpvCapabilitySubgroupVoteKHR ||
	    cap == SpvCapabilityGroupNonUniformPartitionedNV)
		m->has_subgroup = true;
}

static void note_entry(struct spvinfo *m, const uint32_t *w, uint32_t wc)
{
	if (m->stage >= 0)
		return;
	const char *name = (const char *)(w + 3);
	m->stage = stage_of(w[1]);
	m->entry_id = w[2];
	snprintf(m->entry, sizeof m->entry, "%s", name);
	for (uint32_t i = 3 + (uint32_t)strlen(name) / 4 + 1; i < wc && m->niface < 512; i++)
		m->iface[m->niface++] = w[i];
}

static void note_mode(struct spvinfo *m, const uint32_t *w, uint32_t wc, uint32_t local_id[3])
{
	if (w[1] != m->entry_id)
		return;
	bool ids = spvinfo_op(w[0]) == SpvOpExecutionModeId;
	if (!ids && w[2] == SpvExecutionModeLocalSize && wc >= 6)
		memcpy(m->local, w + 3, 12);
	if (ids && w[2] == SpvExecutionModeLocalSizeId)
		memcpy(local_id, w + 3, 12);
	if (w[2] == SpvExecutionModeOutputVertices)
		m->max_vertices = w[3];
}

static void note_decoration(struct spvinfo *m, const uint32_t *w, uint32_t wc, uint32_t *workgroup)
{
	bool member = spvinfo_op(w[0]) == SpvOpMemberDecorate;
	const uint32_t *k = w + (member ? 3 : 2);
	uint32_t value = wc > (member ? 4u : 3u) ? k[1] : 0;
	m->decorations[m->ndecorations++] =
		(struct decoration){w[1], member ? (int)w[2] : SPVINFO_NO_MEMBER, k[0], value};
	if (!member && k[0] == SpvDecorationBuiltIn && value == SpvBuiltInWorkgroupSize)
		*workgroup = w[1];
	if (!member && k[0] == SpvDecorationSpecId)
		m->nspec++;
}

/* Ids whose definitions are looked up later: types, constants, variables and what a sampled image is made of. */
static uint32_t kept_result(const uint32_t *w)
{
	uint32_t op = spvinfo_op(w[0]);
	if ((op >= SpvOpTypeVoid && op <= SpvOpTypePipe) || op == SpvOpTypeAccelerationStructureKHR ||
	    op == SpvOpTypeRayQueryKHR)
		return w[1];
	if ((op >= SpvOpConstantTrue && op <= SpvOpSpecConstantOp) || op == SpvOpVariable || op == SpvOpFunction ||
	    op == SpvOpLoad || op == SpvOpSampledImage || op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain ||
	    op == SpvOpImage)
		return w[2];
	return 0;
}

static bool index_module(struct spvinfo *m)
{
	uint32_t workgroup = 0, local_id[3] = {0, 0, 0};
	for (size_t p = 5; p < m->count;) {
		const uint32_t *w = m->words + p;
		uint32_t wc = spvinfo_words(w[0]), op = spvinfo_op(w[0]);
		if (!wc || p + wc > m->count)
			return false;
		switch (op) {
		case SpvOpCapability:
			note_capability(m, w[1]);
			break;
		case SpvOpEntryPoint:
			note_entry(m, w, wc);
			break;
		case SpvOpExecutionMode:
		case SpvOpExecutionModeId:
			note_mode(m, w, wc, local_id);
			break;
		case SpvOpDecorate:
		case SpvOpMemberDecorate:
			note_decoration(m, w, wc, &workgroup);
			break;
		case SpvOpKill:
		case SpvOpTerminateInvocation:
		case SpvOpDemoteToHelperInvocation:
			m->has_discard = true;
			break;
		case SpvOpImageSampleDrefImplicitLod:
		case SpvOpImageSampleDrefExplicitLod:
		case SpvOpImageSampleProjDrefImplicitLod:
		case SpvOpImageSampleProjDrefExplicitLod:
		case SpvOpImageDrefGather:
			m->has_dref = true;
			break;
		}
		if ((op >= SpvOpAtomicLoad && op <= SpvOpAtomicXor) || op == SpvOpAtomicFAddEXT)
			m->has_atomic = true;
		uint32_t id = kept_result(w);
		if (id && id < m->bound)
			m->def[id] = (uint32_t)p;
		p += wc;
	}
	if (m->stage < 0)
		return false;
	const uint32_t *d = workgroup ? spvinfo_def(m, workgroup) : NULL;
	for (int i = 0; i < 3; i++) {
		if (d && (spvinfo_op(d[0]) == SpvOpConstantComposite || spvinfo_op(d[0]) == SpvOpSpecConstantComposite))
			m->local[i] = spvinfo_constant(m, d[3 + i]);
		else if (!workgroup && local_id[0])
			m->local[i] = spvinfo_constant(m, local_id[i]);
	}
	return true;
}

bool spvinfo_load(struct spvinfo *m, const char *file)
{
	memset(m, 0, sizeof *m);
	FILE *f = fopen(file, "rb");
	if (!f)
		return false;
	fseek(f, 0, SEEK_END);
	long size = ftell(f);
	rewind(f);
	m->words = calloc((size_t)(size < 0 ? 0 : size) / 4 + 16,
			  4); /* the tail lets a cut instruction be read as zeros */
	m->count = fread(m->words, 4, (size_t)size / 4, f);
	fclose(f);
	if (m->count < 5 || m->words[0] != SpvMagicNumber || m->words[3] > 1u << 22)
		return false;
	m->bound = m->words[3];
	m->def = calloc(m->bound + 1, sizeof *m->def);
	m->decorations = malloc(sizeof *m->decorations * (m->count / 3 + 8));
	m->stage = -1;
	m->local[0] = m->local[1] = m->local[2] = 1;
	if (!index_module(m))
		return false;
	interface_read(m);
	return true;
}
