/* SPDX-License-Identifier: MIT */
#include "cli/trace/parts_labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/compare.h"
#include "cli/trace/parts_send.h"
#include "emu/part.h"

void
parts_labels_put(struct parts_labels *l, const struct share *s, bool is_first,
	struct parts_bytes *to)
{
	int n = 0;

	for (int i = l->sent; i < s->labels.n; i++)
		n += is_first || s->labels.at[i].stream != PART_BEGIN;
	parts_put_i64(to, n);
	for (; l->sent < s->labels.n; l->sent++) {
		const struct share_label *label = &s->labels.at[l->sent];

		if (!is_first && label->stream == PART_BEGIN)
			continue;
		parts_put(to, label, sizeof *label);
		parts_put_text(to, label->text);
	}
	parts_put_i64(to, s->renamed.n - l->sent_names);
	for (; l->sent_names < s->renamed.n; l->sent_names++) {
		uint32_t row = s->renamed.at[l->sent_names];

		parts_put_i64(to, row);
		parts_put_text(to, s->rows.at[row].name);
	}
}

void
parts_labels_take(struct parts_labels *l, const char **at, struct sink *to)
{
	for (int64_t n = parts_take_i64(at); n > 0; n--) {
		struct parts_label *label = VEC_ADD(&l->waiting, l->arena);

		memcpy(&label->is, *at, sizeof label->is);
		*at += sizeof label->is;
		label->is.text = arena_strdup(l->arena, parts_take_text(at));
		label->number = l->taken++;
	}
	for (int64_t n = parts_take_i64(at); n > 0; n--) {
		uint32_t row = (uint32_t)parts_take_i64(at);

		sink_rename(to, row, parts_take_text(at));
	}
}

static int
by_time(const void *pa, const void *pb)
{
	const struct parts_label *a = pa, *b = pb;

	COMPARE(a->is.time, b->is.time);
	COMPARE(a->is.stream, b->is.stream);
	COMPARE(a->number, b->number);
	return 0;
}

/* Declares a label, unless its value has one. */
static void
declare(struct parts_labels *l, const struct share_label *label,
	struct sink *to)
{
	uint64_t *at;

	while (l->known.n <= (int)label->type)
		VEC_PUSH(&l->known, l->arena, ((struct map){ 0 }));
	at = map_put(&l->known.at[label->type], (uint64_t)label->value);
	if (*at != 0) {
		l->is_clash = l->is_clash ||
			strcmp(l->texts.at[*at - 1], label->text) != 0;
		return;
	}
	VEC_PUSH(&l->texts, l->arena, label->text);
	*at = (uint64_t)l->texts.n;
	sink_label(to, label->type, label->value, label->text, label->means);
}

void
parts_labels_declare(struct parts_labels *l, int64_t before, struct sink *to)
{
	int n = 0;

	if (l->waiting.n > 1)
		qsort(l->waiting.at, (size_t)l->waiting.n,
			sizeof *l->waiting.at, by_time);
	while (n < l->waiting.n && l->waiting.at[n].is.time < before)
		declare(l, &l->waiting.at[n++].is, to);
	l->waiting.n -= n;
	if (l->waiting.n > 0)
		memmove(l->waiting.at, l->waiting.at + n,
			(size_t)l->waiting.n * sizeof *l->waiting.at);
}

void
parts_labels_fini(struct parts_labels *l)
{
	for (int i = 0; i < l->known.n; i++)
		map_fini(&l->known.at[i]);
	l->known.n = 0;
}
