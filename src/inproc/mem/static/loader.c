/* SPDX-License-Identifier: MIT */
/* loader.c - the recorder in a static program; see mem/wrapped.h. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stddef.h>
#include <string.h>

#include "inproc/mem/loader.h"
#include "mem/wire.h"
#include "mem/wrapped.h"

/* tools/static-recorder puts the recorder's code and data into sections of
 * these names; the linker defines their limits. */
#define LIMITS(section) \
	extern const char __start_##section[] \
		__attribute__((visibility("hidden"))); \
	extern const char __stop_##section[] \
		__attribute__((visibility("hidden")))
LIMITS(weft_mem_text);
LIMITS(weft_mem_data);
LIMITS(weft_mem_bss);

/* The C library's functions, as the linker calls them. */
#define DECLARE(name) extern char __real_##name[];
#define DECLARE_WEAK(name) extern char __real_##name[] __attribute__((weak));
MEM_WRAPPED(DECLARE)
MEM_WRAPPED_WEAK(DECLARE_WEAK)

/* Of the C library; not every version has them. */
extern char _dl_get_tls_static_info[] __attribute__((weak));
extern char _thread_db_sizeof_pthread[] __attribute__((weak));

/*
 * The libraries of gcc (C++, Fortran) have weak references to the functions of
 * threads, and use all of them if one is in the program. The recorder needs
 * some, so the others must be there, too.
 */
#define NEEDED(name) ((void (*)(void))(name))
__attribute__((used)) static void (*const of_threads[])(void) = {
	NEEDED(pthread_once),
	NEEDED(pthread_getspecific),
	NEEDED(pthread_setspecific),
	NEEDED(pthread_join),
	NEEDED(pthread_detach),
	NEEDED(pthread_equal),
	NEEDED(pthread_self),
	NEEDED(pthread_cancel),
	NEEDED(sched_yield),
	NEEDED(sched_get_priority_max),
	NEEDED(sched_get_priority_min),
	NEEDED(pthread_mutex_lock),
	NEEDED(pthread_mutex_trylock),
	NEEDED(pthread_mutex_timedlock),
	NEEDED(pthread_mutex_clocklock),
	NEEDED(pthread_mutex_unlock),
	NEEDED(pthread_mutex_init),
	NEEDED(pthread_mutex_destroy),
	NEEDED(pthread_mutexattr_init),
	NEEDED(pthread_mutexattr_settype),
	NEEDED(pthread_mutexattr_destroy),
	NEEDED(pthread_cond_init),
	NEEDED(pthread_cond_broadcast),
	NEEDED(pthread_cond_signal),
	NEEDED(pthread_cond_wait),
	NEEDED(pthread_cond_timedwait),
	NEEDED(pthread_cond_clockwait),
	NEEDED(pthread_cond_destroy),
	NEEDED(pthread_key_create),
	NEEDED(pthread_key_delete),
	NEEDED(pthread_attr_setdetachstate),
	NEEDED(pthread_exit),
	NEEDED(pthread_getschedparam),
	NEEDED(pthread_setschedparam),
	NEEDED(pthread_rwlock_init),
	NEEDED(pthread_rwlock_destroy),
	NEEDED(pthread_rwlock_rdlock),
	NEEDED(pthread_rwlock_tryrdlock),
	NEEDED(pthread_rwlock_timedrdlock),
	NEEDED(pthread_rwlock_clockrdlock),
	NEEDED(pthread_rwlock_wrlock),
	NEEDED(pthread_rwlock_trywrlock),
	NEEDED(pthread_rwlock_timedwrlock),
	NEEDED(pthread_rwlock_clockwrlock),
	NEEDED(pthread_rwlock_unlock),
	NEEDED(sem_init),
	NEEDED(sem_destroy),
	NEEDED(sem_wait),
	NEEDED(sem_timedwait),
	NEEDED(sem_clockwait),
	NEEDED(sem_trywait),
	NEEDED(sem_post),
};

#define STRING(text) #text
#define TEXT(number) STRING(number)
_Static_assert(sizeof(MEM_NOTE_OWNER) == 5, "the note below says 5");

__asm__(".pushsection .note.weft, \"a\", @note\n"
	".balign 4\n"
	".globl " MEM_STATIC_SYMBOL "\n" MEM_STATIC_SYMBOL ":\n"
	".long 5, 4, " TEXT(MEM_NOTE) "\n"
				      ".asciz \"" MEM_NOTE_OWNER "\"\n"
				      ".balign 4\n"
				      ".long " TEXT(
					      MEM_VERSION) "\n"
							   ".popsection\n");

struct named {
	const char *name;
	void *at;
};

static void *
find(const struct named *list, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i].name, name) == 0)
			return list[i].at;
	return NULL;
}

/* Stand for a function that the program's allocator lacks. */
static void *
no_block(void)
{
	errno = ENOMEM;
	return NULL;
}

static int
no_memory(void)
{
	return ENOMEM;
}

void *
loader_next(const char *name)
{
#define ROW(name) { #name, __real_##name },
	const struct named list[] = { MEM_WRAPPED(ROW) MEM_WRAPPED_WEAK(ROW) };
	void *at = find(list, sizeof list / sizeof list[0], name);

	if (at != NULL)
		return at;
	return strcmp(name, "posix_memalign") == 0
		? (void *)(uintptr_t)no_memory
		: (void *)(uintptr_t)no_block;
}

void *
loader_find(const char *name)
{
	const struct named list[] = {
		{ "_dl_get_tls_static_info", _dl_get_tls_static_info },
		{ "_thread_db_sizeof_pthread", _thread_db_sizeof_pthread },
	};

	return find(list, sizeof list / sizeof list[0], name);
}

void
loader_own_code(uint64_t *lo, uint64_t *hi)
{
	*lo = (uint64_t)(uintptr_t)__start_weft_mem_text;
	*hi = (uint64_t)(uintptr_t)__stop_weft_mem_text;
}

static bool
in(uint64_t address, const char *lo, const char *hi)
{
	return address >= (uint64_t)(uintptr_t)lo &&
		address < (uint64_t)(uintptr_t)hi;
}

bool
loader_is_own_data(uint64_t address)
{
	return in(address, __start_weft_mem_data, __stop_weft_mem_data) ||
		in(address, __start_weft_mem_bss, __stop_weft_mem_bss);
}
