/* SPDX-License-Identifier: MIT */
/*
 * wait.c - what threads of any program wait for, as libweft-collect.so records
 * it: the kind of wait, the object and the source line.
 *
 * Objects and lines are numbers of the process; definitions, which precede
 * their first use, give them labels. A hand-over (an unlock with waiters, a
 * signal, a post) has no state: it is the source end of the link to the thread
 * whose wait it ends. Each object keeps its last hand-over only.
 */
#include <inttypes.h>

#include "base/arena.h"
#include "emu/change.h"
#include "emu/models/models.h"
#include "emu/models/wait_link.h"
#include "emu/models/wait_names.h"
#include "emu/models/wait_owner.h"
#include "emu/models/wait_region.h"
#include "emu/say.h"
#include "emu/state.h"
#include "export/sink.h"
#include "export/wait_values.h"

/* What the first argument of an event that begins a wait is. */
enum { A_LOCK, A_THREAD, A_PROCESS, A_FILE, A_TIME, NOTHING, A_TURN };

/* The result in the event that ends a wait: the wait was successful. */
enum { DONE = 0 };

enum { READ_LOCK = 2 }; /* value of WAIT */

/* A runtime may say that a thread is paused while it waits, so the waits are
 * shown in each state of the thread. */
/* clang-format off */
static const struct chan_def chans[] = {
	[WAIT] = {
		.key = "wait", .title = "Wait", .none = "Computing",
		.none_means = MEANS_TASK, .means = MEANS_SYNC,
		.number = 60, .kind = CHAN_STACK, .dup = true,
		.thread = TRACK_ALIVE, .emission = SKIPDUPNULL },
	[OBJECT] = {
		.key = "object", .title = "Object of the wait", .none = "Nothing",
		.means = MEANS_SYNC, .number = 61, .kind = CHAN_STACK, .dup = true,
		.thread = TRACK_ALIVE, .emission = SKIPDUPNULL },
	[LINE] = {
		.key = "line", .title = "Source line of the wait", .none = "Nowhere",
		.means = MEANS_SYNC, .number = 62, .kind = CHAN_STACK, .dup = true,
		.thread = TRACK_ALIVE, .emission = SKIPDUPNULL },
	[REGION] = {
		.key = "region", .title = "OpenMP region", .none = "No region",
		.means = MEANS_TASK, .number = 63, .kind = CHAN_STACK, .dup = true,
		.thread = TRACK_ALIVE, .emission = SKIPDUPNULL },
	[REASON] = {
		.key = "reason", .title = "State in the kernel", .none = "Not known",
		.number = 64, .dup = true,
		.thread = TRACK_ALIVE, .emission = SKIPDUPNULL },
	[SHORT] = {
		.key = "short", .title = "Time in calls too short to be recorded",
		.unit = "ns", .shows = TYPE_NUMBER, .number = 68, .dup = true,
		.thread = TRACK_ALIVE, .emission = SKIPDUPNULL },
	[PLACE] = {
		.key = "place", .title = "Source line of the last OpenMP wait in the region",
		.none = "None yet", .means = MEANS_TASK, .number = 69, .dup = true,
		.thread = TRACK_ALIVE, .emission = SKIPDUPNULL },
};

static const struct label_def labels[] = {
	{ WAIT,  1, MEANS_LOCK, "Mutex" },
	{ WAIT,  2, MEANS_LOCK, "Read lock" },
	{ WAIT,  3, MEANS_LOCK, "Write lock" },
	{ WAIT,  4, MEANS_LOCK, "Spin lock" },
	{ WAIT,  5, MEANS_LOCK, "OpenMP lock" },
	{ WAIT,  6, MEANS_SYNC, "Condition" },
	{ WAIT,  7, MEANS_SYNC, "Barrier" },
	{ WAIT,  8, MEANS_SYNC, "Semaphore" },
	{ WAIT, WAIT_JOIN, MEANS_SYNC, "Join" },
	{ WAIT, 10, MEANS_SYNC, "Once" },
	{ WAIT, 11, MEANS_SYNC, "Futex" },
	{ WAIT, WAIT_CHILD, MEANS_SYNC, "Child process" },
	{ WAIT, 13, MEANS_SLEEP, "Sleep" },
	{ WAIT, 14, MEANS_SLEEP, "Signal" },
	{ WAIT, 20, MEANS_IO, "Read" },
	{ WAIT, 21, MEANS_IO, "Write" },
	{ WAIT, 22, MEANS_IO, "Open" },
	{ WAIT, 23, MEANS_IO, "Close" },
	{ WAIT, 24, MEANS_IO, "Sync" },
	{ WAIT, 25, MEANS_IO, "File lock" },
	{ WAIT, 26, MEANS_IO, "Other I/O" },
	{ WAIT, 30, MEANS_IO, "Receive" },
	{ WAIT, 31, MEANS_IO, "Send" },
	{ WAIT, 32, MEANS_IO, "Accept" },
	{ WAIT, 33, MEANS_IO, "Connect" },
	{ WAIT, 34, MEANS_IO, "Poll" },
	{ WAIT, WAIT_ORDERED, MEANS_SYNC, "OpenMP ordered" },
	{ WAIT, WAIT_DOACROSS, MEANS_SYNC, "OpenMP doacross" },
	{ WAIT, WAIT_IDLE, MEANS_IDLE, "Idle: no parallel region" },
	{ WAIT, WAIT_REDUCTION, MEANS_SYNC, "OpenMP reduction" },
	{ REASON, REASON_RUNS, MEANS_TASK,  "Running" },
	{ REASON, REASON_PREEMPTED, MEANS_READY, "Ready: preempted" },
	{ REASON, REASON_WOKEN, MEANS_READY, "Ready: woken" },
	{ REASON, REASON_BLOCKED, MEANS_SYNC,  "Blocked" },
	{ REASON, REASON_DISK, MEANS_IO,    "Blocked: disk" },
	{ REASON, REASON_STOPPED, MEANS_IDLE,  "Stopped" },
};

/* The waits, in the order of the first rows of `events`. The last argument of
 * the event that begins the wait is the line. */
static const struct wait_def {
	int64_t value;
	int line; /* index of the argument that holds the line */
	int of;   /* A_LOCK...: what the first argument is */
	int link; /* kind of the link that ends the wait; 0: none */
} waits[] = {
	{  1, 2, A_LOCK, LINK_LOCK },
	{  2, 2, A_LOCK, LINK_LOCK },
	{  3, 2, A_LOCK, LINK_LOCK },
	{  4, 1, A_LOCK, LINK_LOCK },
	{  5, 2, A_LOCK, LINK_LOCK },
	{  6, 2, A_LOCK, LINK_CONDITION },
	{  7, 2, A_LOCK, LINK_BARRIER },
	{  8, 1, A_LOCK, LINK_SEMAPHORE },
	{ WAIT_JOIN, 1, A_THREAD, LINK_END },
	{ 10, 1, A_LOCK, 0 },
	{ 11, 1, A_LOCK, LINK_FUTEX },
	{ WAIT_CHILD, 1, A_PROCESS, 0 },
	{ 13, 1, A_TIME, 0 },
	{ 14, 0, NOTHING, 0 },
	{ 20, 1, A_FILE, 0 },
	{ 21, 1, A_FILE, 0 },
	{ 22, 1, A_FILE, 0 },
	{ 23, 1, A_FILE, 0 },
	{ 24, 1, A_FILE, 0 },
	{ 25, 1, A_FILE, 0 },
	{ 26, 1, A_FILE, 0 },
	{ 30, 1, A_FILE, 0 },
	{ 31, 1, A_FILE, 0 },
	{ 32, 1, A_FILE, 0 },
	{ 33, 1, A_FILE, 0 },
	{ 34, 1, A_FILE, 0 },
	{ WAIT_ORDERED, 0, A_TURN, 0 },
	{ WAIT_DOACROSS, 0, A_TURN, 0 },
	{ WAIT_REDUCTION, 0, A_TURN, 0 },
};

static event_fn enter, leave, hand_over, made, woken, set_reason;

static const struct event_def events[] = {
	{ "WMm(u32 lock, i32 owner, u32 site)",
	  "begins waiting for mutex %lock of thread %owner at line %site", enter, 0 },
	{ "WMM(u32 result)", "ceases waiting for a mutex", leave, PAYLOAD_ANY },
	{ "WMr(u32 lock, i32 owner, u32 site)",
	  "begins waiting to read under lock %lock of thread %owner at line %site",
	  enter, 0 },
	{ "WMR(u32 result)", "ceases waiting to read under a lock", leave,
	  PAYLOAD_ANY },
	{ "WMw(u32 lock, i32 owner, u32 site)",
	  "begins waiting to write under lock %lock of thread %owner at line %site",
	  enter, 0 },
	{ "WMW(u32 result)", "ceases waiting to write under a lock", leave,
	  PAYLOAD_ANY },
	{ "WMs(u32 lock, u32 site)",
	  "begins waiting for spin lock %lock at line %site", enter, 0 },
	{ "WMS(u32 result)", "ceases waiting for a spin lock", leave, PAYLOAD_ANY },
	{ "WMo(u32 lock, i32 owner, u32 site)",
	  "begins waiting for OpenMP lock %lock of thread %owner at line %site",
	  enter, 0 },
	{ "WMO(u32 result)", "ceases waiting for an OpenMP lock", leave,
	  PAYLOAD_ANY },
	{ "WCw(u32 cond, u32 mutex, u32 site)",
	  "begins waiting for condition %cond with mutex %mutex at line %site",
	  enter, 0 },
	{ "WCW(u32 result)", "ceases waiting for a condition", leave, PAYLOAD_ANY },
	{ "WBw(u32 barrier, u32 count, u32 site)",
	  "begins waiting at barrier %barrier of %count threads at line %site",
	  enter, 0 },
	{ "WBW(u32 serial)", "ceases waiting at a barrier", leave, PAYLOAD_ANY },
	{ "WSw(u32 semaphore, u32 site)",
	  "begins waiting for semaphore %semaphore at line %site", enter, 0 },
	{ "WSW(u32 result)", "ceases waiting for a semaphore", leave, PAYLOAD_ANY },
	{ "WJj(i32 tid, u32 site)",
	  "begins waiting for the end of thread %tid at line %site", enter, 0 },
	{ "WJJ(u32 result)", "ceases waiting for the end of a thread", leave,
	  PAYLOAD_ANY },
	{ "WOo(u32 once, u32 site)",
	  "begins waiting for the initialisation %once at line %site", enter, 0 },
	{ "WOO(u32 result)", "ceases waiting for an initialisation", leave,
	  PAYLOAD_ANY },
	{ "WFf(u32 futex, u32 site)",
	  "begins waiting for futex %futex at line %site", enter, 0 },
	{ "WFF(u32 error)", "ceases waiting for a futex", leave, PAYLOAD_ANY },
	{ "WPp(i32 pid, u32 site)",
	  "begins waiting for child process %pid at line %site", enter, 0 },
	{ "WPP(i64 result)", "ceases waiting for a child process, with result %result",
	  leave, PAYLOAD_ANY },
	{ "WTs(u64 ns, u32 site)", "begins sleeping %ns ns at line %site", enter,
	  0 },
	{ "WTS(i64 result)", "ceases sleeping, with result %result", leave,
	  PAYLOAD_ANY },
	{ "WTy(u32 site)", "begins waiting for a signal at line %site", enter, 0 },
	{ "WTY(i64 result)", "ceases waiting for a signal, with result %result",
	  leave, PAYLOAD_ANY },
	{ "WIr(u32 file, u32 site)", "begins reading file %file at line %site",
	  enter, 0 },
	{ "WIR(i64 result)", "ceases reading, with result %result", leave,
	  PAYLOAD_ANY },
	{ "WIw(u32 file, u32 site)", "begins writing file %file at line %site",
	  enter, 0 },
	{ "WIW(i64 result)", "ceases writing, with result %result", leave,
	  PAYLOAD_ANY },
	{ "WIo(u32 file, u32 site)", "begins opening file %file at line %site",
	  enter, 0 },
	{ "WIO(i64 result)", "ceases opening, with result %result", leave,
	  PAYLOAD_ANY },
	{ "WIc(u32 file, u32 site)", "begins closing file %file at line %site",
	  enter, 0 },
	{ "WIC(i64 result)", "ceases closing, with result %result", leave,
	  PAYLOAD_ANY },
	{ "WIs(u32 file, u32 site)", "begins synchronizing file %file at line %site",
	  enter, 0 },
	{ "WIS(i64 result)", "ceases synchronizing, with result %result", leave,
	  PAYLOAD_ANY },
	{ "WIl(u32 file, u32 site)", "begins locking file %file at line %site",
	  enter, 0 },
	{ "WIL(i64 result)", "ceases locking, with result %result", leave,
	  PAYLOAD_ANY },
	{ "WIm(u32 file, u32 site)", "begins other work on file %file at line %site",
	  enter, 0 },
	{ "WIM(i64 result)", "ceases other work, with result %result", leave,
	  PAYLOAD_ANY },
	{ "WNr(u32 file, u32 site)", "begins receiving from file %file at line %site",
	  enter, 0 },
	{ "WNR(i64 result)", "ceases receiving, with result %result", leave,
	  PAYLOAD_ANY },
	{ "WNs(u32 file, u32 site)", "begins sending to file %file at line %site",
	  enter, 0 },
	{ "WNS(i64 result)", "ceases sending, with result %result", leave,
	  PAYLOAD_ANY },
	{ "WNa(u32 file, u32 site)", "begins accepting from file %file at line %site",
	  enter, 0 },
	{ "WNA(i64 result)", "ceases accepting, with result %result", leave,
	  PAYLOAD_ANY },
	{ "WNc(u32 file, u32 site)", "begins connecting to file %file at line %site",
	  enter, 0 },
	{ "WNC(i64 result)", "ceases connecting, with result %result", leave,
	  PAYLOAD_ANY },
	{ "WNp(u32 file, u32 site)", "begins waiting for file %file at line %site",
	  enter, 0 },
	{ "WNP(i64 result)", "ceases waiting for, with result %result", leave,
	  PAYLOAD_ANY },
	{ "WGo(u32 site)",
	  "begins waiting for its turn in an ordered loop at line %site", enter, 0 },
	{ "WGO(u32 result)", "ceases waiting for its turn in an ordered loop", leave,
	  PAYLOAD_ANY },
	{ "WGd(u32 site)",
	  "begins waiting for an iteration of another thread at line %site", enter,
	  0 },
	{ "WGD(u32 result)", "ceases waiting for an iteration of another thread",
	  leave, PAYLOAD_ANY },
	{ "WGr(u32 site)", "begins waiting for a reduction at line %site", enter, 0 },
	{ "WGR(u32 result)", "ceases waiting for a reduction", leave, PAYLOAD_ANY },

	{ "WHu(u32 lock, u32 site)",
	  "unlocks %lock, which others wait for, at line %site", hand_over, 0 },
	{ "WHs(u32 cond, u32 n)",
	  "signals condition %cond to at most %n threads", hand_over, 0 },
	{ "WHp(u32 semaphore)", "posts semaphore %semaphore", hand_over, 0 },
	{ "WHf(u32 futex, u32 woken)", "wakes %woken threads at futex %futex",
	  hand_over, 0 },
	{ "WHc(i32 tid, u64 ns)", "was made by thread %tid, %ns ns before it began",
	  made, 0 },

	{ "WHk(i32 tid)", "is woken by thread %tid", woken, 0 },

	{ "WGf(u32 region, u32 site)", "begins OpenMP region %region at line %site",
	  wait_region_begin, 0 },
	{ "WGF(u32 region)", "ends OpenMP region %region", wait_region_end, 0 },
	{ "WGp(u32 region, u16 num, u16 size, u32 parent)",
	  "enters OpenMP region %region as thread %num of %size, inside region %parent",
	  wait_region_enter, 0 },
	{ "WGP(u32 region)", "leaves OpenMP region %region", wait_region_leave, 0 },
	{ "WGm(u32 site)", "enters the master section at line %site",
	  wait_masked_enter, 0 },
	{ "WGM", "leaves the master section", wait_masked_leave, 0 },

	{ "WGb(u32 site)", "waits in OpenMP at line %site from now on",
	  wait_place, 0 },

	{ "WYm+(u32 module, u64 base, u64 size, str name)",
	  "defines module %module from %#llx{base} with %size bytes: %name",
	  wait_define_module, 0 },
	{ "WYs+(u32 site, u32 module, u64 offset, u32 parent)",
	  "defines line %site of module %module at %#llx{offset} below line %parent",
	  wait_define_site, 0 },
	{ "WYl+(u32 lock, u64 address, u32 kind, u32 init_site)",
	  "defines object %lock at %#llx{address} of kind %kind from line %init_site",
	  wait_define_lock, 0 },
	{ "WYk+(u32 lock, i32 tid)",
	  "says that object %lock lies on the stack of thread %tid",
	  wait_define_stack, 0 },
	{ "WYa+(u32 lock, u32 site)",
	  "says that object %lock lies in a block allocated at line %site",
	  wait_define_block, 0 },
	{ "WYv+(u32 lock, i32 tid, u32 module, u64 offset)",
	  "says that object %lock lies at %#llx{offset} in the storage of thread %tid for module %module",
	  wait_define_local, 0 },
	{ "WYf+(u32 file, u32 kind, str name)",
	  "defines file %file of kind %kind: %name", wait_define_file, 0 },
	{ "WYn+(i32 tid, str name)", "names thread %tid: %name", wait_define_name,
	  0 },
	{ "WRs(u32 reason)", "is in state %reason of the kernel", set_reason, 0 },
	{ "WKc(u16 kind, u16 site, u32 count, u64 ns)",
	  "counts %count short calls of kind %kind at line %site, which took %ns ns",
	  wait_add_short, 0 },
};
/* clang-format on */

/* Returns the value of what a wait is for, and notes a lock or file in w. */
static int64_t
object_value(struct emu *emu, const struct wait_def *d, struct open_wait *w)
{
	switch (d->of) {
	case A_THREAD:
		return wait_text(emu, OBJECT,
			arena_printf(emu->arena, "thread %" PRId64, w->tid));
	case A_PROCESS:
		return wait_text(emu, OBJECT,
			w->tid <= 0 ? "any child process"
				    : arena_printf(emu->arena,
					      "process %" PRId64, w->tid));
	case A_TIME:
		return wait_text(emu, OBJECT, "time");
	case NOTHING:
		return wait_text(emu, OBJECT, "a signal");
	case A_TURN:
		return wait_text(emu, OBJECT, "other threads");
	default:
		break;
	}
	/* a call for several descriptors, or one that is not open */
	if (d->of == A_FILE && emu_arg_u32(emu, 0) == 0)
		return wait_text(emu, OBJECT, "several or no files");
	w->object = wait_object_at(
		emu, emu_arg_u32(emu, 0), emu_arg_u32(emu, d->line));
	return w->object->value;
}

static struct open *
open_of(struct emu *emu)
{
	uint64_t *at = map_put(&wait_state(emu)->open, emu->thread->has.row);
	struct open *o = (struct open *)(uintptr_t)*at;

	if (o == NULL) {
		o = ARENA_NEW(emu->arena, struct open);
		*at = (uint64_t)(uintptr_t)o;
	}
	/* after lost events it is not known what the thread waits for */
	if (o->ngaps != emu->thread->ngaps)
		o->wait.n = 0;
	o->ngaps = emu->thread->ngaps;
	o->thread = emu->thread;
	return o;
}

/* The rows of `events` that begin and end the waits are in the order of
 * `waits`, two for each. */
static const struct wait_def *
wait_def_of(const struct emu *emu)
{
	return &waits[emu->binding->value / 2];
}

/* When the last thread arrives, the barrier is handed to all others. */
static void
arrive(struct emu *emu, struct object *barrier, uint32_t count)
{
	if (count == 0 || ++barrier->narrived < count)
		return;
	barrier->narrived = 0;
	barrier->given = wait_moment(emu);
}

static void
enter(struct emu *emu, const struct event *ev)
{
	const struct wait_def *d = wait_def_of(emu);
	struct open *open = open_of(emu);
	struct open_wait w = { .tid = emu_arg(emu, 0), .since = emu->now };
	int64_t object = object_value(emu, d, &w);

	(void)ev;
	if (d->link == LINK_BARRIER && w.object != NULL)
		arrive(emu, w.object, emu_arg_u32(emu, 1));
	if (d->link == LINK_LOCK && w.object != NULL)
		wait_owner_seen(
			emu, w.object, d->line == 2 ? emu_arg(emu, 1) : 0);
	VEC_PUSH(&open->wait, emu->arena, w);
	emu_push(emu, wait_chan(emu, WAIT), d->value);
	emu_push(emu, wait_chan(emu, OBJECT), object);
	emu_push(emu, wait_chan(emu, LINE),
		wait_line(emu, emu_arg_u32(emu, d->line)));
}

/* Links the end of a thread to the wait for it. */
static void
link_end(struct emu *emu, int64_t tid)
{
	const struct thread *th = system_thread(emu->thread->process, tid);
	const struct shown *state;

	if (th == NULL || th->state != THREAD_DEAD)
		return;
	state = &th->core[THREAD_STATE];
	if (state->begun != 0)
		wait_link(emu,
			(struct moment){ (int64_t)state->begun - 1, th->has.row,
				ROW_NONE },
			LINK_END, tid);
}

/* Links the hand-over that ended a wait to it: the last one of the object, if
 * it came after the wait began. A thread that was successful has the lock. */
static void
end_wait(struct emu *emu, const struct wait_def *d, const struct open_wait *w)
{
	bool is_done = !bind_has(emu->binding, emu->event, 0) ||
		emu_arg_u32(emu, 0) == DONE;
	const struct moment *from;

	if (d->link == LINK_END && is_done)
		link_end(emu, w->tid);
	/* for a barrier, the result tells one thread from the others */
	if (w->object == NULL || d->link == 0 ||
		(!is_done && d->link != LINK_BARRIER))
		return;
	if (d->link == LINK_LOCK)
		wait_owner_is(emu, w->object,
			d->value == READ_LOCK ? NULL : emu->thread);
	from = &w->object->given;
	if (from->thread_row != ROW_NONE && from->time >= w->since &&
		from->thread_row != emu->thread->has.row)
		wait_link(emu, *from, d->link, w->object->value);
}

/* Pops what the channel holds. The begin of the wait may be lost. */
static void
pop(struct emu *emu, int chan)
{
	int at = wait_chan(emu, chan);
	const struct chan *ch = &emu->thread->has.chan[at];

	emu_pop(emu, at,
		ch->depth > 0 ? ch->value : wait_text(emu, chan, "unknown"));
}

static void
leave(struct emu *emu, const struct event *ev)
{
	const struct wait_def *d = wait_def_of(emu);
	int at = wait_chan(emu, WAIT);
	const struct chan *ch = &emu->thread->has.chan[at];
	struct open *open = open_of(emu);
	bool is_other = ch->depth > 0 && ch->value != d->value;

	(void)ev;
	if (ch->depth == 0 && ch->lost == CHAN_KNOWN) {
		emu_finding(emu, FINDING_NOTE,
			"this wait began before the recording");
		return;
	}
	emu_pop(emu, at, d->value);
	if (is_other)
		return; /* emu_pop() has reported it */
	pop(emu, OBJECT);
	pop(emu, LINE);
	if (open->wait.n > 0)
		end_wait(emu, d, &open->wait.at[--open->wait.n]);
}

static void
hand_over(struct emu *emu, const struct event *ev)
{
	struct object *o = wait_object(emu, emu_arg_u32(emu, 0));

	(void)ev;
	o->given = wait_moment(emu);
	wait_owner_is(emu, o, NULL);
}

/* Links the thread that made this one to its begin. */
static void
made(struct emu *emu, const struct event *ev)
{
	const struct thread *maker =
		system_thread(emu->thread->process, emu_arg(emu, 0));
	int64_t begin = emu->thread->since[TRACK_ALIVE], from;

	(void)ev;
	if (__builtin_sub_overflow(begin, (uint64_t)emu_arg(emu, 1), &from))
		return;
	if (maker != NULL && maker->has.row != ROW_NONE && from >= 0 &&
		maker->has.row != emu->thread->has.row)
		wait_link_between(emu, from, maker->has.row, begin, emu->thread,
			LINK_MADE);
}

/* Links the thread that woke this one, which goes on when it gets a CPU. */
static void
woken(struct emu *emu, const struct event *ev)
{
	const struct thread *waker =
		system_thread(emu->thread->process, emu_arg(emu, 0));

	(void)ev;
	if (waker != NULL && waker->has.row != ROW_NONE &&
		waker->has.row != emu->thread->has.row)
		wait_link(emu,
			(struct moment){ emu->now, waker->has.row,
				waker->cpu == NULL ? ROW_NONE
						   : waker->cpu->row },
			LINK_WOKEN, waker->tid);
}

static void
set_reason(struct emu *emu, const struct event *ev)
{
	uint32_t reason = emu_arg_u32(emu, 0);

	(void)ev;
	if (reason >= REASON_RUNS && reason <= REASON_STOPPED)
		emu_set(emu, wait_chan(emu, REASON), reason);
	else
		emu_finding(emu, FINDING_ERROR,
			"%u is no state of the kernel: 1 to 6", reason);
}

const struct model model_wait = {
	.id = 'W',
	.name = "wait",
	.version = "1.0.0",
	.is_new = true,
	.brief = "what threads of any program wait for, and who ended the wait",
	.need = NEED_ALIVE,
	MODEL_ROWS(chans),
	MODEL_ROWS(events),
	MODEL_ROWS(labels),
	.end = wait_tell_owners,
	.fini = wait_fini,
};
