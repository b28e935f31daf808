/* SPDX-License-Identifier: MIT */
/*
 * state.h - the state of a running emulation, shared by the files of this
 * folder: what handlers of models change.
 *
 * A handler gets the emulator and the event, reads arguments with emu_arg(),
 * and changes channels of emu->thread with emu_push(), emu_pop(), emu_set()
 * (change.h). What it changes is written after the event, once (view.c). What
 * breaks a rule goes to emu_finding() (say.h) and leaves the channel as it was.
 */
#ifndef WEFT_EMU_STATE_H
#define WEFT_EMU_STATE_H

#include "base/pool.h"
#include "base/vec.h"
#include "emu/bind.h"
#include "emu/options.h"
#include "emu/system.h"
#include "trace/source.h"

struct ctf;
struct gate;

/* How it is known who sent the events of streams that are no thread's, and what
 * losses there mean: of CTF, ctf/thread.h. */
struct tellers {
	/* Who sent the event, or NULL. */
	struct thread *(*sender)(struct emu *emu, const struct event *ev);
	/* Of the last event of a stream whose events say whose they are. */
	struct process *(*process)(struct emu *emu, uint32_t stream);
	/* True if switches of the kernel say where threads are. */
	bool (*has_switches)(const struct emu *emu);
	/* Events were lost: of a thread, or on a CPU. */
	void (*lose_thread)(struct emu *emu, struct thread *th);
	void (*lose_cpu)(struct emu *emu, const struct cpu *cpu);
};

/* A channel of the emulator. What is no thread's has one type alone. */
struct emu_chan {
	const struct chan_def *def;
	const struct model *model;
	const struct trace_mark *mark;  /* whose channel it is, or NULL */
	int local;                      /* index among the model's, or -1 */
	uint32_t thread_type, cpu_type; /* ids at the sink */
	bool past;                      /* some row tells of the past */
	bool bad_said; /* that a CPU cannot show it: said once */
};

/* A channel that this event wrote, or switched on or off. */
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

/* A model that is on, and where its channels begin. */
struct enabled {
	VEC(const struct model *) model;
	VEC(int) first;
};

struct emu {
	struct arena *arena;   /* all below lives there */
	struct source *source; /* borrowed, as are the next three */
	struct trace *trace;
	struct findings *findings;
	struct sink *sink;
	const volatile sig_atomic_t *stop; /* or NULL */
	struct breakdowns *breakdowns;     /* NULL: not asked for */

	struct system system;
	struct enabled enabled;
	VEC(struct emu_chan) chans;
	uint32_t core_thread_type[THREAD_CORE], core_cpu_type[CPU_CORE];
	uint32_t ntypes, nrows;    /* ids given to the sink so far */
	int mark_chan[MARK_TYPES]; /* channel of each mark type, or -1 */
	uint64_t inferred_tasks;   /* without creation or type */
	struct pool task_pool;     /* of the live tasks */
	struct task gone_task;     /* stands for one that ended */
	int ntask_types;           /* of all processes */
	struct map type_labels;    /* hash of a task type's label -> its text */
	struct map models_off; /* letters of models, or classes of events, as
	                        * reported */
	const struct tellers *tellers;
	struct ctf *ctf; /* what ctf/ knows of the trace */
	VEC(struct emu_counter) counters;
	struct map strangers; /* streams without a thread, as reported */

	struct gaps *gaps;             /* where events were lost (gap.h) */
	int64_t gap_at;                /* clock at which the next one begins */
	uint64_t gaps_known;           /* losses of the trace that were seen */
	struct gap_notes *learn;       /* to be filled, or NULL */
	const struct gap_notes *known; /* of an earlier run, or NULL */
	struct mends *mends;           /* what is inferred, or NULL */
	/* A thread whose place was lost gets one; of gap.c. */
	void (*gap_place)(struct emu *emu, struct thread *th,
		enum thread_state state, const struct cpu *cpu);

	VEC(const struct binding *) bound; /* by class; NULL: not yet */

	/* The current event. */
	struct event pair[2]; /* in turn: the last one is looked at once more */
	const struct event *event;
	const struct binding *binding;
	struct thread *thread;
	int64_t now; /* since the first event */
	VEC(struct dirty) dirty;
	VEC(struct thread *) changed_threads;
	VEC(struct cpu *) touched_cpus;

	enum emu_errors errors;
	bool past;       /* some row writes in the past: nothing is promised */
	bool lint;       /* say what is open at the end */
	bool quiet;      /* what rows show is not looked at */
	bool strict;     /* as the ovni tools: nothing is inferred */
	int64_t written; /* time of the last record */
	bool incomplete; /* events are missing, such as ends and tasks: those of
	                  * a killed writer, or of a damaged stream */
	uint64_t nended; /* streams whose end was taken up */
	bool any_cut;    /* some thread's last events are not there */
	int absent;      /* the first stream that may have no event; -1: none */
	/* Long flushes of running threads: how many, ns of all, of the
	 * longest. */
	uint64_t nflushes;
	int64_t flushes, longest_flush;
	int64_t start; /* time of the first event */
	uint64_t nevents;
	struct gate *first;      /* one a stream */
	bool over;               /* nothing more will be taken */
	bool complete;           /* the source was read to its end */
	const char *said_at_end; /* an error that ends no strict run, or NULL */
};

/* Argument i of the current event; see bind.h. */
static inline int64_t
emu_arg(const struct emu *emu, int i)
{
	return bind_i64(emu->binding, emu->event, i);
}

static inline uint32_t
emu_arg_u32(const struct emu *emu, int i)
{
	return (uint32_t)emu_arg(emu, i);
}

#endif
