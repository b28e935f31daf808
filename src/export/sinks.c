/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "export/sinks.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/near.h"
#include "export/csv/csv.h"
#include "export/index/sink.h"
#include "export/prv/prv.h"

const struct sink_ops *const sinks[] = {
	&sink_prv,
	&sink_csv,
	&sink_index,
	NULL,
};

struct fan {
	struct sink base;
	int n;
	struct sink *to[sizeof sinks / sizeof sinks[0]];
};

static const struct sink_ops *
find(const char *name, size_t length)
{
	for (int i = 0; sinks[i] != NULL; i++)
		if (strncmp(sinks[i]->name, name, length) == 0 &&
			sinks[i]->name[length] == '\0')
			return sinks[i];
	return NULL;
}

static void
fan_row(struct sink *s, const struct row *row)
{
	struct fan *f = (struct fan *)s;

	for (int i = 0; i < f->n; i++)
		sink_row(f->to[i], row);
}

static void
fan_type(struct sink *s, const struct type *type)
{
	struct fan *f = (struct fan *)s;

	for (int i = 0; i < f->n; i++)
		sink_type(f->to[i], type);
}

static void
fan_label(struct sink *s, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	struct fan *f = (struct fan *)s;

	for (int i = 0; i < f->n; i++)
		sink_label(f->to[i], type, value, text, meaning);
}

static void
fan_state(struct sink *s, const struct record *r)
{
	struct fan *f = (struct fan *)s;

	for (int i = 0; i < f->n; i++)
		sink_state(f->to[i], r);
}

static void
fan_link(struct sink *s, const struct link *l)
{
	struct fan *f = (struct fan *)s;

	for (int i = 0; i < f->n; i++)
		sink_link(f->to[i], l);
}

static void
fan_advance(struct sink *s, int64_t time)
{
	struct fan *f = (struct fan *)s;

	for (int i = 0; i < f->n; i++)
		sink_advance(f->to[i], time);
}

static void
fan_loss(struct sink *s, void (*fn)(void *arg, const struct loss *loss),
	void *arg)
{
	struct fan *f = (struct fan *)s;

	for (int i = 0; i < f->n; i++)
		sink_loss(f->to[i], fn, arg);
}

static bool
fan_close(struct sink *s, struct err *err)
{
	struct fan *f = (struct fan *)s;
	bool ok = true;

	for (int i = 0; i < f->n; i++) {
		struct err e = { 0 };

		if (!sink_close(f->to[i], &e) && ok) {
			ok = false;
			*err = e;
		}
	}
	return ok;
}

static void
fan_panel(struct sink *s, const struct panel *panel)
{
	struct fan *f = (struct fan *)s;

	for (int i = 0; i < f->n; i++)
		sink_panel(f->to[i], panel);
}

static void
fan_rename(struct sink *s, uint32_t row, const char *name)
{
	struct fan *f = (struct fan *)s;

	for (int i = 0; i < f->n; i++)
		sink_rename(f->to[i], row, name);
}

static void
fan_link_kind(struct sink *s, const struct link_kind *kind)
{
	struct fan *f = (struct fan *)s;

	for (int i = 0; i < f->n; i++)
		sink_link_kind(f->to[i], kind);
}

static void
fan_gap(struct sink *s, const struct gap *gap)
{
	struct fan *f = (struct fan *)s;

	for (int i = 0; i < f->n; i++)
		sink_gap(f->to[i], gap);
}

static void
fan_finding(struct sink *s, const struct sink_finding *finding)
{
	struct fan *f = (struct fan *)s;

	for (int i = 0; i < f->n; i++)
		sink_finding(f->to[i], finding);
}

static const struct sink_ops fan_ops = {
	.name = "several",
	.help = "passes everything on to several formats",
	.row = fan_row,
	.type = fan_type,
	.label = fan_label,
	.state = fan_state,
	.link = fan_link,
	.advance = fan_advance,
	.loss = fan_loss,
	.close = fan_close,
	.panel = fan_panel,
	.rename = fan_rename,
	.link_kind = fan_link_kind,
	.gap = fan_gap,
	.finding = fan_finding,
};

static bool
unknown(struct arena *a, const char *name, size_t length, struct err *err)
{
	const char *known = "";
	struct near near = { .word = arena_strndup(a, name, length) };

	for (int i = 0; sinks[i] != NULL; i++) {
		near_try(&near, sinks[i]->name);
		known = arena_printf(
			a, "%s%s%s", known, i > 0 ? ", " : "", sinks[i]->name);
	}
	return err_set(err, ERR_INPUT,
		"unknown output format \"%.*s\"; there are: %s%s%s%s",
		length > 100 ? 100 : (int)length, name, known,
		near.best != NULL ? "; did you mean " : "",
		near.best != NULL ? near.best : "",
		near.best != NULL ? "?" : "");
}

/* The formats of a list, each once, in the order of the list; -1 with err. */
static int
parse(struct arena *a, const char *names, const struct sink_ops **ops,
	struct err *err)
{
	int n = 0;

	for (;;) {
		size_t length = strcspn(names, ",");
		const struct sink_ops *found = find(names, length);
		int i = 0;

		if (found == NULL) {
			unknown(a, names, length, err);
			return -1;
		}
		while (i < n && ops[i] != found)
			i++;
		if (i == n)
			ops[n++] = found;
		if (names[length] == '\0')
			return n;
		names += length + 1;
	}
}

bool
sinks_known(struct arena *a, const char *names, struct err *err)
{
	const struct sink_ops *ops[sizeof sinks / sizeof sinks[0]];

	return parse(a, names, ops, err) >= 0;
}

struct sink *
sinks_open(struct arena *a, const char *names, const char *dir,
	const struct sink_setup *setup, struct err *err)
{
	const struct sink_ops *ops[sizeof sinks / sizeof sinks[0]];
	struct fan *f;
	int n = parse(a, names, ops, err);

	if (n < 0 || !file_mkdir(dir, err))
		return NULL;
	if (n == 1)
		return ops[0]->open(a, dir, setup, err);
	f = ARENA_NEW(a, struct fan);
	f->base.ops = &fan_ops;
	for (; f->n < n; f->n++) {
		struct err late = { 0 };

		f->to[f->n] = ops[f->n]->open(a, dir, setup, err);
		if (f->to[f->n] == NULL) {
			fan_close(&f->base, &late);
			return NULL;
		}
		f->base.takes_stacks |= f->to[f->n]->takes_stacks;
	}
	return &f->base;
}
