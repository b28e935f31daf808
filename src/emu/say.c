/* SPDX-License-Identifier: MIT */
#include "emu/say.h"

#include <stdarg.h>
#include <stdio.h>

#include "emu/state.h"

/* Removes an incomplete UTF-8 character at the end. */
static void
end_character(char *text, size_t n)
{
	while (n > 0 && ((unsigned char)text[n - 1] & 0xc0) == 0x80)
		n--;
	if (n > 0 && (unsigned char)text[n - 1] >= 0xc0)
		text[n - 1] = '\0';
}

static const char *
mark_label(const struct trace_mark *m, int64_t value)
{
	for (int i = 0; m != NULL && i < m->labels.n; i++)
		if (m->labels.at[i].value == value)
			return m->labels.at[i].text;
	return NULL;
}

const char *
emu_value_whole(
	const struct emu *emu, int chan, int64_t value, char *to, size_t room)
{
	const struct emu_chan *c = &emu->chans.at[chan];
	const char *label = c->local < 0
		? mark_label(c->mark, value)
		: model_label(c->model, c->local, value);
	const uint64_t *told = map_get(&emu->told_labels, (uint64_t)value);
	int n = 0;

	if (label == NULL && told != NULL)
		label = (const char *)(uintptr_t)*told;
	if (label != NULL)
		n = snprintf(to, room, "\"%s\"", label);
	else if (value == VALUE_NONE)
		snprintf(to, room, "nothing");
	else if (value == VALUE_LOST)
		snprintf(to, room, "lost events");
	else
		snprintf(to, room, "%lld", (long long)value);
	if (n >= (int)room)
		end_character(to, room - 1);
	return to;
}

const char *
emu_value_text(const struct emu *emu, int chan, int64_t value, char to[64])
{
	return emu_value_whole(emu, chan, value, to, 64);
}

/* Adds a finding about a holder; NULL: about none. */
__attribute__((format(printf, 4, 0))) static void
add_finding(struct emu *emu, const struct holder *of, struct finding f,
	const char *fmt, va_list ap)
{
	const struct event *ev = emu->event;
	const struct stream *s = &emu->trace->streams.at[ev->stream];
	char text[512], where[64];

	/* When several losses are reported as one, any event between them may
	 * be missing. */
	if (of != NULL && of->thread != NULL && of->thread->lost)
		return;
	vsnprintf(text, sizeof text, fmt, ap);
	/* After losses, a broken rule may be due to a missing event. */
	if (s->lost.n > 0 && f.severity == FINDING_ERROR && !emu->strict)
		f.severity = FINDING_WARNING;
	snprintf(where, sizeof where, "event %s",
		emu->trace->classes.at[ev->class].name);
	f.file = s->file;
	f.where = where;
	f.offset = ev->offset;
	f.by_line = emu->trace->by_line;
	f.time = emu->now;
	if (of != NULL)
		f.row_next = of->row + 1;
	finding_add(emu->findings, f, "%s", text);
}

static const struct holder *
sender(const struct emu *emu)
{
	return emu->thread == NULL ? NULL : &emu->thread->has;
}

void
emu_finding(
	struct emu *emu, enum finding_severity severity, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_finding(emu, sender(emu), (struct finding){ .severity = severity },
		fmt, ap);
	va_end(ap);
}

void
emu_aside(struct emu *emu, const char *fmt, ...)
{
	struct finding f = { .severity = FINDING_NOTE, .aside = true };
	va_list ap;

	va_start(ap, fmt);
	add_finding(emu, sender(emu), f, fmt, ap);
	va_end(ap);
}

void
emu_finding_of(struct emu *emu, const struct holder *of,
	enum finding_severity severity, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_finding(emu, of, (struct finding){ .severity = severity }, fmt, ap);
	va_end(ap);
}

void
emu_tolerate(struct emu *emu, const char *fmt, ...)
{
	struct finding f = { .severity = FINDING_WARNING, .refused = true };
	va_list ap;

	va_start(ap, fmt);
	add_finding(emu, sender(emu), f, fmt, ap);
	va_end(ap);
}

void
emu_chan_finding(struct emu *emu, const struct holder *of, int chan,
	enum chan_fault fault, int64_t value)
{
	const struct emu_chan *c = &emu->chans.at[chan];
	char want[64], have[64];

	if (fault == CHAN_EMPTY && of->thread != NULL && of->thread->late &&
		!emu->strict)
		return; /* the section was entered before the first event */
	emu_value_text(emu, chan, value, want);
	emu_value_text(emu, chan, of->chan[chan].value, have);
	if (fault == CHAN_SAME)
		emu_finding_of(emu, of, FINDING_ERROR, "%s: %sit is %s already",
			c->def->title,
			emu->strict ? "same value as last_value: " : "", have);
	else if (fault == CHAN_EMPTY)
		emu_finding_of(emu, of, FINDING_ERROR,
			"%s: leaves %s, but nothing was entered", c->def->title,
			want);
	else
		emu_finding_of(emu, of, FINDING_ERROR,
			"%s: leaves %s while in %s", c->def->title, want, have);
}
