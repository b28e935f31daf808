/* SPDX-License-Identifier: MIT */
/*
 * client write PLACE N [SPOOL RETRY_MS TIMEOUT_MS] - writes N rows of
 * content.h, and prints how many were stored, spooled and lost. With a spool
 * file the program waits for a line on standard input half-way and before it
 * closes the store.
 * client check PLACE N - reads the rows back and compares them.
 * client same PLACE PLACE - compares all tables and rows, and prints how many.
 */
#include <stdio.h>
#include <stdlib.h>

#include "store/copy.h"
#include "unit/store/content.h"

static int
check(const char *place, uint64_t n)
{
	content_check(place, n);
	return test_failed;
}

static void
wait_for_line(const char *why)
{
	int c;

	printf("%s\n", why);
	fflush(stdout);
	do
		c = getchar();
	while (c != '\n' && c != EOF);
}

/* Puts half of the rows, waits so that the test may kill the server, and puts
 * the other half. */
static int
write_rows(char *argv[], uint64_t n)
{
	struct store_options options = { .spool = argv[4],
		.retry_ms = argv[4] != NULL ? atol(argv[5]) : 0,
		.timeout_ms = argv[4] != NULL ? atol(argv[6]) : 0 };
	struct store_report report;
	struct err err = { 0 };
	struct store *s = store_open(argv[2], &options, &err);

	if (s != NULL) {
		content_put(s, 0, n / 2);
		store_flush(s);
		if (argv[4] != NULL)
			wait_for_line("half");
		content_put(s, n / 2, n);
		if (argv[4] != NULL) {
			store_flush(s);
			wait_for_line("whole");
		}
		store_close(s, &report, &err);
		printf("stored %" PRIu64 " spooled %" PRIu64 " lost %" PRIu64
		       " retries %" PRIu64 " spool %s\n",
			report.stored, report.spooled, report.lost,
			report.retries, report.spool);
	}
	printf("%s\n", err.text);
	return err.kind != ERR_NONE;
}

static uint64_t
same_table(struct store_reader *a, struct store_reader *b,
	const struct store_table *t)
{
	const struct store_table *other = store_read_find(b, t->name);
	struct store_value row_a[STORE_COLUMNS_MAX], row_b[STORE_COLUMNS_MAX];
	uint64_t n = 0;

	CHECK(other != NULL && other->n == t->n);
	if (test_failed)
		return 0;
	store_read_start(a, t, NULL);
	store_read_start(b, other, NULL);
	for (; store_read_next(a, row_a); n++)
		if (!store_read_next(b, row_b) ||
			!store_same_row(t, a, row_a, b, row_b)) {
			printf("# %s: row %" PRIu64 "\n", t->name, n);
			test_failed = 1;
			return n;
		}
	CHECK(!store_read_next(b, row_b));
	return n;
}

static int
same(const char *place_a, const char *place_b)
{
	struct err err = { 0 };
	struct store_reader *a = store_read(place_a, &err);
	struct store_reader *b = store_read(place_b, &err);
	const struct store_table *t;
	uint64_t n = 0;
	uint32_t i = 0;

	if (a != NULL && b != NULL)
		for (; (t = store_read_table(a, i)) != NULL; i++)
			n += same_table(a, b, t);
	if (a != NULL && b != NULL) {
		CHECK(store_read_table(b, i) == NULL);
		CHECK(!store_read_failed(a, &err));
		CHECK(!store_read_failed(b, &err));
	}
	if (a != NULL)
		store_read_close(a);
	if (b != NULL)
		store_read_close(b);
	printf("%" PRIu64 "\n%s\n", n, err.text);
	return test_failed || err.kind != ERR_NONE;
}

int
main(int argc, char *argv[])
{
	uint64_t n = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;

	if (argc > 3 && strcmp(argv[1], "check") == 0)
		return check(argv[2], n);
	if (argc > 3 && strcmp(argv[1], "same") == 0)
		return same(argv[2], argv[3]);
	if (argc == 4 || argc == 7)
		return write_rows(argv, n);
	return 2;
}
