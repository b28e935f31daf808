/* SPDX-License-Identifier: MIT */
/*
 * wait_object.c - what threads wait for, and what it is called.
 */
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "emu/code_names.h"
#include "emu/label_id.h"
#include "emu/models/wait_names.h"
#include "emu/say.h"
#include "emu/state.h"

struct object *
wait_object(struct emu *emu, uint32_t number)
{
	uint64_t *at =
		map_put(&wait_state(emu)->objects, wait_key(emu, number));
	struct object *o = (struct object *)(uintptr_t)*at;

	if (o != NULL)
		return o;
	o = ARENA_NEW(emu->arena, struct object);
	o->given.thread_row = ROW_NONE;
	o->value = wait_text(emu, OBJECT,
		arena_printf(emu->arena, "unknown (lock %u)", number));
	*at = (uint64_t)(uintptr_t)o;
	return o;
}

/* Returns the module of the current process at an address, or NULL. */
static const struct module *
module_at(struct emu *emu, uint64_t address)
{
	uint64_t k, value, process = wait_key(emu, 0) >> 32;

	for (size_t pos = 0;
		map_next(&wait_state(emu)->modules, &pos, &k, &value);) {
		const struct module *m =
			(const struct module *)(uintptr_t)value;

		if (k >> 32 == process && address - m->base < m->size)
			return m;
	}
	return NULL;
}

/* Returns true for the lock that Python's threads need to run Python code,
 * which is a mutex and a condition. Those locks are the only ones that lie in
 * the variable _PyRuntime itself. */
static bool
is_gil(const struct object *o, const char *variable)
{
	return strncmp(variable, "_PyRuntime", 10) == 0 &&
		(strcmp(o->kind, "mutex") == 0 ||
			strcmp(o->kind, "condition") == 0);
}

/* Returns "m (heap.c:4)", or the variable with the name of its module. */
static const char *
declared_text(
	struct emu *emu, const struct code_name *name, const struct module *m)
{
	if (name->file == NULL)
		return arena_printf(
			emu->arena, "%s (%s)", name->function, m->name);
	return arena_printf(emu->arena, "%s (%s:%d)", name->function,
		name->file, name->line);
}

/* Returns the name of a lock that lies in a module: its variable, else its
 * address in the file; NULL for a variable in the library of a language, as the
 * table of waits for atomics of C++. */
static const char *
variable_text(struct emu *emu, const struct object *o, const struct module *m)
{
	const struct code_names *names = emu->names;
	uint64_t address = o->address - m->base;
	struct code_name name = { 0 };

	if (names == NULL ||
		!names->variable(names->of, m->build, m->path, address, &name))
		return arena_printf(emu->arena, "%s %s+%#" PRIx64, o->kind,
			m->name, address);
	if (is_gil(o, name.function))
		return arena_printf(emu->arena, "%s of Python's GIL (%s)",
			o->kind, m->name);
	return name.is_library ? NULL
			       : arena_printf(emu->arena, "%s %s", o->kind,
					 declared_text(emu, &name, m));
}

/* Returns the thread on whose stack, or in whose storage the object lies. */
static const char *
thread_text(struct emu *emu, const struct object *o)
{
	if ((int64_t)o->thread == emu->thread->process->pid)
		return "the main thread";
	return arena_printf(emu->arena, "thread %u", o->thread);
}

/* Returns the thread-local variable in which the object lies, or NULL. */
static const char *
local_text(struct emu *emu, const struct object *o)
{
	const struct code_names *names = emu->names;
	const struct module *m = o->module;
	struct code_name name = { 0 };

	if (!o->is_local || m == NULL || names == NULL ||
		!names->local(names->of, m->build, m->path, o->offset, &name))
		return NULL;
	return declared_text(emu, &name, m);
}

/* Returns where a lock lies that is in no module. site: line of the first wait
 * for it. */
static const char *
place_text(struct emu *emu, const struct object *o, uint32_t site)
{
	const char *variable = local_text(emu, o), *line;
	const char *how = o->init_site != 0 ? "initialised"
		: o->block_site != 0        ? "in a block allocated"
					    : "first awaited";

	if (variable != NULL)
		return arena_printf(emu->arena, "%s, thread-local in %s",
			variable, thread_text(emu, o));
	if (o->init_site != 0)
		site = o->init_site;
	else if (o->block_site != 0)
		site = o->block_site;
	line = arena_printf(
		emu->arena, "%s at %s", how, wait_site_text(emu, site, ""));
	if (o->thread == 0)
		return line;
	return arena_printf(emu->arena, "%s %s, %s",
		o->is_local ? "thread-local in" : "on the stack of",
		thread_text(emu, o), line);
}

/* Gives the object a label by its place. Objects of one place have numbers. */
static void
name_by_place(struct emu *emu, struct object *o, uint32_t site)
{
	const char *place = place_text(emu, o, site), *number = "";
	const char *kind = o->kind != NULL ? o->kind : "object";
	uint64_t key = wait_key(emu,
			 label_id(arena_printf(
				 emu->arena, "%s %s", kind, place))),
		 n = ++*map_put(&wait_state(emu)->nlike, key);

	if (n > 1)
		number = arena_printf(emu->arena, " %" PRIu64, n);
	o->value = wait_text(emu, OBJECT,
		arena_printf(emu->arena, "%s%s %s", kind, number, place));
}

struct object *
wait_object_at(struct emu *emu, uint32_t number, uint32_t site)
{
	struct object *o = wait_object(emu, number);

	if (o->value == 0)
		name_by_place(emu, o, site);
	return o;
}

/* Returns the object that is being defined. */
static struct object *
defined(struct emu *emu, uint32_t number)
{
	uint64_t *at =
		map_put(&wait_state(emu)->objects, wait_key(emu, number));
	struct object *o = (struct object *)(uintptr_t)*at;

	if (o == NULL) {
		o = ARENA_NEW(emu->arena, struct object);
		o->given.thread_row = ROW_NONE;
		*at = (uint64_t)(uintptr_t)o;
	}
	return o;
}

/* Sets the thread to which the object's memory belongs: another thread may get
 * the memory of one that has ended. */
static struct object *
belongs_to(struct emu *emu, bool is_local)
{
	struct object *o = defined(emu, emu_arg_u32(emu, 0));
	uint32_t tid = emu_arg_u32(emu, 1);

	if ((o->thread != tid || o->is_local != is_local) &&
		module_at(emu, o->address) == NULL)
		o->value = 0;
	o->thread = tid;
	o->is_local = is_local;
	o->module = NULL;
	return o;
}

void
wait_define_stack(struct emu *emu, const struct event *ev)
{
	(void)ev;
	belongs_to(emu, false);
}

void
wait_define_local(struct emu *emu, const struct event *ev)
{
	struct object *o = belongs_to(emu, true);
	const uint64_t *module = map_get(
		&wait_state(emu)->modules, wait_key(emu, emu_arg_u32(emu, 2)));

	(void)ev;
	if (module != NULL)
		o->module = (const struct module *)(uintptr_t)*module;
	o->offset = (uint64_t)emu_arg(emu, 3);
}

/* A block of another line may get the memory of one that was freed. */
void
wait_define_block(struct emu *emu, const struct event *ev)
{
	struct object *o = defined(emu, emu_arg_u32(emu, 0));
	uint32_t site = emu_arg_u32(emu, 1);

	(void)ev;
	if (o->block_site != site && module_at(emu, o->address) == NULL)
		o->value = 0;
	o->block_site = site;
}

/* Two threads may define the same object. A lock may be initialised again. */
void
wait_define_lock(struct emu *emu, const struct event *ev)
{
	static const char *const kinds[] = { "object", "mutex", "rwlock",
		"spin lock", "OpenMP lock", "condition", "barrier", "semaphore",
		"once", "futex" };
	struct object *o = defined(emu, emu_arg_u32(emu, 0));
	uint64_t address = (uint64_t)emu_arg(emu, 1);
	uint32_t kind = emu_arg_u32(emu, 2), init_site = emu_arg_u32(emu, 3);
	const struct module *m = module_at(emu, address);
	const char *name = NULL;

	(void)ev;
	if (o->kind != NULL && o->address == address &&
		o->init_site == init_site)
		return;
	o->kind = kinds[kind < sizeof kinds / sizeof *kinds ? kind : 0];
	o->address = address;
	o->init_site = init_site;
	if (m != NULL)
		name = variable_text(emu, o, m);
	o->value = name == NULL ? 0 : wait_text(emu, OBJECT, name);
}

void
wait_define_file(struct emu *emu, const struct event *ev)
{
	const char *name = bind_str(emu->binding, ev, 2);
	uint32_t number = emu_arg_u32(emu, 0);

	if (name == NULL) {
		emu_finding(emu, FINDING_ERROR,
			"the name of file %u has no end", number);
		return;
	}
	wait_object(emu, number)->value =
		wait_text(emu, OBJECT, arena_strdup(emu->arena, name));
}
