/* SPDX-License-Identifier: MIT */
/*
 * profile.h - a measurement put together: variables, what they cost, which code
 * is to blame.
 *
 *	if (profile_open(&p, &arena, "prog-1.weft", min_bytes, -1, &err))
 *		for (int i = 0; i < p.variable.n; i++)
 *			use(&p.variable.at[i]);
 *
 * Every sample of a data event is charged twice: to its call path below
 * <program>, and to its variable below <datacentric>, so both trees have the
 * same totals. An event of time alone is charged to code only. Costs are kept
 * apart: how many samples, what they stand for (ns, faults), latency in cycles.
 *
 * Blocks are one variable if one statement allocated them, called from one
 * place; the tree has whole call paths. Processes and program images of a
 * measurement are merged by names.
 */
#ifndef WEFT_MEM_DB_PROFILE_H
#define WEFT_MEM_DB_PROFILE_H

#include "mem/db/image.h"
#include "mem/db/node.h"
#include "mem/db/symbols.h"
#include "perf/data_src.h"

#define PROFILE_EVENTS 16

struct cost {
	uint64_t samples;
	uint64_t periods; /* count times period: ns, or faults */
	uint64_t weights; /* cycles */
};

struct profile_event {
	const char *name;
	uint32_t kind, source; /* enum mem_event_kind, mem_source */
	uint32_t error;        /* errno of the source that was refused */
	uint64_t period, real;
	struct cost cost;  /* all of it */
	uint64_t computes; /* periods that touched no memory */
	uint64_t unsure;   /* periods with an address that is not known */
	uint64_t known;    /* samples that hit a small block that was tracked */
	struct cost guess; /* of small blocks that are like a tracked one */
	struct cost mixed; /* of them, those near blocks of other sites */
};

/* Is a sample of such an event one of a variable, too? */
static inline bool
event_has_data(uint32_t kind)
{
	return kind != MEM_EVENT_TIME && kind != MEM_EVENT_CODE;
}

enum variable_kind {
	VARIABLE_HEAP,
	VARIABLE_MAP,   /* mmap by the program */
	VARIABLE_BREAK, /* sbrk */
	VARIABLE_POOL,  /* registered by the program */
	VARIABLE_STATIC,
	VARIABLE_STACK,
	VARIABLE_TLS,
	VARIABLE_SECTION, /* .data ... of a module, no variable of a size */
	VARIABLE_SMALL,   /* heap below the threshold */
	VARIABLE_ANON,
	VARIABLE_FILE,
	VARIABLE_SHARED,
	VARIABLE_VDSO,
	VARIABLE_KERNEL,
	VARIABLE_TOOL,
	VARIABLE_UNKNOWN, /* an address that belongs to nothing */
	VARIABLE_UNSURE,  /* memory, but the address is not known */
	VARIABLE_NONE,    /* no access to memory */
	VARIABLE_KINDS
};

struct variable_row {
	enum variable_kind kind;
	const char *name;
	const char *given; /* of blocks: names that the program gave some */
	uint32_t place;    /* where it is declared or allocated */
	/* Of a block: the statement that allocated it, the call of its
	 * function, and so on up to main(); recursion once. */
	const uint32_t *chain;
	int nchain;
	uint64_t bytes;                   /* of all its blocks, or its size */
	uint64_t blocks;                  /* ever */
	uint64_t live_bytes, live_blocks; /* at the end */
	uint64_t half_bytes;  /* live when half of the time was over */
	uint64_t peak_bytes;  /* live when the heap was largest */
	uint64_t least, most; /* bytes of a block */
	bool is_estimate;     /* blocks below the threshold, sampled */
	struct cost *cost;    /* by event */
	uint64_t *metric;     /* by perf_metrics; NULL: none was measured */
	uint64_t *level;      /* samples by enum perf_level; likewise */
	uint64_t freed;       /* samples that hit it after its end */
	/* Part of cost, by event: a small block that is like one of these. */
	struct cost *guessed, *mixed;
};

struct node {
	uint32_t parent, child, next; /* 0: none */
	uint32_t kind;                /* enum node_kind */
	uint32_t place;               /* its name */
	uint32_t variable;            /* + 1, of what names one */
	uint64_t bytes, blocks;       /* of the variable, by this path */
	struct cost *own, *all;       /* exclusive, inclusive; by event */
};

/* What a statement, or a thread, did to a variable. */
struct pair {
	uint32_t variable;
	uint32_t with; /* place, or index of a thread */
	struct cost *cost;
};

struct pairs {
	VEC(struct pair) list;
	struct map index;
};

struct profile_thread {
	int32_t pid, tid;
	int64_t rank; /* of its process, -1: none */
	const char *name;
};

struct profile {
	struct arena *arena;
	struct mem_findings findings;
	struct symbols symbols;
	bool is_recording; /* of perf: it knows no allocations */
	VEC(struct image) image;
	int n_events;
	struct profile_event event[PROFILE_EVENTS];
	VEC(struct variable_row) variable;
	VEC(struct node) node;   /* 0 is none */
	struct pairs statements; /* with: place */
	struct pairs wanters;    /* with: place, not of a library */
	struct pairs touchers;   /* with: thread */
	VEC(struct profile_thread) thread;
	uint32_t program, data;                /* the roots */
	uint32_t dynamic, fixed, stack, other; /* below data */
	uint64_t min_bytes;                    /* of static variables */
	bool has_metrics;                      /* of perf_metrics, and levels */
	uint64_t metric[PERF_METRICS];
	uint64_t unresolved; /* samples that name what was never written */
	struct map children, paths, owners, variables, threads;
};

/*
 * Reads all of a measurement: a folder as `weft run` makes it, or one of its
 * program images, or else a file of `perf record`. min_bytes: static variables
 * of that size on are told apart, 0: as the recorder did with blocks (of a
 * recording: all); rank: processes of this rank of MPI alone, -1: all. False if
 * there is none in it.
 */
bool profile_open(struct profile *p, struct arena *a, const char *path,
	uint64_t min_bytes, int64_t rank, struct err *err);

/* The kind in a word: "heap", "static", ... */
const char *variable_kind_name(enum variable_kind kind);

const struct place *profile_place(const struct profile *p, uint32_t place);

/* The event to show when none is asked for: the first that has samples, data
 * before faults before time. -1: nothing was measured. */
int profile_main_event(const struct profile *p);

/* The first event of a kind, -1: none was measured. */
int profile_event_of(const struct profile *p, uint32_t kind);

/* An event by its name or the beginning of it, in any case; -1: none. */
int profile_find_event(const struct profile *p, const char *name);

void profile_close(struct profile *p);

#endif
