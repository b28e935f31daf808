/* SPDX-License-Identifier: MIT */
/* The parts that record in a process and that the core calls. */
#include <stddef.h>

#include "inproc/core/begin.h"
#include "inproc/core/part.h"
#include "inproc/ctf/ctf.h"
#include "inproc/ctf/kernel.h"
#include "inproc/ovni/life.h"
#include "inproc/ovni/thread.h"

const struct part *const weft_rt_parts[] = { &weft_rt_core_part,
	&weft_rt_life_part, &weft_rt_ctf_part, &weft_rt_kernel_part, NULL };

/* The fields from path on are written before they are read: they need no
 * zeroing. */
const struct part_room weft_rt_part_room = { sizeof(struct thread),
	offsetof(struct thread, path) };
_Static_assert(sizeof(struct ctf_stream) < offsetof(struct thread, path),
	"a spare stream is zero where one of CTF lies");
