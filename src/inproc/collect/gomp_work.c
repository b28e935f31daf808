/* SPDX-License-Identifier: MIT */
/*
 * gomp_work.c - work-sharing, barriers, critical and ordered sections, waits
 * for tasks, and locks of GCC's runtime.
 */
#include "inproc/collect/gomp.h"
#include "inproc/collect/objects.h"

/* NOLINTBEGIN(bugprone-macro-parentheses,readability-function-size) - the
 * arguments are types, and the lists of parameters are those of the runtime */
/* Chunks of a loop: a thread is in one from the call that returns its bounds to
 * the next call, or to the end of a loop that was cancelled. */
static inline bool
has_chunks(void)
{
	return (collect_has & CHUNKS) != 0;
}

static bool
enter_chunk(bool has_one)
{
	if (has_one)
		omp_event("PWc");
	omp_level()->piece = has_one ? "PWC" : NULL;
	return has_one;
}

static inline __attribute__((always_inline)) bool
is_kind(const char *event, const char *kind)
{
	return event[1] == kind[0] && event[2] == kind[1];
}

/* All states but those of work-sharing are waits. */
static inline __attribute__((always_inline)) void
enter_state(const char *event, const void *caller)
{
	if (event[1] == 'W')
		omp_event(event);
	else
		omp_wait_begin(event, caller);
}

#define CALL(name, version, params, args, before, after) \
	WRAPPER void wrap_##name params; \
	void wrap_##name params \
	{ \
		const struct gomp *real = GOMP_OF(name); \
\
		if (!gomp_looks(real)) { \
			real->name args; \
			return; \
		} \
		if (is_kind(before, "Bb") && has_chunks()) \
			omp_leave_piece(); \
		enter_state(before, CALLER); \
		real->name args; \
		omp_event(after); \
	} \
	GOMP_SYMBOL(name, version);

#define RESULT(result, name, version, params, args, before, after) \
	WRAPPER result wrap_##name params; \
	result wrap_##name params \
	{ \
		const struct gomp *real = GOMP_OF(name); \
		result r; \
\
		if (!gomp_looks(real)) \
			return real->name args; \
		if (is_kind(before, "Bb") && has_chunks()) \
			omp_leave_piece(); \
		enter_state(before, CALLER); \
		r = real->name args; \
		omp_event(after); \
		if (is_kind(after, "WY") && has_chunks()) \
			enter_chunk((bool)(r)); \
		return r; \
	} \
	GOMP_SYMBOL(name, version);

#define NEXT(name, version, type) \
	WRAPPER bool wrap_##name(type *i, type *e); \
	bool wrap_##name(type *i, type *e) \
	{ \
		const struct gomp *real = GOMP_OF(name); \
\
		if (!has_chunks() || !gomp_looks(real)) \
			return real->name(i, e); \
		omp_leave_piece(); \
		return enter_chunk(real->name(i, e)); \
	} \
	GOMP_SYMBOL(name, version);

GOMP_CALLS(CALL)
GOMP_RESULTS(RESULT)
GOMP_NEXTS(NEXT)

/* Sections: a thread is in one from the call that returns its number to the
 * next call. */
static unsigned
enter_section(unsigned n)
{
	if (n != 0)
		omp_event("PWe");
	omp_level()->piece = n != 0 ? "PWE" : NULL;
	return n;
}

#define SECTION(name, version, params, args) \
	WRAPPER unsigned wrap_##name params; \
	unsigned wrap_##name params \
	{ \
		const struct gomp *real = GOMP_OF(name); \
\
		if (!gomp_looks(real)) \
			return real->name args; \
		omp_leave_piece(); \
		return enter_section(real->name args); \
	} \
	GOMP_SYMBOL(name, version);

SECTION(sections_start, "1.0", (unsigned count), (count))
SECTION(sections2_start, "5.0",
	(unsigned count, uintptr_t *reductions, void **mem),
	(count, reductions, mem))
SECTION(sections_next, "1.0", (void), ())

WRAPPER void wrap_sections_end(void);
WRAPPER void wrap_sections_end_nowait(void);
WRAPPER bool wrap_sections_end_cancel(void);

void
wrap_sections_end(void)
{
	const struct gomp *real = GOMP_OF(sections_end);

	if (!gomp_looks(real)) {
		real->sections_end();
		return;
	}
	omp_leave_piece();
	omp_wait_begin("PBb", CALLER);
	real->sections_end();
	omp_event("PBB");
}

void
wrap_sections_end_nowait(void)
{
	const struct gomp *real = GOMP_OF(sections_end_nowait);

	if (gomp_looks(real))
		omp_leave_piece();
	real->sections_end_nowait();
}

bool
wrap_sections_end_cancel(void)
{
	const struct gomp *real = GOMP_OF(sections_end_cancel);
	bool r;

	if (!gomp_looks(real))
		return real->sections_end_cancel();
	omp_leave_piece();
	omp_wait_begin("PBb", CALLER);
	r = real->sections_end_cancel();
	omp_event("PBB");
	return r;
}

GOMP_SYMBOL(sections_end, "1.0");
GOMP_SYMBOL(sections_end_nowait, "1.0");
GOMP_SYMBOL(sections_end_cancel, "4.0");

/* Critical sections, and atomic operations that are too large for the
 * processor. */
#define CRITICAL(start, end, version, params, args) \
	WRAPPER void wrap_##start params; \
	void wrap_##start params \
	{ \
		const struct gomp *real = GOMP_OF(start); \
		struct stamp asked; \
\
		if (!gomp_looks(real)) { \
			real->start args; \
			return; \
		} \
		asked = omp_ask(CALLER); \
		real->start args; \
		omp_critical_begin(&asked, CALLER); \
	} \
	WRAPPER void wrap_##end params; \
	void wrap_##end params \
	{ \
		const struct gomp *real = GOMP_OF(end); \
\
		if (!gomp_looks(real)) { \
			real->end args; \
			return; \
		} \
		BATCH_PUT({ "PI]", NULL, 0 }, { "PIr", NULL, 0 }); \
		real->end args; \
		omp_event("PIR"); \
	} \
	GOMP_SYMBOL(start, version); \
	GOMP_SYMBOL(end, version);

CRITICAL(critical_start, critical_end, "1.0", (void), ())
CRITICAL(critical_name_start, critical_name_end, "1.0", (void **lock), (lock))
CRITICAL(atomic_start, atomic_end, "1.0", (void), ())

WRAPPER void wrap_ordered_start(void);

void
wrap_ordered_start(void)
{
	const struct gomp *real = GOMP_OF(ordered_start);
	const void *caller = __builtin_return_address(0);
	struct stamp asked;

	if (!gomp_looks(real)) {
		real->ordered_start();
		return;
	}
	asked = omp_ask(caller);
	real->ordered_start();
	omp_waited(&asked, "WGo", "WGO", caller);
}

WRAPPER void wrap_workshare_task_reduction_unregister(bool is_cancelled);

/* Has a barrier, unless the construct was cancelled. */
void
wrap_workshare_task_reduction_unregister(bool is_cancelled)
{
	const struct gomp *real = GOMP_OF(workshare_task_reduction_unregister);

	if (is_cancelled || !gomp_looks(real)) {
		real->workshare_task_reduction_unregister(is_cancelled);
		return;
	}
	omp_wait_begin("PBb", CALLER);
	real->workshare_task_reduction_unregister(is_cancelled);
	omp_event("PBB");
}

GOMP_SYMBOL(ordered_start, "1.0");
GOMP_SYMBOL(workshare_task_reduction_unregister, "5.0");

/* Locks: a free one records nothing. */
static const struct wait_row lock_row = { "WMo", "WMO", KIND_OMP_LOCK,
	HAS_MIDDLE };

#define LOCK(name, version, tries) \
	WRAPPER void wrap_##name(void *lock); \
	void wrap_##name(void *lock) \
	{ \
		const struct gomp *real = GOMP_OF(name); \
		struct waiting w; \
\
		if (!gomp_looks(real)) { \
			real->name(lock); \
			return; \
		} \
		if (real->tries(lock) != 0) \
			return; \
		wait_begin(&w, &lock_row, lock, CALLER, FRAME); \
		real->name(lock); \
		wait_end(&w, GOT); \
	} \
	__asm__(".symver wrap_" #name "," #name "@@OMP_" version);

#define UNLOCK(name, version) \
	WRAPPER void wrap_##name(void *lock); \
	void wrap_##name(void *lock) \
	{ \
		const struct gomp *real = GOMP_OF(name); \
\
		if (gomp_looks(real)) \
			wait_hand_over("WHu", lock, KIND_OMP_LOCK, 0, CALLER); \
		real->name(lock); \
	} \
	__asm__(".symver wrap_" #name "," #name "@@OMP_" version);

GOMP_LOCKS(LOCK)
GOMP_UNLOCKS(UNLOCK)
/* NOLINTEND(bugprone-macro-parentheses,readability-function-size) */
