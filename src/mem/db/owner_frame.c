/* SPDX-License-Identifier: MIT */
#include "mem/db/owner_frame.h"

#include "base/arena.h"

#define ADDRESS_BITS 48
#define WORD 8 /* bytes of a return address */

/* The function of a frame at one of its instructions. */
struct function {
	struct module *module;
	int file;
	uint64_t address; /* in the file */
};

static bool
find_function(struct charge *c, const struct mem_sample *s, uint64_t ip,
	struct function *to)
{
	const struct image_path *path = image_path(c->image, s->path);
	int n = path != NULL
		? image_module_at(c->image, ip, path->record->epoch)
		: image_module_then(c->image, ip, s->time);
	const struct image_module *at;

	if (n < 0)
		return false;
	at = &c->image->module.at[n];
	to->file = symbols_add(&c->profile->symbols, at->path,
		at->record->build, at->record->build_bytes);
	to->module = symbols_module(&c->profile->symbols, to->file);
	to->address = ip - at->record->bias;
	return to->module != NULL && to->module->has_lines;
}

/* Returns the variables in the frame of a function; each address is looked up
 * once. */
static const struct locals *
locals_of(struct profile *p, const struct function *f)
{
	uint64_t low = f->address & ((1ull << ADDRESS_BITS) - 1);
	uint64_t *slot = map_put(
		&p->locals, (uint64_t)(f->file + 1) << ADDRESS_BITS | low);
	struct locals *kept;

	if (*slot == 0) {
		kept = ARENA_NEW(p->arena, struct locals);
		*kept = module_locals(f->module, f->address);
		*slot = (uint64_t)(uintptr_t)kept;
	}
	return (const struct locals *)(uintptr_t)*slot;
}

static const char *
function_name(const struct function *f)
{
	struct frames frames = module_code(f->module, f->address);
	const char *name = frames.at[frames.n - 1].function;

	return name == NULL ? "?" : name;
}

struct frame_owner
owner_in_frame(struct charge *c, const struct mem_sample *s)
{
	const struct mem_frame *f = c->image->frame;
	struct frame_owner o = { .kind = VARIABLE_STACK, .file = -1 };
	struct function of, inner;

	if (f == NULL || !find_function(c, s, f->ip, &of))
		return o;
	o.file = of.file;
	o.local = locals_at(locals_of(c->profile, &of), f->offset);
	if (o.local != NULL) {
		o.kind = VARIABLE_LOCAL;
		o.function = o.local->function;
		return o;
	}
	if (f->inner != 0 && f->inner_offset >= 0 &&
		find_function(c, s, f->inner, &inner))
		o.local = locals_at(
			locals_of(c->profile, &inner), f->inner_offset);
	if (o.local != NULL) {
		o.kind = VARIABLE_ARGUMENT;
		o.file = inner.file;
		o.function = o.local->function;
		return o;
	}
	o.function = function_name(&of);
	o.kind = f->offset >= -WORD ? VARIABLE_RETURN : VARIABLE_SPILL;
	return o;
}
