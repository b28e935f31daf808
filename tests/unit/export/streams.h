/* SPDX-License-Identifier: MIT */
/*
 * streams.h - twenty streams of records that every sink must accept, from
 * nothing at all to a random one with everything. A new sink gets them all:
 *
 *	for (int i = 0; i < STREAMS; i++)
 *		streams[i].make(sink);
 *
 * Rows of a class have names of their own, so that a reader can tell them by
 * their names.
 */
#ifndef WEFT_TEST_EXPORT_STREAMS_H
#define WEFT_TEST_EXPORT_STREAMS_H

#include <stdio.h>
#include <stdlib.h>

#include "export/sink.h"

/* Entries of the deepest stack: more than a batch of the queue has room for. */
static uint32_t stream_deepest = 9000;

struct stream_case {
	const char *name;
	void (*make)(struct sink *s);
};

static inline void
stream_rows(struct sink *s, const char *class, uint32_t first, uint32_t n)
{
	char name[32];

	for (uint32_t i = first; i < first + n; i++) {
		snprintf(name, sizeof name, "%s %u", class, i);
		sink_row(s, &(struct row){ i, ROW_NONE, class, name, NULL });
	}
}

static inline void
stream_type(struct sink *s, uint32_t id, const char *class, enum type_kind kind)
{
	char key[32], title[32];

	snprintf(key, sizeof key, "model.type%u", id);
	snprintf(title, sizeof title, "Type %u of a %s", id, class);
	sink_type(s,
		&(struct type){ .id = id,
			.class = class,
			.key = key,
			.title = title,
			.number = 10 + id,
			.kind = kind,
			.stack = kind == TYPE_STATE });
}

static inline void
stream_state(struct sink *s, int64_t time, uint32_t row, uint32_t type,
	int64_t value)
{
	sink_state(s,
		&(struct record){ .time = time,
			.row = row,
			.type = type,
			.value = value });
}

/* Declares two rows of threads and a type of states. */
static inline void
stream_plain(struct sink *s)
{
	stream_rows(s, "thread", 0, 2);
	stream_type(s, 0, "thread", TYPE_STATE);
	sink_label(s, 0, 1, "one", MEANS_TASK);
	sink_label(s, 0, 2, "two", MEANS_LOCK);
}

static void
stream_nothing(struct sink *s)
{
	sink_advance(s, 0);
}

static void
stream_no_records(struct sink *s)
{
	stream_plain(s);
	sink_advance(s, 100);
}

static void
stream_one_state(struct sink *s)
{
	stream_plain(s);
	stream_state(s, 10, 1, 0, 2);
	sink_advance(s, 100);
}

static void
stream_ties(struct sink *s)
{
	stream_rows(s, "thread", 0, 5);
	for (uint32_t t = 0; t < 5; t++)
		stream_type(s, t, "thread", TYPE_STATE);
	for (int64_t time = 0; time < 30; time += 10)
		for (uint32_t row = 0; row < 5; row++)
			for (uint32_t t = 0; t < 5; t++) {
				stream_state(s, time, row, t, time + t);
				stream_state(s, time, row, t, VALUE_NONE);
				stream_state(s, time, row, t, time + t + 1);
			}
	sink_advance(s, 20);
}

static void
stream_stacks(struct sink *s)
{
	int64_t *stack = calloc(stream_deepest, sizeof *stack);
	int64_t time = 0;

	stream_plain(s);
	for (uint32_t depth = 1; stack != NULL && depth <= stream_deepest;
		depth = depth < 20 ? depth + 1 : depth * 21) {
		for (uint32_t i = 0; i < depth; i++)
			stack[i] = i % 3;
		sink_state(s,
			&(struct record){
				++time, 0, 0, depth, stack[depth - 1], stack });
		sink_state(s,
			&(struct record){ time, 1, 0, depth - 1,
				depth > 1 ? stack[depth - 2] : VALUE_NONE,
				stack });
	}
	free(stack);
	sink_state(s, &(struct record){ ++time, 0, 0, 0, VALUE_NONE, NULL });
	sink_advance(s, time);
}

static void
stream_points(struct sink *s)
{
	stream_rows(s, "thread", 0, 1);
	stream_type(s, 0, "thread", TYPE_POINT);
	for (int64_t time = 5; time < 100; time += 7) {
		stream_state(s, time, 0, 0, time);
		stream_state(s, time + 1, 0, 0, VALUE_NONE);
	}
	sink_advance(s, 200);
}

static void
stream_values(struct sink *s)
{
	static const int64_t values[] = { 0, 1, -1, 9, 10, 63, 64, 65, 9999,
		10000, INT32_MAX, INT32_MIN, (int64_t)INT32_MAX + 1,
		(int64_t)INT32_MIN - 1, VALUE_LOST, VALUE_LOST + 1, UINT32_MAX,
		INT64_MAX, INT64_MAX - 1, INT64_MIN + 2, VALUE_NONE };
	uint32_t n = sizeof values / sizeof values[0];

	stream_rows(s, "thread", 0, 1);
	stream_type(s, 0, "thread", TYPE_NUMBER);
	stream_type(s, 1, "thread", TYPE_ID);
	for (uint32_t i = 0; i < 2 * n; i++) {
		stream_state(s, i, 0, 0, values[i % n]);
		stream_state(s, i, 0, 1, values[(7 * i + 1) % n]);
	}
	sink_advance(s, 2 * n);
}

static void
stream_times(struct sink *s)
{
	static const int64_t times[] = { 0, 1, 9, 10, 9999, 10000, 10001, 19999,
		20000, 99999, 100000, 1000000000, 1000000001, 1234567890123,
		INT64_C(86400) * 365 * 1000000000,
		INT64_C(86400) * 36500 * 1000000000 };
	int n = sizeof times / sizeof times[0];

	stream_plain(s);
	for (int i = 0; i < n; i++) {
		stream_state(s, times[i], 0, 0, 1 + i % 2);
		sink_advance(s, times[i]);
	}
	sink_advance(s, times[n - 1] + 1);
}

static void
stream_links(struct sink *s)
{
	stream_rows(s, "thread", 0, 3);
	stream_type(s, 0, "thread", TYPE_STATE);
	for (int64_t kind = 0; kind < LINK_MEANINGS; kind++)
		sink_link_kind(s,
			&(struct link_kind){
				kind, "a kind", (enum link_meaning)kind });
	for (int64_t i = 0; i < 40; i++) {
		stream_state(s, 10 * i, (uint32_t)i % 3, 0, i % 4);
		sink_link(s,
			&(struct link){ 10 * i, 10 * i + i % 5, (uint32_t)i % 3,
				(uint32_t)(i / 3) % 3, i % 6, i * i,
				i % 2 * 4096 });
	}
	sink_advance(s, 500);
}

static void
stream_links_apart(struct sink *s)
{
	stream_rows(s, "thread", 0, 2);
	stream_rows(s, "cpu", 2, 2);
	stream_type(s, 0, "thread", TYPE_STATE);
	stream_type(s, 1, "cpu", TYPE_STATE);
	sink_link_kind(s, &(struct link_kind){ 1, "goes over", LINK_WAKEUP });
	stream_state(s, 0, 0, 0, 1);
	stream_state(s, 0, 2, 1, 1);
	sink_link(s, &(struct link){ 1, 2, 0, 3, 1, 1, 0 });
	sink_link(s, &(struct link){ 2, 2, 2, 3, 1, 2, 0 });
	sink_link(s, &(struct link){ 3, 9, ROW_NONE, 1, 1, 3, 0 });
	sink_link(s, &(struct link){ 4, 4, 1, ROW_NONE, 1, -4, INT64_MAX });
	sink_link(s, &(struct link){ 4, 5, 1, 1, 1, INT64_MIN, 1 });
	sink_advance(s, 10);
}

static void
stream_gaps(struct sink *s)
{
	stream_plain(s);
	sink_label(s, 0, VALUE_LOST, "Lost events", MEANS_LOST);
	for (int64_t time = 0; time < 100; time += 20) {
		uint32_t row = (uint32_t)(time / 20) % 2;

		sink_gap(s,
			&(struct gap){ time, time + 5, row, (uint64_t)time,
				time ? "no room" : NULL });
		stream_state(s, time, row, 0, VALUE_LOST);
		stream_state(s, time + 5, row, 0, time ? VALUE_NONE : 2);
		stream_state(s, time + 10, row, 0, 1);
	}
	sink_gap(s,
		&(struct gap){ 100, 100, 0, UINT64_MAX / 2, "all, at once" });
	sink_advance(s, 100);
}

static void
stream_gap_and_ties(struct sink *s)
{
	stream_plain(s);
	sink_gap(s, &(struct gap){ 10, 12, 0, 1, "a" });
	sink_gap(s, &(struct gap){ 10, 13, 1, 2, "b" });
	stream_state(s, 10, 0, 0, VALUE_LOST);
	stream_state(s, 10, 1, 0, VALUE_LOST);
	sink_link(s, &(struct link){ 10, 11, 0, 1, 0, 0, 0 });
	sink_gap(s, &(struct gap){ 12, 12, 0, 0, NULL });
	stream_state(s, 12, 0, 0, VALUE_NONE);
	sink_link(s, &(struct link){ 12, 12, 1, 0, 0, 0, 0 });
	sink_advance(s, 20);
}

static void
stream_findings(struct sink *s)
{
	sink_finding(s,
		&(struct sink_finding){
			SEVERITY_NOTE, VALUE_NONE, ROW_NONE, "of nothing" });
	stream_plain(s);
	stream_state(s, 50, 0, 0, 1);
	sink_finding(
		s, &(struct sink_finding){ SEVERITY_WARNING, 7, 1, "earlier" });
	sink_finding(s,
		&(struct sink_finding){
			SEVERITY_ERROR, 50, ROW_NONE, "\"quoted\", 100%s" });
	sink_advance(s, 60);
}

static void
stream_late_rows(struct sink *s)
{
	stream_plain(s);
	for (uint32_t i = 2; i < 12; i++) {
		stream_state(s, 10 * i, i - 1, 0, i % 3);
		stream_rows(s, "thread", i, 1);
		stream_state(s, 10 * i, i, 0, 1);
		sink_advance(s, 10 * i);
	}
	sink_rename(s, 3, "another name");
	sink_rename(s, 3, "the last name");
	sink_advance(s, 200);
}

static void
stream_late_types(struct sink *s)
{
	stream_rows(s, "thread", 0, 1);
	for (uint32_t i = 0; i < 10; i++) {
		stream_type(s, i, "thread", TYPE_STATE);
		stream_state(s, 10 * i, 0, i, 5);
		sink_label(s, i, 5, "known late", MEANS_TASK);
		stream_state(s, 10 * i + 1, 0, i, 6);
		stream_state(s, 10 * i + 2, 0, i, 5);
		sink_label(s, i / 2, 6, "later", MEANS_IO);
	}
	sink_advance(s, 100);
}

static void
stream_labels(struct sink *s)
{
	char text[] = "a . b";

	stream_plain(s);
	for (int c = 1; c < 256; c++) {
		text[2] = (char)c;
		sink_label(s, 0, 1000 + c, text, (enum meaning)(c % MEANINGS));
		stream_state(s, c, 0, 0, 1000 + c);
	}
	sink_label(s, 0, 2000, "", MEANS_UNSAID);
	sink_label(s, 0, 2001, "\xce\xbb \xe2\x86\x92 \xf0\x9f\xa7\xb5",
		MEANS_UNSAID);
	sink_label(s, 0, -5, "below nothing", MEANS_UNSAID);
	sink_label(s, 0, INT64_MAX, "=1+2", MEANS_UNSAID);
	stream_state(s, 300, 1, 0, 2000);
	stream_state(s, 301, 1, 0, 2001);
	stream_state(s, 302, 1, 0, -5);
	stream_state(s, 303, 1, 0, INT64_MAX);
	sink_advance(s, 400);
}

static void
stream_panels(struct sink *s)
{
	static const uint32_t types[] = { 0, 1, 2 };

	stream_rows(s, "thread", 0, 2);
	for (uint32_t t = 0; t < 3; t++)
		stream_type(s, t, "thread", t == 2 ? TYPE_NUMBER : TYPE_STATE);
	sink_panel(s,
		&(struct panel){ "thread", "model.over", "One over the other",
			types, 2, false });
	stream_state(s, 1, 0, 0, 1);
	stream_state(s, 2, 0, 1, 20);
	sink_panel(s,
		&(struct panel){ "thread", "model.apart",
			"One beside the other", types, 3, true });
	stream_state(s, 3, 1, 2, 300);
	sink_advance(s, 4);
}

static void
stream_parents(struct sink *s)
{
	struct row row = { .parent = ROW_NONE, .class = "process" };
	char name[32];

	stream_type(s, 0, "lane", TYPE_STATE);
	for (row.id = 0; row.id < 12; row.id++) {
		struct row_identity place = { .node = row.id < 6 ? "a" : "b",
			.pid = 100 + row.id / 3,
			.tid = 100 + row.id,
			.cpu = row.id };

		row.class = row.id % 3 ? "lane" : "process";
		row.parent = row.id % 3 ? row.id - row.id % 3 : ROW_NONE;
		snprintf(name, sizeof name, "%s %u", row.class, row.id);
		row.name = name;
		row.identity = row.id == 11 ? NULL : &place;
		sink_row(s, &row);
		if (row.id % 3)
			stream_state(s, row.id, row.id, 0, row.id);
	}
	sink_advance(s, 20);
}

static void
stream_names(struct sink *s)
{
	static const char *const names[] = { "a,b", "say \"hi\"", "'", "100%s",
		"x:y", "\xce\xbb", "a  b", "-", "#", "\\n", "TH 1.7" };
	uint32_t n = sizeof names / sizeof names[0];

	for (uint32_t i = 0; i < n; i++)
		sink_row(s,
			&(struct row){ i, ROW_NONE, "thread", names[i], NULL });
	sink_type(s,
		&(struct type){ .id = 0,
			.class = "thread",
			.key = "a,\"key\"",
			.title = "A title, with \"quotes\"",
			.none = "nothing, at all",
			.number = 77 });
	for (uint32_t i = 0; i < 2 * n; i++)
		stream_state(s, i, i % n, 0, i % 2 ? i : VALUE_NONE);
	sink_advance(s, 2 * n);
}

static void
stream_random(struct sink *s)
{
	uint64_t seed = 12345;
	int64_t time = 0, stack[6] = { 1, 2, 3, 1, 2, 3 };

	stream_rows(s, "thread", 0, 4);
	stream_rows(s, "cpu", 4, 4);
	for (uint32_t t = 0; t < 3; t++) {
		stream_type(s, 2 * t, "thread", (enum type_kind)t);
		stream_type(s, 2 * t + 1, "cpu", (enum type_kind)t);
	}
	for (int i = 0; i < 5000; i++) {
		struct record r = { .time = time };
		uint64_t x = seed = seed * UINT64_C(6364136223846793005) + 1;

		x >>= 20;
		time += (int64_t)(x % 3) * (int64_t)(x / 3 % 50);
		r.time = time;
		r.type = (uint32_t)(x >> 8) % 6;
		r.row = (uint32_t)(x >> 12) % 4 + 4 * (r.type % 2);
		r.depth = r.type < 2 ? (uint32_t)(x >> 16) % 6 : 0;
		r.value = r.type < 2 ? r.depth ? stack[r.depth - 1] : VALUE_NONE
				     : (int64_t)(x >> 20) % 1000;
		r.stack = r.type < 2 ? stack : NULL;
		if (x % 50 == 0)
			sink_gap(s,
				&(struct gap){ time, time + 30, r.row, x % 9,
					"no room" });
		sink_state(s, &r);
		if (x % 20 == 0)
			sink_link(s,
				&(struct link){ time, time + (int64_t)(x % 70),
					(uint32_t)(x >> 13) % 8, r.row, 1,
					(int64_t)x, 0 });
		if (x % 100 == 0)
			sink_label(s, r.type, r.value % 10, "a label",
				MEANS_UNSAID);
		if (x % 30 == 0)
			sink_advance(s, time);
	}
	sink_advance(s, time + 100);
}

static const struct stream_case streams[] = {
	{ "nothing", stream_nothing },
	{ "rows without records", stream_no_records },
	{ "one state", stream_one_state },
	{ "many records of one time", stream_ties },
	{ "stacks", stream_stacks },
	{ "points", stream_points },
	{ "values of all sizes", stream_values },
	{ "times of all sizes", stream_times },
	{ "links", stream_links },
	{ "links between classes and from nowhere", stream_links_apart },
	{ "gaps", stream_gaps },
	{ "gaps, states and links of one time", stream_gap_and_ties },
	{ "findings", stream_findings },
	{ "rows that appear late", stream_late_rows },
	{ "types and labels that appear late", stream_late_types },
	{ "labels with every character", stream_labels },
	{ "panels", stream_panels },
	{ "rows with parents and places", stream_parents },
	{ "names with odd characters", stream_names },
	{ "random records", stream_random },
};

enum { STREAMS = sizeof streams / sizeof streams[0] };

#endif
