/* SPDX-License-Identifier: MIT */
/*
 * witness.h - counters in a shared page that outlives the program: how many
 * events main and a signal handler began to record, and how many they finished.
 * Each event carries its number, from 1 on, and which of the two recorded it.
 */
#ifndef WITNESS_H
#define WITNESS_H

#include <stdint.h>

enum { WITNESS_MAIN, WITNESS_HANDLER, WITNESS_ORIGINS, WITNESS_SHIFT = 56 };

struct witness {
	volatile uint64_t begun, done;
};

#endif
