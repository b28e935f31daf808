/* SPDX-License-Identifier: MIT */
#include <stdarg.h>

#include "sim/engine.h"

#define KEPT 100 /* texts; more are counted */

static int
record(struct weft_sim_engine *e, enum weft_sim_fault kind, const char *fmt,
	va_list ap)
{
	char text[512];

	sim_take_turn(e);
	e->faults[kind]++;
	e->faults[WEFT_SIM_OK]++;
	if (e->fault_texts.n >= KEPT && e->setup.fault == NULL)
		return (int)kind;
	vsnprintf(text, sizeof text, fmt, ap);
	if (e->fault_texts.n < KEPT)
		VEC_PUSH(&e->fault_texts, &e->arena,
			(const char *)arena_strdup(&e->arena, text));
	if (e->setup.fault != NULL)
		e->setup.fault(e->setup.arg, kind, text);
	return (int)kind;
}

int
sim_fault(struct weft_sim_engine *e, enum weft_sim_fault kind, const char *fmt,
	...)
{
	va_list ap;
	int fault;

	va_start(ap, fmt);
	fault = record(e, kind, fmt, ap);
	va_end(ap);
	return fault;
}

int
weft_sim_report(struct weft_sim_domain *d, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return sim_fault(d->engine, WEFT_SIM_OTHER, "%s: %s", d->name, text);
}

uint64_t
weft_sim_faults(const struct weft_sim_engine *e, enum weft_sim_fault kind)
{
	return (unsigned)kind < WEFT_SIM_NFAULTS ? e->faults[kind] : 0;
}

const char *
weft_sim_fault_text(const struct weft_sim_engine *e, size_t i)
{
	return i < (size_t)e->fault_texts.n ? e->fault_texts.at[i] : NULL;
}
