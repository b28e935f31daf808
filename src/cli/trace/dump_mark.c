/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "cli/trace/dump.h"

#define REGIONS 99 /* mark type of WEFT_REGION_TYPE */

enum { VALUE_ARG, TYPE_ARG };

const char *
dump_mark_verb(const char *name)
{
	static const char *const verbs[][2] = { { "OM[", "enters" },
		{ "OM]", "leaves" }, { "OM=", "sets" } };

	for (int i = 0; i < 3; i++)
		if (strcmp(verbs[i][0], name) == 0)
			return verbs[i][1];
	return NULL;
}

static const struct trace_mark *
mark_of(const struct trace *t, int64_t type, uint32_t stream)
{
	for (int i = 0; i < t->marks.n; i++) {
		const struct trace_mark *m = &t->marks.at[i];

		if (m->type == type &&
			(m->stream_end == 0 ||
				((int)stream >= m->stream &&
					(int)stream < m->stream_end)))
			return m;
	}
	return NULL;
}

static const char *
label_of(const struct trace_mark *m, int64_t value)
{
	for (int i = 0; i < m->labels.n; i++)
		if (m->labels.at[i].value == value)
			return m->labels.at[i].text;
	return NULL;
}

int64_t
dump_mark(const struct dump *d, const struct event *ev,
	const struct dump_kind *kind, char *to, size_t room)
{
	const struct binding *b = kind->is->binding;
	const struct trace_mark *m;
	const char *label;
	int64_t value;

	if (kind->mark == NULL || !bind_has(b, ev, TYPE_ARG))
		return -1;
	value = bind_i64(b, ev, VALUE_ARG);
	m = mark_of(d->trace, bind_i64(b, ev, TYPE_ARG), ev->stream);
	label = m == NULL ? NULL : label_of(m, value);
	if (m == NULL)
		return -1;
	if (m->type == REGIONS && label != NULL)
		return snprintf(
			to, room, "%s region \"%s\"", kind->mark, label);
	if (label != NULL)
		return snprintf(to, room, "%s \"%s\" of mark \"%s\"",
			kind->mark, label, m->title);
	return snprintf(to, room, "%s %lld of mark \"%s\"", kind->mark,
		(long long)value, m->title);
}
