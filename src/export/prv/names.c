/* SPDX-License-Identifier: MIT */
#include "export/prv/names.h"

#include <inttypes.h>

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
prv_names_add_task(struct prv_names *n, const char *name)
{
	VEC_PUSH(&n->task, n->arena, one_line(n->arena, name));
}

void
prv_names_add_type(struct prv_names *n, const struct type *type)
{
	struct prv_type *t = VEC_ADD(&n->type, n->arena);

	t->number = type->number;
	t->kind = type->kind;
	t->key = arena_strdup(n->arena, type->key);
	if (type->title != NULL)
		t->title = one_line(n->arena, type->title);
	if (type->none != NULL)
		t->none = one_line(n->arena, type->none);
}

bool
prv_names_add_label(
	struct prv_names *n, uint32_t type, int64_t value, const char *text)
{
	struct prv_type *t = &n->type.at[type];
	uint64_t *known = map_put(&t->known, (uint64_t)value);

	if (*known != 0)
		return false;
	*known = 1;
	VEC_PUSH(&t->label, n->arena,
		((struct prv_label){ value, one_line(n->arena, text) }));
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

static void
put_type(struct outfile *f, const struct prv_type *t)
{
	if (t->title == NULL)
		return;
	outfile_printf(f, "\n\nEVENT_TYPE\n0 %-10" PRId64 " ", t->number);
	outfile_puts(f, t->title);
	outfile_puts(f, "\nVALUES\n");
	if (t->none != NULL && map_get(&t->known, 0) == NULL)
		put_label(f, 0, t->none);
	for (int i = 0; i < t->label.n; i++)
		put_label(f, t->label.at[i].value, t->label.at[i].text);
}

bool
prv_names_write_pcf(
	const struct prv_names *n, const char *path, struct err *err)
{
	struct outfile f;

	if (!outfile_open(&f, n->arena, path, BUFFER_BYTES, err))
		return false;
	outfile_puts(&f, pcf_options);
	outfile_puts(&f, "\n\nSTATES_COLOR\n");
	for (int i = 0; i < PALETTE_SIZE; i++)
		outfile_printf(&f, "%-3d {%3d, %3d, %3d}\n", i, palette[i][0],
			palette[i][1], palette[i][2]);
	for (int i = 0; i < n->type.n; i++)
		put_type(&f, &n->type.at[i]);
	return outfile_close(&f, err);
}

static void
put_line(struct outfile *f, const char *text)
{
	outfile_puts(f, text);
	outfile_puts(f, "\n");
}

/* Task by task: rows may have come in any order. */
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

bool
prv_names_write_row(const struct prv_names *n, const char *path,
	const struct sink_setup *setup, struct err *err)
{
	static const char *const nameless[] = { "hostname" };
	bool named = setup->nnodes > 0;
	struct outfile f;

	if (!outfile_open(&f, n->arena, path, BUFFER_BYTES, err))
		return false;
	put_level(&f, n, "CPU", setup->cpu, setup->ncpus);
	put_level(&f, n, "NODE", named ? setup->node : nameless,
		named ? setup->nnodes : 1);
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
