/* SPDX-License-Identifier: MIT */
/*
 * stack.c - measures how much of the caller's stack the slow paths of the
 * recorder use. Each path runs in a handler on a stack filled with a pattern;
 * the use of an empty handler is subtracted.
 *
 * The kernel's signal frame may take half of an alternate stack of 8 KB.
 */
#include <signal.h>
#include <sys/mman.h>

#include "ovni.h"
#include "rt/run.h"
#include "test.h"
#include "weft/ctf.h"
#include "weft/trace.h"

enum { SIZE = 256 << 10, MOST = 4096, PAINT = 0xa5 };

static unsigned char *stack;
static struct weft_region region = WEFT_REGION("a region");
static struct weft_counter counter = WEFT_COUNTER(3, "a counter");
static struct weft_ctf_tracepoint points[] = { { "hit", "u32 n",
						       .variants = 0 },
	{ "say", "str text", .variants = 0 }, { .name = NULL } };

static void
nothing(void)
{
}

static void
first_event(void)
{
	weft_ev("OB.");
}

static void
first_of_model(void)
{
	weft_ev("6Ma");
}

static void
new_region(void)
{
	weft_enter(&region);
	weft_leave(&region);
}

static void
new_counter(void)
{
	weft_count(&counter, 1);
}

static void
full_ring(void)
{
	for (int i = 0; i < 100000; i++)
		weft_ev("OB.");
}

static void
jumbo(void)
{
	static unsigned char data[1 << 20];

	weft_jumbo("6Yc", data, 100);
	weft_jumbo("6Yc", data, sizeof(data));
	weft_jumbo_u32_str("6Yc", 1, "a label");
}

static void
require(void)
{
	weft_require("nanos6", "1.1.0");
}

static void
dump(void)
{
	full_ring();
	weft_off();
	weft_on();
	weft_dump();
}

static void
ovni(void)
{
	struct ovni_ev ev = { 0 };

	ovni_proc_init(1, "node.1", getpid());
	ovni_thread_init(gettid());
	ovni_add_cpu(0, 0);
	ovni_thread_require("nanos6", "1.1.0");
	ovni_mark_type(1, 0, "a mark");
	ovni_mark_label(1, 1, "a label");
	ovni_mark_set(1, 1);
	ovni_ev_set_mcv(&ev, "OB.");
	for (int i = 0; i < 100000; i++) {
		ovni_ev_set_clock(&ev, ovni_clock_now());
		ovni_ev_emit(&ev);
	}
	ovni_flush();
}

static void
end_of_thread(void)
{
	ovni_proc_init(1, "node.1", getpid());
	ovni_thread_init(gettid());
	ovni_thread_free();
}

static void
ctf_start(void)
{
	weft_ctf_start(&(struct weft_ctf_runtime){
		.prefix = "it", .points = points, .ncpus = 1 });
}

static void
ctf(void)
{
	const char *text = "some text";

	ctf_start();
	for (uint32_t i = 0; i < 100000; i++)
		weft_ctf_ev_u32(&points[0], i);
	weft_ctf_ev_texts(&points[1], &text, 1, NULL, 0);
	weft_ctf_cpu(0);
	weft_ctf_ev_u32(&points[0], 1);
	weft_ctf_leave();
}

/* clang-format off */
static const struct way {
	const char *name;
	void (*run)(void);
	const char *variable, *value; /* environment variable and its value */
} ways[] = {
	{ "a first event", first_event, NULL, NULL },
	{ "a first event where nothing can be written", first_event,
	  "OVNI_TRACEDIR", "/proc/none" },
	{ "the first event of a model", first_of_model, NULL, NULL },
	{ "a new region", new_region, NULL, NULL },
	{ "a new counter", new_counter, NULL, NULL },
	{ "a full ring", full_ring, "WEFT_WRITER", "inline" },
	{ "a full ring of a flight recorder", full_ring,
	  "WEFT_FULL", "overwrite" },
	{ "a jumbo event", jumbo, NULL, NULL },
	{ "to require a model", require, NULL, NULL },
	{ "to dump", dump, "WEFT_FULL", "overwrite" },
	{ "calls of ovni", ovni, "WEFT_WRITER", "inline" },
	{ "the end of a thread", end_of_thread, "OVNI_TMPDIR", "/tmp/weft-test-stack" },
	{ "events of CTF", ctf, "WEFT_WRITER", "inline" },
};
/* clang-format on */

static void (*to_run)(void);

static void
on_signal(int sig)
{
	(void)sig;
	to_run();
}

static size_t
depth_of(void (*run)(void))
{
	size_t i = 0;

	memset(stack, PAINT, SIZE);
	to_run = run;
	raise(SIGUSR1);
	while (i < SIZE && stack[i] == PAINT)
		i++;
	return SIZE - i;
}

static int
measure(const char *name)
{
	stack_t other = { .ss_size = SIZE };
	struct sigaction a = { .sa_handler = on_signal,
		.sa_flags = SA_ONSTACK };
	size_t empty, i = 0;

	while (strcmp(ways[i].name, name) != 0)
		i++;
	stack = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	other.ss_sp = stack;
	sigaltstack(&other, NULL);
	sigaction(SIGUSR1, &a, NULL);
	/* the dynamic loader resolves raise() in the first call */
	depth_of(nothing);
	empty = depth_of(nothing);
	dprintf(STDERR_FILENO, "took %zu\n", depth_of(ways[i].run) - empty);
	return 0;
}

static void __attribute__((unused)) take(const struct way *w)
{
	size_t n = 0;
	const char *said;

	run_fresh();
	setenv("WEFT_RING_KB", "64", 1);
	setenv("WEFT_CTF_DIR", run_folder, 1);
	if (w->variable)
		setenv(w->variable, w->value, 1);
	mkdir(run_folder, 0755);
	CHECK_INT(run_again(w->name), 0);
	said = strstr(run_said, "took ");
	CHECK(said != NULL && sscanf(said, "took %zu", &n) == 1);
	printf("# %4zu bytes: %s\n", n, w->name);
	CHECK(n > 0 && n < MOST);
	if (w->variable)
		unsetenv(w->variable);
}

TEST(slow_ways_need_little_stack)
{
#ifndef RUN_SANITIZED
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		take(&ways[i]);
#endif
}

int
main(int argc, char **argv)
{
	static const struct test all[] = { RUN(slow_ways_need_little_stack) };

	return argc > 1 ? measure(argv[1]) : test_run_all(all, 1);
}
