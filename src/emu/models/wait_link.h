/* SPDX-License-Identifier: MIT */
/*
 * wait_link.h - links from the thread that ended a wait to the thread that
 * waited, or that made a task or a thread to where that begins.
 */
#ifndef WEFT_EMU_MODELS_WAIT_LINK_H
#define WEFT_EMU_MODELS_WAIT_LINK_H

#include "emu/models/wait_names.h"

/* Returns the moment of the current event. */
struct moment wait_moment(const struct emu *emu);

/* Writes a link from a moment to the current event. kind: LINK_*. */
void wait_link(struct emu *emu, struct moment from, int kind, int64_t id);

/* Writes a link from a thread at a time to the thread th at another one, both
 * before the current event. id: th. */
void wait_link_between(struct emu *emu, int64_t from, uint32_t from_row,
	int64_t to, const struct thread *th, int kind);

/* Keeps the moment of the current event, which creates a task, until the task
 * begins for the first time: then the link is written. Do nothing for traces
 * without the regions of wait_region.h. */
void wait_link_keep(struct emu *emu, uint32_t id);
void wait_link_kept(struct emu *emu, uint32_t id, int kind);

#endif
