/* SPDX-License-Identifier: MIT */
/*
 * openmp.h - what the collectors of the two OpenMP runtimes share: the parallel
 * regions that a thread is in, numbers of regions and tasks, events.
 *
 * Workers learn only when they are needed again, or never, that a region is
 * over. So a thread leaves a region open after it has come to the join barrier
 * at its end. The event WGF of the thread that began the region ends it for all
 * of its threads; if that event is not recorded, each thread ends its join
 * barrier before its next region.
 *
 * All functions keep errno.
 */
#ifndef WEFT_INPROC_COLLECT_OPENMP_H
#define WEFT_INPROC_COLLECT_OPENMP_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/collect/batch.h"
#include "inproc/collect/wait.h"

enum {
	OMP_LEVELS = 24,   /* regions inside each other, whose state is kept */
	OMP_LATELY = 16,   /* a power of two */
	OMP_WAIT_NS = 200, /* shorter waits for a critical section, a lock or an
	                    * ordered section are not recorded */
};

/* Kinds of nested work that are kept; deeper ones end as the runtime says. */
enum { OMP_WORKS = 4 };

/* A region that the thread is in. */
struct omp_level {
	const void *caller; /* where the thread began it, or NULL: set by
	                     * ompt.c */
	uint32_t region, site;
	bool is_own;       /* the thread began it */
	bool is_alone;     /* the team has one thread: its end is no wait */
	bool is_joined;    /* waits at the join barrier, or has left it */
	const char *piece; /* event that ends the section or the chunk that
	                    * the thread is in; NULL: in none */
	uint8_t work[OMP_WORKS]; /* kinds of work that it has begun: ompt.c */
	uint8_t nwork;
};

/* What a thread remembers. Level 0 is outside of all regions. */
struct omp_self {
	uint32_t process; /* pid; another pid: stale, after a fork */
	uint32_t depth;
	uint32_t next_id, end_id; /* numbers that the thread may use */
	uint32_t making;          /* task that is being created, or 0 */
	struct stamp asked;       /* when the thread asked for a lock */
	struct stamp begun;       /* when it began a region or created a task
	                           * that it may enter at once; see
	                           * omp_enter_at_once() */
	const void *caller;       /* caller of the region begun last */
	uint32_t place;           /* site of the last wait in the region that
	                           * was recorded; 0: none */
	uint32_t losses;          /* collect_losses at that time: place was lost
	                           * if it differs */
	struct {
		const void *caller;
		uint32_t site;
	} lately[OMP_LATELY]; /* sites that were asked for, by caller */
	struct omp_level level[OMP_LEVELS + 1];
};

extern __thread struct omp_self omp_self
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

static inline bool
omp_looks(void)
{
	return collect_does(OPENMP);
}

/* Makes the tables. Returns false if there is no memory. */
bool omp_init(void);

/* Returns the level that the thread is in. */
struct omp_level *omp_level(void);

/* The id of this process; 0: not looked at. In pages that a fork wipes. */
extern uint32_t *omp_process __attribute__((visibility("hidden")));

/* Returns the number of a place in the code; 0: not known. */
uint32_t omp_find_site(const void *caller);

static inline uint32_t
omp_lately(const void *caller)
{
	uintptr_t a = (uintptr_t)caller;

	return (uint32_t)(a ^ a >> 4) % OMP_LATELY;
}

static inline uint32_t
omp_site(const void *caller)
{
	const struct omp_self *s = &omp_self;
	uint32_t at = omp_lately(caller);

	return __builtin_expect(s->lately[at].caller == caller &&
			       s->process ==
				       __atomic_load_n(
					       omp_process, __ATOMIC_RELAXED),
		       1)
		? s->lately[at].site
		: omp_find_site(caller);
}

/* Returns a new number of a region or a task, not 0. */
uint32_t omp_id(void);

/* A region, and the place in the code where it begins. */
struct omp_region {
	uint32_t number, site;
};

/* Begins a region. caller: the return address of the construct. */
struct omp_region omp_fork(const void *caller);

/* Ends it in the thread that began it, which was `depth` levels deep then. */
void omp_join(uint32_t region, uint32_t depth);

/* A thread begins its part of a region: its number in the team, the size of the
 * team, and the number of the region around it (0: none). depth: how many
 * levels the thread keeps; those above are of regions that are over. */
struct omp_part {
	uint32_t region;
	uint16_t number, size;
	uint32_t parent, depth;
	uint32_t site;
	bool is_own; /* the thread began the region */
};

void omp_enter(const struct omp_part *part);

/* Does the same in a team of one thread of a runtime that does nothing between
 * the begin of such a region and the thread's part: both get one time. */
void omp_enter_at_once(const struct omp_part *part);

/* Ends the section or the chunk that the thread is in. */
void omp_leave_piece(void);

/* The thread comes to the join barrier. */
void omp_arrive(void);

/* Ends the thread's join barrier and its innermost region, late, if the thread
 * is still in that region. */
void omp_leave(uint32_t region);

/* Returns the number of the type of the tasks that are created at a place; 0:
 * no room. */
uint32_t omp_task_type(const void *caller);

/* Record a task: creation, begin, end. */
void omp_task_create(uint32_t id, uint32_t type);
void omp_task_begin(uint32_t id, bool is_inside);

/* Does the same for a task that the runtime begins when it has created it, if
 * nothing happened since: both get one time. */
void omp_task_begin_at_once(uint32_t id);

void omp_task_end(uint32_t id, bool is_inside);

/* Records one event. */
static inline __attribute__((always_inline)) void
omp_event(const char *mcv)
{
	BATCH_PUT({ mcv, NULL, 0 });
}

/* Returns true if more is recorded than the ovni tools know. */
static inline bool
omp_has_regions(void)
{
	return weft_is_on("WGf") != 0;
}

/* Records the event that begins a wait, and its place in the code if the last
 * wait of the thread in its region was at another one. caller: NULL: not known.
 */
static inline __attribute__((always_inline)) void
omp_wait_begin(const char *mcv, const void *caller)
{
	uint32_t site = omp_site(caller),
		 losses = __atomic_load_n(&collect_losses, __ATOMIC_RELAXED);

	if (__builtin_expect(
		    (site == omp_self.place && losses == omp_self.losses) ||
			    !omp_has_regions(),
		    1)) {
		omp_event(mcv);
		return;
	}
	omp_self.place = site;
	omp_self.losses = losses;
	BATCH_PUT({ mcv, NULL, 0 }, { "WGb", &site, sizeof site });
}

/* The thread asks for a lock or an ordered section: returns the moment. Defines
 * the place in the code, so that nothing is recorded until the thread has it.
 */
struct stamp omp_ask(const void *caller);

/* Records that the thread waited since it asked, if it did. */
void omp_waited(const struct stamp *asked, const char *enter, const char *leave,
	const void *caller);
void omp_waited_for_lock(
	const struct stamp *asked, const void *lock, const void *caller);

/* Records that the thread has entered a critical section for which it asked at
 * a moment, and the wait if there was one. */
void omp_critical_begin(const struct stamp *asked, const void *caller);

#endif
