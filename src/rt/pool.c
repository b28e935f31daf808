/* SPDX-License-Identifier: MIT */
#include "rt/pool.h"

#include <string.h>
#include <sys/mman.h>

#include "rt/proc.h"
#include "rt/thread.h"

/* The end of a thread, which is never read before it is written. */
#define SCRATCH offsetof(struct thread, path)

static size_t
pages(void)
{
	return (sizeof(struct thread) + 4095) / 4096 * 4096;
}

/* A thread without a ring. */
static struct thread *
make_bare(void)
{
	struct thread *th = mmap(NULL, pages(), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (th == MAP_FAILED)
		return NULL;
	madvise(th, pages(), MADV_WIPEONFORK);
	return th;
}

static void
drop(struct thread *th)
{
	weft_rt_ring_drop(&th->mem);
	munmap(th, pages());
}

struct thread *
weft_rt_pool_take(void)
{
	struct proc *p = weft_rt_proc;
	struct thread *th;

	for (int i = 0; i < SPARE_THREADS; i++)
		if (p->spare[i]) {
			th = p->spare[i];
			p->spare[i] = NULL;
			return th;
		}
	th = make_bare();
	if (th)
		weft_rt_ring_make(&th->mem, weft_rt_config.ring_bytes,
			weft_rt_proc_place());
	return th;
}

/* False: there are enough. */
static bool
keep(struct thread *th)
{
	struct proc *p = weft_rt_proc;

	for (int i = 0; i < SPARE_THREADS; i++)
		if (!p->spare[i]) {
			p->spare[i] = th;
			return true;
		}
	return false;
}

void
weft_rt_pool_give(struct thread *th)
{
	size_t behind = offsetof(struct thread, mem) + sizeof(th->mem);
	bool is_tmpfs = th->mem.file && th->mem.kind == RING_TMPFS;

	if (th->mem.file)
		th->mem.file->id = 0;
	memset(th, 0, offsetof(struct thread, mem));
	memset((char *)th + behind, 0, SCRATCH - behind);
	if (!is_tmpfs || weft_rt_proc->state != PROC_READY || !keep(th))
		drop(th);
}

static bool
is_full(void)
{
	bool is = true;

	pthread_mutex_lock(&weft_rt_proc->lock);
	for (int i = 0; i < SPARE_THREADS; i++)
		is = is && weft_rt_proc->spare[i] != NULL;
	pthread_mutex_unlock(&weft_rt_proc->lock);
	return is;
}

void
weft_rt_pool_refill(void)
{
	struct proc *p = weft_rt_proc;
	struct thread *th;

	while (!is_full()) {
		th = make_bare();
		if (!th ||
			!weft_rt_ring_make(
				&th->mem, weft_rt_config.ring_bytes, NULL)) {
			if (th)
				drop(th);
			return;
		}
		pthread_mutex_lock(&p->lock);
		if (keep(th))
			th = NULL;
		pthread_mutex_unlock(&p->lock);
		if (th)
			drop(th);
	}
}

void
weft_rt_pool_drop(void)
{
	struct proc *p = weft_rt_proc;

	for (int i = 0; i < SPARE_THREADS; i++)
		if (p->spare[i]) {
			drop(p->spare[i]);
			p->spare[i] = NULL;
		}
}
