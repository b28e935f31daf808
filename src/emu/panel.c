/* SPDX-License-Identifier: MIT */
#include "emu/panel.h"

#include <string.h>

#include "base/arena.h"
#include "emu/core.h"
#include "emu/state.h"
#include "export/sink.h"

#define TYPE_NONE UINT32_MAX

/* A class of rows, and the owner of the channels that its rows show. */
static const struct class
{
	const char *name;
	enum chan_owner of;
} classes[] = {
	{ "thread", CHAN_OF_THREAD },
	{ "cpu", CHAN_OF_CPU },
	{ "process", CHAN_OF_PROCESS },
	{ "system", CHAN_OF_SYSTEM },
};

#define NCLASSES ((int)(sizeof classes / sizeof classes[0]))

/* Returns the core type of that key in rows of the class, or TYPE_NONE. */
static uint32_t
core_type(const struct emu *emu, enum chan_owner class, const char *key)
{
	for (int i = 0; i < THREAD_CORE && class == CHAN_OF_THREAD; i++)
		if (strcmp(view_core_thread[i].key, key) == 0)
			return emu->core_thread_type[i];
	for (int i = 0; i < CPU_CORE && class == CHAN_OF_CPU; i++)
		if (strcmp(view_core_cpu[i].key, key) == 0)
			return emu->core_cpu_type[i];
	return TYPE_NONE;
}

/* Returns the type of a channel in rows of the class, or TYPE_NONE. */
static uint32_t
chan_type(const struct emu_chan *c, enum chan_owner class)
{
	if (c->def->of == class)
		return c->thread_type;
	if (c->def->of == CHAN_OF_THREAD && class == CHAN_OF_CPU)
		return c->cpu_type;
	return TYPE_NONE;
}

/* Returns the type of a channel by its key, or by MODEL.KEY. */
static uint32_t
find_type(const struct emu *emu, enum chan_owner class, const struct model *m,
	const char *name)
{
	const char *dot = strchr(name, '.');
	const char *model = dot == NULL ? m->name : name;
	size_t n = dot == NULL ? strlen(model) : (size_t)(dot - name);

	for (int i = 0; i < emu->chans.n; i++) {
		const struct emu_chan *c = &emu->chans.at[i];

		if (strncmp(c->model->name, model, n) == 0 &&
			c->model->name[n] == '\0' &&
			strcmp(c->def->key, dot == NULL ? name : dot + 1) == 0)
			return emu->strict && c->def->punctual
				? TYPE_NONE
				: chan_type(c, class);
	}
	return core_type(emu, class, name);
}

struct types {
	VEC(uint32_t) at;
};

/* Finds the types of a panel. Returns false if rows of the class lack one. */
static bool
find_types(const struct emu *emu, enum chan_owner class, const struct model *m,
	const struct panel_def *d, struct types *to)
{
	for (int i = 0; d->names[i] != NULL; i++) {
		uint32_t type = find_type(emu, class, m, d->names[i]);

		if (type == TYPE_NONE)
			return false;
		VEC_PUSH(&to->at, emu->arena, type);
	}
	return true;
}

static bool
find_counters(const struct emu *emu, enum chan_owner class, struct types *to)
{
	for (int i = 0; i < emu->counters.n; i++) {
		const struct emu_chan *c =
			&emu->chans.at[emu->counters.at[i].chan];

		if (c->def->of == class)
			VEC_PUSH(&to->at, emu->arena, c->thread_type);
	}
	return to->at.n > 0;
}

static void
declare(struct emu *emu, const struct class *class, const struct model *m,
	const struct panel_def *d)
{
	bool counters = m->counters_in != NULL && d->names[0] != NULL &&
		strcmp(d->names[0], m->counters_in) == 0;
	struct types types = { 0 };

	if (counters ? !find_counters(emu, class->of, &types)
		     : !find_types(emu, class->of, m, d, &types))
		return;
	sink_panel(emu->sink,
		&(struct panel){ .class = class->name,
			.key = arena_printf(
				emu->arena, "%s.%s", m->name, d->key),
			.title = d->title,
			.types = types.at.at,
			.ntypes = types.at.n,
			.apart = counters });
}

void
panel_declare(struct emu *emu)
{
	for (int i = 0; i < emu->enabled.model.n; i++) {
		const struct model *m = emu->enabled.model.at[i];

		for (int j = 0; j < m->npanels; j++)
			for (int k = 0; k < NCLASSES; k++)
				declare(emu, &classes[k], m, &m->panels[j]);
	}
}
