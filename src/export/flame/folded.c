/* SPDX-License-Identifier: MIT */
#include "export/flame/folded.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/digits.h"
#include "base/utf8.h"
#include "export/flame/flame.h"
#include "export/single.h"

static struct sink *
folded_open(struct arena *a, const char *dir, const struct sink_setup *setup,
	struct err *err)
{
	struct flame *f = ARENA_NEW(a, struct flame);
	const char *per_row = single_option(setup, "per-row=");

	f->by_row = per_row != NULL && strcmp(per_row, "1") == 0;
	f->name = "stacks.folded";
	return flame_open(f, &sink_folded, a, dir, setup, err) ? &f->base
							       : NULL;
}

/* Returns the frame's text as a part of a line. */
static const char *
part(struct flame *f, uint32_t frame)
{
	const char *text = flame_text(f, frame);
	size_t n = strlen(text);
	char *to = arena_alloc(f->arena, 3 * n + 1);

	n = utf8_mend(to, text, n);
	for (size_t i = 0; i < n; i++)
		if (to[i] == ';')
			to[i] = ':';
		else if ((unsigned char)to[i] < ' ')
			to[i] = ' ';
	return n > 0 ? to : "-";
}

/* A line of the file. */
struct line {
	const char *text;
	int64_t time;
};

static int
by_bytes(const void *a, const void *b)
{
	return strcmp(
		((const struct line *)a)->text, ((const struct line *)b)->text);
}

/* Adds up the lines that are equal: different values may have one label. */
static int
merge(struct line *lines, int n)
{
	int to = 0;

	for (int i = 1; i < n; i++)
		if (strcmp(lines[to].text, lines[i].text) == 0)
			lines[to].time += lines[i].time;
		else
			lines[++to] = lines[i];
	return n > 0 ? to + 1 : 0;
}

/* Writes the paths of all nodes, the stack of a node after that of its parent,
 * which has a lower number. */
static void
put_lines(struct flame *f)
{
	const char **path = ARENA_ARRAY(f->arena, const char *, f->nodes.n);
	const char **name = ARENA_ARRAY(f->arena, const char *, f->frames.n);
	struct line *lines = ARENA_ARRAY(f->arena, struct line, f->nodes.n);
	int n = 0;

	for (int i = 1; i < f->nodes.n; i++) {
		const struct flame_node *node = &f->nodes.at[i];

		if (name[node->frame] == NULL)
			name[node->frame] = part(f, node->frame);
		path[i] = node->parent == FLAME_ROOT
			? name[node->frame]
			: arena_printf(f->arena, "%s;%s", path[node->parent],
				  name[node->frame]);
		if (node->time > 0)
			lines[n++] = (struct line){ path[i], node->time };
	}
	if (n > 0)
		qsort(lines, (size_t)n, sizeof *lines, by_bytes);
	n = merge(lines, n);
	for (int i = 0; i < n; i++) {
		char digits[DIGITS_MAX];

		if (lines[i].time < f->per)
			continue;
		*digits_i64(digits, lines[i].time / f->per) = '\0';
		outfile_puts(&f->out, lines[i].text);
		outfile_puts(&f->out, " ");
		outfile_puts(&f->out, digits);
		outfile_puts(&f->out, "\n");
	}
}

static bool
folded_close(struct sink *s, struct err *err)
{
	struct flame *f = (struct flame *)s;

	flame_end(f);
	put_lines(f);
	return flame_close(f, err);
}

const struct sink_ops sink_folded = {
	.name = "folded",
	.help = "time of each stack of states, as text: stacks.folded",
	.extensions = ".folded .collapsed",
	.streams = true,
	.packs = true,
	.is_text = true,
	.options = "  per-row=1   the name of the row is the first entry of "
		   "each stack\n",
	.open = folded_open,
	.close = folded_close,
	FLAME_CALLS,
};
