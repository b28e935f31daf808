/* SPDX-License-Identifier: MIT */
/* What a program that is compiled with WEFT_CTF_DEBUG is checked for. */
#include <sys/mman.h>
#include <unistd.h>

#include "rt/ctf.h"
#include "rt/say.h"

enum { DEPTH = 256 };

/* What a thread has begun, the innermost last: tasks and calls. */
struct open {
	const struct weft_ctf_point *point; /* NULL: a task */
	bool is_tc, is_blocked;
};

/* Memory of its own: a library that is opened late gets few thread-local
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

/* Is the thread in the code of a task? */
static bool
is_in_task(void)
{
	return depth > 0 && !stack[depth - 1].point &&
		!stack[depth - 1].is_blocked;
}

static void
push(const struct ctf_event *e, const struct weft_ctf_point *point, bool is_tc)
{
	if (!stack)
		stack = mmap(NULL, DEPTH * sizeof(*stack),
			PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			0);
	if (stack == MAP_FAILED || depth == DEPTH)
		refuse(e, "too many calls within each other");
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
			refuse(e, "an exit without its enter");
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
			refuse(e, "the task before runs, and is not blocked");
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

void
weft_ctf_check(const struct weft_ctf_event *event)
{
	const struct ctf_event *e = &weft_rt_ctf->event[event->own];
	int owner = weft_rt_ctf_owner();

	if (!weft_rt_ctf_is_on())
		return;
	if (owner != 0 && owner != (int)gettid())
		weft_rt_die("weft_ctf",
			"%s: this thread has left its CPU, on which thread %d "
			"records",
			e->point->name, owner);
	if (e->point->variants == 0)
		check_plain(e);
	else
		check_call(e);
}
