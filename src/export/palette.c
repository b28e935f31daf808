/* SPDX-License-Identifier: MIT */
#include "export/palette.h"

#include <math.h>
#include <stdbool.h>

#define STEP 0.05 /* difference in lightness of states of one meaning */
#define CLEAR \
	0.02 /* lightness for each turn, because hues differ in contrast */
#define LEAN (-0.35) /* of the hue of each other state on light ground */
#define TINT 0.045   /* chroma of greys on light ground, but of the first */
#define APART 2.4    /* between hues of successive greys, in radians */

/* The colours of each family, on dark and on light ground. */
static const struct rgb colors[MEANINGS][2] = {
	[MEANS_IDLE] = { { 101, 103, 101 }, { 144, 145, 153 } },
	[MEANS_TASK] = { { 111, 219, 15 }, { 25, 152, 0 } },
	[MEANS_SCHEDULER] = { { 174, 144, 0 }, { 106, 67, 10 } },
	[MEANS_DEPENDENCIES] = { { 169, 5, 246 }, { 84, 9, 138 } },
	[MEANS_MEMORY] = { { 53, 249, 254 }, { 1, 82, 91 } },
	[MEANS_SYNC] = { { 209, 160, 142 }, { 223, 105, 98 } },
	[MEANS_COMMUNICATION] = { { 83, 161, 254 }, { 56, 82, 240 } },
	[MEANS_OVERHEAD] = { { 225, 214, 170 }, { 156, 88, 124 } },
	[MEANS_IO] = { { 224, 255, 109 }, { 82, 113, 0 } },
	[MEANS_LOST] = { { 217, 67, 176 }, { 211, 25, 186 } },
	[MEANS_ERROR] = { { 201, 30, 20 }, { 104, 16, 36 } },
};

static const struct rgb things[PALETTE_THINGS][2] = {
	{ { 0xf0, 0x4b, 0x96 }, { 0x00, 0x69, 0xb4 } },
	{ { 0xf0, 0xf0, 0x00 }, { 0x69, 0xa5, 0x0f } },
	{ { 0xff, 0xd2, 0xff }, { 0x5a, 0x1e, 0x00 } },
	{ { 0x87, 0x0f, 0xff }, { 0x4b, 0x0f, 0x69 } },
	{ { 0xa5, 0x4b, 0x00 }, { 0x96, 0x4b, 0x4b } },
	{ { 0xff, 0x87, 0x0f }, { 0x3c, 0x96, 0xff } },
	{ { 0x87, 0x96, 0xff }, { 0x1e, 0xa5, 0xa5 } },
	{ { 0xb4, 0x0f, 0xa5 }, { 0x00, 0x00, 0xff } },
	{ { 0xf0, 0xa5, 0xa5 }, { 0x00, 0x00, 0xb4 } },
	{ { 0xf0, 0xe1, 0xa5 }, { 0x78, 0x2d, 0x4b } },
	{ { 0xd2, 0x69, 0x2d }, { 0xa5, 0x2d, 0x87 } },
	{ { 0xc3, 0xb4, 0xf0 }, { 0x3c, 0x87, 0xc3 } },
	{ { 0xb4, 0x2d, 0x69 }, { 0x2d, 0x69, 0xff } },
	{ { 0x3c, 0x96, 0xb4 }, { 0x5a, 0x87, 0x00 } },
	{ { 0x69, 0x78, 0xe1 }, { 0x87, 0x2d, 0x00 } },
	{ { 0xf0, 0xc3, 0x4b }, { 0xff, 0x4b, 0x87 } },
};

/* OKLab (Ottosson, 2020): lightness 0 to 1, and two axes of colour. */
struct lab {
	double l, a, b;
};

static double
to_linear(uint8_t c)
{
	double x = c / 255.0;

	return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static uint8_t
from_linear(double x)
{
	double y = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;

	return (uint8_t)lrint(255 * fmin(fmax(y, 0), 1));
}

static struct lab
to_lab(struct rgb c)
{
	double r = to_linear(c.r), g = to_linear(c.g), b = to_linear(c.b);
	double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
	double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
	double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);

	return (struct lab){ 0.2104542553 * l + 0.7936177850 * m -
			0.0040720468 * s,
		1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
		0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s };
}

static double
cube(double x)
{
	return x * x * x;
}

static struct rgb
from_lab(struct lab c)
{
	double l = cube(c.l + 0.3963377774 * c.a + 0.2158037573 * c.b);
	double m = cube(c.l - 0.1055613458 * c.a - 0.0638541728 * c.b);
	double s = cube(c.l - 0.0894841775 * c.a - 1.2914855480 * c.b);

	return (struct rgb){ from_linear(4.0767416621 * l - 3.3077115913 * m +
				     0.2309699292 * s),
		from_linear(-1.2684380046 * l + 2.6097574011 * m -
			0.3413193965 * s),
		from_linear(-0.0041960863 * l - 0.7034186147 * m +
			1.7076147010 * s) };
}

/* Turns the hue by an angle. */
static struct lab
turned(struct lab c, double angle)
{
	double x = cos(angle), y = sin(angle);

	return (struct lab){ c.l, x * c.a - y * c.b, y * c.a + x * c.b };
}

/* On white, lightness alone tells states of one meaning hardly apart: every
 * second state leans to another hue, and greys get a tint. */
static struct lab
leaning(struct lab c, int nth)
{
	if (hypot(c.a, c.b) > TINT)
		return turned(c, nth % 2 == 0 ? 0 : LEAN);
	c.a += TINT * cos(APART * nth);
	c.b += TINT * sin(APART * nth);
	return c;
}

enum meaning
palette_family(enum meaning meaning)
{
	switch (meaning) {
	case MEANS_UNSAID:
		return MEANS_TASK;
	case MEANS_CREATE:
	case MEANS_FLUSH:
		return MEANS_OVERHEAD;
	case MEANS_LOCK:
		return MEANS_SYNC;
	case MEANS_SLEEP:
	case MEANS_SEARCH:
	case MEANS_READY:
		return MEANS_IDLE;
	default:
		return meaning;
	}
}

struct rgb
palette_meaning(enum meaning meaning, int nth, enum ground ground)
{
	/* Limits of lightness between which grey has enough contrast. */
	static const double low[] = { 0.52, 0.40 }, high[] = { 0.97, 0.63 };
	/* Of the hue, in radians, when all lightnesses are used. */
	static const double turn[] = { 0.6, -1 };
	struct rgb base = colors[palette_family(meaning)][ground];
	struct lab lab = to_lab(base);
	double up = high[ground] - lab.l, down = lab.l - low[ground];
	bool rises = up > down;
	int room = 1 + (int)(fmax(fmax(up, down), 0) / STEP);
	int turns = nth / room;

	if (nth == 0)
		return base;
	lab.l += STEP * (nth % room) * (rises ? 1 : -1);
	lab.l += CLEAR * turns * (ground == GROUND_DARK ? 1 : -1);
	if (ground == GROUND_LIGHT)
		lab = leaning(lab, nth);
	/* Work is green on light ground, too: two turns would make it red. */
	if (ground == GROUND_LIGHT && turns > 1 &&
		palette_family(meaning) == MEANS_TASK)
		return from_lab(turned(lab, turn[ground] * (turns - 1.5)));
	return from_lab(turned(lab, turn[ground] * turns));
}

struct rgb
palette_thing(int nth, enum ground ground)
{
	return things[nth % PALETTE_THINGS][ground];
}

bool
palette_is_fault(enum meaning meaning)
{
	return meaning == MEANS_ERROR || meaning == MEANS_LOST;
}

void
palette_look(struct palette *p, enum meaning meaning, int64_t value)
{
	enum meaning family = palette_family(meaning);

	if (palette_is_fault(family) || value == 0)
		return;
	p->mixed = p->mixed || (p->any && p->first != family);
	p->first = family;
	p->any = true;
}

struct palette_color
palette_next(struct palette *p, enum meaning meaning, int64_t value)
{
	enum meaning family = palette_family(meaning);
	bool thing = p->any && !p->mixed && !palette_is_fault(family);
	int *used = thing ? &p->nthings : &p->nth[family], n = *used;
	struct palette_color c;

	for (enum ground g = GROUND_DARK; g <= GROUND_LIGHT; g++)
		c.on[g] = thing ? palette_thing(n, g)
				: palette_meaning(family, n, g);
	*used += value != 0;
	return c;
}
