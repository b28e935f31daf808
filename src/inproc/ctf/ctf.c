/* SPDX-License-Identifier: MIT */
#include "inproc/ctf/ctf.h"

#include <string.h>

#include "inproc/core/confined.h"

struct ctf *weft_rt_ctf;

bool
weft_rt_ctf_records(void)
{
	return weft_rt_ctf_is_on() && !weft_rt_ctf_has_ended() &&
		!weft_rt_is_confined();
}

uint64_t
weft_rt_ctf_fields(const struct ctf_event *e, const unsigned char *fields)
{
	uint64_t n = e->has_text ? 0 : e->fixed;

	for (int i = 0; i < e->nfields && e->has_text; i++)
		n += e->size[i] != 0
			? e->size[i]
			: strnlen((const char *)fields + n, CTF_TEXT - 1) + 1;
	return n;
}
