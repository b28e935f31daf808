/* SPDX-License-Identifier: MIT */
/*
 * wait_names.h - the numbers of locks, files and code locations in a trace of
 * the model wait, and their labels. A definition precedes the first use of its
 * number; a number without one is shown as "unknown (lock 17)".
 *
 * A code location is shown as "function (file:line)" and a lock by its variable
 * if the debug information of the module is there (code_names.h), else by their
 * addresses in the module. A lock on the heap or on a stack is shown by the
 * line that initialised it, else by that of the first wait for it.
 */
#ifndef WEFT_EMU_MODELS_WAIT_NAMES_H
#define WEFT_EMU_MODELS_WAIT_NAMES_H

#include "base/map.h"
#include "base/pool.h"
#include "base/vec.h"
#include "emu/model.h"
#include "emu/state.h"

enum { WAIT, OBJECT, LINE, REGION, REASON, SHORT, PLACE };

/* Kinds of links; Paraver's tags. */
enum {
	LINK_LOCK = 1,
	LINK_CONDITION,
	LINK_SEMAPHORE,
	LINK_BARRIER,
	LINK_END,
	LINK_MADE,
	LINK_WOKEN = 9,
	LINK_FORK = 10,
	LINK_TASK,
	LINK_FUTEX,
	LINK_OWNER,
	LINK_KINDS,
};

/* A moment on a thread, and its CPU. */
struct moment {
	int64_t time;
	uint32_t thread_row, cpu_row; /* or ROW_NONE; thread_row ROW_NONE:
	                               * none yet */
};

/* A file of code that is loaded in a process. */
struct module {
	uint64_t base, size;
	const char *build, *path, *name;
};

/* A lock, condition, barrier, semaphore, futex or file. */
struct object {
	int64_t value;    /* value of its label; 0: the first wait for it
	                   * will name it */
	const char *kind; /* "mutex"; NULL: it has no definition */
	uint64_t address;
	uint32_t init_site;  /* line that initialised it; 0: not known */
	uint32_t block_site; /* line that allocated the block in which it lies;
	                      * 0: not known */
	uint32_t thread;     /* id of the thread on whose stack or in whose
	                      * thread-local storage it lies; 0: not known */
	bool is_local;       /* in the storage */
	const struct module *module; /* of the thread-local variable; or NULL */
	uint64_t offset;             /* in the module's block */
	struct moment given;  /* last hand-over; at a barrier: last arrival */
	struct thread *owner; /* that has the lock; NULL: not known */
	int64_t owned;        /* since when, or since when that is known */
	uint32_t narrived;    /* barrier: threads since it was last complete */
};

struct open_wait {
	struct object *object; /* waited for; NULL: the thread `tid` */
	int64_t tid, since;
};

/* The open waits of a thread. */
struct open {
	struct thread *thread;
	VEC(struct open_wait) wait;
	uint32_t ngaps; /* gaps of the thread when `wait` was last changed */
};

/* OpenMP regions; the structs are those of wait_region.c. */
struct regions {
	struct map live;  /* by process and number -> region that has not
	                   * ended */
	struct map teams; /* by row of a thread -> the regions it is in */
	struct pool region, level, member;
	bool has_looked;
	int join_chan; /* channel and value of a join barrier in the model
	                * openmp; -1: the model is off */
	int64_t join;
};

/* Maps have keys of process and number; values are pointers. */
struct wait {
	struct map objects, modules, sites;
	struct map open;    /* by thread -> struct open */
	struct map nlike;   /* text of a place in a process -> objects that are
	                     * named by it */
	struct map made;    /* tasks that have not begun -> moment */
	struct pool moment; /* memory of the values of `made` */
	struct regions *regions;   /* NULL: none yet */
	bool has_kind[LINK_KINDS]; /* sinks know what the links mean */
};

/* Returns the state of the model, made at the first call. */
struct wait *wait_state(struct emu *emu);

/* Returns the key of a number of the current process. */
static inline uint64_t
wait_key(const struct emu *emu, uint32_t number)
{
	const struct process *p = emu->thread->process;

	return (uint64_t)(p - emu->system.processes) << 32 | number;
}

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

/* Returns the object as one that is waited for at a line: so it has a label. */
struct object *wait_object_at(struct emu *emu, uint32_t number, uint32_t site);

/* Returns the text of a code location, in the arena. what: a word before the
 * line, as in "sweep (parallel, heat.c:12)"; or "". */
const char *wait_site_text(struct emu *emu, uint32_t site, const char *what);

/* Returns true if the location, and all around it, are in the library of a
 * language. */
bool wait_site_is_library(struct emu *emu, uint32_t site);

/* Returns the name of the type of tasks with that number, "sweep (task,
 * heat.c:12)", if its label is the address of the code location of the same
 * number; else the label. */
const char *wait_task_label(struct emu *emu, uint32_t id, const char *label);

/* Returns the value of a region's code location in the channel REGION. what:
 * "parallel" or "master". */
int64_t wait_region_line(struct emu *emu, uint32_t site, const char *what);

/* Returns the value of a line in the channel LINE. */
int64_t wait_line(struct emu *emu, uint32_t site);

/* Handle the definitions. */
event_fn wait_define_module, wait_define_site, wait_define_stack,
	wait_define_block, wait_define_local, wait_define_lock,
	wait_define_file, wait_define_name;

/* Handles a count of short calls. */
event_fn wait_add_short;

/* Frees the state. */
void wait_fini(struct emu *emu);

#endif
