/* SPDX-License-Identifier: MIT */
/*
 * kit.h - a simulation by script: what happens to tasks, and when.
 *
 *	play("10+a 15+b 20-a 25-b");
 *
 * starts task a at 10 ps... Words: TIME, then + start, - end, # tag, / step,
 * ! milestone, then the task (a letter, which is also its id), then the name of
 * the tag, step or milestone: 12#ahit. A start may say kind and what:
 * 10+a:req_in:read.
 */
#ifndef WEFT_TESTS_TASK_KIT_H
#define WEFT_TESTS_TASK_KIT_H

#include <stdarg.h>
#include <stdlib.h>

#include "test.h"
#include "weft/task.h"

static struct weft_sim_engine *e;
static struct weft_sim_handler component;

/* One word, without its time. */
static void
act(const char *word)
{
	struct weft_sim_domain *d = &component.domain;
	uint64_t id = (uint64_t)word[1];
	char kind[64] = "kind", what[64] = "what";

	sscanf(word + 2, ":%63[^:]:%63s", kind, what);
	if (word[0] == '+')
		weft_task_start(d,
			&(struct weft_task){ .id = id,
				.kind = weft_sim_string(e, kind),
				.what = weft_sim_string(e, what) });
	else if (word[0] == '-')
		weft_task_end(d, id);
	else if (word[0] == '#')
		weft_task_tag(d, id, word + 2);
	else if (word[0] == '/')
		weft_task_step(d, id, word + 2);
	else
		weft_task_milestone(d, id, WEFT_WAIT_DATA, word + 2);
}

static int
act_now(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	(void)h;
	act(ev->data);
	return 0;
}

__attribute__((unused)) static void
begin(void)
{
	e = weft_sim_engine_open(NULL);
	weft_sim_handler_init(&component, e, NULL, "Component");
	component.handle = act_now;
}

__attribute__((unused)) static void
play(const char *script)
{
	char *copy = strdup(script), *rest = copy, *word;

	while ((word = strtok_r(NULL, " ", &rest)) != NULL) {
		char *act_at;
		long time = strtol(word, &act_at, 10);

		weft_sim_schedule(&component, time, act_at);
	}
	weft_sim_run(e);
	free(copy);
}

#endif
