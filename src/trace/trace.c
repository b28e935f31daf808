/* SPDX-License-Identifier: MIT */
#include "trace/trace.h"

#define CPUS_MAX 100000 /* most CPUs of a trace: each costs some 400 bytes */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"

/* One map holds all ids; the top bits of a key say which kind of id it is. */
enum id_kind {
	ID_THREAD, /* process, tid -> thread + 1 */
	ID_LABEL,  /* mark type, value modulo 2^32 -> label + 1 */
	ID_INDEX,  /* node, index -> cpu + 1 */
	ID_PHYID,  /* node, phyid -> cpu + 1 */
};

#define ID_KIND_SHIFT 61 /* leaves 29 bits for the owner, 32 for the number */
#define MARK_TYPES 100
#define FILL_MAX 8192 /* CPUs of a node whose gaps are filled */

static uint64_t
id_key(enum id_kind kind, int64_t owner, int64_t number)
{
	return (uint64_t)kind << ID_KIND_SHIFT | (uint64_t)owner << 32 |
		(uint32_t)number;
}

/* Returns the index stored under the key, or TRACE_NONE. */
static int
id_get(const struct trace *t, uint64_t key)
{
	const uint64_t *value = map_get(&t->ids, key);

	return value == NULL ? TRACE_NONE : (int)*value - 1;
}

static void
id_put(struct trace *t, uint64_t key, int value)
{
	*map_put(&t->ids, key) = (uint64_t)value + 1;
}

static struct finding
of_key(const char *file, const char *key)
{
	return (struct finding){ .severity = FINDING_ERROR,
		.file = file,
		.key = key,
		.offset = FINDING_NOWHERE,
		.time = FINDING_NEVER };
}

const struct trace_env *
trace_env(const struct trace_part *part, const char *name)
{
	for (int i = 0; i < part->env.n; i++)
		if (strcmp(part->env.at[i].name, name) == 0)
			return &part->env.at[i];
	return NULL;
}

void
trace_init(struct trace *t, struct arena *a, struct findings *fs)
{
	*t = (struct trace){ .arena = a,
		.findings = fs,
		.unit = "ns",
		.start = TRACE_UNKNOWN,
		.since_1970 = TRACE_UNKNOWN,
		.start_realtime = TRACE_UNKNOWN,
		.start_monotonic = TRACE_UNKNOWN };
}

void
trace_fini(struct trace *t)
{
	map_fini(&t->ids);
}

/* Searches backwards: streams are sorted by path, so the node is usually the
 * last one added. */
int
trace_add_node(struct trace *t, const char *name)
{
	struct trace_node *node;

	for (int i = t->nodes.n - 1; i >= 0; i--)
		if (strcmp(t->nodes.at[i].name, name) == 0)
			return i;
	node = VEC_ADD(&t->nodes, t->arena);
	node->name = arena_strdup(t->arena, name);
	node->host = arena_strndup(t->arena, name, strcspn(name, "."));
	return t->nodes.n - 1;
}

static bool
cpu_numbers_ok(struct trace *t, int64_t index, int64_t phyid, const char *file)
{
	struct finding f = of_key(file, "ovni.loom_cpus");

	if (index < 0 || index > INT32_MAX)
		finding_add(t->findings, f,
			"cpu index %" PRId64 " is not in 0..%d", index,
			INT32_MAX);
	else if (phyid == -1)
		finding_add(t->findings, f,
			"cpu with index %" PRId64
			" has phyid -1, which stands for the virtual CPU",
			index);
	else if (phyid < INT32_MIN || phyid > INT32_MAX)
		finding_add(t->findings, f,
			"phyid %" PRId64 " of the cpu with index %" PRId64
			" does not fit in 32 bits",
			phyid, index);
	else
		return true;
	return false;
}

void
trace_add_cpu(struct trace *t, int node, int64_t index, int64_t phyid,
	const char *file)
{
	struct trace_node *n = &t->nodes.at[node];
	struct finding f = of_key(file, "ovni.loom_cpus");
	int same_index, same_phyid;

	if (!cpu_numbers_ok(t, index, phyid, file))
		return;
	same_index = id_get(t, id_key(ID_INDEX, node, index));
	same_phyid = id_get(t, id_key(ID_PHYID, node, phyid));
	if (same_phyid != TRACE_NONE && same_phyid == same_index)
		return;
	if (same_phyid != TRACE_NONE) {
		const struct trace_cpu *cpu = &n->cpus.at[same_phyid];

		finding_add(t->findings, f,
			"cpu with phyid %" PRId64 " has index %" PRId64
			" here and index %" PRId64 " in %s",
			phyid, index, cpu->index, cpu->file);
		return;
	}
	if (same_index != TRACE_NONE) {
		const struct trace_cpu *cpu = &n->cpus.at[same_index];

		finding_add(t->findings, f,
			"cpu with index %" PRId64
			" already taken: by phyid %" PRId64
			" in %s, asked for by phyid %" PRId64,
			index, cpu->phyid, cpu->file, phyid);
		return;
	}
	if (t->ncpus++ == CPUS_MAX)
		finding_add(t->findings, f,
			"more than %d CPUs: the others are left out", CPUS_MAX);
	if (t->ncpus > CPUS_MAX)
		return;
	id_put(t, id_key(ID_INDEX, node, index), n->cpus.n);
	id_put(t, id_key(ID_PHYID, node, phyid), n->cpus.n);
	VEC_PUSH(
		&n->cpus, t->arena, ((struct trace_cpu){ index, phyid, file }));
}

int
trace_add_process(struct trace *t, int node, int64_t pid, const char *file)
{
	for (int i = t->processes.n - 1; i >= 0; i--)
		if (t->processes.at[i].pid == pid &&
			t->processes.at[i].node == node)
			return i;
	VEC_PUSH(&t->processes, t->arena,
		((struct trace_process){ .node = node,
			.pid = pid,
			.rank = TRACE_NONE,
			.file = file }));
	return t->processes.n - 1;
}

void
trace_set_app(struct trace *t, int process, int64_t app_id, const char *file)
{
	struct trace_process *p = &t->processes.at[process];
	struct finding f = of_key(file, "ovni.app_id");

	if (app_id <= 0)
		finding_add(t->findings, f,
			"app_id of process %" PRId64 " is %" PRId64
			", it must be greater than 0",
			p->pid, app_id);
	else if (p->app_id != 0 && p->app_id != app_id)
		finding_add(t->findings, f,
			"app_id of process %" PRId64 " is %" PRId64
			" here and %" PRId64
			" in another thread, which is used",
			p->pid, app_id, p->app_id);
	else
		p->app_id = app_id;
}

void
trace_set_rank(struct trace *t, int process, int64_t rank, int64_t nranks,
	const char *file)
{
	struct trace_process *p = &t->processes.at[process];
	struct finding f = of_key(file, "ovni.rank");

	if (rank < 0 || rank >= nranks) {
		finding_add(t->findings, f,
			"rank %" PRId64 " of process %" PRId64
			" is not in 0..nranks-1 with nranks %" PRId64,
			rank, p->pid, nranks);
	} else if (p->rank != TRACE_NONE &&
		(p->rank != rank || p->nranks != nranks)) {
		finding_add(t->findings, f,
			"process %" PRId64 " is rank %" PRId64 " of %" PRId64
			" here and rank %" PRId64 " of %" PRId64
			" in another thread, which is used",
			p->pid, rank, nranks, p->rank, p->nranks);
	} else {
		p->rank = rank;
		p->nranks = nranks;
	}
}

int
trace_add_thread(struct trace *t, int process, int64_t tid, int stream)
{
	const struct stream *from = &t->streams.at[stream];
	struct finding f = of_key(
		from->meta != NULL ? from->meta : from->file, "ovni.tid");
	uint64_t key = id_key(ID_THREAD, process, tid);
	int same;

	if (tid < INT32_MIN || tid > INT32_MAX) {
		finding_add(t->findings, f,
			"tid %" PRId64 " does not fit in 32 bits", tid);
		return TRACE_NONE;
	}
	same = id_get(t, key);
	if (same != TRACE_NONE) {
		int other = t->threads.at[same].stream;

		finding_add(t->findings, f,
			"process %" PRId64 " already has a thread with tid "
			"%" PRId64 ", in %s",
			t->processes.at[process].pid, tid,
			t->streams.at[other].file);
		return TRACE_NONE;
	}
	id_put(t, key, t->threads.n);
	VEC_PUSH(&t->threads, t->arena,
		((struct trace_thread){
			.process = process, .tid = tid, .stream = stream }));
	return t->threads.n - 1;
}

void
trace_add_require(struct trace *t, int thread, const char *model,
	const char *version, const char *file)
{
	VEC_PUSH(&t->requires, t->arena,
		((struct trace_require){ .thread = thread,
			.model = arena_strdup(t->arena, model),
			.version = arena_strdup(t->arena, version),
			.file = file }));
}

static const char *
kind_name(bool stack)
{
	return stack ? "stack" : "single";
}

/* Returns the known mark type if title and kind agree with it; else NULL with a
 * finding. */
static struct trace_mark *
mark_again(struct trace *t, struct trace_mark *m, const char *title, bool stack,
	const char *file)
{
	struct finding f = of_key(file, "ovni.mark");

	if (strcmp(m->title, title) != 0) {
		finding_add(t->findings, f,
			"mark type %" PRId64
			" has title \"%s\" here and \"%s\" in %s",
			m->type, title, m->title, m->file);
		return NULL;
	}
	if (m->stack != stack) {
		finding_add(t->findings, f,
			"mark type %" PRId64
			" has chan_type %s here and %s in %s",
			m->type, kind_name(stack), kind_name(m->stack),
			m->file);
		return NULL;
	}
	return m;
}

struct trace_mark *
trace_add_mark(struct trace *t, int64_t type, const char *title, bool stack,
	const char *file)
{
	struct trace_mark *m;

	if (type < 0 || type >= MARK_TYPES) {
		finding_add(t->findings, of_key(file, "ovni.mark"),
			"mark type %" PRId64 " is not in 0..%d", type,
			MARK_TYPES - 1);
		return NULL;
	}
	for (int i = 0; i < t->marks.n; i++)
		if (t->marks.at[i].type == type)
			return mark_again(
				t, &t->marks.at[i], title, stack, file);
	m = VEC_ADD(&t->marks, t->arena);
	m->type = type;
	m->title = arena_strdup(t->arena, title);
	m->stack = stack;
	m->file = file;
	return m;
}

void
trace_add_mark_label(struct trace *t, struct trace_mark *m, int64_t value,
	const char *text, const char *file)
{
	uint64_t key = id_key(ID_LABEL, m->type, value);
	struct finding f = of_key(file, "ovni.mark");
	int same = id_get(t, key);
	const struct trace_mark_label *label;

	if (same == TRACE_NONE) {
		id_put(t, key, m->labels.n);
		VEC_PUSH(&m->labels, t->arena,
			((struct trace_mark_label){
				value, arena_strdup(t->arena, text) }));
		return;
	}
	label = &m->labels.at[same];
	if (label->value != value)
		finding_add(t->findings, f,
			"mark type %" PRId64 " labels the values %" PRId64
			" and %" PRId64
			", which Paraver's 32 bits cannot tell apart",
			m->type, label->value, value);
	else if (strcmp(label->text, text) != 0)
		finding_add(t->findings, f,
			"mark type %" PRId64 " labels value %" PRId64
			" \"%s\" here and \"%s\" in another thread, which is "
			"used",
			m->type, value, text, label->text);
}

uint32_t
trace_add_class(struct trace *t, struct event_class class)
{
	VEC_PUSH(&t->classes, t->arena, class);
	return (uint32_t)t->classes.n - 1;
}

/*
 * Returns the severity of missing CPUs: if a writer of the node was killed, it
 * could not list them, and that is no error.
 */
static enum finding_severity
severity_of_missing(const struct trace *t, int node)
{
	for (int i = 0; i < t->threads.n; i++) {
		const struct trace_thread *th = &t->threads.at[i];

		if (!th->finished && t->processes.at[th->process].node == node)
			return FINDING_WARNING;
	}
	return FINDING_ERROR;
}

static void
check_cpus(struct trace *t, int node)
{
	const struct trace_node *n = &t->nodes.at[node];
	struct finding f = of_key(t->path, "ovni.loom_cpus");

	f.severity = severity_of_missing(t, node);
	f.refused = true;
	if (n->cpus.n == 0) {
		f.advice = "call ovni_add_cpu() in one thread of the node";
		finding_add(t->findings, f, "loom %s has no physical CPUs",
			n->name);
		return;
	}
	/* Indexes are distinct and >= 0, so it is enough that 0..n-1 exist. */
	for (int i = 0; i < n->cpus.n; i++) {
		if (id_get(t, id_key(ID_INDEX, node, i)) != TRACE_NONE)
			continue;
		finding_add(t->findings, f,
			"loom %s has %d CPUs, but none with index %d", n->name,
			n->cpus.n, i);
		return;
	}
}

/* Returns, for each node, the index of a process that has a rank, or
 * TRACE_NONE. */
static const int *
ranked_process(struct trace *t)
{
	int *ranked = ARENA_ARRAY(t->arena, int, t->nodes.n);

	for (int i = 0; i < t->nodes.n; i++)
		ranked[i] = TRACE_NONE;
	for (int i = 0; i < t->processes.n; i++)
		if (t->processes.at[i].rank != TRACE_NONE)
			ranked[t->processes.at[i].node] = i;
	return ranked;
}

/* No rank is normal if collectors recorded the program that starts the ranks.
 */
static struct finding
lacks_rank(const struct trace *t, const struct trace_process *p)
{
	struct finding f = of_key(p->file, "ovni.rank");

	for (int i = 0; i < t->requires.n && !f.refused; i++)
		f.refused = strcmp(t->requires.at[i].model, "wait") == 0;
	f.severity = f.refused ? FINDING_NOTE : FINDING_ERROR;
	return f;
}

static void
check_process(struct trace *t, const struct trace_process *p, int ranked)
{
	if (p->app_id == 0)
		finding_add(t->findings, of_key(p->file, "ovni.app_id"),
			"no thread of process %" PRId64 " says its app_id",
			p->pid);
	if (p->rank == TRACE_NONE && ranked != TRACE_NONE)
		finding_add(t->findings, lacks_rank(t, p),
			"process %" PRId64 " has no rank, but process %" PRId64
			" of the same loom %s has rank %" PRId64,
			p->pid, t->processes.at[ranked].pid,
			t->nodes.at[p->node].name,
			t->processes.at[ranked].rank);
}

void
trace_check(struct trace *t)
{
	const int *ranked = ranked_process(t);

	for (int i = 0; i < t->nodes.n; i++)
		check_cpus(t, i);
	for (int i = 0; i < t->processes.n; i++) {
		const struct trace_process *p = &t->processes.at[i];

		check_process(t, p, ranked[p->node]);
	}
}

void
trace_add_lost(struct trace *t, int stream, struct trace_lost lost)
{
	VEC_PUSH(&t->streams.at[stream].lost, t->arena, lost);
	t->nlost++;
}

void
trace_end_stream(struct trace *t, int stream)
{
	t->nended += !t->streams.at[stream].ended;
	t->streams.at[stream].ended = true;
}

void
trace_note_damage(struct trace *t)
{
	t->nended += !t->damaged;
	t->damaged = true;
}

bool
trace_has_requires(const struct trace *t, int thread)
{
	for (int i = 0; i < t->requires.n; i++)
		if (t->requires.at[i].thread == thread)
			return true;
	return false;
}

/* Returns true if the thread requires no model but the core model, which the
 * library requires when the thread begins. */
static bool
requires_core_only(const struct trace *t, int thread)
{
	for (int i = 0; i < t->requires.n; i++)
		if (t->requires.at[i].thread == thread &&
			strcmp(t->requires.at[i].model, "ovni") != 0)
			return false;
	return true;
}

bool
trace_lacks_tables(const struct trace *t)
{
	for (int i = 0; i < t->threads.n; i++) {
		const struct trace_thread *th = &t->threads.at[i];
		int node = t->processes.at[th->process].node;

		if (!th->finished &&
			(t->nodes.at[node].cpus.n == 0 ||
				requires_core_only(t, i)))
			return true;
	}
	return false;
}

static bool
has_phyid(const struct trace_cpu *cpu, int n, int64_t phyid)
{
	for (int i = 0; i < n; i++)
		if (cpu[i].phyid == phyid)
			return true;
	return false;
}

struct trace_cpu *
trace_fill_cpus(
	struct arena *a, const struct trace_node *node, int64_t top, int *n)
{
	struct trace_cpu *list;
	int nlist = node->cpus.n;
	bool *known;

	for (int i = 0; i < nlist; i++)
		if (node->cpus.at[i].index > top)
			top = node->cpus.at[i].index;
	*n = top < 0 ? 1 : top < FILL_MAX ? (int)top + 1 : nlist;
	if (*n < nlist)
		*n = nlist;
	list = ARENA_ARRAY(a, struct trace_cpu, *n);
	known = ARENA_ARRAY(a, bool, *n);
	for (int i = 0; i < nlist; i++) {
		list[i] = node->cpus.at[i];
		if (list[i].index < *n)
			known[list[i].index] = true;
	}
	for (int i = 0; nlist < *n; i++) {
		int64_t phyid = i;

		if (known[i])
			continue;
		while (has_phyid(list, nlist, phyid))
			phyid++;
		list[nlist++] = (struct trace_cpu){ i, phyid, NULL };
	}
	return list;
}

const char *
trace_lost_when(const struct trace_lost *l, int64_t start,
	char text[static TRACE_WHEN_MAX])
{
	/* Subtracts as unsigned numbers: clocks of a damaged file may have any
	 * value. */
	int64_t from = (int64_t)((uint64_t)l->from - (uint64_t)start);
	int64_t to = (int64_t)((uint64_t)l->to - (uint64_t)start);

	/* A flight recorder loses events that are older than all events it
	 * keeps. */
	if (from < 0 && to <= 0)
		snprintf(text, TRACE_WHEN_MAX, "before the first event");
	else
		snprintf(text, TRACE_WHEN_MAX,
			"between %" PRId64 " ns and %" PRId64 " ns",
			from < 0 ? 0 : from, to);
	return text;
}

int
trace_class_field(const struct event_class *class, const char *name)
{
	for (int i = class->nfields - 1; i >= 0; i--)
		if (class->field[i].name != NULL &&
			strcmp(class->field[i].name, name) == 0)
			return i;
	return -1;
}

const struct trace_node *
trace_node_of(const struct trace *t, int thread)
{
	return thread == TRACE_NONE ? NULL
				    : &t->nodes.at[trace_node_index(t, thread)];
}
