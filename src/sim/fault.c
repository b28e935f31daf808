/* SPDX-License-Identifier: MIT */
#include <stdarg.h>

#include "base/tell.h"
#include "sim/engine.h"

#define KEPT 100 /* texts that are kept; further faults are only counted */

/* Counts the fault. Returns true if the text is wanted. */
static bool
count(struct weft_sim_engine *e, enum weft_sim_fault kind)
{
	sim_settle(e); /* earlier ops of the round may be faults, too */
	e->faults[kind]++;
	e->faults[WEFT_SIM_OK]++;
	return e->fault_texts.n < KEPT || e->setup.fault != NULL ||
		kind == WEFT_SIM_STORE;
}

static void
keep(struct weft_sim_engine *e, enum weft_sim_fault kind, const char *text)
{
	if (e->fault_texts.n < KEPT)
		VEC_PUSH(&e->fault_texts, &e->arena,
			(const char *)arena_strdup(&e->arena, text));
	if (e->setup.fault != NULL)
		e->setup.fault(e->setup.arg, kind, text);
	else if (kind == WEFT_SIM_STORE)
		tell_user("weft: %s", text);
}

int
sim_fault_text(
	struct weft_sim_engine *e, enum weft_sim_fault kind, const char *text)
{
	if (count(e, kind))
		keep(e, kind, text);
	return (int)kind;
}

int
sim_fault(struct weft_sim_engine *e, enum weft_sim_fault kind, const char *fmt,
	...)
{
	char text[512];
	va_list ap;

	if (!count(e, kind))
		return (int)kind;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	keep(e, kind, text);
	return (int)kind;
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
	sim_settle(sim_engine(e));
	return (unsigned)kind < WEFT_SIM_NFAULTS ? e->faults[kind] : 0;
}

const char *
weft_sim_fault_text(const struct weft_sim_engine *e, size_t i)
{
	sim_settle(sim_engine(e));
	return i < (size_t)e->fault_texts.n ? e->fault_texts.at[i] : NULL;
}
