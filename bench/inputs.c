/* SPDX-License-Identifier: MIT */
/*
 * inputs.c - reads files of other tools, and prints how fast each is beside the
 * least work that any reader must do, in the same run.
 *
 *	inputs DIR [RECORDS [ROUNDS]]
 *
 * The files, of RECORDS records, are made in DIR: a .prv file of 64 rows, and a
 * perf.data of switches of two CPUs. The floor of the .prv file splits and
 * parses every field of every line; the floor of perf.data goes from record to
 * record. A line is
 *
 *	INPUT records/s ratio-to-floor MB/s
 *
 * of the best of ROUNDS rounds, and at the end the peak of memory.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "bench.h"
#include "export/prv_in/prv_in.h"
#include "trace/source.h"

enum { ROWS = 64, STEP_NS = 200, WINDOW = 256 << 10 };
/* Where the records of perf.data begin. */
#define DATA (104 + sizeof(struct perf_event_attr) + 16)
#define RECORDS 5000000

static uint64_t count = RECORDS, counted;
static char prv[4096], perf[4096];
static uint64_t seed;

static uint32_t
random_next(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 32);
}

static FILE *
make(char *path, const char *dir, const char *name)
{
	FILE *f;

	snprintf(path, 4096, "%s/%s", dir, name);
	f = fopen(path, "wb");
	if (f == NULL)
		bench_die(BENCH_COULD_NOT, "%s: %s", path, strerror(errno));
	return f;
}

static void
make_prv(const char *dir)
{
	FILE *f = make(prv, dir, "inputs.prv");
	uint64_t time = 0;

	seed = 88172645463325252u;
	fprintf(f, "#Paraver (bench):%020" PRIu64 "_ns:0:1:1(%d:1)\n",
		count * STEP_NS, ROWS);
	for (uint64_t i = 0; i < count; i++) {
		time += random_next() % STEP_NS;
		fprintf(f, "2:0:1:1:%u:%" PRIu64 ":37:%u\n",
			random_next() % ROWS + 1, time, random_next() % 20);
	}
	fclose(f);
}

/* A context switch, as sample_id_all makes it with TID, TIME and CPU. */
struct switch_record {
	struct perf_event_header head;
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, zero;
};

static void
put_header(FILE *f, uint64_t bytes)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
		.size = sizeof attr,
		.sample_type =
			PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
		.sample_id_all = 1,
		.context_switch = 1 };
	/* Magic number, sizes, sections of attributes, data and event types,
	 * bits of features. */
	const uint64_t head[13] = { 0x32454c4946524550, 104, sizeof attr + 16,
		104, sizeof attr + 16, DATA, bytes };
	const uint64_t ids[2] = { 0 };

	fwrite(head, sizeof head, 1, f);
	fwrite(&attr, sizeof attr, 1, f);
	fwrite(ids, sizeof ids, 1, f);
}

/* Rounds of 4096 records, first those of one CPU and then of the other. */
static void
make_perf(const char *dir)
{
	FILE *f = make(perf, dir, "inputs.data");
	uint64_t rounds = (count + 4095) / 4096, time = 1000;
	const struct perf_event_header end = { .type = 68, .size = 8 };

	put_header(
		f, rounds * (4096 * sizeof(struct switch_record) + sizeof end));
	for (uint64_t round = 0; round < rounds; round++, time += 2048 * 500) {
		for (uint32_t i = 0; i < 4096; i++) {
			struct switch_record r = {
				.head = { PERF_RECORD_SWITCH,
					(uint16_t)(i % 2 == 0 ? 0 : 1 << 13),
					sizeof r }
			};

			r.cpu = i / 2048;
			r.pid = r.tid = 100 + i / 2 % 50;
			r.time = time + i % 2048 * 500;
			fwrite(&r, sizeof r, 1, f);
		}
		fwrite(&end, sizeof end, 1, f);
	}
	fclose(f);
}

/* Reads a file from that byte on through a window and hands over what is in it;
 * `use` returns how many bytes it has used. */
static void
read_through(const char *path, size_t from,
	size_t (*use)(const char *at, const char *end))
{
	char *window = malloc(WINDOW + 1);
	int fd = open(path, O_RDONLY);
	size_t n = 0;
	ssize_t got;

	if (fd < 0 || window == NULL || lseek(fd, (off_t)from, SEEK_SET) < 0)
		bench_die(BENCH_COULD_NOT, "%s: %s", path, strerror(errno));
	while ((got = read(fd, window + n, WINDOW - n)) > 0) {
		size_t used;

		n += (size_t)got;
		used = use(window, window + n);
		memmove(window, window + used, n - used);
		n -= used;
	}
	close(fd);
	free(window);
}

static uint64_t sum; /* keeps the compiler from leaving out the work */

static size_t
split_lines(const char *at, const char *end)
{
	const char *last = memrchr(at, '\n', (size_t)(end - at));

	for (const char *p = at; last != NULL && p < last; p++) {
		uint64_t field[8] = { 0 };
		int n = 0;

		for (; *p != '\n'; p++)
			if (*p == ':')
				n = (n + 1) & 7;
			else
				field[n] = field[n] * 10 + (uint64_t)(*p - '0');
		for (int i = 0; i < 8; i++)
			sum += field[i];
		counted++;
	}
	return last == NULL ? 0 : (size_t)(last + 1 - at);
}

static size_t
walk_records(const char *at, const char *end)
{
	const char *begin = at;

	while (end - at >= 8) {
		struct perf_event_header h;

		memcpy(&h, at, sizeof h);
		if (h.size < 8 || h.size > end - at)
			break;
		sum += h.type + h.misc;
		counted += h.type == PERF_RECORD_SWITCH;
		at += h.size;
	}
	return (size_t)(at - begin);
}

static void
floor_prv(void)
{
	read_through(prv, 0, split_lines);
}

static void
floor_perf(void)
{
	read_through(perf, DATA, walk_records);
}

static void
count_state(struct sink *s, const struct record *r)
{
	(void)s;
	sum += (uint64_t)r->value + (uint64_t)r->time;
	counted++;
}

static void
ignore(void *arg, const struct reader_finding *f)
{
	(void)arg;
	(void)f;
}

static void
read_prv(void)
{
	const struct sink_ops ops = { .name = "count", .state = count_state };
	struct reader_setup setup = { .path = prv, .finding = ignore };
	struct sink sink = { .ops = &ops };
	struct arena a = { 0 };
	struct err err = { 0 };
	struct reader *r = reader_prv.open(&a, &setup, &err);

	if (r == NULL || !reader_read(r, &sink, &err))
		bench_die(BENCH_COULD_NOT, "%s", err.text);
	reader_close(r);
	arena_fini(&a);
}

static void
read_perf(void)
{
	struct source_options options = { 0 };
	struct arena a = { 0 };
	struct findings fs;
	struct err err = { 0 };
	struct event ev;
	struct source *s;

	findings_init(&fs, &a, 1);
	s = sources_open(&a, perf, &options, &fs, &err);
	if (s == NULL)
		bench_die(BENCH_COULD_NOT, "%s", err.text);
	while (source_next(s, &ev) == SOURCE_EVENT) {
		sum += (uint64_t)ev.time;
		counted++;
	}
	source_close(s);
	arena_fini(&a);
}

struct job {
	const char *name, *path;
	void (*run)(void);
	double best; /* records per second of CPU */
};

static void
measure(struct job *job)
{
	double from = bench_cpu(), rate;

	counted = 0;
	job->run();
	rate = (double)counted / (bench_cpu() - from);
	if (counted < count)
		bench_die(BENCH_COULD_NOT, "%s: %" PRIu64 " records", job->name,
			counted);
	if (rate > job->best)
		job->best = rate;
}

int
main(int argc, char *argv[])
{
	struct job jobs[] = { { "prv floor", prv, floor_prv, 0 },
		{ "prv", prv, read_prv, 0 },
		{ "perf floor", perf, floor_perf, 0 },
		{ "perf", perf, read_perf, 0 } };
	int rounds = argc > 3 ? atoi(argv[3]) : 3;
	struct rusage usage;

	if (argc < 2)
		bench_die(BENCH_USAGE, "usage: inputs DIR [RECORDS [ROUNDS]]");
	if (argc > 2)
		count = strtoull(argv[2], NULL, 10);
	make_prv(argv[1]);
	make_perf(argv[1]);
	for (int round = 0; round < rounds; round++)
		for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++)
			measure(&jobs[i]);
	for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
		struct stat st = { 0 };

		stat(jobs[i].path, &st);
		printf("%-10s %6.1f M/s  %5.2f x  %6.0f MB/s\n", jobs[i].name,
			jobs[i].best * 1e-6,
			jobs[i].best / jobs[i / 2 * 2].best,
			jobs[i].best * (double)st.st_size / (double)count *
				1e-6);
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("peak memory %ld MiB (%" PRIu64 ")\n", usage.ru_maxrss >> 10,
		sum & 1);
	unlink(prv);
	unlink(perf);
	return 0;
}
