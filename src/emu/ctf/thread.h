/* SPDX-License-Identifier: MIT */
/*
 * thread.h - threads of Nanos6 in CTF. Streams belong to CPUs, and events tell
 * which worker runs there. The leader and external threads share streams
 * without a CPU; their events name the thread, and each thread has a virtual
 * CPU of its own.
 */
#ifndef WEFT_EMU_CTF_THREAD_H
#define WEFT_EMU_CTF_THREAD_H

#include "emu/model.h"

struct ctf;
struct tellers;

/* How events of CTF traces tell which thread sent them. */
extern const struct tellers ctf_tellers;

/* Frees the emulation's state of CTF. */
hook_fn ctf_fini;

sender_fn ctf_sender;

/* Argument of their events: (u16 tid). */
event_fn ctf_external_create, ctf_thread_create, ctf_thread_resume,
	ctf_thread_suspend, ctf_thread_shutdown, ctf_external_resume,
	ctf_external_suspend, ctf_external_shutdown;

#endif
