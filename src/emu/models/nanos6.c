/* SPDX-License-Identifier: MIT */
/*
 * nanos6.c - Nanos6, the runtime of OmpSs-2: workers, tasks, scheduler,
 * dependencies, memory.
 */
#include "emu/models/models.h"
#include "emu/task.h"
#include "emu/task_type.h"
#include "emu/thread.h"

enum { TASK_ID, TASK_TYPE, SUBSYSTEM, RANK, THREAD_TYPE, IDLE, POINT };

/* A task that is run inline begins on top of another task's body. */
#define BODY 1
#define TASK_FOR 6

/* clang-format off */
static const struct chan_def chans[] = {
	[TASK_ID] = {
		.key = "taskid", .title = "Nanos6 task ID", .none = "No task",
		.number = 35, .shows = TYPE_ID,
		.thread = TRACK_RUNNING },
	[TASK_TYPE] = {
		.key = "task_type", .title = "Nanos6 task type", .none = "No task",
		.means = MEANS_TASK, .number = 36, .dup = true,
		.thread = TRACK_RUNNING, .emission = EMITDUP },
	[SUBSYSTEM] = {
		.key = "subsystem", .title = "Nanos6 subsystem", .none = "No subsystem",
		.none_means = MEANS_SEARCH, .number = 37, .kind = CHAN_STACK, .repeat = BODY,
		.thread = TRACK_ACTIVE },
	[RANK] = {
		.key = "rank", .title = "Nanos6 task MPI rank",
		.number = 38, .shows = TYPE_ID, .dup = true,
		.thread = TRACK_RUNNING, .emission = EMITDUP },
	[THREAD_TYPE] = {
		.key = "thread_type", .title = "Nanos6 thread type",
		.means = MEANS_TASK, .number = 39, .kind = CHAN_STACK,
		.thread = TRACK_NONE },
	[IDLE] = {
		.key = "idle", .title = "Nanos6 idle state",
		.number = 40, .start = 100, .idle = 101,
		.thread = TRACK_RUNNING },
	[POINT] = {
		.key = "point", .title = "Nanos6 punctual events",
		.number = 42, .shows = TYPE_POINT, .plain = true, .punctual = true,
		.thread = TRACK_ACTIVE },
};

static const struct task_def tasks = {
	.id = TASK_ID, .type = TASK_TYPE, .rank = RANK, .section = SUBSYSTEM,
	.app = TASK_NO_CHAN, .body_id = TASK_NO_CHAN,
	.body = BODY, .task_for = TASK_FOR, .nests = true,
};

static const struct breakdown_def breakdown = {
	.type = TASK_TYPE, .subsystem = SUBSYSTEM, .idle = IDLE,
	.body = BODY, .progressing = 100, .unknown = 2,
	.number = 41, .title = "CPU: Nanos6 Runtime/Idle/Task breakdown",
};

static const struct span_def spans[] = {
	/* in, out, channel, value, meaning, label, sentence */
	{ "6W[", "6W]", SUBSYSTEM,   19, MEANS_SEARCH, "Worker: Looking for work",
	  "enters worker main loop, looking for tasks" },
	{ "6Wt", "6WT", SUBSYSTEM,   18, MEANS_OVERHEAD, "Worker: Handling task",
	  "begins handling a task via handleTask()" },
	{ "6Ww", "6WW", SUBSYSTEM,   20, MEANS_SEARCH, "Worker: Switching to another thread",
	  "begins switching to another worker via switchTo()" },
	{ "6Wm", "6WM", SUBSYSTEM,   21, MEANS_SEARCH, "Worker: Migrating CPU",
	  "begins migrating the current worker to another CPU" },
	{ "6Ws", "6WS", SUBSYSTEM,   22, MEANS_SEARCH, "Worker: Suspending thread",
	  "begins suspending the worker via suspend()" },
	{ "6Wr", "6WR", SUBSYSTEM,   23, MEANS_SEARCH, "Worker: Resuming another thread",
	  "begins resuming another worker via resume()" },
	{ "6Wg", "6WG", SUBSYSTEM,   24, MEANS_SEARCH, "Worker: Sponge mode",
	  "enters sponge mode (absorbing system noise)" },
	{ "6C[", "6C]", SUBSYSTEM,    3, MEANS_CREATE, "Task: Creating",
	  "begins creating a new task" },
	{ "6U[", "6U]", SUBSYSTEM,    4, MEANS_CREATE, "Task: Submitting",
	  "begins submitting a task via submitTask()" },
	{ "6F[", "6F]", SUBSYSTEM,    5, MEANS_CREATE, "Task: Spawning function",
	  "begins spawning a function via spawnFunction()" },
	{ "6Ma", "6MA", SUBSYSTEM,   16, MEANS_MEMORY, "Memory: Allocating",
	  "begins allocating memory" },
	{ "6Mf", "6MF", SUBSYSTEM,   17, MEANS_MEMORY, "Memory: Freeing",
	  "begins freeing memory" },
	{ "6Dr", "6DR", SUBSYSTEM,   10, MEANS_DEPENDENCIES, "Dependency: Registering",
	  "begins registration of task dependencies" },
	{ "6Du", "6DU", SUBSYSTEM,   11, MEANS_DEPENDENCIES, "Dependency: Unregistering",
	  "begins unregistration of task dependencies" },
	{ "6S[", "6S]", SUBSYSTEM,    9, MEANS_SEARCH, "Scheduler: Serving tasks",
	  "begins scheduler serving mode" },
	{ "6Sa", "6SA", SUBSYSTEM,    7, MEANS_SCHEDULER, "Scheduler: Adding ready tasks",
	  "begins adding ready tasks" },
	{ "6Sp", "6SP", SUBSYSTEM,    8, MEANS_SCHEDULER, "Scheduler: Processing ready tasks",
	  "begins processing ready tasks" },
	{ "6Bb", "6BB", SUBSYSTEM,   14, MEANS_OVERHEAD, "Blocking: Blocking current task",
	  "begins blocking the current task" },
	{ "6Bu", "6BU", SUBSYSTEM,   15, MEANS_OVERHEAD, "Blocking: Unblocking remote task",
	  "begins unblocking a task" },
	{ "6Bw", "6BW", SUBSYSTEM,   12, MEANS_OVERHEAD, "Blocking: Taskwait",
	  "enters a task wait" },
	{ "6Bf", "6BF", SUBSYSTEM,   13, MEANS_OVERHEAD, "Blocking: Wait for deadline",
	  "enters a wait for" },
	{ "6He", "6HE", THREAD_TYPE,  4, 0, "External",
	  "begins execution as external thread" },
	{ "6Hw", "6HW", THREAD_TYPE,  3, 0, "Worker",
	  "begins execution as worker" },
	{ "6Hl", "6HL", THREAD_TYPE,  1, 0, "Leader",
	  "begins execution as leader" },
	{ "6Hm", "6HM", THREAD_TYPE,  2, 0, "Main",
	  "begins execution as main thread" },
};

static const struct set_def sets[] = {
	{ "6Pp", IDLE, 100, MEANS_TASK, "Progressing",
	  "sets progress state to Progressing" },
	{ "6Pr", IDLE, 101, MEANS_IDLE, "Resting",
	  "sets progress state to Resting" },
	{ "6Pa", IDLE, 102, MEANS_IDLE, "Absorbing noise",
	  "sets progress state to Absorbing noise" },
};

static const struct event_def events[] = {
	{ "6Yc+(u32 typeid, str label)",
	  "creates task type %typeid with label \"%label\"", task_type_create, 0 },
	{ "6Tc(u32 taskid, u32 typeid)",
	  "creates task %taskid with type %typeid", task_create, PAYLOAD_EXACT },
	{ "6Tx(u32 taskid)", "executes the task %taskid", task_execute, 0 },
	{ "6Te(u32 taskid)", "ends the task %taskid", task_end, 0 },
	{ "6Tp(u32 taskid)", "pauses the task %taskid", task_pause, 0 },
	{ "6Tr(u32 taskid)", "resumes the task %taskid", task_resume, 0 },
	{ "6TC", "creates a task (obsolete)", thread_obsolete, 0 },
	{ "6O[(u32 taskid)",
	  "begins running the task body as taskfor collaborator",
	  task_for_begin, PAYLOAD_ANY },
	{ "6O](u32 taskid)",
	  "ceases running the task body as taskfor collaborator",
	  task_for_end, PAYLOAD_ANY },
	{ "6t[(u32 taskid)", "enters the task body", NULL, 0 },
	{ "6t](u32 taskid)", "leaves the task body", NULL, 0 },
	{ "6W*(i32 tid)", "signals another worker to wake up", NULL, 0 },
	{ "6S@", "self assigns itself a task", NULL, 0 },
	{ "6Sr", "receives a task from another thread", NULL, 0 },
	{ "6Ss", "sends a task to another thread", NULL, 0 },
};

static const struct infer_def infers[] = {
	{ INFER_TYPE, "6Yc" },
	{ INFER_TASK, "6Tc" },
};

static const struct label_def labels[] = {
	{ SUBSYSTEM, BODY, MEANS_TASK, "Task: Running body" },
	{ SUBSYSTEM, TASK_FOR, MEANS_TASK, "Task: Running task for" },
	{ SUBSYSTEM, 2, MEANS_OVERHEAD,    "Unknown subsystem" },
	{ SUBSYSTEM, 60, MEANS_SCHEDULER,   "EV Scheduler: Recv task" },
	{ SUBSYSTEM, 61, MEANS_SCHEDULER,   "EV Scheduler: Send task" },
	{ SUBSYSTEM, 62, MEANS_SCHEDULER,   "EV Scheduler: Self-assign task" },
	{ SUBSYSTEM, 63, MEANS_IDLE,   "EV CPU: Becomes idle" },
	{ SUBSYSTEM, 64, MEANS_TASK,   "EV CPU: Becomes active" },
	{ SUBSYSTEM, 65, MEANS_OVERHEAD,   "EV Worker: Waking another thread" },
};
static const struct punctual_def points[] = {
	{ "6Sr", POINT, 60, MEANS_SCHEDULER, "EV Scheduler: Recv task" },
	{ "6Ss", POINT, 61, MEANS_SCHEDULER, "EV Scheduler: Send task" },
	{ "6S@", POINT, 62, MEANS_SCHEDULER, "EV Scheduler: Self-assign task" },
	{ "6W*", POINT, 65, MEANS_OVERHEAD, "EV Worker: Waking another thread" },
};

static const struct panel_def panels[] = {
	{ "status", "Nanos6 task type, else subsystem",
	  (const char *const[]){ "task_type", "subsystem", NULL } },
	{ "activity", "Nanos6 subsystem and punctual events",
	  (const char *const[]){ "subsystem", "point", NULL } },
};

static const struct plain_def plains[] = {
	{ "6S[", "begins serving tasks to other threads as scheduler" },
	{ "6S]", "ends serving tasks to other threads as scheduler" },
	{ "6S@", "assigns a task to itself" },
	{ "6Dr", "begins registering task dependencies" },
	{ "6DR", "ends registering task dependencies" },
	{ "6Du", "begins unregistering task dependencies" },
	{ "6DU", "ends unregistering task dependencies" },
	{ "6Bf", "begins waiting for a deadline" },
	{ "6BF", "ends waiting for a deadline" },
};
/* clang-format on */

const struct model model_nanos6 = {
	.id = '6',
	.name = "nanos6",
	.version = "1.2.0", /* 6O[ may name its task */
	.old_version = "1.1.0",
	.brief = "Nanos6 runtime: tasks, subsystems, idle states",
	.need = NEED_ACTIVE,
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
};
