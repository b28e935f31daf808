/* SPDX-License-Identifier: MIT */
#include "cli/trace/known_types.h"

#include <string.h>

#include "base/arena.h"
#include "emu/core.h"
#include "emu/model.h"

/* Returns true if the title is that of the channel, alone or with an end such
 * as " of the RUNNING thread". */
static bool
has_title(const char *title, const struct chan_def *def)
{
	size_t n = strlen(def->title);

	return strncmp(title, def->title, n) == 0 &&
		(title[n] == '\0' || strncmp(title + n, " of the ", 8) == 0 ||
			strcmp(title + n, " ") == 0);
}

static bool
is_core(const struct type *core, int n, struct type *type)
{
	for (int i = 0; i < n; i++)
		if (core[i].number == type->number &&
			strcmp(core[i].title, type->title) == 0) {
			type->key = core[i].key;
			type->kind = core[i].kind;
			return true;
		}
	return false;
}

static const struct chan_def *
find_chan(const struct model *m, const struct type *type)
{
	for (int i = 0; i < m->nchans; i++)
		if (m->chans[i].number == type->number &&
			has_title(type->title, &m->chans[i]))
			return &m->chans[i];
	return NULL;
}

/* The types of a simulator's store (task/records.c). */
static const struct type of_components[] = {
	{ .key = "component.task",
		.title = "Task",
		.number = 90,
		.kind = TYPE_STATE },
	{ .key = "component.open",
		.title = "Open tasks",
		.number = 91,
		.kind = TYPE_NUMBER },
};

bool
known_type(struct arena *a, const struct model *const *all, struct type *type,
	const struct model **model)
{
	bool cpu = strcmp(type->class, "cpu") == 0;

	*model = NULL;
	if (strcmp(type->class, "component") == 0 &&
		is_core(of_components, 2, type))
		return type->kind == TYPE_NUMBER;
	if (is_core(cpu ? view_core_cpu : view_core_thread,
		    cpu ? (int)CPU_CORE : (int)THREAD_CORE, type))
		return type->number == view_core_thread[THREAD_STATE].number ||
			type->kind == TYPE_NUMBER;
	for (; *all != NULL; all++) {
		const struct chan_def *def = find_chan(*all, type);

		if (def == NULL)
			continue;
		*model = *all;
		type->key = arena_printf(a, "%s.%s", (*all)->name, def->key);
		type->kind = def->shows;
		type->unit = def->unit;
		type->none = def->none;
		type->none_means = def->none_means;
		break;
	}
	return type->kind == TYPE_NUMBER;
}

enum meaning
known_label(const struct model *model, const struct type *type, int64_t value,
	const char *text)
{
	struct label_def l;

	if (model == NULL)
		return MEANS_UNSAID;
	for (int pos = 0; model_next_label(model, &pos, &l);)
		if (l.value == value &&
			model->chans[l.chan].number == type->number &&
			strcmp(l.label, text) == 0)
			return l.means;
	return MEANS_UNSAID;
}
