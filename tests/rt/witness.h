/* SPDX-License-Identifier: MIT */
/*
 * witness.h - counters in a page that outlives the program: how many events it
 * began to record, and how many it had recorded, in main and in a handler. Each
 * event carries its number, from 1 on, and which of the two recorded it.
 */
#ifndef WITNESS_H
#define WITNESS_H

#include <stdint.h>

enum { WITNESS_MAIN, WITNESS_HANDLER, WITNESS_ORIGINS, WITNESS_SHIFT = 56 };

struct witness {
	volatile uint64_t begun, done;
};

#endif
