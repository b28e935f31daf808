/* SPDX-License-Identifier: MIT */
/* weft models - lists the models, or the types of state of one. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/bug.h"
#include "cli/screen.h"
#include "cli/shell.h"
#include "cli/trace/pipeline.h"
#include "emu/mark.h"
#include "emu/models/models.h"
#include "emu/numbers.h"
#include "emu/view.h"

static int
count_events(const struct model *m)
{
	return 2 * m->nspans + m->nsets + m->nevents + m->nrows;
}

#define MAX_NUMBERS 512

/* Columns before the last one of each list. */
enum { LIST_INDENT = 45, CHAN_INDENT = 58 };

struct numbers {
	int n;
	int64_t at[MAX_NUMBERS];
};

static void
add_number(struct numbers *l, int64_t number)
{
	int i = l->n;

	BUG_ON(l->n == MAX_NUMBERS);
	for (; i > 0 && l->at[i - 1] >= number; i--)
		if (l->at[i - 1] == number)
			return;
	memmove(&l->at[i + 1], &l->at[i], (size_t)(l->n - i) * sizeof *l->at);
	l->at[i] = number;
	l->n++;
}

/* Collects the Paraver types of a model. */
static void
collect(struct numbers *l, const struct model *m)
{
	int64_t number;

	for (int pos = 0; numbers_next(m, &pos, &number);)
		add_number(l, number);
}

/* Writes numbers as ranges: "1-4,6,7". */
static const char *
numbers_text(const struct numbers *l, char *to, size_t room)
{
	size_t n = 0;

	*to = '\0';
	for (int i = 0; i < l->n && n < room; i++) {
		int first = i;

		while (i + 1 < l->n && l->at[i + 1] == l->at[i] + 1)
			i++;
		n += (size_t)snprintf(to + n, room - n, "%s%" PRId64,
			n == 0 ? "" : ",", l->at[first]);
		if (i > first && n < room)
			n += (size_t)snprintf(
				to + n, room - n, "-%" PRId64, l->at[i]);
	}
	return to;
}

static void
list(const struct model *const *all)
{
	screen_line(LIST_INDENT, "%-10s %-8s %-7s %-16s %s", "model", "version",
		"letter", "types", "what it shows");
	for (const struct model *const *m = all; *m != NULL; m++) {
		struct numbers l = { 0 };
		char types[128];

		collect(&l, *m);
		screen_line(LIST_INDENT, "%-10s %-8s %-7c %-16s %s", (*m)->name,
			(*m)->version, (*m)->id == '\0' ? '-' : (*m)->id,
			numbers_text(&l, types, sizeof types), (*m)->brief);
	}
}

static void
print_type(const char *class, const struct type *t)
{
	screen_line(CHAN_INDENT, "%-26s %-7" PRId64 " %-7s %-14s %s", t->key,
		t->number, "single", class, t->title);
}

/* Returns a text that says when a thread's row shows the channel ("while it
 * runs"), or which other row does. */
static const char *
shown_text(const struct chan_def *c)
{
	static const char *const shown[] = {
		[TRACK_NONE] = "always",
		[TRACK_RUNNING] = "while it runs",
		[TRACK_ACTIVE] = "while active",
		[TRACK_ALIVE] = "while alive",
	};
	static const char *const owner[] = {
		[CHAN_OF_THREAD] = NULL,
		[CHAN_OF_CPU] = "(CPU only)",
		[CHAN_OF_PROCESS] = "(process only)",
		[CHAN_OF_SYSTEM] = "(system only)",
	};

	return c->of == CHAN_OF_THREAD ? shown[c->thread] : owner[c->of];
}

static void
print_chan(const struct model *m, const struct chan_def *c)
{
	char key[64];

	snprintf(key, sizeof key, "%s.%s", m->name, c->key);
	screen_line(CHAN_INDENT, "%-26s %-7" PRId64 " %-7s %-14s %s", key,
		c->number, c->kind == CHAN_STACK ? "stack" : "single",
		shown_text(c), c->title);
}

/* Returns the width of the column of panel keys, which may be longer than the
 * keys of channels. */
static int
key_width(const struct model *m)
{
	size_t most = 26;

	for (int i = 0; i < m->npanels; i++) {
		size_t n = strlen(m->name) + 1 + strlen(m->panels[i].key);

		most = n > most ? n : most;
	}
	return (int)most;
}

static void
print_panel(const struct model *m, const struct panel_def *d, int width)
{
	char key[64], names[512] = "";
	size_t n = 0;

	snprintf(key, sizeof key, "%s.%s", m->name, d->key);
	for (int i = 0; d->names[i] != NULL && n < sizeof names; i++)
		n += (size_t)snprintf(names + n, sizeof names - n, "%s%s",
			i > 0 ? " " : "", d->names[i]);
	screen_line(width + 1, "%-*s %s (%s)", width, key, d->title, names);
}

static void
print_panels(const struct model *m)
{
	int width = key_width(m);

	if (m->npanels > 0) {
		printf("\n");
		screen_line(width + 1, "%-*s %s", width, "panel",
			"title (channels it overlays)");
	}
	for (int i = 0; i < m->npanels; i++)
		print_panel(m, &m->panels[i], width);
}

static void
describe(struct pipeline *r, const struct model *m)
{
	screen_line(4, "%s %s: %s", m->name, m->version, m->brief);
	screen_line(4, "%d rows of events: weft events %s%s%s%s",
		count_events(m), r->model_files != NULL ? "--model " : "",
		r->model_files != NULL ? shell_word(&r->arena, r->model_files)
				       : "",
		r->model_files != NULL ? " " : "", m->name);
	printf("\n");
	screen_line(CHAN_INDENT, "%-26s %-7s %-7s %-14s %s", "channel", "type",
		"kind", "thread shows", "title");
	for (int i = 0; i < m->nchans; i++)
		print_chan(m, &m->chans[i]);
	if (m != &model_ovni)
		return;
	for (int i = 0; i < THREAD_CORE; i++)
		print_type("always", &view_core_thread[i]);
	for (int i = 0; i < CPU_CORE; i++)
		print_type("(CPU only)", &view_core_cpu[i]);
	screen_line(CHAN_INDENT, "%-26s %-7s %-7s %-14s %s", "ovni.mark<N>",
		"100+N", "either", "while active",
		"title of mark type N in the trace, N from 0 to 99");
}

static enum exit_code
show(struct pipeline *r, const char *name)
{
	const struct model *const *m;

	if (!pipeline_read_models(&r->arena, r->model_files, &r->models))
		return EXIT_UNABLE;
	if (name == NULL) {
		list(pipeline_models(r));
		return EXIT_YES;
	}
	for (m = pipeline_models(r); *m != NULL; m++)
		if (strcmp((*m)->name, name) == 0)
			break;
	if (*m == NULL)
		return pipeline_no_model(r, &cmd_models, name);
	describe(r, *m);
	print_panels(*m);
	return EXIT_YES;
}

static enum exit_code
run(int argc, char *argv[])
{
	struct pipeline r = RUN_DEFAULTS;
	const struct option_def opts[] = { RUN_MODEL_OPTION(r), { 0 } };
	enum exit_code code;
	int n = cmd_parse(&cmd_models, opts, argc, argv, &code);

	if (n >= 0)
		code = show(&r, n == 0 ? NULL : argv[0]);
	pipeline_close(&r);
	return code;
}

const struct cmd cmd_models = {
	.name = "models",
	.brief = "list the models, or the types of state of one",
	.args = "[MODEL]",
	.words = propose_models,
	.max_args = 1,
	.run = run,
};
