/* SPDX-License-Identifier: MIT */
/*
 * act.c - programs that a recorder of memory may easily break; the first
 * argument names one. Each prints what it computed and exits with a code of its
 * own, so that a run with the recorder can be compared with one without.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sources.h"
#include "weft/mem.h"

static volatile unsigned long sink;
static char *self;

static unsigned long
fill(void *p, size_t n)
{
	memset(p, 7, n);
	sink += ((unsigned char *)p)[n / 2];
	return sink;
}

/* Calls every function of the malloc family, and checks what each promises. */
static int
family(void)
{
	volatile size_t most = SIZE_MAX / 2;
	void *p = NULL, *q;
	char *text;

	p = malloc(5000);
	fill(p, 5000);
	p = realloc(p, 50000);
	printf("kept %d\n", ((char *)p)[4999]);
	free(p);
	p = calloc(100, 100);
	printf("zero %d\n", ((char *)p)[9999]);
	p = reallocarray(p, 100, 200);
	free(p);
	errno = 0;
	q = reallocarray(NULL, most, 3);
	printf("refused %d %d\n", q == NULL, errno == ENOMEM);
	q = calloc(most, 3);
	printf("refused %d\n", q == NULL);
	printf("code %d\n", posix_memalign(&p, 4096, 9000));
	printf("aligned %d\n", (int)((unsigned long)p % 4096));
	free(p);
	q = p;
	printf("code %d, same %d\n", posix_memalign(&p, 3, 9000), p == q);
	p = aligned_alloc(256, 2560);
	printf("aligned %d\n", (int)((unsigned long)p % 256));
	free(p);
	p = realloc(NULL, 2000);
	printf("gone %d\n", realloc(p, 0) == NULL);
	text = strdup("text");
	puts(text);
	free(text);
	free(NULL);
	errno = 5;
	free(malloc(2000));
	printf("errno %d\n", errno);
	return 7;
}

/* The child of a fork works on blocks of its parent; the recorder must not
 * count that as the child's. */
static int
inherits(void)
{
	void *old[10], *own[7];
	char *pages = mmap(NULL, 8 * 4096, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int status;

	for (int i = 0; i < 10; i++)
		fill(old[i] = malloc(3000), 3000);
	if (fork() == 0) {
		for (int i = 0; i < 5; i++)
			free(old[i]);
		for (int i = 0; i < 7; i++)
			fill(own[i] = malloc(3000), 3000);
		for (int i = 0; i < 3; i++)
			free(own[i]);
		old[5] = realloc(old[5], 3000);
		munmap(pages + 4096, 4096);
		munmap(pages, 8 * 4096);
		exit(0);
	}
	wait(&status);
	return status;
}

/* Unmaps, as its last call, a part of a mapping that it made long before. */
static int
trims(void)
{
	char *pages = mmap(NULL, 8 * 4096, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	fill(pages, 8 * 4096);
	for (clock_t until = clock() + CLOCKS_PER_SEC / 100; clock() < until;)
		;
	usleep(300000);
	return munmap(pages + 6 * 4096, 2 * 4096);
}

static int
leaves_quickly(void)
{
	fill(malloc(5000), 5000);
	quick_exit(9);
}

static int
maps(void)
{
	char *p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *heap = sbrk(8192);

	fill(p, 1 << 20);
	munmap(p + 65536, 65536); /* leaves a hole in the mapping */
	fill(p, 65536);
	fill(p + 131072, 65536);
	p = mremap(p, 65536, 131072, MREMAP_MAYMOVE);
	printf("kept %d\n", p[1]);
	printf("unmapped %d\n", munmap(p, 131072));
	printf("heap %d\n", heap != (void *)-1);
	fill(heap, 8192);
	printf("bad %d %d\n", munmap((void *)1, 4096), errno == EINVAL);
	return 0;
}

static volatile sig_atomic_t ticks;

static void
on_tick(int signal)
{
	void *p = malloc((size_t)(1000 + ticks % 100));

	(void)signal;
	free(p);
	ticks++;
}

/* Calls malloc in a signal handler. That is allowed unless the handler
 * interrupted the allocator: here it can only interrupt the recorder. */
static int
handlers(void)
{
	struct itimerval t = { { 0, 500 }, { 0, 500 } };
	char *block[64];

	signal(SIGALRM, on_tick);
	for (int i = 0; i < 64; i++)
		block[i] = malloc(4096);
	setitimer(ITIMER_REAL, &t, NULL);
	for (int i = 0; ticks < 200; i++)
		sink += (unsigned long)block[i % 64][0];
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
	for (int i = 0; i < 64; i++)
		free(block[i]);
	puts("done");
	return 0;
}

static void *
churn(void *rounds)
{
	for (long i = 0; i < (long)rounds; i++) {
		void *p = malloc((size_t)(1024 + i % 5000));

		fill(p, 1024);
		free(p);
	}
	return NULL;
}

static void *
forker(void *unused)
{
	int good = 0;

	(void)unused;
	for (int i = 0; i < 20; i++) {
		int status = 0, pid = fork();

		if (pid == 0) {
			churn((void *)100);
			_exit(i);
		}
		waitpid(pid, &status, 0);
		good += WIFEXITED(status) && WEXITSTATUS(status) == i;
	}
	return (void *)(long)good;
}

static int
forks(void)
{
	pthread_t churning, forking[2];
	void *good[2];

	pthread_create(&churning, NULL, churn, (void *)200000);
	for (int i = 0; i < 2; i++)
		pthread_create(&forking[i], NULL, forker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(forking[i], &good[i]);
	pthread_join(churning, NULL);
	printf("children %ld %ld\n", (long)good[0], (long)good[1]);
	return 0;
}

static int
become(void)
{
	fill(malloc(100000), 100000);
	execl(self, self, "family", (char *)NULL);
	return 99;
}

/* Loads and unloads a library; this program frees the blocks that the library
 * allocated. */
static int
loads(void)
{
	char path[4096];
	int n = 0;

	snprintf(path, sizeof(path), "%s/libact-plugin.so", getenv("ACT_LIBS"));
	for (int i = 0; i < 100; i++) {
		void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		void *(*make)(size_t);

		if (lib == NULL) {
			puts(dlerror());
			return 1;
		}
		*(void **)&make = dlsym(lib, "plugin_make");
		free(make(2000));
		n += dlclose(lib) == 0;
	}
	printf("loads %d\n", n);
	return 0;
}

static int
out_of_memory(void)
{
	struct rlimit r = { 512 << 20, 512 << 20 };
	void *volatile p;
	void *list[1000];
	int n = 0;

	setrlimit(RLIMIT_AS, &r);
	p = malloc(4096);
	fill(p, 4096);
	printf("too much %d\n", malloc(1 << 30) == NULL);
	printf("too much %d\n", realloc(p, 1 << 30) == NULL);
	printf("kept %d\n", ((char *)p)[4095]);
	while (n < 1000 && (list[n] = malloc(1 << 20)) != NULL)
		n++;
	printf("full %d\n", n > 300 && n < 1000);
	while (n > 0)
		free(list[--n]);
	printf("again %d\n", malloc(100 << 20) != NULL);
	return 0;
}

/* Writes into the slack after every block. */
static int
overruns(void)
{
	char *p[1000];

	for (int i = 0; i < 1000; i++) {
		p[i] = malloc(1032);
		memset(p[i], 1, 1033 - 1);
		p[i][1031] = 99;
		memset(p[i] + 1024, 0xff, 8);
	}
	for (int i = 0; i < 1000; i++)
		free(p[i]);
	puts("survived");
	return 0;
}

static void *
short_life(void *p)
{
	free(malloc(2048));
	return p;
}

static int
threads(void)
{
	int n = 0;

	for (int i = 0; i < 10000; i++) {
		pthread_t t;
		void *back = NULL;

		if (pthread_create(&t, NULL, short_life, &n) == 0 &&
			pthread_join(t, &back) == 0)
			n += back == &n;
	}
	printf("threads %d\n", n);
	return 0;
}

/* Allocates blocks that differ only in the function that allocates them. */
static __attribute__((noinline)) void *
site_a(void)
{
	return malloc(3000);
}

static __attribute__((noinline)) void *
site_b(void)
{
	return malloc(3000);
}

static int
sites(void)
{
	void *p[100];

	for (int i = 0; i < 100; i++)
		p[i] = i % 4 == 0 ? site_a() : site_b();
	for (int i = 0; i < 60; i++)
		free(p[i]);
	for (int i = 0; i < 100000; i++)
		free(malloc(100)); /* below the threshold */
	return 0;
}

static int
small_blocks(void)
{
	for (int i = 0; i < 300000; i++)
		sink += (unsigned long)malloc(64);
	return 0;
}

/* Returns the CPU time of this process in ms. Samples are taken by CPU time, so
 * their number does not depend on other load. */
static long
cpu_ms(void)
{
	return (long)(clock() / (CLOCKS_PER_SEC / 1000));
}

static int
killed(void)
{
	char *p = malloc(4 << 20);
	long end = cpu_ms() + 400;

	do {
		for (int i = 0; i < 4 << 20; i += 64)
			p[i]++;
	} while (cpu_ms() < end);
	kill(getpid(), SIGKILL);
	return 0;
}

/* Names parts of one block. */
static int
pools(void)
{
	char *block = malloc(16 << 20), *inner = block + (4 << 20);
	long end = cpu_ms() + 200;

	weft_mem_name(block, "whole");
	weft_mem_register(inner, 4 << 20, "part");
	weft_mem_register(inner + (8 << 20), 4 << 20, "gone");
	weft_mem_unregister(inner + (8 << 20));
	do {
		for (int i = 0; i < 4 << 20; i += 64) {
			inner[i]++;
			inner[i + (8 << 20)]++;
		}
	} while (cpu_ms() < end);
	puts("pools");
	return 0;
}

static void *
fill_small(void *arg)
{
	for (int i = 0; i < 4000; i++)
		fill(malloc(900), 900);
	return arg;
}

/* Makes real malloc arenas of threads, and memory that only looks like them.
 * The recorder does not see how the real ones are made: the C library does not
 * call mmap() for them. */
static int
arenas(void)
{
	unsigned long at = 0x600000000000, size = 1 << 20;
	void *p = (void *)syscall(SYS_mmap, at, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	struct heap {
		void *arena, *before;
		unsigned long size, usable;
	} *heap = p;
	pthread_t thread;

	fill(p, size);
	*heap = (struct heap){ heap + 1, NULL, size, size };
	pthread_create(&thread, NULL, fill_small, NULL);
	pthread_join(thread, NULL);
	fill(malloc(40 * size), 40 * size);
	puts("arenas");
	return 0;
}

/* Makes calls below a frame that is larger than the part of the stack in a
 * sample. */
static __attribute__((noinline)) long
below(volatile long *of)
{
	char local[64 << 10];
	long sum = 0;

	__asm__ volatile("" : : "r"(local) : "memory");
	for (int i = 0; i < 100000000; i++)
		sum += of[i % 512];
	return sum;
}

static int
deep(void)
{
	volatile long *of = calloc(512, sizeof(*of));

	printf("deep %ld\n", below(of));
	return 0;
}

/* Spins for 0.4 ms of CPU time, on slow machines and on fast ones. */
static void *
short_spin(void *arg)
{
	struct timespec used;

	do {
		for (int i = 0; i < 10000; i++)
			sink++;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	} while (used.tv_sec == 0 && used.tv_nsec < 400000);
	return arg;
}

/* Runs threads that each last for less than a millisecond. */
static int
short_threads(void)
{
	for (int i = 0; i < 2000; i++) {
		pthread_t t;

		if (pthread_create(&t, NULL, short_spin, NULL) == 0)
			pthread_join(t, NULL);
	}
	return 0;
}

/* Installs a seccomp filter that forbids all system calls that may open a
 * source of samples. */
static int
filtered(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog all = { sizeof(code) / sizeof(*code), code };

	wait_for_sources();
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all) != 0)
		return 1;
	puts("filtered");
	fflush(stdout);
	return short_threads();
}

/* Works for less than a millisecond. */
static int
brief(void)
{
	fill(malloc(3000), 3000);
	return 0;
}

static void *
spin(void *arg)
{
	for (int i = 0; i < 50000000; i++)
		sink++;
	return arg;
}

static void
team_of_two(void)
{
	pthread_t thread[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, spin, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
}

static int
team(void)
{
	int status = 1;
	pid_t child = fork();

	team_of_two();
	if (child == 0)
		exit(0);
	waitpid(child, &status, 0);
	printf("team %d\n", status);
	return 0;
}

static int
closes(void)
{
	fill(malloc(1 << 20), 1 << 20);
	for (int fd = 0; fd < 256; fd++)
		if (fd != 1)
			close(fd);
	usleep(50000);
	puts("closed");
	fflush(stdout);
	_exit(4);
}

int
main(int argc, char *argv[])
{
	static const struct {
		const char *name;
		int (*run)(void);
	} all[] = { { "family", family }, { "inherits", inherits },
		{ "trims", trims }, { "leaves-quickly", leaves_quickly },
		{ "maps", maps }, { "handlers", handlers }, { "forks", forks },
		{ "become", become }, { "loads", loads },
		{ "out-of-memory", out_of_memory }, { "overruns", overruns },
		{ "threads", threads }, { "sites", sites },
		{ "small", small_blocks }, { "killed", killed },
		{ "closes", closes }, { "pools", pools }, { "arenas", arenas },
		{ "deep", deep }, { "brief", brief },
		{ "short-threads", short_threads }, { "filtered", filtered },
		{ "team", team } };

	self = argv[0];
	for (size_t i = 0; argc > 1 && i < sizeof(all) / sizeof(*all); i++)
		if (strcmp(all[i].name, argv[1]) == 0)
			return all[i].run();
	return 2;
}
