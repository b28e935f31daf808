/* SPDX-License-Identifier: MIT */
/*
 * palette.h - colours of states, by meaning, and of things to tell apart.
 *
 * Idle is dull, the user's work bright, errors red, in every model and every
 * format. Each meaning has a colour for a black background and one for a white
 * background of much the same hue, chosen so that any two differ for people
 * with any common kind of colour blindness. States of one meaning differ in
 * lightness.
 *
 * All colours have a contrast of at least 3:1 against their background.
 */
#ifndef WEFT_EXPORT_PALETTE_H
#define WEFT_EXPORT_PALETTE_H

#include <stdbool.h>
#include <stdint.h>

#include "export/meaning.h"

struct rgb {
	uint8_t r, g, b;
};

enum ground { GROUND_DARK, GROUND_LIGHT };

/* Returns the meaning whose colour this meaning shares: MEANS_OVERHEAD for
 * MEANS_CREATE. */
enum meaning palette_family(enum meaning meaning);

/* Returns the colour of the nth state (from 0) of that family. MEANS_UNSAID has
 * the colours of MEANS_TASK. When all lightness values are used, they repeat
 * with another hue. */
struct rgb palette_meaning(enum meaning meaning, int nth, enum ground ground);

#define PALETTE_THINGS 16

/* Returns the nth of 16 colours (from 0, repeating) for things of one kind,
 * such as task types or CPUs. */
struct rgb palette_thing(int nth, enum ground ground);

/* Returns true for errors and lost events, which look alike in every type. */
bool palette_is_fault(enum meaning meaning);

/*
 * The colours of one type's labels, the same in every output. palette_look() is
 * called for each label first, then palette_next() for each in the same order:
 *
 *	struct palette p = { 0 };
 *	palette_look(&p, label[i].means, label[i].value); ...
 *	rgb = palette_next(&p, label[i].means, label[i].value); ...
 *
 * If all states have one meaning, colours only tell the states apart; otherwise
 * colours follow from the meanings. The value 0 is background and
 * uses up no colour.
 */
struct palette {
	bool any, mixed; /* some state was looked at; the states have several
	                  * meanings */
	enum meaning first;
	int nth[MEANINGS], nthings; /* colours used so far */
};

void palette_look(struct palette *p, enum meaning meaning, int64_t value);

struct palette_color {
	struct rgb on[GROUND_LIGHT + 1]; /* by enum ground */
};

struct palette_color palette_next(
	struct palette *p, enum meaning meaning, int64_t value);

#endif
