/* SPDX-License-Identifier: MIT */
#include "inproc/collect/objects.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inproc/collect/build_id.h"
#include "inproc/collect/module_path.h"
#include "inproc/collect/put.h"
#include "inproc/collect/thread_memory.h"
#include "inproc/core/allocated.h"

enum {
	ROOM = 65536, /* a power of two */
	PROBES = 64,  /* after so many probes the table counts as full */
	MODULES = 1024,
	BUILD = 72, /* bytes of the text of a build id */
	NAME = 328, /* bytes of a module's build id and path that are kept */
	KIND_BITS = 8,
	KIND_MASK = (1 << KIND_BITS) - 1,
	INIT_PROBES = 8, /* places where the entry of an object may lie */
	INIT_BUSY = 1,   /* key of an entry that is being written */
};

/* A module that has code locations. */
struct module {
	uint64_t lo;      /* atomic: start of its mapping; 0: free */
	uint64_t defined; /* atomic: put_is_defined() */
	uint32_t state;   /* atomic: 0: not looked at; else MODULE_ bits */
};

enum { MODULE_KNOWN = 1, MODULE_QUIET = 2 };

/* In pages that a fork wipes. */
static struct tables {
	uint32_t waiting;
	uint32_t nfiles; /* atomic: at most half of the objects */
	struct object object[ROOM];
	uint64_t site[ROOM];    /* atomic: return address << 16 | number */
	uint64_t defined[ROOM]; /* atomic: by number; put_is_defined() */
	uint32_t nsites;        /* atomic */
	struct module module[MODULES];
} * tables;

/* Where an object was initialised. A child of fork keeps the table. */
static struct init {
	uint64_t key;       /* atomic: of the object; 0: free */
	const void *caller; /* atomic: return address of the call */
} * inits;

static uint32_t none;
uint32_t *objects_waiting = &none;

static void *
pages(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

void *
wiped_pages(size_t size)
{
	void *p = pages(size);

	if (p == NULL)
		return NULL;
	if (madvise(p, size, MADV_WIPEONFORK) != 0) {
		munmap(p, size);
		return NULL;
	}
	return p;
}

bool
objects_init(void)
{
	inits = pages(ROOM * sizeof *inits);
	tables = inits == NULL ? NULL : wiped_pages(sizeof *tables);
	if (tables != NULL)
		objects_waiting = &tables->waiting;
	return tables != NULL;
}

static uint64_t
key_of(const void *address, enum kind kind)
{
	return (uint64_t)(uintptr_t)address << KIND_BITS | kind;
}

static uint32_t
hash(uint64_t key)
{
	return (uint32_t)((key * 0x9e3779b97f4a7c15u) >> 48) % ROOM;
}

/* Returns true if the table has room for an object of the kind. Half of it is
 * kept for locks: a program may have any number of files. */
static bool
has_room(enum kind kind)
{
	return kind != KIND_FILE ||
		(__atomic_load_n(&tables->nfiles, __ATOMIC_RELAXED) <
				ROOM / 2 &&
			__atomic_add_fetch(
				&tables->nfiles, 1, __ATOMIC_RELAXED) != 0);
}

static struct object *
look(const void *address, enum kind kind, bool adds)
{
	uint64_t key = key_of(address, kind), was;
	uint32_t at = hash(key);

	for (int i = 0; i < PROBES; i++, at = (at + 1) % ROOM) {
		struct object *o = &tables->object[at];

		was = __atomic_load_n(&o->key, __ATOMIC_ACQUIRE);
		if (was == 0 && adds && has_room(kind))
			__atomic_compare_exchange_n(&o->key, &was, key, false,
				__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
		else if (was == 0)
			return NULL;
		if (was == key || was == 0)
			return o;
	}
	return NULL;
}

struct object *
object_at(const void *address, enum kind kind)
{
	return look(address, kind, true);
}

struct object *
object_find(const void *address, enum kind kind)
{
	return look(address, kind, false);
}

/* Returns the entry of the object; if there is none, a free one or NULL. */
static struct init *
init_of(uint64_t key)
{
	uint32_t at = hash(key);

	for (int i = 0; i < INIT_PROBES; i++, at = (at + 1) % ROOM) {
		struct init *e = &inits[at];
		uint64_t has = __atomic_load_n(&e->key, __ATOMIC_ACQUIRE);

		if (has == key || has == 0)
			return e;
	}
	return NULL;
}

/* Without a free entry, the first one is reused. */
void
object_begins(const void *address, enum kind kind, const void *caller)
{
	uint64_t key = key_of(address, kind), was;
	struct object *o = object_find(address, kind);
	struct init *e = init_of(key);

	if (o != NULL)
		__atomic_store_n(&o->defined, 0, __ATOMIC_RELEASE);
	if (e == NULL)
		e = &inits[hash(key)];
	was = __atomic_load_n(&e->key, __ATOMIC_RELAXED);
	if (was == INIT_BUSY ||
		!__atomic_compare_exchange_n(&e->key, &was, INIT_BUSY, false,
			__ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return;
	__atomic_store_n(&e->caller, caller, __ATOMIC_RELAXED);
	__atomic_store_n(&e->key, key, __ATOMIC_RELEASE);
}

static const void *
init_caller(const void *address, enum kind kind)
{
	uint64_t key = key_of(address, kind);
	const struct init *e = init_of(key);
	const void *caller;

	if (e == NULL || __atomic_load_n(&e->key, __ATOMIC_ACQUIRE) != key)
		return NULL;
	caller = __atomic_load_n(&e->caller, __ATOMIC_ACQUIRE);
	return __atomic_load_n(&e->key, __ATOMIC_RELAXED) == key ? caller
								 : NULL;
}

uint32_t
object_place(const struct object *o)
{
	return o == NULL ? 0 : (uint32_t)(o - tables->object) + 1;
}

bool
object_is_defined(uint32_t number)
{
	return number > 0 && number <= ROOM &&
		put_is_defined(&tables->object[number - 1].defined);
}

static uint32_t module_at(
	const void *address, struct dl_find_object *in, uint32_t *state);

/* Returns the number of the call path that allocated the block in which an
 * object lies; 0: not known. A thread that cannot look takes what another
 * saw. */
static uint32_t
block_path(const struct object *o)
{
	const struct allocated *blocks = allocated_table();
	uintptr_t address = o->key >> KIND_BITS;
	uint32_t path =
		blocks == NULL ? 0 : blocks->path((const void *)address);

	return path == ALLOCATED_UNSEEN
		? __atomic_load_n(&o->block, __ATOMIC_RELAXED)
		: path;
}

/* path: 0: the object lies in no known block any more. */
static void
tell_block(const struct object *o, uint32_t path)
{
	uint64_t caller[SITE_CALLS];
	int n = path == 0
		? 0
		: allocated_table()->callers(path, caller, SITE_CALLS);
	struct {
		uint32_t lock, site;
	} data = { object_place(o), site_path(caller, n, 0) };

	put_definition("WYa", &data, sizeof data);
}

/* Records where an object lies that is in no module. block: its path, or 0.
 * Returns the number of the place in the code that initialised the object, or
 * 0. */
static uint32_t
tell_place(const struct object *o, uint32_t block)
{
	uintptr_t address = o->key >> KIND_BITS;
	const void *caller =
		init_caller((const void *)address, o->key & KIND_MASK);
	struct memory memory = memory_of(address);
	struct __attribute__((packed)) {
		uint32_t lock;
		int32_t tid;
		uint32_t module;
		uint64_t offset;
	} data = { object_place(o), memory.tid, 0, memory.offset };
	struct dl_find_object in;
	uint32_t state;

	if (memory.is_local) {
		data.module = module_at(memory.module, &in, &state);
		put_definition("WYv", &data, sizeof data);
	} else if (memory.tid != 0)
		put_definition(
			"WYk", &data, sizeof data.lock + sizeof data.tid);
	if (block == 0 ? __atomic_load_n(&o->block, __ATOMIC_RELAXED) != 0
		       : caller == NULL)
		tell_block(o, block);
	return caller == NULL ? 0 : site_number(caller, 0);
}

uint32_t
object_number(struct object *o)
{
	struct __attribute__((packed)) {
		uint32_t lock;
		uint64_t address;
		uint32_t kind, init_site;
	} data = { 0 };
	struct dl_find_object in;
	uint32_t state, block;

	if (o == NULL)
		return 0;
	data.lock = object_place(o);
	block = block_path(o);
	if (put_is_defined(&o->defined) &&
		__atomic_load_n(&o->block, __ATOMIC_RELAXED) == block)
		return data.lock;
	data.address = o->key >> KIND_BITS;
	data.kind = o->key & KIND_MASK;
	/* the address is shown relative to its module */
	if (module_at((const void *)(uintptr_t)data.address, &in, &state) == 0)
		data.init_site = tell_place(o, block);
	put_definition("WYl", &data, sizeof data);
	__atomic_store_n(&o->block, block, __ATOMIC_RELAXED);
	put_was_defined(&o->defined);
	return data.lock;
}

static bool
is_quiet(const char *path)
{
	static const char *const names[] = { "libgomp", "libomp", "libiomp5",
		"libmpi", "libopen-", "libucp", "libfabric", "libovni",
		"libweft" };
	const char *name = strrchr(path, '/');

	name = name == NULL ? path : name + 1;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

/* Copies the path of the module. A relative one held in the directory in which
 * the module was loaded. */
static size_t
copy_path(const struct dl_find_object *in, char *path, size_t room)
{
	const char *name = in->dlfo_link_map->l_name;
	size_t n = name[0] == '/' ? 0
				  : module_path(in->dlfo_map_start, path, room);

	if (n > 0)
		return n;
	n = strlen(name);
	n = n < room ? n : room;
	memcpy(path, name, n);
	return n;
}

/* Records what the module is called, and where it lies. */
static uint32_t
define_module(uint32_t number, const struct dl_find_object *in)
{
	struct __attribute__((packed)) {
		uint32_t module;
		uint64_t base, size;
		char name[NAME];
	} data = { .module = number };
	const struct link_map *map = in->dlfo_link_map;
	size_t n = strlen(map->l_name), room;
	char *path;
	ssize_t got;

	path = data.name + build_id_text(in->dlfo_map_start, data.name, BUILD);
	*path++ = ' ';
	room = (size_t)(data.name + NAME - 1 - path);
	if (n == 0) {
		got = readlink("/proc/self/exe", path, room);
		n = got < 0 ? 0 : (size_t)got;
	} else
		n = copy_path(in, path, room);
	path[n] = '\0';
	/* The recorder may be in the middle of an event: nothing is recorded
	 * for its calls. */
	if (is_quiet(path))
		return MODULE_KNOWN | MODULE_QUIET;
	data.base = map->l_addr;
	data.size = (uint64_t)(uintptr_t)in->dlfo_map_end - data.base;
	n += (size_t)(path - data.name);
	put_definition("WYm", &data, (uint32_t)(sizeof data - NAME + n + 1));
	return MODULE_KNOWN;
}

/* Returns the number of the module at an address, 0 if there is none. */
static uint32_t
module_at(const void *address, struct dl_find_object *in, uint32_t *state)
{
	uint64_t lo, was;

	if (_dl_find_object((void *)(uintptr_t)address, in) != 0)
		return 0;
	lo = (uint64_t)(uintptr_t)in->dlfo_map_start;
	for (uint32_t i = 0; i < MODULES; i++) {
		struct module *m = &tables->module[i];

		was = __atomic_load_n(&m->lo, __ATOMIC_ACQUIRE);
		if (was == 0)
			__atomic_compare_exchange_n(&m->lo, &was, lo, false,
				__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
		if (was != 0 && was != lo)
			continue;
		*state = __atomic_load_n(&m->state, __ATOMIC_ACQUIRE);
		if (*state == 0 || !put_is_defined(&m->defined)) {
			*state = define_module(i + 1, in);
			put_was_defined(&m->defined);
			__atomic_store_n(&m->state, *state, __ATOMIC_RELEASE);
		}
		return i + 1;
	}
	return 0;
}

bool
site_is_quiet(const void *caller)
{
	struct dl_find_object in;
	uint64_t lo, was = 1;
	uint32_t state;

	if (_dl_find_object((void *)(uintptr_t)caller, &in) != 0)
		return false;
	lo = (uint64_t)(uintptr_t)in.dlfo_map_start;
	for (uint32_t i = 0; i < MODULES && was != 0; i++) {
		was = __atomic_load_n(&tables->module[i].lo, __ATOMIC_ACQUIRE);
		state = __atomic_load_n(
			&tables->module[i].state, __ATOMIC_ACQUIRE);
		if (was == lo && state != 0)
			return (state & MODULE_QUIET) != 0;
	}
	/* Nothing is defined here: the recorder may be in the middle of an
	 * event. */
	return is_quiet(in.dlfo_link_map->l_name);
}

static void
put_site(uint32_t site, const void *caller, uint32_t parent)
{
	struct __attribute__((packed)) {
		uint32_t site, module;
		uint64_t offset;
		uint32_t parent;
	} data = { .site = site,
		.offset = (uint64_t)(uintptr_t)caller - 1,
		.parent = parent };
	struct dl_find_object in;
	uint32_t state;

	data.module = module_at(caller, &in, &state);
	if (data.module != 0)
		data.offset -= in.dlfo_link_map->l_addr;
	put_definition("WYs", &data, sizeof data);
	put_was_defined(&tables->defined[site]);
}

static uint32_t
define_site(const void *caller, uint32_t parent)
{
	uint32_t site;

	if (__atomic_load_n(&tables->nsites, __ATOMIC_RELAXED) >= ROOM - 1)
		return 0;
	site = __atomic_add_fetch(&tables->nsites, 1, __ATOMIC_RELAXED);
	if (site >= ROOM)
		return 0;
	put_site(site, caller, parent);
	return site;
}

/* Returns the number of a location in the table; adds as for site_of(). */
static uint32_t
site_again(uint32_t site, const void *caller, uint32_t parent, bool adds)
{
	if (put_is_defined(&tables->defined[site]))
		return site;
	if (!adds)
		return 0;
	put_site(site, caller, parent);
	return site;
}

/* key: 48 bits; the return address itself, or a hash of several. adds: false:
 * returns 0 if the table does not have it, or has it from a later time. */
static uint32_t
site_of(uint64_t key, const void *caller, uint32_t parent, bool adds)
{
	uint64_t was;
	uint32_t at, number = 0;

	key <<= 16;
	at = hash(key);
	for (int i = 0; i < PROBES; i++, at = (at + 1) % ROOM) {
		uint64_t *slot = &tables->site[at];

		was = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
		if (was == 0) {
			if (number == 0 && adds)
				number = define_site(caller, parent);
			if (number == 0)
				return 0;
			if (__atomic_compare_exchange_n(slot, &was,
				    key | number, false, __ATOMIC_ACQ_REL,
				    __ATOMIC_ACQUIRE))
				return number;
		}
		if ((was ^ key) >> 16 == 0)
			return site_again(was & 0xffff, caller, parent, adds);
	}
	return 0;
}

uint32_t
site_number(const void *caller, uint32_t parent)
{
	return site_of((uint64_t)(uintptr_t)caller, caller, parent, true);
}

static uint64_t
path_key(uint64_t key, uint64_t caller)
{
	return ((key ^ caller) * 0x9e3779b97f4a7c15u) >> 16;
}

/* Half of the table is kept for other places. */
uint32_t
site_path(const uint64_t *caller, int n, uint32_t parent)
{
	uint64_t key[SITE_CALLS];
	uint32_t number;

	if (n < 1)
		return parent;
	for (int i = n - 1; i >= 0; i--)
		key[i] = i == n - 1 ? caller[i]
				    : path_key(key[i + 1], caller[i]);
	number = site_of(key[0], NULL, 0, false);
	if (number != 0)
		return number;
	if (__atomic_load_n(&tables->nsites, __ATOMIC_RELAXED) >= ROOM / 2)
		return site_number((const void *)(uintptr_t)caller[0], parent);
	for (int i = n - 1; i >= 0; i--)
		parent = site_of(key[i], (const void *)(uintptr_t)caller[i],
			parent, true);
	return parent;
}

void
site_text(const void *caller, char to[SITE_TEXT])
{
	uint64_t offset = (uint64_t)(uintptr_t)caller - 1;
	struct dl_find_object in;
	char path[NAME], digits[16];
	const char *name = "unknown";
	size_t n, ndigits = 0;
	ssize_t got;

	if (_dl_find_object((void *)(uintptr_t)caller, &in) == 0) {
		name = in.dlfo_link_map->l_name;
		offset -= in.dlfo_link_map->l_addr;
	}
	if (name[0] == '\0') {
		got = readlink("/proc/self/exe", path, NAME - 1);
		path[got < 0 ? 0 : got] = '\0';
		name = path;
	}
	if (strrchr(name, '/') != NULL)
		name = strrchr(name, '/') + 1;
	n = strnlen(name, SITE_TEXT - 3 - sizeof digits - 1);
	memcpy(to, name, n);
	memcpy(to + n, "+0x", 3);
	n += 3;
	do
		digits[ndigits++] = "0123456789abcdef"[offset & 15];
	while ((offset >>= 4) != 0);
	while (ndigits > 0)
		to[n++] = digits[--ndigits];
	to[n] = '\0';
}
