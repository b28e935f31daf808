/* SPDX-License-Identifier: MIT */
#include "trace/window.h"

#include <stdint.h>
#include <sys/resource.h>

#define ALL_BYTES (4u << 20)
#define WINDOW_MIN (4u << 10)
#define WINDOW_MAX (32u << 10)
#define WINDOW_FIRST 512
#define OTHER_FILES 64 /* file descriptors that streams leave to others */

size_t
window_size(int nstreams)
{
	size_t size = ALL_BYTES / (size_t)(nstreams > 0 ? nstreams : 1);

	if (size < WINDOW_MIN)
		return WINDOW_MIN;
	return size > WINDOW_MAX ? WINDOW_MAX : size & ~(size_t)4095;
}

size_t
window_first(int nstreams)
{
	size_t size = window_size(nstreams);

	return size * (size_t)nstreams > ALL_BYTES ? WINDOW_FIRST : size;
}

bool
window_may_stay_open(int nstreams)
{
	struct rlimit files;

	return getrlimit(RLIMIT_NOFILE, &files) == 0 &&
		(uint64_t)nstreams + OTHER_FILES <= files.rlim_cur;
}
