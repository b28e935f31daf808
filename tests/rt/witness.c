/* SPDX-License-Identifier: MIT */
/* witness FILE [HOW [N]] - records events with numbers, and counts in the file
 * before and after each: two 64-bit numbers. HOW: kill, segv, abort, exit (the
 * default) or fork after N events; N 0: never. */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "weft/trace.h"

static struct weft_counter seq = WEFT_COUNTER(1, "Number");

static void
record(volatile uint64_t *count, uint64_t n)
{
	for (uint64_t i = 1; n == 0 || i <= n; i++) {
		count[0] = i;
		weft_count(&seq, (int64_t)i);
		count[1] = i;
		if (i % 16 == 0)
			usleep(1); /* so that the trace stays small */
	}
}

static void
end(const char *how)
{
	if (strcmp(how, "kill") == 0)
		kill(getpid(), SIGKILL);
	if (strcmp(how, "segv") == 0)
		raise(SIGSEGV);
	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "quick") == 0)
		_exit(5);
}

int
main(int argc, char **argv)
{
	const char *how = argc > 2 ? argv[2] : "exit";
	uint64_t n = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
	int fd = argc > 1 ? open(argv[1], O_RDWR | O_CREAT, 0600) : -1;
	void *page = MAP_FAILED;

	if (fd >= 0 && ftruncate(fd, 4096) == 0)
		page = mmap(
			NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		return 1;
	if (strcmp(how, "child") == 0 && fork() != 0) {
		wait(NULL); /* who dies is a child */
		return 0;
	}
	if (strcmp(how, "child") == 0)
		how = "kill";
	record(page, n);
	end(how);
	return 7;
}
