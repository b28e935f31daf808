/* SPDX-License-Identifier: MIT */
/* weft_ctf_* events that carry counters. */
#include <string.h>

#include "inproc/ctf/ctf.h"
#include "inproc/ctf/hwc.h"
#include "inproc/ctf/totals.h"

static __thread const char *task_type;

void
weft_ctf_task_type(const char *label)
{
	task_type = label;
}

static void
add_up(const struct weft_ctf_event *e, struct hwc_values v)
{
	if (e->counters & WEFT_CTF_TASK)
		weft_rt_totals_add(
			TOTALS_TASK, task_type ? task_type : "a task", v);
	else
		weft_rt_totals_add(TOTALS_RUNTIME,
			weft_rt_ctf->event[e->own].point->name, v);
}

/* Makes few calls and branches, because the processor mispredicts them after
 * the system call that reads the counters. */
void
weft_ctf_counted(const struct weft_ctf_event *e, const void *data, uint64_t n)
{
	uint8_t id = __atomic_load_n(&e->id, __ATOMIC_ACQUIRE);
	int ncounters = weft_rt_ctf->ncounters;
	uint64_t size = 8 * (uint64_t)ncounters + n, pos;
	struct weft_ctf_ring *r = weft_ctf_self;
	struct hwc_values v;
	unsigned char *to;

	if (id == 0)
		return;
	v = weft_rt_hwc_read();
	if (__builtin_expect(r->ring.res + WEFT_CTF_HEAD + size >
			    weft_rt_ring_limit(&r->ring),
		    0) &&
		!weft_ctf_room(WEFT_CTF_HEAD + size, WEFT_CTF_LAYOUT))
		return;
	to = weft_ctf_head(r, id, size, &pos);
	for (int i = 0; i < ncounters; i++, to += 8) {
		uint64_t value = v.now[i] - v.last[i];

		memcpy(to, &value, 8);
	}
	if (n > 0)
		memcpy(to, data, n);
	weft_publish(&r->ring, pos);
	if (__builtin_expect(weft_rt_totals_wanted, 0))
		add_up(e, v);
}
