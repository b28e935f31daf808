/* SPDX-License-Identifier: MIT */
#include "cli/trace/proposals.h"

#include "base/arena.h"
#include "emu/model.h"
#include "emu/models/models.h"
#include "emu/view.h"
#include "export/sinks.h"

static const char *
add(struct arena *a, const char *list, const char *model, const char *word)
{
	return arena_printf(a, "%s%s%s%s%s", list, *list == '\0' ? "" : ",",
		model, *model == '\0' ? "" : ".", word);
}

const char *
propose_models(struct arena *a)
{
	const char *list = "";

	for (const struct model *const *m = models; *m != NULL; m++)
		list = add(a, list, "", (*m)->name);
	return list;
}

const char *
propose_types(struct arena *a)
{
	const char *list = "";

	for (int i = 0; i < THREAD_CORE; i++)
		list = add(a, list, "", view_core_thread[i].key);
	for (int i = 0; i < CPU_CORE; i++)
		list = add(a, list, "", view_core_cpu[i].key);
	for (const struct model *const *m = models; *m != NULL; m++)
		for (int i = 0; i < (*m)->nchans; i++)
			list = add(a, list, (*m)->name, (*m)->chans[i].key);
	return list;
}

const char *
propose_views(struct arena *a)
{
	const char *list = propose_types(a);

	for (const struct model *const *m = models; *m != NULL; m++)
		for (int i = 0; i < (*m)->npanels; i++)
			list = add(a, list, (*m)->name, (*m)->panels[i].key);
	return list;
}

const char *
propose_formats(struct arena *a)
{
	const char *list = "";

	for (int i = 0; sinks[i] != NULL; i++)
		list = add(a, list, "", sinks[i]->name);
	return list;
}
