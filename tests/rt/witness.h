/* SPDX-License-Identifier: MIT */
/*
 * witness.h - what a program leaves in a page that outlives it: how many events
 * it began to record, and how many it had recorded, in main and in a handler.
 * Each event carries its number, from 1 on, and where it is from above.
 */
#ifndef WITNESS_H
#define WITNESS_H

#include <stdint.h>

enum { WITNESS_MAIN, WITNESS_HANDLER, WITNESS_ORIGINS, WITNESS_SHIFT = 56 };

struct witness {
	volatile uint64_t begun, done;
};

#endif
