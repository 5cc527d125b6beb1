/* exec_compare_test.c: the executor's idea of equality, case by case against the float contract. Needs no device. */
#include <math.h>
#include <string.h>

#include "exec/compare.c"
#include "exec/outputs.c"

static int passed, failed;

static void check(bool ok, const char *what)
{
	ok ? passed++ : failed++;
	if (!ok)
		printf("FAIL %s\n", what);
}

static bool words_equal(uint32_t a, uint32_t b, enum word_class class)
{
	struct outputs x = {0}, y = {0};
	struct compare_report r;
	outputs_classify(outputs_add(&x, "ssbo", &a, 4), 0, class, 4 / outputs_class_size(class));
	outputs_classify(outputs_add(&y, "ssbo", &b, 4), 0, class, 4 / outputs_class_size(class));
	compare_outputs(&x, &y, COMPARE_SINGLE, &r);
	outputs_free(&x);
	outputs_free(&y);
	return r.equal;
}

static uint32_t bits(float f)
{
	uint32_t u;
	memcpy(&u, &f, 4);
	return u;
}

static void test_words(void)
{
	check(words_equal(bits(1.0f), bits(1.00009f), CLASS_F32), "floats within 1e-4");
	check(!words_equal(bits(1.0f), bits(1.0002f), CLASS_F32), "floats beyond 1e-4");
	check(words_equal(bits(2000.0f), bits(2000.1f), CLASS_F32), "tolerance grows with the value");
	check(words_equal(0x7fc00000, 0xffc12345, CLASS_F32), "any two NaNs");
	check(!words_equal(0x7fc00000, bits(1.0f), CLASS_F32), "NaN and a number");
	check(!words_equal(bits(INFINITY), bits(3e38f), CLASS_F32), "infinity and a large number");
	check(!words_equal(bits(INFINITY), bits(-INFINITY), CLASS_F32), "infinities of both signs");
	check(words_equal(0x00000001, 0x80000000, CLASS_F32), "a denormal and its flushed zero");
	check(!words_equal(bits(1.0f), bits(1.00001f), CLASS_BITS), "integers have no tolerance");
	check(words_equal(0x3c003c00, 0x3c013c00, CLASS_F16), "halves within 2e-3");
	check(!words_equal(0x3c003c00, 0x3c033c00, CLASS_F16), "halves beyond 2e-3");
	check(words_equal(0x80, 0x81, CLASS_NORM8) && !words_equal(0x80, 0x82, CLASS_NORM8), "one step of a byte");
}

/* A 64x64 picture of one float: a disc of value 1 with radius 20 (1,257 pixels, so 5 may differ), a step to 2 at x
 * = 32. */
static void disc(struct outputs *o, struct record **r)
{
	float image[64 * 64];
	for (int y = 0; y < 64; y++)
		for (int x = 0; x < 64; x++)
			image[y * 64 + x] = (x - 32) * (x - 32) + (y - 32) * (y - 32) > 400 ? 9.0f
					    : x < 32                                        ? 1.0f
											    : 2.0f;
	memset(o, 0, sizeof *o);
	*r = outputs_add(o, "color", image, sizeof image);
	outputs_classify(*r, 0, CLASS_F32, 64 * 64);
	(*r)->width = (*r)->height = 64;
	(*r)->background = bits(9.0f);
}

static void set(struct record *r, int x, int y, float f)
{
	memcpy(r->data + (y * 64 + x) * 4, &f, 4);
}

static bool pictures_equal(int x, int y, int step, int count, float value)
{
	struct outputs a, b;
	struct record *ra, *rb;
	struct compare_report r;
	disc(&a, &ra);
	disc(&b, &rb);
	for (int i = 0; i < count; i++)
		set(rb, x, y + i * step, value);
	compare_outputs(&a, &b, COMPARE_SINGLE, &r);
	outputs_free(&a);
	outputs_free(&b);
	return r.equal && r.covered > 0;
}

static void test_pictures(void)
{
	check(pictures_equal(32, 20, 1, 0, 0), "the same picture");
	check(!pictures_equal(20, 32, 1, 1, 1.5f), "one pixel where nothing happens");
	check(pictures_equal(20, 32, 1, 1, 1.00005f), "a pixel within tolerance");
	check(pictures_equal(32, 20, 2, 5, 1.0f), "five pixels beside a step");
	check(!pictures_equal(32, 20, 2, 6, 1.0f), "six pixels beside a step are more than 0.4 %");
	check(!pictures_equal(34, 20, 1, 1, 1.0f), "two pixels from a step");
	check(pictures_equal(12, 32, 1, 1, 9.0f), "a pixel of the rim not covered");
	check(!pictures_equal(24, 32, 1, 1, 9.0f), "a hole inside is no rim of the original");
}

static void plain(struct outputs *o, float f)
{
	float image[4 * 4];
	for (int i = 0; i < 4 * 4; i++)
		image[i] = f;
	memset(o, 0, sizeof *o);
	struct record *r = outputs_add(o, "color", image, sizeof image);
	outputs_classify(r, 0, CLASS_F32, 4 * 4);
	r->width = r->height = 4;
	r->background = bits(9.0f);
}

/* Pictures of one colour: no pixel is beside an edge. */
static bool colours_equal(float x, float y, double tolerance)
{
	struct outputs a, b;
	struct compare_report r;
	plain(&a, x);
	plain(&b, y);
	compare_outputs(&a, &b, tolerance, &r);
	outputs_free(&a);
	outputs_free(&b);
	return r.equal;
}

/* 65504 is the largest half. */
static void test_halves(void)
{
	check(colours_equal(1.0f, 1.001f, COMPARE_HALF), "what stands for halves, within 2e-3");
	check(!colours_equal(1.0f, 1.001f, COMPARE_SINGLE), "floats, within 2e-3 only");
	check(colours_equal(70000.0f, 65504.0f, COMPARE_HALF), "beyond the largest half");
	check(!colours_equal(70000.0f, 65504.0f, COMPARE_SINGLE), "floats beyond the largest half");
	check(colours_equal(-6e8f, -65504.0f, COMPARE_HALF), "beyond the least half");
	check(!colours_equal(70000.0f, 60000.0f, COMPARE_HALF), "a half far from the largest");
}

static void test_shapes(void)
{
	struct outputs a = {0}, b = {0};
	struct compare_report r;
	outputs_add(&a, "ssbo", "1234", 4);
	compare_outputs(&a, &b, COMPARE_SINGLE, &r);
	check(!r.equal, "an output that is missing");
	outputs_add(&b, "ssbo", "12345678", 8);
	compare_outputs(&a, &b, COMPARE_SINGLE, &r);
	check(!r.equal, "an output of another size");
	outputs_free(&a);
	outputs_free(&b);
}

int main(void)
{
	test_words();
	test_pictures();
	test_halves();
	test_shapes();
	printf("%d passed, %d failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
