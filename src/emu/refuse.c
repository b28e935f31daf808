/* SPDX-License-Identifier: MIT */
#include "emu/refuse.h"

#include "emu/describe.h"
#include "emu/model.h"
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

/* The events of a model that is off: said once a model. */
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

void
refuse_unknown(struct emu *emu)
{
	const char *name = emu->trace->classes.at[emu->event->class].name;
	uint64_t *said;

	if (emu->trace->by_cpu) {
		said = map_put(&emu->models_off, emu->event->class);
		if (*said == 0)
			emu_finding(emu, FINDING_NOTE,
				"no model knows it: events of that name are "
				"not shown");
		*said = 1;
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
