/* SPDX-License-Identifier: MIT */
/* The words of WEFT_EVENTS; weft run also checks them, before the program
 * runs. */
#include <stddef.h>

#include "inproc/core/gate.h"

/* clang-format off */
const struct gate_word weft_rt_gate_words[] = {
	{"ovni",   'O', "",           0},
	{"ovni",   'O', "burst",      'B'},
	{"ovni",   'O', "mark",       'M'},
	{"nanos6", '6', "",           0},
	{"nanos6", '6', "blocking",   'B'},
	{"nanos6", '6', "creating",   'C'},
	{"nanos6", '6', "dependency", 'D'},
	{"nanos6", '6', "spawning",   'F'},
	{"nanos6", '6', "thread",     'H'},
	{"nanos6", '6', "memory",     'M'},
	{"nanos6", '6', "taskfor",    'O'},
	{"nanos6", '6', "idle",       'P'},
	{"nanos6", '6', "scheduler",  'S'},
	{"nanos6", '6', "task",       'T'},
	{"nanos6", '6', "submitting", 'U'},
	{"nanos6", '6', "worker",     'W'},
	{"nanos6", '6', "type",       'Y'},
	{"nanos6", '6', "body",       't'},
	{NULL, 0, NULL, 0},
};
/* clang-format on */
