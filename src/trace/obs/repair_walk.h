/* SPDX-License-Identifier: MIT */
/*
 * repair_walk.h - the second walk of a repair: all streams in time order, to
 * learn what each needs so that states, CPUs and tasks fit together.
 */
#ifndef WEFT_TRACE_OBS_REPAIR_WALK_H
#define WEFT_TRACE_OBS_REPAIR_WALK_H

struct repair;

/* Fills the edits of every thread. */
void repair_walk(struct repair *r);

#endif
