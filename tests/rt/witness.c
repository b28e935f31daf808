/* SPDX-License-Identifier: MIT */
/*
 * witness FILE [HOW [N]] - records numbered events, and counts in FILE before
 * and after each one: two 64-bit numbers for main, and two more for a signal
 * handler.
 *
 * HOW: exit (the default), kill, segv, abort, quick or child after N events;
 * with N = 0 never. fast: without pauses; handler: a signal handler records as
 * well. ctf-HOW: the same on CPU 0 of a CTF trace.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rt/witness.h"
#include "weft/ctf.h"

static struct weft_counter seq = WEFT_COUNTER(1, "Number");
static struct weft_ctf_tracepoint points[] = {
	{ .name = "number", .fields = "u64 n" }, { 0 }
};
static int is_ctf;
static struct witness *witness;

static void
emit(int origin)
{
	struct witness *w = &witness[origin];
	uint64_t n = w->begun + 1;

	w->begun = n;
	n |= (uint64_t)origin << WITNESS_SHIFT;
	if (is_ctf)
		weft_ctf_ev_u64(&points[0], n);
	else
		weft_count(&seq, (int64_t)n);
	n = w->begun;
	w->done = n;
}

static void
on_alarm(int sig)
{
	(void)sig;
	emit(WITNESS_HANDLER);
}

static void
record(uint64_t n, const char *how)
{
	struct itimerval every = { { 0, 50 }, { 0, 50 } };
	int is_handler = strcmp(how, "handler") == 0;
	int is_fast = is_handler || strcmp(how, "fast") == 0;

	emit(WITNESS_MAIN);
	if (is_handler) {
		signal(SIGALRM, on_alarm);
		setitimer(ITIMER_REAL, &every, NULL);
	}
	for (uint64_t i = 2; n == 0 || i <= n; i++) {
		emit(WITNESS_MAIN);
		if (!is_fast && i % 16 == 0)
			usleep(1); /* pauses, so that the trace stays small */
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
		wait(NULL); /* only the child is killed */
		return 0;
	}
	if (strcmp(how, "child") == 0)
		how = "kill";
	witness = memset(page, 0, 4096);
	is_ctf = strncmp(how, "ctf-", 4) == 0;
	if (is_ctf) {
		weft_ctf_start(&(struct weft_ctf_runtime){
			.prefix = "mine", .points = points, .ncpus = 1 });
		weft_ctf_cpu(0);
		how += 4;
	}
	record(n, how);
	end(how);
	return 7;
}
