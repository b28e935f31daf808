/* SPDX-License-Identifier: MIT */
#include "export/join_tables.h"

#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/intern.h"
#include "export/share.h"

#define MARK "ovni.mark" /* keys of marks: ovni.mark7 */

static bool
is_same(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static const struct row *
row_at(const struct join_tables *t, int input, uint32_t row)
{
	return &t->in[input].share->rows.at[row];
}

/* Returns true if both rows stand for one thread of a machine. */
static bool
is_same_thread(const struct row *a, const struct row *b)
{
	return a->identity != NULL && b->identity != NULL &&
		a->identity->tid > 0 && a->identity->tid == b->identity->tid &&
		strcmp(a->class, b->class) == 0;
}

static void take_row(struct join_tables *t, int input, uint32_t row);

/* Takes the rows of the same thread in later inputs of the same machine. */
static void
take_twins(struct join_tables *t, int input, const struct row *of)
{
	if (of->identity == NULL || of->identity->tid <= 0)
		return;
	for (int i = input + 1; i < t->n; i++) {
		const uint64_t *row =
			map_get(&t->of[i].of_tid, (uint64_t)of->identity->tid);

		if (row != NULL && t->in[i].machine == t->in[input].machine &&
			is_same_thread(of, row_at(t, i, (uint32_t)*row - 1)))
			take_row(t, i, (uint32_t)*row - 1);
	}
}

/* Gives a row its number, after its parent's. */
static void
take_row(struct join_tables *t, int input, uint32_t row)
{
	const struct row *r = row_at(t, input, row);
	uint32_t *number = &t->of[input].row[row];

	if (*number != ROW_NONE)
		return;
	if (r->parent != ROW_NONE)
		take_row(t, input, r->parent);
	*number = (uint32_t)t->rows.n;
	VEC_PUSH(&t->rows, t->arena, ((struct join_row){ input, row }));
	take_twins(t, input, r);
}

static void
take_class(struct join_tables *t, const char *class, int machine)
{
	for (int i = 0; i < t->n; i++) {
		const struct share *s = t->in[i].share;

		for (int k = 0; k < s->rows.n && t->in[i].machine == machine;
			k++)
			if (strcmp(s->rows.at[k].class, class) == 0)
				take_row(t, i, (uint32_t)k);
	}
}

/* Returns true if an earlier input has this machine. */
static bool
is_known(const struct join_tables *t, int input)
{
	for (int i = 0; i < input; i++)
		if (t->in[i].machine == t->in[input].machine)
			return true;
	return false;
}

/* Notes which row of an input stands for which thread. */
static void
note_threads(struct join_tables *t, int input)
{
	const struct share *s = t->in[input].share;

	for (int k = 0; k < s->rows.n; k++) {
		const struct row *r = &s->rows.at[k];

		if (r->identity != NULL && r->identity->tid > 0 &&
			strcmp(r->class, "thread") == 0)
			*map_put(&t->of[input].of_tid,
				(uint64_t)r->identity->tid) = (uint64_t)k + 1;
	}
}

static void
number_rows(struct join_tables *t)
{
	for (int i = 1; i < t->n; i++)
		note_threads(t, i);
	for (int i = 0; i < t->n; i++) {
		const struct share *s = t->in[i].share;

		for (int k = 0; k < s->rows.n; k++) {
			if (t->of[i].row[k] != ROW_NONE)
				continue;
			for (int m = 0; m < t->n; m++)
				if (!is_known(t, m))
					take_class(t, s->rows.at[k].class,
						t->in[m].machine);
		}
	}
}

/* Returns true if both are one question about rows. The title of a mark, which
 * its program chose, is part of the question. */
static bool
is_same_type(const struct type *a, const struct type *b)
{
	return is_same(a->key, b->key) && a->kind == b->kind &&
		is_same(a->unit, b->unit) &&
		(strncmp(a->key, MARK, sizeof MARK - 1) != 0 ||
			is_same(a->title, b->title));
}

/* Returns true if the input has the key in the class. */
static bool
has_type(const struct join_tables *t, int input, const char *class,
	const char *key)
{
	const struct share *s = t->in[input].share;

	for (int k = 0; k < s->types.n; k++)
		if (is_same(s->types.at[k].class, class) &&
			is_same(s->types.at[k].key, key))
			return true;
	return false;
}

/* Returns true if another question has the number, in a class in which the
 * input has the key of the type. */
static bool
is_taken(const struct join_tables *t, int input, const struct type *type,
	int64_t number)
{
	for (int i = 0; i < t->types.n; i++) {
		const struct join_type *other = &t->types.at[i];

		if (other->type.number == number &&
			!is_same_type(&other->own, type) &&
			has_type(t, input, other->own.class, type->key))
			return true;
	}
	return false;
}

/* Returns the number of the type, another one if that is taken. A type has the
 * same number in all classes. */
static int64_t
number_of(struct join_tables *t, int input, const struct type *type)
{
	int64_t number = type->number;

	for (int i = 0; i < t->types.n; i++)
		if (t->types.at[i].input == input &&
			is_same(t->types.at[i].own.key, type->key))
			return t->types.at[i].type.number;
	if (!is_taken(t, input, type, number))
		return number;
	t->renumbered++;
	number = JOIN_NUMBERS;
	while (is_taken(t, input, type, number))
		number++;
	return number;
}

static uint32_t
find_type(const struct join_tables *t, const struct type *type)
{
	for (int i = 0; i < t->types.n; i++)
		if (is_same(t->types.at[i].own.class, type->class) &&
			is_same_type(&t->types.at[i].own, type))
			return (uint32_t)i;
	return UINT32_MAX;
}

/* Two types of one class may not have the same key, for options and tables. */
static const char *
key_of(struct join_tables *t, int input, const struct type *type)
{
	for (int i = 0; i < t->types.n; i++)
		if (is_same(t->types.at[i].type.class, type->class) &&
			is_same(t->types.at[i].type.key, type->key))
			return arena_printf(t->arena, "%s@%s", type->key,
				t->in[input].name);
	return type->key;
}

static void
number_types(struct join_tables *t, int input)
{
	const struct share *s = t->in[input].share;

	for (int k = 0; k < s->types.n; k++) {
		const struct type *type = &s->types.at[k];
		uint32_t id = find_type(t, type);
		struct join_type *to;

		if (id == UINT32_MAX) {
			struct type copy = *type;

			copy.number = number_of(t, input, type);
			copy.key = key_of(t, input, type);
			id = copy.id = (uint32_t)t->types.n;
			to = VEC_ADD(&t->types, t->arena);
			to->type = copy;
			to->own = *type;
			to->input = input;
			to->inputs = ARENA_ARRAY(t->arena, bool, t->n);
			to->type.inputs = to->inputs;
		} else {
			to = &t->types.at[id];
			if (to->type.none == NULL) {
				to->type.none = type->none;
				to->type.none_means = type->none_means;
			}
			to->type.stack = to->type.stack || type->stack;
		}
		to->inputs[input] = true;
		t->of[input].type[k] = id;
	}
}

/* Returns the label of a value, or NULL. */
static struct join_label *
label_of(struct join_tables *t, uint32_t type, int64_t value)
{
	const uint64_t *at = map_get(&t->types.at[type].texts, (uint64_t)value);

	if (at == NULL)
		return NULL;
	BUG_ON(t->labels.at == NULL);
	return &t->labels.at[*at - 1];
}

static void
add_label(struct join_tables *t, const struct join_label *l)
{
	VEC_PUSH(&t->labels, t->arena, *l);
	*map_put(&t->types.at[l->type].texts, (uint64_t)l->value) =
		(uint64_t)t->labels.n;
}

/* Returns the first number to try for a value that an earlier input calls
 * otherwise. Ids without labels may have any small number. */
static int64_t
first_number(const struct type *type, int64_t value)
{
	return type->kind == TYPE_ID && value < JOIN_NUMBERS ? JOIN_NUMBERS
							     : value;
}

/* Takes a label of an input. A value that an earlier input calls otherwise gets
 * another number. */
static void
take_label(struct join_tables *t, int input, const struct share_label *l)
{
	uint32_t type = t->of[input].type[l->type];
	struct map *values = &t->of[input].value[l->type];
	struct join_label label = { type, l->value, l->text, l->means };
	const struct join_label *there = label_of(t, type, l->value);
	bool fixed = l->value == VALUE_LOST || l->value == VALUE_NONE;

	if (there == NULL) {
		add_label(t, &label);
		return;
	}
	if (fixed || strcmp(there->text, l->text) == 0)
		return;
	label.value = first_number(&t->types.at[type].type, l->value);
	while ((there = label_of(t, type, label.value)) != NULL &&
		strcmp(there->text, l->text) != 0)
		label.value++;
	*map_put(values, (uint64_t)l->value) = (uint64_t)label.value;
	if (there == NULL)
		add_label(t, &label);
}

/* Takes the labels of an input. Of several texts of one value the first
 * counts. */
static void
number_values(struct join_tables *t, int input)
{
	const struct share *s = t->in[input].share;
	struct map *said = ARENA_ARRAY(t->arena, struct map, s->types.n);

	for (int k = 0; k < s->labels.n; k++) {
		const struct share_label *l = &s->labels.at[k];
		uint64_t *is_known =
			map_put(&said[l->type], (uint64_t)l->value);

		if (*is_known == 0)
			take_label(t, input, l);
		*is_known = 1;
	}
	for (int k = 0; k < s->types.n; k++)
		map_fini(&said[k]);
}

void
join_tables_make(struct join_tables *t, struct arena *a,
	const struct join_input *in, int n)
{
	*t = (struct join_tables){ .arena = a, .in = in, .n = n };
	t->of = ARENA_ARRAY(a, struct join_numbers, n);
	for (int i = 0; i < n; i++) {
		const struct share *s = in[i].share;
		struct join_numbers *of = &t->of[i];

		of->row = ARENA_ARRAY(a, uint32_t, s->rows.n);
		of->type = ARENA_ARRAY(a, uint32_t, s->types.n);
		of->value = ARENA_ARRAY(a, struct map, s->types.n);
		memset(of->row, 0xff, (size_t)s->rows.n * sizeof *of->row);
		number_types(t, i);
	}
	number_rows(t);
	for (int i = 0; i < n; i++)
		number_values(t, i);
}

void
join_tables_fini(struct join_tables *t)
{
	for (int i = 0; i < t->types.n; i++)
		map_fini(&t->types.at[i].texts);
	for (int i = 0; i < t->n; i++) {
		map_fini(&t->of[i].of_tid);
		for (int k = 0; k < t->in[i].share->types.n; k++)
			map_fini(&t->of[i].value[k]);
	}
}

/* The inputs that have a row of some name, or a node. */
struct names {
	struct intern texts;
	VEC(int) input; /* by text: the only one, or -1: several */
};

static void
note_name(
	struct join_tables *t, struct names *names, const char *name, int input)
{
	uint32_t id = intern_add(&names->texts, name);

	if (id == (uint32_t)names->input.n)
		VEC_PUSH(&names->input, t->arena, input);
	else if (names->input.at[id] != input)
		names->input.at[id] = -1;
}

static bool
is_shared(const struct names *names, const char *name)
{
	return names->input.at[intern_find(&names->texts, name)] < 0;
}

/* Returns "class name" of a row. */
static const char *
full_name(struct join_tables *t, const struct row *r)
{
	return arena_printf(t->arena, "%s %s", r->class, r->name);
}

/* Returns the name with that of the input in front; blanks that align names
 * are dropped. */
static const char *
prefixed(struct join_tables *t, int input, const char *name)
{
	return arena_printf(
		t->arena, "%s:%s", t->in[input].name, name + strspn(name, " "));
}

/* Returns the first input of the machine. */
static int
first_of_machine(const struct join_tables *t, int input)
{
	int i = 0;

	while (t->in[i].machine != t->in[input].machine)
		i++;
	return i;
}

static void
note_rows(struct join_tables *t, struct names *rows, struct names *nodes)
{
	intern_init(&rows->texts, t->arena);
	intern_init(&nodes->texts, t->arena);
	for (int i = 0; i < t->rows.n; i++) {
		int input = t->rows.at[i].input;
		const struct row *r = row_at(t, input, t->rows.at[i].row);

		note_name(t, rows, full_name(t, r), input);
		/* Inputs of one machine have the same nodes. */
		if (r->identity != NULL && r->identity->node != NULL)
			note_name(t, nodes, r->identity->node,
				t->in[input].machine);
	}
}

static void
declare_rows(struct join_tables *t, struct sink *to)
{
	struct names rows = { 0 }, nodes = { 0 };

	note_rows(t, &rows, &nodes);
	for (int i = 0; i < t->rows.n; i++) {
		int input = t->rows.at[i].input;
		struct row r = *row_at(t, input, t->rows.at[i].row);
		struct row_identity id = { 0 };

		if (*r.name != '\0' && is_shared(&rows, full_name(t, &r)))
			r.name = prefixed(t, input, r.name);
		if (r.identity != NULL) {
			id = *r.identity;
			if (id.node != NULL && is_shared(&nodes, id.node))
				id.node = prefixed(
					t, first_of_machine(t, input), id.node);
			r.identity = &id;
		}
		r.id = (uint32_t)i;
		if (r.parent != ROW_NONE)
			r.parent = t->of[input].row[r.parent];
		sink_row(to, &r);
		sink_origin(to, r.id, input);
	}
}

/* Declares a panel, once for each class and key. */
static void
declare_panel(struct join_tables *t, int input, int k, struct sink *to)
{
	const struct panel *p = &t->in[input].share->panels.at[k];
	struct panel out = *p;
	uint32_t *types = ARENA_ARRAY(t->arena, uint32_t, p->ntypes);

	for (int i = 0; i < input; i++)
		for (int m = 0; m < t->in[i].share->panels.n; m++) {
			const struct panel *other =
				&t->in[i].share->panels.at[m];

			if (strcmp(other->class, p->class) == 0 &&
				strcmp(other->key, p->key) == 0)
				return;
		}
	for (int i = 0; i < p->ntypes; i++)
		types[i] = t->of[input].type[p->types[i]];
	out.types = types;
	sink_panel(to, &out);
}

void
join_tables_declare(struct join_tables *t, struct sink *to)
{
	declare_rows(t, to);
	for (int i = 0; i < t->types.n; i++)
		sink_type(to, &t->types.at[i].type);
	for (int i = 0; i < t->labels.n; i++) {
		const struct join_label *l = &t->labels.at[i];

		sink_label(to, l->type, l->value, l->text, l->means);
	}
	for (int i = 0; i < t->n; i++)
		for (int k = 0; k < t->in[i].share->panels.n; k++)
			declare_panel(t, i, k, to);
}
