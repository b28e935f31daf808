/* SPDX-License-Identifier: MIT */
/* The same numbers at the same time, to LTTng and to weft/ctf.h. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "points.h"
#include <unistd.h>
#include <weft/ctf.h>

int
main(void)
{
	static struct weft_ctf_tracepoint points[] = {
		{ .name = "both", .fields = "u32 i" }, { 0 }
	};
	int array[] = { 1, 2, 3 };

	if (!weft_ctf_start(&(struct weft_ctf_runtime){
		    .prefix = "mine", .points = points, .ncpus = 1 }))
		return 1;
	for (int i = 0; i < 100; i++) {
		lttng_ust_tracepoint(weft_test, all, i, "text", array);
		weft_ctf_ev_u32(&points[0], (uint32_t)i);
		/* Most pairs follow at once, while the processor's caches still
		 * have both tracers. */
		if (i % 10 == 9)
			usleep(10000);
	}
	return 0;
}
