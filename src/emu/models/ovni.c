/* SPDX-License-Identifier: MIT */
/*
 * ovni.c - the core model: states and CPUs of threads, flushes of the event
 * buffer, and marks of users.
 */
#include "emu/burst.h"
#include "emu/flush.h"
#include "emu/mark.h"
#include "emu/models/models.h"
#include "emu/thread.h"

enum { FLUSH };

/* clang-format off */
static const struct chan_def chans[] = {
	[FLUSH] = {
		.key = "flush", .title = "Flushing ovni buffer",
		.number = 7, .kind = CHAN_STACK,
		.thread = TRACK_NONE },
};

static const struct event_def events[] = {
	{ "OF[", "begins flushing the buffer", flush_begin, 0 },
	{ "OF]", "ceases flushing the buffer", flush_end, 0 },
	{ "OHx(i32 cpu, i32 tid, u64 tag)",
	  "begins the execution on CPU %cpu created from %tid with tag %#llx{tag}",
	  thread_execute, PAYLOAD_FIRST },
	{ "OHe", "ends the execution", thread_end, 0 },
	{ "OHp", "pauses the execution", thread_pause, 0 },
	{ "OHr", "resumes the execution", thread_resume, 0 },
	{ "OHc", "enters the Cooling state (about to be paused)", thread_cool, 0 },
	{ "OHw", "enters the Warming state (about to be running)", thread_warm, 0 },
	{ "OHC(i32 cpu, u64 tag)",
	  "creates a new thread on CPU %cpu with tag %#llx{tag}", NULL, 0 },
	{ "OAs(i32 cpu)", "switches its own affinity to the CPU %cpu",
	  thread_move_self, PAYLOAD_EXACT },
	{ "OAr(i32 cpu, i32 tid)",
	  "changes the affinity of thread %tid to CPU %cpu",
	  thread_move_other, PAYLOAD_EXACT },
	{ "OB?", "emits a burst event to measure latency", burst_probe, 0 },
	{ "OCn(i32 cpu)", "informs of %cpu CPUs (obsolete)", thread_obsolete,
	  PAYLOAD_ANY },
	{ "OU?", "bounds a region of unsorted events", NULL, 0 },
	{ "OM[(i64 value, i32 type)",
	  "pushes mark with value %value from type %type",
	  mark_push, PAYLOAD_EXACT },
	{ "OM](i64 value, i32 type)",
	  "pops mark with value %value from type %type",
	  mark_pop, PAYLOAD_EXACT },
	{ "OM=(i64 value, i32 type)",
	  "sets mark with value %value from type %type",
	  mark_set, PAYLOAD_EXACT },
};
static const struct infer_def infers[] = {
	{ INFER_BEGIN, "OHx" },
	{ INFER_PAUSE, "OHp" },
	{ INFER_RESUME, "OHr" },
	{ INFER_MOVE, "OAr" },
	{ INFER_END, "OHe" },
	{ INFER_LEAVE, "OF]" },
};
static const struct label_def labels[] = {
	{ FLUSH, FLUSH_VALUE, MEANS_FLUSH, "Flushing" },
};
/* clang-format on */

static void
end(struct emu *emu)
{
	flush_report(emu);
	thread_check_ends(emu);
}

const struct model model_ovni = {
	.id = 'O',
	.name = "ovni",
	.version = "1.1.0",
	.brief = "threads, CPUs, buffer flushes, marks: always on",
	.need = NEED_ON_CPU,
	MODEL_ROWS(chans),
	MODEL_ROWS(events),
	MODEL_ROWS(infers),
	MODEL_ROWS(labels),
	.start = mark_start,
	.cut = flush_cut,
	.end = end,
};
