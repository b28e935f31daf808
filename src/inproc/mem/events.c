/* SPDX-License-Identifier: MIT */
#include "inproc/mem/events.h"

#include <stdlib.h>
#include <string.h>

static const struct kind {
	const char *name, *title;
	enum mem_event_kind kind;
} kinds[] = {
	{ "datacentric", "DATACENTRIC", MEM_EVENT_DATA },
	{ "faults", "FAULTS", MEM_EVENT_FAULT },
	{ "time", "TIME", MEM_EVENT_TIME },
};

struct events events;

static void
add(const struct kind *k, uint64_t period)
{
	if (period > 0 && events.n < EVENTS_MAX && events_find(k->kind) == NULL)
		events.event[events.n++] = (struct event){ .kind = k->kind,
			.period = period,
			.real = period,
			.name = k->title };
}

void
events_parse(const char *text)
{
	events.n = 0;
	while (text != NULL && *text != '\0') {
		size_t n = strcspn(text, "=,");
		char *end = NULL;
		uint64_t period =
			text[n] == '=' ? strtoull(text + n + 1, &end, 10) : 0;

		for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
			if (strlen(kinds[i].name) == n &&
				memcmp(kinds[i].name, text, n) == 0)
				add(&kinds[i], period);
		text += strcspn(text, ",");
		text += *text == ',';
	}
}

void
events_forked(void)
{
	for (int i = 0; i < events.n; i++) {
		struct event *e = &events.event[i];

		e->source = MEM_SOURCE_NONE;
		e->error = 0;
		e->real = e->period;
	}
}

bool
events_are_exact(void)
{
	const struct event *e = events_find(MEM_EVENT_FAULT);

	return e != NULL && e->period == 1;
}

struct event *
events_find(enum mem_event_kind kind)
{
	for (int i = 0; i < events.n; i++)
		if (events.event[i].kind == kind)
			return &events.event[i];
	return NULL;
}

void
events_write(struct outbuf *o)
{
	for (int i = 0; i < events.n; i++) {
		const struct event *e = &events.event[i];
		struct mem_event r = { .event = (uint32_t)i,
			.kind = e->kind,
			.source = e->source,
			.error = (uint32_t)e->error,
			.period = e->period,
			.real = e->real };

		strncpy(r.name, e->name, sizeof(r.name) - 1);
		OUT_ADD(o, MEM_EVENT, r);
	}
}
