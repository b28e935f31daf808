/* SPDX-License-Identifier: MIT */
#include "mem/db/owner.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/arena.h"
#include "mem/db/owner_frame.h"

/* The description of a row, which may already exist. */
struct wanted {
	enum variable_kind kind;
	const char *name;
	struct code_location
		location; /* if it has no function, the row has only a name */
	uint32_t parent;  /* parent node of a row that is not a block */
	uint32_t node;    /* for a block: the node of its allocation */
	uint64_t bytes;
};

/* Makes the node of a row that is no block; *number receives its name as a
 * location. */
static uint32_t
place_row(struct profile *p, const struct wanted *w, uint32_t *number)
{
	struct code_location location = w->location;

	location.function = w->name;
	*number = symbols_location(&p->symbols, &location);
	return tree_child(p, w->parent,
		w->location.is_named ? NODE_VARIABLE : NODE_UNKNOWN, *number);
}

/* Returns true if the node stands for the wanted row already. */
static bool
is_row_of(const struct profile *p, uint32_t node, const struct wanted *w)
{
	uint32_t variable = p->node.at[node].variable;
	const struct variable_row *v;

	if (variable == 0)
		return false;
	v = &p->variable.at[variable - 1];
	return v->kind == w->kind && w->bytes <= v->bytes &&
		strcmp(v->name, w->name) == 0;
}

static struct owner
add_row(struct profile *p, const struct wanted *w)
{
	uint32_t chain[OWNER_CHAIN] = { 0 };
	struct owner_name name = {
		.kind = w->kind, .name = w->name, .chain = chain
	};
	struct owner o = { .node = w->node };
	struct variable_row *v;

	if (w->node == 0)
		o.node = place_row(p, w, &name.location);
	if (is_row_of(p, o.node, w)) {
		o.variable = p->node.at[o.node].variable - 1;
		return o;
	}
	if (w->node != 0) {
		name.nchain = owner_chain(p, w->node, chain);
		name.location = chain[0];
	}
	o.variable = owner_variable(p, &name);
	v = &p->variable.at[o.variable];
	if (w->bytes > v->bytes)
		v->bytes = w->bytes;
	p->node.at[o.node].variable = o.variable + 1;
	if (w->node != 0)
		p->node.at[o.node].kind |= NODE_ALLOCATION;
	else
		p->node.at[o.node].bytes = v->bytes;
	return o;
}

/* Returns a row that has nothing but a name. */
static struct owner
add_plain(struct profile *p, enum variable_kind kind, uint32_t parent,
	const char *name)
{
	struct wanted w = { .kind = kind,
		.name = name,
		.parent = parent,
		.location.module = -1 };

	return add_row(p, &w);
}

static enum variable_kind
block_kind(uint32_t kind)
{
	switch (kind) {
	case MEM_OBJECT_MAP:
		return VARIABLE_MAP;
	case MEM_OBJECT_BREAK:
		return VARIABLE_BREAK;
	case MEM_OBJECT_POOL:
		return VARIABLE_POOL;
	default:
		return VARIABLE_HEAP;
	}
}

/* Encodes an owner as a number. The result is never 0, because no node has
 * number 0. */
static uint64_t
keep(struct owner o)
{
	return (uint64_t)o.variable << 32 | o.node;
}

static struct owner
kept(uint64_t value)
{
	return (struct owner){ (uint32_t)(value >> 32), (uint32_t)value };
}

/* Returns the row of a path's blocks, or of those blocks that have this
 * name. */
static struct owner
make_block(struct charge *c, uint32_t path, uint32_t kind, const char *name)
{
	struct profile *p = c->profile;
	struct wanted w = { .kind = block_kind(kind), .location.module = -1 };

	w.node = tree_path(c, p->dynamic, path);
	if (w.node == p->dynamic) {
		struct code_location early = {
			.function = "<allocated before the start>", .module = -1
		};

		w.node = tree_child(p, p->dynamic, NODE_FRAME,
			symbols_location(&p->symbols, &early));
	}
	w.name = name != NULL ? name : "";
	return add_row(p, &w);
}

/* Does the same, and keeps the row of unnamed blocks of a path. */
static struct owner
add_block(struct charge *c, uint32_t path, uint32_t kind, const char *name)
{
	struct image_path *known = image_path(c->image, path);
	struct owner owner;

	if (known == NULL || name != NULL)
		return make_block(c, path, kind, name);
	if (known->owner != 0 && known->kind == kind) {
		owner = kept(known->owner);
		c->profile->node.at[owner.node].variable = owner.variable + 1;
		return owner;
	}
	owner = make_block(c, path, kind, NULL);
	known->owner = keep(owner);
	known->kind = kind;
	return owner;
}

static struct owner
unknown(struct profile *p)
{
	return add_plain(p, VARIABLE_UNKNOWN, p->other,
		"(an address that belongs to nothing)");
}

static struct owner
object_owner(struct charge *c, const struct mem_sample *s)
{
	struct image_object *o = image_object(c->image, s->ref);
	struct owner owner;

	if (o == NULL) {
		c->profile->unresolved++;
		return unknown(c->profile);
	}
	if (o->owner != 0)
		return kept(o->owner);
	owner = add_block(c, o->record->path, o->record->kind, o->name);
	if (o->name != NULL) { /* sites count all blocks, including named
		                * ones */
		struct variable_row *v =
			&c->profile->variable.at[owner.variable];

		v->bytes += o->record->size;
		v->blocks++;
	}
	o->owner = keep(owner);
	return owner;
}

/* Returns the row of a small block: the row of the block that it resembles.
 * Only the other block has the name. */
static struct owner
like_owner(struct charge *c, const struct mem_sample *s)
{
	const struct mem_object *o = image_object(c->image, s->ref)->record;

	return add_block(c, o->path, o->kind, NULL);
}

/* Returns the name of a stack, or of thread-local data. */
static const char *
thread_text(const struct profile *p, const struct mem_thread *t,
	const char *what, uint32_t tid)
{
	if (t != NULL && t->is_main)
		return arena_printf(p->arena, "main thread's %s", what);
	if (p->is_merged)
		return arena_printf(p->arena, "%s of threads %.16s", what,
			t == NULL ? "?" : t->name);
	if (t == NULL)
		return arena_printf(
			p->arena, "%s of thread %" PRIu32, what, tid);
	return arena_printf(p->arena, "%s of thread %" PRIu32 " (%.16s)", what,
		tid, t->name);
}

static struct owner
thread_owner(
	struct charge *c, const struct mem_sample *s, enum variable_kind kind)
{
	struct profile *p = c->profile;
	const struct mem_thread *t = image_thread(c->image, (int32_t)s->ref);
	bool is_stack = kind == VARIABLE_STACK;
	uint32_t parent = is_stack ? p->stack : p->other;
	const char *name = thread_text(
		p, t, is_stack ? "stack" : "thread-local data", s->ref);

	return add_plain(p, kind, parent, name);
}

/* Returns the row of a position in a stack frame, or that of the stack. */
static struct owner
frame_owner(struct charge *c, const struct mem_sample *s)
{
	struct profile *p = c->profile;
	struct frame_owner o = owner_in_frame(c, s);
	struct wanted w = {
		.kind = o.kind, .parent = p->stack, .location.module = -1
	};

	if (o.kind == VARIABLE_STACK)
		return thread_owner(c, s, VARIABLE_STACK);
	w.location.module = symbols_same(&p->symbols, o.file);
	if (o.local != NULL) {
		w.name = arena_printf(
			p->arena, "%s in %s", o.local->name, o.function);
		w.location.file = o.local->file;
		w.location.line = o.local->line;
		w.location.is_named = true;
		w.bytes = o.local->size;
	} else {
		w.name = arena_printf(p->arena,
			o.kind == VARIABLE_RETURN
				? "return address of %s"
				: "spilled and temporary values of %s",
			o.function);
	}
	return add_row(p, &w);
}

static struct owner
add_variable(struct charge *c, enum variable_kind kind, int file,
	const struct variable *v)
{
	struct profile *p = c->profile;
	struct wanted w = { .kind = kind,
		.name = v->name,
		.location = { .file = v->file,
			.line = v->line,
			.module = symbols_same(&p->symbols, file),
			.is_named = true },
		.parent = p->fixed,
		.bytes = v->size };

	return add_row(p, &w);
}

/* Returns the row of a variable, made once. */
static struct owner
variable_owner(struct charge *c, enum variable_kind kind, int file,
	const struct variable *v)
{
	struct profile *p = c->profile;
	uint64_t *slot = map_get(&p->owners, (uint64_t)(uintptr_t)v);
	struct owner owner;

	if (slot != NULL)
		return kept(*slot);
	owner = add_variable(c, kind, file, v);
	*map_put(&p->owners, (uint64_t)(uintptr_t)v) = keep(owner);
	return owner;
}

static struct owner
add_section(struct charge *c, int file, uint64_t address)
{
	struct profile *p = c->profile;
	struct module *m = symbols_module(&p->symbols, file);
	const char *section =
		m == NULL ? NULL : module_section_name(m, address);

	return add_plain(p, VARIABLE_SECTION, p->other,
		arena_printf(p->arena, "%s of %s",
			section == NULL ? "data" : section,
			p->symbols.file.at[file].name));
}

/* Returns the row of a static variable, or else of the section. */
static struct owner
module_owner(struct charge *c, const struct mem_sample *s)
{
	const struct image_module *at = image_module(c->image, s->ref);
	struct profile *p = c->profile;
	const struct variable *v = NULL;
	struct module *m;
	uint64_t address;
	int file;

	if (at == NULL) {
		p->unresolved++;
		return unknown(p);
	}
	file = symbols_add(&p->symbols, at->path, at->record->build,
		at->record->build_bytes);
	m = symbols_module(&p->symbols, file);
	address = s->address - at->record->bias;
	if (m != NULL)
		v = module_variable(m, address);
	if (v == NULL || v->size < p->min_bytes)
		return add_section(c, file, address);
	return variable_owner(c, VARIABLE_STATIC, file, v);
}

/* Returns the row of a thread-local variable, which is shared by all threads,
 * or else of the thread's whole thread-local data. */
static struct owner
local_owner(struct charge *c, const struct mem_sample *s)
{
	const struct mem_thread *t = image_thread(c->image, (int32_t)s->ref);
	struct symbols *symbols = &c->profile->symbols;

	for (int i = 0; t != NULL && i < c->image->module.n; i++) {
		const struct image_module *at = &c->image->module.at[i];
		uint64_t begin = t->pointer - at->record->tls_below;
		const struct variable *v = NULL;
		struct module *m;
		int file;

		if (t->pointer == 0 || at->record->tls_below == 0 ||
			s->address < begin || s->address >= t->pointer ||
			s->time >= at->gone)
			continue;
		file = symbols_add(symbols, at->path, at->record->build,
			at->record->build_bytes);
		m = symbols_module(symbols, file);
		if (m != NULL)
			v = module_local(m, s->address - begin);
		if (v != NULL)
			return variable_owner(c, VARIABLE_TLS, file, v);
	}
	return thread_owner(c, s, VARIABLE_TLS);
}

static struct owner
mapping_owner(struct charge *c, const struct mem_sample *s,
	enum variable_kind kind, const char *what)
{
	struct profile *p = c->profile;
	const struct image_region *r = image_region(c->image, s->ref);

	if (r == NULL || r->name[0] == '\0')
		return add_plain(p, kind, p->other, what);
	return add_plain(p, kind, p->other,
		arena_printf(p->arena, "%s %s", what, r->name));
}

static struct owner
nowhere(struct profile *p, const struct mem_sample *s)
{
	if (s->access == MEM_ACCESS_AMBIGUOUS || s->access == MEM_ACCESS_LOST)
		return add_plain(p, VARIABLE_UNSURE, p->other,
			"(an access whose address is not known)");
	return add_plain(p, VARIABLE_NONE, p->other, "(no access to memory)");
}

/* If the block is thread-local storage, returns the variable in it, else
 * NULL. */
static const struct variable *
local_in_object(struct charge *c, const struct mem_sample *s, int *file)
{
	const struct image_object *o = image_object(c->image, s->ref);
	const struct mem_local *l = NULL;
	const struct image_module *at;
	struct module *m;

	for (int i = 0; o != NULL && i < c->image->local.n && l == NULL; i++) {
		const struct mem_local *one = c->image->local.at[i];

		if (one->lo - o->record->lo < o->record->size &&
			one->time >= o->record->born)
			l = one;
	}
	at = l == NULL ? NULL : image_module(c->image, l->module);
	if (at == NULL)
		return NULL;
	*file = symbols_add(&c->profile->symbols, at->path, at->record->build,
		at->record->build_bytes);
	m = symbols_module(&c->profile->symbols, *file);
	return m == NULL ? NULL : module_local(m, s->address - l->lo);
}

/* Finds the row by kind of memory and number, not by address. */
static struct owner
find_owner(struct charge *c, const struct mem_sample *s)
{
	struct profile *p = c->profile;

	switch (s->area) {
	case MEM_AREA_NONE:
		return nowhere(p, s);
	case MEM_AREA_STACK:
		return thread_owner(c, s, VARIABLE_STACK);
	case MEM_AREA_SMALL:
	case MEM_AREA_MIXED:
		if (image_object(c->image, s->ref) != NULL)
			return like_owner(c, s);
		return add_plain(p, VARIABLE_SMALL, p->other,
			"heap blocks that are too small to be tracked");
	case MEM_AREA_ANON:
		return mapping_owner(c, s, VARIABLE_ANON, "anonymous memory");
	case MEM_AREA_FILE:
		return mapping_owner(c, s, VARIABLE_FILE, "mapped file");
	case MEM_AREA_SHARED:
		return mapping_owner(c, s, VARIABLE_SHARED, "shared memory");
	case MEM_AREA_VDSO:
		return add_plain(p, VARIABLE_VDSO, p->other, "vdso");
	case MEM_AREA_KERNEL:
		return add_plain(p, VARIABLE_KERNEL, p->other, "kernel");
	case MEM_AREA_TOOL:
		return add_plain(
			p, VARIABLE_TOOL, p->other, "the recorder's own");
	default:
		return unknown(p);
	}
}

struct owner
owner_of(struct charge *c, const struct mem_sample *s)
{
	struct profile *p = c->profile;
	uint64_t access = s->area == MEM_AREA_NONE ? s->access : 0;
	uint64_t key =
		1ull << 63 | access << 40 | (uint64_t)s->area << 32 | s->ref;
	struct owner owner;
	uint64_t *slot;

	if (s->area == MEM_AREA_MODULE)
		return module_owner(c, s);
	if (s->area == MEM_AREA_TLS)
		return local_owner(c, s);
	if (s->area == MEM_AREA_STACK && c->image->frame != NULL)
		return frame_owner(c, s);
	if (s->area == MEM_AREA_OBJECT && c->image->local.n > 0) {
		const struct variable *v;
		int file = -1;

		v = local_in_object(c, s, &file);
		if (v != NULL)
			return variable_owner(c, VARIABLE_TLS, file, v);
	}
	if (s->area == MEM_AREA_OBJECT || s->area == MEM_AREA_FREED)
		return object_owner(c, s);
	slot = map_get(&p->owners, key);
	if (slot != NULL)
		return kept(*slot);
	owner = find_owner(c, s);
	*map_put(&p->owners, key) = keep(owner);
	return owner;
}

struct owner
owner_of_path(struct charge *c, uint32_t path, uint32_t kind)
{
	return add_block(c, path, kind, NULL);
}
