/* SPDX-License-Identifier: MIT */
#include "mem/db/symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/hash.h"

#define ADDRESS_BITS 48

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
	if (build_bytes > 0)
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
		f->is_static = f->module != NULL && module_is_static(f->module);
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

/* Returns a hash of what tells a location from others; its texts are interned,
 * so their addresses stand for them. */
static uint64_t
hash_of(const struct code_location *p)
{
	uint64_t hash = hash_mix((uint64_t)p->module, (uintptr_t)p->function);

	hash = hash_mix(hash, (uintptr_t)p->file);
	hash = hash_mix(hash, (uint64_t)p->line << 1 | p->is_inlined);
	return hash_mix(hash, p->call);
}

static bool
is_same(const struct code_location *a, const struct code_location *b)
{
	return a->function == b->function && a->file == b->file &&
		a->line == b->line && a->module == b->module &&
		a->is_inlined == b->is_inlined && a->call == b->call;
}

uint32_t
symbols_location(struct symbols *s, const struct code_location *p)
{
	struct code_location wanted = *p;
	uint64_t hash, *number;

	wanted.function = own(s, p->function);
	/* an empty name is an unknown file */
	wanted.file =
		p->file == NULL || *p->file == '\0' ? NULL : own(s, p->file);
	hash = hash_of(&wanted);
	/* of different locations with one hash, one gets the next hash */
	for (number = map_put(&s->number, hash); *number != 0;
		number = map_put(&s->number, ++hash))
		if (is_same(&s->location.at[*number - 1], &wanted))
			return (uint32_t)(*number - 1);
	VEC_PUSH(&s->location, s->arena, wanted);
	*number = (uint64_t)s->location.n;
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

/* What is known of an address. Most have one location, which is inside. */
struct code_entry {
	struct code_locations code, call; /* n == 0: not looked up yet */
	uint32_t one_code, one_call;
};

static struct code_location
named(const struct symbols *s, int file, const struct frame *f)
{
	return (struct code_location){ .function = f->function,
		.file = f->file,
		.line = f->line,
		.module = symbols_same(s, file),
		.is_named = true,
		.is_inlined = f->is_inlined };
}

static void
look_up(struct symbols *s, int file, uint64_t address, struct code_entry *e)
{
	struct module *m = file < 0 ? NULL : symbols_module(s, file);
	struct frames f = { .n = 1 };
	uint32_t *list = &e->one_code;

	if (m != NULL)
		f = module_code(m, address);
	if (f.n > 1)
		list = ARENA_ARRAY(s->arena, uint32_t, f.n);
	for (int i = 0; i < f.n; i++) {
		bool is_named = m != NULL && f.at[i].function != NULL;
		struct code_location p = is_named ? named(s, file, &f.at[i])
						  : nameless(s, file, address);

		list[i] = symbols_location(s, &p);
		if (file >= 0) {
			s->file.at[file].asked++;
			s->file.at[file].unnamed += !is_named;
		}
	}
	e->code = (struct code_locations){ list, f.n };
}

/* Returns what is known of an address, or a new entry. */
static struct code_entry *
entry_of(struct symbols *s, int file, uint64_t address)
{
	uint64_t low = address & ((1ull << ADDRESS_BITS) - 1);
	uint64_t key = (uint64_t)(file + 1) << ADDRESS_BITS | low;
	uint64_t *slot;

	if (file >= (1 << 16) - 2)
		return ARENA_NEW(s->arena, struct code_entry);
	if (file < 0)
		key = address >> 63; /* one key for all kernel addresses, one
		                      * for all other addresses */
	slot = map_put(&s->code, key);
	if (*slot == 0)
		*slot = (uint64_t)(uintptr_t)ARENA_NEW(
			s->arena, struct code_entry);
	return (struct code_entry *)(uintptr_t)*slot;
}

/* Looks the calls up for the locations of the entry's code. */
static void
look_up_calls(
	struct symbols *s, int file, uint64_t address, struct code_entry *e)
{
	const struct module *m = symbols_module(s, file);
	uint64_t call = m == NULL ? address : module_call(m, address);
	uint32_t *list = e->code.n == 1
		? &e->one_call
		: ARENA_ARRAY(s->arena, uint32_t, e->code.n);

	for (int i = 0; i < e->code.n; i++) {
		struct code_location p = s->location.at[e->code.at[i]];

		p.call = call;
		list[i] = symbols_location(s, &p);
	}
	e->call = (struct code_locations){ list, e->code.n };
}

struct code_locations
symbols_code(struct symbols *s, int file, uint64_t address)
{
	struct code_entry *e = entry_of(s, file, address);

	if (e->code.n == 0)
		look_up(s, file, address, e);
	return e->code;
}

struct code_locations
symbols_call(struct symbols *s, int file, uint64_t address)
{
	struct code_entry *e = entry_of(s, file, address);

	if (e->code.n == 0)
		look_up(s, file, address, e);
	if (file < 0 || file >= (1 << 16) - 2)
		return e->code;
	if (e->call.n == 0)
		look_up_calls(s, file, address, e);
	return e->call;
}

void
symbols_fini(struct symbols *s)
{
	for (int i = 0; i < s->file.n; i++)
		module_close(s->file.at[i].module);
	map_fini(&s->code);
	map_fini(&s->number);
}
