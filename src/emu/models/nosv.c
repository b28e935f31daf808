/* SPDX-License-Identifier: MIT */
/*
 * nosv.c - nOS-V, the library of tasks that runtimes of several processes
 * share: tasks, scheduler, its functions, hardware counters.
 */
#include "emu/hwc.h"
#include "emu/models/models.h"
#include "emu/task.h"
#include "emu/task_type.h"

enum { BODY_ID, TASK_ID, TASK_TYPE, APP_ID, SUBSYSTEM, RANK, IDLE, POINT };

#define BODY 11

/* clang-format off */
static const struct chan_def chans[] = {
	[BODY_ID] = {
		.key = "bodyid", .title = "nOS-V task body ID", .none = "No task",
		.number = 15, .shows = TYPE_ID, .dup = true,
		.thread = TRACK_RUNNING, .emission = SKIPDUPNULL },
	[TASK_ID] = {
		.key = "taskid", .title = "nOS-V task ID", .none = "No task",
		.number = 10, .shows = TYPE_ID,
		.thread = TRACK_RUNNING, .emission = SKIPDUPNULL },
	[TASK_TYPE] = {
		.key = "task_type", .title = "nOS-V task type", .none = "No task",
		.means = MEANS_TASK, .number = 11, .dup = true,
		.thread = TRACK_RUNNING, .emission = SKIPDUPNULL },
	[APP_ID] = {
		.key = "appid", .title = "nOS-V task AppID", .none = "No task",
		.number = 12, .shows = TYPE_ID, .dup = true,
		.thread = TRACK_RUNNING, .emission = SKIPDUPNULL },
	[SUBSYSTEM] = {
		.key = "subsystem", .title = "nOS-V subsystem", .none = "No subsystem",
		.none_means = MEANS_SEARCH, .number = 13, .kind = CHAN_STACK, .dup = true,
		.thread = TRACK_ACTIVE, .emission = SKIPDUPNULL },
	[RANK] = {
		.key = "rank", .title = "nOS-V task MPI rank",
		.number = 14, .shows = TYPE_ID, .dup = true,
		.thread = TRACK_RUNNING, .emission = SKIPDUPNULL },
	[IDLE] = {
		.key = "idle", .title = "nOS-V idle state",
		.number = 16, .start = 100, .idle = 101,
		.thread = TRACK_RUNNING, .emission = SKIPDUPNULL },
	[POINT] = {
		.key = "point", .title = "nOS-V punctual events",
		.number = 18, .shows = TYPE_POINT, .plain = true, .punctual = true,
		.thread = TRACK_ACTIVE },
};

static const struct task_def tasks = {
	.id = TASK_ID, .type = TASK_TYPE, .section = SUBSYSTEM,
	.rank = RANK, .app = APP_ID, .body_id = BODY_ID,
	.body = BODY, .again = true, .bodies = true,
};

static const struct breakdown_def breakdown = {
	.type = TASK_TYPE, .subsystem = SUBSYSTEM, .idle = IDLE,
	.body = BODY, .progressing = 100, .unknown = 2, .asks = "nOS-V",
	.number = 17, .title = "CPU: nOS-V Runtime/Idle/Task breakdown",
};

static const struct span_def spans[] = {
	{ "VS[", "VS]", SUBSYSTEM,  7, MEANS_SEARCH, "Scheduler: Serving",
	  "begins serving tasks, and blocks meanwhile" },
	{ "VSh", "VSf", SUBSYSTEM,  6, MEANS_SEARCH, "Scheduler: Hungry",
	  "begins waiting hungry for a task" },
	{ "VSN", "VSn", SUBSYSTEM,  7, MEANS_SEARCH, "Scheduler: Serving",
	  "begins serving tasks, without blocking" },
	{ "VU[", "VU]", SUBSYSTEM,  8, MEANS_CREATE, "Scheduler: Submitting",
	  "begins submitting tasks to the scheduler" },
	{ "VMa", "VMA", SUBSYSTEM,  9, MEANS_MEMORY, "Memory: Allocating",
	  "begins allocating memory" },
	{ "VMf", "VMF", SUBSYSTEM, 10, MEANS_MEMORY, "Memory: Freeing",
	  "begins freeing memory" },
	{ "VAr", "VAR", SUBSYSTEM, 12, MEANS_CREATE, "API: Create",
	  "enters nosv_create()" },
	{ "VAd", "VAD", SUBSYSTEM, 13, MEANS_OVERHEAD, "API: Destroy",
	  "enters nosv_destroy()" },
	{ "VAs", "VAS", SUBSYSTEM, 14, MEANS_CREATE, "API: Submit",
	  "enters nosv_submit()" },
	{ "VAp", "VAP", SUBSYSTEM, 15, MEANS_SYNC, "API: Pause",
	  "enters nosv_pause()" },
	{ "VAy", "VAY", SUBSYSTEM, 16, MEANS_SCHEDULER, "API: Yield",
	  "enters nosv_yield()" },
	{ "VAw", "VAW", SUBSYSTEM, 17, MEANS_SLEEP, "API: Waitfor",
	  "enters nosv_waitfor()" },
	{ "VAc", "VAC", SUBSYSTEM, 18, MEANS_SCHEDULER, "API: Scheduling point",
	  "enters nosv_schedpoint()" },
	{ "VAa", "VAA", SUBSYSTEM, 19, MEANS_OVERHEAD, "API: Attach",
	  "enters nosv_attach()" },
	{ "VAe", "VAE", SUBSYSTEM, 20, MEANS_OVERHEAD, "API: Detach",
	  "enters nosv_detach()" },
	{ "VAl", "VAL", SUBSYSTEM, 21, MEANS_LOCK, "API: Mutex lock",
	  "enters nosv_mutex_lock()" },
	{ "VAt", "VAT", SUBSYSTEM, 22, MEANS_LOCK, "API: Mutex trylock",
	  "enters nosv_mutex_trylock()" },
	{ "VAu", "VAU", SUBSYSTEM, 23, MEANS_OVERHEAD, "API: Mutex unlock",
	  "enters nosv_mutex_unlock()" },
	{ "VAb", "VAB", SUBSYSTEM, 24, MEANS_SYNC, "API: Barrier wait",
	  "enters nosv_barrier_wait()" },
	{ "VAo", "VAO", SUBSYSTEM, 25, MEANS_SYNC, "API: Cond wait",
	  "enters nosv_cond_wait()" },
	{ "VAg", "VAG", SUBSYSTEM, 26, MEANS_OVERHEAD, "API: Cond signal",
	  "enters nosv_cond_signal()" },
	{ "VAk", "VAK", SUBSYSTEM, 27, MEANS_OVERHEAD, "API: Cond broadcast",
	  "enters nosv_cond_broadcast()" },
	{ "VAj", "VAJ", SUBSYSTEM, 28, MEANS_SYNC, "API: Join",
	  "enters the join of a thread" },
	{ "VAm", "VAM", SUBSYSTEM, 29, MEANS_SYNC, "API: Join all",
	  "enters the join of all threads" },
	{ "VAi", "VAI", SUBSYSTEM, 30, MEANS_SYNC, "API: Wait",
	  "enters the wait for a task" },
	{ "VAn", "VAN", SUBSYSTEM, 31, MEANS_SYNC, "API: Wait all",
	  "enters the wait for all tasks" },
	{ "VHw", "VHW", SUBSYSTEM, 32, MEANS_OVERHEAD, "Thread: Worker",
	  "begins execution as worker" },
	{ "VHd", "VHD", SUBSYSTEM, 33, MEANS_OVERHEAD, "Thread: Delegate",
	  "begins execution as delegate" },
};

static const struct set_def sets[] = {
	{ "VPp", IDLE, 100, MEANS_TASK, "Progressing",
	  "sets progress state to Progressing" },
	{ "VPr", IDLE, 101, MEANS_IDLE, "Resting",
	  "sets progress state to Resting" },
	{ "VPa", IDLE, 102, MEANS_IDLE, "Absorbing noise",
	  "sets progress state to Absorbing noise" },
};

static const struct event_def events[] = {
	{ "VYc+(u32 typeid, str label)",
	  "creates task type %typeid with label \"%label\"",
	  task_type_create, PAYLOAD_FIRST },
	{ "VTc(u32 taskid, u32 typeid)",
	  "creates task %taskid with type %typeid", task_create, 0 },
	{ "VTC(u32 taskid, u32 typeid)",
	  "creates parallel task %taskid with type %typeid",
	  task_create_parallel, 0 },
	{ "VTx(u32 taskid, u32 bodyid)",
	  "executes the task %taskid with body %bodyid", task_execute, 0 },
	{ "VTe(u32 taskid, u32 bodyid)",
	  "ends the task %taskid with body %bodyid", task_end, 0 },
	{ "VTp(u32 taskid, u32 bodyid)",
	  "pauses the task %taskid with body %bodyid", task_pause, 0 },
	{ "VTr(u32 taskid, u32 bodyid)",
	  "resumes the task %taskid with body %bodyid", task_resume, 0 },
	{ "VWC+(i64 value)", "counts %value, and other events of the hardware",
	  hwc_set, PAYLOAD_ANY },
	{ "VS@", "self assigns itself a task", NULL, 0 },
	{ "VSr", "receives a task from another thread", NULL, 0 },
	{ "VSs", "sends a task to another thread", NULL, 0 },
	{ "VHa", "enters the state attached (obsolete)", NULL, 0 },
	{ "VHA", "leaves the state attached (obsolete)", NULL, 0 },
};

static const struct infer_def infers[] = {
	{ INFER_TYPE, "VYc" },
	{ INFER_TASK, "VTc" },
	{ INFER_BODIES, "VTC" },
};

static const struct label_def labels[] = {
	{ SUBSYSTEM, BODY, MEANS_TASK, "Task: In body" },
	{ SUBSYSTEM, 2, MEANS_OVERHEAD, "Unknown subsystem" },
	{ SUBSYSTEM, 34, MEANS_SCHEDULER, "EV Scheduler: Recv task" },
	{ SUBSYSTEM, 35, MEANS_SCHEDULER, "EV Scheduler: Send task" },
	{ SUBSYSTEM, 36, MEANS_SCHEDULER, "EV Scheduler: Self-assign task" },
};

static const struct punctual_def points[] = {
	{ "VSr", POINT, 34, MEANS_SCHEDULER, "EV Scheduler: Recv task" },
	{ "VSs", POINT, 35, MEANS_SCHEDULER, "EV Scheduler: Send task" },
	{ "VS@", POINT, 36, MEANS_SCHEDULER, "EV Scheduler: Self-assign task" },
};

static const struct panel_def panels[] = {
	{ "status", "nOS-V task type, else subsystem",
	  (const char *const[]){ "task_type", "subsystem", NULL } },
	{ "activity", "nOS-V subsystem and punctual events",
	  (const char *const[]){ "subsystem", "point", NULL } },
};

static const struct plain_def plains[] = {
	{ "VS@", "assigns a task to itself" },
};
/* clang-format on */

const struct model model_nosv = {
	.id = 'V',
	.name = "nosv",
	.version = "2.7.0",
	.brief = "nOS-V: tasks, scheduler, functions, hardware counters",
	.need = NEED_ACTIVE | NEED_ON_CPU,
	MODEL_ROWS(chans),
	MODEL_ROWS(spans),
	MODEL_ROWS(sets),
	MODEL_ROWS(events),
	MODEL_ROWS(infers),
	MODEL_ROWS(labels),
	MODEL_ROWS(points),
	MODEL_ROWS(plains),
	MODEL_ROWS(panels),
	.tasks = &tasks,
	.breakdown = &breakdown,
	.hwc_from = 200,
};
