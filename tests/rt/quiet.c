/* SPDX-License-Identifier: MIT */
/*
 * quiet.c - what an event does not do: no system call, no page fault, no wait.
 *
 * The thread forbids itself all system calls but exit, then records until
 * more has passed through the ring than it holds. The ring is large and the
 * pace slow: the writer may be kept from a busy machine's CPUs for 0.4 s. If
 * it was kept longer, the thread drained its ring itself; then it tries again.
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

#include "ovni.h"
#include "rt/run.h"
#include "test.h"
#include "weft/trace.h"

enum { EVENTS = 2000000, TRIES = 4 };

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
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog all = { sizeof(rule) / sizeof(rule[0]), rule };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all) != 0)
		_exit(77);
}

static long
faults(void)
{
	struct rusage u;

	syscall(SYS_getrusage, RUSAGE_THREAD, &u);
	return u.ru_minflt + u.ru_majflt;
}

static void
pace(uint64_t until)
{
	while (ovni_clock_now() < until)
		;
}

static void
record(void)
{
	uint64_t from;
	long before;

	ovni_proc_init(1, "node.1", 1);
	ovni_thread_init(1);
	/* the writer wakes up and takes the first bytes */
	for (int i = 0; i < 300000; i++)
		weft_ev_u64("OB.", 0);
	ovni_flush();
	usleep(20000);
	forbid();
	before = faults();
	from = ovni_clock_now();
	for (uint64_t i = 0; i < EVENTS; i++) {
		weft_ev_u64("OB.", i);
		if (i % 1000 == 0)
			pace(from + i * 250);
	}
	syscall(SYS_exit_group, faults() - before > 2 ? 78 : 0);
}

TEST(an_event_calls_nothing_and_faults_on_nothing)
{
	int status = 0;

#ifdef RUN_SANITIZED
	TEST_SKIP("a sanitizer faults and calls by itself");
#endif
	setenv("WEFT_RING_KB", "32768", 1);
	for (int i = 0; i < TRIES; i++) {
		run_fresh();
		status = run_again("record");
		if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGSYS)
			break;
	}
	unsetenv("WEFT_RING_KB");
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		TEST_SKIP("no seccomp here");
	CHECK_INT(status, 0);
}

int
main(int argc, char **argv)
{
	static const struct test all[] = { RUN(
		an_event_calls_nothing_and_faults_on_nothing) };

	(void)argv;
	if (argc > 1)
		record();
	return test_run_all(all, 1);
}
