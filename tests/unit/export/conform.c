/* SPDX-License-Identifier: MIT */
/*
 * conform.c - the same twenty streams through every sink: a sink in front of
 * another one passes on all calls, and files give back the same records.
 */
#include "test.h"

#include <stdlib.h>

#include "dir.h"
#include "export/csv/csv.h"
#include "export/filter.h"
#include "export/order.h"
#include "export/prv/prv.h"
#include "export/queue.h"
#include "export/sinks.h"
#include "export/stat/stat.h"
#include "streams.h"
#include "tape.h"

static const struct sink_setup plain = {
	.unit = "ns", .rows_grow = true, .no_cfg = true
};

static struct tape
taped(const struct stream_case *stream)
{
	struct tape t = TAPE;

	stream->make(&t.base);
	return t;
}

static void
same_calls(const char *what, const struct tape *got, const struct tape *want)
{
	for (int i = 0; i < want->calls.n && i < got->calls.n; i++) {
		const char *a = got->calls.at[i].text;
		const char *b = want->calls.at[i].text;

		if (strcmp(a, b) == 0)
			continue;
		printf("# %s, call %d\n", what, i);
		CHECK_STR(a, b);
		return;
	}
	if (got->calls.n != want->calls.n)
		printf("# %s: ", what);
	CHECK_INT(got->calls.n, want->calls.n);
	CHECK_INT(got->end, want->end);
}

/* Sends a stream through the sink that open() puts in front of another. */
static void
through(const struct stream_case *stream,
	struct sink *(*open)(struct arena *a, struct sink *next),
	void (*expect)(struct tape *want))
{
	struct tape want = taped(stream), got = TAPE;
	struct arena a = { 0 };
	struct err err = { 0 };
	struct sink *s = open(&a, &got.base);

	stream->make(s);
	CHECK(sink_close(s, &err));
	if (expect != NULL) {
		expect(&want);
		expect(&got);
	}
	same_calls(stream->name, &got, &want);
	arena_fini(&a);
	arena_fini(&want.a);
	arena_fini(&got.a);
}

TEST(a_queue_hands_on_every_call)
{
	for (int i = 0; i < STREAMS; i++)
		through(&streams[i], queue_open, NULL);
}

static struct sink *
filter_of_nothing(struct arena *a, struct sink *next)
{
	return filter_open(
		a, next, &(struct filter_options){ .to = FILTER_END });
}

/* Leaves out the note on links from nowhere: a filter does not print it,
 * because it does not know whether it keeps their rows. */
static void
without_nowhere(struct tape *t)
{
	int n = 0;

	for (int i = 0; i < t->calls.n; i++) {
		const struct tape_call *c = &t->calls.at[i];

		if (c->kind == TAPE_LINK &&
			(c->link.from_row == ROW_NONE ||
				c->link.to_row == ROW_NONE))
			continue;
		t->calls.at[n++] = *c;
	}
	t->calls.n = n;
}

TEST(a_filter_that_keeps_all_hands_on_every_call)
{
	for (int i = 0; i < STREAMS; i++)
		through(&streams[i], filter_of_nothing, without_nowhere);
}

static int
rank(const struct tape_call *c)
{
	return c->kind == TAPE_GAP      ? 1
		: c->kind == TAPE_STATE ? 2
		: c->kind == TAPE_LINK  ? 3
					: 0;
}

static int
compare_words(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

/* The order that order.h promises: time, gaps before states before links, row,
 * type, arrival. What has no time comes first. */
static int
by_order(const void *pa, const void *pb)
{
	const struct tape_call *a = pa, *b = pb;
	int by = compare_words(rank(a) > 0, rank(b) > 0);

	if (by == 0 && rank(a) > 0)
		by = compare_words(a->state.time, b->state.time);
	if (by == 0)
		by = compare_words(rank(a), rank(b));
	if (by == 0 && a->kind != TAPE_LINK)
		by = compare_words(a->state.row, b->state.row);
	if (by == 0 && a->kind == TAPE_STATE)
		by = compare_words(a->state.type, b->state.type);
	if (by == 0 && (a->kind == TAPE_LINK || a->kind == TAPE_GAP))
		by = strcmp(a->text, b->text);
	if (by == 0) /* arrival */
		by = compare_words((int64_t)a->value, (int64_t)b->value);
	return by;
}

static void
in_order(struct tape *t)
{
	for (int i = 0; i < t->calls.n; i++)
		t->calls.at[i].value = i;
	if (t->calls.n > 0)
		qsort(t->calls.at, (size_t)t->calls.n, sizeof t->calls.at[0],
			by_order);
}

static struct sink *
small_window(struct arena *a, struct sink *next)
{
	struct err err = { 0 };

	return order_open(a, next, 4096, "/tmp", &err);
}

static struct sink *
large_window(struct arena *a, struct sink *next)
{
	struct err err = { 0 };

	return order_open(a, next, ORDER_WINDOW_BYTES, "/tmp", &err);
}

static struct sink *
order_and_queue(struct arena *a, struct sink *next)
{
	return small_window(a, queue_open(a, next));
}

TEST(a_window_of_any_size_hands_on_every_call_in_order)
{
	for (int i = 0; i < STREAMS; i++) {
		through(&streams[i], small_window, in_order);
		through(&streams[i], large_window, in_order);
		through(&streams[i], order_and_queue, in_order);
	}
}

/* Splits a line of CSV at *at into fields, as RFC 4180 says. -1: no line. */
static int
csv_line(char **at, char *field[], int most)
{
	int n = 0;

	if (**at == '\0')
		return -1;
	for (char end = ','; end == ',' && n < most;) {
		char *from = *at, *to = *at;
		bool quoted = *from == '"';

		field[n++] = to;
		from += quoted;
		while (*from != '\0' && (quoted || !strchr(",\n", *from))) {
			if (quoted && *from == '"' && *++from != '"')
				break;
			*to++ = *from++;
		}
		end = *from;
		*at = end == '\0' ? from : from + 1;
		*to = '\0';
	}
	return n;
}

/* Returns the label of a value before a call, or the label of "nothing". */
static const char *
label_before(const struct tape *t, int call, const struct record *r)
{
	const char *none = t->types.at[r->type].none;

	if (r->value == VALUE_NONE)
		return none != NULL ? none : "";
	for (int i = 0; i < call; i++)
		if (t->calls.at[i].kind == TAPE_LABEL &&
			t->calls.at[i].type == r->type &&
			t->calls.at[i].value == r->value)
			return t->calls.at[i].label;
	return "";
}

static bool
is_csv_of(struct tape *t, int call, char *field[], int n)
{
	const struct record *r = &t->calls.at[call].state;
	struct arena *a = &t->a;

	return n == 7 && strtoll(field[0], NULL, 10) == r->time &&
		strcmp(field[1], t->rows.at[r->row].class) == 0 &&
		strcmp(field[3], t->types.at[r->type].key) == 0 &&
		strcmp(field[4],
			r->value == VALUE_NONE
				? ""
				: arena_printf(a, "%" PRId64, r->value)) == 0 &&
		strcmp(field[5], label_before(t, call, r)) == 0 &&
		strtoul(field[6], NULL, 10) == r->depth;
}

/* The names of rows are those before they were renamed, so they are left out
 * where a stream renames. */
static void
csv_is_read_back(const struct stream_case *stream)
{
	struct tape want = taped(stream);
	struct arena *a = &want.a;
	struct err err = { 0 };
	const char *dir = dir_make(a);
	struct sink *s = sink_csv.open(a, dir, &plain, &err);
	char *text, *field[8];
	int lines = 0, states = 0;

	stream->make(s);
	CHECK(sink_close(s, &err));
	text = arena_strdup(a, dir_text(a, dir, "states.csv"));
	csv_line(&text, field, 8);
	for (int i = 0; i < want.calls.n; i++) {
		int n;

		if (want.calls.at[i].kind != TAPE_STATE)
			continue;
		states++;
		n = csv_line(&text, field, 8);
		if (n > 0)
			lines++;
		if (n > 0 && is_csv_of(&want, i, field, n))
			continue;
		printf("# %s: %s\n", stream->name, want.calls.at[i].text);
		CHECK_STR("a line of CSV", "that of this call");
		break;
	}
	CHECK_INT(lines, states);
	CHECK_INT(*text, 0);
	dir_remove(a, dir);
	arena_fini(a);
}

TEST(csv_reads_back_to_the_records)
{
	for (int i = 0; i < STREAMS; i++)
		csv_is_read_back(&streams[i]);
}

/* The rows of a .prv file by task and thread, as its header and the .row file
 * name them. */
struct prv_rows {
	int tasks, threads[64];
	VEC(const char *) names;
};

static void
read_prv_rows(struct arena *a, struct prv_rows *r, const char *header,
	const char *names)
{
	const char *at = strrchr(header, '(');
	const char *from = strstr(names, "LEVEL THREAD SIZE");
	char *line;

	*r = (struct prv_rows){ .tasks = 0 };
	while (at != NULL && *at != ')' && r->tasks < 64) {
		r->threads[r->tasks++] = atoi(at + 1);
		at += 1 + strcspn(at + 1, ",)");
		if (*at == ',' && strchr(at, ':') == NULL)
			break;
	}
	if (from == NULL || (from = strchr(from, '\n')) == NULL)
		return;
	line = arena_strdup(a, from + 1);
	while (*line != '\0') {
		size_t n = strcspn(line, "\n");
		bool last = line[n] == '\0';

		line[n] = '\0';
		VEC_PUSH(&r->names, a, line);
		line += n + !last;
	}
}

static const char *
prv_row_name(const struct prv_rows *r, int task, int thread)
{
	int n = thread - 1;

	for (int i = 0; i + 1 < task && i < 64; i++)
		n += r->threads[i];
	return n >= 0 && n < r->names.n ? r->names.at[n] : "(no such row)";
}

/* Returns the next record or link of a .prv file as text, or NULL. */
static const char *
prv_next(struct arena *a, const struct prv_rows *r, char **at)
{
	long long w[16] = { 0 };
	int n = 0;

	if (**at == '\0')
		return NULL;
	for (char end = ':'; end == ':' && n < 16; n++) {
		w[n] = strtoll(*at, at, 10);
		end = *(*at)++;
	}
	if (w[0] == 2)
		return arena_printf(a, "2 %lld %s %lld %lld", w[5],
			prv_row_name(r, (int)w[3], (int)w[4]), w[6], w[7]);
	return arena_printf(a, "3 %lld %lld %s %s %lld %lld", w[5], w[11],
		prv_row_name(r, (int)w[3], (int)w[4]),
		prv_row_name(r, (int)w[9], (int)w[10]), w[13], w[14]);
}

/* Returns the line that a .prv file of a class must have for a call, or
 * NULL. */
static const char *
prv_expected(struct tape *t, const struct tape_call *c, const char *class)
{
	const struct row *rows = t->rows.at;
	const struct record *r = &c->state;
	const struct link *l = &c->link;

	if (c->kind == TAPE_STATE && strcmp(rows[r->row].class, class) == 0)
		return arena_printf(&t->a, "2 %lld %s %lld %lld",
			(long long)r->time, rows[r->row].name,
			(long long)t->types.at[r->type].number,
			r->value == VALUE_NONE ? 0LL : (long long)r->value);
	if (c->kind == TAPE_LINK && l->from_row < (uint32_t)t->rows.n &&
		l->to_row < (uint32_t)t->rows.n &&
		strcmp(rows[l->from_row].class, class) == 0 &&
		strcmp(rows[l->to_row].class, class) == 0)
		return arena_printf(&t->a, "3 %lld %lld %s %s %lld %lld",
			(long long)l->from_time, (long long)l->to_time,
			rows[l->from_row].name, rows[l->to_row].name,
			(long long)(l->bytes > 0 ? l->bytes : l->id),
			(long long)l->kind);
	return NULL;
}

static void
prv_class_is_read_back(struct tape *want, const char *stream, const char *dir,
	const char *class)
{
	struct arena *a = &want->a;
	char *text = arena_strdup(
		a, dir_text(a, dir, arena_printf(a, "%s.prv", class)));
	char *body = strchr(text, '\n');
	struct prv_rows rows;

	if (body == NULL)
		return; /* no record is of this class */
	*body++ = '\0';
	read_prv_rows(a, &rows, text,
		dir_text(a, dir, arena_printf(a, "%s.row", class)));
	while (strncmp(body, "c:", 2) == 0)
		body = strchr(body, '\n') + 1;
	for (int i = 0; i < want->calls.n; i++) {
		const char *expected =
			prv_expected(want, &want->calls.at[i], class);
		const char *got;

		if (expected == NULL)
			continue;
		got = prv_next(a, &rows, &body);
		if (got != NULL && strcmp(got, expected) == 0)
			continue;
		printf("# %s, %s: call %d\n", stream, class, i);
		CHECK_STR(got, expected);
		return;
	}
	CHECK_STR(body, "");
}

TEST(prv_reads_back_to_the_records)
{
	static const char *const classes[] = { "thread", "cpu", "lane" };

	for (int i = 0; i < STREAMS; i++) {
		struct tape want = taped(&streams[i]);
		struct err err = { 0 };
		const char *dir = dir_make(&want.a);
		struct sink *s = sink_prv.open(&want.a, dir, &plain, &err);

		streams[i].make(s);
		CHECK(sink_close(s, &err));
		for (int c = 0; c < 3; c++)
			prv_class_is_read_back(
				&want, streams[i].name, dir, classes[c]);
		dir_remove(&want.a, dir);
		arena_fini(&want.a);
	}
}

/* Returns how long a row had a value, summed over the calls. */
static int64_t
time_of(const struct tape *t, uint32_t row, uint32_t type, int64_t value)
{
	int64_t sum = 0, since = 0, now = VALUE_NONE;

	for (int i = 0; i < t->calls.n; i++) {
		const struct record *r = &t->calls.at[i].state;

		if (t->calls.at[i].kind != TAPE_STATE || r->row != row ||
			r->type != type)
			continue;
		sum += now == value ? r->time - since : 0;
		since = r->time;
		now = r->value;
	}
	return sum + (now == value ? t->end - since : 0);
}

static void
stat_adds_up(const struct stream_case *stream)
{
	struct tape want = taped(stream);
	struct arena a = { 0 };
	struct err err = { 0 };
	struct sink *s = stat_open(
		&a, &(struct stat_options){ .numbers = true, .ids = true });
	const struct stat_table *table;

	stream->make(s);
	table = stat_result(s);
	CHECK_INT(table->duration, want.end);
	for (int i = 0; i < table->lanes.n; i++) {
		const struct stat_lane *lane = &table->lanes.at[i];
		int64_t sum = 0;

		for (int k = 0; k < lane->cells.n; k++) {
			const struct stat_cell *c = &lane->cells.at[k];

			sum += c->time;
			if (c->time ==
				time_of(&want, lane->row, lane->type, c->value))
				continue;
			printf("# %s, row %u, type %u, value %" PRId64 "\n",
				stream->name, lane->row, lane->type, c->value);
			CHECK_INT(c->time,
				time_of(&want, lane->row, lane->type,
					c->value));
		}
		CHECK_INT(sum, want.end);
	}
	sink_close(s, &err);
	arena_fini(&a);
	arena_fini(&want.a);
}

TEST(times_of_values_are_those_of_the_records)
{
	for (int i = 0; i < STREAMS; i++)
		stat_adds_up(&streams[i]);
}

/* The thread sanitizer, and an emulated processor, need minutes for all
 * streams. */
#if defined __SANITIZE_THREAD__ || defined __aarch64__
enum { STEP = 7 };
#else
enum { STEP = 1 };
#endif

/* Tests every format by its name, so that new ones are tested, too. */
TEST(every_format_takes_every_stream_alone_and_beside_others)
{
	char all[256] = "";

	/* Some formats write the stack of each of its entries. */
	stream_deepest = 500;
	for (int k = 0; sinks[k] != NULL; k++)
		snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s",
			k > 0 ? "," : "", sinks[k]->name);
	for (int i = 0; i < STREAMS; i += STEP)
		for (int k = -1; k < 0 || sinks[k] != NULL; k++) {
			struct arena a = { 0 };
			struct err err = { 0 };
			const char *dir = dir_make(&a);
			struct sink *s =
				sinks_open(&a, k < 0 ? all : sinks[k]->name,
					dir, &plain, &err);

			CHECK(s != NULL);
			if (s == NULL)
				break;
			streams[i].make(s);
			CHECK(sink_close(s, &err));
			dir_remove(&a, dir);
			arena_fini(&a);
		}
}

TEST_MAIN(RUN(a_queue_hands_on_every_call),
	RUN(a_filter_that_keeps_all_hands_on_every_call),
	RUN(a_window_of_any_size_hands_on_every_call_in_order),
	RUN(csv_reads_back_to_the_records), RUN(prv_reads_back_to_the_records),
	RUN(times_of_values_are_those_of_the_records),
	RUN(every_format_takes_every_stream_alone_and_beside_others))
