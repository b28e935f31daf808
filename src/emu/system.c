/* SPDX-License-Identifier: MIT */
#include "emu/system.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "trace/trace.h"

/* `place` of a thread that is not in the system's tables */
#define NO_PLACE UINT32_MAX

/* An object of the trace with its sort keys. */
struct ranked {
	int index;   /* index in the trace's table */
	int parent;  /* first key: position of its parent */
	int64_t key; /* second key */
	const char *name;
};

static int
compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int
by_rank(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;
	int order = compare(a->parent, b->parent);

	if (order == 0)
		order = compare(a->key, b->key);
	if (order == 0 && a->name != NULL)
		order = strcmp(a->name, b->name);
	return order != 0 ? order : compare(a->index, b->index);
}

static void
sort(struct ranked *r, int n)
{
	qsort(r, (size_t)n, sizeof *r, by_rank);
}

/* Returns the lowest rank of each node, or -1. */
static int64_t *
lowest_ranks(struct arena *a, const struct trace *t)
{
	int64_t *low = ARENA_ARRAY(a, int64_t, t->nodes.n);

	for (int i = 0; i < t->nodes.n; i++)
		low[i] = TRACE_NONE;
	for (int i = 0; i < t->processes.n; i++) {
		const struct trace_process *p = &t->processes.at[i];

		if (p->rank >= 0 &&
			(low[p->node] < 0 || p->rank < low[p->node]))
			low[p->node] = p->rank;
	}
	return low;
}

/* Sorts the nodes. Returns the position of each node of the trace. */
static int *
init_nodes(struct system *sys, struct arena *a, const struct trace *t,
	const int64_t *low)
{
	int n = t->nodes.n;
	struct ranked *r = ARENA_ARRAY(a, struct ranked, n);
	int *place = ARENA_ARRAY(a, int, n);
	bool all = true;

	for (int i = 0; i < n; i++)
		all = all && low[i] >= 0;
	for (int i = 0; i < n; i++)
		r[i] = (struct ranked){ i, 0, all ? low[i] : 0,
			t->nodes.at[i].name };
	sort(r, n);
	sys->nodes = ARENA_ARRAY(a, struct node, n);
	sys->nnodes = n;
	for (int i = 0; i < n; i++) {
		sys->nodes[i].name = r[i].name;
		sys->nodes[i].host = t->nodes.at[r[i].index].host;
		sys->nodes[i].index = i;
		place[r[i].index] = i;
	}
	return place;
}

static int *
init_processes(struct system *sys, struct arena *a, const struct trace *t,
	const int *node_place, const int64_t *low)
{
	int n = t->processes.n;
	struct ranked *r = ARENA_ARRAY(a, struct ranked, n);
	int *place = ARENA_ARRAY(a, int, n);

	for (int i = 0; i < n; i++) {
		const struct trace_process *p = &t->processes.at[i];

		r[i] = (struct ranked){ i, node_place[p->node],
			low[p->node] >= 0 ? p->rank : p->pid, NULL };
	}
	sort(r, n);
	sys->processes = ARENA_ARRAY(a, struct process, n + t->parts.n);
	sys->nprocesses = n;
	for (int i = 0; i < n; i++) {
		const struct trace_process *p = &t->processes.at[r[i].index];

		sys->processes[i] = (struct process){
			.node = &sys->nodes[r[i].parent],
			.pid = p->pid,
			/* Damage took the application id: 1, as a repaired copy
			 * says. */
			.app_id = p->app_id == 0 && !t->by_cpu ? 1 : p->app_id,
			.rank = p->rank,
		};
		place[r[i].index] = i;
	}
	return place;
}

static void
put(struct map *m, int64_t key, const void *value)
{
	*map_put(m, (uint64_t)key) = (uint64_t)(uintptr_t)value;
}

static void *
get(const struct map *m, int64_t key)
{
	const uint64_t *at = map_get(m, (uint64_t)key);

	return at == NULL ? NULL : (void *)(uintptr_t)*at;
}

/* Adds the thread under its tid, unless another thread has that tid. */
static void
add_tid(struct map *threads, const struct thread *th)
{
	if (get(threads, th->tid) == NULL)
		put(threads, th->tid, th);
}

static void
init_holder(const struct system *sys, struct arena *a, struct holder *h)
{
	h->chan = ARENA_ARRAY(a, struct chan, sys->nchans);
	h->shown = ARENA_ARRAY(a, struct shown, sys->nchans);
}

/* Allocates channels and task stacks of a thread. */
static void
make_room(const struct system *sys, struct arena *a, struct thread *th)
{
	init_holder(sys, a, &th->has);
	th->has.thread = th;
	th->lacks = NEED_RUNNING | NEED_ACTIVE | NEED_ALIVE;
	th->task = ARENA_ARRAY(a, struct task *, sys->nmodels);
}

static void
init_thread(const struct system *sys, struct arena *a, struct thread *th)
{
	make_room(sys, a, th);
	add_tid(&th->process->threads, th);
	add_tid(&th->process->node->threads, th);
}

static void
init_threads(struct system *sys, struct arena *a, const struct trace *t,
	const int *process_place)
{
	int n = t->threads.n;
	struct ranked *r = ARENA_ARRAY(a, struct ranked, n);

	for (int i = 0; i < n; i++)
		r[i] = (struct ranked){ i,
			process_place[t->threads.at[i].process],
			t->threads.at[i].tid, NULL };
	sort(r, n);
	sys->threads = ARENA_ARRAY(a, struct thread, n);
	sys->nthreads = n;
	for (int i = 0; i < n; i++) {
		struct thread *th = &sys->threads[i];
		const struct trace_thread *from = &t->threads.at[r[i].index];

		th->process = &sys->processes[r[i].parent];
		th->place = (uint32_t)i;
		th->tid = from->tid;
		th->stream = from->stream;
		th->finished = from->finished;
		th->late = t->streams.at[from->stream].overwritten > 0;
		th->name = arena_printf(a, "TH %lld.%lld",
			(long long)th->process->app_id, (long long)th->tid);
		init_thread(sys, a, th);
		if (from->stream >= 0) {
			sys->of_stream[from->stream] = th;
			sys->process_of[from->stream] = th->process;
		}
	}
}

struct thread *
system_add_thread(struct system *sys, struct arena *a, struct process *process,
	int64_t tid, const char *name)
{
	struct thread *th = ARENA_NEW(a, struct thread);

	th->process = process;
	th->place = (uint32_t)(sys->nthreads + sys->added.n);
	th->tid = tid;
	th->stream = TRACE_NONE;
	th->name = name;
	th->finished = true;
	init_thread(sys, a, th);
	VEC_PUSH(&sys->added, a, th);
	return th;
}

struct process *
system_process(
	struct system *sys, struct arena *a, struct node *node, int64_t pid)
{
	struct process *p = get(&node->told, pid);

	if (p != NULL)
		return p;
	for (int i = 0; i < sys->nprocesses && p == NULL; i++)
		if (sys->processes[i].node == node &&
			sys->processes[i].pid == pid)
			p = &sys->processes[i];
	if (p == NULL) {
		p = ARENA_NEW(a, struct process);
		p->node = node;
		p->pid = pid;
		p->rank = TRACE_NONE;
		VEC_PUSH(&sys->told, a, p);
	}
	put(&node->told, pid, p);
	return p;
}

void
system_own_cpus(struct system *sys, struct arena *a)
{
	for (int i = 0; i < sys->ncpus; i++) {
		sys->cpus[i].own = ARENA_NEW(a, struct holder);
		init_holder(sys, a, sys->cpus[i].own);
	}
}

/* Returns a thread that stands for the unknown thread on the CPU. */
static struct thread *
make_nobody(const struct system *sys, struct arena *a, struct cpu *cpu)
{
	struct thread *th = ARENA_NEW(a, struct thread);

	th->place = NO_PLACE;
	th->stream = TRACE_NONE;
	th->cpu = cpu;
	make_room(sys, a, th);
	return th;
}

void
system_own_process(const struct system *sys, struct arena *a, struct process *p)
{
	p->own = ARENA_NEW(a, struct holder);
	init_holder(sys, a, p->own);
}

/* Returns true if the events of a stream name their process. */
static bool
is_told(const struct system *sys, const struct trace *t,
	const struct process *p)
{
	for (int i = 0; i < t->streams.n; i++)
		if (sys->process_of[i] == p && t->streams.at[i].has_vtid)
			return p->pid == 0;
	return false;
}

void
system_own_processes(struct system *sys, struct arena *a, const struct trace *t)
{
	for (int i = 0; i < sys->nprocesses; i++)
		if (!is_told(sys, t, &sys->processes[i]))
			system_own_process(sys, a, &sys->processes[i]);
}

void
system_own(struct system *sys, struct arena *a)
{
	sys->own = ARENA_NEW(a, struct holder);
	init_holder(sys, a, sys->own);
}

struct cpu *
system_phys(const struct node *node, int64_t phyid)
{
	return get(&node->phys, phyid);
}

static struct cpu *
init_cpu(struct system *sys, struct arena *a, struct cpu *cpu,
	struct node *node, const char *name)
{
	cpu->index = sys->ncpus + sys->ncpus_added;
	cpu->node = node;
	cpu->name = name;
	cpu->shown = ARENA_ARRAY(a, struct shown, sys->nchans);
	return cpu;
}

/* Adds the next CPU of the node; name: of its row. */
static struct cpu *
add_cpu(struct system *sys, struct arena *a, struct node *node,
	const char *name)
{
	struct cpu *cpu = init_cpu(sys, a, &sys->cpus[sys->ncpus], node, name);

	sys->ncpus++;
	return cpu;
}

struct cpu *
system_add_cpu(struct system *sys, struct arena *a, struct node *node,
	const char *name)
{
	struct cpu *cpu =
		init_cpu(sys, a, ARENA_NEW(a, struct cpu), node, name);

	cpu->phyid = -1;
	cpu->virtual = true;
	sys->ncpus_added++;
	return cpu;
}

static void
add_virtual_cpu(struct system *sys, struct arena *a, struct node *node)
{
	struct cpu *cpu = add_cpu(
		sys, a, node, arena_printf(a, "vCPU %d.*", node->index));

	cpu->phyid = -1;
	cpu->virtual = true;
	node->any = cpu;
}

static void
init_node_cpus(struct system *sys, struct arena *a,
	const struct trace_node *from, struct node *node, bool any)
{
	int n = from->cpus.n;
	struct ranked *r = ARENA_ARRAY(a, struct ranked, n);

	for (int i = 0; i < n; i++)
		r[i] = (struct ranked){ i, 0, from->cpus.at[i].phyid, NULL };
	sort(r, n);
	for (int i = 0; i < n; i++) {
		struct cpu *cpu = add_cpu(sys, a, node,
			arena_printf(a, " CPU %d.%lld", node->index,
				(long long)r[i].key));

		cpu->phyid = r[i].key;
		put(&node->cpu_of, from->cpus.at[r[i].index].index, cpu);
		put(&node->phys, cpu->phyid, cpu);
	}
	if (any)
		add_virtual_cpu(sys, a, node);
}

static void
init_cpus(struct system *sys, struct arena *a, const struct trace *t,
	const int *place)
{
	int n = t->nodes.n;
	int *from = ARENA_ARRAY(a, int, n);

	for (int i = 0; i < t->nodes.n; i++) {
		n += t->nodes.at[i].cpus.n;
		from[place[i]] = i;
	}
	sys->cpus = ARENA_ARRAY(a, struct cpu, n);
	for (int i = 0; i < sys->nnodes; i++)
		init_node_cpus(sys, a, &t->nodes.at[from[i]], &sys->nodes[i],
			!t->by_cpu);
}

/* Sets the process of a part's streams. */
static void
place_part(struct system *sys, const struct trace *t,
	const struct trace_part *part, const int *node_place,
	const int *process_place)
{
	struct process *p = NULL;

	for (int i = 0; i < t->streams.n && p == NULL; i++)
		if (part->same != NULL && t->streams.at[i].part == part->same)
			p = sys->process_of[i];
	if (p != NULL) {
		/* Continues the stream of an earlier part. */
	} else if (part->process != TRACE_NONE) {
		p = &sys->processes[process_place[part->process]];
	} else {
		/* The process is not known: the part gets a process of its own,
		 * after the others. */
		p = &sys->processes[sys->nprocesses++];
		*p = (struct process){
			.node = &sys->nodes[node_place[part->node]],
			.rank = TRACE_NONE
		};
	}
	for (int i = 0; i < t->streams.n; i++)
		if (t->streams.at[i].part == part)
			sys->process_of[i] = p;
}

void
system_init(struct system *sys, struct arena *a, const struct trace *t,
	int nchans, int nmodels)
{
	int64_t *low = lowest_ranks(a, t);
	int *node_place, *process_place;

	*sys = (struct system){
		.of_stream = ARENA_ARRAY(a, struct thread *, t->streams.n),
		.process_of = ARENA_ARRAY(a, struct process *, t->streams.n),
		.nchans = nchans,
		.nmodels = nmodels,
	};
	node_place = init_nodes(sys, a, t, low);
	process_place = init_processes(sys, a, t, node_place, low);
	init_threads(sys, a, t, process_place);
	init_cpus(sys, a, t, node_place);
	for (int i = 0; i < t->parts.n; i++)
		place_part(sys, t, t->parts.at[i], node_place, process_place);
	for (int i = 0; i < sys->ncpus && t->by_cpu; i++)
		sys->cpus[i].nobody = make_nobody(sys, a, &sys->cpus[i]);
}

void
system_place_streams(struct system *sys, const struct trace *t)
{
	for (int i = 0; i < t->streams.n; i++) {
		struct process *p = sys->process_of[i];
		const struct stream *s = &t->streams.at[i];
		struct cpu *cpu =
			p == NULL || s->cpu < 0 || s->by_thread || s->has_vtid
			? NULL
			: system_phys(p->node, s->cpu);

		if (sys->of_stream[i] != NULL || cpu == NULL)
			continue;
		sys->of_stream[i] = cpu->nobody;
		cpu->nobody->process = p;
	}
}

static void
process_fini(struct process *p)
{
	map_fini(&p->threads);
	map_fini(&p->types);
	task_table_fini(&p->tasks);
	idset_fini(&p->ended);
	task_ended_fini(&p->ended_bodies);
}

void
system_fini(struct system *sys)
{
	for (int i = 0; i < sys->nnodes; i++) {
		map_fini(&sys->nodes[i].cpu_of);
		map_fini(&sys->nodes[i].phys);
		map_fini(&sys->nodes[i].threads);
		map_fini(&sys->nodes[i].told);
	}
	for (int i = 0; i < sys->nprocesses; i++)
		process_fini(&sys->processes[i]);
	for (int i = 0; i < sys->told.n; i++)
		process_fini(sys->told.at[i]);
}

struct cpu *
system_cpu(struct system *sys, struct node *node, int64_t index)
{
	(void)sys;
	return index == -1 ? node->any : get(&node->cpu_of, index);
}

struct thread *
system_thread(const struct process *process, int64_t tid)
{
	struct thread *th = get(&process->threads, tid);

	return th != NULL ? th : get(&process->node->threads, tid);
}

/* Returns a thread by its `place`, or NULL. */
static struct thread *
thread_at(const struct system *sys, uint64_t place)
{
	uint64_t n = (uint64_t)sys->nthreads;

	if (place < n)
		return &sys->threads[place];
	return place - n < (uint64_t)sys->added.n ? sys->added.at[place - n]
						  : NULL;
}

static void
leave(struct crew *crew, const struct thread *th)
{
	crew->sum -= th->place;
	crew->n--;
}

static void
join(struct crew *crew, const struct thread *th)
{
	crew->sum += th->place;
	crew->n++;
}

static void
look_again(const struct system *sys, struct crew *crew)
{
	struct thread *only = crew->n == 1 ? thread_at(sys, crew->sum) : NULL;

	crew->changed |= only != crew->only;
	crew->only = only;
}

/* Adds the thread to, or removes it from, the crews that its state belongs
 * to. */
static void
move(struct cpu *cpu, struct thread *th,
	void (*how)(struct crew *, const struct thread *))
{
	if (cpu == NULL)
		return;
	if (th->active & ACTIVE_RUNNING)
		how(&cpu->running, th);
	if (th->active & ACTIVE_ACTIVE)
		how(&cpu->active, th);
}

static void
look_at_cpu(const struct system *sys, struct cpu *cpu)
{
	if (cpu == NULL)
		return;
	cpu->touched = true;
	look_again(sys, &cpu->running);
	look_again(sys, &cpu->active);
}

void
thread_place(struct system *sys, struct thread *th, enum thread_state state,
	struct cpu *cpu)
{
	static const uint8_t active[] = {
		[THREAD_RUNNING] =
			ACTIVE_RUNNING | ACTIVE_ACTIVE | ACTIVE_ALIVE,
		[THREAD_PAUSED] = ACTIVE_ALIVE,
		[THREAD_DEAD] = 0,
		[THREAD_COOLING] = ACTIVE_ACTIVE | ACTIVE_ALIVE,
		[THREAD_WARMING] = ACTIVE_ACTIVE | ACTIVE_ALIVE,
	};
	struct cpu *from = th->cpu;

	move(from, th, leave);
	th->changed = th->changed || th->state != state;
	th->state = (uint8_t)state;
	th->active = active[state];
	th->lacks = (uint8_t)((th->lacks & NEED_ON_CPU) |
		(~active[state] & (NEED_RUNNING | NEED_ACTIVE | NEED_ALIVE)));
	th->cpu = cpu;
	move(cpu, th, join);
	look_at_cpu(sys, from);
	look_at_cpu(sys, cpu);
}

const char *
thread_state_name(enum thread_state state)
{
	static const char *const name[] = {
		[THREAD_UNKNOWN] = "Unknown",
		[THREAD_RUNNING] = "Running",
		[THREAD_PAUSED] = "Paused",
		[THREAD_DEAD] = "Dead",
		[THREAD_COOLING] = "Cooling",
		[THREAD_WARMING] = "Warming",
	};

	return name[state];
}
