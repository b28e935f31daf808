/* SPDX-License-Identifier: MIT */
/*
 * declared.h - models made from the metadata of a CTF trace: a runtime that
 * records its own tracepoints with <weft/ctf.h> needs no model file.
 *
 * Names tell which tracepoints are entry points: "mine:tc:wait_enter" and
 * "mine:tc:wait_exit" are a pair. The recorder tells which events begin and end
 * tasks (event_class.tells). All events with the same prefix make one model,
 * named after the prefix; its rows call the functions of entry_point.h.
 *
 *	calls       the entry points that a thread has entered, nested
 *	context     whose code the thread runs: a task's, or the runtime's on
 *	            behalf of a task or of no task
 *	task, type  of the task that it has begun, as far as events tell
 *	event       moments: events that are not entry points
 */
#ifndef WEFT_EMU_CTF_DECLARED_H
#define WEFT_EMU_CTF_DECLARED_H

#include "emu/model_list.h"

struct trace;

/*
 * Adds the models that a trace declares, one per prefix that no built-in model
 * has. Their names and Paraver types differ from all others in the list.
 */
void declared_models(
	struct arena *a, const struct trace *t, struct model_list *list);

#endif
