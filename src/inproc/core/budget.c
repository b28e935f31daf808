/* SPDX-License-Identifier: MIT */
#include "inproc/core/budget.h"

#include "inproc/core/config.h"
#include "inproc/core/proc.h"
#include "inproc/core/stream.h"

#define STEP 16    /* a thread takes this fraction of what is left */
#define LARGE 4096 /* bytes */

static bool
is_limited(void)
{
	return weft_rt_config.max_bytes != 0;
}

static uint64_t
left(uint64_t spent)
{
	uint64_t most = weft_rt_config.max_bytes;

	return spent < most ? most - spent : 0;
}

/* Ends recording for good, though threads may still give bytes back: one end is
 * better than many gaps. A large event may be refused alone. */
static bool
refuse(uint64_t need)
{
	if (need < LARGE)
		__atomic_store_n(
			&weft_rt_proc->is_spent, true, __ATOMIC_RELAXED);
	return false;
}

bool
weft_rt_budget_pay(struct stream *s, uint64_t end)
{
	uint64_t *spent = &weft_rt_proc->spent, was, need, step;
	const bool *is_spent = &weft_rt_proc->is_spent;

	if (!is_limited() || weft_rt_config.full == FULL_OVERWRITE ||
		end <= s->paid)
		return true;
	was = __atomic_load_n(spent, __ATOMIC_RELAXED);
	do {
		/* a handler may have paid meanwhile: the excess is given back
		 * at the end */
		need = end > s->paid ? end - s->paid : 0;
		if (need > left(was) ||
			__atomic_load_n(is_spent, __ATOMIC_RELAXED))
			return refuse(need);
		step = left(was) / STEP;
		step = step > need ? step : need;
	} while (!__atomic_compare_exchange_n(spent, &was, was + step, true,
		__ATOMIC_RELAXED, __ATOMIC_RELAXED));
	__atomic_fetch_add(&s->paid, step, __ATOMIC_RELAXED);
	return true;
}

void
weft_rt_budget_keep(struct stream *s, uint64_t size)
{
	if (!is_limited() || weft_rt_config.full == FULL_OVERWRITE ||
		s->ring->res + size <= s->paid)
		return;
	weft_rt_budget_spend(size);
	__atomic_fetch_add(&s->paid, size, __ATOMIC_RELAXED);
}

uint64_t
weft_rt_budget_limit(const struct stream *s, uint64_t limit)
{
	return !is_limited() || limit <= s->paid ||
			weft_rt_config.full == FULL_OVERWRITE
		? limit
		: s->paid;
}

void
weft_rt_budget_give(struct stream *s)
{
	uint64_t res = __atomic_load_n(&s->ring->res, __ATOMIC_RELAXED);

	if (!is_limited() || s->paid <= res)
		return;
	__atomic_fetch_sub(
		&weft_rt_proc->spent, s->paid - res, __ATOMIC_RELAXED);
	s->paid = res;
}

uint64_t
weft_rt_budget_share(uint64_t size)
{
	struct proc *p = weft_rt_proc;
	int n = __atomic_load_n(&p->nstreams, __ATOMIC_RELAXED);
	uint64_t share;

	if (!is_limited())
		return size;
	share = left(__atomic_load_n(&p->spent, __ATOMIC_RELAXED)) /
		(uint64_t)(n > 0 ? n : 1);
	return share < size ? share : size;
}

void
weft_rt_budget_spend(uint64_t size)
{
	if (is_limited())
		__atomic_fetch_add(
			&weft_rt_proc->spent, size, __ATOMIC_RELAXED);
}
