/* SPDX-License-Identifier: MIT */
/*
 * weft/nanos6.h - the tracepoints of Nanos6 as a table for weft/ctf.h.
 *
 *	static struct weft_ctf_tracepoint points[] = {
 *		WEFT_NANOS6_TRACEPOINTS { 0 }
 *	};
 *	weft_ctf_start(&(struct weft_ctf_runtime){
 *		.prefix = "nanos6", .points = points, .ncpus = n });
 *	weft_ctf_enter(&points[WEFT_NANOS6_TASKWAIT], 1);
 *
 * Names, ids, fields and counters are those of Nanos6 4.3, so tools that read
 * Nanos6 traces read these, with two differences: thread ids have 32 bits, and
 * events without fields have no dummy field. A runtime with the same concepts
 * can use the table unchanged and gets all views of Nanos6.
 */
#ifndef WEFT_NANOS6_H
#define WEFT_NANOS6_H

#include <weft/ctf.h>

/* clang-format off */

/* X(constant, name, fields, variants, counters, meaning) */
#define WEFT_NANOS6_ROWS(X) \
	X(CTF_FLUSH, "ctf_flush", "u64 start, u64 end", 0, 0, FLUSH) \
	X(THREAD_CREATE, "thread_create", "u32 tid", 0, 0, KEPT) \
	X(THREAD_RESUME, "thread_resume", "u32 tid", 0, 0, THREAD_RESUME) \
	X(THREAD_SUSPEND, "thread_suspend", "u32 tid", 0, WEFT_CTF_RUNTIME, KEPT) \
	X(THREAD_SHUTDOWN, "thread_shutdown", "u32 tid", 0, WEFT_CTF_RUNTIME, KEPT) \
	X(EXTERNAL_CREATE, "external_thread_create", "u32 tid", 0, 0, EXTERNAL_CREATE) \
	X(EXTERNAL_RESUME, "external_thread_resume", "u32 tid", 0, 0, EXTERNAL_RESUME) \
	X(EXTERNAL_SUSPEND, "external_thread_suspend", "u32 tid", 0, 0, KEPT) \
	X(EXTERNAL_SHUTDOWN, "external_thread_shutdown", "u32 tid", 0, 0, EXTERNAL_SHUTDOWN) \
	X(ENTER_BUSY_WAIT, "worker_enter_busy_wait", "", 0, 0, NOTHING) \
	X(EXIT_BUSY_WAIT, "worker_exit_busy_wait", "", 0, 0, NOTHING) \
	X(TASK_LABEL, "task_label", "str label, str source, u16 type", 0, 0, KEPT) \
	X(TASK_CREATE, "task_create", "u16 type, u32 id", WEFT_CTF_TC | WEFT_CTF_OC, WEFT_CTF_TASK, NOTHING) \
	X(TASK_SUBMIT, "task_submit", "", WEFT_CTF_TC | WEFT_CTF_OC, WEFT_CTF_RUNTIME, NOTHING) \
	X(TASK_START, "task_start", "u32 id", 0, WEFT_CTF_RUNTIME, TASK_START) \
	X(TASK_BLOCK, "task_block", "", 0, 0, TASK_BLOCK) \
	X(TASK_UNBLOCK, "task_unblock", "", 0, 0, TASK_UNBLOCK) \
	X(TASK_END, "task_end", "", 0, WEFT_CTF_TASK, TASK_END) \
	X(REGISTER_ENTER, "dependency_register_enter", "", 0, 0, NOTHING) \
	X(REGISTER_EXIT, "dependency_register_exit", "", 0, 0, NOTHING) \
	X(UNREGISTER_ENTER, "dependency_unregister_enter", "", 0, 0, NOTHING) \
	X(UNREGISTER_EXIT, "dependency_unregister_exit", "", 0, 0, NOTHING) \
	X(ADD_TASK_ENTER, "scheduler_add_task_enter", "", 0, 0, NOTHING) \
	X(ADD_TASK_EXIT, "scheduler_add_task_exit", "", 0, 0, NOTHING) \
	X(GET_TASK_ENTER, "scheduler_get_task_enter", "", 0, 0, NOTHING) \
	X(GET_TASK_EXIT, "scheduler_get_task_exit", "", 0, 0, NOTHING) \
	X(TASKWAIT, "taskwait", "", WEFT_CTF_TC, WEFT_CTF_TASK | WEFT_CTF_RUNTIME, NOTHING) \
	X(WAITFOR, "waitfor", "", WEFT_CTF_TC, WEFT_CTF_TASK | WEFT_CTF_RUNTIME, NOTHING) \
	X(BLOCK, "blocking_api_block", "", WEFT_CTF_TC, WEFT_CTF_TASK | WEFT_CTF_RUNTIME, NOTHING) \
	X(UNBLOCK, "blocking_api_unblock", "", WEFT_CTF_TC | WEFT_CTF_OC, WEFT_CTF_TASK | WEFT_CTF_RUNTIME, NOTHING) \
	X(SPAWN, "spawn_function", "", WEFT_CTF_TC | WEFT_CTF_OC, WEFT_CTF_TASK | WEFT_CTF_RUNTIME, NOTHING) \
	X(MUTEX_LOCK, "mutex_lock", "", WEFT_CTF_TC, WEFT_CTF_TASK | WEFT_CTF_RUNTIME, NOTHING) \
	X(MUTEX_UNLOCK, "mutex_unlock", "", WEFT_CTF_TC, WEFT_CTF_TASK | WEFT_CTF_RUNTIME, NOTHING) \
	X(DEBUG_REGISTER, "debug_register", "str name, u8 id", 0, 0, KEPT) \
	X(DEBUG_ENTER, "debug_enter", "u8 id", 0, 0, NOTHING) \
	X(DEBUG_TRANSITION, "debug_transition", "u8 id", 0, 0, NOTHING) \
	X(DEBUG_EXIT, "debug_exit", "", 0, 0, NOTHING) \
	X(LOCK_SERVER, "scheduler_lock_server", "u64 ts_acquire", 0, 0, NOTHING) \
	X(LOCK_CLIENT, "scheduler_lock_client", "u64 ts_acquire, u32 id", 0, 0, NOTHING) \
	X(LOCK_ASSIGN, "scheduler_lock_assign", "u32 id", 0, 0, NOTHING) \
	X(LOCK_SERVER_EXIT, "scheduler_lock_server_exit", "", 0, 0, NOTHING)

#define WEFT_NANOS6_CONSTANT(constant, name, fields, variants, counters, does) \
	WEFT_NANOS6_##constant,
#define WEFT_NANOS6_TRACEPOINT(constant, name, fields, variants, counters, does) \
	{ name, fields, variants, counters, WEFT_CTF_##does, { { 0, 0, 0 } } },

/* clang-format on */

/* Indices into the table. */
enum { WEFT_NANOS6_ROWS(WEFT_NANOS6_CONSTANT) WEFT_NANOS6_N };

#define WEFT_NANOS6_TRACEPOINTS WEFT_NANOS6_ROWS(WEFT_NANOS6_TRACEPOINT)

#endif
