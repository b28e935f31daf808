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

#include "emu/ctf/ctf.h"

struct event_class;

struct context_fields context_fields_find(const struct event_class *c);

/* The thread that sent an event of a stream with vtid; it is made, named and
 * placed when it is seen. */
sender_fn context_sender;

/* The process of the event that context_sender() took. */
struct process *context_process(struct emu *emu, uint32_t stream);

/* True if switches of the kernel say where threads are. */
bool context_has_switches(const struct emu *emu);

#endif
