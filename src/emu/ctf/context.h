/* SPDX-License-Identifier: MIT */
/*
 * context.h - threads that events name in their contexts: vtid, vpid and
 * procname, which users of LTTng add to a channel of user space.
 *
 * What is known is that a thread was on a CPU when it sent an event. From then
 * on it runs there, until it is seen elsewhere or another one is seen there:
 * then it runs somewhere, on the node's virtual CPU. Where the trace also has
 * the kernel's switches, these place it.
 */
#ifndef WEFT_EMU_CTF_CONTEXT_H
#define WEFT_EMU_CTF_CONTEXT_H

#include "base/vec.h"
#include "emu/model.h"

/* Where a class of events has its contexts: index + 1; 0: it has none. */
struct context_fields {
	bool known;
	int vtid, vpid, procname;
};

struct event_class;

struct context_fields context_fields_find(const struct event_class *c);

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

/* The thread that sent an event of a stream with vtid; it is made, named and
 * placed when it is seen. */
sender_fn context_sender;

/* The process of the event that context_sender() took. */
struct process *context_process(struct emu *emu, uint32_t stream);

/* True if switches of the kernel say where threads are. */
bool context_has_switches(const struct emu *emu);

#endif
