/* SPDX-License-Identifier: MIT */
#include "emu/model.h"

#include <stdio.h>
#include <string.h>

const struct model *
model_find(const char *name)
{
	for (const struct model *const *m = models; *m != NULL; m++)
		if (strcmp((*m)->name, name) == 0)
			return *m;
	return NULL;
}

const char *
model_label(const struct model *m, int chan, int64_t value)
{
	if (value == VALUE_NONE)
		return m->chans[chan].none;
	for (int i = 0; i < m->nspans; i++)
		if (m->spans[i].chan == chan && m->spans[i].value == value)
			return m->spans[i].label;
	for (int i = 0; i < m->nsets; i++)
		if (m->sets[i].chan == chan && m->sets[i].value == value)
			return m->sets[i].label;
	for (int i = 0; i < m->nlabels; i++)
		if (m->labels[i].chan == chan && m->labels[i].value == value)
			return m->labels[i].label;
	return NULL;
}

const char *
model_span_end(const char *says, char *to, int room)
{
	static const char *const verb[][2] = {
		{ "begins ", "ceases " },
		{ "enters ", "leaves " },
		{ "starts ", "stops  " },
	};

	for (size_t i = 0; i < sizeof verb / sizeof verb[0]; i++) {
		size_t n = strlen(verb[i][0]);

		if (strncmp(says, verb[i][0], n) != 0)
			continue;
		snprintf(to, (size_t)room, "%s%s", verb[i][1], says + n);
		return to;
	}
	snprintf(to, (size_t)room, "ends: %s", says);
	return to;
}
