/* SPDX-License-Identifier: MIT */
#include "emu/numbers.h"

#include "emu/core.h"
#include "emu/hwc.h"
#include "emu/models/models.h"

bool
numbers_next(const struct model *m, int *pos, int64_t *number)
{
	int i = (*pos)++;

	if (i < m->nchans) {
		*number = m->chans[i].number;
		return true;
	}
	i -= m->nchans;
	if (m->breakdown != NULL && i-- == 0) {
		*number = m->breakdown->number;
		return true;
	}
	if (m->hwc_from != 0 && i < HWC_MAX) {
		*number = m->hwc_from + i;
		return true;
	}
	if (m != &model_ovni || i >= THREAD_CORE + CPU_CORE + MARK_TYPES)
		return false;
	if (i < THREAD_CORE)
		*number = view_core_thread[i].number;
	else if (i < THREAD_CORE + CPU_CORE)
		*number = view_core_cpu[i - THREAD_CORE].number;
	else
		*number = MARK_FIRST_NUMBER + i - THREAD_CORE - CPU_CORE;
	return true;
}

bool
numbers_has(const struct model *m, int64_t number)
{
	int64_t n;

	for (int pos = 0; numbers_next(m, &pos, &n);)
		if (n == number)
			return true;
	return false;
}
