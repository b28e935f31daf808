/* SPDX-License-Identifier: MIT */
/*
 * ompt.c - OpenMP regions, waits and tasks of the runtimes of LLVM and Intel
 * (libomp, libiomp5), which call the functions of a tool.
 *
 * The value that the runtime keeps of a region begins with its number; that of
 * an explicit task is its number, and from bit 32 on the number of the task
 * below which it runs on its thread.
 */
#include "inproc/collect/ompt.h"

#include <stddef.h>
#include <stdlib.h>

#include "inproc/collect/openmp.h"

/* Where the value of a region has the place of its construct in the code, and
 * that of an implicit task the number of its region. */
enum { SITE_SHIFT = 32, REGION_SHIFT = 32 };

/* In the value of an explicit task; its number is below 2^31. */
#define HAS_BEGUN (UINT64_C(1) << 63)

static void
parallel_begin(ompt_data_t *task, const void *frame, ompt_data_t *parallel,
	unsigned requested, int flags, const void *caller)
{
	struct omp_region made;

	(void)task;
	(void)frame;
	(void)requested;
	(void)flags;
	if (!omp_looks())
		return;
	omp_level(); /* a child of fork starts anew */
	made = omp_fork(caller);
	parallel->value = (uint64_t)made.site << SITE_SHIFT | made.number;
	omp_self.caller = caller;
}

/* Libomp 14 gives another data of the region here than at its begin, if the
 * region lies inside others of one thread. */
static void
parallel_end(
	ompt_data_t *parallel, ompt_data_t *task, int flags, const void *caller)
{
	const struct omp_level *l;

	(void)task;
	(void)flags;
	(void)caller;
	if (!omp_looks())
		return;
	l = omp_level();
	omp_join(l->is_own && omp_self.depth < OMP_LEVELS
			? l->region
			: (uint32_t)parallel->value,
		l->is_own ? omp_self.depth - 1 : omp_self.depth);
}

/* Thread 0 of a team is the thread that began the region. */
static void
implicit_task(int end, ompt_data_t *parallel, ompt_data_t *task, unsigned size,
	unsigned number, int flags)
{
	struct omp_part part;
	const struct omp_level *l;

	if ((flags & OMPT_TASK_INITIAL) != 0 || !omp_looks())
		return;
	if (end == OMPT_END) {
		if (number != 0) /* for thread 0 parallel_end() follows */
			omp_leave((uint32_t)(task->value >> REGION_SHIFT));
		return;
	}
	l = omp_level();
	task->value = (uint64_t)(uint32_t)parallel->value << REGION_SHIFT;
	part = (struct omp_part){ .region = (uint32_t)parallel->value,
		.number = (uint16_t)number,
		.size = (uint16_t)size,
		.parent = number == 0 ? l->region : 0,
		.depth = number == 0 ? omp_self.depth : 0,
		.site = (uint16_t)(parallel->value >> SITE_SHIFT),
		.is_own = number == 0 };
	if (size == 1)
		omp_enter_at_once(&part);
	else
		omp_enter(&part);
	if (number == 0)
		omp_level()->caller = omp_self.caller;
}

/* Returns true for the barrier at the end of a region. Older runtimes do not
 * tell it from others, but workers have no caller there, and the thread that
 * began the region has that of the region. */
static bool
is_join(int kind, const void *caller)
{
	return kind == OMPT_SYNC_PARALLEL ||
		(kind == OMPT_SYNC_IMPLICIT &&
			(caller == NULL || caller == omp_level()->caller));
}

/* Records the begin, at a place in the code, or the end of a state. */
static inline __attribute__((always_inline)) void
at_site(const char *enter, const char *leave, int end, const void *caller)
{
	uint32_t site;

	if (end == OMPT_END) {
		omp_event(leave);
		return;
	}
	site = omp_site(caller);
	BATCH_PUT({ enter, &site, sizeof site });
}

static void
sync_region_wait(int kind, int end, ompt_data_t *parallel, ompt_data_t *task,
	const void *caller)
{
	static const char *const events[OMPT_SYNCS][2] = {
		[OMPT_SYNC_BARRIER] = { "PBb", "PBB" },
		[OMPT_SYNC_IMPLICIT] = { "PBb", "PBB" },
		[OMPT_SYNC_EXPLICIT] = { "PBb", "PBB" },
		[OMPT_SYNC_IMPLEMENTATION] = { "PBb", "PBB" },
		[OMPT_SYNC_TASKWAIT] = { "PTt", "PTT" },
		[OMPT_SYNC_TASKGROUP] = { "PTg", "PTG" },
		[OMPT_SYNC_WORKSHARE] = { "PBb", "PBB" },
		[OMPT_SYNC_TEAMS] = { "PBb", "PBB" },
	};
	const char *event;

	(void)parallel;
	(void)task;
	if (!omp_looks())
		return;
	if (kind == OMPT_SYNC_REDUCTION) {
		at_site("WGr", "WGR", end, caller);
		return;
	}
	if (is_join(kind, caller)) {
		/* its end comes late, or with that of the region */
		if (end == OMPT_BEGIN)
			omp_arrive();
		return;
	}
	event = kind > 0 && kind < OMPT_SYNCS ? events[kind][end == OMPT_END]
					      : NULL;
	if (event != NULL && end == OMPT_END)
		omp_event(event);
	else if (event != NULL)
		omp_wait_begin(event, caller);
}

/* Returns the kind that began: libomp 14 says that the loop of a `distribute
 * parallel for` ends as another kind of work. */
static int
work_begun(int kind, int end)
{
	struct omp_level *l = omp_level();

	if (end == OMPT_END)
		return l->nwork > 0 && --l->nwork < OMP_WORKS
			? l->work[l->nwork]
			: kind;
	if (l->nwork < OMP_WORKS)
		l->work[l->nwork] = (uint8_t)kind;
	if (l->nwork < UINT8_MAX)
		l->nwork++;
	return kind;
}

static void
work(int kind, int end, ompt_data_t *parallel, ompt_data_t *task,
	uint64_t count, const void *caller)
{
	static const char *const events[OMPT_WORKS][2] = {
		[OMPT_WORK_SECTIONS] = { "PWe", "PWE" },
		[OMPT_WORK_SINGLE] = { "PWi", "PWI" },
		[OMPT_WORK_SINGLE_OTHER] = { "PWi", "PWI" },
		[OMPT_WORK_DISTRIBUTE] = { "PWd", "PWD" },
		[OMPT_WORK_TASKLOOP] = { "PTd", "PTD" },
	};
	const char *event;

	(void)parallel;
	(void)task;
	(void)count;
	(void)caller;
	if (!omp_looks())
		return;
	kind = work_begun(kind, end);
	event = kind > 0 && kind < OMPT_WORKS ? events[kind][end == OMPT_END]
					      : NULL;
	if (event == NULL) /* loops, also of kinds that are new */
		event = end == OMPT_END ? "PWS" : "PWs";
	omp_event(event);
}

/* Only the thread that runs the section is told. */
static void
masked(int end, ompt_data_t *parallel, ompt_data_t *task, const void *caller)
{
	(void)parallel;
	(void)task;
	if (omp_looks())
		at_site("WGm", "WGM", end, caller);
}

static void
task_create(ompt_data_t *task, const void *frame, ompt_data_t *new, int flags,
	int has_dependences, const void *caller)
{
	uint32_t id;

	(void)task;
	(void)frame;
	(void)has_dependences;
	if ((flags & OMPT_TASK_EXPLICIT) == 0 || !omp_looks())
		return;
	id = omp_id();
	new->value = id;
	omp_task_create(id, omp_task_type(caller));
	if ((flags & OMPT_TASK_UNDEFERRED) == 0)
		omp_self.begun.time = 0;
}

/* A thread leaves a task for another. It ends, or pauses, the task that it
 * leaves if the next one is the one below. */
static void
task_schedule(ompt_data_t *prior, int status, ompt_data_t *next)
{
	uint64_t from, to;

	if (status == OMPT_EARLY_FULFILL || status == OMPT_LATE_FULFILL ||
		next == NULL || prior == NULL || !omp_looks())
		return;
	from = prior->value;
	to = next->value;
	/* a task that was cancelled before it began */
	if (status == OMPT_CANCEL && (from & HAS_BEGUN) == 0)
		return;
	if ((uint32_t)from != 0 &&
		(uint32_t)((from & ~HAS_BEGUN) >> 32) == (uint32_t)to) {
		omp_task_end((uint32_t)from, false);
	} else if ((uint32_t)to != 0) {
		next->value = HAS_BEGUN | (uint64_t)(uint32_t)from << 32 |
			(uint32_t)to;
		omp_task_begin_at_once((uint32_t)to);
	}
}

static void
mutex_acquire(
	int kind, unsigned hint, unsigned how, uint64_t id, const void *caller)
{
	(void)kind;
	(void)hint;
	(void)how;
	(void)id;
	if (!omp_looks())
		return;
	omp_self.asked = omp_ask(caller);
}

static void
mutex_acquired(int kind, uint64_t id, const void *caller)
{
	struct stamp asked = omp_self.asked;

	if (!omp_looks())
		return;
	omp_self.asked.time = 0;
	if (kind == OMPT_CRITICAL)
		omp_critical_begin(&asked, caller);
	else if (kind == OMPT_ORDERED)
		omp_waited(&asked, "WGo", "WGO", caller);
	else
		omp_waited_for_lock(
			&asked, (const void *)(uintptr_t)id, caller);
}

static void
mutex_released(int kind, uint64_t id, const void *caller)
{
	(void)id;
	(void)caller;
	if (kind == OMPT_CRITICAL && omp_looks())
		omp_event("PI]");
}

#define CALLBACK(which, function) \
	{ \
		which, (ompt_callback_t *)(function) \
	}

static int
initialize(ompt_lookup_t *lookup, int device, ompt_data_t *data)
{
	static const struct {
		int which;
		ompt_callback_t *call;
	} callbacks[] = {
		CALLBACK(OMPT_PARALLEL_BEGIN, parallel_begin),
		CALLBACK(OMPT_PARALLEL_END, parallel_end),
		CALLBACK(OMPT_IMPLICIT_TASK, implicit_task),
		CALLBACK(OMPT_SYNC_REGION_WAIT, sync_region_wait),
		CALLBACK(OMPT_WORK, work),
		CALLBACK(OMPT_MASKED, masked),
		CALLBACK(OMPT_TASK_CREATE, task_create),
		CALLBACK(OMPT_TASK_SCHEDULE, task_schedule),
		CALLBACK(OMPT_MUTEX_ACQUIRE, mutex_acquire),
		CALLBACK(OMPT_MUTEX_ACQUIRED, mutex_acquired),
		CALLBACK(OMPT_MUTEX_RELEASED, mutex_released),
	};
	ompt_set_callback_t *set =
		(ompt_set_callback_t *)lookup("ompt_set_callback");

	(void)device;
	(void)data;
	if (set == NULL)
		return 0;
	for (size_t i = 0; i < sizeof callbacks / sizeof *callbacks; i++)
		set(callbacks[i].which, callbacks[i].call);
	return 1;
}

static void
finalize(ompt_data_t *data)
{
	(void)data;
}

/* The runtime calls this function once, when it starts. NULL: no tool; it then
 * goes on to the tools that the user named. */
WRAPPER ompt_start_t *ompt_start_tool(unsigned version, const char *runtime);

ompt_start_t *
ompt_start_tool(unsigned version, const char *runtime)
{
	static ompt_start_t start = { initialize, finalize, { 0 } };
	const char *theirs = getenv("OMP_TOOL_LIBRARIES");

	(void)version;
	(void)runtime;
	collect_load();
	return (collect_has & OPENMP) != 0 &&
			(theirs == NULL || *theirs == '\0')
		? &start
		: NULL;
}
