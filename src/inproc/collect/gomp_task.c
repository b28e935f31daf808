/* SPDX-License-Identifier: MIT */
/*
 * gomp_task.c - tasks of GCC's runtime.
 *
 * The runtime copies the block of data of a task and calls the task's function
 * with the copy. It gets a block that begins with a head of ours, before the
 * program's data, and a function of ours. The runtime itself uses the first
 * words of the block that it knows, so the head begins with room for these,
 * which are moved to the program's data before its function runs.
 */
#include "inproc/collect/gomp.h"

/* Flags of the runtime's interface. */
enum {
	FLAG_NOGROUP = 1 << 11,
	FLAG_REDUCTION = 1 << 12,
	FLAG_DETACH = 1 << 13
};

enum {
	HEAD = 64,           /* bytes; a power of two */
	SMALL = 512,         /* blocks that lie in the frame of the wrapper */
	LARGEST = 64 * 1024, /* larger ones are passed as they are, without
	                      * events of the task's execution */
	MOST_ALIGN = 4096,
};

enum moved {
	MOVES_NOTHING,
	MOVES_EVENT,  /* word 0: the event of a detached task */
	MOVES_BOUNDS, /* words 0 and 1: the iterations of a part of a loop */
};

struct head {
	uintptr_t word[3]; /* the runtime's */
	gomp_fn *fn;
	gomp_copy_fn *copy; /* the program's function, or NULL */
	void *data;         /* the program's block; with `copy` only */
	uint32_t id;        /* 0: the task is created when it begins */
	uint32_t type;
	uint16_t size; /* bytes of the head: the program's data follow */
	uint8_t moves; /* enum moved */
};

_Static_assert(sizeof(struct head) <= HEAD, "the head has room");

static void
body(void *block)
{
	const struct head *h = block;
	unsigned char *data = (unsigned char *)block + h->size;
	uint32_t id = h->id, outer = omp_self.making;
	bool is_inside = id != 0 && id == outer;

	if (h->moves != MOVES_NOTHING &&
		(h->moves == MOVES_BOUNDS || h->copy == NULL))
		memcpy(data, h->word,
			h->moves == MOVES_BOUNDS ? 2 * sizeof *h->word
						 : sizeof *h->word);
	if (id == 0) {
		id = omp_id();
		omp_task_create(id, h->type);
	}
	omp_self.making = 0;
	omp_task_begin(id, is_inside);
	h->fn(data);
	omp_task_end(id, is_inside);
	omp_self.making = outer;
}

/* For the runtime, in place of the program's function. */
static void
copy_block(void *to, void *from)
{
	const struct head *h = from;

	if (h->moves == MOVES_EVENT)
		memcpy(h->data, h->word, sizeof *h->word);
	memcpy(to, from, h->size);
	h->copy((unsigned char *)to + h->size, h->data);
}

/* What the wrappers hand to the runtime. */
struct made {
	struct head head;
	const void *data;
	size_t size; /* bytes of the program's data */
	size_t room; /* bytes of the block that this library passes on */
	size_t align;
};

static bool
prepare(struct made *m, const struct head *h, const void *data, long size,
	long align)
{
	if (size < 0 || size > LARGEST || align > MOST_ALIGN)
		return false;
	m->head = *h;
	m->head.size = (uint16_t)(align > HEAD ? align : HEAD);
	m->data = data;
	m->size = (size_t)size;
	m->align = align > 16 ? (size_t)align : 16;
	/* with a copy function, the runtime never touches more than the head */
	m->room = m->head.size + (h->copy == NULL ? m->size : 0);
	return true;
}

static void *
fill(const struct made *m, void *room)
{
	unsigned char *block =
		(unsigned char *)((((uintptr_t)room + m->align - 1) /
					  m->align) *
			m->align);

	memcpy(block, &m->head, sizeof m->head);
	if (m->head.copy == NULL && m->size > 0)
		memcpy(block + m->head.size, m->data, m->size);
	return block;
}

/* The arguments of GOMP_task() that pass through. */
struct task {
	bool if_clause;
	unsigned flags;
	void **depend;
	int priority;
	void *detach;
};

static void
call_task(const struct gomp *real, const struct made *m, const struct task *t,
	void *room)
{
	real->task(body, fill(m, room),
		m->head.copy == NULL ? NULL : copy_block,
		(long)(m->head.size + m->size), (long)m->align, t->if_clause,
		t->flags, t->depend, t->priority, t->detach);
}

static SLOW void
call_large_task(
	const struct gomp *real, const struct made *m, const struct task *t)
{
	call_task(real, m, t, __builtin_alloca(m->room + m->align));
}

/* NOLINTBEGIN(readability-function-size) - the interface of the runtime */
WRAPPER void wrap_task(gomp_fn *fn, void *data, gomp_copy_fn *copy, long size,
	long align, bool if_clause, unsigned flags, void **depend, int priority,
	void *detach);

void
wrap_task(gomp_fn *fn, void *data, gomp_copy_fn *copy, long size, long align,
	bool if_clause, unsigned flags, void **depend, int priority,
	void *detach)
{
	const struct gomp *real = GOMP_OF(task);
	struct task t = { if_clause, flags, depend, priority, detach };
	struct head h = { .fn = fn, .copy = copy, .data = data };
	unsigned char room[SMALL];
	uint32_t outer = omp_self.making;
	struct made m;

	if (!gomp_looks(real)) {
		real->task(fn, data, copy, size, align, if_clause, flags,
			depend, priority, detach);
		return;
	}
	h.type = omp_task_type(__builtin_return_address(0));
	h.id = omp_id();
	h.moves = (flags & FLAG_DETACH) != 0 ? MOVES_EVENT : MOVES_NOTHING;
	omp_task_create(h.id, h.type);
	if (!prepare(&m, &h, data, size, align)) {
		real->task(fn, data, copy, size, align, if_clause, flags,
			depend, priority, detach);
		return;
	}
	omp_self.making = h.id;
	if (m.room + m.align <= SMALL)
		call_task(real, &m, &t, room);
	else
		call_large_task(real, &m, &t);
	omp_self.making = outer;
}

static bool
prepare_loop(struct made *m, struct head *h, long size, long align,
	unsigned flags, const void *caller)
{
	h->type = omp_task_type(caller);
	h->moves = MOVES_BOUNDS;
	if ((flags & FLAG_REDUCTION) != 0)
		memcpy(h->word, h->data, sizeof h->word);
	return prepare(m, h, h->data, size, align);
}

/* A task for each part of a loop. */
#define TASKLOOP(name, type) \
	WRAPPER void wrap_##name(gomp_fn *fn, void *data, gomp_copy_fn *copy, \
		long size, long align, unsigned flags, unsigned long tasks, \
		int priority, type start, type end, type step); \
	void wrap_##name(gomp_fn *fn, void *data, gomp_copy_fn *copy, \
		long size, long align, unsigned flags, unsigned long tasks, \
		int priority, type start, type end, type step) \
	{ \
		const struct gomp *real = GOMP_OF(name); \
		bool waits = (flags & FLAG_NOGROUP) == 0; \
		struct head h = { .fn = fn, .copy = copy, .data = data }; \
		struct made m; \
\
		if (!gomp_looks(real) || \
			!prepare_loop(&m, &h, size, align, flags, \
				__builtin_return_address(0))) { \
			real->name(fn, data, copy, size, align, flags, tasks, \
				priority, start, end, step); \
			return; \
		} \
		omp_wait_begin(waits ? "PTg" : "PTd", CALLER); \
		real->name(body, fill(&m, __builtin_alloca(m.room + m.align)), \
			copy == NULL ? NULL : copy_block, \
			(long)(m.head.size + m.size), (long)m.align, flags, \
			tasks, priority, start, end, step); \
		omp_event(waits ? "PTG" : "PTD"); \
	} \
	GOMP_SYMBOL(name, "4.5");

TASKLOOP(taskloop, long)
TASKLOOP(taskloop_ull, gomp_ull)
/* NOLINTEND(readability-function-size) */

GOMP_SYMBOL(task, "2.0");
