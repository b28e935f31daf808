/* SPDX-License-Identifier: MIT */
#include "inproc/collect/gomp.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <sched.h>
#include <string.h>

#include "inproc/collect/real.h"

enum { CALLERS = 256 }; /* modules that call the runtime */

#define REGION_ROW(name, version, params, args) OTHER_ROW(, name, version, )
#define CALL_ROW(name, version, params, args, enter, leave) \
	OTHER_ROW(, name, version, )
#define RESULT_ROW(result, name, version, params, args, enter, leave) \
	OTHER_ROW(, name, version, )
#define OTHER_ROW(result, name, version, params) \
	{ "GOMP_" #name, offsetof(struct gomp, name) },
#define NEXT_ROW(name, version, type) OTHER_ROW(, name, version, )
#define LOCK_ROW(name, version, tries) \
	{ #name, offsetof(struct gomp, name) }, \
		{ #tries, offsetof(struct gomp, tries) },
#define UNLOCK_ROW(name, version) { #name, offsetof(struct gomp, name) },

/* clang-format off */
static const struct row {
	const char *name;
	size_t at;
} rows[] = {
	GOMP_REGIONS(REGION_ROW)
	GOMP_STARTS(REGION_ROW)
	GOMP_CALLS(CALL_ROW)
	GOMP_RESULTS(RESULT_ROW)
	GOMP_NEXTS(NEXT_ROW)
	GOMP_OTHERS(OTHER_ROW)
	GOMP_LOCKS(LOCK_ROW)
	GOMP_UNLOCKS(UNLOCK_ROW)
	OTHER_ROW(, doacross_wait, "4.5", )
	OTHER_ROW(, doacross_ull_wait, "4.5", )
	{ "omp_get_thread_num", offsetof(struct gomp, omp_get_thread_num) },
	{ "omp_get_num_threads", offsetof(struct gomp, omp_get_num_threads) },
};
/* clang-format on */

/* Atomic: entries are written once, then published by the count. */
static struct gomp callers[CALLERS];
static uint32_t ncallers, is_locked;
struct gomp *gomp_first;

static bool
is_ours(const void *f)
{
	struct dl_find_object its, own;

	return _dl_find_object((void *)(uintptr_t)f, &its) == 0 &&
		_dl_find_object((void *)(uintptr_t)is_ours, &own) == 0 &&
		its.dlfo_link_map == own.dlfo_link_map;
}

/* Returns the symbol that a module finds itself, or NULL. */
static void *
find_in(const struct link_map *map, const char *name)
{
	void *handle, *f;

	if (map->l_name[0] == '\0')
		return NULL; /* the program: has the loader's order */
	handle = dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
	if (handle == NULL)
		return NULL;
	f = dlsym(handle, name);
	dlclose(handle);
	return f == NULL || is_ours(f) ? NULL : f;
}

static void *
find_anywhere(const char *name)
{
	struct link_map *map = NULL;
	void *handle = dlopen(NULL, RTLD_LAZY), *f = NULL;

	if (handle == NULL || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0)
		return NULL;
	for (; map != NULL && f == NULL; map = map->l_next)
		f = find_in(map, name);
	dlclose(handle);
	return f;
}

/* module: the caller's, or NULL */
static void *
find(const struct link_map *module, const char *name)
{
	void *f = module == NULL ? NULL : find_in(module, name);

	if (f == NULL)
		f = dlsym(RTLD_NEXT, name);
	return f;
}

static void
fill(struct gomp *g, const struct link_map *module)
{
	bool has_any = false;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		void *f = find(module, rows[i].name);

		memcpy((char *)g + rows[i].at, &f, sizeof f);
		has_any = has_any || f != NULL;
	}
	for (size_t i = 0; i < sizeof rows / sizeof *rows && !has_any; i++) {
		void *f = find_anywhere(rows[i].name);

		memcpy((char *)g + rows[i].at, &f, sizeof f);
	}
}

/* Only LLVM's runtime has both interfaces. */
static bool
is_llvm(const struct gomp *g)
{
	struct dl_find_object in;
	void *f;

	memcpy(&f, &g->parallel, sizeof f);
	return f != NULL && _dl_find_object(f, &in) == 0 &&
		find_in(in.dlfo_link_map, "__kmpc_fork_call") != NULL;
}

static const struct gomp *
look(uintptr_t caller)
{
	uint32_t n = __atomic_load_n(&ncallers, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < n; i++)
		if (caller - callers[i].lo < callers[i].size)
			return &callers[i];
	return NULL;
}

/* Finds the functions for the caller's module. Code without a module has the
 * next ones in the loader's order. */
static void
find_all(struct gomp *g, uintptr_t caller)
{
	struct dl_find_object in;
	bool has = _dl_find_object((void *)caller, &in) == 0;

	fill(g, has ? in.dlfo_link_map : NULL);
	g->is_llvm = is_llvm(g);
	g->lo = has ? (uintptr_t)in.dlfo_map_start : caller & ~(uintptr_t)4095;
	g->size = has ? (uintptr_t)in.dlfo_map_end - g->lo : 4096;
}

/* Adds the entry, if no other thread has added the module. A full table keeps
 * its last entry. */
static const struct gomp *
add(const struct gomp *new)
{
	const struct gomp *g;
	uint32_t n;

	while (__atomic_exchange_n(&is_locked, 1, __ATOMIC_ACQUIRE) != 0)
		sched_yield();
	g = look(new->lo);
	n = ncallers;
	if (g == NULL && n < CALLERS) {
		callers[n] = *new;
		g = &callers[n];
		__atomic_store_n(&ncallers, n + 1, __ATOMIC_RELEASE);
		if (n == 0)
			__atomic_store_n(
				&gomp_first, &callers[0], __ATOMIC_RELEASE);
	}
	__atomic_store_n(&is_locked, 0, __ATOMIC_RELEASE);
	return g != NULL ? g : &callers[CALLERS - 1];
}

static const char *
name_at(size_t at)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].at == at)
			return rows[i].name;
	return "";
}

const struct gomp *
gomp_find(const void *caller, size_t at)
{
	const struct gomp *g = look((uintptr_t)caller);
	struct gomp new = { 0 };
	int error = errno;

	/* the loader's lock is taken without ours: its holder may run a
	 * constructor that comes here */
	if (g == NULL) {
		collect_enter();
		find_all(&new, (uintptr_t)caller);
		g = add(&new);
		collect_leave();
	}
	errno = error;
	if (*(void *const *)((const char *)g + at) == NULL)
		real_give_up(name_at(at));
	return g;
}
