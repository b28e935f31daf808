/* SPDX-License-Identifier: MIT */
/*
 * nanos6_ctf.c - Nanos6 in CTF traces: streams of CPUs and of external threads,
 * whose events tell which thread runs.
 *
 * A call that a task makes has events "tc:" (task context), which end and begin
 * a burst of the task; calls of the runtime itself or of an external thread
 * have "oc:" (other context). Some versions write "_entry" for "_enter".
 */
#include "emu/ctf/ctf.h"
#include "emu/ctf/label.h"
#include "emu/ctf/lock.h"
#include "emu/ctf/task.h"
#include "emu/ctf/thread.h"
#include "emu/models/models.h"

/* clang-format off */
enum {
	SUBSYSTEM, /* is shown in the chart of subsystems */
	RUNTIME, BUSY, TASK, LABEL, SOURCE, TID, ID, MODE, FLUSH,
	CREATED, BLOCKED, RUNNING, THREADS, THREADS_RUNNING, THREADS_BLOCKED,
	READY,
};

#define HWC "hwc" /* the struct of counters */

#define ENTER(api) api "_ent??" /* matches both spellings, enter and entry */
#define EXIT(api) api "_exit"

/* Events at which a task leaves its own code or returns to it. */
#define LEAVES \
	ENTER("tc:task_create") "|" ENTER("tc:taskwait") "|" \
	ENTER("tc:waitfor") "|" ENTER("tc:blocking_api_block") "|" \
	ENTER("tc:blocking_api_unblock") "|" ENTER("tc:spawn_function") "|" \
	ENTER("tc:mutex_lock") "|" ENTER("tc:mutex_unlock")
#define GOES_ON \
	EXIT("tc:task_submit") "|" EXIT("tc:taskwait") "|" \
	EXIT("tc:waitfor") "|" EXIT("tc:blocking_api_block") "|" \
	EXIT("tc:blocking_api_unblock") "|" EXIT("tc:spawn_function") "|" \
	EXIT("tc:mutex_lock") "|" EXIT("tc:mutex_unlock")

static const struct chan_def chans[] = {
	[SUBSYSTEM] = {
		.key = "subsystems", .title = "Runtime Subsystems", .none = "Idle",
		.means = MEANS_OVERHEAD, .none_means = MEANS_SEARCH,
		.number = 6400017, .kind = CHAN_STACK, .plain = true, .dup = true,
		.thread = TRACK_ACTIVE, .cpu_active = true, .fresh = true },
	[RUNTIME] = {
		.key = "runtime", .title = "Runtime: Runtime Code", .none = "No thread",
		.number = 6400010, .layered = true, .plain = true, .start = 1,
		.thread = TRACK_RUNNING },
	[BUSY] = {
		.key = "busy", .title = "Runtime: Busy Waiting", .none = "Not busy waiting",
		.number = 6400011, .layered = true, .plain = true, .dup = true,
		.thread = TRACK_RUNNING },
	[TASK] = {
		.key = "task", .title = "Runtime: Task Code", .none = "No task code",
		.number = 6400012, .layered = true, .plain = true, .dup = true,
		.thread = TRACK_RUNNING },
	[LABEL] = {
		.key = "label", .title = "Running Task Label", .none = "No task",
		.means = MEANS_TASK, .number = 6400013, .layered = true, .plain = true, .dup = true,
		.thread = TRACK_RUNNING },
	[SOURCE] = {
		.key = "source", .title = "Running Task Source", .none = "No task",
		.means = MEANS_TASK, .number = 6400014, .layered = true, .plain = true, .dup = true,
		.thread = TRACK_RUNNING },
	[TID] = {
		.key = "thread", .title = "Worker Thread Id (TID)", .none = "No thread",
		.number = 6400015, .shows = TYPE_ID, .plain = true, .dup = true,
		.thread = TRACK_RUNNING },
	[ID] = {
		.key = "id", .title = "Task ID", .none = "No task",
		.number = 6400016, .layered = true, .shows = TYPE_ID, .plain = true, .dup = true,
		.thread = TRACK_RUNNING },
	[MODE] = {
		.key = "mode", .title = "Runtime: Mode", .none = "Dead",
		.number = 6400025, .plain = true, .dup = true, .start = 1,
		.thread = TRACK_RUNNING },
	[FLUSH] = {
		.key = "flush", .title = "Nanos6 CTF buffers writes to disk",
		.none = "No flush",
		.number = 6400009, .layered = true, .plain = true,
		.thread = TRACK_RUNNING, .fresh = true },
	[CREATED] = {
		.key = "created_tasks", .title = "Number of Created Tasks",
		.number = 6400019, .shows = TYPE_NUMBER, .plain = true, .dup = true,
		.of = CHAN_OF_PROCESS },
	[BLOCKED] = {
		.key = "blocked_tasks", .title = "Number of Blocked Tasks",
		.number = 6400020, .shows = TYPE_NUMBER, .plain = true, .dup = true,
		.of = CHAN_OF_PROCESS },
	[RUNNING] = {
		.key = "running_tasks", .title = "Number of Running Tasks",
		.number = 6400021, .shows = TYPE_NUMBER, .plain = true, .dup = true,
		.of = CHAN_OF_PROCESS },
	[THREADS] = {
		.key = "created_threads", .title = "Number of Created Threads",
		.number = 6400022, .shows = TYPE_NUMBER, .plain = true, .dup = true,
		.of = CHAN_OF_PROCESS },
	[THREADS_RUNNING] = {
		.key = "running_threads", .title = "Number of Running Threads",
		.number = 6400023, .shows = TYPE_NUMBER, .plain = true, .dup = true,
		.of = CHAN_OF_PROCESS },
	[THREADS_BLOCKED] = {
		.key = "blocked_threads", .title = "Number of Blocked Threads",
		.number = 6400024, .shows = TYPE_NUMBER, .plain = true, .dup = true,
		.of = CHAN_OF_PROCESS },
	[READY] = {
		.key = "ready_tasks", .title = "Number of Ready Tasks",
		.number = 6400018, .shows = TYPE_NUMBER, .plain = true, .dup = true,
		.of = CHAN_OF_PROCESS },
};

static const struct task_chans task_chans = { .id = ID, .type = LABEL };

const struct ctf_chans ctf_chans = {
	.tid = TID, .label = LABEL, .source = SOURCE, .id = ID,
	.subsystem = SUBSYSTEM, .busy = BUSY, .ready = READY,
	.runtime_code = RUNTIME, .task_code = TASK, .mode = MODE,
	.blocked_threads = THREADS_BLOCKED,
	.runtime = 1, .task = 3, .arguments = 9, .task_for = 11, .debug = 100,
};

static const struct span_def spans[] = {
	/* in, out, channel, value, meaning, label, sentence */
	{ "worker_enter_busy_wait", "worker_exit_busy_wait",
	  SUBSYSTEM, 2, MEANS_SEARCH, "Busy Wait", "begins busy waiting" },
	{ ENTER("dependency_register"), EXIT("dependency_register"),
	  SUBSYSTEM, 4, MEANS_DEPENDENCIES, "Dependency: Register",
	  "begins registering dependencies" },
	{ ENTER("dependency_unregister"), EXIT("dependency_unregister"),
	  SUBSYSTEM, 5, MEANS_DEPENDENCIES, "Dependency: Unregister",
	  "begins unregistering dependencies" },
	{ ENTER("scheduler_add_task"), EXIT("scheduler_add_task"),
	  SUBSYSTEM, 6, MEANS_SCHEDULER, "Scheduler: Add Ready Task",
	  "begins adding a ready task" },
	{ ENTER("scheduler_get_task"), EXIT("scheduler_get_task"),
	  SUBSYSTEM, 7, MEANS_SCHEDULER, "Scheduler: Get Ready Task",
	  "begins looking for a ready task" },
	{ ENTER("taskfor_init"), EXIT("taskfor_init"),
	  SUBSYSTEM, 11, MEANS_CREATE, "Task: Taskfor Collaborator Init",
	  "begins preparing to help with a task-for" },
	{ ENTER("tc:taskwait"), EXIT("tc:taskwait"),
	  SUBSYSTEM, 12, MEANS_SYNC, "Task: TaskWait", "enters a taskwait" },
	{ ENTER("tc:waitfor"), EXIT("tc:waitfor"),
	  SUBSYSTEM, 13, MEANS_SLEEP, "Task: WaitFor", "enters a wait for some time" },
	{ ENTER("tc:mutex_lock"), EXIT("tc:mutex_lock"),
	  SUBSYSTEM, 14, MEANS_LOCK, "Task: User Mutex: Lock", "begins locking a mutex" },
	{ ENTER("tc:mutex_unlock"), EXIT("tc:mutex_unlock"),
	  SUBSYSTEM, 15, MEANS_OVERHEAD, "Task: User Mutex: Unlock",
	  "begins unlocking a mutex" },
	{ ENTER("tc:blocking_api_block"), EXIT("tc:blocking_api_block"),
	  SUBSYSTEM, 16, MEANS_SYNC, "Task: Blocking API: Block",
	  "begins blocking the task" },
	{ ENTER("tc:blocking_api_unblock") "|" ENTER("oc:blocking_api_unblock"),
	  EXIT("tc:blocking_api_unblock") "|" EXIT("oc:blocking_api_unblock"),
	  SUBSYSTEM, 17, MEANS_OVERHEAD, "Task: Blocking API: Unblock",
	  "begins unblocking a task" },
	{ ENTER("tc:spawn_function") "|" ENTER("oc:spawn_function"),
	  EXIT("tc:spawn_function") "|" EXIT("oc:spawn_function"),
	  SUBSYSTEM, 18, MEANS_CREATE, "SpawnFunction: Spawn", "begins spawning a function" },
	{ "scheduler_lock_server", "scheduler_lock_server_exit",
	  SUBSYSTEM, 20, MEANS_SEARCH, "Scheduler: Lock: Serving tasks",
	  "begins serving tasks, with the scheduler's lock" },
};

/* Actions of many events. These rows have no sentence: another row of the event
 * has it. */
#define ADD(names, of, n) \
	{ names, ROW_ADD, OWNER_PROCESS, of, -1, 0, SINCE_NOW, 0, 0, n, 0, NULL, "" }
#define SET(names, of, value, means, label) \
	{ names, ROW_SET, OWNER_THREAD, of, -1, 0, SINCE_NOW, 0, 0, value, means, label, "" }

static const struct model_row rows[] = {
	{ ENTER("tc:task_create") "|" ENTER("oc:task_create") "(u16 type, u32 id)",
	  ROW_PUSH, OWNER_THREAD, SUBSYSTEM, -1, 0, SINCE_NOW, 0, 0,
	  8, MEANS_CREATE, "Task: Create", "begins creating task %id of type %type" },
	{ EXIT("tc:task_create") "|" EXIT("oc:task_create"),
	  ROW_REPLACE, OWNER_THREAD, SUBSYSTEM, -1, 0, SINCE_NOW, 0, 0,
	  9, MEANS_CREATE, "Task: Arguments Init", "begins filling in the task's arguments" },
	{ ENTER("tc:task_submit") "|" ENTER("oc:task_submit"),
	  ROW_REPLACE, OWNER_THREAD, SUBSYSTEM, -1, 0, SINCE_NOW, 0, 0,
	  10, MEANS_CREATE, "Task: Submit", "begins submitting the task" },
	{ EXIT("tc:task_submit") "|" EXIT("oc:task_submit"),
	  ROW_POP, OWNER_THREAD, SUBSYSTEM, -1, 0, SINCE_NOW, 0, 0,
	  10, MEANS_CREATE, NULL, "ends submitting the task" },

	{ "scheduler_lock_server(u64 ts_acquire)",
	  ROW_POINT, OWNER_THREAD, SUBSYSTEM, -1, 0, SINCE_TIME, 0, 0,
	  19, MEANS_SEARCH, "Scheduler: Lock: Enter",
	  "acquires the scheduler's lock, requested at %ts_acquire" },
	{ "scheduler_lock_client(u64 ts_acquire, u32 id)",
	  ROW_POINT, OWNER_THREAD, SUBSYSTEM, -1, 0, SINCE_TIME, 0, 0,
	  19, MEANS_SEARCH, NULL, "receives task %id, requested at %ts_acquire" },
	{ "ctf_flush(u64 start, u64 end)",
	  ROW_POINT, OWNER_THREAD, FLUSH, -1, 0, SINCE_TIME, 0, 1,
	  1, MEANS_FLUSH, "flush", "wrote its buffer to disk" },

	SET("worker_enter_busy_wait", BUSY, 2, MEANS_SEARCH, "Busy Waiting"),
	SET("worker_exit_busy_wait", BUSY, VALUE_NONE, 0, NULL),
	SET("task_start|" GOES_ON, TASK, 3, MEANS_TASK, "Task"),
	SET("task_end|" LEAVES, TASK, VALUE_NONE, 0, NULL),
	SET("task_start|task_unblock|" GOES_ON, MODE, 3, MEANS_TASK, "Task"),
	SET("task_end|task_block|scheduler_lock_server_exit|" LEAVES, MODE, 1,
	    MEANS_OVERHEAD, "Runtime"),
	SET("scheduler_lock_server", MODE, VALUE_NONE, 0, NULL),

	ADD(ENTER("tc:task_create") "|" ENTER("oc:task_create"), CREATED, 1),
	ADD("task_block", BLOCKED, 1), ADD("task_unblock", BLOCKED, -1),
	ADD("task_start|task_unblock", RUNNING, 1),
	ADD("task_block|task_end", RUNNING, -1),
	ADD("thread_create", THREADS, 1), ADD("thread_shutdown", THREADS, -1),
	ADD("thread_resume", THREADS_RUNNING, 1),
	ADD("thread_suspend|thread_shutdown", THREADS_RUNNING, -1),
	ADD(ENTER("scheduler_add_task"), READY, 1),
};

static const struct event_def events[] = {
	{ "thread_create(u16 tid)", "creates worker thread %tid",
	  ctf_thread_create, 0 },
	{ "thread_resume(u16 tid)", "resumes as thread %tid",
	  ctf_thread_resume, 0 },
	{ "thread_suspend(u16 tid)", "suspends thread %tid",
	  ctf_thread_suspend, 0 },
	{ "thread_shutdown(u16 tid)", "ends thread %tid",
	  ctf_thread_shutdown, 0 },
	{ "external_thread_create(u16 tid)", "begins as external thread %tid",
	  ctf_external_create, 0 },
	{ "external_thread_resume(u16 tid)", "resumes as external thread %tid",
	  ctf_external_resume, 0 },
	{ "external_thread_suspend(u16 tid)", "suspends external thread %tid",
	  ctf_external_suspend, 0 },
	{ "external_thread_shutdown(u16 tid)", "ends external thread %tid",
	  ctf_external_shutdown, 0 },
	{ "task_label(u16 type, str label)",
	  "defines task type %type with label \"%label\"", ctf_label, 0 },
	{ "task_label(u16 type, str source)",
	  "defines task type %type from %source", ctf_source, 0 },
	{ ENTER("tc:task_create") "|" ENTER("oc:task_create") "(u32 id, u16 type)",
	  "begins creating task %id of type %type", ctf_task_create, 0 },
	{ ENTER("taskfor_init") "(u16 type, u32 id)",
	  "begins preparing to help with a task-for", ctf_task_for, 0 },
	{ "task_start(u32 id)", "begins the body of task %id",
	  ctf_task_start, 0 },
	{ "task_block", "blocks the task", ctf_task_block, 0 },
	{ "task_unblock", "resumes the task", ctf_task_unblock, 0 },
	{ "task_end", "ends the body of the task", ctf_task_end, 0 },
	{ "scheduler_lock_client(u64 ts_acquire, u32 id)",
	  "receives task %id", ctf_lock_client, 0 },
	{ "scheduler_lock_assign(u32 id)", "gives task %id to another thread",
	  ctf_lock_assign, 0 },
	{ "debug_register(u8 id, str name)",
	  "names section %id: \"%name\"", ctf_debug_register, 0 },
	{ "debug_enter(u8 id)", "enters section %id", ctf_debug_enter, 0 },
	{ "debug_transition(u8 id)", "continues with section %id",
	  ctf_debug_transition, 0 },
	{ "debug_exit", "leaves the section", ctf_debug_exit, 0 },
	{ LEAVES, "leaves the code of its task", ctf_task_calls, 0 },
};

static const struct label_def labels[] = {
	{ RUNTIME, 1, MEANS_OVERHEAD, "Runtime" },
	{ SUBSYSTEM, 1, MEANS_OVERHEAD, "Runtime" },
	{ SUBSYSTEM, 3, MEANS_TASK, "Task" },
};

#define NAMES(...) (const char *const[]){ __VA_ARGS__, NULL }

static const struct panel_def panels[] = {
	{ "tasks", "Tasks", NAMES("label") },
	{ "tasks_and_runtime", "Tasks and Runtime",
	  NAMES("runtime", "busy", "label") },
	{ "task_source", "Task Source", NAMES("runtime", "busy", "source") },
	{ "task_ids", "Task Ids", NAMES("runtime", "busy", "id") },
	{ "runtime_status_simple", "Runtime Status Simple",
	  NAMES("runtime", "busy", "task") },
	{ "runtime_subsystems", "Runtime Subsystems", NAMES("subsystems") },
	{ "thread_id", "Thread Id (TID)", NAMES("thread") },
	{ "ctf_buffers_flush_to_disk", "CTF buffers: flushes to disk",
	  NAMES("flush") },
	{ "hardware_counters", "Hardware Counters", NAMES(HWC) },
	{ "number_of_created_tasks", "Created Tasks", NAMES("created_tasks") },
	{ "number_of_blocked_tasks", "Blocked Tasks", NAMES("blocked_tasks") },
	{ "number_of_running_tasks", "Running Tasks", NAMES("running_tasks") },
	{ "number_of_ready_tasks", "Ready Tasks", NAMES("ready_tasks") },
	{ "number_of_created_workers", "Created Workers",
	  NAMES("created_threads") },
	{ "number_of_running_workers", "Running Workers",
	  NAMES("running_threads") },
	{ "number_of_blocked_workers", "Blocked Workers",
	  NAMES("blocked_threads") },
};

/* clang-format on */

const struct model model_nanos6_ctf = {
	.id = 'n',
	.name = "nanos6-ctf",
	.prefix = "nanos6:",
	.version = "1.0.0",
	.brief = "Nanos6 runtime, from its CTF traces",
	.need = NEED_NOTHING,
	MODEL_ROWS(chans),
	MODEL_ROWS(spans),
	MODEL_ROWS(rows),
	MODEL_ROWS(events),
	MODEL_ROWS(labels),
	MODEL_ROWS(panels),
	.counters_in = HWC,
	.counters_from = 3900000,
	.sender = ctf_sender,
	.told = &task_chans,
	.fini = ctf_fini,
};
