/* SPDX-License-Identifier: MIT */
/*
 * profile.h - the profile of a measurement: variables, their costs, and the
 * code that caused the costs.
 *
 *	if (profile_open(&p, &arena, "prog-1.weft", &request, &err))
 *		for (int i = 0; i < p.variable.n; i++)
 *			use(&p.variable.at[i]);
 *
 * Every sample of a data event is charged twice: to its call path below
 * <program>, and to its variable below <datacentric>; so both trees have the
 * same totals. Samples of a time event are charged to code only. Costs have
 * three separate parts: the number of samples, the ns or faults that they
 * represent, and the latency in cycles.
 *
 * Blocks that one statement allocated, called from one code location, are one
 * variable; the tree has the full call paths. Processes and program images of a
 * measurement are merged by name.
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
	uint64_t periods; /* sum of count * period: ns, or faults */
	uint64_t weights; /* cycles */
};

static inline void
cost_add(struct cost *to, const struct cost *c)
{
	to->samples += c->samples;
	to->periods += c->periods;
	to->weights += c->weights;
}

struct profile_event {
	const char *name;
	uint32_t kind, source; /* enum mem_event_kind, enum mem_source */
	uint32_t error;        /* errno of the preferred source if that was
	                        * refused */
	uint64_t period, real;
	struct cost cost;  /* cost of all samples */
	uint64_t computes; /* periods without a memory access */
	uint64_t unsure;   /* periods with an access whose address is unknown */
	uint64_t known;    /* samples that hit a tracked small block */
	struct cost guess; /* cost of small blocks charged by resemblance to
	                    * a tracked block */
	struct cost mixed; /* part of guess for which blocks of other sites are
	                    * as similar */
};

/* Returns true if samples of the event are also charged to variables. */
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
	VARIABLE_STACK,    /* of a thread, where frames are unknown */
	VARIABLE_LOCAL,    /* a local variable */
	VARIABLE_ARGUMENT, /* an argument that the caller put on the stack */
	VARIABLE_RETURN,   /* return addresses */
	VARIABLE_SPILL,    /* the rest of a frame: saved registers, spilled
	                    * values, temporary objects */
	VARIABLE_TLS,
	VARIABLE_SECTION, /* .data ... of a module, outside of any variable */
	VARIABLE_SMALL,   /* heap below the threshold */
	VARIABLE_ANON,
	VARIABLE_FILE,
	VARIABLE_SHARED,
	VARIABLE_VDSO,
	VARIABLE_KERNEL,
	VARIABLE_TOOL,
	VARIABLE_UNKNOWN, /* an address in no known memory */
	VARIABLE_UNSURE,  /* an access at an unknown address */
	VARIABLE_NONE,    /* no memory access */
	VARIABLE_KINDS
};

struct variable_row {
	enum variable_kind kind;
	const char *name;
	const char *given; /* names that the program gave to some of these
	                    * blocks, or NULL */
	uint32_t location; /* code location of the declaration or allocation */
	/* For blocks: the allocating statement, the call of its function, and
	 * so on up to main(); repeated recursive calls are listed once. */
	const uint32_t *chain;
	int nchain;
	uint64_t bytes;  /* total size of its blocks, or size of the static
	                  * variable */
	uint64_t blocks; /* allocated in total */
	uint64_t live_bytes, live_blocks; /* live bytes and blocks at the end */
	uint64_t half_bytes;  /* live bytes at half of the recorded time */
	uint64_t peak_bytes;  /* live bytes when the heap was largest */
	uint64_t least, most; /* bytes of a block */
	bool is_estimate;     /* blocks below the threshold: extrapolated
	                       * from samples */
	struct cost *cost;    /* by event */
	uint64_t *metric;     /* by enum perf_metrics; NULL: not measured */
	uint64_t *level;      /* samples by enum perf_level; NULL: not
	                       * measured */
	uint64_t freed;       /* samples that hit a block after it was freed */
	/* Parts of cost, by event: charged by resemblance to a tracked
	 * block. NULL: none. */
	struct cost *guessed, *mixed;
	uint32_t toucher; /* index + 1 of the pair that was last charged, or
	                   * 0 */
	uint64_t threads; /* threads that touched it, in a database: of all
	                   * processes; else 0 */
};

struct node {
	uint32_t parent, child, next; /* 0: none */
	uint32_t kind;                /* enum node_kind */
	uint32_t location;            /* code location that names the node */
	uint32_t variable;            /* index + 1 of the variable that the node
	                               * stands for, or 0 */
	uint64_t bytes, blocks; /* size and number of the variable's blocks that
	                         * this path allocated */
	struct cost *own; /* exclusive, by event; NULL before tree_add_up():
	                   * none */
	struct cost *all; /* inclusive, by event; NULL before tree_add_up() */
	/* Indexes + 1 of the pairs that were last charged together with the
	 * node, or 0. */
	uint32_t statement, wanter;
	uint32_t access; /* the child "<memory access>", or 0 */
	/* The code that was last charged below the node, and its node, or
	 * 0. */
	uint32_t code_path, code_location, code_node;
	bool is_wide; /* its children are in the profile's map of children */
};

/* A call path, by what it consists of; see tree.c. */
struct profile_path {
	const uint64_t *word;
	int n;
};

/* The cost that a statement or a thread caused at a variable. */
struct pair {
	uint32_t variable;
	uint32_t with; /* code location, or index of a thread */
	struct cost *cost;
};

struct pairs {
	struct arena *arena; /* of one image, whose pairs these are; NULL: of
	                      * the profile */
	VEC(struct pair) list;
	struct map index;
};

struct profile_thread {
	int32_t pid, tid;
	int64_t rank;     /* rank of its process; -1: none */
	const char *node; /* machine of its process; NULL: unknown */
	const char *name;
};

struct profile {
	struct arena *arena;
	struct mem_findings findings;
	struct symbols symbols;
	bool is_recording; /* made from a file of perf record, which has no
	                    * allocations */
	bool is_merged;    /* of a merge: threads are told apart by their names
	                    * only */
	VEC(struct image) image;
	int n_events, event_room; /* events; length of arrays by event; 0: as
	                           * many as the first database has */
	struct profile_event event[PROFILE_EVENTS];
	VEC(struct variable_row) variable;
	VEC(struct node) node;   /* index 0 stands for none; owned */
	struct pairs statements; /* with: code location */
	struct pairs wanters;    /* with: code location outside of libraries */
	struct pairs touchers;   /* with: thread */
	VEC(struct profile_thread) thread;
	uint32_t program, data;                /* the roots */
	uint32_t dynamic, fixed, stack, other; /* children of `data` */
	uint32_t access;    /* location of the nodes "<memory access>" */
	uint64_t min_bytes; /* least size of static variables
	                     * that are listed separately */
	bool has_metrics;   /* perf_metrics and levels
	                     * were measured */
	uint64_t metric[PERF_METRICS];
	uint64_t unresolved; /* samples that name records which were never
	                      * written */
	struct map children, owners, variables, threads;
	VEC(struct profile_path) path; /* different ones of all images */
	struct map contents;           /* hash to index + 1 in `path` */
	struct map walked; /* node and path below it: the innermost node */
	struct map locals; /* file and address: struct locals * */
};

#define PROFILE_MIN_BYTES 1024

struct database_row;

struct profile_request {
	uint64_t min_bytes; /* static variables of at least this size are
	                     * listed separately; 0: the recorder's threshold
	                     * for blocks (for perf record: all variables) */
	int64_t rank;       /* only processes of this MPI rank; -1: all */
	const char *const *structs; /* structure files, up to a NULL, for
	                             * modules that are gone; or NULL */
	/* Receives the costs of each process of a database (database.h); may be
	 * NULL. */
	void (*costs)(
		void *arg, int process, const struct database_row *row, int n);
	void *arg;
	bool heap; /* of a database, reads the heap over time, too */
};

/*
 * Reads a measurement: a directory that `weft run` made, one of its program
 * images, a file of `perf record`, or a database of `weft mem merge`. Returns
 * false and sets err if there is no
 * measurement, or if a structure file cannot be read.
 */
bool profile_open(struct profile *p, struct arena *a, const char *path,
	const struct profile_request *request, struct err *err);

/* For merges: begins an empty profile; reads structure files; charges the
 * samples of an image, whose numbers are then forgotten; and forgets threads
 * and the costs that they caused. */
void profile_init(struct profile *p, struct arena *a);
bool profile_read_structs(
	struct profile *p, const char *const *structs, struct err *err);
void profile_charge(struct profile *p, struct image *i);
void profile_forget_threads(struct profile *p);

/* Returns the index of the profile's event of this name, kind and source, which
 * is added if it is new; -1: there are too many. */
int profile_join_event(struct profile *p, const struct profile_event *e);

/* Returns the word for a kind: "heap", "static", ... */
const char *variable_kind_name(enum variable_kind kind);

const struct code_location *profile_location(
	const struct profile *p, uint32_t location);

/* Returns the event to show by default: the first with samples, data before
 * faults before time. Returns -1 if nothing was measured. */
int profile_main_event(const struct profile *p);

/* Returns the first event of a kind, or -1 if none was measured. */
int profile_event_of(const struct profile *p, uint32_t kind);

/* Returns true if a program was to be sampled with such an event, even if there
 * is no sample. */
bool profile_was_asked(const struct profile *p, uint32_t kind);

/* Returns the event whose name begins with `name`, ignoring case, or -1. */
int profile_find_event(const struct profile *p, const char *name);

void profile_close(struct profile *p);

#endif
