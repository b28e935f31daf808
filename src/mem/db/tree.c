/* SPDX-License-Identifier: MIT */
#include "mem/db/tree.h"

#include <string.h>

#include "base/arena.h"
#include "base/hash.h"

/* The key of the map of children has 28 bits each for nodes and locations. */
#define NODES_MOST (1u << 28)
#define FIRST_NODES 256
#define FEW 6 /* children that are compared one by one; more are in a map */
#define WORDS (1 + 2 * MEM_PATH_MAX)

uint32_t
tree_placeholder(struct profile *p, const char *name)
{
	return symbols_location(&p->symbols,
		&(struct code_location){ .function = name, .module = -1 });
}

/* Nodes move as they are added, into a block of their own: an arena would keep
 * all former ones. */
static uint32_t
add_node(struct profile *p, uint32_t parent, uint32_t kind, uint32_t location)
{
	uint32_t number = (uint32_t)p->node.n;
	struct node *n;

	if (p->node.n == p->node.cap) {
		p->node.cap = p->node.cap == 0 ? FIRST_NODES : 2 * p->node.cap;
		p->node.at = mem_resize(
			p->node.at, (size_t)p->node.cap, sizeof *p->node.at);
	}
	n = &p->node.at[p->node.n++];
	*n = (struct node){
		.parent = parent, .kind = kind, .location = location
	};
	if (number != 0) {
		n->next = p->node.at[parent].child;
		p->node.at[parent].child = number;
	}
	return number;
}

/* Maps the kinds that distinguish children to small numbers. */
static uint64_t
kind_number(uint32_t kind)
{
	return kind == NODE_FRAME ? 0 : 1u + (uint32_t)__builtin_ctz(kind);
}

static uint64_t *
child_slot(struct profile *p, uint32_t parent, uint32_t kind, uint32_t location)
{
	return map_put(&p->children,
		(uint64_t)parent << 35 | (uint64_t)location << 4 |
			kind_number(kind));
}

/* Returns the kind by which a node was made. */
static uint32_t
first_kind(uint32_t kind)
{
	/* Nodes become leaves and allocations when they are charged. */
	return kind & ~(uint32_t)(NODE_LEAF | NODE_ALLOCATION);
}

/* Puts all children of a node into the map. */
static void
index_children(struct profile *p, uint32_t parent)
{
	p->node.at[parent].is_wide = true;
	for (uint32_t c = p->node.at[parent].child; c != 0;
		c = p->node.at[c].next) {
		const struct node *n = &p->node.at[c];

		*child_slot(p, parent, first_kind(n->kind), n->location) = c;
	}
}

/* Returns the child among the few that a node has, or 0; *n receives how many
 * it has. */
static uint32_t
few_children(const struct profile *p, uint32_t parent, uint32_t kind,
	uint32_t location, int *n)
{
	*n = 0;
	for (uint32_t c = p->node.at[parent].child; c != 0;
		c = p->node.at[c].next, ++*n)
		if (p->node.at[c].location == location &&
			first_kind(p->node.at[c].kind) == kind)
			return c;
	return 0;
}

uint32_t
tree_child(struct profile *p, uint32_t parent, uint32_t kind, uint32_t location)
{
	uint32_t node;
	int n = FEW;

	node = p->node.at[parent].is_wide
		? (uint32_t)*child_slot(p, parent, kind, location)
		: few_children(p, parent, kind, location, &n);
	if (node != 0 || p->node.n >= (int)NODES_MOST)
		return node != 0 ? node : parent;
	node = add_node(p, parent, kind, location);
	if (p->node.at[parent].is_wide)
		*child_slot(p, parent, kind, location) = node;
	else if (n >= FEW)
		index_children(p, parent);
	return node;
}

struct cost *
tree_cost(struct profile *p, uint32_t node)
{
	struct node *n = &p->node.at[node];

	if (n->own == NULL)
		n->own = ARENA_ARRAY(p->arena, struct cost, p->event_room);
	return n->own;
}

void
tree_add_up(struct profile *p)
{
	size_t events = (size_t)p->n_events, nodes = (size_t)p->node.n;
	struct cost *all = ARENA_ARRAY(p->arena, struct cost, nodes * events);
	struct cost *none = ARENA_ARRAY(p->arena, struct cost, events);

	for (size_t i = 0; i < nodes; i++) {
		struct node *n = &p->node.at[i];

		n->all = all + i * events;
		if (n->own == NULL)
			n->own = none;
	}
	/* Parents have lower indexes than their children. */
	for (int i = p->node.n - 1; i > 0; i--) {
		struct node *n = &p->node.at[i];
		struct node *up = &p->node.at[n->parent];

		for (int e = 0; e < p->n_events; e++) {
			cost_add(&n->all[e], &n->own[e]);
			if (n->parent != 0 && node_adds_up(n->kind))
				cost_add(&up->all[e], &n->all[e]);
		}
	}
}

uint32_t
tree_again(struct profile *p, uint32_t parent, uint32_t kind, uint32_t location)
{
	return tree_child(p, parent, first_kind(kind), location);
}

void
tree_roots(struct profile *p)
{
	add_node(p, 0, 0, 0); /* node 0 stands for none */
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

/* Puts what a path consists of into words: flags, then file and address in the
 * file of each frame. Returns how many. */
static int
words_of(struct charge *c, const struct mem_path *path, uint64_t word[WORDS])
{
	int n = 0;

	word[n++] = path->flags & MEM_PATH_CUT;
	for (uint32_t i = 0; i < path->n && i < MEM_PATH_MAX; i++) {
		uint64_t address = path->address[i] - 1;
		int module = image_module_at(c->image, address, path->epoch);
		int file = file_of(c, module);

		word[n++] = (uint32_t)(file + 1);
		word[n++] = module < 0
			? address
			: address - c->image->module.at[module].record->bias;
	}
	return n;
}

static uint64_t
hash_of(const uint64_t *word, int n)
{
	uint64_t hash = (uint64_t)n;

	for (int i = 0; i < n; i++)
		hash = hash_mix(hash, word[i]);
	return hash;
}

/* Returns the number of a path that consists of these words, the same in all
 * images. */
static uint32_t
content_number(struct profile *p, const uint64_t *word, int n)
{
	size_t bytes = (size_t)n * sizeof *word;
	uint64_t hash = hash_of(word, n), *slot;

	/* of different paths with one hash, one gets the next hash */
	for (;; hash++) {
		const struct profile_path *known;

		slot = map_put(&p->contents, hash);
		if (*slot == 0)
			break;
		known = &p->path.at[*slot - 1];
		if (known->n == n && memcmp(known->word, word, bytes) == 0)
			return (uint32_t)*slot;
	}
	VEC_PUSH(&p->path, p->arena,
		((struct profile_path){
			memcpy(arena_alloc(p->arena, bytes), word, bytes),
			n }));
	*slot = (uint64_t)p->path.n;
	return (uint32_t)p->path.n;
}

/* Returns the number of all paths whose record is missing. */
static uint32_t
missing_number(struct profile *p)
{
	static const uint64_t word = UINT64_MAX;

	return content_number(p, &word, 1);
}

uint32_t
tree_number(struct charge *c, uint32_t path)
{
	struct image_path *known =
		path == 0 ? NULL : image_path(c->image, path);
	uint64_t word[WORDS]; /* no initializer: most of it is not used */

	if (path == 0)
		return 0;
	if (known == NULL)
		return missing_number(c->profile);
	if (known->number == 0)
		known->number = content_number(
			c->profile, word, words_of(c, known->record, word));
	return known->number;
}

/* Does what tree_path() does, with the path's number from tree_number(). */
static uint32_t
numbered_path(struct charge *c, uint32_t parent, uint32_t number, uint32_t path)
{
	struct profile *p = c->profile;
	const struct image_path *known;
	uint64_t key = (uint64_t)parent << 32 | number;
	uint64_t *slot;
	uint32_t node;

	if (number == 0)
		return parent;
	slot = map_put(&p->walked, key);
	if (*slot != 0)
		return (uint32_t)*slot;
	known = image_path(c->image, path);
	node = known != NULL
		? walk_path(c, parent, known->record)
		: tree_child(p, parent, NODE_FRAME,
			  tree_placeholder(p, "<call path is damaged>"));
	*slot = node;
	return node;
}

uint32_t
tree_path(struct charge *c, uint32_t parent, uint32_t path)
{
	return numbered_path(c, parent, tree_number(c, path), path);
}

struct tree_sample
tree_sample(struct charge *c, const struct mem_sample *s)
{
	const struct image_path *path = image_path(c->image, s->path);
	int module = path != NULL
		? image_module_at(c->image, s->ip, path->record->epoch)
		: image_module_then(c->image, s->ip, s->time);

	if (path == NULL && s->path != 0)
		c->profile->unresolved++;
	return (struct tree_sample){ .path = s->path,
		.number = tree_number(c, s->path),
		.locations = code_at(c, s->ip, module) };
}

uint32_t
tree_code(struct charge *c, uint32_t parent, const struct tree_sample *s)
{
	struct profile *p = c->profile;
	struct node *top = &p->node.at[parent];
	uint32_t node = top->code_node, location = s->locations.at[0];

	if (node != 0 && top->code_path == s->number && s->locations.n == 1 &&
		top->code_location == location)
		return node;
	node = numbered_path(c, parent, s->number, s->path);
	node = add_places(p, node, s->locations);
	p->node.at[node].kind |= NODE_LEAF;
	top = &p->node.at[parent]; /* nodes may have moved */
	top->code_path = s->number;
	top->code_location = location;
	top->code_node = s->locations.n == 1 ? node : 0;
	return node;
}

uint32_t
tree_access(struct profile *p, uint32_t node)
{
	if (p->node.at[node].access == 0) {
		uint32_t child = tree_child(p, node, NODE_ACCESS, p->access);

		p->node.at[node].access = child;
	}
	return p->node.at[node].access;
}
