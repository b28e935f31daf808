/* SPDX-License-Identifier: MIT */
/*
 * numbers.h - lists the Paraver types that a model uses: the types of its
 * channels and of its breakdown, and for `ovni` also the core types and the
 * types of marks.
 */
#ifndef WEFT_EMU_NUMBERS_H
#define WEFT_EMU_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

struct model;

/*
 * Walks the types of a model in no particular order; a type may occur twice.
 * Start with *pos = 0, stop at false.
 */
bool numbers_next(const struct model *m, int *pos, int64_t *number);

/* Returns true if the model uses the type. */
bool numbers_has(const struct model *m, int64_t number);

#endif
