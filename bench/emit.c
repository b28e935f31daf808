/* SPDX-License-Identifier: MIT */
/*
 * emit.c - measures the ns per event of the recorder and of rdtsc, on one
 * pinned core.
 *
 * A burst fits in half the ring; the ring is written out between bursts, while
 * no time is measured. Each round measures all rows in turn. The program prints
 * the median of the rounds for each row, and its ratio to rdtsc. --sustained
 * records without a pause; the writer thread runs on the other core. --gaps
 * prints how long single turns of a loop took, with events and without.
 */
#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "bench.h"
#include "ovni.h"
#include "weft/nanos6.h"

enum { BURST = 16384, MAX_ROUNDS = 1001, NROWS = 13, PACED = 3 /* s */ };

static uint64_t
tsc(void)
{
#ifdef __x86_64__
	return __builtin_ia32_rdtsc();
#else
	return ovni_clock_now();
#endif
}

static void
empty(void)
{
	for (int i = 0; i < BURST; i++)
		__asm__ volatile("" : : "r"(i) : "memory");
}

static void
rdtsc_loop(void)
{
	for (int i = 0; i < BURST; i++)
		__asm__ volatile("" : : "r"(tsc()) : "memory");
}

static void
gettime_loop(void)
{
	struct timespec t;

	for (int i = 0; i < BURST; i++)
		clock_gettime(CLOCK_MONOTONIC, &t);
}

static void
event(void)
{
	for (int i = 0; i < BURST; i++)
		weft_ev("OB.");
}

static void
event_8(void)
{
	for (int i = 0; i < BURST; i++)
		weft_ev_u64("OB.", (uint64_t)i);
}

static void
event_16(void)
{
	uint64_t two[2] = { 1, 2 };

	for (int i = 0; i < BURST; i++)
		weft_ev_data("OB.", two, sizeof(two));
}

static void
five_calls(void)
{
	for (int i = 0; i < BURST; i++) {
		struct ovni_ev ev = { 0 };

		ovni_ev_set_clock(&ev, ovni_clock_now());
		ovni_ev_set_mcv(&ev, "OB.");
		ovni_ev_emit(&ev);
	}
}

static void
five_calls_8(void)
{
	for (uint64_t i = 0; i < BURST; i++) {
		struct ovni_ev ev = { 0 };

		ovni_ev_set_clock(&ev, ovni_clock_now());
		ovni_ev_set_mcv(&ev, "OB.");
		ovni_payload_add(&ev, (const uint8_t *)&i, sizeof(i));
		ovni_ev_emit(&ev);
	}
}

/* the gate of "~~" is closed before the first round */
static void
disabled(void)
{
	for (int i = 0; i < BURST; i++) {
		weft_ev_u64("~~~", (uint64_t)i);
		__asm__ volatile("" : : : "memory");
	}
}

static struct weft_ctf_tracepoint points[] = { WEFT_NANOS6_TRACEPOINTS{ 0 } };

static void
ctf_tc(void)
{
	weft_ctf_cpu(0);
	for (int i = 0; i < BURST / 2; i++) {
		weft_ctf_enter(&points[WEFT_NANOS6_TASKWAIT], 1);
		weft_ctf_exit(&points[WEFT_NANOS6_TASKWAIT], 1);
	}
	weft_ctf_leave();
}

static void
ctf_oc(void)
{
	weft_ctf_cpu(0);
	for (int i = 0; i < BURST / 2; i++) {
		weft_ctf_enter(&points[WEFT_NANOS6_UNBLOCK], 0);
		weft_ctf_exit(&points[WEFT_NANOS6_UNBLOCK], 0);
	}
	weft_ctf_leave();
}

static void
ctf_external(void)
{
	for (int i = 0; i < BURST / 2; i++) {
		weft_ctf_enter(&points[WEFT_NANOS6_UNBLOCK], 0);
		weft_ctf_exit(&points[WEFT_NANOS6_UNBLOCK], 0);
	}
}

/* Calls a tracepoint that is not declared, which costs as much as a tracepoint
 * that is switched off. */
static void
ctf_disabled(void)
{
	static struct weft_ctf_tracepoint off[1];

	for (int i = 0; i < BURST; i++) {
		weft_ctf_enter(&off[0], 1);
		__asm__ volatile("" : : : "memory");
	}
}

static struct row {
	const char *name;
	void (*run)(void);
	double ns[MAX_ROUNDS];
} rows[NROWS] = {
	{ "empty loop", empty, { 0 } },
	{ "rdtsc", rdtsc_loop, { 0 } },
	{ "clock_gettime(MONOTONIC)", gettime_loop, { 0 } },
	{ "weft_ev, no payload", event, { 0 } },
	{ "weft_ev_u64, 8 bytes", event_8, { 0 } },
	{ "weft_ev_data, 16 bytes", event_16, { 0 } },
	{ "ovni five calls, no payload", five_calls, { 0 } },
	{ "ovni five calls, 8 bytes", five_calls_8, { 0 } },
	{ "weft_ev_u64, switched off", disabled, { 0 } },
	{ "weft_ctf tc point, worker", ctf_tc, { 0 } },
	{ "weft_ctf oc point, worker", ctf_oc, { 0 } },
	{ "weft_ctf oc point, external", ctf_external, { 0 } },
	{ "weft_ctf point, switched off", ctf_disabled, { 0 } },
};

static int
less(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(double *v, int n)
{
	qsort(v, (size_t)n, sizeof(*v), less);
	return v[n / 2];
}

static void
burst(int rounds)
{
	double base;

	weft_gate['~' << 7 | '~'] = 0;
	weft_ctf_start(&(struct weft_ctf_runtime){
		.prefix = "nanos6", .points = points, .ncpus = 1 });
	for (int r = -1; r < rounds; r++)
		for (int i = 0; i < NROWS; i++) {
			double from;

			weft_dump();
			from = bench_wall();
			rows[i].run();
			if (r >= 0)
				rows[i].ns[r] =
					(bench_wall() - from) * 1e9 / BURST;
		}
	for (int i = 0; i < NROWS; i++)
		median(rows[i].ns, rounds);
	base = rows[1].ns[rounds / 2];
	printf("%-30s %8s %8s %8s\n", "row", "ns", "least", "x rdtsc");
	for (int i = 0; i < NROWS; i++)
		printf("%-30s %8.2f %8.2f %8.2f\n", rows[i].name,
			rows[i].ns[rounds / 2], rows[i].ns[0],
			rows[i].ns[rounds / 2] / base);
}

static void
sustained(uint64_t n)
{
	double from, ns, floor;
	uint64_t lost;

	ovni_flush();
	from = bench_wall();
	for (uint64_t i = 0; i < n; i++)
		__asm__ volatile("" : : "r"(tsc()) : "memory");
	floor = (bench_wall() - from) * 1e9 / (double)n;
	from = bench_wall();
	for (uint64_t i = 0; i < n; i++)
		weft_ev_u64("OB.", i);
	ns = (bench_wall() - from) * 1e9 / (double)n;
	lost = weft_lost();
	printf("sustained: %.2f ns per event, %.2f x rdtsc, %llu lost\n", ns,
		ns / floor, (unsigned long long)lost);
}

static int
less_u32(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Shares of a million turns: the printed time is the one that this share of the
 * turns does not exceed. */
enum { NSHARES = 5, TAIL = 3, REPEATS = 101 };
static const uint64_t shares[NSHARES] = { 500000, 990000, 999000, 999900,
	1000000 };

/* Keeps the smallest value of each share over all repeats, because other
 * programs of the machine can only increase it. */
static void
turns(uint32_t *ns, uint64_t n, bool with, uint32_t least[NSHARES])
{
	uint64_t last, now;

	ovni_flush();
	weft_ev("OB."); /* subtracts the events of the flush from the turns */
	last = ovni_clock_now();
	for (uint64_t i = 0; i < n; i++) {
		if (with)
			weft_ev_u64("OB.", i);
		now = ovni_clock_now();
		ns[i] = now - last > UINT32_MAX ? UINT32_MAX
						: (uint32_t)(now - last);
		last = now;
	}
	qsort(ns, n, sizeof(*ns), less_u32);
	for (int i = 0; i < NSHARES; i++) {
		uint32_t v = ns[(n - 1) * shares[i] / 1000000];

		least[i] = v < least[i] ? v : least[i];
	}
}

/* Prints how long turns of a loop take that reads the clock, and of a loop that
 * also records. */
static void
gaps(uint64_t n)
{
	uint32_t *ns = malloc(n * sizeof(*ns)), least[2][NSHARES];

	if (!ns)
		bench_die(BENCH_COULD_NOT, "no memory for %llu turns",
			(unsigned long long)n);
	memset(ns, 1, n * sizeof(*ns)); /* so that no turn has a page fault */
	memset(least, 0xff, sizeof(least));
	for (int i = 0; i < 2 * REPEATS; i++)
		turns(ns, n, i % 2 == 1, least[i % 2]);
	printf("%-10s %8s %8s %8s %8s %8s\n", "ns a turn", "p50", "p99",
		"p99.9", "p99.99", "max");
	for (int with = 0; with < 2; with++) {
		printf("%-10s", with ? "an event" : "no event");
		for (int i = 0; i < NSHARES; i++)
			printf(" %8u", least[with][i]);
		printf("\n");
	}
	printf("p99.99: %.2f x the loop's; %llu lost\n",
		least[1][TAIL] / (double)least[0][TAIL],
		(unsigned long long)weft_lost());
	free(ns);
}

/* Returns the resident bytes of this process, rings included. */
static double
resident(void)
{
	long pages = 0, all;
	FILE *f = fopen("/proc/self/statm", "r");

	if (!f || fscanf(f, "%ld %ld", &all, &pages) != 2)
		pages = 0;
	if (f)
		fclose(f);
	return (double)pages * 4096;
}

static pthread_barrier_t ready, over;

static void *
waiting_thread(void *records)
{
	if (records)
		weft_ev("OB.");
	pthread_barrier_wait(&ready);
	pthread_barrier_wait(&over);
	return NULL;
}

static double
memory_of(int n, void *records)
{
	pthread_t th[256];
	double all;

	pthread_barrier_init(&ready, NULL, (unsigned)n + 1);
	pthread_barrier_init(&over, NULL, (unsigned)n + 1);
	for (int i = 0; i < n; i++)
		pthread_create(&th[i], NULL, waiting_thread, records);
	pthread_barrier_wait(&ready);
	all = resident();
	pthread_barrier_wait(&over);
	for (int i = 0; i < n; i++)
		pthread_join(th[i], NULL);
	return all;
}

/* Prints the memory of recording threads beyond that of threads that do not
 * record. A ring counts twice, because it is mapped twice. */
static void
memory(int n)
{
	double without = memory_of(n, NULL);
	double with = memory_of(n, &ready);
	const char *kb = getenv("WEFT_RING_KB");
	double ring = (kb ? atof(kb) : 1024) * 1024;

	printf("memory: ring + %.1f KiB a thread\n",
		((with - without) / n - 2 * ring) / 1024);
}

/* Returns the CPU time of the collecting thread, in s. */
static double
writer_cpu(void)
{
	char path[64], name[32] = "";
	double ns = 0;

	for (int tid = getpid(); tid < getpid() + 8; tid++) {
		FILE *f;

		snprintf(path, sizeof(path), "/proc/self/task/%d/comm", tid);
		f = fopen(path, "r");
		if (f && fgets(name, sizeof(name), f) &&
			strncmp(name, "weft-writer", 11) == 0) {
			fclose(f);
			snprintf(path, sizeof(path),
				"/proc/self/task/%d/schedstat", tid);
			f = fopen(path, "r");
			if (f && fscanf(f, "%lf", &ns) != 1)
				ns = 0;
		}
		if (f)
			fclose(f);
	}
	return ns / 1e9;
}

/* Prints what collecting some 10 000 kernel events a second costs; needs root
 * and tracefs. */
static void
kernel(int seconds)
{
	double from, cpu;

	setenv("WEFT_KERNEL", "raw_syscalls:sys_enter", 1);
	weft_ctf_start(&(struct weft_ctf_runtime){
		.prefix = "nanos6", .points = points, .ncpus = 1 });
	cpu = writer_cpu();
	from = bench_wall();
	while (bench_wall() - from < seconds) {
		for (int i = 0; i < 100; i++)
			getppid();
		usleep(9900);
	}
	printf("kernel: %.2f %% of a core\n",
		(writer_cpu() - cpu) / seconds * 100);
}

static double start_us[100000];

static void *
one_thread(void *at)
{
	double from = bench_wall();

	weft_ev("OB.");
	*(double *)at = (bench_wall() - from) * 1e6;
	return NULL;
}

/* Prints how long the first event of a thread takes. The pause lets the writer
 * refill the pool of rings. */
static void
threads(int n)
{
	pthread_t th;

	for (int i = 0; i < n; i++) {
		if (pthread_create(&th, NULL, one_thread, &start_us[i]) != 0)
			bench_die(BENCH_COULD_NOT, "no more threads");
		pthread_join(th, NULL);
		usleep(2000);
	}
	printf("thread start: median %.1f us of %d\n", median(start_us, n), n);
}

/* Prints the share of a core that the writer uses while no thread records. */
static void
idle(int seconds)
{
	double from;
	struct rusage u, v;

	sleep(1); /* until the writer has finished its last work */
	from = bench_cpu();
	getrusage(RUSAGE_SELF, &u);
	sleep((unsigned)seconds);
	getrusage(RUSAGE_SELF, &v);
	printf("idle: %.3f %% of a core, %.0f switches per second\n",
		(bench_cpu() - from) / seconds * 100,
		(double)(v.ru_nvcsw - u.ru_nvcsw) / seconds);
}

/* Prints the share of a core that the writer uses while this thread records
 * `rate` events a second, and how often it sleeps. */
static void
paced(uint64_t rate)
{
	double from = bench_wall(), cpu = writer_cpu();
	struct rusage u, v;
	uint64_t n = 0;

	getrusage(RUSAGE_SELF, &u);
	for (; bench_wall() - from < PACED; n++) {
		weft_ev_u64("OB.", n);
		while (bench_wall() - from < (double)n / (double)rate)
			;
	}
	getrusage(RUSAGE_SELF, &v);
	printf("%8" PRIu64 " events a second: %.3f %% of a core, %.0f sleeps "
	       "per second\n",
		n / PACED, (writer_cpu() - cpu) / PACED * 100,
		(double)(v.ru_nvcsw - u.ru_nvcsw) / PACED);
}

static void
pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0)
		bench_die(BENCH_COULD_NOT, "cannot run on CPU %d: %s", cpu,
			strerror(errno));
}

static void
first_table(int nkernel, int rounds)
{
	if (nkernel > 0)
		kernel(nkernel);
	else if (rounds > 0)
		burst(rounds);
}

static const char usage[] =
	"[--rounds N] [--sustained N] [--gaps N] [--threads N] "
	"[--idle SECONDS] [--paced EVENTS] [--memory THREADS] "
	"[--kernel SECONDS]";

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "rounds", required_argument, NULL, 'r' },
		{ "sustained", required_argument, NULL, 's' },
		{ "gaps", required_argument, NULL, 'g' },
		{ "threads", required_argument, NULL, 't' },
		{ "idle", required_argument, NULL, 'i' },
		{ "paced", required_argument, NULL, 'p' },
		{ "kernel", required_argument, NULL, 'k' },
		{ "memory", required_argument, NULL, 'm' }, { NULL, 0, NULL, 0 }
	};
	int rounds = 101, nkernel = 0, nthreads = 0, nidle = 0, nmemory = 0, c;
	uint64_t nsustained = 0, ngaps = 0, rate = 0;
	double first;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == 'r')
			rounds = atoi(optarg);
		else if (c == 's')
			nsustained = strtoull(optarg, NULL, 10);
		else if (c == 'k')
			nkernel = atoi(optarg);
		else if (c == 't')
			nthreads = atoi(optarg);
		else if (c == 'm')
			nmemory = atoi(optarg);
		else if (c == 'i')
			nidle = atoi(optarg);
		else if (c == 'p')
			rate = strtoull(optarg, NULL, 10);
		else if (c == 'g')
			ngaps = strtoull(optarg, NULL, 10);
		else
			bench_die(BENCH_USAGE, "usage: emit %s", usage);
	}
	if (rounds < 1 || rounds > MAX_ROUNDS)
		bench_die(BENCH_USAGE, "rounds: 1 to %d", MAX_ROUNDS);
	ovni_proc_init(1, "bench", getpid());
	pin(sched_getcpu());
	first = bench_wall();
	ovni_thread_init(gettid());
	first = (bench_wall() - first) * 1e6;
	first_table(nkernel, argc < 3 || rounds != 101 ? rounds : 0);
	if (nsustained > 0)
		sustained(nsustained);
	if (ngaps > 0)
		gaps(ngaps);
	if (nmemory > 0)
		memory(nmemory < 256 ? nmemory : 256);
	if (nidle > 0)
		idle(nidle);
	if (rate > 0)
		paced(rate);
	if (nthreads > 0)
		printf("first thread, which makes its ring: %.1f us\n", first);
	if (nthreads > 0)
		threads(nthreads < 100000 ? nthreads : 100000);
	ovni_thread_free();
	ovni_proc_fini();
	return 0;
}
