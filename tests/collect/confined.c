/* SPDX-License-Identifier: MIT */
/*
 * confined WAY - threads that give up their system calls by seccomp, and then
 * make only those that they kept: any other call kills the thread or the
 * process.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "confined.h"

enum { MANY = 300000 };

#define IS(number, action) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), \
		BPF_STMT(BPF_RET | BPF_K, action)
#define ALLOW(number) IS(number, SECCOMP_RET_ALLOW)

static struct sock_filter kept[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	ALLOW(SYS_write),
	ALLOW(SYS_nanosleep),
	ALLOW(SYS_clock_nanosleep),
	ALLOW(SYS_exit),
	ALLOW(SYS_exit_group),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
};

/* What a program needs to start. */
static struct sock_filter starts[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	ALLOW(SYS_access),
	ALLOW(SYS_arch_prctl),
	ALLOW(SYS_brk),
	ALLOW(SYS_clock_nanosleep),
	ALLOW(SYS_close),
	ALLOW(SYS_execve),
	ALLOW(SYS_exit_group),
	ALLOW(SYS_fstat),
	ALLOW(SYS_getrandom),
	ALLOW(SYS_mmap),
	ALLOW(SYS_mprotect),
	ALLOW(SYS_munmap),
	ALLOW(SYS_newfstatat),
	ALLOW(SYS_openat),
	ALLOW(SYS_pread64),
	ALLOW(SYS_prlimit64),
	ALLOW(SYS_read),
	ALLOW(SYS_rseq),
	ALLOW(SYS_set_robust_list),
	ALLOW(SYS_set_tid_address),
	ALLOW(SYS_write),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
};

/* A filter that forbids some calls with an error lets the recorder go on. */
static struct sock_filter refused[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	IS(SYS_acct, SECCOMP_RET_ERRNO | EACCES),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

/* Calls that only the recorder makes. */
static struct sock_filter ours[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	IS(SYS_mkdirat, SECCOMP_RET_KILL_PROCESS),
	IS(SYS_openat, SECCOMP_RET_KILL_PROCESS),
	IS(SYS_sigaltstack, SECCOMP_RET_KILL_PROCESS),
	IS(SYS_process_vm_readv, SECCOMP_RET_KILL_PROCESS),
	IS(SYS_pwritev, SECCOMP_RET_KILL_PROCESS),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

/* A file may be read only. */
static struct sock_filter reads[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		offsetof(struct seccomp_data, args[2])),
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT, 0, 1),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

/* The kernel takes no filter that jumps behind its end. */
static struct sock_filter jumps[] = {
	BPF_STMT(BPF_JMP | BPF_JA, UINT32_MAX),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

#define PROGRAM(of) \
	{ \
		sizeof of / sizeof *of, of \
	}

static struct sock_fprog keeps = PROGRAM(kept), begins = PROGRAM(starts),
			 refuses = PROGRAM(refused), kills = PROGRAM(ours),
			 only_reads = PROGRAM(reads), wrong = PROGRAM(jumps);

static void
use_locks(void)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	for (int i = 0; i < MANY; i++) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
}

static void
only_strict(void)
{
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0) != 0)
		fail("strict");
	use_locks();
	for (int i = 0; i < 1000; i++)
		say(i % 100 == 0 ? "strict\n" : "");
	syscall(SYS_exit, 5);
}

/* Filters need this, or a privilege. */
static void
give_up_privileges(void)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		fail("privileges");
}

static void
filter(struct sock_fprog *f)
{
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, f, 0, 0) != 0)
		fail("filter");
}

static void
filter_all(struct sock_fprog *f)
{
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		    SECCOMP_FILTER_FLAG_TSYNC, f) != 0)
		fail("all");
}

static void
work(const char *text)
{
	for (int i = 0; i < 5; i++)
		nap();
	use_locks();
	say(text);
}

static void *
strict_thread(void *none)
{
	nap();
	only_strict();
	return none;
}

static void *
filter_thread(void *none)
{
	nap();
	filter(&keeps);
	work("thread\n");
	syscall(SYS_exit, 0);
	return none;
}

static bool is_there, is_done;

static void *
plain_thread(void *none)
{
	__atomic_store_n(&is_there, true, __ATOMIC_RELEASE);
	work("");
	__atomic_store_n(&is_done, true, __ATOMIC_RELEASE);
	syscall(SYS_exit, 0);
	return none;
}

/* The kernel wakes the join of a thread that ends by the system call. */
static void
beside(void *(*run)(void *))
{
	pthread_t t;

	nap();
	pthread_create(&t, NULL, run, NULL);
	pthread_join(t, NULL);
	say("main\n");
}

static void *
made_thread(void *none)
{
	work("made\n");
	return none;
}

static int
made_c11(void *none)
{
	made_thread(none);
	return 0;
}

/* Its threads and its child are confined as well, the main thread is not. */
static void *
making_thread(void *none)
{
	pthread_t t;
	thrd_t c11;
	pid_t pid;

	nap();
	filter(&kills);
	pthread_create(&t, NULL, made_thread, NULL);
	pthread_join(t, NULL);
	thrd_create(&c11, made_c11, NULL);
	thrd_join(c11, NULL);
	pid = fork();
	if (pid == 0) {
		work("child\n");
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	return none;
}

static void
making_beside(void)
{
	give_up_privileges();
	beside(making_thread);
	nap();
}

static void
strict_beside(void)
{
	beside(strict_thread);
}

static void
filter_beside(void)
{
	give_up_privileges();
	beside(filter_thread);
}

static void
filter_main(void)
{
	give_up_privileges();
	filter(&keeps);
	work("filter\n");
}

/* The other thread sleeps when it becomes confined. */
static void
filter_both(void)
{
	pthread_t t;

	give_up_privileges();
	pthread_create(&t, NULL, plain_thread, NULL);
	while (!__atomic_load_n(&is_there, __ATOMIC_ACQUIRE))
		nap();
	filter_all(&keeps);
	work("all\n");
	while (!__atomic_load_n(&is_done, __ATOMIC_ACQUIRE))
		nap();
}

static void
filter_image(void)
{
	char self[] = "/proc/self/exe", none[] = "none";

	give_up_privileges();
	filter(&begins);
	execv(self, (char *[]){ none, none, NULL });
}

/* The environment of the new program is one of this program's own. */
static void
filter_own(void)
{
	char self[] = "/proc/self/exe", none[] = "none";
	char *own[100], **to = own;

	for (char **e = environ; *e != NULL && to < own + 99; e++)
		*to++ = strdup(*e);
	*to = NULL;
	give_up_privileges();
	filter(&begins);
	execve(self, (char *[]){ none, none, NULL }, own);
}

/* No variable can be written to. */
static void
filter_fixed(void)
{
	const char *list = getenv("LD_PRELOAD");
	char *text = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (text == MAP_FAILED)
		fail("mmap");
	snprintf(text, 8192, "LD_PRELOAD=%s", list == NULL ? "" : list);
	mprotect(text, 8192, PROT_READ);
	putenv(text);
	filter_image();
}

static void *
image_thread(void *none)
{
	nap();
	filter_image();
	return none;
}

static void
image_beside(void)
{
	beside(image_thread);
}

/* The thread would have a file. */
static void
filter_reads(void)
{
	pthread_t t;

	give_up_privileges();
	filter(&only_reads);
	pthread_create(&t, NULL, made_thread, NULL);
	pthread_join(t, NULL);
}

/* The recorder goes on. */
static void
refuse_wrong(void)
{
	give_up_privileges();
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &wrong, 0, 0) == 0)
		fail("wrong");
	work("wrong\n");
}

static void
refuse(void)
{
	give_up_privileges();
	filter(&refuses);
	work("refuses\n");
	errno = 0;
	if (syscall(SYS_acct, NULL) != -1 || errno != EACCES)
		fail("acct");
}

/* Programs ask in this way what the kernel knows. */
static void
ask(void)
{
	int r[3];

	r[0] = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0);
	r[1] = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 1, NULL);
	r[2] = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		SECCOMP_FILTER_FLAG_TSYNC, NULL);
	printf("%d %d %d %d\n", r[0], r[1], r[2], errno == EFAULT);
	fflush(stdout);
	work("asks\n");
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} way[] = { { "strict", only_strict },
		{ "strict-thread", strict_beside }, { "filter", filter_main },
		{ "filter-thread", filter_beside },
		{ "filter-all", filter_both }, { "filter-exec", filter_image },
		{ "thread-exec", image_beside }, { "filter-own", filter_own },
		{ "filter-fixed", filter_fixed },
		{ "filter-reads", filter_reads }, { "wrong", refuse_wrong },
		{ "filter-made", making_beside }, { "refuses", refuse },
		{ "asks", ask } };

	nap();
	for (size_t i = 0; i < sizeof way / sizeof *way; i++)
		if (argc > 1 && strcmp(argv[1], way[i].name) == 0)
			way[i].run();
	return 3;
}
