/* SPDX-License-Identifier: MIT */
/*
 * content.h - rows that are difficult to store, for tests of any store: the
 * tests store them, read them back and compare them one by one.
 */
#ifndef WEFT_TEST_STORE_CONTENT_H
#define WEFT_TEST_STORE_CONTENT_H

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "store/store.h"
#include "test.h"

static const struct store_column content_column[] = {
	{ .name = "id", .type = STORE_UINT, .index = true },
	{ .name = "where",
		.type = STORE_NAME,
		.nullable = true,
		.index = true },
	{ .name = "select", .type = STORE_INT, .nullable = true },
	{ .name = "value", .type = STORE_REAL },
	{ .name = "text", .type = STORE_TEXT, .nullable = true, .index = true },
	{ .name = "open", .type = STORE_FLAG },
};
static const struct store_table content_table = { "task", content_column, 6 };

static const struct store_column small_column[] = {
	{ .name = "task", .type = STORE_UINT, .index = true },
	{ .name = "what", .type = STORE_NAME },
};
static const struct store_table small_table = { "milestone", small_column, 2 };

struct content_text {
	const char *text, *stored; /* NULL: the text is stored unchanged */
	uint32_t n, stored_n;
};

#define TEXT(s) \
	{ \
		s, NULL, sizeof s - 1, 0 \
	}
#define MENDED(s, to) \
	{ \
		s, to, sizeof s - 1, sizeof to - 1 \
	}

static const struct content_text content_texts[] = {
	TEXT("plain"),
	TEXT(""),
	TEXT("it's \"quoted\", `and` \\ back"),
	TEXT("a\0b"),
	TEXT("\0"),
	TEXT("lines\r\nand\ttabs\n"),
	TEXT("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"),
	TEXT("'; DROP TABLE task; --"),
	TEXT("%s%n"),
	TEXT(" spaces "),
	TEXT("\x7f\x01"),
	TEXT("null"),
	TEXT("NULL"),
	TEXT("\\N"),
	TEXT("12"),
	TEXT("$where.\xc2\xa0"),
	TEXT("A"),
	TEXT("a"),
	TEXT("a "),
	MENDED("bad \xff\xfe", "bad \xef\xbf\xbd\xef\xbf\xbd"),
	MENDED("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"),
	MENDED("cut \xe2\x82", "cut \xef\xbf\xbd\xef\xbf\xbd"),
};
#define CONTENT_TEXTS (sizeof content_texts / sizeof content_texts[0])

static const int64_t content_ints[] = { 0, 1, -1, INT64_MAX, INT64_MIN,
	INT64_C(1) << 53, (INT64_C(1) << 53) + 1, -300, 70000 };
#define CONTENT_INTS (sizeof content_ints / sizeof content_ints[0])

static const double content_reals[] = { 0, -0.0, 1.5, 0.1, DBL_MAX, DBL_MIN,
	-1e-300, 4.9e-324, 1e15, 123456789.123456789 };
#define CONTENT_REALS (sizeof content_reals / sizeof content_reals[0])

static inline const struct content_text *
content_text_of(uint64_t i)
{
	return &content_texts[i % CONTENT_TEXTS];
}

/* Makes row i, with the interned name `name`; the text is not copied. */
static inline void
content_row(uint64_t i, uint32_t name, struct store_value row[6])
{
	const struct content_text *t = content_text_of(i + 7);

	row[0] = store_uint(i % 5 == 4 ? UINT64_MAX - i : i);
	row[1] = i % 6 == 5 ? store_null() : store_name(name);
	row[2] = i % 7 == 6 ? store_null()
			    : store_int(content_ints[i % CONTENT_INTS]);
	row[3] = store_real(content_reals[i % CONTENT_REALS]);
	if (i % 11 == 10)
		row[3] = store_real(i % 2 == 0 ? NAN : -INFINITY);
	row[4] = i % 3 == 2 ? store_null() : store_text(t->text, t->n);
	row[5] = store_flag(i % 2 == 0);
}

static inline uint32_t
content_name(struct store *s, uint64_t i)
{
	const struct content_text *t = content_text_of(i);

	return store_intern(s, t->text, t->n);
}

/* Puts rows begin to end - 1 of the first table, and a third as many of the
 * second. */
static inline void
content_put(struct store *s, uint64_t begin, uint64_t end)
{
	int task = store_table(s, &content_table);
	int small = store_table(s, &small_table);
	struct store_value row[6];

	for (uint64_t i = begin; i < end; i++) {
		content_row(i, content_name(s, i), row);
		store_put(s, task, row);
		if (i % 3 == 0)
			store_put(s, small,
				(struct store_value[]){ store_uint(i),
					store_name(content_name(s, i + 1)) });
	}
}

static inline bool
content_same_text(const struct content_text *t, const char *text, size_t n)
{
	const char *want = t->stored != NULL ? t->stored : t->text;
	size_t size = t->stored != NULL ? t->stored_n : t->n;

	return n == size && memcmp(text, want, n) == 0;
}

/* Returns the number of the column of row i that is wrong, or -1. */
static inline int
content_wrong(
	const struct store_reader *r, uint64_t i, const struct store_value *row)
{
	struct store_value want[6];
	const char *name;
	size_t size;

	content_row(i, 0, want);
	want[3] = isfinite(want[3].real) ? store_real(want[3].real + 0.0)
					 : store_null();
	for (int c = 0; c < 6; c++)
		if (row[c].null != want[c].null)
			return c;
	if (row[0].u != want[0].u)
		return 0;
	name = store_read_name(r, row[1].null ? 0 : row[1].u, &size);
	if (!row[1].null && !content_same_text(content_text_of(i), name, size))
		return 1;
	if (!row[2].null && row[2].i != want[2].i)
		return 2;
	if (!row[3].null && memcmp(&row[3].real, &want[3].real, 8) != 0)
		return 3;
	if (!row[4].null &&
		!content_same_text(
			content_text_of(i + 7), row[4].text, row[4].size))
		return 4;
	return row[5].flag != want[5].flag ? 5 : -1;
}

static inline bool
content_check_table(struct store_reader *r, uint64_t n)
{
	const struct store_table *t = store_read_find(r, "task");
	struct store_value row[6];
	uint64_t i = 0;

	if (t == NULL || t->n != 6)
		return false;
	for (store_read_start(r, t, NULL); store_read_next(r, row); i++) {
		int wrong = content_wrong(r, i, row);

		if (wrong < 0)
			continue;
		printf("# row %" PRIu64 ": %s\n", i,
			content_column[wrong].name);
		return false;
	}
	return i == n;
}

static inline bool
content_check_small(struct store_reader *r, uint64_t n)
{
	const struct store_table *t = store_read_find(r, "milestone");
	struct store_value row[2];
	uint64_t i = 0;

	if (t == NULL || t->n != 2)
		return false;
	for (store_read_start(r, t, NULL); store_read_next(r, row); i += 3) {
		size_t size;
		const char *name = store_read_name(r, row[1].u, &size);

		if (row[0].u != i ||
			!content_same_text(content_text_of(i + 1), name, size))
			return false;
	}
	return i >= n && i < n + 3;
}

/* Returns the reader's id of a text, 0 if the reader does not know the text. */
static inline uint32_t
content_number(const struct store_reader *r, const struct content_text *t)
{
	for (uint32_t i = 1; i <= store_read_names(r); i++) {
		size_t size;
		const char *name = store_read_name(r, i, &size);

		if (content_same_text(t, name, size))
			return i;
	}
	return 0;
}

/* Counts rows of the first table with row i's value in that column. */
static inline uint64_t
content_count(struct store_reader *r, const char *column, uint64_t i)
{
	const struct content_text *t = content_text_of(i);
	struct store_where where = { .column = column };
	struct store_value row[6];
	uint64_t n = 0;

	content_row(i, content_number(r, t), row);
	for (int c = 0; c < 6; c++)
		if (strcmp(content_column[c].name, column) == 0)
			where.value = row[c];
	store_read_start(r, store_read_find(r, "task"), &where);
	while (store_read_next(r, row))
		n++;
	return n;
}

/* Return the expected number of rows, of n, with the name of row i, and with
 * the text of row i. */
static inline uint64_t
content_expect(uint64_t n, uint64_t i)
{
	uint64_t count = 0;

	for (uint64_t k = i % CONTENT_TEXTS; k < n; k += CONTENT_TEXTS)
		count += k % 6 != 5;
	return count;
}

static inline uint64_t
content_expect_text(uint64_t n, uint64_t i)
{
	uint64_t count = 0;

	for (uint64_t k = 0; k < n; k++)
		count += k % 3 != 2 && (k + 7) % CONTENT_TEXTS == i;
	return count;
}

/* Reads a store of rows 0 to n - 1, n >= 50, and compares all. */
static inline void
content_check(const char *address, uint64_t n)
{
	struct err err = { 0 };
	struct store_reader *r = store_read(address, &err);

	CHECK_STR(err.text, "");
	if (r == NULL)
		return;
	CHECK_STR(store_read_table(r, 0)->name, "task");
	CHECK_STR(store_read_table(r, 1)->name, "milestone");
	CHECK(store_read_table(r, 2) == NULL);
	CHECK(store_read_table(r, 0)->column[1].index);
	CHECK(content_check_table(r, n));
	CHECK(content_check_small(r, n));
	CHECK_INT(content_count(r, "id", 4), 1);
	CHECK_INT(content_count(r, "where", 16), content_expect(n, 16));
	CHECK_INT(content_count(r, "text", 10), content_expect_text(n, 17));
	CHECK(!store_read_failed(r, &err));
	CHECK_STR(err.text, "");
	store_read_close(r);
}

/* Puts rows 0 to n - 1 and closes the store. */
static inline bool
content_write(const char *address, const struct store_options *options,
	uint64_t n, struct store_report *report)
{
	struct err err = { 0 };
	struct store *s = store_open(address, options, &err);
	bool ok;

	CHECK_STR(err.text, "");
	if (s == NULL)
		return false;
	content_put(s, 0, n);
	ok = store_close(s, report, &err);
	CHECK(ok == (err.kind == ERR_NONE));
	if (!ok)
		printf("# %s\n", err.text);
	return ok;
}

#endif
