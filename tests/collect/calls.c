/* SPDX-License-Identifier: MIT */
/*
 * calls.c - programs that block in system calls, for the test `calls`. The
 * first argument chooses one. What they print on standard output must be the
 * same with and without the library that records waits; on standard error each
 * prints the times that it measured itself, as "read 3 5012345" (calls, ns).
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "doze.h"

enum { TIMES = 20 };

static void
tell(const char *what, int n, long since)
{
	fprintf(stderr, "%s %d %ld\n", what, n, now() - since);
}

/* Starts a child that writes a byte every ms. */
static int
slow_writer(int to, int from)
{
	int pid = fork();

	if (pid != 0)
		return pid;
	close(from);
	for (int i = 0; i < TIMES; i++) {
		doze(MS);
		if (write(to, "x", 1) != 1)
			_exit(1);
	}
	_exit(3);
}

static void
pipes(void)
{
	int fd[2], pid, status, n = 0;
	char c;
	long since;

	if (pipe(fd) != 0)
		abort();
	pid = slow_writer(fd[1], fd[0]);
	close(fd[1]);
	since = now();
	while (read(fd[0], &c, 1) == 1)
		n++;
	tell("read", n + 1, since);
	since = now();
	waitpid(pid, &status, 0);
	tell("child", 1, since);
	printf("%d bytes, code %d\n", n, WEXITSTATUS(status));
}

static void
polls(void)
{
	int fd[2], pid, n = 0, ep = epoll_create1(0);
	struct epoll_event ev = { .events = EPOLLIN };
	struct timeval t = { 0, 20000 };
	fd_set in;
	char c;
	long since;

	if (pipe(fd) != 0)
		abort();
	pid = slow_writer(fd[1], fd[0]);
	close(fd[1]);
	fcntl(fd[0], F_SETFL, O_NONBLOCK);
	since = now();
	while (poll(&(struct pollfd){ fd[0], POLLIN, 0 }, 1, -1) == 1 &&
		read(fd[0], &c, 1) == 1)
		n++;
	tell("poll", n + 1, since);
	printf("poll %d, read %zd", n, read(fd[0], &c, 1));
	printf(" errno %d\n", errno);
	waitpid(pid, NULL, 0);
	ev.data.fd = 1;
	epoll_ctl(ep, EPOLL_CTL_ADD, 0, &ev);
	FD_ZERO(&in);
	since = now();
	printf("select %d", select(0, &in, NULL, NULL, &t));
	printf(" poll %d", poll(NULL, 0, 20));
	printf(" epoll %d\n", epoll_wait(ep, &ev, 0, 20));
	tell("poll", 2, since);
	printf("errno %d\n", errno);
}

static void *
serve(void *arg)
{
	int at = *(int *)arg, fd = accept(at, NULL, NULL);
	char c;

	while (read(fd, &c, 1) == 1) {
		doze(MS);
		send(fd, "y", 1, MSG_NOSIGNAL);
	}
	close(fd);
	return NULL;
}

static void
sockets(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof a;
	int at = socket(AF_INET, SOCK_STREAM, 0),
	    fd = socket(AF_INET, SOCK_STREAM, 0);
	pthread_t server;
	long since, in = 0;
	char c;

	if (bind(at, (struct sockaddr *)&a, sizeof a) != 0 ||
		listen(at, 1) != 0 ||
		getsockname(at, (struct sockaddr *)&a, &size) != 0)
		abort();
	pthread_create(&server, NULL, serve, &at);
	printf("connect %d\n", connect(fd, (struct sockaddr *)&a, size));
	for (int i = 0; i < TIMES; i++) {
		printf("send %zd", send(fd, "x", 1, 0));
		since = now();
		printf(" recv %zd\n", recv(fd, &c, 1, 0));
		in += now() - since;
	}
	fprintf(stderr, "receive %d %ld\n", TIMES, in);
	close(fd);
	pthread_join(server, NULL);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	close(at);
	printf("refused %d", connect(fd, (struct sockaddr *)&a, size));
	printf(" errno %d\n", errno == ECONNREFUSED);
}

static void
on_alarm(int signal)
{
	(void)signal;
}

static void
sleeps(void)
{
	struct timespec t;
	long since = now(), timed;
	sigset_t set;

	usleep(20000);
	doze(20 * MS);
	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_nsec += 20 * MS;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	printf("until %d",
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL));
	tell("sleep", 3, since);
	printf(" wrong %d", nanosleep(&(struct timespec){ 0, -1 }, NULL));
	printf(" errno %d\n", errno);
	signal(SIGALRM, on_alarm);
	ualarm(20000, 0);
	since = now();
	printf("pause %d", pause());
	tell("signal", 1, since);
	printf(" errno %d\n", errno);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	t = (struct timespec){ 0, MS };
	timed = now();
	printf("timed %d", sigtimedwait(&set, NULL, &t));
	timed = now() - timed;
	printf(" errno %d\n", errno);
	fprintf(stderr, "signal 1 %ld\n", timed);
	ualarm(5000, 0);
	since = now();
	printf("left %u\n", sleep(1) > 0);
	tell("sleep", 1, since);
}

/* Files, with and without streams, and descriptors that are closed. */
static void
files(void)
{
	char name[] = "/tmp/weft-calls-XXXXXX", line[64] = "";
	int fd = mkstemp(name), other;
	FILE *f;
	long since = now();

	if (fd < 0)
		abort();
	for (int i = 0; i < 200; i++) {
		if (write(fd, "hello\n", 6) != 6)
			abort();
		if (i % 10 == 0)
			fsync(fd);
	}
	tell("sync", 20, since);
	printf("size %ld\n", (long)lseek(fd, 0, SEEK_CUR));
	f = fopen(name, "r");
	printf("line %s", fgets(line, sizeof line, f));
	printf("char %d", getc(f));
	printf(" read %zu\n", fread(line, 1, 7, f));
	fclose(f);
	printf("close %d", close(fd));
	printf(" again %d", close(fd));
	printf(" errno %d\n", errno);
	printf("read %zd", read(fd, line, 1));
	printf(" errno %d\n", errno);
	other = open(name, O_RDWR | O_APPEND);
	printf("lock %d unlock %d\n", flock(other, LOCK_EX),
		flock(other, LOCK_UN));
	printf("none %d", open("/nowhere/at/all", O_RDONLY));
	printf(" errno %d\n", errno);
	unlink(name);
	close_range(3, ~0u, 0);
	printf("all closed %zd\n", write(other, "x", 1));
	fd = open("/dev/null", O_WRONLY);
	printf("first %d\n", fd);
}

/* A stream without a descriptor, whose recording changes no errno, and a path
 * without memory. */
static void
memory(void)
{
	char text[64];
	const char *volatile nowhere = (const char *)1;
	FILE *f = fmemopen(text, sizeof text, "w");

	if (f == NULL)
		abort();
	setbuf(f, NULL);
	errno = 0;
	fprintf(f, "%d", 1);
	fputs("2", f);
	printf("errno %d", errno);
	fclose(f);
	printf(" %d\n", errno);
	/* paths that cannot be read are for the kernel to refuse */
	printf("open %d", open(nowhere, O_RDONLY));
	printf(" errno %d\n", errno);
}

/* A thread is cancelled in a read, and a handler leaves one by longjmp(). */
static void *
read_on(void *arg)
{
	char c;

	while (read(*(int *)arg, &c, 1) >= 0)
		;
	return NULL;
}

static sigjmp_buf back;

static void
leave(int signal)
{
	(void)signal;
	siglongjmp(back, 1);
}

static void
left(void)
{
	int fd[2];
	pthread_t other;
	void *result;
	char c;

	if (pipe(fd) != 0)
		abort();
	pthread_create(&other, NULL, read_on, &fd[0]);
	doze(20 * MS);
	pthread_cancel(other);
	pthread_join(other, &result);
	printf("cancelled %d\n", result == PTHREAD_CANCELED);
	signal(SIGALRM, leave);
	if (sigsetjmp(back, 1) == 0) {
		ualarm(10000, 0);
		printf("read %zd\n", read(fd[0], &c, 1));
	} else {
		doze(MS);
		printf("back\n");
	}
}

/* A child of fork that executes nothing waits, too. */
static void
forks(void)
{
	int pid = fork(), status;

	if (pid == 0) {
		doze(20 * MS);
		_exit(4);
	}
	wait(&status);
	pid = vfork();
	if (pid == 0)
		_exit(5);
	printf("%d", WEXITSTATUS(status));
	waitpid(pid, &status, 0);
	printf(" %d\n", WEXITSTATUS(status));
}

/* Returns a descriptor from which a byte can be read after some time. */
static int
later(void)
{
	int fd[2];

	if (pipe(fd) != 0)
		abort();
	if (fork() == 0) {
		doze(3 * MS);
		_exit(write(fd[1], "x", 1) != 1);
	}
	close(fd[1]);
	return fd[0];
}

/* Connects without blocking, after a poll, to a peer that sends later. */
static void
connect_later(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof at;
	int to = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
	struct pollfd p = { socket(AF_INET, SOCK_STREAM, 0), POLLOUT, 0 };
	char c;

	if (bind(to, (struct sockaddr *)&at, size) != 0 || listen(to, 1) != 0 ||
		getsockname(to, (struct sockaddr *)&at, &size) != 0)
		abort();
	fprintf(stderr, "peer tcp 127.0.0.1:%d\n", ntohs(at.sin_port));
	if (fork() == 0) {
		int other = accept(to, NULL, NULL);

		doze(3 * MS);
		_exit(write(other, "x", 1) != 1);
	}
	poll(&p, 1, 1);
	ioctl(p.fd, FIONBIO, &yes);
	connect(p.fd, (struct sockaddr *)&at, size);
	poll(&p, 1, -1);
	yes = 0;
	ioctl(p.fd, FIONBIO, &yes);
	printf("received %zd\n", recv(p.fd, &c, 1, 0));
	close(p.fd);
	close(to);
	wait(NULL);
}

/* Reads from descriptors whose numbers, or inodes, other files had before. */
static void
renamed(void)
{
	char folder[] = "/tmp/weft-calls-XXXXXX", c;
	int fd = later();
	FILE *f;

	connect_later();
	if (read(fd, &c, 1) != 1 || syscall(SYS_close, fd) != 0 ||
		later() != fd || read(fd, &c, 1) != 1)
		abort();
	close(fd);
	f = popen("sleep 0.003; echo x", "r"); /* NOLINT(cert-env33-c) */
	fd = f == NULL ? -1 : fileno(f);
	if (read(fd, &c, 1) != 1 || pclose(f) != 0 || later() != fd ||
		read(fd, &c, 1) != 1 || mkdtemp(folder) == NULL ||
		chdir(folder) != 0)
		abort();
	close(fd);
	for (const char *name = "ab"; *name != '\0'; name++) {
		char path[] = { *name, '\0' };

		if (mkfifo(path, 0600) != 0)
			abort();
		if (fork() == 0) {
			fd = open(path, O_WRONLY);
			doze(3 * MS);
			_exit(write(fd, "x", 1) != 1);
		}
		if (freopen(path, "r", stdin) == NULL || read(0, &c, 1) != 1)
			abort();
		unlink(path);
	}
	rmdir(folder);
	while (wait(NULL) > 0)
		;
}

/* Waits for a child by its descriptor. */
static void
descriptor(void)
{
	siginfo_t info;
	int pid = fork(), fd;

	if (pid == 0) {
		doze(5 * MS);
		_exit(6);
	}
	fd = (int)syscall(SYS_pidfd_open, pid, 0);
	fprintf(stderr, "peer process %d\n", pid);
	waitid(P_PIDFD, (id_t)fd, &info, WEXITED);
	printf("%d\n", info.si_status);
}

/* Blocks until it is killed. */
static void
hang(void)
{
	int fd[2];
	char c;

	if (pipe(fd) != 0)
		abort();
	printf("hangs\n");
	fflush(stdout);
	if (fork() == 0) {
		doze(50 * MS);
		kill(getppid(), SIGKILL);
		_exit(0);
	}
	printf("%zd\n", read(fd[0], &c, 1));
}

int
main(int argc, char *argv[])
{
	static const struct {
		const char *name;
		void (*run)(void);
	} all[] = { { "pipes", pipes }, { "polls", polls },
		{ "sockets", sockets }, { "sleeps", sleeps },
		{ "files", files }, { "memory", memory }, { "left", left },
		{ "forks", forks }, { "hang", hang }, { "renamed", renamed },
		{ "descriptor", descriptor } };

	doze(MS / 100); /* the recording begins before what is measured */
	for (size_t i = 0; argc > 1 && i < sizeof all / sizeof *all; i++)
		if (strcmp(argv[1], all[i].name) == 0) {
			all[i].run();
			return 0;
		}
	return 2;
}
