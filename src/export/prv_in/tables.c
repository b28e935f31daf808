/* SPDX-License-Identifier: MIT */
/* The rows and types of a .prv file. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "export/prv_in/state.h"

#define EAGER_MAX 65536 /* rows that are declared before any line is read */
#define TYPES_MAX 65536
#define TAGS_MAX 4096
#define CPU_CLASS "cpu"

static const char *
or_default(struct prv_in *p, const char *name, const char *fmt, uint64_t a,
	uint64_t b)
{
	return name != NULL ? name
			    : arena_printf(p->arena, fmt, (unsigned long long)a,
				      (unsigned long long)b);
}

/* Returns true if the file has tasks that are worth a row of their own. */
static bool
has_tasks(const struct prv_in *p)
{
	return p->header.tasks.n > 1 || p->names.level[PRV_IN_TASK].n > 0;
}

/* Declares a row of the file or a parent; returns its id. */
static uint32_t
add_row(struct prv_in *p, struct row *row, struct sink *to)
{
	row->id = (uint32_t)p->rows.n;
	VEC_PUSH(&p->rows, p->arena, ((struct prv_in_row){ -1, 0 }));
	sink_row(to, row);
	return row->id;
}

static void
add_parents(struct prv_in *p, struct sink *to)
{
	const struct prv_in_header *h = &p->header;
	bool appls = h->appls.n > 1;

	for (int i = 0; i < h->appls.n && appls; i++)
		add_row(p,
			&(struct row){ .parent = ROW_NONE,
				.class = "appl",
				.name = or_default(p,
					prv_in_name(&p->names, PRV_IN_APPL,
						(uint64_t)i),
					"APPL %llu", (uint64_t)i + 1, 0) },
			to);
	for (int i = 0; i < h->tasks.n && has_tasks(p); i++) {
		const struct prv_in_task *t = &h->tasks.at[i];
		uint64_t in = (uint64_t)i - h->appls.at[t->appl].first;

		add_row(p,
			&(struct row){ .parent = appls ? t->appl : ROW_NONE,
				.class = "task",
				.name = or_default(p,
					prv_in_name(&p->names, PRV_IN_TASK,
						(uint64_t)i),
					"TASK %llu.%llu", t->appl + 1,
					in + 1) },
			to);
	}
	p->nparents = (uint32_t)p->rows.n;
}

/* Returns the row of a task, which is the parent of its threads. */
static uint32_t
parent_of(const struct prv_in *p, uint32_t task)
{
	const struct prv_in_header *h = &p->header;

	if (has_tasks(p))
		return p->nparents - (uint32_t)h->tasks.n + task;
	return h->appls.n > 1 ? h->tasks.at[task].appl : ROW_NONE;
}

static const char *
node_name(struct prv_in *p, uint32_t node)
{
	return or_default(p,
		prv_in_name(&p->names, PRV_IN_NODE, (uint64_t)node - 1),
		"node %llu", node, 0);
}

/* Declares a thread; `index` counts all threads of the file before it. */
static uint32_t
add_thread(struct prv_in *p, uint32_t task, uint32_t thread, uint64_t index,
	struct sink *to)
{
	const struct prv_in_header *h = &p->header;
	const struct prv_in_task *t = &h->tasks.at[task];
	uint64_t in = task - h->appls.at[t->appl].first;
	struct row_identity identity = { NULL, -1, -1, -1 };

	const char *name = prv_in_name(&p->names, PRV_IN_THREAD, index);

	if (t->node > 0 && (int)t->node <= h->cpus.n) {
		identity.node = node_name(p, t->node);
		/* The rows behind those of the CPUs are virtual CPUs. */
		if (strcmp(p->class, CPU_CLASS) == 0 &&
			thread < h->cpus.at[t->node - 1])
			identity.cpu = thread;
	}
	if (name == NULL)
		name = arena_printf(p->arena, "THREAD %u.%llu.%u", t->appl + 1,
			(unsigned long long)in + 1, thread + 1);
	return add_row(p,
		&(struct row){ .parent = parent_of(p, task),
			.class = p->class,
			.name = name,
			.identity = identity.node == NULL ? NULL : &identity },
		to);
}

static void
add_threads(struct prv_in *p, struct sink *to)
{
	const struct prv_in_header *h = &p->header;
	uint64_t index = 0;

	if (h->threads > EAGER_MAX)
		return;
	p->first = ARENA_ARRAY(p->arena, uint32_t, h->tasks.n);
	for (int i = 0; i < h->tasks.n; i++) {
		p->first[i] = (uint32_t)p->rows.n;
		for (uint32_t j = 0; j < h->tasks.at[i].threads; j++)
			add_thread(p, (uint32_t)i, j, index++, to);
	}
}

/* Returns the row of a thread in a file that declares too many of them. */
static uint32_t
lazy_row(struct prv_in *p, uint32_t task, uint32_t thread)
{
	uint64_t index = thread;
	uint64_t *id = map_put(&p->lazy, (uint64_t)task << 32 | thread);

	if (*id == 0) {
		for (uint32_t i = 0; i < task; i++)
			index += p->header.tasks.at[i].threads;
		*id = (uint64_t)add_thread(p, task, thread, index, p->to) + 1;
	}
	return (uint32_t)(*id - 1);
}

uint32_t
prv_in_row(struct prv_in *p, uint64_t appl, uint64_t task, uint64_t thread)
{
	const struct prv_in_header *h = &p->header;
	uint32_t at;

	if (appl - 1 >= (uint64_t)h->appls.n ||
		task - 1 >= h->appls.at[appl - 1].tasks)
		return ROW_NONE;
	at = h->appls.at[appl - 1].first + (uint32_t)task - 1;
	if (thread - 1 >= h->tasks.at[at].threads)
		return ROW_NONE;
	return p->first != NULL ? p->first[at] + (uint32_t)thread - 1
				: lazy_row(p, at, (uint32_t)thread - 1);
}

/* Returns true if the title has a word that says that values are names of
 * things. */
static bool
names_things(const char *title)
{
	static const char *const words[] = { "tid", "pid", "id", "rank",
		"cpu" };

	while (*title != '\0') {
		size_t n = 0;

		while (isalnum((unsigned char)title[n]) || title[n] == '_')
			n++;
		for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
			if (strlen(words[i]) == n &&
				strncasecmp(title, words[i], n) == 0)
				return true;
		title += n == 0 ? 1 : n;
	}
	return false;
}

static void
declare(struct prv_in *p, struct type *type, struct sink *to)
{
	type->id = p->ntypes++;
	type->class = p->class;
	sink_type(to, type);
}

static const char *
zero_label(const struct prv_in_labels *labels)
{
	const char *text = NULL;

	for (int i = 0; labels != NULL && i < labels->at.n; i++)
		if (labels->at.at[i].value == 0)
			text = labels->at.at[i].text;
	return text;
}

/* Returns the kind of a type: one with labels has states. The label of 0 alone
 * says nothing. */
static enum type_kind
kind_of(const struct prv_in_type *t)
{
	for (int i = 0; t->labels != NULL && i < t->labels->at.n; i++)
		if (t->labels->at.at[i].value != 0)
			return TYPE_STATE;
	return names_things(t->title) ? TYPE_ID : TYPE_NUMBER;
}

static enum meaning
meaning_of(const struct prv_in *p, const struct type *t,
	const struct prv_in_label *l)
{
	const struct reader_setup *s = p->setup;

	if (l->value == VALUE_LOST)
		return MEANS_LOST;
	return s->know_label == NULL
		? MEANS_UNSAID
		: s->know_label(s->arg, t, l->value, l->text);
}

static void
add_labels(const struct prv_in *p, const struct prv_in_labels *labels,
	const struct type *t, bool zero, struct sink *to)
{
	for (int i = 0; labels != NULL && i < labels->at.n; i++) {
		const struct prv_in_label *l = &labels->at.at[i];

		if (l->value != 0 || zero)
			sink_label(to, t->id, l->value, l->text,
				meaning_of(p, t, l));
	}
}

/* Declares a type of event lines. */
static void
add_type(struct prv_in *p, const struct prv_in_type *t, struct sink *to)
{
	const struct reader_setup *s = p->setup;
	struct type type = {
		.class = p->class,
		.key = arena_printf(p->arena, "prv.%" PRId64, t->number),
		.title = t->title,
		.number = t->number,
		.kind = kind_of(t),
	};
	bool zero = s->know_type != NULL ? s->know_type(s->arg, &type)
					 : type.kind == TYPE_NUMBER;

	*map_put(&p->type_of, (uint64_t)t->number) = (uint64_t)p->ntypes + 1;
	*map_put(&p->zero_of, p->ntypes) = zero;
	if ((!zero || type.kind == TYPE_NUMBER) &&
		zero_label(t->labels) != NULL)
		type.none = zero_label(t->labels);
	declare(p, &type, to);
	add_labels(p, t->labels, &type, zero && type.kind != TYPE_NUMBER, to);
}

uint32_t
prv_in_state_type(struct prv_in *p)
{
	struct type type = {
		.key = "prv.state", .title = "State", .kind = TYPE_STATE
	};

	if (p->state_type != PRV_IN_NO_TYPE)
		return p->state_type;
	p->state_type = p->ntypes;
	declare(p, &type, p->to);
	for (int i = 0; i < p->pcf.states.at.n; i++)
		sink_label(p->to, type.id, p->pcf.states.at.at[i].value,
			p->pcf.states.at.at[i].text, MEANS_UNSAID);
	return p->state_type;
}

uint32_t
prv_in_cpu_type(struct prv_in *p)
{
	if (p->cpu_type != PRV_IN_NO_TYPE)
		return p->cpu_type;
	p->cpu_type = p->ntypes;
	declare(p,
		&(struct type){ .key = "prv.cpu",
			.title = "CPU of the thread",
			.number = 0,
			.kind = TYPE_ID },
		p->to);
	return p->cpu_type;
}

void
prv_in_declare(struct prv_in *p, struct sink *to)
{
	p->to = to;
	p->rows.n = 0;
	p->ntypes = 0;
	p->state_type = p->cpu_type = PRV_IN_NO_TYPE;
	add_parents(p, to);
	add_threads(p, to);
	if (p->pcf.states.at.n > 0)
		prv_in_state_type(p);
	if (p->reports_cpu)
		prv_in_cpu_type(p);
	for (int i = 0; i < p->pcf.types.n && i < TYPES_MAX; i++)
		add_type(p, &p->pcf.types.at[i], to);
}

bool
prv_in_type(struct prv_in *p, int64_t number, struct prv_in_found *to)
{
	const uint64_t *id = map_get(&p->type_of, (uint64_t)number);

	if (id == NULL) {
		struct prv_in_type unnamed = { .number = number,
			.title = arena_printf(
				p->arena, "Type %" PRId64, number) };

		if (p->ntypes >= TYPES_MAX)
			return false;
		add_type(p, &unnamed, p->to);
		id = map_get(&p->type_of, (uint64_t)number);
	}
	to->number = number;
	to->id = (uint32_t)(*id - 1);
	to->keeps_zero = *map_get(&p->zero_of, to->id) != 0;
	return true;
}

void
prv_in_tag(struct prv_in *p, int64_t tag)
{
	char name[48];
	uint64_t *known;

	if (map_count(&p->tags) >= TAGS_MAX)
		return;
	known = map_put(&p->tags, (uint64_t)tag);
	if (*known != 0)
		return;
	*known = 1;
	snprintf(name, sizeof name, "tag %" PRId64, tag);
	sink_link_kind(p->to,
		&(struct link_kind){
			.kind = tag, .name = name, .meaning = LINK_MESSAGE });
}
