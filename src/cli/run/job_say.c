/* SPDX-License-Identifier: MIT */
/*
 * job_say.c - the lines at the end of weft run.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "cli/run/collect.h"
#include "cli/run/job.h"
#include "cli/run/room.h"
#include "cli/shell.h"
#include "cli/trace/causes.h"

/* Traces for which commands are proposed; the largest causes of waits; events
 * of a trace that is read for them. */
enum { LOOK_MAX = 4, CAUSES_MOST = 3, CAUSES_EVENTS = 50000000 };

static void
say_no_events(struct run_job *j)
{
	const char *events = getenv("WEFT_EVENTS");

	if (launch_not_found(&j->launch))
		return;
	if (j->full != NULL) {
		log_warning("%s: the disk is full: no event of the program was "
			    "recorded (a warning above says how many were "
			    "lost); %s",
			j->full, room_full_advice(&j->arena, j->full));
		return;
	}
	if (j->is_refused)
		log_warning("where the threads ran was not recorded: "
			    "WEFT_FULL=overwrite does not work for context "
			    "switches; unset it, or use WEFT_MAX_MB instead");
	if (j->memory.others != NULL && strcmp(j->memory.others, "none") == 0)
		log_note("this program emitted no events: -e none switches "
			 "them off");
	else if (j->memory.others != NULL)
		log_warning("-e %s: this program emitted no such events; "
			    "without -e all events are recorded; for memory "
			    "use datacentric, faults or time",
			j->memory.others);
	else if (events != NULL && strcmp(events, "none") == 0)
		log_note("this program emitted no events: WEFT_EVENTS=none "
			 "switches them off");
	else if (collect_is_any(&j->arena, j->collect)) {
		if (j->how == HOW_OFF)
			log_note("this program emitted no events, and its "
				 "threads waited for nothing");
	} else if (!j->is_usual)
		log_note("this program emitted no events of its own, and "
			 "--collect %s leaves out what its threads wait for",
			j->collect);
	else
		log_note("this program emitted no events: it is not linked "
			 "with libovni, or does not call it; 'weft help run' "
			 "shows the three lines it needs");
}

/* Reports the record of where threads ran, for a program without events. */
static void
say_seen(const struct run_job *j, const struct recorded *r)
{
	log_done("recorded where %d thread%s of %d process%s ran: %s",
		r->threads, text_plural((unsigned)r->threads), r->processes,
		r->processes == 1 ? "" : "es",
		j->how == HOW_PROC    ? "100 samples a second"
			: r->lost > 0 ? "most context switches"
				      : "every context switch");
	log_done("%" PRIu64 " event%s, %" PRIu64 " lost, %.3f MB", r->events,
		text_plural(r->events), r->lost, (double)r->bytes / 1e6);
	if (j->why != 0)
		log_note("the kernel does not report context switches: %s; "
			 "/proc/sys/kernel/perf_event_paranoid must be 2 or "
			 "less, and the container must allow perf_event_open",
			strerror(j->why));
	if (j->cut > 0)
		log_warning("%" PRIu64
			    " context switch%s came after WEFT_MAX_MB=%s was "
			    "reached: a larger limit keeps them",
			j->cut, j->cut == 1 ? "" : "es", getenv("WEFT_MAX_MB"));
	else if (r->lost > 0)
		log_warning("%" PRIu64
			    " context switch%s lost because weft run was too "
			    "slow: leave it a CPU of its own (taskset)",
			r->lost, r->lost == 1 ? " was" : "es were");
}

void
job_say_unsaid(const struct run_job *j)
{
	for (int i = 0; !log_is_quiet() && i < j->unsaid.line.n; i++)
		log_warning("%s", j->unsaid.line.at[i]);
}

void
job_say_others(const struct run_job *j)
{
	if (j->others != NULL)
		log_note("%s of programs that it started: %s",
			j->how == HOW_OFF
				? "nothing is recorded"
				: "only where threads ran is recorded",
			j->others);
}

bool
job_say_memory(struct run_job *j, const char *weft, bool has_events)
{
	if (j->memory.n > 0)
		return measure_say(&j->memory, weft, j->output);
	if (!has_events)
		say_no_events(j);
	return false;
}

/* Names the second trace, of where the threads ran. */
static void
say_both(struct run_job *j, const char *weft)
{
	const char *seen = shell_word(
		&j->arena, arena_printf(&j->arena, "%s/threads", j->output));
	const char *own = shell_word(&j->arena,
		arena_printf(&j->arena, "%s/%s", j->output, j->traces.at[0]));

	log_done("where the threads ran: %s view %s %s", weft, own, seen);
	if (j->cut > 0 || j->watch.lost > 0)
		log_warning("context switches were lost: 'weft check %s' says "
			    "how many",
			seen);
}

static void
say_look(struct run_job *j, const char *weft)
{
	for (int i = 0; i < j->traces.n && i < LOOK_MAX; i++) {
		const char *at = shell_word(&j->arena,
			arena_printf(&j->arena, "%s/%s", j->output,
				j->traces.at[i]));

		log_done("%s %s view %s",
			i == 0 ? "look at it:" : "    and at:", weft, at);
		log_done("            %s stat %s", weft, at);
		log_done("            %s emu %s", weft, at);
	}
	if (j->has_both)
		say_both(j, weft);
	if (j->traces.n > LOOK_MAX)
		log_done("%d more traces are in %s", j->traces.n - LOOK_MAX,
			j->output);
}

/* Says where the time of the threads went, in the first trace. A trace of more
 * events is left to weft stat: the program has ended, and the user waits. */
static void
say_causes(struct run_job *j, const struct recorded *r, const char *weft)
{
	const char *trace =
		arena_printf(&j->arena, "%s/%s", j->output, j->traces.at[0]);

	if (log_is_quiet() || !collect_is_any(&j->arena, j->collect))
		return;
	if (!j->adds_kernel)
		log_note("--collect %s: compute is all time that these "
			 "collectors do not tell; kernel tells when threads "
			 "were blocked or ready",
			j->collect);
	if (r->events <= CAUSES_EVENTS)
		causes_of(trace, CAUSES_MOST, log_done);
	else
		log_done("why threads waited: %s stat --causes %s", weft,
			shell_word(&j->arena, trace));
}

void
job_say_recorded(
	struct run_job *j, const struct recorded *r, bool own, const char *weft)
{
	if (own)
		recorded_say(&j->arena, r, j->full,
			j->unsaid.line.n > 0 && !log_is_quiet());
	else
		say_seen(j, r);
	if (own && j->has_samples && j->why != 0)
		log_note("the kernel does not report context switches (%s); "
			 "when threads were ready to run, but had no CPU, is "
			 "known from 100 samples a second",
			strerror(j->why));
	if (own && j->adds_kernel && j->how == HOW_OFF)
		log_note("--threads off: when threads were ready to run, but "
			 "had no CPU, is not known");
	/* samples of /proc are too few for sums */
	if (own || j->how == HOW_PERF)
		say_causes(j, r, weft);
	say_look(j, weft);
}
