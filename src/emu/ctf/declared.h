/* SPDX-License-Identifier: MIT */
/*
 * declared.h - models that the metadata of a CTF trace declares: a runtime that
 * records points of its own with <weft/ctf.h> needs none in a file.
 *
 * Names say what is an entry point: "mine:tc:wait_enter" and
 * "mine:tc:wait_exit" are a pair. Which events begin and end tasks their
 * recorder tells (event_class.tells). All events of such a prefix make one
 * model, named as the prefix is; its rows call the functions of point.h.
 *
 *	calls      the points that a thread has entered, one in another
 *	context    whose code it runs: a task's, or the runtime's for whom
 *	task, type of the task that it has begun, as far as events tell
 *	event      moments: what is no entry point
 */
#ifndef WEFT_EMU_CTF_DECLARED_H
#define WEFT_EMU_CTF_DECLARED_H

#include "emu/model_list.h"

struct trace;

/*
 * Adds the models that a trace declares, one a prefix that no built-in model
 * has. Their names and Paraver types are those of no other in the list.
 */
void declared_models(
	struct arena *a, const struct trace *t, struct model_list *list);

#endif
