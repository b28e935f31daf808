/* SPDX-License-Identifier: MIT */
/*
 * quiet.c - what an event does not do: no system call, no page fault, no wait.
 *
 * The thread forbids itself all system calls but exit, then records until
 * more has passed through the ring than it holds. A thread whose ring is half
 * full does call: it wakes the writer. So it goes on only when the writer has
 * come by, however long a busy machine keeps that from its CPUs.
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
#include "rt/ringfile.h"
#include "rt/run.h"
#include "test.h"
#include "weft/trace.h"

enum { EVENTS = 2000000, SOME = 1000, SECONDS = 100 };

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

/* Waits without a call until the ring has room for some events. */
static void
wait_for_writer(void)
{
	const struct ringfile *f =
		(const void *)((const char *)weft_self->head -
			offsetof(struct ringfile, head));
	uint64_t until = ovni_clock_now() + SECONDS * UINT64_C(1000000000);
	uint64_t most = f->size / 2 - SOME * 64;

	while (weft_self->res - __atomic_load_n(&f->tail, __ATOMIC_ACQUIRE) >
		most)
		if (ovni_clock_now() > until)
			syscall(SYS_exit_group, 79);
}

static void
record(void)
{
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
	for (uint64_t i = 0; i < EVENTS; i++) {
		if (i % SOME == 0)
			wait_for_writer();
		weft_ev_u64("OB.", i);
	}
	syscall(SYS_exit_group, faults() - before > 2 ? 78 : 0);
}

TEST(an_event_calls_nothing_and_faults_on_nothing)
{
	int status;

#ifdef RUN_SANITIZED
	TEST_SKIP("a sanitizer faults and calls by itself");
#endif
	setenv("WEFT_RING_KB", "32768", 1);
	run_fresh();
	status = run_again("record");
	unsetenv("WEFT_RING_KB");
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		TEST_SKIP("no seccomp here");
	CHECK_INT(status, 0); /* 31: a call; 78 and 79 times 256: see above */
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
