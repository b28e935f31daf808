/* SPDX-License-Identifier: MIT */
/* Checks of programs compiled with WEFT_CTF_DEBUG, and some for all programs
 * where they cost nothing. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inproc/core/say.h"
#include "inproc/ctf/ctf.h"

enum { DEPTH = 256 };

/* The tasks and calls that a thread has begun, the innermost last. */
struct open {
	const struct weft_ctf_tracepoint *point; /* NULL: a task */
	bool is_tc, is_blocked;
};

/* In mapped memory: a library that is loaded late gets few thread-local
 * bytes. */
static __thread struct open *stack;
static __thread int depth;

static void
refuse(const struct ctf_event *e, const char *why)
{
	static const char *const which[] = { "tc enter", "tc exit", "oc enter",
		"oc exit" };

	weft_rt_die("weft_ctf", "%s%s%s: %s", e->point->name,
		e->point->variants == 0 ? "" : ", ",
		e->point->variants == 0 ? "" : which[e->which], why);
}

/* Returns true if the thread is in the code of a task. */
static bool
is_in_task(void)
{
	return depth > 0 && !stack[depth - 1].point &&
		!stack[depth - 1].is_blocked;
}

static void
push(const struct ctf_event *e, const struct weft_ctf_tracepoint *point,
	bool is_tc)
{
	if (!stack)
		stack = mmap(NULL, DEPTH * sizeof(*stack),
			PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			0);
	if (stack == MAP_FAILED || depth == DEPTH)
		refuse(e, "calls are nested too deeply");
	stack[depth++] = (struct open){ point, is_tc, false };
}

static void
check_call(const struct ctf_event *e)
{
	bool is_tc =
		e->which == WEFT_CTF_TC_ENTER || e->which == WEFT_CTF_TC_EXIT;
	bool is_enter =
		e->which == WEFT_CTF_TC_ENTER || e->which == WEFT_CTF_OC_ENTER;

	if (!is_enter) {
		if (depth == 0 || stack[depth - 1].point != e->point ||
			stack[depth - 1].is_tc != is_tc)
			refuse(e, "exit without enter");
		depth--;
		return;
	}
	if (is_tc && !is_in_task())
		refuse(e, "task context, but no task runs here");
	if (!is_tc && is_in_task())
		refuse(e, "other context, but a task runs here");
	push(e, e->point, is_tc);
}

static struct open *
innermost_task(void)
{
	for (int i = depth; i > 0; i--)
		if (!stack[i - 1].point)
			return &stack[i - 1];
	return NULL;
}

static void
set_blocked(const struct ctf_event *e, bool is_blocked)
{
	struct open *task = innermost_task();

	if (!task)
		refuse(e, "no task runs here");
	if (task->is_blocked == is_blocked)
		refuse(e,
			is_blocked ? "the task is blocked already"
				   : "the task is not blocked");
	task->is_blocked = is_blocked;
}

static void
check_plain(const struct ctf_event *e)
{
	switch (e->point->does) {
	case WEFT_CTF_TASK_START:
		if (is_in_task())
			refuse(e,
				"the previous task still runs and is not "
				"blocked");
		push(e, NULL, false);
		break;
	case WEFT_CTF_TASK_END:
		if (!is_in_task())
			refuse(e, "no task runs here");
		depth--;
		break;
	case WEFT_CTF_TASK_BLOCK:
		set_blocked(e, true);
		break;
	case WEFT_CTF_TASK_UNBLOCK:
		set_blocked(e, false);
		break;
	default:
		break;
	}
}

/* Dies if the tracepoint lacks this event or is not declared yet. */
static void
check_undeclared(const struct weft_ctf_event *event)
{
	const struct ctf *c = weft_rt_ctf;

	for (int i = 1; i <= c->nevents; i++) {
		struct weft_ctf_tracepoint *p = c->event[i].point;
		int which = 0;

		while (which < 4 && event != &p->event[which])
			which++;
		if (which < 4)
			refuse(&(struct ctf_event){ .point = p,
				       .which = which },
				"the tracepoint does not declare this event");
	}
}

/* Fields that differ from the metadata would make the rest unreadable. */
static void
check_fields(const struct ctf_event *e, const unsigned char *data, uint64_t n)
{
	uint64_t at = 0;
	int i = 0;

	for (; data != NULL && i < e->nfields && at < n; i++) {
		const void *end = e->size[i] != 0
			? data + at + e->size[i] - 1
			: memchr(data + at, '\0',
				  n - at < CTF_TEXT ? n - at : CTF_TEXT);

		at = end ? (uint64_t)((const unsigned char *)end + 1 - data)
			 : n + 1;
	}
	if (i < e->nfields || at != n)
		refuse(e, "its fields differ from the declared ones");
}

void
weft_rt_ctf_check_texts(const struct ctf_event *e, int ntexts, uint64_t n)
{
	bool fits = ntexts <= e->nfields;
	uint64_t others = 0;

	for (int i = 0; i < e->nfields; i++) {
		fits &= (e->size[i] == 0) == (i < ntexts);
		others += e->size[i];
	}
	if (!fits || others != n)
		refuse(e, "its declared fields differ from the texts and data");
}

void
weft_ctf_check(const struct weft_ctf_event *event, const void *data, uint64_t n)
{
	const struct ctf_event *e;
	int owner;

	if (!weft_rt_ctf_is_on())
		return;
	if (event->own == 0) {
		check_undeclared(event);
		return;
	}
	e = &weft_rt_ctf->event[event->own];
	owner = weft_rt_ctf_owner();
	if (owner != 0 && owner != (int)gettid())
		weft_rt_die("weft_ctf",
			"%s: this thread records on a CPU that thread %d owns "
			"now",
			e->point->name, owner);
	check_fields(e, data, n);
	if (e->point->variants == 0)
		check_plain(e);
	else
		check_call(e);
}
