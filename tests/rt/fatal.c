/* SPDX-License-Identifier: MIT */
/* fatal.c - every misuse of the interface ends the process with its message. */
#include <signal.h>

#include "ovni.h"
#include "rt/run.h"
#include "test.h"
#include "weft/trace.h"

static void
proc(void)
{
	ovni_proc_init(1, "node.1", getpid());
}

static void
both(void)
{
	proc();
	ovni_thread_init(getpid());
}

static struct ovni_ev ev;

/* clang-format off */
#define CASE(name, body) static void name(void) { body; }
CASE(emit_early,	ovni_ev_emit(&ev))
CASE(jumbo_early,	ovni_ev_jumbo_emit(&ev, NULL, 0))
CASE(emit_no_thread,	proc(); ovni_ev_emit(&ev))
CASE(thread_early,	ovni_thread_init(1))
CASE(thread_zero,	proc(); ovni_thread_init(0))
CASE(thread_again,	both(); ovni_thread_free(); ovni_thread_init(1))
CASE(thread_late,	both(); ovni_thread_free(); ovni_proc_fini();
			ovni_thread_free())
CASE(free_early,	proc(); ovni_thread_free())
CASE(proc_twice,	proc(); proc())
CASE(proc_again,	proc(); ovni_proc_fini(); proc())
CASE(fini_early,	ovni_proc_fini())
CASE(fini_twice,	proc(); ovni_proc_fini(); ovni_proc_fini())
CASE(flush_early,	proc(); ovni_flush())
CASE(rank_early,	proc(); ovni_proc_set_rank(0, 1))
CASE(cpu_negative,	both(); ovni_add_cpu(-1, 0))
CASE(cpu_phyid,		both(); ovni_add_cpu(0, -1))
CASE(cpu_early,		ovni_add_cpu(0, 0))
CASE(require_early,	proc(); ovni_thread_require("nanos6", "1.0.0"))
CASE(require_null,	both(); ovni_thread_require(NULL, "1.0.0"))
CASE(require_dot,	both(); ovni_thread_require("a.b", "1.0.0"))
CASE(require_letter,	both(); ovni_thread_require("a", "1.0.0"))
CASE(require_version,	both(); ovni_thread_require("nanos6", "1.0"))
CASE(version_null,	ovni_version_check_str(NULL))
CASE(version_bad,	ovni_version_check_str("one"))
CASE(version_major,	ovni_version_check_str("0.14.0"))
CASE(version_minor,	ovni_version_check_str("1.15.0"))
CASE(payload_small,	ovni_payload_add(&ev, (uint8_t *)"", 1))
CASE(payload_large,	ovni_payload_add(&ev, (uint8_t *)"12345678", 8);
			ovni_payload_add(&ev, (uint8_t *)"123456789", 9))
CASE(payload_jumbo,	ev.header.flags = OVNI_EV_JUMBO;
			ovni_payload_add(&ev, (uint8_t *)"12", 2))
CASE(jumbo_payload,	both(); ovni_payload_add(&ev, (uint8_t *)"12", 2);
			ovni_ev_jumbo_emit(&ev, NULL, 0))
CASE(attr_early,	ovni_attr_has("a"))
CASE(attr_missing,	both(); ovni_attr_get_double("a.b"))
CASE(attr_type,		both(); ovni_attr_set_str("a", "x");
			ovni_attr_get_double("a"))
CASE(attr_json,		both(); ovni_attr_set_json("a", "{"))
CASE(attr_over,		both(); ovni_attr_set_str("a", "x");
			ovni_attr_set_str("a.b", "y"))
CASE(mark_range,	both(); ovni_mark_type(100, 0, "x"))
CASE(mark_title,	both(); ovni_mark_type(1, 0, ""))
CASE(mark_twice,	both(); ovni_mark_type(1, 0, "x");
			ovni_mark_type(1, 0, "x"))
CASE(mark_label_zero,	both(); ovni_mark_type(1, 0, "x");
			ovni_mark_label(1, 0, "a"))
CASE(mark_label_none,	both(); ovni_mark_label(1, 1, "a"))
CASE(mark_label_twice,	both(); ovni_mark_type(1, 0, "x");
			ovni_mark_label(1, 1, "a"); ovni_mark_label(1, 1, "a"))
CASE(mark_zero,		both(); ovni_mark_push(1, 0))
CASE(loom_long,		char name[600]; memset(name, 'a', 599);
			name[599] = '\0'; ovni_proc_init(1, name, 1))
CASE(layout,		weft_room(12, WEFT_LAYOUT + 1))

static const struct {
	void (*run)(void);
	const char *said;
} cases[] = {
	{emit_early,	   "ovni_ev_add: thread is not initialized"},
	{jumbo_early,	   "ovni_ev_add: thread is not initialized"},
	{emit_no_thread,   "ovni_ev_add: thread is not initialized"},
	{thread_early,	   "ovni_thread_init: process not yet initialized"},
	{thread_zero,	   "ovni_thread_init: cannot use tid=0"},
	{thread_again,	   "ovni_thread_init: thread 1 has finished"},
	{thread_late,	   "ovni_thread_free: thread already finished"},
	{free_early,	   "ovni_thread_free: thread not initialized"},
	{proc_twice,	   "already initialized"},
	{proc_again,	   "has finished"},
	{fini_early,	   "ovni_proc_fini: process is not ready"},
	{fini_twice,	   "ovni_proc_fini: process is not ready"},
	{flush_early,	   "ovni_flush: thread is not ready"},
	{rank_early,	   "ovni_proc_set_rank: thread is not ready"},
	{cpu_negative,	   "ovni_add_cpu: cannot use negative index -1"},
	{cpu_phyid,	   "ovni_add_cpu: cannot use negative CPU id -1"},
	{cpu_early,	   "ovni_add_cpu: process is not ready"},
	{require_early,	   "ovni_thread_require: thread is not initialized"},
	{require_null,	   "ovni_thread_require: model or version is NULL"},
	{require_dot,	   "malformed model name \"a.b\""},
	{require_letter,   "malformed model name \"a\""},
	{require_version,  "invalid version \"1.0\" of model \"nanos6\""},
	{version_null,	   "ovni_version_check_str: "},
	{version_bad,	   "failed to parse provided version \"one\""},
	{version_major,	   "incompatible ovni major version: wants 0.14.0"},
	{version_minor,	   "incompatible ovni minor version: wants 1.15.0"},
	{payload_small,	   "ovni_payload_add: payload size 1 too small"},
	{payload_large,	   "ovni_payload_add: no space left for 9 bytes"},
	{payload_jumbo,	   "ovni_payload_add: event is marked as jumbo"},
	{jumbo_payload,	   "the event payload must be empty"},
	{attr_early,	   "ovni_attr_has: thread is not ready"},
	{attr_missing,	   "key not found: a.b"},
	{attr_type,	   "key a is not a double"},
	{attr_json,	   "cannot parse the json of a"},
	{attr_over,	   "cannot set a.b"},
	{mark_range,	   "type 100 is not in the range 0 to 99"},
	{mark_title,	   "the title of type 1 is empty"},
	{mark_twice,	   "type 1 already defined"},
	{mark_label_zero,  "value 0 is not > 0"},
	{mark_label_none,  "type 1 is not defined"},
	{mark_label_twice, "value 1 of type 1 has a label"},
	{mark_zero,	   "ovni_mark_push: cannot use value 0"},
	{loom_long,	   "loom name too long"},
	{layout,	   "compiled with layout 3"},
};
/* clang-format on */

TEST(misuse_dies_with_its_sentence)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int status;

		run_fresh();
		status = run_child(cases[i].run);
		if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
			test_fail(__FILE__, __LINE__, cases[i].said);
		if (strncmp(run_said, "FATAL: ", 7) != 0 ||
			!strstr(run_said, cases[i].said)) {
			test_fail(__FILE__, __LINE__, cases[i].said);
			printf("# said: %s", run_said);
		}
	}
}

static void
twice(void)
{
	both();
	ovni_thread_init(getpid());
	exit(ovni_thread_isready() ? 0 : 1);
}

TEST(a_thread_initialised_twice_is_warned)
{
	run_fresh();
	CHECK_INT(run_child(twice), 0);
	CHECK(strstr(run_said, "WARN: thread ") != NULL);
	CHECK(strstr(run_said, " already initialized, ignored\n") != NULL);
}

TEST_MAIN(RUN(misuse_dies_with_its_sentence),
	RUN(a_thread_initialised_twice_is_warned))
