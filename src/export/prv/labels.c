/* SPDX-License-Identifier: MIT */
#include "export/prv/labels.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"

#define BUFFER_BYTES (64u << 10)

static const char pcf_options[] = "DEFAULT_OPTIONS\n"
				  "\n"
				  "LEVEL               THREAD\n"
				  "UNITS               NANOSEC\n"
				  "LOOK_BACK           100\n"
				  "SPEED               1\n"
				  "FLAG_ICONS          ENABLED\n"
				  "NUM_OF_STATE_COLORS 1000\n"
				  "YMAX_SCALE          37\n"
				  "\n\n"
				  "DEFAULT_SEMANTIC\n"
				  "\n"
				  "THREAD_FUNC         State As Is\n";

static const uint8_t palette[][3] = {
	{ 0, 0, 0 },
	{ 0, 130, 200 },
	{ 217, 217, 217 },
	{ 230, 25, 75 },
	{ 60, 180, 75 },
	{ 255, 225, 25 },
	{ 245, 130, 48 },
	{ 145, 30, 180 },
	{ 70, 240, 240 },
	{ 240, 50, 230 },
	{ 210, 245, 60 },
	{ 250, 190, 212 },
	{ 0, 128, 128 },
	{ 128, 128, 128 },
	{ 220, 190, 255 },
	{ 170, 110, 40 },
	{ 255, 250, 200 },
	{ 128, 0, 0 },
	{ 170, 255, 195 },
	{ 128, 128, 0 },
	{ 255, 215, 180 },
	{ 0, 0, 128 },
	{ 0, 0, 255 },
};

/* Replacements in our own files for colours that are invisible on black. */
static const struct {
	int index;
	uint8_t rgb[3];
} brighter[] = {
	{ 17, { 210, 105, 45 } },
	{ 21, { 105, 120, 225 } },
	{ 22, { 60, 150, 180 } },
};

#define PALETTE_SIZE ((int)(sizeof palette / sizeof palette[0]))

static const char *
one_line(struct arena *a, const char *s)
{
	char *line = arena_strdup(a, s);

	for (char *c = line; *c != '\0'; c++)
		if (*c == '\n' || *c == '\r')
			*c = ' ';
	return line;
}

void
prv_names_add_row(struct prv_names *n, const char *name, uint32_t task)
{
	VEC_PUSH(&n->row, n->arena,
		((struct prv_row_name){ one_line(n->arena, name), task }));
}

void
prv_names_rename(struct prv_names *n, uint32_t row, const char *name)
{
	n->row.at[row].text = one_line(n->arena, name);
}

void
prv_names_add_task(struct prv_names *n, const char *name)
{
	VEC_PUSH(&n->task, n->arena, one_line(n->arena, name));
}

static bool
is_title(const struct prv_names *n, const char *title)
{
	for (int i = 0; i < n->type.n; i++)
		if (n->type.at[i].title != NULL &&
			strcmp(n->type.at[i].title, title) == 0)
			return true;
	return false;
}

/* Returns a title that no other type has. */
static const char *
title_of(const struct prv_names *n, const struct type *type)
{
	const char *title = one_line(n->arena, type->title);

	if (title[strspn(title, " \t")] == '\0')
		title = type->key[0] == '\0' ? "Type" : type->key;
	return !is_title(n, title) ? title
				   : arena_printf(n->arena, "%s (%" PRId64 ")",
					     title, type->number);
}

void
prv_names_add_type(struct prv_names *n, const struct type *type)
{
	const char *title = type->title == NULL ? NULL : title_of(n, type);
	struct prv_type *t = VEC_ADD(&n->type, n->arena);

	t->number = type->number;
	t->kind = type->kind;
	t->before = type->before;
	t->special = prv_special_of(type->key);
	t->key = arena_strdup(n->arena, type->key);
	t->title = title;
	if (type->none != NULL)
		t->none = one_line(n->arena, type->none);
}

bool
prv_names_add_label(
	struct prv_names *n, uint32_t type, const struct prv_label *label)
{
	struct prv_type *t = &n->type.at[type];
	uint64_t *known = map_put(&t->known, (uint64_t)label->value);

	if (*known != 0)
		return false;
	*known = 1;
	VEC_PUSH(&t->label, n->arena,
		((struct prv_label){ label->value,
			one_line(n->arena, label->text), label->means }));
	return true;
}

struct prv_panel *
prv_names_add_panel(struct prv_names *n, const char *key, const char *title)
{
	struct prv_panel *p = VEC_ADD(&n->panel, n->arena);

	p->key = arena_strdup(n->arena, key);
	p->title = arena_strdup(n->arena, title);
	return p;
}

static void
put_label(struct outfile *f, int64_t value, const char *text)
{
	outfile_printf(f, "%-4" PRId64 " ", value);
	outfile_puts(f, text);
	outfile_puts(f, "\n");
}

/* Returns the label of 0. Without one, Paraver would call it "value 0". */
static const char *
nothing(const struct prv_names *n, const struct prv_type *t)
{
	if (t->none != NULL || n->original || t->label.n == 0)
		return t->none;
	return "None";
}

static void
put_type(struct outfile *f, const struct prv_names *n, const struct prv_type *t)
{
	const char *none = nothing(n, t);

	if (t->title == NULL || t->special != PRV_EVENTS)
		return;
	outfile_printf(f, "\n\nEVENT_TYPE\n0 %-10" PRId64 " ", t->number);
	outfile_puts(f, t->title);
	outfile_puts(f, "\nVALUES\n");
	if (none != NULL && map_get(&t->known, 0) == NULL)
		put_label(f, 0, none);
	for (int i = 0; i < t->label.n; i++)
		if (n->original ||
			t->label.at[i].value == (int32_t)t->label.at[i].value)
			put_label(f, t->label.at[i].value, t->label.at[i].text);
}

/* Writes the labels of state lines. */
static void
put_states(struct outfile *f, const struct prv_names *n)
{
	for (int i = 0; i < n->type.n; i++) {
		const struct prv_type *t = &n->type.at[i];

		if (t->special != PRV_STATES || t->label.n == 0)
			continue;
		outfile_puts(f, "\n\nSTATES\n");
		for (int j = 0; j < t->label.n; j++)
			put_label(f, t->label.at[j].value, t->label.at[j].text);
	}
}

static void
put_color(struct outfile *f, int i, bool original)
{
	const uint8_t *c = palette[i];

	for (size_t j = 0; !original && j < sizeof brighter / sizeof *brighter;
		j++)
		if (brighter[j].index == i)
			c = brighter[j].rgb;
	outfile_printf(f, "%-3d {%3d, %3d, %3d}\n", i, c[0], c[1], c[2]);
}

bool
prv_names_write_pcf(
	const struct prv_names *n, const char *path, struct err *err)
{
	struct outfile f;

	if (!outfile_open(&f, n->arena, path, BUFFER_BYTES, err))
		return false;
	outfile_puts(&f, pcf_options);
	put_states(&f, n);
	outfile_puts(&f, "\n\nSTATES_COLOR\n");
	for (int i = 0; i < PALETTE_SIZE; i++)
		put_color(&f, i, n->original);
	for (int i = 0; i < n->type.n; i++)
		put_type(&f, n, &n->type.at[i]);
	return outfile_close(&f, err);
}

static void
put_line(struct outfile *f, const char *text)
{
	outfile_puts(f, text);
	outfile_puts(f, "\n");
}

/* Writes the rows task by task, because they may have been added in any
 * order. */
static void
put_rows(struct outfile *f, const struct prv_names *n)
{
	uint32_t task = 0;

	for (int left = n->row.n; left > 0; task++)
		for (int i = 0; i < n->row.n; i++)
			if (n->row.at[i].task == task) {
				put_line(f, n->row.at[i].text);
				left--;
			}
}

static void
put_level(struct outfile *f, const struct prv_names *n, const char *level,
	const char *const *name, int count)
{
	if (count > 0)
		outfile_printf(f, "LEVEL %s SIZE %d\n", level, count);
	for (int i = 0; i < count; i++)
		put_line(f, one_line(n->arena, name[i]));
	if (count > 0)
		outfile_puts(f, "\n");
}

/* Returns true if there are more tasks than the one that the format implies. */
static bool
has_tasks(const struct prv_names *n)
{
	return n->task.n > 1 || (n->task.n == 1 && n->has_parents);
}

static void
put_nodes(struct outfile *f, const struct prv_machine *p)
{
	outfile_printf(f, "LEVEL NODE SIZE %d\n", p->node.n);
	for (int i = 0; i < p->node.n; i++)
		put_line(f, p->node.at[i].name);
	outfile_puts(f, "\n");
}

bool
prv_names_write_row(const struct prv_names *n, const char *path,
	const struct prv_machine *places, struct err *err)
{
	static const char *const nameless[] = { "hostname" };
	struct outfile f;

	if (!outfile_open(&f, n->arena, path, BUFFER_BYTES, err))
		return false;
	if (places != NULL && places->node.n > 0) {
		put_level(&f, n, "CPU", places->cpu.at, places->cpu.n);
		put_nodes(&f, places);
	} else {
		put_level(&f, n, "NODE", nameless, 1);
	}
	if (has_tasks(n))
		put_level(&f, n, "TASK", n->task.at, n->task.n);
	outfile_printf(&f, "LEVEL THREAD SIZE %d\n", n->row.n);
	put_rows(&f, n);
	return outfile_close(&f, err);
}

void
prv_names_fini(struct prv_names *n)
{
	for (int i = 0; i < n->type.n; i++)
		map_fini(&n->type.at[i].known);
}
