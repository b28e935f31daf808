/* SPDX-License-Identifier: MIT */
/*
 * wait_names.h - the numbers of locks, files and code locations in a trace of
 * the model wait, and their labels. A definition precedes the first use of its
 * number; a number without one is shown as "unknown (lock 17)".
 */
#ifndef WEFT_EMU_MODELS_WAIT_NAMES_H
#define WEFT_EMU_MODELS_WAIT_NAMES_H

#include "base/map.h"
#include "emu/model.h"
#include "emu/state.h"

enum { WAIT, OBJECT, LINE, REASON };

/* Kinds of links; Paraver's tags. */
enum {
	LINK_LOCK = 1,
	LINK_CONDITION,
	LINK_SEMAPHORE,
	LINK_BARRIER,
	LINK_END,
	LINK_FUTEX = 12,
	LINK_KINDS,
};

/* A moment on a thread, and its CPU. */
struct moment {
	int64_t time;
	uint32_t thread_row, cpu_row; /* or ROW_NONE; thread_row ROW_NONE:
	                               * none yet */
};

/* A lock, condition, barrier, semaphore or futex. */
struct object {
	int64_t value;       /* of its label */
	struct moment given; /* the last hand-over; of a barrier: when the last
	                      * thread arrived */
	uint32_t narrived;   /* of a barrier, since it was last complete */
};

/* Maps have keys of process and number; values are pointers. */
struct wait {
	struct map objects, modules, sites;
	struct map open;           /* by thread -> struct open */
	bool has_kind[LINK_KINDS]; /* sinks know what the links mean */
};

/* Returns the state of the model, made at the first call. */
struct wait *wait_state(struct emu *emu);

/* Returns the emulator's index of a channel of the model. */
static inline int
wait_chan(const struct emu *emu, int chan)
{
	return emu->binding->first_chan + chan;
}

/* Gives the text a value in a channel, and returns it. Equal texts have the
 * same value. */
int64_t wait_text(struct emu *emu, int chan, const char *text);

/* Returns the object with that number in the current process. */
struct object *wait_object(struct emu *emu, uint32_t number);

/* Returns the value of a line in the channel LINE. */
int64_t wait_line(struct emu *emu, uint32_t site);

/* Handle the definitions. */
event_fn wait_define_module, wait_define_site, wait_define_lock,
	wait_define_file;

/* Frees the state. */
void wait_fini(struct emu *emu);

#endif
