/* SPDX-License-Identifier: MIT */
/*
 * lock.h - which thread gives a task to which: the thread that holds the
 * scheduler's lock serves others, shown as a communication line to each.
 */
#ifndef WEFT_EMU_CTF_LOCK_H
#define WEFT_EMU_CTF_LOCK_H

#include "emu/model.h"

/* (u32 id) */
event_fn ctf_lock_assign;

/* (u64 ts_acquire, u32 id); id 0: no task. */
event_fn ctf_lock_client;

#endif
