/* SPDX-License-Identifier: MIT */
/*
 * floor_prv.c - does the least work that can produce thread.prv and cpu.prv
 * from a trace: merges the streams, formats the lines, writes them. There is no
 * model: a table of eight spans gives the value of an event code, and a small
 * stack per thread gives the value that a pop uncovers.
 *
 * The program writes all lines that the emulator writes, so that both outputs
 * have the same bytes. Three parts are optimised by hand: the beginning of a
 * line is prepared for each row, the end for each value, and only the last four
 * digits of the time are formatted again while the others stay the same.
 *
 * In these traces thread t happens to run on CPU t. The program does not use
 * that: it formats the two lines of an event one by one.
 */
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "bench.h"
#include "merge.h"

#define ROOM (1 << 20)
#define LINE_MAX_BYTES 128
#define DEPTH_MAX 64 /* spans inside one another */
#define LOW 10000    /* number of values of the last four digits */
#define POP 0x80     /* flag of an action; 0 means no action */

#define TYPE_SUBSYSTEM 37

enum mode { FULL, NO_WRITE, MERGE_ONLY };

struct out {
	char *at, *full; /* the buffer is flushed from this fill level on */
	char *buf;
	int fd; /* -1: output is discarded */
	uint64_t bytes, lines;
	char path[4096];
};

/* The text "2:CPU:1:1:ROW:" of one row. */
struct prefix {
	char text[32];
	uint32_t n;
};

/* The state of a thread. */
struct thread {
	struct prefix row[2]; /* indexes as in out[] */
	uint32_t cpu;
	uint32_t depth;
	uint8_t stack[DEPTH_MAX + 1]; /* stack[0] is nothing: 0 */
};

/* The text ":TYPE:VALUE\n" of one value. */
struct suffix {
	char text[16];
};

struct floor {
	struct merge merge;
	struct thread *thread;
	struct out out[2];         /* thread.prv, cpu.prv */
	struct suffix suffix[256]; /* by value */
	uint8_t suffix_n[256];     /* length of each */
	uint8_t action[1 << 16];   /* by 2nd and 3rd letter: value and POP */
	char high[24];             /* digits of the time but the last four */
	uint32_t high_n;
	uint64_t high_time; /* the time of these digits */
	uint64_t time;
	uint64_t events;
	uint64_t sum; /* keeps --merge-only from being optimised away */
};

/* clang-format off */
static const struct { char push[3], pop[3]; uint8_t value; } spans[] = {
	{ "W[", "W]", 19 }, { "S[", "S]",  9 }, { "Sa", "SA",  7 },
	{ "Ma", "MA", 16 }, { "Dr", "DR", 10 }, { "Bw", "BW", 12 },
	{ "U[", "U]",  4 }, { "Wr", "WR", 23 },
};

static const char pairs[] =
	"00010203040506070809" "10111213141516171819"
	"20212223242526272829" "30313233343536373839"
	"40414243444546474849" "50515253545556575859"
	"60616263646566676869" "70717273747576777879"
	"80818283848586878889" "90919293949596979899";
/* clang-format on */

static uint32_t
code_of(const char *letters)
{
	return (uint32_t)(uint8_t)letters[0] |
		(uint32_t)(uint8_t)letters[1] << 8;
}

static void
make_tables(struct floor *f)
{
	for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
		f->action[code_of(spans[i].push)] = spans[i].value;
		f->action[code_of(spans[i].pop)] = spans[i].value | POP;
	}
	for (int v = 0; v < 256; v++) {
		char text[32];
		int n = snprintf(
			text, sizeof text, ":%d:%d\n", TYPE_SUBSYSTEM, v);

		memcpy(f->suffix[v].text, text, 16);
		f->suffix_n[v] = (uint8_t)n;
	}
}

/* Lines of CPUs name the CPU of their row. */
static void
make_prefix(struct prefix *p, unsigned which, uint32_t row)
{
	p->n = (uint32_t)snprintf(p->text, sizeof p->text,
		"2:%u:1:1:%u:", which == 1 ? row : 0, row);
}

static void
out_open(struct out *o, struct arena *a, const char *dir, const char *name,
	enum mode mode)
{
	o->buf = arena_alloc(a, ROOM);
	o->at = o->buf;
	o->full = o->buf + ROOM - LINE_MAX_BYTES;
	o->fd = -1;
	if (mode != FULL)
		return;
	snprintf(o->path, sizeof o->path, "%s/%s", dir, name);
	o->fd = open(o->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (o->fd < 0)
		bench_die(BENCH_COULD_NOT, "cannot create %s: %s", o->path,
			strerror(errno));
}

__attribute__((noinline)) static void
out_flush(struct out *o)
{
	size_t n = (size_t)(o->at - o->buf);

	if (o->fd >= 0)
		bench_write(o->fd, o->buf, n, o->path);
	o->bytes += n;
	o->at = o->buf;
}

/* The header; the duration is patched by out_close(). */
static void
out_header(struct out *o, uint32_t rows, uint32_t cpus)
{
	o->at += sprintf(o->at,
		"#Paraver (19/01/38 at 03:14):%020u_ns:1(%u):1:1(%u:1)\n", 0u,
		cpus, rows);
	o->lines++;
}

static void
out_close(struct out *o, uint64_t duration)
{
	char text[24];

	out_flush(o);
	if (o->fd < 0)
		return;
	snprintf(text, sizeof text, "%020llu", (unsigned long long)duration);
	if (pwrite(o->fd, text, 20, 29) != 20 || close(o->fd) != 0)
		bench_die(BENCH_COULD_NOT, "cannot write %s: %s", o->path,
			strerror(errno));
}

/* Writes a line of any type: only for the few lines at a thread's start and
 * end. */
static void
put_line(
	struct floor *f, unsigned which, uint32_t row, int type, uint32_t value)
{
	struct out *o = &f->out[which];

	o->at +=
		sprintf(o->at, "2:%u:1:1:%u:%llu:%d:%u\n", which == 1 ? row : 0,
			row, (unsigned long long)f->time, type, value);
	o->lines++;
	if (o->at >= o->full)
		out_flush(o);
}

/* All rows of a thread get their first value when the thread starts. */
static void
start(struct floor *f, struct thread *th, const struct stream *s)
{
	static const int none[] = { 35, 36, 37, 38 };
	uint32_t row = s->id + 1, cpu_and_tid[2];

	memcpy(cpu_and_tid, s->at + 12, sizeof cpu_and_tid);
	th->cpu = cpu_and_tid[0] + 1;
	make_prefix(&th->row[0], 0, row);
	make_prefix(&th->row[1], 1, th->cpu);
	put_line(f, 0, row, 2, 1000 + s->id);
	put_line(f, 0, row, 4, 1);
	put_line(f, 0, row, 6, th->cpu);
	put_line(f, 1, th->cpu, 1, 1);
	put_line(f, 1, th->cpu, 2, 1000 + s->id);
	put_line(f, 1, th->cpu, 3, 1);
	put_line(f, 1, th->cpu, 7, 0);
	for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
		put_line(f, 0, row, none[i], 0);
		put_line(f, 1, th->cpu, none[i], 0);
	}
	put_line(f, 1, th->cpu, 39, 0);
	put_line(f, 0, row, 40, 100);
	put_line(f, 1, th->cpu, 40, 100);
	put_line(f, 0, row, 42, 0);
	put_line(f, 1, th->cpu, 42, 0);
}

/* Rows that repeat an equal value (36, 38) get a line, too. */
static void
stop(struct floor *f, struct thread *th, const struct stream *s)
{
	uint32_t row = s->id + 1;

	put_line(f, 0, row, 2, 0);
	put_line(f, 0, row, 4, 3);
	put_line(f, 0, row, 6, 0);
	put_line(f, 1, th->cpu, 1, 0);
	put_line(f, 1, th->cpu, 2, 0);
	put_line(f, 1, th->cpu, 3, 0);
	put_line(f, 0, row, 36, 0);
	put_line(f, 1, th->cpu, 36, 0);
	put_line(f, 0, row, 38, 0);
	put_line(f, 1, th->cpu, 38, 0);
	put_line(f, 0, row, 40, 0);
	put_line(f, 1, th->cpu, 40, 101);
}

/* Handles a start, an end, or an event that gen.c does not write. */
__attribute__((noinline)) static void
other_event(struct floor *f, struct thread *th, const struct stream *s)
{
	const char *code = (const char *)s->at + 1;

	if (memcmp(code, "OHx", 3) == 0 && s->at[0] == 15)
		start(f, th, s);
	else if (memcmp(code, "OHe", 3) == 0 && th->row[0].n > 0)
		stop(f, th, s);
	else
		bench_die(BENCH_COULD_NOT, "stream %u: unknown event %.3s",
			s->id, code);
}

/* Updates the digits above the last four. */
__attribute__((noinline)) static void
new_high(struct floor *f)
{
	uint64_t high = f->time / LOW;

	f->high_time = high * LOW;
	f->high_n = (uint32_t)snprintf(
		f->high, sizeof f->high, "%llu", (unsigned long long)high);
}

/* Returns a number below 10^4 as four characters in memory order. */
static inline uint32_t
four_digits(uint32_t low)
{
	uint32_t hundreds = low / 100;
	uint16_t pair[2];

	memcpy(&pair[0], pairs + 2 * hundreds, 2);
	memcpy(&pair[1], pairs + 2 * (low - 100 * hundreds), 2);
	return (uint32_t)pair[0] | (uint32_t)pair[1] << 16;
}

/* Pieces are copied with their whole buffer: the next piece overwrites the
 * rest. */
static inline void
put_span(struct out *o, const struct prefix *p, const struct floor *f,
	uint32_t low, unsigned value)
{
	char *to = o->at;

	memcpy(to, p->text, 24);
	to += p->n;
	memcpy(to, f->high, 24);
	to += f->high_n;
	memcpy(to, &low, 4);
	to += 4;
	memcpy(to, f->suffix[value].text, 16);
	to += f->suffix_n[value];
	o->at = to;
	if (__builtin_expect(to >= o->full, 0))
		out_flush(o);
}

/* Pushes or pops a value. Returns the state that the thread then has. */
static inline unsigned
step(struct thread *th, unsigned action)
{
	unsigned is_pop = action / POP, value = action % POP;

	if (__builtin_expect(is_pop ? th->stack[th->depth] != value
				    : th->depth == DEPTH_MAX,
		    0))
		bench_die(BENCH_COULD_NOT, "spans are not nested, or too deep");
	if (is_pop)
		return th->stack[--th->depth];
	th->stack[++th->depth] = (uint8_t)value;
	return value;
}

/* The first 10 us have no digits above the last four. */
__attribute__((noinline)) static void
early_span(
	struct floor *f, const struct thread *th, uint32_t row, unsigned value)
{
	put_line(f, 0, row, TYPE_SUBSYSTEM, value);
	put_line(f, 1, th->cpu, TYPE_SUBSYSTEM, value);
}

static inline void
put_event(struct floor *f, const struct stream *s)
{
	struct thread *th = &f->thread[s->id];
	uint32_t head, low;
	unsigned action, value;

	memcpy(&head, s->at, 4);
	action = f->action[head >> 16];
	if (__builtin_expect((head >> 8 & 255) != '6' || action == 0 ||
			    th->row[0].n == 0,
		    0)) {
		other_event(f, th, s);
		return;
	}
	value = step(th, action);
	if (__builtin_expect(f->time - f->high_time >= LOW, 0))
		new_high(f);
	if (__builtin_expect(f->high_time == 0, 0)) {
		early_span(f, th, s->id + 1, value);
		return;
	}
	low = four_digits((uint32_t)(f->time - f->high_time));
	put_span(&f->out[0], &th->row[0], f, low, value);
	put_span(&f->out[1], &th->row[1], f, low, value);
	f->out[0].lines++;
	f->out[1].lines++;
}

static void
remove_output(const char *dir)
{
	static const char *const names[] = { "thread.prv", "cpu.prv" };
	char path[4096];

	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, names[i]);
		if (unlink(path) != 0 && errno != ENOENT)
			bench_die(BENCH_COULD_NOT, "cannot remove %s: %s", path,
				strerror(errno));
	}
}

/* Makes the directory and removes old output before the clock starts, because
 * freeing its memory takes time. */
static void
prepare(const char *dir)
{
	if (mkdir(dir, 0777) != 0 && errno != EEXIST)
		bench_die(BENCH_COULD_NOT, "cannot create %s: %s", dir,
			strerror(errno));
	remove_output(dir);
}

static void
run_merge(struct floor *f)
{
	uint32_t i;

	while (merge_stream(&f->merge, &i)) {
		f->sum += f->merge.stream[i].at[2];
		f->time = merge_time(&f->merge);
		f->events++;
		merge_next(&f->merge, i);
	}
}

static void
run_prv(struct floor *f)
{
	uint32_t i;

	while (merge_stream(&f->merge, &i)) {
		f->time = merge_time(&f->merge);
		f->events++;
		put_event(f, &f->merge.stream[i]);
		merge_next(&f->merge, i);
	}
}

static void
run(struct floor *f, struct arena *a, const char *trace, const char *dir,
	enum mode mode)
{
	merge_open(&f->merge, a, trace);
	f->thread = ARENA_ARRAY(a, struct thread, f->merge.n);
	out_open(&f->out[0], a, dir, "thread.prv", mode);
	out_open(&f->out[1], a, dir, "cpu.prv", mode);
	if (mode == MERGE_ONLY) {
		run_merge(f);
	} else {
		out_header(&f->out[0], f->merge.n, f->merge.n);
		/* One more row, for the virtual CPU. */
		out_header(&f->out[1], f->merge.n + 1, f->merge.n);
		run_prv(f);
	}
	out_close(&f->out[0], f->time);
	out_close(&f->out[1], f->time);
	merge_close(&f->merge);
}

/* Seconds: of the wall clock, and of user and system time. */
struct cost {
	double wall, cpu;
};

static struct cost
cost_start(void)
{
	return (struct cost){ bench_wall(), bench_cpu() };
}

static struct cost
cost_since(struct cost start)
{
	return (struct cost){ bench_wall() - start.wall,
		bench_cpu() - start.cpu };
}

/* Writes the same number of bytes in the same pieces to two files, from the
 * contents of the buffers. */
static struct cost
time_write(struct floor *f, const char *dir)
{
	uint64_t left[2] = { f->out[0].bytes, f->out[1].bytes };
	uint64_t piece = (uint64_t)(f->out[0].full - f->out[0].buf);
	struct cost cost = cost_start();
	char path[2][4096];
	int fd[2];

	for (int i = 0; i < 2; i++) {
		snprintf(path[i], sizeof path[i], "%s/write-%d.tmp", dir, i);
		fd[i] = open(path[i], O_WRONLY | O_CREAT | O_TRUNC, 0666);
		if (fd[i] < 0)
			bench_die(BENCH_COULD_NOT, "cannot create %s: %s",
				path[i], strerror(errno));
	}
	while (left[0] + left[1] > 0) {
		for (int i = 0; i < 2; i++) {
			size_t n = left[i] < piece ? left[i] : piece;

			bench_write(fd[i], f->out[i].buf, n, path[i]);
			left[i] -= n;
		}
	}
	for (int i = 0; i < 2; i++)
		close(fd[i]);
	cost = cost_since(cost);
	for (int i = 0; i < 2; i++)
		unlink(path[i]);
	return cost;
}

static void
report(const struct floor *f, struct cost all, struct cost write)
{
	printf("streams     %u\n", f->merge.n);
	printf("events      %" PRIu64 "\n", f->events);
	printf("lines       %" PRIu64 "\n", f->out[0].lines + f->out[1].lines);
	printf("bytes       %" PRIu64 "\n", f->out[0].bytes + f->out[1].bytes);
	printf("wall_s      %.4f\n", all.wall);
	printf("cpu_s       %.4f\n", all.cpu);
	printf("Mev_per_s   %.2f\n", 1e-6 * (double)f->events / all.wall);
	if (write.wall == 0)
		return;
	printf("write_s     %.4f\n", write.wall);
	printf("write_cpu_s %.4f\n", write.cpu);
	printf("x_write     %.2f\n", all.wall / write.wall);
}

/* Prints the usage and exits with that code. */
__attribute__((noreturn)) static void
usage(int code)
{
	fprintf(code == 0 ? stdout : stderr,
		"usage: floor-prv [--discard] TRACE OUTDIR\n"
		"       floor-prv --no-write | --merge-only TRACE\n"
		"Merges the streams of a trace of gen and writes "
		"OUTDIR/thread.prv and cpu.prv,\nwith no model. Prints how "
		"long that took, and how long write() alone takes\nfor as "
		"many bytes (x_write: how many times that).\n\n"
		"  -d, --discard      remove the output once it is timed: "
		"write() then meets\n"
		"                     the same memory\n"
		"  -n, --no-write     merge and format, throw the text away\n"
		"  -m, --merge-only   merge\n"
		"  -h, --help         this text\n");
	exit(code);
}

static enum mode
read_options(int argc, char **argv, bool *discard)
{
	static const struct option options[] = {
		{ "discard", no_argument, NULL, 'd' },
		{ "no-write", no_argument, NULL, 'n' },
		{ "merge-only", no_argument, NULL, 'm' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	enum mode mode = FULL;
	int c;

	while ((c = getopt_long(argc, argv, "dnmh", options, NULL)) != -1) {
		if (c == 'd') {
			*discard = true;
		} else if (c == 'n') {
			mode = NO_WRITE;
		} else if (c == 'm') {
			mode = MERGE_ONLY;
		} else {
			usage(c == 'h' ? 0 : BENCH_USAGE);
		}
	}
	if (argc - optind != (mode == FULL ? 2 : 1) ||
		(*discard && mode != FULL))
		usage(BENCH_USAGE);
	return mode;
}

int
main(int argc, char **argv)
{
	bool discard = false;
	enum mode mode = read_options(argc, argv, &discard);
	const char *trace = argv[optind], *dir = argv[optind + 1];
	struct arena arena = { 0 };
	struct floor *f = ARENA_NEW(&arena, struct floor);
	struct cost all, write = { 0 };

	if (mode == FULL)
		prepare(dir);
	make_tables(f);
	all = cost_start();
	run(f, &arena, trace, dir, mode);
	all = cost_since(all);
	if (discard)
		remove_output(dir);
	if (mode == FULL)
		write = time_write(f, dir);
	report(f, all, write);
	arena_fini(&arena);
	return 0;
}
