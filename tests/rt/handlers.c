/* SPDX-License-Identifier: MIT */
/*
 * handlers.c - signal handlers record events in the middle of other events:
 * none is torn, lost or goes back in time. The argument is the number of events
 * that the thread records itself.
 *
 * Two timers of the thread interrupt it and each other. Every event has its
 * origin and a number that counts the events of that origin.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#include "ovni.h"
#include "rt/run.h"
#include "test.h"
#include "weft/trace.h"

enum { ORIGINS = 3 };

static uint64_t nevents = 1000000;
static uint64_t count[ORIGINS];

static void
emit(unsigned origin)
{
	/* records of 12, 20 and 28 bytes: all alignments, and the ring wraps
	 * often */
	uint64_t two[2] = { (uint64_t)origin << 56 | count[origin]++, 0 };

	two[1] = ~two[0];
	weft_ev_data("OB.", two, origin == 0 && two[0] % 3 == 0 ? 8 : 16);
}

static void
on_signal(int sig)
{
	for (int i = 0; i < 3; i++)
		emit(sig == SIGUSR1 ? 1 : 2);
}

static void
timer(int sig, long ns)
{
	struct sigaction act = { .sa_handler = on_signal,
		.sa_flags = SA_RESTART };
	struct sigevent ev = { .sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = sig };
	struct itimerspec every = { { 0, ns }, { 0, ns } };
	timer_t t;

	ev._sigev_un._tid = (int)gettid();
	sigaction(sig, &act, NULL);
	if (timer_create(CLOCK_MONOTONIC, &ev, &t) != 0 ||
		timer_settime(t, 0, &every, NULL) != 0)
		_exit(79);
}

static void
record(void)
{
	sigset_t both;

	weft_ev("OB.");
	timer(SIGUSR1, 23000);
	timer(SIGUSR2, 31000);
	for (uint64_t i = 0; i < nevents; i++)
		emit(0);
	sigemptyset(&both);
	sigaddset(&both, SIGUSR1);
	sigaddset(&both, SIGUSR2);
	sigprocmask(SIG_BLOCK, &both, NULL);
	dprintf(2, "%llu %llu %llu %llu\n", (unsigned long long)count[0],
		(unsigned long long)count[1], (unsigned long long)count[2],
		(unsigned long long)weft_lost());
	exit(0);
}

struct found {
	uint64_t next[ORIGINS], last;
	uint64_t torn, lost, backward;
};

static size_t
check_one(struct found *f, const unsigned char *r)
{
	unsigned nibble = r[0] & 15u;
	size_t n = nibble ? nibble + 1 : 0;
	uint64_t time, two[2] = { 0 };
	unsigned origin;

	memcpy(&time, r + 4, 8);
	memcpy(two, r + 12, n);
	f->backward += time < f->last;
	f->last = time;
	if (memcmp(r + 1, "OB.", 3) != 0 || n == 0) {
		f->torn += r[1] != 'O';
		return 12 + n;
	}
	origin = (unsigned)(two[0] >> 56);
	if (origin >= ORIGINS || (n == 16 && two[1] != ~two[0])) {
		f->torn++;
		return 12 + n;
	}
	f->lost += (two[0] & 0xffffffffffffff) != f->next[origin];
	f->next[origin] = (two[0] & 0xffffffffffffff) + 1;
	return 12 + n;
}

/* Maps the stream, which may be larger than the free memory. */
static void
check_all(struct found *f, const char *path)
{
	int fd = open(path, O_RDONLY);
	size_t size = fd < 0 ? 0 : (size_t)lseek(fd, 0, SEEK_END);
	unsigned char *all = size == 0
		? MAP_FAILED
		: mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);

	if (fd >= 0)
		close(fd);
	CHECK(all != MAP_FAILED);
	if (all == MAP_FAILED)
		return;
	for (size_t at = 8; at + 12 <= size;)
		at += check_one(f, all + at);
	munmap(all, size);
}

TEST(nothing_is_torn_lost_or_backward)
{
	unsigned long long n[ORIGINS] = { 0 }, lost = 1;
	struct found f = { 0 };

	run_fresh();
	CHECK_INT(run_child(record), 0);
	sscanf(run_said, "%llu %llu %llu %llu", &n[0], &n[1], &n[2], &lost);
	printf("# %llu events, %llu and %llu of handlers\n", n[0], n[1], n[2]);
	check_all(&f, run_find("stream.obs"));
	CHECK_INT(f.torn, 0);
	CHECK_INT(f.lost, 0);
	CHECK_INT(f.backward, 0);
	CHECK_INT(lost, 0);
	CHECK(n[1] > 0 && n[2] > 0);
	for (int i = 0; i < ORIGINS; i++)
		CHECK_INT(f.next[i], n[i]);
}

int
main(int argc, char **argv)
{
	static const struct test all[] = { RUN(
		nothing_is_torn_lost_or_backward) };

	if (argc > 1)
		nevents = strtoull(argv[1], NULL, 10);
	return test_run_all(all, 1);
}
