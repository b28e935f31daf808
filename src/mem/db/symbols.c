/* SPDX-License-Identifier: MIT */
#include "mem/db/symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"

#define ADDRESS_BITS 48
#define KEY_ROOM 512 /* bytes of most texts of code locations */

void
symbols_init(struct symbols *s, struct arena *a)
{
	*s = (struct symbols){ .arena = a };
	intern_init(&s->text, a);
}

int
symbols_add(struct symbols *s, const char *path, const uint8_t *build,
	uint32_t build_bytes)
{
	struct symbols_file *f;

	for (int i = 0; i < s->file.n; i++) {
		f = &s->file.at[i];
		if (strcmp(f->path, path) == 0 &&
			f->build_bytes == build_bytes &&
			memcmp(f->build, build, build_bytes) == 0)
			return i;
	}
	f = VEC_ADD(&s->file, s->arena);
	f->path = arena_strdup(s->arena, path);
	f->name = file_name(f->path);
	f->build_bytes = build_bytes;
	memcpy(f->build, build, build_bytes);
	return s->file.n - 1;
}

static bool
is_of_build(const struct symbols_file *f, const struct module *m)
{
	return m->build_bytes == f->build_bytes &&
		memcmp(m->build, f->build, f->build_bytes) == 0;
}

/* Finds the module of a structure file that stands for a file. */
static struct module *
find_spare(const struct symbols *s, const struct symbols_file *f)
{
	for (int i = 0; i < s->spare.list.n; i++) {
		struct module *m = s->spare.list.at[i];

		if (f->build_bytes > 0 ? is_of_build(f, m)
				       : strcmp(f->path, m->path) == 0)
			return m;
	}
	return NULL;
}

static void
open_module(struct symbols *s, struct symbols_file *f)
{
	struct err err = { 0 };
	struct module *m;

	if (f->path[0] != '/') {
		f->why = "not a file"; /* such as [vdso] */
		return;
	}
	m = module_open(s->arena, f->path, &err);
	if (m == NULL) {
		f->why = arena_strdup(s->arena, err.text);
	} else if (f->build_bytes > 0 && !is_of_build(f, m)) {
		f->why = "it is not the file that ran: its build id differs";
		module_close(m);
	} else {
		f->module = m;
		module_declare(m);
	}
}

struct module *
symbols_module(struct symbols *s, int file)
{
	struct symbols_file *f = &s->file.at[file];

	if (!f->tried) {
		f->tried = true;
		open_module(s, f);
		if (f->module == NULL)
			f->module = find_spare(s, f);
	}
	return f->module;
}

int
symbols_same(const struct symbols *s, int file)
{
	if (!s->by_name || file < 0)
		return file;
	for (int i = 0; i < file; i++)
		if (strcmp(s->file.at[i].name, s->file.at[file].name) == 0)
			return i;
	return file;
}

static const char *
own(struct symbols *s, const char *text)
{
	return text == NULL ? NULL
			    : intern_name(&s->text, intern_add(&s->text, text));
}

/* Makes the text that tells a location from others, in the buffer if it has
 * room, else in the arena. */
static const char *
key_of(struct arena *a, const struct code_location *p, char text[KEY_ROOM])
{
	const char *file = p->file == NULL ? "" : p->file;
	int n = snprintf(text, KEY_ROOM, "%d\n%s\n%s:%d:%d:%" PRIx64, p->module,
		p->function, file, p->line, p->is_inlined, p->call);

	if (n >= 0 && n < KEY_ROOM)
		return text;
	return arena_printf(a, "%d\n%s\n%s:%d:%d:%" PRIx64, p->module,
		p->function, file, p->line, p->is_inlined, p->call);
}

uint32_t
symbols_location(struct symbols *s, const struct code_location *p)
{
	char text[KEY_ROOM];
	uint64_t *number = map_put(
		&s->number, intern_add(&s->text, key_of(s->arena, p, text)));
	struct code_location *new;

	if (*number == 0) {
		new = VEC_ADD(&s->location, s->arena);
		*new = *p;
		new->function = own(s, p->function);
		new->file = own(s, p->file);
		*number = (uint64_t)s->location.n;
	}
	return (uint32_t)(*number - 1);
}

static struct code_location
nameless(const struct symbols *s, int file, uint64_t address)
{
	struct code_location p = { .module = symbols_same(s, file),
		.function = "(no module)" };

	if (file >= 0)
		p.function = arena_printf(s->arena, "%s+0x%" PRIx64,
			s->file.at[file].name, address);
	else if (address >> 63)
		p.function = "(kernel)";
	return p;
}

static struct code_locations
look_up(struct symbols *s, int file, uint64_t address)
{
	struct module *m = file < 0 ? NULL : symbols_module(s, file);
	struct frames f = { 0 };
	uint32_t *list;
	int n = 1;

	if (m != NULL) {
		f = module_code(m, address);
		n = f.n;
	}
	list = ARENA_ARRAY(s->arena, uint32_t, n);
	for (int i = 0; i < n; i++) {
		struct code_location p = nameless(s, file, address);

		if (m != NULL && f.at[i].function != NULL)
			p = (struct code_location){ .function =
							    f.at[i].function,
				.file = f.at[i].file,
				.line = f.at[i].line,
				.module = symbols_same(s, file),
				.is_named = true,
				.is_inlined = f.at[i].is_inlined };
		list[i] = symbols_location(s, &p);
		if (file >= 0) {
			s->file.at[file].asked++;
			s->file.at[file].unnamed += !p.is_named;
		}
	}
	return (struct code_locations){ list, n };
}

struct code_locations
symbols_code(struct symbols *s, int file, uint64_t address)
{
	uint64_t low = address & ((1ull << ADDRESS_BITS) - 1);
	uint64_t key = (uint64_t)(file + 1) << ADDRESS_BITS | low;
	struct code_locations *kept;
	uint64_t *slot;

	if (file < 0)
		key = address >> 63; /* one key for all kernel addresses, one
		                      * for all other addresses */
	if (file >= (1 << 16) - 2)
		return look_up(s, file, address);
	slot = map_get(&s->code, key);
	if (slot == NULL) {
		kept = ARENA_NEW(s->arena, struct code_locations);
		*kept = look_up(s, file, address);
		*map_put(&s->code, key) = (uint64_t)(uintptr_t)kept;
		return *kept;
	}
	kept = (struct code_locations *)(uintptr_t)*slot;
	return *kept;
}

struct code_locations
symbols_call(struct symbols *s, int file, uint64_t address)
{
	struct code_locations any = symbols_code(s, file, address), *kept;
	uint64_t *slot;
	uint32_t *list;

	if (file < 0 || file >= (1 << 16) - 2)
		return any;
	slot = map_put(&s->call,
		(uint64_t)(file + 1) << ADDRESS_BITS |
			(address & ((1ull << ADDRESS_BITS) - 1)));
	if (*slot != 0)
		return *(struct code_locations *)(uintptr_t)*slot;
	kept = ARENA_NEW(s->arena, struct code_locations);
	*slot = (uint64_t)(uintptr_t)kept;
	list = ARENA_ARRAY(s->arena, uint32_t, any.n);
	for (int i = 0; i < any.n; i++) {
		struct code_location p = s->location.at[any.at[i]];

		p.call = address;
		list[i] = symbols_location(s, &p);
	}
	*kept = (struct code_locations){ list, any.n };
	return *kept;
}

void
symbols_fini(struct symbols *s)
{
	for (int i = 0; i < s->file.n; i++)
		module_close(s->file.at[i].module);
	map_fini(&s->code);
	map_fini(&s->call);
	map_fini(&s->number);
}
