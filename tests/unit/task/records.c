/* SPDX-License-Identifier: MIT */
#include "task/records.h"
#include "base/arena.h"
#include "kit.h"
#include "store/store.h"

/* A sink that writes each of its calls as text. */
struct paper {
	struct sink sink;
	char text[4096];
	size_t n;
	char rows[64][64];
};

__attribute__((format(printf, 2, 3))) static void
put(struct sink *s, const char *fmt, ...)
{
	struct paper *p = (struct paper *)s;
	va_list ap;

	va_start(ap, fmt);
	p->n += (size_t)vsnprintf(
		p->text + p->n, sizeof p->text - p->n, fmt, ap);
	va_end(ap);
}

static void
row(struct sink *s, const struct row *r)
{
	struct paper *p = (struct paper *)s;

	snprintf(p->rows[r->id], 64, "%s", r->name);
	put(s, "[%s] ", r->name);
}

static void
label(struct sink *s, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	(void)meaning;
	put(s, "%u:%lld=%s ", type, (long long)value, text);
}

static void
state(struct sink *s, const struct record *r)
{
	if (r->value == VALUE_NONE)
		put(s, "%lld %u:%u=- ", (long long)r->time, r->row, r->type);
	else
		put(s, "%lld %u:%u=%lld ", (long long)r->time, r->row, r->type,
			(long long)r->value);
}

static void
advance(struct sink *s, int64_t time)
{
	put(s, "end %lld", (long long)time);
}

static const struct sink_ops ops = {
	.row = row,
	.label = label,
	.state = state,
	.advance = advance,
};

/* Returns the script's tasks, read back from a store, as records. */
static const char *
records(const char *script, int64_t divide)
{
	static struct paper paper;
	char folder[] = "/tmp/weft-records-XXXXXX", place[64], command[64];
	struct weft_tracer_store t;
	struct task_records tr;
	struct arena a = { 0 };
	struct err err = { 0 };
	struct store_reader *r;

	CHECK(mkdtemp(folder) != NULL);
	snprintf(place, sizeof place, "json:%s/run", folder);
	begin();
	weft_tracer_store_init(&t, e, place);
	weft_task_collect(&component.domain, &t.tracer);
	play(script);
	weft_sim_engine_close(e);
	r = store_read(place, &err);
	CHECK(r != NULL);
	CHECK(task_records_read(&tr, &a, r, &err));
	memset(&paper, 0, sizeof paper);
	paper.sink.ops = &ops;
	tr.divide = divide;
	task_records_declare(&tr, &paper.sink);
	task_records_play(&tr, &paper.sink);
	task_records_fini(&tr);
	store_read_close(r);
	arena_fini(&a);
	snprintf(command, sizeof command, "rm -r %s", folder);
	CHECK_INT(system(command), 0);
	return paper.text;
}

TEST(tasks_that_overlap_take_lanes)
{
	CHECK_STR(records("1+a 2+b 3-a 3+c 4-b 5-c", 1),
		"[Component] [Component kind] [Component kind (2)] 0:2=what "
		"1 1:0=2 1 1:1=1 2 2:0=2 2 1:1=2 "
		"3 1:0=- 3 1:1=1 3 1:0=2 3 1:1=2 "
		"4 2:0=- 4 1:1=1 5 1:0=- 5 1:1=- end 5");
}

TEST(rows_are_locations_and_kinds)
{
	CHECK_STR(records("1000+a:req_in:read 2000+b:pipeline:Stage "
			  "3000+c 4999-a 5000-b 6000-c",
			  1000),
		"[Component] [Stage] [Component kind] [Component.req_in] "
		"[Stage pipeline] "
		"0:2=read 0:5=Stage 0:7=what "
		"1 3:0=2 1 3:1=1 2 4:0=5 2 4:1=1 3 2:0=7 3 2:1=1 "
		"4 3:0=- 4 3:1=- 5 4:0=- 5 4:1=- 6 2:0=- 6 2:1=- end 6");
}

TEST(a_task_may_take_no_time)
{
	CHECK_STR(records("5+a 5-a 5+b 7-b", 1),
		"[Component] [Component kind] 0:2=what 5 1:0=2 5 1:1=1 5 1:0=- "
		"5 1:1=- "
		"5 1:0=2 5 1:1=1 7 1:0=- 7 1:1=- end 7");
	CHECK_STR(records("5+a 5-a", 1),
		"[Component] [Component kind] 0:2=what "
		"5 1:0=2 5 1:1=1 5 1:0=- 5 1:1=- end 5");
}

TEST(an_open_task_lasts_to_the_end)
{
	CHECK_STR(records("1+a 2+b 9-b", 1),
		"[Component] [Component kind] [Component kind (2)] 0:2=what "
		"1 1:0=2 1 1:1=1 2 2:0=2 2 1:1=2 9 2:0=- 9 1:1=1 "
		"9 1:0=- 9 1:1=- end 9");
}

TEST_MAIN(RUN(tasks_that_overlap_take_lanes), RUN(rows_are_locations_and_kinds),
	RUN(a_task_may_take_no_time), RUN(an_open_task_lasts_to_the_end))
