/* SPDX-License-Identifier: MIT */
/*
 * lock.h - which thread gives a task to which: the thread that holds the
 * scheduler's lock serves others, shown as a communication line to each.
 */
#ifndef WEFT_EMU_CTF_LOCK_H
#define WEFT_EMU_CTF_LOCK_H

#include "emu/model.h"

/* Argument of the event: (u32 id). */
event_fn ctf_lock_assign;

/* Arguments of the event: (u64 ts_acquire, u32 id); id 0 means no task. */
event_fn ctf_lock_client;

#endif
