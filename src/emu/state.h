/* SPDX-License-Identifier: MIT */
/*
 * state.h - the state of an emulation, shared by the files of this directory.
 *
 * A handler gets the emulator and the event, reads arguments with emu_arg(),
 * and changes channels of emu->thread with emu_push(), emu_pop(), emu_set()
 * (change.h). The changes are written after the event, once (view.c). A change
 * that breaks a rule is reported with emu_finding() (say.h) and leaves the
 * channel as it was.
 */
#ifndef WEFT_EMU_STATE_H
#define WEFT_EMU_STATE_H

#include <string.h>

#include "base/pool.h"
#include "base/vec.h"
#include "emu/bind.h"
#include "emu/options.h"
#include "emu/system.h"
#include "trace/source.h"

struct code_names;
struct short_calls;
struct ctf;
struct first_event;
struct wait;

/* Functions for streams that belong to no thread: which thread sent an event,
 * and which states a loss makes unknown. Implemented for CTF in
 * ctf/thread.h. */
struct tellers {
	/* Returns the thread that sent the event, or NULL. */
	struct thread *(*sender)(struct emu *emu, const struct event *ev);
	/* Returns the process of the last event of a stream whose events name
	 * their process. */
	struct process *(*process)(struct emu *emu, uint32_t stream);
	/* Returns true if the kernel's switches tell where threads run. */
	bool (*has_switches)(const struct emu *emu);
	/* Forget the state of a thread, or of a CPU, after events were lost. */
	void (*lose_thread)(struct emu *emu, struct thread *th);
	void (*lose_cpu)(struct emu *emu, const struct cpu *cpu);
};

/* A channel of the emulator. Channels that are not of threads have only
 * thread_type. */
struct emu_chan {
	const struct chan_def *def;
	const struct model *model;
	const struct trace_mark *mark;  /* mark type of the channel, or NULL */
	int local;                      /* index in the model, or -1 */
	uint32_t thread_type, cpu_type; /* ids of types in the sink */
	bool past;                      /* some row gives its values a beginning
	                                 * in the past */
	bool bad_said;                  /* reported that a CPU cannot show it */
};

/* A channel that the current event changed, or enabled or disabled. */
struct dirty {
	struct holder *of;
	int chan;
	bool switched;
};

/* A counter of the trace. */
struct emu_counter {
	const char *field;
	int chan;
};

/* The enabled models, and the index of their first channel. */
struct enabled {
	VEC(const struct model *) model;
	VEC(int) first;
};

struct emu {
	struct arena *arena;   /* everything below is in it */
	struct source *source; /* the members from source to sink are
	                        * borrowed */
	struct trace *trace;
	struct findings *findings;
	struct sink *sink;
	const atomic_int *stop;        /* or NULL */
	struct breakdowns *breakdowns; /* NULL: not requested */

	struct system system;
	struct enabled enabled;
	VEC(struct emu_chan) chans;
	uint32_t core_thread_type[THREAD_CORE], core_cpu_type[CPU_CORE];
	uint32_t ntypes, nrows; /* number of types and rows declared to the sink
	                         * so far */
	int mark_chan[MARK_TYPES]; /* channel of each mark type, or -1 */
	uint64_t inferred_tasks;   /* number of tasks whose creation or type is
	                            * unknown */
	struct pool task_pool;     /* memory for the live tasks */
	/* Memory for the live bodies of parallel tasks. */
	struct pool body_pool;
	struct task gone_task;      /* stands for a task that has ended */
	struct task_body gone_body; /* stands for a body that has ended */
	int ntask_types;            /* task types of all processes */
	struct map type_labels; /* hash of a task type's label -> its text */
	struct map told_labels; /* number of a label that an event defined ->
	                         * its text (label_id.h) */
	struct map models_off;  /* letters of disabled models, or event
	                         * classes, that were reported */
	const struct tellers *tellers;
	struct ctf *ctf;                 /* state of ctf/ */
	struct wait *wait;               /* state of the model wait; or NULL */
	const struct code_names *names;  /* or NULL */
	struct short_calls *short_calls; /* or NULL */
	VEC(struct emu_counter) counters;
	VEC(struct emu_hwc) hwc; /* counters of each enabled model */
	struct map strangers; /* streams without a thread that were reported */

	struct gaps *gaps;             /* lost events (gap.h) */
	int64_t gap_at;                /* clock at which the next gap begins */
	uint64_t gaps_known;           /* number of losses seen so far */
	struct gap_notes *learn;       /* notes to be taken, or NULL */
	const struct gap_notes *known; /* notes of the first pass, or NULL */
	struct emu_part *part;         /* NULL: the whole trace */
	struct mends *mends;           /* collects what is inferred, or NULL */
	/* Called when a thread in or after a gap is put on a CPU; in gap.c. */
	void (*gap_place)(struct emu *emu, struct thread *th,
		enum thread_state state, const struct cpu *cpu);

	/* Binding of each class; NULL: not bound yet. */
	VEC(const struct binding *) bound;

	/* The current event. */
	struct event pair[2]; /* used in turn: the previous event is still
	                       * needed */
	const struct event *event;
	const struct binding *binding;
	struct thread *thread;
	int64_t now; /* time of the event since the first event, ns */
	VEC(struct dirty) dirty;
	VEC(struct thread *) changed_threads;
	VEC(struct cpu *) touched_cpus;

	enum emu_errors errors;
	bool past;           /* some row writes in the past: the sink cannot be
	                      * advanced */
	bool lint;           /* report the states that are open at the end */
	bool quiet;          /* rows are not shown */
	bool strict;         /* imitates the ovni tools: infers nothing */
	int64_t written;     /* time of the last record; if `past` is set, of
	                      * those of the events of `writer` */
	struct node *writer; /* or NULL */
	bool incomplete; /* events of a killed writer or of a damaged stream may
	                  * be missing */
	uint64_t nended; /* number of stream ends handled */
	bool any_cut;    /* the last events of some thread are missing */
	int absent;      /* first stream that may have no event; -1: none */
	/* Long flushes of running threads: number, total time, longest time, in
	 * ns. */
	uint64_t nflushes;
	int64_t flushes, longest_flush;
	int64_t start; /* time of the first event */
	uint64_t nevents;
	struct first_event *first; /* first event of each stream */
	bool nested_said;          /* the imitated ovni tools have reported
	                            * that a task starts over a running one */
	bool over;                 /* no more events are taken */
	bool complete;             /* the source was read to its end */
	const char *said_at_end;   /* an error that does not end a strict
	                            * emulation, or NULL */
};

/* Returns argument i of the current event; see bind.h. */
static inline int64_t
emu_arg(const struct emu *emu, int i)
{
	return bind_i64(emu->binding, emu->event, i);
}

static inline uint32_t
emu_arg_u32(const struct emu *emu, int i)
{
	const struct event *ev = emu->event;
	const struct arg *arg = &emu->binding->arg[i];
	uint32_t value;

	/* Nearly always the argument has 32 bits in the file, too. */
	if (i >= emu->binding->nargs || arg->type != FIELD_U32 ||
		ev->value != NULL || ev->size < arg->at + sizeof value)
		return (uint32_t)emu_arg(emu, i);
	memcpy(&value, ev->data + arg->at, sizeof value);
	return value;
}

#endif
