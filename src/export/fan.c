/* SPDX-License-Identifier: MIT */
#include "export/fan.h"

#include "base/bug.h"

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

const struct sink_ops fan_ops = {
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

void
fan_init(struct fan *f)
{
	*f = (struct fan){ .base.ops = &fan_ops };
}

void
fan_add(struct fan *f, struct sink *to)
{
	BUG_ON(f->n == FAN_SINKS);
	f->to[f->n++] = to;
	f->base.takes_stacks |= to->takes_stacks;
}
