/* SPDX-License-Identifier: MIT */
/*
 * context.h - threads that events name in their contexts vtid, vpid and
 * procname, which users of LTTng add to a user-space channel.
 *
 * An event shows only that its thread was on a CPU at that time. From then on
 * the thread is assumed to run there, until an event shows it on another CPU,
 * or shows another thread on this CPU, in which case the first thread moves to
 * the node's virtual CPU. If the trace also has the kernel's switches, those
 * place the threads instead.
 */
#ifndef WEFT_EMU_CTF_CONTEXT_H
#define WEFT_EMU_CTF_CONTEXT_H

#include "emu/ctf/ctf.h"

struct event_class;

struct context_fields context_fields_find(const struct event_class *c);

/* Returns the thread that sent an event of a stream with vtid. Creates, names
 * and places the thread at its first event. */
sender_fn context_sender;

/* Returns the process of the event that context_sender() took last. */
struct process *context_process(struct emu *emu, uint32_t stream);

/* Returns true if the trace has the kernel's switches. */
bool context_has_switches(const struct emu *emu);

#endif
