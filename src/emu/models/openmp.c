/* SPDX-License-Identifier: MIT */
/*
 * openmp.c - OpenMP: parts of the runtime, tasks and worksharings. OpenMP-V,
 * the runtime of LLVM on top of nOS-V, records them itself; of other runtimes
 * libweft-collect.so does, together with the regions of the model wait.
 */
#include "emu/models/models.h"
#include "emu/models/wait_link.h"
#include "emu/models/wait_names.h"
#include "emu/task.h"
#include "emu/task_type.h"
#include "export/wait_values.h"

enum { SUBSYSTEM, LABEL, TASK_ID };

/* clang-format off */
static const struct chan_def chans[] = {
	[SUBSYSTEM] = {
		.key = "subsystem", .title = "OpenMP subsystem", .none = "No subsystem",
		.number = 50, .kind = CHAN_STACK, .dup = true,
		.thread = TRACK_ACTIVE, .emission = SKIPDUPNULL },
	[LABEL] = {
		.key = "label", .title = "OpenMP label", .none = "No label",
		.means = MEANS_TASK, .number = 51, .kind = CHAN_STACK, .dup = true,
		.thread = TRACK_ACTIVE, .emission = SKIPDUPNULL },
	[TASK_ID] = {
		.key = "taskid", .title = "OpenMP task ID", .none = "No task",
		.number = 52, .kind = CHAN_STACK, .shows = TYPE_ID, .dup = true,
		.thread = TRACK_ACTIVE, .emission = SKIPDUPNULL },
};

static const struct task_def tasks = {
	.id = TASK_ID, .type = LABEL, .section = TASK_NO_CHAN,
	.rank = TASK_NO_CHAN, .app = TASK_NO_CHAN, .body_id = TASK_NO_CHAN,
	.nests = true, .again = true, .stacks = true, .no_zero = true,
};

static const struct breakdown_def breakdown = {
	.type = LABEL, .subsystem = SUBSYSTEM, .idle = BREAKDOWN_NO_IDLE,
	.number = 53, .title = "CPU: OpenMP Runtime/Label breakdown",
};

static const struct span_def spans[] = {
	{ "PBb", "PBB", SUBSYSTEM,  3, MEANS_SYNC, "Barrier: Plain",
	  "enters a plain barrier" },
	{ "PBj", "PBJ", SUBSYSTEM, OPENMP_JOIN, MEANS_SYNC, "Barrier: Join",
	  "enters a join barrier" },
	{ "PBf", "PBF", SUBSYSTEM,  1, MEANS_SYNC, "Barrier: Fork",
	  "enters a fork barrier" },
	{ "PBt", "PBT", SUBSYSTEM,  5, MEANS_SYNC, "Barrier: Task",
	  "enters a barrier of tasks" },
	{ "PIa", "PIA", SUBSYSTEM,  6, MEANS_LOCK, "Critical: Acquiring",
	  "begins acquiring the lock of a critical section" },
	{ "PIr", "PIR", SUBSYSTEM,  7, MEANS_OVERHEAD, "Critical: Releasing",
	  "begins releasing the lock of a critical section" },
	{ "PI[", "PI]", SUBSYSTEM,  8, MEANS_TASK, "Critical: Section",
	  "enters a critical section" },
	{ "PWd", "PWD", SUBSYSTEM,  9, MEANS_TASK, "Work-distribution: Distribute",
	  "begins a distribute construct" },
	{ "PWc", "PWC", SUBSYSTEM, 10, MEANS_TASK, "Work-distribution: Dynamic for chunk",
	  "begins a chunk of a dynamic for" },
	{ "PWy", "PWY", SUBSYSTEM, 11, MEANS_OVERHEAD, "Work-distribution: Dynamic for initialization",
	  "begins setting up a dynamic for" },
	{ "PWs", "PWS", SUBSYSTEM, 12, MEANS_TASK, "Work-distribution: Static for chunk",
	  "begins a chunk of a static for" },
	{ "PWe", "PWE", SUBSYSTEM, 13, MEANS_TASK, "Work-distribution: Section",
	  "begins a section" },
	{ "PWi", "PWI", SUBSYSTEM, 14, MEANS_TASK, "Work-distribution: Single",
	  "begins a single construct" },
	{ "PTa", "PTA", SUBSYSTEM, 15, MEANS_CREATE, "Task: Allocation",
	  "begins allocating a task" },
	{ "PTc", "PTC", SUBSYSTEM, 16, MEANS_DEPENDENCIES, "Task: Check deps",
	  "begins checking the dependencies of a task" },
	{ "PTd", "PTD", SUBSYSTEM, 17, MEANS_CREATE, "Task: Duplicating",
	  "begins duplicating a task of a taskloop" },
	{ "PTr", "PTR", SUBSYSTEM, 18, MEANS_DEPENDENCIES, "Task: Releasing deps",
	  "begins releasing the dependencies of a task" },
	{ "PT[", "PT]", SUBSYSTEM, 19, MEANS_TASK, "Task: Running task",
	  "begins running a task" },
	{ "PTi", "PTI", SUBSYSTEM, 20, MEANS_TASK, "Task: Running task if0",
	  "begins running an if0 task" },
	{ "PTs", "PTS", SUBSYSTEM, 21, MEANS_SCHEDULER, "Task: Scheduling",
	  "begins scheduling a task" },
	{ "PTg", "PTG", SUBSYSTEM, 22, MEANS_SYNC, "Task: Taskgroup",
	  "enters a taskgroup" },
	{ "PTt", "PTT", SUBSYSTEM, 23, MEANS_SYNC, "Task: Taskwait",
	  "enters a taskwait" },
	{ "PTw", "PTW", SUBSYSTEM, 24, MEANS_SYNC, "Task: Taskwait deps",
	  "enters a taskwait with dependencies" },
	{ "PTy", "PTY", SUBSYSTEM, 25, MEANS_SCHEDULER, "Task: Taskyield",
	  "enters a taskyield" },
	{ "PA[", "PA]", SUBSYSTEM, OPENMP_ATTACHED, MEANS_OVERHEAD, "Runtime: Attached",
	  "enters the state attached to the runtime" },
	{ "PMi", "PMI", SUBSYSTEM, OPENMP_INTERNAL_TASK, MEANS_OVERHEAD, "Runtime: Internal microtask",
	  "begins an internal microtask" },
	{ "PMu", "PMU", SUBSYSTEM, OPENMP_USER_TASK, MEANS_TASK, "Runtime: User microtask",
	  "begins a user microtask" },
	{ "PH[", "PH]", SUBSYSTEM, OPENMP_MAIN_LOOP, MEANS_SEARCH, "Runtime: Worker main loop",
	  "enters the main loop of a worker" },
	{ "PCi", "PCI", SUBSYSTEM, OPENMP_INITIALIZATION, MEANS_OVERHEAD, "Runtime: Initialization",
	  "begins the initialization of the runtime" },
	{ "PCf", "PCF", SUBSYSTEM, OPENMP_FORK_CALL, MEANS_OVERHEAD, "Runtime: Fork call",
	  "begins a fork call" },
};

static event_fn create_type, create, execute;

static const struct event_def events[] = {
	{ "POc+(u32 typeid, str label)",
	  "creates type %typeid with label \"%label\"",
	  create_type, PAYLOAD_FIRST },
	{ "PPc(u32 taskid, u32 typeid)",
	  "creates task %taskid with type %typeid", create, PAYLOAD_EXACT },
	{ "PPx(u32 taskid)", "executes the task %taskid", execute, 0 },
	{ "PPe(u32 taskid)", "ends the task %taskid", task_end, 0 },
	{ "PQx(u32 typeid)", "begins a worksharing of type %typeid",
	  task_type_enter, 0 },
	{ "PQe(u32 typeid)", "ceases a worksharing of type %typeid",
	  task_type_leave, 0 },
	{ "PBs", "begins a spin wait in a barrier", NULL, 0 },
	{ "PBS", "ceases a spin wait in a barrier", NULL, 0 },
};

static const struct infer_def infers[] = {
	{ INFER_TYPE, "POc" },
	{ INFER_TASK, "PPc" },
};

static const struct label_def labels[] = {
	{ SUBSYSTEM, 4, MEANS_SYNC, "Barrier: Spin wait" },
};
/* clang-format on */

static void
create_type(struct emu *emu, const struct event *ev)
{
	uint32_t id = emu_arg_u32(emu, 0);

	task_type_add(
		emu, id, wait_task_label(emu, id, task_type_label(emu, ev)));
}

static void
create(struct emu *emu, const struct event *ev)
{
	task_create(emu, ev);
	wait_link_keep(emu, emu_arg_u32(emu, 0));
}

static void
execute(struct emu *emu, const struct event *ev)
{
	task_execute(emu, ev);
	wait_link_kept(emu, emu_arg_u32(emu, 0), LINK_TASK);
}

const struct model model_openmp = {
	.id = 'P',
	.name = "openmp",
	.version = "1.2.1",
	.brief = "OpenMP-V runtime: subsystems, tasks, worksharings",
	.need = NEED_RUNNING,
	MODEL_ROWS(chans),
	MODEL_ROWS(spans),
	MODEL_ROWS(events),
	MODEL_ROWS(infers),
	MODEL_ROWS(labels),
	.tasks = &tasks,
	.breakdown = &breakdown,
};
