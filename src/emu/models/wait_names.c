/* SPDX-License-Identifier: MIT */
#include "emu/models/wait_names.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "emu/label_id.h"
#include "emu/say.h"
#include "emu/view.h"

struct module {
	uint64_t base, size;
	const char *name;
};

struct wait *
wait_state(struct emu *emu)
{
	if (emu->wait == NULL)
		emu->wait = ARENA_NEW(emu->arena, struct wait);
	return emu->wait;
}

static uint64_t
key(const struct emu *emu, uint32_t number)
{
	const struct process *p = emu->thread->process;

	return (uint64_t)(p - emu->system.processes) << 32 | number;
}

/* Gives the text a value in a channel. Equal texts have the same value. */
int64_t
wait_text(struct emu *emu, int chan, const char *text)
{
	int64_t value = label_id(text);
	uint64_t *at = map_put(&emu->told_labels, (uint64_t)value);

	if (*at == 0)
		*at = (uint64_t)(uintptr_t)arena_strdup(emu->arena, text);
	view_label(emu, wait_chan(emu, chan), value, text);
	return value;
}

struct object *
wait_object(struct emu *emu, uint32_t number)
{
	uint64_t *at = map_put(&wait_state(emu)->objects, key(emu, number));
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

int64_t
wait_line(struct emu *emu, uint32_t site)
{
	uint64_t *at = map_put(&wait_state(emu)->sites, key(emu, site));

	if (*at == 0)
		*at = (uint64_t)wait_text(emu, LINE,
			arena_printf(emu->arena, "unknown (site %u)", site));
	return (int64_t)*at;
}

void
wait_define_module(struct emu *emu, const struct event *ev)
{
	uint64_t *at;
	const char *path = bind_str(emu->binding, ev, 3), *name;
	struct module *m;

	if (path == NULL) {
		emu_finding(emu, FINDING_ERROR,
			"the name of module %u has no end",
			emu_arg_u32(emu, 0));
		return;
	}
	name = strrchr(path, '/');
	m = ARENA_NEW(emu->arena, struct module);
	m->base = (uint64_t)emu_arg(emu, 1);
	m->size = (uint64_t)emu_arg(emu, 2);
	m->name = arena_strdup(emu->arena, name == NULL ? path : name + 1);
	at = map_put(&wait_state(emu)->modules, key(emu, emu_arg_u32(emu, 0)));
	*at = (uint64_t)(uintptr_t)m;
}

void
wait_define_site(struct emu *emu, const struct event *ev)
{
	struct wait *w = wait_state(emu);
	const uint64_t *m = map_get(&w->modules, key(emu, emu_arg_u32(emu, 1)));
	uint64_t offset = (uint64_t)emu_arg(emu, 2), *at;
	const char *text = m == NULL
		? arena_printf(emu->arena, "unknown (module %u)+%#" PRIx64,
			  emu_arg_u32(emu, 1), offset)
		: arena_printf(emu->arena, "%s+%#" PRIx64,
			  ((const struct module *)(uintptr_t)*m)->name, offset);

	(void)ev;
	at = map_put(&w->sites, key(emu, emu_arg_u32(emu, 0)));
	*at = (uint64_t)wait_text(emu, LINE, text);
}

/* Returns the module of the current process at an address, or NULL. */
static const struct module *
module_at(struct emu *emu, uint64_t address)
{
	uint64_t k, value, process = key(emu, 0) >> 32;

	for (size_t pos = 0;
		map_next(&wait_state(emu)->modules, &pos, &k, &value);) {
		const struct module *m = (struct module *)(uintptr_t)value;

		if (k >> 32 == process && address - m->base < m->size)
			return m;
	}
	return NULL;
}

void
wait_define_lock(struct emu *emu, const struct event *ev)
{
	static const char *const kinds[] = { "object", "mutex", "rwlock",
		"spin lock", "OpenMP lock", "condition", "barrier", "semaphore",
		"once", "futex" };
	uint32_t kind = emu_arg_u32(emu, 2);
	uint64_t address = (uint64_t)emu_arg(emu, 1);
	const struct module *m = module_at(emu, address);
	const char *what =
		kinds[kind < sizeof kinds / sizeof *kinds ? kind : 0];
	uint64_t *at = map_put(
		&wait_state(emu)->objects, key(emu, emu_arg_u32(emu, 0)));
	struct object *o = (struct object *)(uintptr_t)*at;

	(void)ev;
	/* two threads may define the same object */
	if (o == NULL) {
		o = ARENA_NEW(emu->arena, struct object);
		o->given.thread_row = ROW_NONE;
		*at = (uint64_t)(uintptr_t)o;
	}
	o->value = wait_text(emu, OBJECT,
		m == NULL ? arena_printf(
				    emu->arena, "%s %#" PRIx64, what, address)
			  : arena_printf(emu->arena, "%s %s+%#" PRIx64, what,
				    m->name, address - m->base));
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

void
wait_fini(struct emu *emu)
{
	struct wait *w = emu->wait;

	if (w == NULL)
		return;
	map_fini(&w->objects);
	map_fini(&w->modules);
	map_fini(&w->sites);
	map_fini(&w->open);
}
