#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One element of a record: class, value as a number, raw bytes. */
struct element {
	enum word_class class;
	uint32_t size;
	uint64_t bits;
	double value;
};

static double half_value(uint16_t h)
{
	int exponent = h >> 10 & 31, mantissa = h & 1023;
	double v = exponent == 31 ? (mantissa ? NAN : INFINITY)
		   : exponent     ? ldexp(1024 + mantissa, exponent - 25)
				  : ldexp(mantissa, -24);
	return h >> 15 ? -v : v;
}

/* Bytes without a class are taken as 32-bit words where four of them stand together. */
static struct element element_at(const struct record *classes, const uint8_t *data, uint64_t at, uint64_t size)
{
	const uint8_t *c = classes->classes + at;
	struct element e = {.class = (enum word_class) * c, .size = outputs_class_size((enum word_class) * c)};
	if (e.class == CLASS_BITS && at % 4 == 0 && at + 4 <= size && !c[1] && !c[2] && !c[3])
		e.size = 4;
	memcpy(&e.bits, data + at, e.size);
	e.value = (double)e.bits;
	if (e.class == CLASS_F32) {
		float f;
		memcpy(&f, data + at, 4);
		e.value = f;
	} else if (e.class == CLASS_F64) {
		memcpy(&e.value, data + at, 8);
	} else if (e.class == CLASS_F16) {
		e.value = half_value((uint16_t)e.bits);
	}
	return e;
}

static const double HALF_MAX = 65504;

static bool close_enough(const struct element *a, const struct element *b, double single)
{
	if (a->bits == b->bits)
		return true;
	if (a->class == CLASS_BITS)
		return false;
	if (a->class == CLASS_NORM8 || a->class == CLASS_NORM16)
		return fabs(a->value - b->value) <= 1;
	if (isnan(a->value) || isnan(b->value))
		return isnan(a->value) && isnan(b->value);
	if (isinf(a->value) || isinf(b->value))
		return a->value == b->value;
	double t = a->class == CLASS_F16 ? COMPARE_HALF : single, x = a->value, y = b->value;
	if (single == COMPARE_HALF) { /* what stands for a half has its range */
		x = fmax(-HALF_MAX, fmin(x, HALF_MAX));
		y = fmax(-HALF_MAX, fmin(y, HALF_MAX));
	}
	return fabs(x - y) <= t * fmax(1, fmax(fabs(x), fabs(y)));
}

static void say(struct compare_report *r, const struct record *rec, const char *place, uint64_t x, uint64_t y,
		const struct element *a, const struct element *b)
{
	r->equal = false;
	if (r->where[0])
		return;
	snprintf(r->where, sizeof r->where, "%.7s %u.%u[%u] %s %llu,%llu: %llx (%g) != %llx (%g)", rec->kind, rec->a,
		 rec->b, rec->c, place, (unsigned long long)x, (unsigned long long)y, (unsigned long long)a->bits,
		 a->value, (unsigned long long)b->bits, b->value);
}

static void compare_elements(const struct record *a, const struct record *b, struct compare_report *r)
{
	struct element x, y, first_x = {0}, first_y = {0};
	uint64_t bad = 0, first = 0;
	for (uint64_t at = 0; at < a->size; at += x.size) {
		x = element_at(a, a->data, at, a->size);
		y = element_at(a, b->data, at, a->size);
		r->elements++;
		if (x.bits == y.bits)
			continue;
		if (close_enough(&x, &y, COMPARE_SINGLE)) {
			r->inexact++;
			continue;
		}
		if (!bad++) {
			first = at;
			first_x = x;
			first_y = y;
		}
	}
	if (bad)
		say(r, a, "byte,count", first, bad, &first_x, &first_y);
}

struct picture {
	const struct record *a, *b;
	int width, height;
	uint32_t pixel; /* bytes */
	double tolerance;
};

static uint64_t offset_of(const struct picture *p, int x, int y)
{
	return ((uint64_t)y * (uint64_t)p->width + (uint64_t)x) * p->pixel;
}

static bool inside(const struct picture *p, int x, int y)
{
	return x >= 0 && y >= 0 && x < p->width && y < p->height;
}

static bool covered(const struct picture *p, const struct record *r, int x, int y)
{
	for (uint32_t i = 0; i < p->pixel; i += 4) {
		uint32_t word;
		memcpy(&word, r->data + offset_of(p, x, y) + i, 4);
		if (word != r->background)
			return true;
	}
	return false;
}

/* A neighbour with other coverage than this pixel has, in the original: a hole in the translation is no edge. */
static bool coverage_edge(const struct picture *p, int x, int y)
{
	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++)
			if (inside(p, x + dx, y + dy) && covered(p, p->a, x + dx, y + dy) != covered(p, p->a, x, y))
				return true;
	return false;
}

/*
 * A jump of the original's values beside a pixel: along one of four directions, the second difference is far above the
 * tolerance. Where values change smoothly it is not, however steep the slope.
 */
static bool value_edge(const struct picture *p, int x, int y)
{
	static const int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
	for (int k = 0; k < 4; k++) {
		int dx = directions[k][0], dy = directions[k][1];
		if (!inside(p, x + dx, y + dy) || !inside(p, x - dx, y - dy))
			continue;
		for (uint32_t i = 0; i < p->pixel; i += 4) {
			double v = element_at(p->a, p->a->data, offset_of(p, x, y) + i, p->a->size).value;
			double next = element_at(p->a, p->a->data, offset_of(p, x + dx, y + dy) + i, p->a->size).value;
			double last = element_at(p->a, p->a->data, offset_of(p, x - dx, y - dy) + i, p->a->size).value;
			double bend = fabs(next - 2 * v + last), scale = fmax(1, fabs(v));
			if (!(bend <= 16 * p->tolerance * scale))
				return true;
		}
	}
	return false;
}

static bool same_pixel(const struct picture *p, int x, int y, struct compare_report *r, struct element out[2])
{
	for (uint32_t i = 0; i < p->pixel; i += 4) {
		uint64_t at = offset_of(p, x, y) + i;
		struct element a = element_at(p->a, p->a->data, at, p->a->size),
			       b = element_at(p->a, p->b->data, at, p->a->size);
		r->elements++;
		if (a.bits == b.bits)
			continue;
		if (!close_enough(&a, &b, p->tolerance)) {
			out[0] = a;
			out[1] = b;
			return false;
		}
		r->inexact++;
	}
	return true;
}

static void compare_picture(const struct record *a, const struct record *b, double tolerance, struct compare_report *r)
{
	struct picture p = {a,        b, (int)a->width, (int)a->height, (uint32_t)(a->size / (a->width * a->height)),
			    tolerance};
	uint64_t cover = 0, edge = 0;
	struct element e[2], last[2] = {{0}, {0}};
	int edge_x = 0, edge_y = 0;
	for (int y = 0; y < p.height; y++) {
		for (int x = 0; x < p.width; x++) {
			cover += covered(&p, a, x, y) || covered(&p, b, x, y);
			if (same_pixel(&p, x, y, r, e))
				continue;
			if (!coverage_edge(&p, x, y) && !value_edge(&p, x, y)) {
				say(r, a, "pixel", (uint64_t)x, (uint64_t)y, &e[0], &e[1]);
				continue;
			}
			edge++;
			edge_x = x;
			edge_y = y;
			memcpy(last, e, sizeof last);
		}
	}
	if (edge * 1000 > cover * 4)
		say(r, a, "edge pixel", (uint64_t)edge_x, (uint64_t)edge_y, &last[0], &last[1]);
	r->has_picture = true;
	r->covered += cover;
	r->edge_pixels += edge;
}

static bool is_picture(const struct record *r)
{
	return !strcmp(r->kind, "color") || !strcmp(r->kind, "depth");
}

static bool same_shape(const struct record *a, const struct record *b)
{
	return !memcmp(a->kind, b->kind, 8) && a->a == b->a && a->b == b->b && a->c == b->c && a->format == b->format &&
	       a->width == b->width && a->height == b->height && a->size == b->size;
}

void compare_outputs(const struct outputs *a, const struct outputs *b, double picture_tolerance,
		     struct compare_report *r)
{
	memset(r, 0, sizeof *r);
	r->equal = a->count == b->count;
	if (!r->equal) {
		snprintf(r->where, sizeof r->where, "%d outputs != %d", a->count, b->count);
		return;
	}
	for (int i = 0; i < a->count; i++) {
		const struct record *x = &a->records[i], *y = &b->records[i];
		if (!same_shape(x, y)) {
			r->equal = false;
			snprintf(r->where, sizeof r->where, "output %d: %.7s of %llu bytes != %.7s of %llu", i, x->kind,
				 (unsigned long long)x->size, y->kind, (unsigned long long)y->size);
			return;
		}
		if (is_picture(x))
			compare_picture(x, y, picture_tolerance, r);
		else
			compare_elements(x, y, r);
	}
}
