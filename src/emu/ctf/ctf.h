/* SPDX-License-Identifier: MIT */
/*
 * ctf.h - what is known of a trace in CTF of Nanos6 or another runtime, shared
 * by the files of this folder.
 */
#ifndef WEFT_EMU_CTF_CTF_H
#define WEFT_EMU_CTF_CTF_H

#include "base/intern.h"
#include "base/map.h"
#include "base/pool.h"
#include "base/vec.h"
#include "emu/model.h"

struct cpu;
struct process;
struct task_type;

/* Where a class of events has its contexts: index + 1; 0: it has none. */
struct context_fields {
	bool known;
	int vtid, vpid, procname;
};

/* The last thread of a stream, by what its events say. */
struct context_last {
	int64_t vtid, vpid;
	struct thread *thread;   /* NULL: none was seen */
	struct process *process; /* the one that vpid says, or the stream's */
	struct cpu *cpu;         /* of the stream; NULL: not looked up */
};

struct contexts {
	VEC(struct context_fields) fields; /* by class */
	VEC(struct context_last) last;     /* by stream */
};

/* Names that events give (label.h). */
struct ctf_names {
	struct intern texts;
	VEC(int64_t) value; /* by text: the first one */
	struct map text;    /* value -> text + 1 */
	int64_t last;       /* largest value */
};

/* Channels and values of the model that the functions of this folder need. */
struct ctf_chans {
	int tid, label, source, id, subsystem, busy, ready, blocked_threads;
	int runtime_code, task_code, mode;
	int64_t runtime, task, arguments, task_for; /* sections */
	int64_t debug; /* first of the sections that users name */
};

extern const struct ctf_chans ctf_chans;

/* A task that a thread has begun. */
struct frame {
	uint32_t id;
	const struct task_type *type; /* NULL: unknown */
	bool blocked;
	bool parted; /* the thread was suspended since the task blocked */
};

struct worker {
	bool blocked; /* suspended */
	bool lost;    /* it may be in tasks that nobody saw begin */
	VEC(struct frame) frames;
};

/* What is known of the whole trace. */
struct ctf {
	struct kernel *kernel; /* or NULL */
	struct contexts contexts;
	int64_t nthreads;
	bool said_open; /* that sections were left open */
	struct ctf_names labels, sources;
	struct points *points; /* or NULL: point.c */
	struct map assigned;   /* process, task -> struct assigned */
	struct pool pool;      /* of these */
};

struct ctf *ctf_of(struct emu *emu);

/* The emulator's index of a channel of the model. */
int ctf_chan(const struct emu *emu, int local);

/* "TH 0.4242": of a row. */
const char *ctf_thread_name(
	const struct emu *emu, const char *kind, int64_t tid);

/* Leaves the section, and what was entered in it and never left: that is a
 * warning, once. */
void ctf_leave(struct emu *emu, int64_t section);

#endif
