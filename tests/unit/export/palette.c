/* SPDX-License-Identifier: MIT */
#include "test.h"

#include <math.h>

#include "export/palette.h"

#define CONTRAST 3.0 /* contrast that WCAG 2 demands of graphics */
#define SHADES 24

static double
linear(uint8_t c)
{
	double x = c / 255.0;

	return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static double
luminance(struct rgb c)
{
	return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) +
		0.0722 * linear(c.b);
}

static double
contrast(struct rgb a, struct rgb b)
{
	double x = luminance(a) + 0.05, y = luminance(b) + 0.05;

	return x > y ? x / y : y / x;
}

static bool
is_seen(struct rgb c, enum ground ground)
{
	struct rgb back = ground == GROUND_DARK ? (struct rgb){ 0, 0, 0 }
						: (struct rgb){ 255, 255, 255 };

	if (contrast(c, back) >= CONTRAST)
		return true;
	printf("# %d,%d,%d: contrast %.2f\n", c.r, c.g, c.b, contrast(c, back));
	return false;
}

TEST(every_colour_is_seen_on_its_ground)
{
	for (int g = GROUND_DARK; g <= GROUND_LIGHT; g++) {
		for (int m = 0; m < MEANINGS; m++)
			for (int i = 0; i < SHADES; i++)
				CHECK(is_seen(palette_meaning((enum meaning)m,
						      i, (enum ground)g),
					(enum ground)g));
		for (int i = 0; i < PALETTE_THINGS; i++)
			CHECK(is_seen(palette_thing(i, (enum ground)g),
				(enum ground)g));
	}
}

/* Distance of two colours in OKLab, x 100. */
static double
distance(struct rgb a, struct rgb b)
{
	double d[3] = { 0 };

	for (int i = 0; i < 2; i++) {
		struct rgb c = i == 0 ? a : b;
		double r = linear(c.r), g = linear(c.g), v = linear(c.b);
		double l = cbrt(
			0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * v);
		double m = cbrt(
			0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * v);
		double s = cbrt(
			0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * v);
		double sign = i == 0 ? 1 : -1;

		d[0] += sign *
			(0.2104542553 * l + 0.7936177850 * m -
				0.0040720468 * s);
		d[1] += sign *
			(1.9779984951 * l - 2.4285922050 * m +
				0.4505937099 * s);
		d[2] += sign *
			(0.0259040371 * l + 0.7827717662 * m -
				0.8086757660 * s);
	}
	return 100 * sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

TEST(meanings_stay_apart)
{
	double least[2] = { 100, 100 };

	for (int g = GROUND_DARK; g <= GROUND_LIGHT; g++)
		for (int a = 1; a < MEANINGS; a++)
			for (int b = 1; b < MEANINGS; b++) {
				enum meaning x = palette_family(
						     (enum meaning)a),
					     y = palette_family(
						     (enum meaning)b);
				double d = distance(
					palette_meaning(x, 0, (enum ground)g),
					palette_meaning(y, 0, (enum ground)g));

				if (x != y && d < least[g])
					least[g] = d;
			}
	printf("# least distance: dark %.1f, light %.1f\n", least[0], least[1]);
	CHECK(least[GROUND_DARK] >= 8);
	CHECK(least[GROUND_LIGHT] >= 8);
}

/* On white, greys and dark colours are hard to tell apart. */
TEST(eight_states_of_one_meaning_differ_on_white)
{
	for (int m = 1; m < MEANINGS; m++) {
		double least = 100;

		for (int i = 0; i < 8; i++)
			for (int j = 0; j < i; j++)
				least = fmin(least,
					distance(
						palette_meaning((enum meaning)m,
							i, GROUND_LIGHT),
						palette_meaning((enum meaning)m,
							j, GROUND_LIGHT)));
		printf("# %s: %.1f\n", meaning_name((enum meaning)m), least);
		CHECK(least >= 4);
	}
}

TEST(states_of_one_meaning_differ)
{
	for (int g = GROUND_DARK; g <= GROUND_LIGHT; g++)
		for (int m = 1; m < MEANINGS; m++)
			CHECK(distance(palette_meaning((enum meaning)m, 0,
					       (enum ground)g),
				      palette_meaning((enum meaning)m, 1,
					      (enum ground)g)) > 2);
}

/* Creating a task and other work of the runtime have one colour. */
TEST(families_share_a_colour)
{
	CHECK_INT(palette_family(MEANS_CREATE), MEANS_OVERHEAD);
	CHECK_INT(palette_family(MEANS_FLUSH), MEANS_OVERHEAD);
	CHECK_INT(palette_family(MEANS_LOCK), MEANS_SYNC);
	CHECK_INT(palette_family(MEANS_SEARCH), MEANS_IDLE);
	CHECK_INT(palette_family(MEANS_UNSAID), MEANS_TASK);
	CHECK_INT(palette_family(MEANS_IO), MEANS_IO);
}

/* A type of waits alone: no two of 16 look alike, but for lost events. */
TEST(states_that_all_mean_the_same_are_told_apart)
{
	struct palette p = { 0 };
	struct rgb c[2][PALETTE_THINGS];

	for (int i = 1; i <= PALETTE_THINGS; i++)
		palette_look(&p, i % 2 == 0 ? MEANS_SYNC : MEANS_LOCK, i);
	palette_look(&p, MEANS_LOST, 99);
	for (int i = 0; i < PALETTE_THINGS; i++) {
		struct palette_color next = palette_next(&p, MEANS_SYNC, i + 1);

		for (int g = GROUND_DARK; g <= GROUND_LIGHT; g++) {
			c[g][i] = next.on[g];
			for (int j = 0; j < i; j++)
				CHECK(distance(c[g][i], c[g][j]) >= 8);
		}
	}
	CHECK_INT(palette_next(&p, MEANS_LOST, 99).on[GROUND_DARK].r,
		palette_meaning(MEANS_LOST, 0, GROUND_DARK).r);
}

TEST_MAIN(RUN(every_colour_is_seen_on_its_ground), RUN(meanings_stay_apart),
	RUN(eight_states_of_one_meaning_differ_on_white),
	RUN(states_of_one_meaning_differ), RUN(families_share_a_colour),
	RUN(states_that_all_mean_the_same_are_told_apart))
