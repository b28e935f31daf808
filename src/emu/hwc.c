/* SPDX-License-Identifier: MIT */
#include "emu/hwc.h"

#include <string.h>

#include "base/arena.h"
#include "emu/change.h"
#include "emu/say.h"
#include "emu/state.h"

static void
complain(const struct emu *emu, const struct trace_counters *c,
	const char *text, const char *other)
{
	finding_add(emu->findings,
		(struct finding){ .severity = FINDING_ERROR,
			.file = c->file,
			.key = arena_printf(emu->arena, "%s.hwc", c->model),
			.offset = FINDING_NOWHERE,
			.time = FINDING_NEVER },
		"%s%s", text, other);
}

static bool
is_same(const struct trace_counters *a, const struct trace_counters *b)
{
	if (a->n != b->n)
		return false;
	for (int i = 0; i < a->n; i++)
		if (strcmp(a->name[i], b->name[i]) != 0)
			return false;
	return true;
}

/* Returns the trace's declaration of the model's hardware counters, or NULL.
 * Adds a finding for each declaration that is wrong or differs from it. */
static const struct trace_counters *
find_declared(const struct emu *emu, const struct model *m)
{
	const struct trace_counters *first = NULL;

	for (int i = 0; i < emu->trace->counters.n; i++) {
		const struct trace_counters *c = &emu->trace->counters.at[i];

		if (strcmp(c->model, m->name) != 0)
			continue;
		if (c->wrong != NULL)
			complain(emu, c, c->wrong, "");
		else if (c->n > 0 && first == NULL)
			first = c;
		else if (c->n > 0 && !is_same(first, c))
			complain(emu, c,
				"the hardware counters differ from those in ",
				first->file);
	}
	return first;
}

static void
add_chan(struct emu *emu, const struct model *m, const char *name, int i)
{
	struct chan_def *def = ARENA_NEW(emu->arena, struct chan_def);

	*def = (struct chan_def){
		.key = arena_printf(emu->arena, "hwc-%s", name),
		.title = name,
		.number = m->hwc_from + i,
		.shows = TYPE_NUMBER,
		.thread = TRACK_ACTIVE,
		.emission = SKIPDUPNULL,
		.dup = true,
		.plain = true,
		.before = true,
	};
	emu_add_chan(emu, def, m, -1);
}

void
hwc_add_chans(struct emu *emu, const struct model *m)
{
	const struct trace_counters *c =
		m->hwc_from != 0 ? find_declared(emu, m) : NULL;
	struct emu_hwc of = { emu->chans.n, c == NULL ? 0 : c->n };

	for (int i = 0; i < of.n; i++)
		add_chan(emu, m, c->name[i], i);
	VEC_PUSH(&emu->hwc, emu->arena, of);
}

void
hwc_set(struct emu *emu, const struct event *ev)
{
	const struct event_class *class = &emu->trace->classes.at[ev->class];
	const struct emu_hwc *of = &emu->hwc.at[emu->binding->slot];
	int n = ev->value != NULL ? class->nfields
				  : (int)(ev->size / sizeof(int64_t));
	bool whole = ev->value != NULL || ev->size % sizeof(int64_t) == 0;
	int64_t value;

	if (of->n == 0) {
		emu_finding(emu, FINDING_ERROR,
			"no hardware counter is declared in any stream.json");
		return;
	}
	if (n != of->n || !whole) {
		emu_finding(emu, FINDING_ERROR,
			"%d values of hardware counters, not %d", n, of->n);
		return;
	}
	for (int i = 0; i < n; i++) {
		if (ev->value != NULL)
			value = ev->value[i].i;
		else
			memcpy(&value, ev->data + i * 8, sizeof value);
		emu_set(emu, of->first + i, value);
	}
}
