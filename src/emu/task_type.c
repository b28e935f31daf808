/* SPDX-License-Identifier: MIT */
#include "emu/task_type.h"

#include <string.h>

#include "base/arena.h"
#include "emu/breakdown.h"
#include "emu/change.h"
#include "emu/label_id.h"
#include "emu/mend.h"
#include "emu/say.h"
#include "emu/state.h"
#include "emu/view.h"

#define TYPES_MAX 65536 /* per trace; a program has some dozens */
#define LABEL_MAX 512   /* bytes that Paraver's label files can hold */

enum { NEW_TYPE, NEW_LABEL };

/* Reports different labels with the same value, which cannot be told apart. The
 * ovni tools report this after everything is written. */
static void
check_collision(struct emu *emu, const struct task_type *type)
{
	uint64_t *other = map_put(&emu->type_labels, task_key(emu, type->gid));
	const char *text;

	if (*other == 0)
		*other = (uint64_t)(uintptr_t)type->label;
	if (strcmp((const char *)(uintptr_t)*other, type->label) == 0)
		return;
	text = arena_printf(emu->arena,
		"collision occurred in task type labels: %s and %s have the "
		"same value %u",
		(const char *)(uintptr_t)*other, type->label, type->gid);
	if (!emu->strict)
		emu_finding(emu, FINDING_ERROR, "%s", text);
	else if (emu->said_at_end == NULL)
		emu->said_at_end = text;
}

/* Returns the channel that shows types. */
static int
type_chan(const struct emu *emu)
{
	return emu->binding->first_chan + emu->binding->model->tasks->type;
}

static void
label_type(struct emu *emu, const struct task_type *type)
{
	view_label(emu, type_chan(emu), type->gid, type->label);
	breakdown_label(emu, type_chan(emu), type->gid, type->label);
}

/* Notes the id: larger ids are free. */
static void
note_id(struct thread *th, uint32_t id)
{
	if (id > th->process->top_type && id < UINT32_MAX)
		th->process->top_type = id;
}

const char *
task_type_label(const struct emu *emu, const struct event *ev)
{
	const struct binding *b = emu->binding;

	if (ev->value == NULL && NEW_LABEL < b->nargs &&
		ev->size == b->arg[NEW_LABEL].at)
		return "";
	return bind_str(b, ev, NEW_LABEL);
}

void
task_type_create(struct emu *emu, const struct event *ev)
{
	task_type_add(
		emu, emu_arg_u32(emu, NEW_TYPE), task_type_label(emu, ev));
}

void
task_type_add(struct emu *emu, uint32_t id, const char *label)
{
	struct map *types = &emu->thread->process->types;
	struct task_type *type = task_type_find(emu, emu->thread, id);

	note_id(emu->thread, id);
	if (id != 0 && type != NULL && type->inferred) {
		mend_leave_out(emu);
		return;
	}
	if (id == 0 || type != NULL) {
		emu_finding(emu, FINDING_ERROR,
			id == 0 ? "task type id cannot be %u"
				: "task type id %u already exists",
			id);
		return;
	}
	if (label == NULL || strlen(label) >= LABEL_MAX) {
		emu_finding(emu, FINDING_ERROR,
			label == NULL ? "the label of task type %u has no end"
				      : "task type %u label too long",
			id);
		return;
	}
	if (emu->ntask_types == TYPES_MAX) {
		emu_finding(emu, FINDING_ERROR,
			"task type %u is ignored: the limit is %d types", id,
			TYPES_MAX);
		return;
	}
	emu->ntask_types++;
	type = ARENA_NEW(emu->arena, struct task_type);
	type->label = *label != '\0'
		? arena_strdup(emu->arena, label)
		: arena_printf(emu->arena, "(unlabeled task type %u)", id);
	type->gid = label_id(type->label);
	*map_put(types, task_key(emu, id)) = (uint64_t)(uintptr_t)type;
	check_collision(emu, type);
	label_type(emu, type);
}

struct task_type *
task_type_unknown(struct emu *emu, struct thread *th, uint32_t id)
{
	struct task_type *type = task_type_find(emu, th, id);

	if (type != NULL)
		return type;
	type = ARENA_NEW(emu->arena, struct task_type);
	type->label = MEND_TYPE_LABEL;
	type->gid = label_id(type->label);
	type->inferred = true;
	emu->ntask_types += id != MEND_TYPE;
	*map_put(&th->process->types, task_key(emu, id)) =
		(uint64_t)(uintptr_t)type;
	label_type(emu, type);
	return type;
}

const struct task_type *
task_type_infer(struct emu *emu, uint32_t id)
{
	struct task_type *type;

	if (emu->inferred_tasks++ == 0)
		emu_finding(emu, FINDING_NOTE,
			"inferred: this task is of an unknown type, as are "
			"others that follow; the events that created them are "
			"lost");
	type = task_type_unknown(emu, emu->thread, id);
	if (!type->mended)
		mend_type(emu, id);
	type->mended = true;
	note_id(emu->thread, id);
	return type;
}

bool
task_type_is_full(const struct emu *emu)
{
	return emu->ntask_types == TYPES_MAX;
}

/* Returns the type that the event names, or NULL with a finding. */
static const struct task_type *
named(struct emu *emu)
{
	uint32_t id = emu_arg_u32(emu, NEW_TYPE);
	const struct task_type *type = task_type_find(emu, emu->thread, id);

	if (id == 0)
		emu_finding(emu, FINDING_ERROR, "task type id cannot be 0");
	else if (type == NULL && emu->incomplete && !task_type_is_full(emu))
		type = task_type_infer(emu, id);
	else if (type == NULL)
		emu_finding(emu, FINDING_ERROR,
			"unknown task type %u: no event creates it", id);
	return type;
}

void
task_type_enter(struct emu *emu, const struct event *ev)
{
	const struct task_type *type = named(emu);

	(void)ev;
	if (type != NULL)
		emu_push(emu, type_chan(emu), type->gid);
}

void
task_type_leave(struct emu *emu, const struct event *ev)
{
	const struct task_type *type = named(emu);

	(void)ev;
	if (type != NULL)
		emu_pop(emu, type_chan(emu), type->gid);
}
