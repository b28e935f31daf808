/* SPDX-License-Identifier: MIT */
/*
 * wait_owner.h - which thread has a lock that others wait for.
 *
 * A wait tells who has the lock when it begins. Until the lock is given away,
 * or a wait for it ends, that thread has it. A thread that takes a free lock
 * records nothing, so the owner of a lock is often not known; it is never one
 * that has given it away.
 */
#ifndef WEFT_EMU_MODELS_WAIT_OWNER_H
#define WEFT_EMU_MODELS_WAIT_OWNER_H

#include "emu/models/wait_names.h"

/* The current event tells that the thread has the lock; NULL: not known. */
void wait_owner_is(struct emu *emu, struct object *o, struct thread *owner);

/* Does the same for a thread of the current process; 0: not known. */
void wait_owner_seen(struct emu *emu, struct object *o, int64_t tid);

/* At the end: writes a link from the owner of a lock to the end of each wait
 * for the lock that lasts until then, or until the end of its thread; notes
 * that, in the order of the threads' rows. */
hook_fn wait_tell_owners;

#endif
