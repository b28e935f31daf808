/* SPDX-License-Identifier: MIT */
#include "mem/db/profile.h"

#include <strings.h>

static const char *const kind_names[VARIABLE_KINDS] = {
	[VARIABLE_HEAP] = "heap",
	[VARIABLE_MAP] = "mmap",
	[VARIABLE_BREAK] = "sbrk",
	[VARIABLE_POOL] = "pool",
	[VARIABLE_STATIC] = "static",
	[VARIABLE_STACK] = "stack",
	[VARIABLE_LOCAL] = "local",
	[VARIABLE_ARGUMENT] = "argument",
	[VARIABLE_RETURN] = "return",
	[VARIABLE_SPILL] = "spill",
	[VARIABLE_TLS] = "tls",
	[VARIABLE_SECTION] = "section",
	[VARIABLE_SMALL] = "small",
	[VARIABLE_ANON] = "anonymous",
	[VARIABLE_FILE] = "file",
	[VARIABLE_SHARED] = "shared",
	[VARIABLE_VDSO] = "vdso",
	[VARIABLE_KERNEL] = "kernel",
	[VARIABLE_TOOL] = "tool",
	[VARIABLE_UNKNOWN] = "unknown",
	[VARIABLE_UNSURE] = "unsure",
	[VARIABLE_NONE] = "none",
};

const char *
variable_kind_name(enum variable_kind kind)
{
	return kind_names[kind];
}

const struct code_location *
profile_location(const struct profile *p, uint32_t location)
{
	return &p->symbols.location.at[location];
}

/* Orders the kinds of events by how useful they are as the default. */
static int
rank(uint32_t kind)
{
	switch (kind) {
	case MEM_EVENT_DATA:
		return 5;
	case MEM_EVENT_MEMORY:
	case MEM_EVENT_LOAD:
		return 4;
	case MEM_EVENT_STORE:
		return 3;
	case MEM_EVENT_FAULT:
		return 2;
	default:
		return 1;
	}
}

int
profile_main_event(const struct profile *p)
{
	int best = -1;

	for (int i = 0; i < p->n_events; i++)
		if (p->event[i].cost.samples > 0 &&
			(best < 0 ||
				rank(p->event[i].kind) >
					rank(p->event[best].kind)))
			best = i;
	return best;
}

int
profile_event_of(const struct profile *p, uint32_t kind)
{
	for (int i = 0; i < p->n_events; i++)
		if (p->event[i].kind == kind &&
			p->event[i].source != MEM_SOURCE_NONE)
			return i;
	return -1;
}

bool
profile_was_asked(const struct profile *p, uint32_t kind)
{
	for (int i = 0; i < p->image.n; i++)
		for (int n = 0; n < IMAGE_EVENTS; n++)
			if (p->image.at[i].event[n] != NULL &&
				p->image.at[i].event[n]->kind == kind)
				return true;
	return profile_event_of(p, kind) >= 0;
}

int
profile_find_event(const struct profile *p, const char *name)
{
	for (int i = 0; i < p->n_events; i++)
		if (strncasecmp(p->event[i].name, name, strlen(name)) == 0)
			return i;
	return -1;
}
