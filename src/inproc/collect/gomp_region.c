/* SPDX-License-Identifier: MIT */
/*
 * gomp_region.c - parallel regions of GCC's runtime. The runtime gets a
 * function of ours, which calls the program's between the events of the
 * thread's part.
 */
#include "inproc/collect/gomp.h"

/* What the runtime hands to each thread of the team. It lies on the stack of
 * the thread that begins the region, which outlives the region. */
struct block {
	void *first; /* GOMP_parallel_reductions() reads the first word */
	gomp_fn *fn;
	void *data;
	const struct gomp *real;
	const struct omp_self *master;
	uint32_t region, parent, site, depth;
};

enum { STARTED = 8 };

/* The regions that the thread began with GOMP_parallel_start(). */
static __thread struct {
	uint32_t n;
	struct block block[STARTED];
} started __attribute__((tls_model("initial-exec")));

static void
enter(const struct block *b)
{
	struct omp_part part = { .region = b->region,
		.parent = b->parent,
		.site = b->site,
		.is_own = b->master == &omp_self,
		.size = 1,
		.depth = b->master == &omp_self ? b->depth : 0 };

	/* the thread that begins a region is number 0 */
	if (!part.is_own && b->real->omp_get_thread_num != NULL)
		part.number = (uint16_t)b->real->omp_get_thread_num();
	if (b->real->omp_get_num_threads != NULL)
		part.size = (uint16_t)b->real->omp_get_num_threads();
	omp_enter(&part);
}

static void
body(void *block)
{
	const struct block *b = block;

	enter(b);
	b->fn(b->data);
	omp_arrive();
}

static void
begin(struct block *b, const struct gomp *real, gomp_fn *fn, void *data,
	const void *caller)
{
	struct omp_region made;

	*b = (struct block){ .fn = fn,
		.data = data,
		.real = real,
		.master = &omp_self,
		.parent = omp_level()->region,
		.depth = omp_self.depth };
	made = omp_fork(caller);
	b->region = made.number;
	b->site = made.site;
}

/* NOLINTBEGIN(bugprone-macro-parentheses,readability-function-size) - the
 * arguments are types, and the lists of parameters are those of the runtime */
#define REGION(name, version, params, args) \
	WRAPPER void wrap_##name(gomp_fn *fn, void *data, GOMP_STRIP params); \
	void wrap_##name(gomp_fn *fn, void *data, GOMP_STRIP params) \
	{ \
		const struct gomp *real = GOMP_OF(name); \
		struct block b; \
\
		if (!gomp_looks(real)) { \
			real->name(fn, data, GOMP_STRIP args); \
			return; \
		} \
		begin(&b, real, fn, data, __builtin_return_address(0)); \
		real->name(body, &b, GOMP_STRIP args); \
		omp_join(b.region, b.depth); \
	} \
	GOMP_SYMBOL(name, version);

#define START(name, version, params, args) \
	WRAPPER void wrap_##name(gomp_fn *fn, void *data, GOMP_STRIP params); \
	void wrap_##name(gomp_fn *fn, void *data, GOMP_STRIP params) \
	{ \
		const struct gomp *real = GOMP_OF(name); \
		struct block *b = &started.block[started.n]; \
\
		if (!gomp_looks(real) || started.n++ >= STARTED) { \
			real->name(fn, data, GOMP_STRIP args); \
			return; \
		} \
		begin(b, real, fn, data, __builtin_return_address(0)); \
		real->name(body, b, GOMP_STRIP args); \
		enter(b); \
	} \
	GOMP_SYMBOL(name, version);

GOMP_REGIONS(REGION)
GOMP_STARTS(START)
/* NOLINTEND(bugprone-macro-parentheses,readability-function-size) */

WRAPPER void wrap_parallel_end(void);

void
wrap_parallel_end(void)
{
	const struct gomp *real = GOMP_OF(parallel_end);
	const struct block *b;

	if (!gomp_looks(real) || started.n == 0 || started.n-- > STARTED) {
		real->parallel_end();
		return;
	}
	b = &started.block[started.n];
	omp_arrive();
	real->parallel_end();
	omp_join(b->region, b->depth);
}

WRAPPER unsigned wrap_parallel_reductions(
	gomp_fn *fn, void *data, unsigned n, unsigned flags);

unsigned
wrap_parallel_reductions(gomp_fn *fn, void *data, unsigned n, unsigned flags)
{
	const struct gomp *real = GOMP_OF(parallel_reductions);
	struct block b;

	if (!gomp_looks(real))
		return real->parallel_reductions(fn, data, n, flags);
	begin(&b, real, fn, data, __builtin_return_address(0));
	b.first = *(void **)data;
	n = real->parallel_reductions(body, &b, n, flags);
	omp_join(b.region, b.depth);
	return n;
}

GOMP_SYMBOL(parallel_end, "1.0");
GOMP_SYMBOL(parallel_reductions, "5.0");
