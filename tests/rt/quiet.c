/* SPDX-License-Identifier: MIT */
/*
 * quiet.c - an event makes no system call, takes no page fault and does not
 * wait.
 *
 * The thread forbids itself all system calls except exit. Then it records more
 * than the ring can hold, once with a large ring and a hundred times with a
 * small one. A thread whose ring is half full makes a system call to wake the
 * writer. The test therefore goes on only when the writer has emptied the ring,
 * however long a busy machine keeps the writer waiting.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

#include "inproc/core/ringfile.h"
#include "ovni.h"
#include "rt/run.h"
#include "test.h"
#include "weft/trace.h"

enum { SIZE = 20, SECONDS = 100, WRAPS = 100 };
enum { NO_SECCOMP = 77, FAULTS, NO_WRITER, MOVES }; /* exit codes of a child */

static void
forbid(void)
{
	struct sock_filter rule[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getrusage, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_yield, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog all = { sizeof(rule) / sizeof(rule[0]), rule };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all) != 0)
		_exit(NO_SECCOMP);
}

static long
faults(void)
{
	struct rusage u;

	syscall(SYS_getrusage, RUSAGE_THREAD, &u);
	return u.ru_minflt + u.ru_majflt;
}

static const struct ringfile *
ring(void)
{
	return (const void *)((const char *)weft_self->head -
		offsetof(struct ringfile, head));
}

/* Waits, without calling the library, until the ring has room for some events
 * before it is half full. */
static void
wait_for_writer(uint64_t some)
{
	const struct ringfile *f = ring();
	uint64_t until = ovni_clock_now() + SECONDS * UINT64_C(1000000000);
	uint64_t most = f->size / 2 - some * SIZE;

	while (weft_self->res - __atomic_load_n(&f->tail, __ATOMIC_ACQUIRE) >
		most) {
		syscall(SYS_sched_yield);
		if (ovni_clock_now() > until)
			syscall(SYS_exit_group, NO_WRITER);
	}
}

/* Returns how often the ring's limit was moved. */
static uint64_t
fill(uint64_t wraps)
{
	uint64_t n = wraps * ring()->size / SIZE, some = ring()->size / 1024;
	uint64_t limit = weft_self->limit, moves = 0;

	for (uint64_t i = 0; i < n; i++) {
		if (i % some == 0)
			wait_for_writer(some);
		weft_ev_u64("OB.", i);
		moves += limit != weft_self->limit;
		limit = weft_self->limit;
	}
	return moves;
}

static void
record(uint64_t wraps)
{
	uint64_t moves;
	long before;

	ovni_proc_init(1, "node.1", 1);
	ovni_thread_init(1);
	/* lets the writer start and take the first bytes */
	for (int i = 0; i < 300000; i++)
		weft_ev_u64("OB.", 0);
	ovni_flush();
	/* records that the thread waited for the flush */
	weft_ev_u64("OB.", 0);
	usleep(20000);
	forbid();
	before = faults();
	moves = fill(wraps);
	if (faults() - before > 2)
		syscall(SYS_exit_group, FAULTS);
	/* the limit moves at least once per wrap of the ring, but not every few
	 * events */
	if (moves < wraps || moves > 32 * wraps + 32)
		syscall(SYS_exit_group, MOVES);
	syscall(SYS_exit_group, 0);
}

static void
run_quietly(const char *kb, const char *word)
{
	int status;

#ifdef RUN_SANITIZED
	TEST_SKIP("a sanitizer faults and calls by itself");
#endif
	setenv("WEFT_RING_KB", kb, 1);
	run_fresh();
	status = run_again(word);
	unsetenv("WEFT_RING_KB");
	if (WIFEXITED(status) && WEXITSTATUS(status) == NO_SECCOMP)
		TEST_SKIP("no seccomp here");
	/* 31: a forbidden system call; other values: an exit code times 256 */
	CHECK_INT(status, 0);
}

TEST(an_event_calls_nothing_and_faults_on_nothing)
{
	run_quietly("32768", "once");
}

TEST(a_ring_that_wraps_often_calls_nothing_and_faults_on_nothing)
{
	run_quietly("64", "often");
}

int
main(int argc, char **argv)
{
	static const struct test all[] = {
		RUN(an_event_calls_nothing_and_faults_on_nothing),
		RUN(a_ring_that_wraps_often_calls_nothing_and_faults_on_nothing)
	};

	if (argc > 1)
		record(strcmp(argv[1], "often") == 0 ? WRAPS : 2);
	return test_run_all(all, 2);
}
