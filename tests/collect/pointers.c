/* SPDX-License-Identifier: MIT */
/*
 * pointers - calls functions with pointers to nothing, each in a child, and
 * prints what they return, or the signal that ends the child.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* What the calls may use. */
static int fd, null, udp, epoll, semaphores, messages;
static char name[] = "/nowhere/at/all", *const none[] = { name, NULL };
static struct timespec soon = { 0, 1000000 };
static struct pollfd one;
static struct epoll_event event;
static sigset_t set;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static mtx_t mtx;
static sem_t sem;
static pid_t pid;

/* A row is a call with the pointer `bad`. */
#define CALLS(ROW) \
	ROW(nanosleep(bad, NULL)) \
	ROW(clock_nanosleep(CLOCK_MONOTONIC, 0, bad, NULL)) \
	ROW(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, bad, NULL)) \
	ROW(thrd_sleep(bad, NULL)) \
	ROW(sigtimedwait(&set, NULL, bad)) \
	ROW(sigtimedwait(bad, NULL, &soon)) \
	ROW(sigwaitinfo(bad, NULL)) \
	ROW(sigsuspend(bad)) \
	ROW(poll(bad, 1, 1)) \
	ROW(ppoll(bad, 1, &soon, NULL)) \
	ROW(ppoll(&one, 1, bad, NULL)) \
	ROW(ppoll(&one, 0, &soon, bad)) \
	ROW(select(1, bad, NULL, NULL, NULL)) \
	ROW(select(0, NULL, NULL, NULL, bad)) \
	ROW(pselect(0, NULL, NULL, NULL, bad, NULL)) \
	ROW(pselect(0, NULL, NULL, NULL, &soon, bad)) \
	ROW(epoll_wait(epoll, bad, 1, 1)) \
	ROW(epoll_pwait(epoll, &event, 1, 1, bad)) \
	ROW(epoll_pwait2(epoll, &event, 1, bad, NULL)) \
	ROW(open(bad, O_RDONLY)) \
	ROW(openat(AT_FDCWD, bad, O_RDONLY)) \
	ROW(creat(bad, 0600)) \
	ROW(stat(bad, NULL)) \
	ROW(stat("/", bad)) \
	ROW(lstat(bad, NULL)) \
	ROW(fstatat(AT_FDCWD, bad, NULL, 0)) \
	ROW(rename(bad, name)) \
	ROW(rename(name, bad)) \
	ROW(renameat(AT_FDCWD, bad, AT_FDCWD, name)) \
	ROW(unlink(bad)) \
	ROW(unlinkat(AT_FDCWD, bad, 0)) \
	ROW(mkdir(bad, 0700)) \
	ROW(rmdir(bad)) \
	ROW(opendir(bad) == NULL ? -1 : 0) \
	ROW(fopen(bad, "r") == NULL ? -1 : 0) \
	ROW(read(fd, bad, 1)) \
	ROW(readv(fd, bad, 1)) \
	ROW(pread(fd, bad, 1, 0)) \
	ROW(preadv(fd, bad, 1, 0)) \
	ROW(preadv2(fd, bad, 1, 0, 0)) \
	ROW(write(fd, bad, 1)) \
	ROW(writev(fd, bad, 1)) \
	ROW(pwrite(fd, bad, 1, 0)) \
	ROW(pwritev(fd, bad, 1, 0)) \
	ROW(pwritev2(fd, bad, 1, 0, 0)) \
	ROW(copy_file_range(fd, bad, null, NULL, 1, 0)) \
	ROW(sendfile(null, fd, bad, 1)) \
	ROW(splice(fd, bad, null, NULL, 1, 0)) \
	ROW(fcntl(fd, F_SETLKW, bad)) \
	ROW(fcntl(fd, F_OFD_SETLKW, bad)) \
	ROW(connect(udp, bad, sizeof(struct sockaddr_in))) \
	ROW(sendto(udp, "x", 1, 0, bad, sizeof(struct sockaddr_in))) \
	ROW(send(udp, bad, 1, 0)) \
	ROW(recv(udp, bad, 1, MSG_DONTWAIT)) \
	ROW(sendmsg(udp, bad, 0)) \
	ROW(recvmsg(udp, bad, 0)) \
	ROW(recvmmsg(udp, bad, 1, 0, NULL)) \
	ROW(sendmmsg(udp, bad, 1, 0)) \
	ROW(semop(semaphores, bad, 1)) \
	ROW(semtimedop(semaphores, &(struct sembuf){ 0, -1, 0 }, 1, bad)) \
	ROW(msgsnd(messages, bad, 1, 0)) \
	ROW(msgrcv(messages, bad, 1, 0, IPC_NOWAIT)) \
	ROW(syscall(SYS_futex, bad, FUTEX_WAIT, 0, NULL)) \
	ROW(syscall(SYS_futex, bad, FUTEX_WAKE, 1)) \
	ROW(waitpid(-1, bad, 0)) \
	ROW(wait4(-1, bad, 0, bad)) \
	ROW(waitid(P_ALL, 0, bad, WEXITED)) \
	ROW(execve(bad, none, none)) \
	ROW(execve("/bin/true", bad, none)) \
	ROW(execve("/bin/true", none, bad)) \
	ROW(execv(bad, none)) \
	ROW(execvp(bad, none)) \
	ROW(execl(bad, name, (char *)NULL)) \
	ROW(execveat(AT_FDCWD, bad, none, none, 0)) \
	ROW(execveat(fd, bad, none, none, 0)) \
	ROW(fexecve(fd, none, bad)) \
	ROW(posix_spawn(&pid, bad, NULL, NULL, none, none)) \
	ROW(posix_spawn(&pid, "/bin/true", NULL, NULL, none, bad)) \
	ROW(prctl(PR_SET_NAME, bad)) \
	ROW(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, bad)) \
	ROW(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, bad)) \
	ROW(pthread_mutex_timedlock(&mutex, bad)) \
	ROW(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, bad)) \
	ROW(pthread_rwlock_timedrdlock(&rwlock, bad)) \
	ROW(pthread_cond_timedwait(&cond, &mutex, bad)) \
	ROW(mtx_timedlock(&mtx, bad)) \
	ROW(sem_timedwait(&sem, bad))

#define NAME(call) #call,
#define CASE(call) \
	case __COUNTER__ - FIRST: \
		return (long)(call);

static const char *const calls[] = { CALLS(NAME) };

enum { FIRST = __COUNTER__ + 1, NCALLS = sizeof calls / sizeof *calls };

/* Makes a call by its number. */
static long
make(int number, void *bad)
{
	switch (number) {
		CALLS(CASE)
	}
	return 0;
}

static void
prepare(void)
{
	fd = open("/dev/zero", O_RDWR);
	null = open("/dev/null", O_RDWR);
	udp = socket(AF_INET, SOCK_DGRAM, 0);
	epoll = epoll_create1(0);
	semaphores = semget(IPC_PRIVATE, 1, 0600);
	messages = msgget(IPC_PRIVATE, 0600);
	sigemptyset(&set);
	mtx_init(&mtx, mtx_timed);
	sem_init(&sem, 0, 1);
}

static void
in_child(int number, void *bad)
{
	struct rlimit no_core = { 0 };
	long r;

	setrlimit(RLIMIT_CORE, &no_core);
	errno = 0;
	r = make(number, bad);
	printf(" %ld %s", r, r == 0 || errno == 0 ? "" : strerror(errno));
	fflush(stdout);
	_exit(0);
}

static void
try(int number, void *bad)
{
	int status = 0;
	pid_t child;

	printf("%s:", calls[number]);
	fflush(stdout);
	child = fork();
	if (child == 0)
		in_child(number, bad);
	waitpid(child, &status, 0);
	if (WIFSIGNALED(status))
		printf(" signal %d", WTERMSIG(status));
	printf("\n");
}

int
main(void)
{
	/* no page, and one that nobody may read */
	void *bad[] = { (void *)8,
		mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			0) };

	prepare();
	for (int i = 0; i < NCALLS; i++)
		for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
			try(i, bad[k]);
	semctl(semaphores, 0, IPC_RMID);
	msgctl(messages, IPC_RMID, NULL);
	return 0;
}
