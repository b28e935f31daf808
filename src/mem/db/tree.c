/* SPDX-License-Identifier: MIT */
#include "mem/db/tree.h"

#include "base/arena.h"

/* The key of the map of children has 28 bits each for nodes and locations. */
#define NODES_MOST (1u << 28)

uint32_t
tree_placeholder(struct profile *p, const char *name)
{
	return symbols_location(&p->symbols,
		&(struct code_location){ .function = name, .module = -1 });
}

static uint32_t
add_node(struct profile *p, uint32_t parent, uint32_t kind, uint32_t location)
{
	uint32_t number = (uint32_t)p->node.n;
	struct node *n = VEC_ADD(&p->node, p->arena);

	n->parent = parent;
	n->kind = kind;
	n->location = location;
	n->own = ARENA_ARRAY(p->arena, struct cost, p->event_room);
	n->all = ARENA_ARRAY(p->arena, struct cost, p->event_room);
	n->next = p->node.at[parent].child;
	p->node.at[parent].child = number;
	return number;
}

/* Maps the kinds that distinguish children to small numbers. */
static uint64_t
kind_number(uint32_t kind)
{
	return kind == NODE_FRAME ? 0 : 1u + (uint32_t)__builtin_ctz(kind);
}

uint32_t
tree_child(struct profile *p, uint32_t parent, uint32_t kind, uint32_t location)
{
	uint64_t key = (uint64_t)parent << 35 | (uint64_t)location << 4 |
		kind_number(kind);
	uint64_t *slot = map_put(&p->children, key);
	uint32_t node;

	if (*slot != 0 || p->node.n >= (int)NODES_MOST)
		return *slot != 0 ? (uint32_t)*slot : parent;
	node = add_node(p, parent, kind, location);
	*map_put(&p->children, key) = node;
	return node;
}

uint32_t
tree_again(struct profile *p, uint32_t parent, uint32_t kind, uint32_t location)
{
	/* Nodes become leaves and allocations when they are charged. */
	return tree_child(p, parent,
		kind & ~(uint32_t)(NODE_LEAF | NODE_ALLOCATION), location);
}

void
tree_roots(struct profile *p)
{
	VEC_ADD(&p->node, p->arena); /* node 0 stands for none */
	p->node.at[0].own = ARENA_ARRAY(p->arena, struct cost, p->event_room);
	p->node.at[0].all = ARENA_ARRAY(p->arena, struct cost, p->event_room);
	p->program =
		tree_child(p, 0, NODE_ROOT, tree_placeholder(p, "<program>"));
	p->data = tree_child(
		p, 0, NODE_ROOT, tree_placeholder(p, "<datacentric>"));
	p->access = tree_placeholder(p, "<memory access>");
	p->dynamic = tree_child(p, p->data, NODE_FRAME,
		tree_placeholder(p, "<dynamic variable>"));
	p->fixed = tree_child(p, p->data, NODE_FRAME,
		tree_placeholder(p, "<static variable>"));
	p->stack = tree_child(
		p, p->data, NODE_FRAME, tree_placeholder(p, "<stack>"));
	p->other = tree_child(p, p->data, NODE_UNKNOWN,
		tree_placeholder(p, "<unknown attribute>"));
}

/* Returns the file of a module of the image. */
static int
file_of(struct charge *c, int module)
{
	struct image_module *m;

	if (module < 0)
		return -1;
	m = &c->image->module.at[module];
	if (m->file == 0)
		m->file = symbols_add(&c->profile->symbols, m->path,
				  m->record->build, m->record->build_bytes) +
			1;
	return m->file - 1;
}

static struct code_locations
code_at(struct charge *c, uint64_t address, int module)
{
	uint64_t bias =
		module < 0 ? 0 : c->image->module.at[module].record->bias;

	return symbols_code(
		&c->profile->symbols, file_of(c, module), address - bias);
}

/* Returns the locations of a call in an allocation's path, where each call is a
 * location of its own. */
static struct code_locations
call_at(struct charge *c, uint64_t address, int module)
{
	uint64_t bias =
		module < 0 ? 0 : c->image->module.at[module].record->bias;

	return symbols_call(
		&c->profile->symbols, file_of(c, module), address - bias);
}

/* Adds the outer frames first, then the inner ones below them. */
static uint32_t
add_places(struct profile *p, uint32_t node, struct code_locations locations)
{
	for (int i = locations.n - 1; i >= 0; i--)
		node = tree_child(p, node, NODE_FRAME, locations.at[i]);
	return node;
}

static uint32_t
walk_path(struct charge *c, uint32_t node, const struct mem_path *path)
{
	struct profile *p = c->profile;
	bool is_block = node == p->dynamic;

	if (path->flags & MEM_PATH_CUT)
		node = tree_child(p, node, NODE_FRAME,
			tree_placeholder(p, "<outer frames missing>"));
	for (uint32_t i = path->n; i-- > 0;) {
		/* The call instruction ends at the return address. */
		uint64_t address = path->address[i] - 1;
		int module = image_module_at(c->image, address, path->epoch);

		node = add_places(p, node,
			is_block ? call_at(c, address, module)
				 : code_at(c, address, module));
	}
	return node;
}

uint32_t
tree_path(struct charge *c, uint32_t parent, uint32_t number)
{
	struct profile *p = c->profile;
	const struct mem_path *path;
	uint64_t key = (uint64_t)parent << 32 | number;
	uint64_t *slot;
	uint32_t node;

	if (number == 0)
		return parent;
	slot = map_get(&p->paths, key);
	if (slot != NULL)
		return (uint32_t)*slot;
	path = image_path(c->image, number);
	if (path == NULL) {
		p->unresolved++;
		node = tree_child(p, parent, NODE_FRAME,
			tree_placeholder(p, "<call path is damaged>"));
	} else {
		node = walk_path(c, parent, path);
	}
	*map_put(&p->paths, key) = node;
	return node;
}

uint32_t
tree_code(struct charge *c, uint32_t parent, const struct mem_sample *s,
	struct code_locations *locations)
{
	const struct mem_path *path = image_path(c->image, s->path);
	uint32_t node = tree_path(c, parent, s->path);
	int module = path != NULL
		? image_module_at(c->image, s->ip, path->epoch)
		: image_module_then(c->image, s->ip, s->time);

	*locations = code_at(c, s->ip, module);
	node = add_places(c->profile, node, *locations);
	c->profile->node.at[node].kind |= NODE_LEAF;
	return node;
}
