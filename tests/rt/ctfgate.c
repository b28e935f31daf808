/* SPDX-License-Identifier: MIT */
/*
 * ctfgate.c - events while recording is on, off, and on again: numbers, calls,
 * and threads, which are always recorded.
 */
#include <stdio.h>

#include "weft/ctf.h"

enum { NUMBER, CALL, THREAD, NPOINTS };

static struct weft_ctf_point points[NPOINTS + 1] = {
	[NUMBER] = { .name = "number", .fields = "u64 n" },
	[CALL] = { .name = "call",
		.fields = "u32 n",
		.variants = WEFT_CTF_TC | WEFT_CTF_OC },
	[THREAD] = { .name = "thread",
		.fields = "u32 n",
		.does = WEFT_CTF_KEPT },
};
static struct weft_ctf_point later[] = { { .name = "later", .fields = "u32 n" },
	{ 0 } };

static void
all(uint32_t n)
{
	weft_ctf_ev_u64(&points[NUMBER], n);
	weft_ctf_enter_u32(&points[CALL], 0, n);
	weft_ctf_exit(&points[CALL], 0);
	weft_ctf_ev_u32(&points[THREAD], n);
	weft_ctf_ev_u32(later, n);
}

int
main(void)
{
	weft_ctf_start(&(struct weft_ctf_runtime){
		.prefix = "mine", .points = points, .ncpus = 1 });
	weft_ctf_cpu(0);
	all(1);
	weft_off();
	all(2);
	weft_ctf_declare(later);
	all(3);
	weft_on();
	all(4);
	weft_ctf_leave();
	puts("acted");
	return 7;
}
