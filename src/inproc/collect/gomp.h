/* SPDX-License-Identifier: MIT */
/*
 * gomp.h - the functions of GCC's runtime (libgomp) that compiled programs
 * call, as rows of tables with a class of prototypes each.
 *
 * Several copies of the runtime may live in a process: Python modules bring
 * their own. So the real function is that of the library on which the caller's
 * module depends, not the next one in the loader's order; a module that was
 * loaded with RTLD_LOCAL has no next one.
 */
#ifndef WEFT_INPROC_COLLECT_GOMP_H
#define WEFT_INPROC_COLLECT_GOMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inproc/collect/openmp.h"

typedef void gomp_fn(void *data);
typedef void gomp_copy_fn(void *to, void *from);
typedef unsigned long long gomp_ull;

/* NOLINTBEGIN(bugprone-macro-parentheses) - the arguments are types, and lists
 * of parameters */
/* clang-format off */

/* Parallel regions: fn(data) runs in each thread of the team.
 * ROW(name, version, parameters after data, arguments after data) */
#define GOMP_LOOP_PARAMS \
	unsigned n, long start, long end, long step, long chunk, unsigned flags
#define GOMP_LOOP_ARGS n, start, end, step, chunk, flags
#define GOMP_RUNTIME_PARAMS \
	unsigned n, long start, long end, long step, unsigned flags
#define GOMP_RUNTIME_ARGS n, start, end, step, flags
#define GOMP_REGIONS(ROW) \
	ROW(parallel, "4.0", (unsigned n, unsigned flags), (n, flags)) \
	ROW(parallel_loop_static, "4.0", (GOMP_LOOP_PARAMS), (GOMP_LOOP_ARGS)) \
	ROW(parallel_loop_dynamic, "4.0", (GOMP_LOOP_PARAMS), (GOMP_LOOP_ARGS)) \
	ROW(parallel_loop_guided, "4.0", (GOMP_LOOP_PARAMS), (GOMP_LOOP_ARGS)) \
	ROW(parallel_loop_runtime, "4.0", (GOMP_RUNTIME_PARAMS), \
		(GOMP_RUNTIME_ARGS)) \
	ROW(parallel_loop_nonmonotonic_dynamic, "4.5", (GOMP_LOOP_PARAMS), \
		(GOMP_LOOP_ARGS)) \
	ROW(parallel_loop_nonmonotonic_guided, "4.5", (GOMP_LOOP_PARAMS), \
		(GOMP_LOOP_ARGS)) \
	ROW(parallel_loop_nonmonotonic_runtime, "5.0", (GOMP_RUNTIME_PARAMS), \
		(GOMP_RUNTIME_ARGS)) \
	ROW(parallel_loop_maybe_nonmonotonic_runtime, "5.0", \
		(GOMP_RUNTIME_PARAMS), (GOMP_RUNTIME_ARGS)) \
	ROW(parallel_sections, "4.0", \
		(unsigned n, unsigned count, unsigned flags), \
		(n, count, flags)) \
	ROW(teams_reg, "5.0", (unsigned n, unsigned limit, unsigned flags), \
		(n, limit, flags))

/* What gcc before 4.9 called: the thread that begins the region runs fn(data)
 * itself, then calls GOMP_parallel_end(). */
#define GOMP_STARTS(ROW) \
	ROW(parallel_start, "1.0", (unsigned n), (n)) \
	ROW(parallel_loop_static_start, "1.0", \
		(unsigned n, long start, long end, long step, long chunk), \
		(n, start, end, step, chunk)) \
	ROW(parallel_loop_dynamic_start, "1.0", \
		(unsigned n, long start, long end, long step, long chunk), \
		(n, start, end, step, chunk)) \
	ROW(parallel_loop_guided_start, "1.0", \
		(unsigned n, long start, long end, long step, long chunk), \
		(n, start, end, step, chunk)) \
	ROW(parallel_loop_runtime_start, "1.0", \
		(unsigned n, long start, long end, long step), \
		(n, start, end, step)) \
	ROW(parallel_sections_start, "1.0", (unsigned n, unsigned count), \
		(n, count))

/* Calls that are one state. ROW(name, version, parameters, arguments, event
 * before, event after) */
#define GOMP_CALLS(ROW) \
	ROW(barrier, "1.0", (void), (), "PBb", "PBB") \
	ROW(loop_end, "1.0", (void), (), "PBb", "PBB") \
	ROW(single_copy_end, "1.0", (void *data), (data), "PBb", "PBB") \
	ROW(taskwait, "2.0", (void), (), "PTt", "PTT") \
	ROW(taskyield, "3.0", (void), (), "PTy", "PTY") \
	ROW(taskgroup_end, "4.0", (void), (), "PTg", "PTG") \
	ROW(taskwait_depend, "5.0", (void **depend), (depend), "PTw", "PTW")

/* The same for calls that return something. ROW(result, name, ...) */
#define GOMP_LONG_START (long start, long end, long step, long *i, long *e)
#define GOMP_LONG_CHUNK \
	(long start, long end, long step, long chunk, long *i, long *e)
#define GOMP_ULL_START \
	(bool up, gomp_ull start, gomp_ull end, gomp_ull step, gomp_ull *i, \
		gomp_ull *e)
#define GOMP_ULL_CHUNK \
	(bool up, gomp_ull start, gomp_ull end, gomp_ull step, gomp_ull chunk, \
		gomp_ull *i, gomp_ull *e)
#define GOMP_LOOP_ROW(ROW, name, version, params, ...) \
	ROW(bool, loop_##name##_start, version, params, (__VA_ARGS__), "PWy", \
		"PWY")
#define GOMP_LONG(ROW, name, version) \
	GOMP_LOOP_ROW(ROW, name, version, GOMP_LONG_CHUNK, start, end, step, \
		chunk, i, e)
#define GOMP_LONG_NO_CHUNK(ROW, name, version) \
	GOMP_LOOP_ROW(ROW, name, version, GOMP_LONG_START, start, end, step, \
		i, e)
#define GOMP_ULL(ROW, name, version) \
	GOMP_LOOP_ROW(ROW, ull_##name, version, GOMP_ULL_CHUNK, up, start, \
		end, step, chunk, i, e)
#define GOMP_ULL_NO_CHUNK(ROW, name, version) \
	GOMP_LOOP_ROW(ROW, ull_##name, version, GOMP_ULL_START, up, start, \
		end, step, i, e)
#define GOMP_CROSS(ROW, name, of, type) \
	GOMP_LOOP_ROW(ROW, of##name, "4.5", \
		(unsigned n, type * counts, type chunk, type * i, type * e), \
		n, counts, chunk, i, e)
#define GOMP_CROSS_NO_CHUNK(ROW, name, of, type) \
	GOMP_LOOP_ROW(ROW, of##name, "4.5", \
		(unsigned n, type * counts, type * i, type * e), n, counts, i, \
		e)
#define GOMP_RESULTS(ROW) \
	ROW(bool, barrier_cancel, "4.0", (void), (), "PBb", "PBB") \
	ROW(bool, loop_end_cancel, "4.0", (void), (), "PBb", "PBB") \
	ROW(bool, single_start, "1.0", (void), (), "PWi", "PWI") \
	ROW(void *, single_copy_start, "1.0", (void), (), "PBb", "PBB") \
	GOMP_LONG(ROW, static, "1.0") \
	GOMP_LONG(ROW, dynamic, "1.0") \
	GOMP_LONG(ROW, guided, "1.0") \
	GOMP_LONG_NO_CHUNK(ROW, runtime, "1.0") \
	GOMP_LONG(ROW, ordered_static, "1.0") \
	GOMP_LONG(ROW, ordered_dynamic, "1.0") \
	GOMP_LONG(ROW, ordered_guided, "1.0") \
	GOMP_LONG_NO_CHUNK(ROW, ordered_runtime, "1.0") \
	GOMP_LONG(ROW, nonmonotonic_dynamic, "4.5") \
	GOMP_LONG(ROW, nonmonotonic_guided, "4.5") \
	GOMP_LONG_NO_CHUNK(ROW, nonmonotonic_runtime, "5.0") \
	GOMP_LONG_NO_CHUNK(ROW, maybe_nonmonotonic_runtime, "5.0") \
	GOMP_ULL(ROW, static, "2.0") \
	GOMP_ULL(ROW, dynamic, "2.0") \
	GOMP_ULL(ROW, guided, "2.0") \
	GOMP_ULL_NO_CHUNK(ROW, runtime, "2.0") \
	GOMP_ULL(ROW, ordered_static, "2.0") \
	GOMP_ULL(ROW, ordered_dynamic, "2.0") \
	GOMP_ULL(ROW, ordered_guided, "2.0") \
	GOMP_ULL_NO_CHUNK(ROW, ordered_runtime, "2.0") \
	GOMP_ULL(ROW, nonmonotonic_dynamic, "4.5") \
	GOMP_ULL(ROW, nonmonotonic_guided, "4.5") \
	GOMP_ULL_NO_CHUNK(ROW, nonmonotonic_runtime, "5.0") \
	GOMP_ULL_NO_CHUNK(ROW, maybe_nonmonotonic_runtime, "5.0") \
	GOMP_CROSS(ROW, doacross_static, , long) \
	GOMP_CROSS(ROW, doacross_dynamic, , long) \
	GOMP_CROSS(ROW, doacross_guided, , long) \
	GOMP_CROSS_NO_CHUNK(ROW, doacross_runtime, , long) \
	GOMP_CROSS(ROW, doacross_static, ull_, gomp_ull) \
	GOMP_CROSS(ROW, doacross_dynamic, ull_, gomp_ull) \
	GOMP_CROSS(ROW, doacross_guided, ull_, gomp_ull) \
	GOMP_CROSS_NO_CHUNK(ROW, doacross_runtime, ull_, gomp_ull) \
	ROW(bool, loop_start, "5.0", \
		(long start, long end, long step, long sched, long chunk, \
			long *i, long *e, uintptr_t *reductions, void **mem), \
		(start, end, step, sched, chunk, i, e, reductions, mem), \
		"PWy", "PWY") \
	ROW(bool, loop_ordered_start, "5.0", \
		(long start, long end, long step, long sched, long chunk, \
			long *i, long *e, uintptr_t *reductions, void **mem), \
		(start, end, step, sched, chunk, i, e, reductions, mem), \
		"PWy", "PWY") \
	ROW(bool, loop_ull_start, "5.0", \
		(bool up, gomp_ull start, gomp_ull end, gomp_ull step, \
			long sched, gomp_ull chunk, gomp_ull *i, gomp_ull *e, \
			uintptr_t *reductions, void **mem), \
		(up, start, end, step, sched, chunk, i, e, reductions, mem), \
		"PWy", "PWY") \
	ROW(bool, loop_ull_ordered_start, "5.0", \
		(bool up, gomp_ull start, gomp_ull end, gomp_ull step, \
			long sched, gomp_ull chunk, gomp_ull *i, gomp_ull *e, \
			uintptr_t *reductions, void **mem), \
		(up, start, end, step, sched, chunk, i, e, reductions, mem), \
		"PWy", "PWY") \
	ROW(bool, loop_doacross_start, "5.0", \
		(unsigned n, long *counts, long sched, long chunk, long *i, \
			long *e, uintptr_t *reductions, void **mem), \
		(n, counts, sched, chunk, i, e, reductions, mem), "PWy", \
		"PWY") \
	ROW(bool, loop_ull_doacross_start, "5.0", \
		(unsigned n, gomp_ull *counts, long sched, gomp_ull chunk, \
			gomp_ull *i, gomp_ull *e, uintptr_t *reductions, \
			void **mem), \
		(n, counts, sched, chunk, i, e, reductions, mem), "PWy", \
		"PWY")

/* The next chunk of a loop. ROW(name, version, type of its bounds) */
#define GOMP_NEXT(ROW, name, version, of_ull) \
	ROW(loop_##name##_next, version, long) \
	ROW(loop_ull_##name##_next, of_ull, gomp_ull)
#define GOMP_NEXTS(ROW) \
	GOMP_NEXT(ROW, static, "1.0", "2.0") \
	GOMP_NEXT(ROW, dynamic, "1.0", "2.0") \
	GOMP_NEXT(ROW, guided, "1.0", "2.0") \
	GOMP_NEXT(ROW, runtime, "1.0", "2.0") \
	GOMP_NEXT(ROW, ordered_static, "1.0", "2.0") \
	GOMP_NEXT(ROW, ordered_dynamic, "1.0", "2.0") \
	GOMP_NEXT(ROW, ordered_guided, "1.0", "2.0") \
	GOMP_NEXT(ROW, ordered_runtime, "1.0", "2.0") \
	GOMP_NEXT(ROW, nonmonotonic_dynamic, "4.5", "4.5") \
	GOMP_NEXT(ROW, nonmonotonic_guided, "4.5", "4.5") \
	GOMP_NEXT(ROW, nonmonotonic_runtime, "5.0", "5.0") \
	GOMP_NEXT(ROW, maybe_nonmonotonic_runtime, "5.0", "5.0")

/* Each has a wrapper of its own. ROW(result, name, version, parameters) */
#define GOMP_OTHERS(ROW) \
	ROW(unsigned, parallel_reductions, "5.0", \
		(gomp_fn * fn, void *data, unsigned n, unsigned flags)) \
	ROW(void, parallel_end, "1.0", (void)) \
	ROW(unsigned, sections_start, "1.0", (unsigned count)) \
	ROW(unsigned, sections2_start, "5.0", \
		(unsigned count, uintptr_t *reductions, void **mem)) \
	ROW(unsigned, sections_next, "1.0", (void)) \
	ROW(void, sections_end, "1.0", (void)) \
	ROW(void, sections_end_nowait, "1.0", (void)) \
	ROW(bool, sections_end_cancel, "4.0", (void)) \
	ROW(void, critical_start, "1.0", (void)) \
	ROW(void, critical_end, "1.0", (void)) \
	ROW(void, critical_name_start, "1.0", (void **lock)) \
	ROW(void, critical_name_end, "1.0", (void **lock)) \
	ROW(void, atomic_start, "1.0", (void)) \
	ROW(void, atomic_end, "1.0", (void)) \
	ROW(void, ordered_start, "1.0", (void)) \
	ROW(void, workshare_task_reduction_unregister, "5.0", \
		(bool is_cancelled)) \
	ROW(void, task, "2.0", \
		(gomp_fn * fn, void *data, gomp_copy_fn *copy, long size, \
			long align, bool if_clause, unsigned flags, \
			void **depend, int priority, void *detach)) \
	ROW(void, taskloop, "4.5", \
		(gomp_fn * fn, void *data, gomp_copy_fn *copy, long size, \
			long align, unsigned flags, unsigned long tasks, \
			int priority, long start, long end, long step)) \
	ROW(void, taskloop_ull, "4.5", \
		(gomp_fn * fn, void *data, gomp_copy_fn *copy, long size, \
			long align, unsigned flags, unsigned long tasks, \
			int priority, gomp_ull start, gomp_ull end, \
			gomp_ull step))

/* Locks; the names with a line below are called from Fortran. ROW(name,
 * version, name of the function that tries), ROW(name, version) */
#define GOMP_LOCKS(ROW) \
	ROW(omp_set_lock, "3.0", omp_test_lock) \
	ROW(omp_set_lock_, "3.0", omp_test_lock_) \
	ROW(omp_set_nest_lock, "3.0", omp_test_nest_lock) \
	ROW(omp_set_nest_lock_, "3.0", omp_test_nest_lock_)
#define GOMP_UNLOCKS(ROW) \
	ROW(omp_unset_lock, "3.0") \
	ROW(omp_unset_lock_, "3.0") \
	ROW(omp_unset_nest_lock, "3.0") \
	ROW(omp_unset_nest_lock_, "3.0")
/* clang-format on */

#define GOMP_STRIP(...) __VA_ARGS__
#define GOMP_REGION_MEMBER(name, version, params, args) \
	void (*name)(gomp_fn *, void *, GOMP_STRIP params);
#define GOMP_CALL_MEMBER(name, version, params, args, enter, leave) \
	void(*name) params;
#define GOMP_RESULT_MEMBER(result, name, version, params, args, enter, leave) \
	result(*name) params;
#define GOMP_NEXT_MEMBER(name, version, type) bool (*name)(type * i, type * e);
#define GOMP_OTHER_MEMBER(result, name, version, params) result(*name) params;
#define GOMP_LOCK_MEMBER(name, version, tries) \
	void (*name)(void *); \
	int (*tries)(void *);

#define GOMP_UNLOCK_MEMBER(name, version) void (*name)(void *);

/* The real functions for calls from one module. */
struct gomp {
	uintptr_t lo, size; /* where the calling module is mapped */
	bool is_llvm; /* the functions are those of LLVM's runtime, which tells
	               * about itself (ompt.c) */
	GOMP_REGIONS(GOMP_REGION_MEMBER)
	GOMP_STARTS(GOMP_REGION_MEMBER)
	GOMP_CALLS(GOMP_CALL_MEMBER)
	GOMP_RESULTS(GOMP_RESULT_MEMBER)
	GOMP_NEXTS(GOMP_NEXT_MEMBER)
	GOMP_OTHERS(GOMP_OTHER_MEMBER)
	GOMP_LOCKS(GOMP_LOCK_MEMBER)
	GOMP_UNLOCKS(GOMP_UNLOCK_MEMBER)
	void *doacross_wait, *doacross_ull_wait; /* any number of arguments */
	int (*omp_get_thread_num)(void);
	int (*omp_get_num_threads)(void);
};

/* NOLINTEND(bugprone-macro-parentheses) */

/* Returns the functions for a caller; `at` is the offset of the pointer that is
 * called. If there is no such function, ends the process with a message. */
const struct gomp *gomp_find(const void *caller, size_t at);

extern struct gomp *gomp_first __attribute__((visibility("hidden")));

/* Does the same; the module that called first is found at once. */
static inline const struct gomp *
gomp_of(const void *caller, size_t at)
{
	const struct gomp *g = __atomic_load_n(&gomp_first, __ATOMIC_ACQUIRE);

	if (__builtin_expect(g != NULL && (uintptr_t)caller - g->lo < g->size &&
			    *(void *const *)((const char *)g + at) != NULL,
		    1))
		return g;
	return gomp_find(caller, at);
}

#define GOMP_OF(name) \
	gomp_of(__builtin_return_address(0), offsetof(struct gomp, name))

/* Returns true if a wrapper records. */
static inline bool
gomp_looks(const struct gomp *g)
{
	return omp_looks() && !g->is_llvm;
}

/* The symbol of a wrapper wrap_NAME. */
#define GOMP_SYMBOL(name, version) \
	__asm__(".symver wrap_" #name ",GOMP_" #name "@@GOMP_" version)

#endif
