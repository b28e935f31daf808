/* SPDX-License-Identifier: MIT */
#include "inproc/ovni/auto.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "inproc/core/clock.h"
#include "inproc/core/config.h"
#include "inproc/core/drain.h"
#include "inproc/core/ending.h"
#include "inproc/core/gate.h"
#include "inproc/core/guest.h"
#include "inproc/core/proc.h"
#include "inproc/core/reserve.h"
#include "inproc/ovni/record.h"
#include "inproc/ovni/thread.h"

/* CPUs that are taken by a thread. Atomic: any thread. */
static unsigned char claimed[CPU_SETSIZE];

void
weft_rt_auto_forget(void)
{
	memset(claimed, 0, sizeof(claimed));
}

/* The thread's first event is one of a collector, if there is one. Its model is
 * required at once, so that the file is not written a second time for it. */
static void
require_wait(struct meta *meta)
{
	static const char *const event = "WYm";
	const char *name,
		*version = guest_hooks() == NULL
		? NULL
		: weft_rt_gate_version(event, &name);

	if (version != NULL &&
		__atomic_load_n(&weft_gate[weft_gate_of(event)],
			__ATOMIC_RELAXED) != GATE_OFF)
		weft_rt_meta_require(meta, name, version);
}

/* Adds all CPUs of the machine, so that processes bound to different CPUs
 * agree. A process that was set up by calls names its CPUs itself. */
void
weft_rt_auto_meta(struct meta *meta)
{
	static long n; /* number of CPUs; asking the system opens a file */

	if (n == 0)
		n = sysconf(_SC_NPROCESSORS_CONF);
	for (int i = 0; weft_rt_proc->is_auto && i < (n < 1 ? 1 : n); i++)
		weft_rt_meta_cpu(meta, i, i);
	meta->has_rank = weft_rt_proc->nranks > 0;
	require_wait(meta);
}

static int32_t
cpu_of_thread(void)
{
	cpu_set_t set;
	int cpu = sched_getcpu();

	if (sched_getaffinity(0, sizeof(set), &set) != 0 ||
		CPU_COUNT(&set) != 1 || cpu < 0 || cpu >= CPU_SETSIZE ||
		__atomic_exchange_n(&claimed[cpu], 1, __ATOMIC_RELAXED))
		return -1;
	return cpu;
}

/* Returns when the thread began, if a collector knows; else 0. */
static uint64_t
begin_of_thread(void)
{
	uint64_t began = guest_hooks() != NULL ? guest_hooks()->began() : 0;

	return began < weft_rt_clock_now() ? began : 0;
}

void
weft_rt_auto_enter(struct thread *th)
{
	struct {
		int32_t cpu, creator;
		uint64_t tag;
	} start = { -1, -1, 0 };
	uint64_t began = begin_of_thread();

	weft_rt_ending_watch();
	if (!th->stream.has_file)
		return;
	/* In the past another thread may have had the CPU. */
	if (began == 0)
		start.cpu = th->cpu = cpu_of_thread();
	if (weft_rt_stream_keep(&th->stream, RECORD_HEAD + sizeof(start)))
		weft_rt_thread_put(th, weft_first("OHx", sizeof(start)),
			began != 0 ? began : weft_rt_clock_now(), &start,
			sizeof(start));
}

static void
release_cpu(struct thread *th)
{
	if (th->cpu >= 0)
		__atomic_store_n(&claimed[th->cpu], 0, __ATOMIC_RELAXED);
	th->cpu = -1;
}

static void
make_end(unsigned char head[RECORD_HEAD])
{
	uint32_t first = weft_first("OHe", 0);
	uint64_t now = weft_rt_clock_now();

	memcpy(head, &first, 4);
	memcpy(head + 4, &now, 8);
}

bool
weft_rt_auto_end(struct thread *th, bool is_put)
{
	const struct ringfile *f = th->stream.mem.file;
	unsigned char head[RECORD_HEAD];

	release_cpu(th);
	if (f->tail != __atomic_load_n(&f->head, __ATOMIC_ACQUIRE))
		return false;
	if (is_put)
		return true;
	make_end(head);
	return weft_rt_drain_direct(&th->stream, head, sizeof(head), NULL, 0);
}

bool
weft_rt_auto_put_end(struct thread *th)
{
	const struct ringfile *f = th->stream.mem.file;
	struct weft_ring *r = &th->ring;
	uint64_t pos = r->res;

	if (weft_rt_config.full == FULL_OVERWRITE ||
		__atomic_load_n(&weft_rt_proc->error, __ATOMIC_RELAXED) != 0 ||
		pos != __atomic_load_n(&f->head, __ATOMIC_ACQUIRE) ||
		pos - f->tail > f->size - RECORD_HEAD ||
		!weft_rt_ring_is_backed(&th->stream.mem, pos, RECORD_HEAD))
		return false;
	weft_reserve(&r->res, RECORD_HEAD);
	make_end(r->base + (pos & r->mask));
	weft_publish(r, pos);
	return true;
}

bool
weft_rt_auto_end_beyond(struct thread *th)
{
	unsigned char head[RECORD_HEAD];

	make_end(head);
	return weft_rt_drain_beyond(&th->stream, head, sizeof(head));
}

void
weft_rt_auto_adopt(struct thread *th)
{
	release_cpu(th);
	th->is_auto = false;
	weft_record(weft_first("OHe", 0), NULL, 0);
}
