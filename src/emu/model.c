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

/* Returns label i of all tables, if it is in this table; i is reduced by the
 * size of each table passed. */
static bool
label_at(const struct model *m, int i, struct label_def *out)
{
	if (i < m->nspans) {
		const struct span_def *d = &m->spans[i];

		*out = (struct label_def){ d->chan, d->value, d->means,
			d->label };
		return true;
	}
	i -= m->nspans;
	if (i < m->nsets) {
		const struct set_def *d = &m->sets[i];

		*out = (struct label_def){ d->chan, d->value, d->means,
			d->label };
		return true;
	}
	i -= m->nsets;
	if (i < m->nrows) {
		const struct model_row *d = &m->rows[i];

		*out = (struct label_def){ d->chan, d->value, d->means,
			d->label };
		return d->label != NULL;
	}
	i -= m->nrows;
	if (i < m->npoints) {
		const struct punctual_def *d = &m->points[i];

		*out = (struct label_def){ d->chan, d->value, d->means,
			d->label };
		return true;
	}
	*out = m->labels[i - m->npoints];
	return true;
}

bool
model_next_label(const struct model *m, int *pos, struct label_def *out)
{
	int n = m->nspans + m->nsets + m->nrows + m->npoints + m->nlabels;

	while (*pos < n) {
		if (!label_at(m, (*pos)++, out))
			continue;
		if (out->means == MEANS_UNSAID)
			out->means = m->chans[out->chan].means;
		return true;
	}
	return false;
}

const char *
model_label(const struct model *m, int chan, int64_t value)
{
	struct label_def l;

	if (value == VALUE_NONE)
		return m->chans[chan].none;
	for (int pos = 0; model_next_label(m, &pos, &l);)
		if (l.chan == chan && l.value == value)
			return l.label;
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

const char *
model_plain(const struct model *m, const char *event, const char *says,
	char *to, int room)
{
	static const char ceases[] = "ceases ";
	size_t n = sizeof ceases - 1;

	for (int i = 0; i < m->nplains; i++)
		if (strcmp(m->plains[i].event, event) == 0)
			return m->plains[i].says;
	if (strncmp(says, ceases, n) != 0)
		return says;
	snprintf(to, (size_t)room, "ends %s", says + n);
	return to;
}
