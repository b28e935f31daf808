/* SPDX-License-Identifier: MIT */
#include "emu/models/wait_names.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "emu/code_names.h"
#include "emu/label_id.h"
#include "emu/say.h"
#include "emu/view.h"
#include "export/sink.h"

/* A code location. */
struct site {
	const struct module *module; /* or NULL */
	uint32_t module_number;
	uint64_t offset;
	uint32_t parent; /* number of the site in whose region it lies; 0:
	                  * none */
	int64_t line;    /* value in the channel LINE; 0: none yet */
	int64_t region;  /* value in the channel REGION; 0: none yet */
};

enum { PARENTS = 8, CALLS = 16 };

struct wait *
wait_state(struct emu *emu)
{
	if (emu->wait == NULL)
		emu->wait = ARENA_NEW(emu->arena, struct wait);
	return emu->wait;
}

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

/* Splits "0123abcd /usr/bin/prog". The text may also be the path only, or have
 * a "-" for the build id that the file does not have. */
static void
set_name(struct emu *emu, struct module *m, const char *text)
{
	size_t n = strspn(text, "0123456789abcdef");

	if (n == 0 && text[0] == '-')
		n = 1;
	m->build = "";
	m->path = text;
	if (n > 0 && text[n] == ' ') {
		m->build = arena_printf(
			emu->arena, "%.*s", text[0] == '-' ? 0 : (int)n, text);
		m->path = text + n + 1;
	}
	m->path = arena_strdup(emu->arena, m->path);
	m->name = file_name(m->path);
}

void
wait_define_module(struct emu *emu, const struct event *ev)
{
	uint64_t *at;
	const char *text = bind_str(emu->binding, ev, 3);
	struct module *m;

	if (text == NULL) {
		emu_finding(emu, FINDING_ERROR,
			"the name of module %u has no end",
			emu_arg_u32(emu, 0));
		return;
	}
	m = ARENA_NEW(emu->arena, struct module);
	m->base = (uint64_t)emu_arg(emu, 1);
	m->size = (uint64_t)emu_arg(emu, 2);
	set_name(emu, m, text);
	at = map_put(
		&wait_state(emu)->modules, wait_key(emu, emu_arg_u32(emu, 0)));
	*at = (uint64_t)(uintptr_t)m;
}

void
wait_define_site(struct emu *emu, const struct event *ev)
{
	struct wait *w = wait_state(emu);
	uint32_t module = emu_arg_u32(emu, 1);
	const uint64_t *m = map_get(&w->modules, wait_key(emu, module));
	struct site *s = ARENA_NEW(emu->arena, struct site);

	(void)ev;
	s->module = m == NULL ? NULL : (const struct module *)(uintptr_t)*m;
	s->module_number = module;
	s->offset = (uint64_t)emu_arg(emu, 2);
	s->parent = emu_arg_u32(emu, 3);
	*map_put(&w->sites, wait_key(emu, emu_arg_u32(emu, 0))) =
		(uint64_t)(uintptr_t)s;
}

static struct site *
site_of(struct emu *emu, uint32_t number)
{
	const uint64_t *at = map_get(&emu->wait->sites, wait_key(emu, number));

	return at == NULL ? NULL : (struct site *)(uintptr_t)*at;
}

static bool
look_up(const struct emu *emu, const struct site *s, struct code_name *to)
{
	const struct code_names *names = emu->names;

	*to = (struct code_name){ 0 };
	return names != NULL && s->module != NULL &&
		names->code(names->of, s->module->build, s->module->path,
			s->offset, to);
}

/* Compilers move the body of a construct of OpenMP to a function of their own:
 * gcc calls it FUNCTION._omp_fn.0, later versions of clang
 * FUNCTION.omp_outlined, earlier ones only .omp_outlined. */
static const char *
without_body(struct emu *emu, const char *function)
{
	static const char *const marks[] = { "._omp_fn.", ".omp_outlined",
		".omp_task_entry." };

	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		const char *at = strstr(function, marks[i]);

		if (at != NULL)
			return arena_printf(emu->arena, "%.*s",
				(int)(at - function), function);
	}
	return function;
}

/* Returns the function of the source that contains the location, or NULL. A
 * body without a name of its own is part of the function that contains the
 * region. */
static const char *
function_of(struct emu *emu, const struct site *s, const struct code_name *own)
{
	struct code_name name = *own;

	for (int i = 0; i < PARENTS && name.function != NULL; i++) {
		const char *f = without_body(emu, name.function);

		if (f[0] != '\0')
			return f;
		s = site_of(emu, s->parent);
		if (s == NULL || !look_up(emu, s, &name))
			break;
	}
	return own->function;
}

static const char *
address_text(struct emu *emu, const struct site *s)
{
	if (s->module == NULL)
		return arena_printf(emu->arena, "unknown (module %u)+%#" PRIx64,
			s->module_number, s->offset);
	return arena_printf(
		emu->arena, "%s+%#" PRIx64, s->module->name, s->offset);
}

/* Returns the innermost location around one that is not in the library of a
 * language, or that one itself if there is none. */
static const struct site *
own_site(struct emu *emu, uint32_t number)
{
	const struct site *first = site_of(emu, number), *s = first;
	struct code_name name;

	for (int i = 0; i < CALLS && s != NULL; i++) {
		look_up(emu, s, &name);
		if (s->module != NULL && !name.is_library)
			return s;
		s = site_of(emu, s->parent);
	}
	return first;
}

bool
wait_site_is_library(struct emu *emu, uint32_t number)
{
	const struct site *s = own_site(emu, number);
	struct code_name name = { 0 };

	if (s != NULL)
		look_up(emu, s, &name);
	return name.is_library;
}

const char *
wait_site_text(struct emu *emu, uint32_t number, const char *what)
{
	const struct site *s = own_site(emu, number);
	const char *comma = *what == '\0' ? "" : ", ", *function;
	struct code_name name;

	if (s == NULL)
		return arena_printf(emu->arena, "unknown (%s%ssite %u)", what,
			comma, number);
	if (!look_up(emu, s, &name) || name.function == NULL)
		return *what == '\0' ? address_text(emu, s)
				     : arena_printf(emu->arena, "%s (%s)",
					       address_text(emu, s), what);
	function = function_of(emu, s, &name);
	if (name.file == NULL)
		return arena_printf(emu->arena, "%s (%s%s%s)", function, what,
			comma, address_text(emu, s));
	return arena_printf(emu->arena, "%s (%s%s%s:%d)", function, what, comma,
		name.file, name.line);
}

const char *
wait_task_label(struct emu *emu, uint32_t id, const char *label)
{
	const struct site *s = emu->wait == NULL ? NULL : site_of(emu, id);

	return s == NULL || s->module == NULL || label == NULL ||
			strcmp(address_text(emu, s), label) != 0
		? label
		: wait_site_text(emu, id, "task");
}

int64_t
wait_line(struct emu *emu, uint32_t number)
{
	struct site *s;

	wait_state(emu);
	s = site_of(emu, number);
	if (s == NULL)
		return wait_text(emu, LINE, wait_site_text(emu, number, ""));
	if (s->line == 0)
		s->line = wait_text(emu, LINE, wait_site_text(emu, number, ""));
	return s->line;
}

int64_t
wait_region_line(struct emu *emu, uint32_t number, const char *what)
{
	struct site *s = site_of(emu, number);

	if (s == NULL || s->region == 0) {
		int64_t value = wait_text(
			emu, REGION, wait_site_text(emu, number, what));

		if (s == NULL)
			return value;
		s->region = value;
	}
	return s->region;
}

/* The name is added to that of the thread's row. */
void
wait_define_name(struct emu *emu, const struct event *ev)
{
	int64_t tid = emu_arg(emu, 0);
	const char *name = bind_str(emu->binding, ev, 1);
	struct thread *th = tid == 0 ? emu->thread
				     : system_thread(emu->thread->process, tid);

	if (name == NULL)
		emu_finding(emu, FINDING_ERROR,
			"the name of thread %" PRId64 " has no end", tid);
	else if (th != NULL && th->has.row != ROW_NONE && *name != '\0')
		sink_rename(emu->sink, th->has.row,
			arena_printf(emu->arena, "%s %s", th->name, name));
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
	map_fini(&w->nlike);
	map_fini(&w->made);
	if (w->regions != NULL) {
		map_fini(&w->regions->live);
		map_fini(&w->regions->teams);
	}
}
