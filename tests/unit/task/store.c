/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "kit.h"
#include "store/store.h"
#include "task/schema.h"
#include "task/stream_store.h"

/* Returns a table as text: spaces between values, semicolons between rows. */
static void
print_rows(struct store_reader *r, const char *table, char *text, size_t size)
{
	const struct store_table *t = store_read_find(r, table);
	struct store_value row[STORE_COLUMNS_MAX];
	FILE *to = fmemopen(text, size, "w");

	CHECK(t != NULL);
	store_read_start(r, t, NULL);
	while (t != NULL && store_read_next(r, row)) {
		for (uint32_t i = 0; i < t->n; i++)
			if (row[i].null)
				fputs("- ", to);
			else if (t->column[i].type == STORE_NAME)
				fprintf(to, "%s ",
					store_read_name(r, row[i].name, NULL));
			else if (t->column[i].type == STORE_FLAG)
				fputs(row[i].flag ? "yes " : "no ", to);
			else if (t->column[i].type == STORE_TEXT)
				fprintf(to, "%.*s ", (int)row[i].size,
					row[i].text);
			else
				fprintf(to, "%lld ", (long long)row[i].i);
		fputs("; ", to);
	}
	fclose(to);
}

static char *
rows(const char *place, const char *table)
{
	static char text[4096];
	struct err err = { 0 };
	struct store_reader *r = store_read(place, &err);

	text[0] = '\0';
	if (r == NULL) {
		printf("# %s\n", err.text);
		CHECK(r != NULL);
		return text;
	}
	print_rows(r, table, text, sizeof text);
	store_read_close(r);
	return text;
}

static char folder[] = "/tmp/weft-task-XXXXXX";
static char place[80];

/* Makes a store of that kind in a new directory. */
static const char *
make_place(const char *kind)
{
	strcpy(folder, "/tmp/weft-task-XXXXXX");
	CHECK(mkdtemp(folder) != NULL);
	snprintf(place, sizeof place, "%s:%s/run", kind, folder);
	return place;
}

static void
remove_place(void)
{
	char command[80];

	snprintf(command, sizeof command, "rm -r %s", folder);
	CHECK_INT(system(command), 0);
}

#define SCRIPT \
	"1+a:req_in:\"it's\" 2+b 3#ahit 4/bfar 5!await 6-b 7!await 8-a 9+c"
#define TASKS \
	"98 - kind what Component 2 6 no 1 ; " \
	"97 - req_in \"it's\" Component.req_in 1 8 no 1 ; " \
	"99 - kind what Component 9 9 yes 1 ; "

/* True if the store cannot be opened because the build lacks its driver. */
static bool
lacks_driver(void)
{
	const char *text = weft_sim_fault_text(e, 0);

	return text != NULL && strstr(text, "driver") != NULL;
}

static void
stores_all(const char *kind)
{
	struct weft_tracer_store t;

	begin();
	if (weft_tracer_store_init(&t, e, make_place(kind)) != 0 &&
		lacks_driver()) {
		weft_sim_engine_close(e);
		TEST_SKIP("this build has no such driver");
	}
	weft_task_collect(&component.domain, &t.tracer);
	play(SCRIPT);
	weft_sim_engine_close(e);
	CHECK_INT(t.stored, 3 + 2 + 2 + 4);
	CHECK_INT(t.lost + t.spooled, 0);
	CHECK_STR(rows(place, "tasks"), TASKS);
	CHECK_STR(rows(place, "tags"), "97 3 hit no 1 ; 98 4 far yes 1 ; ");
	CHECK_STR(rows(place, "milestones"),
		"97 5 data wait - 1 ; 97 7 data wait - 1 ; ");
	CHECK_STR(rows(place, "meta"),
		"unit ps 1 ; end 9 1 ; dropped 0 1 ; faults 1 1 ; ");
	remove_place();
}

TEST(sqlite_stores_all)
{
	stores_all("sqlite");
}

TEST(csv_stores_all)
{
	stores_all("csv");
}

TEST(json_stores_all)
{
	stores_all("json");
}

TEST(a_window_holds_for_stores)
{
	struct weft_tracer_store t;

	begin();
	weft_tracer_store_init(&t, e, make_place("json"));
	weft_tracer_window(&t.tracer, 10, 20);
	weft_task_collect(&component.domain, &t.tracer);
	play("1+a 2+e 3+b 5-a 15-b 18+c 25-c 26+d 27-d 30-e");
	weft_sim_engine_close(e);
	CHECK_STR(rows(place, "tasks"),
		"98 - kind what Component 3 15 no 1 ; "
		"99 - kind what Component 18 25 no 1 ; "
		"101 - kind what Component 2 30 no 1 ; ");
	remove_place();
}

TEST(a_limit_of_bytes_holds)
{
	struct weft_tracer_store t;

	begin();
	weft_tracer_store_init(&t, e, make_place("json"));
	t.max_bytes = 100;
	weft_task_collect(&component.domain, &t.tracer);
	play("1+a 2-a 3+b 4-b 5+c 6-c 7+d 8-d");
	weft_sim_engine_close(e);
	CHECK_INT(t.tracer.dropped, 2);
	CHECK_STR(rows(place, "meta"),
		"unit ps 1 ; end 8 1 ; dropped 2 1 ; faults 0 1 ; ");
	remove_place();
}

TEST(a_place_that_cannot_be_is_a_fault)
{
	struct weft_tracer_store t;

	begin();
	CHECK_INT(weft_tracer_store_init(&t, e, "json:/nowhere/at/all/run"),
		WEFT_SIM_STORE);
	CHECK(weft_sim_fault_text(e, 0) != NULL);
	weft_task_collect(&component.domain, &t.tracer);
	play("1+a 2#ax 3-a 4+b");
	weft_sim_engine_close(e);
	CHECK_INT(t.stored, 0);
}

static bool
took_long(const struct weft_task *task, void *arg)
{
	(void)arg;
	return task->end - task->start >= 10;
}

TEST(a_flight_recorder_stores_what_was_last)
{
	struct weft_tracer_store store;
	struct weft_tracer_flight flight;

	begin();
	weft_tracer_store_init(&store, e, make_place("json"));
	weft_tracer_flight_init(&flight, &store.tracer, 6);
	flight.when = took_long;
	flight.after = 2;
	weft_task_collect(&component.domain, &flight.tracer);
	play("1+a 2-a 3+b 4+c 5#ctag 6-c 7+d 8-d 14-b 15+e 16-e 17+f 18-f "
	     "19+g 20-g 21+h");
	weft_sim_engine_close(e);
	CHECK_INT(flight.triggers, 1);
	CHECK_STR(rows(place, "tasks"),
		"99 - kind what Component 4 6 no 1 ; "
		"100 - kind what Component 7 8 no 1 ; "
		"98 - kind what Component 3 14 no 1 ; "
		"101 - kind what Component 15 16 no 1 ; "
		"102 - kind what Component 17 18 no 1 ; ");
	CHECK_STR(rows(place, "tags"), "99 5 tag no 1 ; ");
	remove_place();
}

TEST(a_flight_recorder_stores_what_hangs)
{
	struct weft_tracer_store store;
	struct weft_tracer_flight flight;

	begin();
	weft_tracer_store_init(&store, e, make_place("json"));
	weft_tracer_flight_init(&flight, &store.tracer, 100);
	weft_task_collect(&component.domain, &flight.tracer);
	play("1+a 2+b 3-b 4+c");
	weft_tracer_flight_trigger(&flight);
	weft_sim_engine_close(e);
	CHECK_STR(rows(place, "tasks"),
		"98 - kind what Component 2 3 no 1 ; "
		"97 - kind what Component 1 4 yes 1 ; "
		"99 - kind what Component 4 4 yes 1 ; ");
	remove_place();
}

#define CROWD 3000 /* more tasks than a stream has slots for */

/* Starts tasks, each a child of the previous one; then ends all. */
static int
crowd(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	struct weft_sim_domain *d = &h->domain;
	const int *what = ev->data;

	for (uint64_t i = 1; *what == 0 && i <= CROWD / 2; i++)
		weft_task_start(d,
			&(struct weft_task){ .id = i,
				.parent = i - 1,
				.kind = "kind",
				.what = "what" });
	for (uint64_t i = CROWD / 2 + 1; *what == 1 && i <= CROWD; i++)
		weft_task_start(d,
			&(struct weft_task){ .id = i,
				.parent = i - CROWD / 2,
				.kind = "kind",
				.what = "what" });
	for (uint64_t i = 1; *what == 2 && i <= CROWD; i++) {
		weft_task_tag(d, i, "last");
		weft_task_milestone(d, i, WEFT_WAIT_DATA, "end");
		weft_task_end(d, i);
	}
	return 0;
}

/* Reads the first two columns of a table: to[id] = the second. */
static void
read_pairs(const char *table, uint64_t *to)
{
	struct err err = { 0 };
	struct store_reader *r = store_read(place, &err);
	struct store_value row[STORE_COLUMNS_MAX];
	uint64_t n = 0;

	CHECK(r != NULL);
	store_read_start(r, store_read_find(r, table), NULL);
	while (store_read_next(r, row) && ++n <= CROWD)
		to[(uint64_t)row[0].i] = row[1].null ? 0 : (uint64_t)row[1].i;
	CHECK_INT(n, CROWD);
	store_read_close(r);
}

TEST(a_stream_tells_more_tasks_apart_than_it_has_places)
{
	static uint64_t parent[CROWD + 1], tag[CROWD + 1], wait[CROWD + 1];
	static const int64_t time[3] = { 5, 10000000, 20000000000 };
	static int what[3] = { 0, 1, 2 };
	struct weft_tracer_store t;

	begin();
	stream_store_register();
	component.handle = crowd;
	CHECK_INT(weft_tracer_store_init(&t, e, make_place("stream")), 0);
	weft_task_collect(&component.domain, &t.tracer);
	for (int i = 0; i < 3; i++)
		weft_sim_schedule(&component, time[i], &what[i]);
	weft_sim_run(e);
	weft_sim_engine_close(e);
	CHECK_INT(t.stored, 3 * CROWD + 4);
	read_pairs("tasks", parent);
	read_pairs("tags", tag);
	read_pairs("milestones", wait);
	for (uint64_t i = 1; i <= CROWD; i++) {
		CHECK_INT(parent[i], i <= CROWD / 2 ? i - 1 : i - CROWD / 2);
		CHECK_INT(tag[i], time[2]);
		CHECK_INT(wait[i], time[2]);
	}
	remove_place();
}

TEST_MAIN(RUN(sqlite_stores_all), RUN(csv_stores_all), RUN(json_stores_all),
	RUN(a_window_holds_for_stores), RUN(a_limit_of_bytes_holds),
	RUN(a_place_that_cannot_be_is_a_fault),
	RUN(a_flight_recorder_stores_what_was_last),
	RUN(a_flight_recorder_stores_what_hangs),
	RUN(a_stream_tells_more_tasks_apart_than_it_has_places))
