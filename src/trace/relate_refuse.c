/* SPDX-License-Identifier: MIT */
#include "trace/relate_refuse.h"

#include <string.h>

#include "base/err.h"
#include "base/wrap.h"
#include "trace/trace.h"

static bool
is_perfs_own(const struct relate_side *in)
{
	return strcmp(in->trace->format, "perf") == 0 && in->is_virtual;
}

/* Returns CLOCK_MONOTONIC at the start of a trace that may not tell of which
 * machine; TRACE_UNKNOWN. Nanos6 tells when its times began on that clock. */
static int64_t
find_monotonic(const struct trace *t)
{
	for (int i = 0; i < t->parts.n && t->start != TRACE_UNKNOWN; i++) {
		const struct trace_env *begin = trace_env(
					       t->parts.at[i], "start_ts"),
				       *added = trace_env(t->parts.at[i],
					       "time_correction");

		if (begin != NULL && added != NULL)
			return wrap_plus(wrap_minus(t->start, added->number),
				begin->number);
	}
	return t->start_monotonic;
}

/* Proposes the relation that is right if both inputs are of one machine.
 * Returns false if that is not known. */
static bool
propose(const struct relate_side *first, const struct relate_side *in,
	struct err *err)
{
	int64_t a = find_monotonic(first->trace), b = find_monotonic(in->trace),
		shift = wrap_minus(b, a);

	if (a == TRACE_UNKNOWN || b == TRACE_UNKNOWN)
		return false;
	err_set(err, ERR_INPUT,
		"the clocks of %s and %s are not related, because a recorder "
		"did not tell its machine: if both ran on one machine, and it "
		"was not restarted between them, give --relate '%s=%s%+lldns'; "
		"else another time, the moment of %s at which %s begins, or "
		"--side-by-side, then both begin at 0",
		first->name, in->name, in->name, first->name, (long long)shift,
		first->name, in->name);
	return true;
}

bool
relate_refuse(const struct relate_side *first, const struct relate_side *in,
	struct err *err)
{
	bool virtual = in->is_virtual;
	const struct relate_side *odd = is_perfs_own(in) ? in : first;

	if ((virtual || first->is_virtual) && propose(first, in, err))
		return false;
	if (is_perfs_own(odd))
		return err_set(err, ERR_INPUT,
			"%s has times of perf's own clock, which nothing "
			"relates to other clocks: record with perf record -k "
			"mono, or give --relate '%s=%s+TIME'",
			odd->name, in->name, first->name);
	if (virtual && first->is_virtual)
		return err_set(err, ERR_INPUT,
			"the times of %s and %s are simulated, or their "
			"recorders do not tell the clock: give --relate "
			"'%s=%s+TIME', the moment of %s at which %s begins, or "
			"--side-by-side, then both begin at 0",
			first->name, in->name, in->name, first->name,
			first->name, in->name);
	if (virtual || first->is_virtual)
		return err_set(err, ERR_INPUT,
			"the time of %s is simulated, or its recorder does not "
			"tell the clock, and that of %s is real: "
			"give --relate '%s=%s+TIME', the moment of %s at which "
			"%s begins, or --side-by-side, then both begin at 0",
			virtual ? in->name : first->name,
			virtual ? first->name : in->name, in->name, first->name,
			first->name, in->name);
	return err_set(err, ERR_INPUT,
		"the clocks of %s and %s are not related: neither a boot id, "
		"nor a common host, nor the time of day is known of both; give "
		"a table of weft sync (--clocks), or --relate '%s=%s+TIME', "
		"the "
		"moment of %s at which %s begins, or --side-by-side, then both "
		"begin at 0",
		first->name, in->name, in->name, first->name, first->name,
		in->name);
}
