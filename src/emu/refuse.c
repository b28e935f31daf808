/* SPDX-License-Identifier: MIT */
#include "emu/refuse.h"

#include <string.h>

#include "base/arena.h"
#include "emu/describe.h"
#include "emu/model.h"
#include "emu/say.h"
#include "emu/state.h"

void
refuse_stranger(struct emu *emu)
{
	uint32_t stream = emu->event->stream;
	uint64_t *said = map_put(&emu->strangers, stream);

	if (*said == 0 && emu->trace->streams.at[stream].part == NULL)
		emu_finding(emu, FINDING_ERROR,
			"event from unknown stream: its stream.json names no "
			"thread; its events are left out");
	*said = 1;
}

/* Reports events of a disabled model, once per model. */
static void
not_enabled(struct emu *emu, const struct model *m)
{
	uint64_t *said = map_put(&emu->models_off, (uint64_t)m->id);

	if (*said == 0)
		emu_finding(emu, FINDING_ERROR,
			"model %s not enabled for event: no thread requires "
			"it; --all-models turns it on. All its events are "
			"left out",
			m->name);
	*said = 1;
}

/* Returns true if an event of that name, of another class, has been reported:
 * every stream class, and every part of a session, may declare the same
 * event. */
static bool
name_was_said(const struct emu *emu, uint32_t class)
{
	const struct event_class *c = emu->trace->classes.at;

	for (uint32_t i = 0; i < (uint32_t)emu->trace->classes.n; i++)
		if (i != class && map_get(&emu->models_off, i) != NULL &&
			strcmp(c[i].name, c[class].name) == 0)
			return true;
	return false;
}

/* Ignores further events of the class. */
static void
let_pass(struct emu *emu)
{
	struct binding *b = ARENA_NEW(emu->arena, struct binding);

	*b = *emu->binding;
	b->idle = true;
	emu->bound.at[emu->event->class] = b;
}

void
refuse_unknown(struct emu *emu)
{
	const char *name = emu->trace->classes.at[emu->event->class].name;
	uint64_t *said;

	if (emu->trace->by_cpu) {
		said = map_put(&emu->models_off, emu->event->class);
		if (*said == 0 && !name_was_said(emu, emu->event->class))
			emu_finding(emu, FINDING_NOTE,
				"no model knows this event: events of that "
				"name are "
				"not shown");
		*said = 1;
		let_pass(emu);
		return;
	}
	for (int i = 0; i < emu->enabled.model.n; i++)
		if (emu->enabled.model.at[i]->id == name[0]) {
			emu_finding(emu, FINDING_ERROR,
				"model %s has no such event",
				emu->enabled.model.at[i]->name);
			return;
		}
	for (const struct model *const *m = models; *m != NULL; m++)
		if ((*m)->id == name[0]) {
			not_enabled(emu, *m);
			return;
		}
	emu_finding(emu, FINDING_ERROR, DESCRIBE_UNKNOWN);
}
