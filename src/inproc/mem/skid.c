/* SPDX-License-Identifier: MIT */
#include "inproc/mem/skid.h"

struct skid skid;

void
skid_note(uint64_t ip)
{
	uint64_t load = (uint64_t)(uintptr_t)skid.load;
	uint64_t next = (uint64_t)(uintptr_t)skid.next;

	if (ip < load || ip > next + 32)
		return; /* code between rounds */
	skid.tried++;
	skid.before += ip == next;
	skid.at += ip == load;
}

bool
skid_is_there(void)
{
	return skid.skid != MEM_SKID_NONE;
}

void
skid_write(struct mem_setup *r)
{
	r->skid = skid.skid;
	r->skid_hits = skid.skid == MEM_SKID_NONE ? skid.at : skid.before;
	r->skid_tried = skid.tried;
}
