/* SPDX-License-Identifier: MIT */
/* ovni_*: versions, processes, threads, their metadata. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inproc/core/confined.h"
#include "inproc/core/ending.h"
#include "inproc/core/exit.h"
#include "inproc/core/pool.h"
#include "inproc/core/slow.h"
#include "inproc/core/writer.h"
#include "inproc/ovni/api.h"
#include "inproc/ovni/auto.h"
#include "inproc/ovni/directory.h"
#include "inproc/ovni/life.h"
#include "inproc/ovni/process.h"
#include "ovni.h"

struct thread *
weft_rt_need_thread(const char *where)
{
	struct thread *th = weft_rt_thread();

	if (!weft_rt_proc_is_ready())
		weft_rt_die(where, "process is not ready");
	if (!th)
		weft_rt_die(where, "thread is not ready");
	return th;
}

/* Parses X.Y.Z, with or without -suffix. */
static bool
parse_version(const char *text, long number[3])
{
	char *end;

	if (strlen(text) >= 64)
		return false;
	for (int i = 0; i < 3; i++, text = end + 1) {
		if (strspn(text, "0123456789") == 0)
			return false;
		number[i] = strtol(text, &end, 10);
		if (i < 2 && *end != '.')
			return false;
	}
	return *end == '\0' || *end == '-';
}

void
ovni_version_check_str(const char *version)
{
	long want[3], have[3] = { 0 };

	if (!version)
		weft_rt_die(__func__, "ovni version string is NULL");
	if (!parse_version(version, want))
		weft_rt_die(__func__, "failed to parse provided version \"%s\"",
			version);
	parse_version(OVNI_LIB_VERSION, have);
	if (want[0] != have[0])
		weft_rt_die(__func__,
			"incompatible ovni major version: "
			"wants %s, got %s",
			version, OVNI_LIB_VERSION);
	if (want[1] > have[1])
		weft_rt_die(__func__,
			"incompatible ovni minor version: "
			"wants %s, got %s",
			version, OVNI_LIB_VERSION);
}

void
ovni_version_get(const char **version, const char **commit)
{
	*version = OVNI_LIB_VERSION;
	*commit = "weft-" WEFT_VERSION;
}

struct init {
	int app, pid;
	const char *loom;
};

static void
init(void *arg)
{
	static const char where[] = "ovni_proc_init";
	const struct init *i = arg;
	struct proc *p = weft_rt_proc;
	sigset_t was;

	weft_rt_proc_lock(&was);
	if (p->state == PROC_READY && p->is_auto) {
		weft_rt_warn("%s: the process was initialised by its first "
			     "event; it keeps loom %s and pid %d",
			where, p->loom, p->pid);
		p->is_auto = false;
	} else if (p->state == PROC_READY && p->folder[0] != '\0') {
		weft_rt_die(where, "pid %d already initialized", i->pid);
	} else if (p->state == PROC_GONE) {
		weft_rt_die(where, "pid %d has finished", i->pid);
	} else {
		weft_rt_proc_start(i->app, i->loom, i->pid);
	}
	weft_rt_proc_unlock(&was);
}

void
ovni_proc_init(int app, const char *loom, int pid)
{
	struct init i = { app, pid, loom };

	if (weft_rt_is_confined())
		return;
	if (!loom || strlen(loom) >= OVNI_MAX_HOSTNAME)
		weft_rt_die(__func__, "loom name too long");
	weft_rt_load();
	weft_rt_slow(init, &i);
	weft_rt_writer_offer();
}

struct rank {
	struct thread *thread;
	int rank, nranks;
};

static void
set_rank(void *arg)
{
	const struct rank *r = arg;

	weft_rt_proc->rank = r->rank;
	weft_rt_proc->nranks = r->nranks;
	r->thread->meta.has_rank = true;
}

void
ovni_proc_set_rank(int rank, int nranks)
{
	struct rank r = { .rank = rank, .nranks = nranks };

	if (weft_rt_is_confined())
		return;
	r.thread = weft_rt_need_thread(__func__);
	weft_rt_life_change(r.thread, set_rank, &r);
}

void
ovni_proc_fini(void)
{
	struct proc *p;
	sigset_t was;

	if (weft_rt_is_confined())
		return;
	if (!weft_rt_proc_is_ready())
		weft_rt_die(__func__, "process is not ready");
	p = weft_rt_proc;
	if (weft_rt_proc_is_closing())
		return;
	weft_rt_writer_stop();
	weft_rt_proc_lock(&was);
	__atomic_store_n(&p->state, PROC_GONE, __ATOMIC_RELEASE);
	weft_rt_pool_drop();
	weft_rt_proc_unlock(&was);
	weft_rt_directory_clean();
	weft_rt_exit_say();
}

void
ovni_thread_init(pid_t tid)
{
	struct thread *th = weft_rt_thread();

	if (weft_rt_is_confined())
		return;
	if (th && th->is_auto) {
		weft_rt_auto_adopt(th);
		return;
	}
	if (th) {
		weft_rt_warn(
			"thread %d already initialized, ignored", (int)tid);
		return;
	}
	if (weft_rt_thread_state() == THREAD_FINISHED)
		weft_rt_die(__func__,
			"thread %d has finished, cannot init again", (int)tid);
	if (tid == 0)
		weft_rt_die(__func__, "cannot use tid=%d", (int)tid);
	if (!weft_rt_proc_is_ready())
		weft_rt_die(__func__, "process not yet initialized");
	if (weft_rt_life_start((int)tid))
		weft_rt_ending_watch();
}

int
ovni_thread_isready(void)
{
	return weft_rt_thread_state() == THREAD_READY;
}

void
ovni_thread_free(void)
{
	weft_rt_load();
	if (weft_rt_proc_is_closing() || weft_rt_is_confined())
		return; /* the library's destructor did it, or seccomp */
	if (weft_rt_thread_state() == THREAD_FINISHED)
		weft_rt_die(__func__, "thread already finished");
	if (!weft_rt_thread())
		weft_rt_die(__func__, "thread not initialized");
	weft_rt_life_end(true);
}

static bool
is_version(const char *text)
{
	long number[3];

	return parse_version(text, number);
}

void
ovni_thread_require(const char *model, const char *version)
{
	struct thread *th = weft_rt_thread();

	if (weft_rt_is_confined())
		return;
	if (!th)
		weft_rt_die(__func__, "thread is not initialized");
	if (!model || !version)
		weft_rt_die(__func__, "model or version is NULL");
	if (strpbrk(model, " .") || strlen(model) <= 1 || strlen(model) >= 115)
		weft_rt_die(__func__, "malformed model name \"%s\"", model);
	if (!is_version(version))
		weft_rt_die(__func__, "invalid version \"%s\" of model \"%s\"",
			version, model);
	weft_rt_life_require(th, model, version);
}

struct cpu {
	struct thread *thread;
	int index, phyid;
};

static void
add_cpu(void *arg)
{
	struct cpu *c = arg;

	weft_rt_meta_cpu(&c->thread->meta, c->index, c->phyid);
}

void
ovni_add_cpu(int index, int phyid)
{
	struct cpu c = { .index = index, .phyid = phyid };

	if (weft_rt_is_confined())
		return;
	if (index < 0)
		weft_rt_die(__func__, "cannot use negative index %d", index);
	if (phyid < 0)
		weft_rt_die(__func__, "cannot use negative CPU id %d", phyid);
	c.thread = weft_rt_need_thread(__func__);
	weft_rt_life_change(c.thread, add_cpu, &c);
}
