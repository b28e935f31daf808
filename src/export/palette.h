/* SPDX-License-Identifier: MIT */
/*
 * palette.h - colours of states: by what they mean, and to tell things apart.
 *
 * Idle is dull, the user's work bright, errors red, in every model and every
 * format. Each meaning has a colour for a black background and one for a white
 * background, chosen so that any two stay apart for people with any common
 * sort of colour blindness. States of one meaning differ in lightness.
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

/* The meaning whose colour a meaning has: MEANS_CREATE has MEANS_OVERHEAD's. */
enum meaning palette_family(enum meaning meaning);

/* The colour of the nth state of that family, from 0. MEANS_UNSAID: as a task.
 * The lightness repeats where there is no more room for another. */
struct rgb palette_meaning(enum meaning meaning, int nth, enum ground ground);

#define PALETTE_THINGS 16

/* The nth of 16 colours, from 0 and again after 15, for things of one sort:
 * types of tasks, CPUs. */
struct rgb palette_thing(int nth, enum ground ground);

#endif
