/* SPDX-License-Identifier: MIT */
/*
 * palette.h - colours of states, by meaning, and of things to tell apart.
 *
 * Idle is dull, the user's work bright, errors red, in every model and every
 * format. Each meaning has a colour for a black background and one for a white
 * background, chosen so that any two differ for people with any common kind of
 * colour blindness. States of one meaning differ in lightness.
 *
 * All colours have a contrast of at least 3:1 against their background.
 */
#ifndef WEFT_EXPORT_PALETTE_H
#define WEFT_EXPORT_PALETTE_H

#include <stdint.h>

#include "export/meaning.h"

struct rgb {
	uint8_t r, g, b;
};

enum ground { GROUND_DARK, GROUND_LIGHT };

/* Returns the meaning whose colour this meaning shares: MEANS_OVERHEAD for
 * MEANS_CREATE. */
enum meaning palette_family(enum meaning meaning);

/* Returns the colour of the nth state (from 0) of that family. MEANS_UNSAID: as
 * MEANS_TASK. Lightness values repeat when all are used. */
struct rgb palette_meaning(enum meaning meaning, int nth, enum ground ground);

#define PALETTE_THINGS 16

/* Returns the nth of 16 colours (from 0, repeating) for things of one kind,
 * such as task types or CPUs. */
struct rgb palette_thing(int nth, enum ground ground);

#endif
