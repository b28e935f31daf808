/* SPDX-License-Identifier: MIT */
/*
 * lock.h - who gives a task to whom: the thread that has the scheduler's lock
 * serves others, and a line of communication goes from it to each.
 */
#ifndef WEFT_EMU_CTF_LOCK_H
#define WEFT_EMU_CTF_LOCK_H

#include "emu/model.h"

/* (u32 id) */
event_fn ctf_lock_assign;

/* (u64 ts_acquire, u32 id); id 0: it got none. */
event_fn ctf_lock_client;

#endif
