/* SPDX-License-Identifier: MIT */
/*
 * thread.h - threads of Nanos6 in CTF: the streams are those of CPUs, and their
 * events say which worker runs there. The leader and external threads share
 * streams of no CPU; their events name their thread, and each has a virtual
 * CPU of its own.
 */
#ifndef WEFT_EMU_CTF_THREAD_H
#define WEFT_EMU_CTF_THREAD_H

#include "base/map.h"
#include "base/pool.h"
#include "base/vec.h"
#include "emu/ctf/context.h"
#include "emu/ctf/label.h"
#include "emu/model.h"

struct cpu;
struct task;

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

void ctf_fini(struct ctf *c);

/* The emulator's index of a channel of the model. */
int ctf_chan(const struct emu *emu, int local);

/* "TH 0.4242": of a row. */
const char *ctf_thread_name(
	const struct emu *emu, const char *kind, int64_t tid);

/* Leaves the section, and what was entered in it and never left: that is a
 * warning, once. */
void ctf_leave(struct emu *emu, int64_t section);

/* Events were lost: of a thread, or on a CPU. */
void ctf_lose_thread(struct emu *emu, struct thread *th);
void ctf_lose_cpu(struct emu *emu, const struct cpu *cpu);

sender_fn ctf_sender;

/* As the event's model says; else as other runtimes that record with
 * <weft/ctf.h> tell it. */
sender_fn ctf_find_sender;

/* (u16 tid) */
event_fn ctf_external_create, ctf_thread_create, ctf_thread_resume,
	ctf_thread_suspend, ctf_thread_shutdown, ctf_external_resume,
	ctf_external_suspend, ctf_external_shutdown;

#endif
