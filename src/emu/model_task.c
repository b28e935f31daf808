/* SPDX-License-Identifier: MIT */
#include "emu/model_reader.h"

#include <string.h>

#include "base/arena.h"
#include "emu/describe.h"
#include "emu/hwc.h"
#include "emu/signature.h"
#include "emu/task.h"
#include "emu/task_type.h"

#define EVENT_LETTERS 3
#define NOT_INFERRED (-1)

/* An action of events about tasks. */
struct task_action {
	const char *word;
	event_fn *call;
	int infer;        /* enum infer, or NOT_INFERRED */
	bool names_body;  /* the second argument is a body */
	const char *says; /* with the names of the first two arguments */
};

static const struct task_action actions[] = {
	{ "type", task_type_create, INFER_TYPE, false,
		"creates task type %%%s with label \"%%%s\"" },
	{ "create", task_create, INFER_TASK, false,
		"creates task %%%s with type %%%s" },
	{ "bodies", task_create_parallel, INFER_BODIES, false,
		"creates parallel task %%%s with type %%%s" },
	{ "execute", task_execute, NOT_INFERRED, true,
		"executes the task %%%s" },
	{ "end", task_end, NOT_INFERRED, true, "ends the task %%%s" },
	{ "pause", task_pause, NOT_INFERRED, true, "pauses the task %%%s" },
	{ "resume", task_resume, NOT_INFERRED, true, "resumes the task %%%s" },
};

enum { NACTIONS = sizeof actions / sizeof actions[0] };

/* Reads the key of a declared channel of threads, of that kind. */
static bool
take_thread_chan(struct model_reader *r, enum chan_kind kind, int *chan)
{
	const char *place = r->lex.at;

	if (!model_take_chan(r, chan))
		return false;
	if (r->chans.at[*chan].of != CHAN_OF_THREAD)
		return model_fail_at(r, place, "expected a channel of threads");
	return r->chans.at[*chan].kind == kind ||
		model_fail_at(r, place, "expected a %s channel here",
			kind == CHAN_STACK ? "stack" : "single");
}

/* Reads the flags and the channels behind the first two. */
static bool
read_tasks_option(struct model_reader *r, struct task_def *d)
{
	const char *place = r->lex.at, *key;

	if (lex_keyword(&r->lex, "nests"))
		return d->nests = true;
	if (lex_keyword(&r->lex, "again"))
		return d->again = true;
	key = lex_assign(&r->lex, r->arena);
	if (key != NULL && strcmp(key, "section") == 0)
		return take_thread_chan(r, CHAN_STACK, &d->section) &&
			model_take_value(r, d->section, &d->body);
	if (key != NULL && strcmp(key, "rank") == 0)
		return take_thread_chan(r, CHAN_SINGLE, &d->rank);
	if (key != NULL && strcmp(key, "app") == 0)
		return take_thread_chan(r, CHAN_SINGLE, &d->app);
	if (key != NULL && strcmp(key, "body") == 0) {
		d->bodies = true;
		return take_thread_chan(r, CHAN_SINGLE, &d->body_id);
	}
	return model_fail_at(r, place,
		"expected section=, rank=, app=, body=, nests, again or the "
		"end of the line");
}

bool
model_tasks_read(struct model_reader *r)
{
	struct task_def *d = ARENA_NEW(r->arena, struct task_def);

	if (r->model->tasks != NULL)
		return lex_fail(&r->lex, "expected one line of tasks");
	d->section = d->rank = d->app = d->body_id = TASK_NO_CHAN;
	if (!model_take_chan(r, &d->id))
		return false;
	d->stacks = r->chans.at[d->id].kind == CHAN_STACK;
	if (r->chans.at[d->id].of != CHAN_OF_THREAD)
		return lex_fail(&r->lex, "expected a channel of threads");
	if (!take_thread_chan(r, r->chans.at[d->id].kind, &d->type))
		return false;
	while (!lex_end(&r->lex))
		if (!read_tasks_option(r, d))
			return false;
	/* Bodies of different tasks may follow one another directly, and so may
	 * tasks of one type. */
	r->chans.at[d->type].dup = true;
	if (d->rank >= 0)
		r->chans.at[d->rank].dup = true;
	if (d->app >= 0)
		r->chans.at[d->app].dup = true;
	if (d->body_id >= 0)
		r->chans.at[d->body_id].dup = true;
	r->model->tasks = d;
	return true;
}

/* Returns true if the event has the arguments of the action. */
static bool
fits(const struct model_reader *r, const struct task_action *a,
	const struct signature *sig)
{
	const struct task_def *d = r->model->tasks;
	bool one = a->names_body && !d->bodies;
	enum field_type second = a->infer == INFER_TYPE ? FIELD_STR : FIELD_U32;

	if (strlen(sig->name) != EVENT_LETTERS ||
		sig->jumbo != (a->infer == INFER_TYPE) ||
		sig->nargs < (one ? 1 : 2) || sig->arg[0].type != FIELD_U32)
		return false;
	return one || sig->arg[1].type == second;
}

static bool
fail_arguments(
	struct model_reader *r, const struct task_action *a, const char *place)
{
	const char *args = a->infer == INFER_TYPE ? "+(u32 ID, str LABEL)"
		: a->infer != NOT_INFERRED        ? "(u32 ID, u32 TYPE)"
		: r->model->tasks->bodies         ? "(u32 ID, u32 BODY)"
						  : "(u32 ID)";

	return model_fail_at(r, place,
		"expected an event of three letters with the arguments %s",
		args);
}

bool
model_task_take(struct model_reader *r, const char *place, const char *text,
	const struct signature *sig, struct event_def *to)
{
	static const char *words[NACTIONS + 1];
	const struct task_action *a;
	int i;

	for (i = 0; i < NACTIONS; i++)
		words[i] = actions[i].word;
	if (r->model->tasks == NULL)
		return model_fail_at(
			r, place, "expected a line with tasks above this one");
	if (!model_take_choice(r, words,
		    "type, create, bodies, execute, end, pause or resume", &i))
		return false;
	a = &actions[i];
	if (a->infer == INFER_BODIES && !r->model->tasks->bodies)
		return model_fail_at(r, place,
			"expected body= in the line of tasks: it shows which "
			"body runs");
	if (!fits(r, a, sig))
		return fail_arguments(r, a, place);
	*to = (struct event_def){ .signature = text, .call = a->call };
	to->payload = a->infer == INFER_TYPE ? PAYLOAD_FIRST : PAYLOAD_ALL;
	to->says = arena_printf(r->arena, a->says, sig->arg[0].name,
		sig->arg[sig->nargs > 1].name);
	if (a->names_body && r->model->tasks->bodies)
		to->says = arena_printf(r->arena, "%s with body %%%s", to->says,
			sig->arg[1].name);
	if (a->infer != NOT_INFERRED)
		VEC_PUSH(&r->infers, r->arena,
			((struct infer_def){ (enum infer)a->infer,
				arena_strdup(r->arena, sig->name) }));
	return true;
}

bool
model_counters_take(struct model_reader *r, const char *place, const char *text,
	const struct signature *sig, struct event_def *to)
{
	int64_t first;

	if (r->model->hwc_from != 0)
		return model_fail_at(
			r, place, "expected one event with hardware counters");
	if (!sig->jumbo || strlen(sig->name) != EVENT_LETTERS)
		return model_fail_at(r, place,
			"expected an event of three letters that is a jumbo: "
			"XWC+");
	if (!model_take_number(r, HWC_MAX, &first))
		return false;
	r->model->hwc_from = first;
	*to = (struct event_def){ .signature = text,
		.says = "has values of hardware counters",
		.call = hwc_set,
		.payload = PAYLOAD_ANY };
	return true;
}

static bool
has(const struct model_reader *r, enum infer what)
{
	for (int i = 0; i < r->infers.n; i++)
		if (r->infers.at[i].what == what)
			return true;
	return false;
}

bool
model_tasks_check(
	const struct model_reader *r, const char *path, struct err *err)
{
	const struct task_def *d = r->model->tasks;

	if (d == NULL)
		return true;
	if (!has(r, INFER_TYPE) || !has(r, INFER_TASK))
		return err_set(err, ERR_INPUT,
			"%s: the tasks have no event with 'task type', or none "
			"with 'task create'",
			path);
	return !d->bodies || has(r, INFER_BODIES) ||
		err_set(err, ERR_INPUT,
			"%s: the tasks have body=, but no event with 'task "
			"bodies'",
			path);
}
