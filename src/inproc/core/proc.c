/* SPDX-License-Identifier: MIT */
#include "inproc/core/proc.h"
#include "inproc/core/who.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inproc/core/clock.h"
#include "inproc/core/clocks.h"
#include "inproc/core/ending.h"
#include "inproc/core/exit.h"
#include "inproc/core/fork.h"
#include "inproc/core/gate.h"
#include "inproc/core/pause.h"
#include "inproc/core/place.h"
#include "inproc/core/pool.h"
#include "inproc/core/say.h"
#include "inproc/core/writer.h"

struct config weft_rt_config = { .ring_bytes = 1 << 20, .has_writer = true };
struct proc *weft_rt_proc;

/* Not wiped by a fork: tells a child from a process that is new. */
static bool was_started;

static size_t
proc_size(void)
{
	return (sizeof(struct proc) + 4095) / 4096 * 4096;
}

static uint64_t
number_of(const char *name, uint64_t least, uint64_t most, uint64_t otherwise)
{
	const char *text = getenv(name);
	char *end, instead[32] = "no limit";
	unsigned long long n;

	if (!text || text[0] == '\0')
		return otherwise;
	errno = 0;
	n = strtoull(text, &end, 10);
	if (errno == 0 && *end == '\0' && text[0] >= '0' && text[0] <= '9' &&
		n >= least && n <= most)
		return n;
	if (otherwise >= least)
		snprintf(instead, sizeof(instead), "%llu",
			(unsigned long long)otherwise);
	weft_rt_warn("%s=%s is not a number from %llu to %llu, without a unit; "
		     "using %s",
		name, text, (unsigned long long)least, (unsigned long long)most,
		instead);
	return otherwise;
}

/* The place of a variable's value in a list of words; 0 if it is not set. */
static int
word_of(const char *name, const char *const words[], int n)
{
	const char *text = getenv(name);

	if (!text || text[0] == '\0')
		return 0;
	for (int i = 0; i < n; i++)
		if (strcmp(text, words[i]) == 0)
			return i;
	weft_rt_warn("%s=%s is not known; using %s", name, text, words[0]);
	return 0;
}

static void
read_config(void)
{
	static const char *const full[] = { "block", "drop", "overwrite" };
	static const char *const writer[] = { "thread", "inline" };
	static const char *const clock[] = { "tsc", "gettime" };
	struct config *c = &weft_rt_config;
	uint64_t want = number_of("WEFT_RING_KB", 64, 4194304, 1024) << 10;

	for (c->ring_bytes = 65536; c->ring_bytes < want;)
		c->ring_bytes *= 2;
	c->max_bytes = number_of("WEFT_MAX_MB", 1, 1u << 30, 0) << 20;
	c->full = (enum when_full)word_of("WEFT_FULL", full, 3);
	c->has_writer = word_of("WEFT_WRITER", writer, 2) == 0;
	c->app = (int)number_of("WEFT_APP", 1, INT_MAX, 1);
	weft_rt_clock_load(word_of("WEFT_CLOCK", clock, 2) == 0);
}

static void
load(void)
{
	weft_rt_proc = mmap(NULL, proc_size(), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (weft_rt_proc == MAP_FAILED)
		weft_rt_die("libovni", "no memory:");
	madvise(weft_rt_proc, proc_size(), MADV_WIPEONFORK);
	read_config();
	weft_rt_gate_load();
	weft_rt_ending_load();
	weft_rt_fork_load();
}

/* Before the constructors of a program that holds the archive. */
__attribute__((constructor(101))) void
weft_rt_load(void)
{
	static int state; /* 1: somebody loads, 2: loaded */
	sigset_t all, was;
	int expected = 0;

	if (__atomic_load_n(&state, __ATOMIC_ACQUIRE) == 2)
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &was);
	if (__atomic_compare_exchange_n(&state, &expected, 1, false,
		    __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
		load();
		__atomic_store_n(&state, 2, __ATOMIC_RELEASE);
	}
	while (__atomic_load_n(&state, __ATOMIC_ACQUIRE) != 2)
		weft_rt_pause();
	pthread_sigmask(SIG_SETMASK, &was, NULL);
}

/* Here, and not in exit.c, so that who links the archive has it; after the
 * destructors of a program that does. */
__attribute__((destructor(101))) static void
unload(void)
{
	weft_rt_exit();
}

static void
block_all(sigset_t *was)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, was);
}

void
weft_rt_proc_lock(sigset_t *was)
{
	weft_rt_load();
	block_all(was);
	/* who ends the process may be killed while he waits */
	weft_rt_lock(&weft_rt_proc->lock, weft_rt_exit_is_near() ? was : NULL);
}

bool
weft_rt_proc_enter(sigset_t *was)
{
	struct proc *p;

	weft_rt_load();
	p = weft_rt_proc;
	block_all(was);
	if (!weft_rt_exit_is_near() &&
		weft_rt_lock_unless(&p->lock, &p->is_leaving)) {
		if (!weft_rt_exit_is_near())
			return true;
		weft_rt_unlock(&p->lock);
	}
	pthread_sigmask(SIG_SETMASK, was, NULL);
	return false;
}

void
weft_rt_proc_unlock(const sigset_t *was)
{
	weft_rt_unlock(&weft_rt_proc->lock);
	pthread_sigmask(SIG_SETMASK, was, NULL);
}

bool
weft_rt_proc_is_ready(void)
{
	weft_rt_load();
	return __atomic_load_n(&weft_rt_proc->state, __ATOMIC_ACQUIRE) ==
		PROC_READY;
}

bool
weft_rt_proc_is_child(void)
{
	weft_rt_load();
	return weft_rt_proc->state == PROC_NEW && was_started;
}

void
weft_rt_proc_begin(void)
{
	if (was_started)
		weft_rt_fork_forget();
	was_started = true;
	weft_rt_proc->pid = (int)getpid();
	weft_rt_proc->ident = weft_rt_ident();
	weft_rt_proc->timens = weft_rt_clocks_timens();
	weft_rt_clocks_begin();
	weft_rt_clock_start();
	__atomic_store_n(&weft_rt_proc->state, PROC_READY, __ATOMIC_RELEASE);
	weft_rt_writer_want();
}

bool
weft_rt_proc_start(int app, const char *loom, int pid)
{
	struct proc *p = weft_rt_proc;

	if (p->state == PROC_NEW)
		weft_rt_proc_begin();
	else
		weft_rt_writer_want();
	p->app = app;
	p->pid = pid;
	snprintf(p->loom, sizeof(p->loom), "%s", loom);
	if (weft_rt_place_make(p))
		return true;
	weft_rt_proc_trouble(errno, p->folder);
	return false;
}

void
weft_rt_proc_rest(void)
{
	sigset_t was;

	if (weft_rt_proc->streams)
		return;
	weft_rt_writer_stop();
	weft_rt_proc_lock(&was);
	weft_rt_pool_drop();
	weft_rt_proc_unlock(&was);
}

bool
weft_rt_proc_auto(void)
{
	struct proc *p = weft_rt_proc;

	if (p->state == PROC_READY && p->folder[0] != '\0')
		return true;
	if (p->state == PROC_GONE || (p->state == PROC_NEW && was_started))
		return false;
	p->is_auto = true;
	if (p->state == PROC_NEW)
		weft_rt_proc_begin();
	weft_rt_proc_start(weft_rt_config.app, weft_rt_who_loom(p->ident.pidns),
		p->ident.pid);
	weft_rt_who_rank(p);
	return true;
}

const char *
weft_rt_proc_place(void)
{
	const struct proc *p = weft_rt_proc;

	return p->temp[0] != '\0' ? p->temp : p->folder;
}

void
weft_rt_proc_trouble(int error, const char *path)
{
	if (__atomic_exchange_n(
		    &weft_rt_proc->has_warned, true, __ATOMIC_RELAXED))
		return;
	errno = error;
	weft_rt_warn("weft: recording stops, the program goes on: %s:", path);
}

/* Most often the next one is there. */
__attribute__((noinline)) bool
weft_rt_folder_above(const char *path)
{
	char part[PATH_MAX + 64], *at;
	size_t n = strlen(path);
	bool ok;

	if (n >= sizeof(part)) {
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(part, path, n + 1);
	at = strrchr(part, '/');
	if (!at || at == part)
		return true;
	*at = '\0';
	ok = mkdir(part, 0755) == 0 || errno == EEXIST;
	for (char *c = part + 1; !ok && c < at; c++) {
		if (*c != '/')
			continue;
		*c = '\0';
		if (mkdir(part, 0755) != 0 && errno != EEXIST)
			return false;
		*c = '/';
	}
	return ok || mkdir(part, 0755) == 0 || errno == EEXIST;
}

bool
weft_rt_folder_make(const char *path)
{
	if (mkdir(path, 0755) == 0 || errno == EEXIST)
		return true;
	return weft_rt_folder_above(path) &&
		(mkdir(path, 0755) == 0 || errno == EEXIST);
}
