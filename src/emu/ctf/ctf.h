/* SPDX-License-Identifier: MIT */
/*
 * ctf.h - the state of emulating a CTF trace of Nanos6 or another runtime,
 * shared by the files of this directory.
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

/* The contexts of an event class, as index + 1 of their fields; 0: none. */
struct context_fields {
	bool known;
	int vtid, vpid, procname;
};

/* The last thread of a stream, as its events name it. */
struct context_last {
	int64_t vtid, vpid;
	struct thread *thread;   /* NULL: none seen yet */
	struct process *process; /* process of vpid, or of the stream */
	struct cpu *cpu;         /* CPU of the stream; NULL: not looked up
	                          * yet */
};

struct contexts {
	VEC(struct context_fields) fields; /* by class */
	VEC(struct context_last) last;     /* by stream */
};

/* Names in events (label.h). */
struct ctf_names {
	struct intern texts;
	VEC(int64_t) value; /* by text: the first value that has this text */
	struct map text;    /* value -> text + 1 */
	int64_t last;       /* largest value so far */
};

/* Channels and values of the model that the functions of this directory use. */
struct ctf_chans {
	int tid, label, source, id, subsystem, busy, ready, blocked_threads;
	int runtime_code, task_code, mode;
	int64_t runtime, task, arguments, task_for; /* sections */
	int64_t debug; /* value of the first section that a user named */
};

extern const struct ctf_chans ctf_chans;

/* A task that a thread has begun. */
struct frame {
	uint32_t id;
	const struct task_type *type; /* NULL: unknown */
	bool blocked;
	bool parted; /* the thread was suspended after the task blocked */
};

struct worker {
	bool blocked; /* suspended */
	bool lost;    /* the thread may be in tasks whose begin was lost */
	VEC(struct frame) frames;
};

/* State of the whole trace. */
struct ctf {
	struct kernel *kernel; /* or NULL */
	struct contexts contexts;
	int64_t nthreads;
	bool said_open;     /* reported that sections were left open */
	bool has_link_kind; /* sinks know what the links mean */
	struct ctf_names labels, sources;
	struct entry_points *points; /* or NULL */
	struct map assigned;         /* process, task -> struct assigned */
	struct pool pool;            /* memory for struct assigned */
};

struct ctf *ctf_of(struct emu *emu);

/* Returns the emulator's index of a channel of the model. */
int ctf_chan(const struct emu *emu, int local);

/* Returns the name of a thread's row: "TH 0.4242". */
const char *ctf_thread_name(
	const struct emu *emu, const char *kind, int64_t tid);

/* Leaves the section, including sections entered in it and never left; such
 * sections give a warning, once. */
void ctf_leave(struct emu *emu, int64_t section);

#endif
