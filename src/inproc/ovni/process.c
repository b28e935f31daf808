/* SPDX-License-Identifier: MIT */
#include "inproc/ovni/process.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "inproc/core/begin.h"
#include "inproc/core/config.h"
#include "inproc/core/proc.h"
#include "inproc/core/who.h"
#include "inproc/ovni/directory.h"

bool
weft_rt_proc_start(int app, const char *loom, int pid)
{
	struct proc *p = weft_rt_proc;

	weft_rt_begin_again();
	p->app = app;
	p->pid = pid;
	snprintf(p->loom, sizeof(p->loom), "%s", loom);
	if (weft_rt_directory_make(p))
		return true;
	weft_rt_proc_trouble(errno, p->folder);
	/* there is nothing to write, and sandboxes count their threads */
	__atomic_store_n(&p->wants_writer, false, __ATOMIC_RELEASE);
	return false;
}

/* The child of fork() whose first event may begin its trace. A number, not a
 * flag: the child's own children are not allowed. Atomic: handlers too. */
static pid_t allowed;

void
weft_rt_proc_allow(void)
{
	__atomic_store_n(&allowed, getpid(), __ATOMIC_RELAXED);
}

static bool
is_forbidden(void)
{
	pid_t pid = __atomic_load_n(&allowed, __ATOMIC_RELAXED);

	return weft_rt_is_child() && (pid == 0 || pid != getpid());
}

bool
weft_rt_proc_auto(void)
{
	struct proc *p = weft_rt_proc;

	if (p->state == PROC_READY && p->folder[0] != '\0')
		return true;
	if (p->state == PROC_GONE || is_forbidden())
		return false;
	p->is_auto = true;
	if (p->state == PROC_NEW)
		weft_rt_begin();
	weft_rt_proc_start(weft_rt_config.app, weft_rt_who_loom(p->ident.pidns),
		p->ident.pid);
	weft_rt_who_rank(p);
	return true;
}
