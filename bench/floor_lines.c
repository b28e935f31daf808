/* SPDX-License-Identifier: MIT */
/*
 * floor_lines.c - the floor of any emulation into PRV: writes the lines of
 * thread.prv and cpu.prv again, from records in memory.
 *
 * Reading the lines into records is not measured. Writing formats each record
 * as its line, in the order of time, with the fastest digits that the project
 * has, and writes both files; no event is read and no model run.
 */
#include <fcntl.h>
#include <inttypes.h>

#include "base/arena.h"
#include "base/digits.h"
#include "base/file.h"
#include "bench.h"

enum { FILES = 2, ROOM = 1 << 16, LINE_MAX_BYTES = 128, PREFIX = 24 };

/* A line "2:CPU:1:1:ROW:TIME:TYPE:VALUE". */
struct record {
	uint64_t time, value;
	uint32_t type;
	uint32_t row; /* its prefix */
};

struct prefix {
	char text[PREFIX];
	uint32_t n;
};

struct lines {
	struct record *record;
	size_t n;
	const char *header;
	size_t header_n;
	struct prefix *prefix; /* by row */
	uint64_t bytes;
};

static uint64_t
number(const char **at)
{
	uint64_t value = 0;

	while (**at >= '0' && **at <= '9')
		value = 10 * value + (uint64_t)(*(*at)++ - '0');
	++*at; /* ':' or the end of the line */
	return value;
}

static void
read_line(struct lines *l, const char *at, uint32_t rows)
{
	const char *begin = at;
	struct record *r = &l->record[l->n++];
	struct prefix *p;

	for (int i = 0; i < 4; i++)
		number(&at);
	r->row = (uint32_t)number(&at);
	if (r->row > rows || at - begin > PREFIX)
		bench_die(BENCH_COULD_NOT, "a line with a row %u", r->row);
	p = &l->prefix[r->row];
	p->n = (uint32_t)(at - begin);
	memcpy(p->text, begin, p->n);
	r->time = number(&at);
	r->type = (uint32_t)number(&at);
	r->value = number(&at);
}

static void
read_lines(struct arena *a, struct lines *l, const char *dir, const char *name)
{
	struct err err = { 0 };
	size_t size, n = 0;
	const char *text = file_read(a, arena_printf(a, "%s/%s", dir, name),
		SIZE_MAX / 2, &size, &err);
	const char *end;

	if (text == NULL)
		bench_die(BENCH_COULD_NOT, "%s", err.text);
	end = text + size;
	for (const char *at = text; at < end; at++)
		n += *at == '\n';
	l->record = arena_alloc(a, n * sizeof *l->record);
	l->prefix = arena_alloc(a, (1 << 16) * sizeof *l->prefix);
	l->header = text;
	l->header_n = (size_t)((char *)memchr(text, '\n', size) + 1 - text);
	for (const char *at = text + l->header_n; at < end;
		at = (char *)memchr(at, '\n', (size_t)(end - at)) + 1)
		read_line(l, at, (1 << 16) - 1);
}

/* A file that is being written. */
struct file {
	const struct lines *lines;
	size_t next;
	char *buf, *at;
	int fd;
	uint64_t bytes;
};

static void
flush(struct file *f)
{
	size_t n = (size_t)(f->at - f->buf);

	if (f->fd >= 0)
		bench_write(f->fd, f->buf, n, "the output");
	f->bytes += n;
	f->at = f->buf;
}

static inline void
put(struct file *f)
{
	const struct record *r = &f->lines->record[f->next++];
	const struct prefix *p = &f->lines->prefix[r->row];
	char *to = f->at;

	memcpy(to, p->text, PREFIX);
	to = digits_u64(to + p->n, r->time);
	*to++ = ':';
	to = digits_u64(to, r->type);
	*to++ = ':';
	to = digits_u64(to, r->value);
	*to++ = '\n';
	f->at = to;
	if (to > f->buf + ROOM - LINE_MAX_BYTES)
		flush(f);
}

/* Writes both files in the order of time. */
static void
write_all(struct file f[FILES])
{
	for (int i = 0; i < FILES; i++) {
		memcpy(f[i].at, f[i].lines->header, f[i].lines->header_n);
		f[i].at += f[i].lines->header_n;
	}
	for (;;) {
		bool more[FILES];
		int i;

		for (i = 0; i < FILES; i++)
			more[i] = f[i].next < f[i].lines->n;
		if (!more[0] && !more[1])
			break;
		i = !more[0] ||
			(more[1] &&
				f[1].lines->record[f[1].next].time <
					f[0].lines->record[f[0].next].time);
		put(&f[i]);
	}
	for (int i = 0; i < FILES; i++)
		flush(&f[i]);
}

int
main(int argc, char *argv[])
{
	static const char *const name[FILES] = { "thread.prv", "cpu.prv" };
	struct arena a = { 0 };
	struct lines lines[FILES] = { 0 };
	struct file f[FILES] = { 0 };
	double from;

	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: floor-lines DIR [OUTDIR]\n");
		return BENCH_USAGE;
	}
	for (int i = 0; i < FILES; i++) {
		read_lines(&a, &lines[i], argv[1], name[i]);
		f[i] = (struct file){ .lines = &lines[i],
			.buf = arena_alloc(&a, ROOM),
			.fd = -1 };
		f[i].at = f[i].buf;
		if (argc == 3)
			f[i].fd = open(
				arena_printf(&a, "%s/%s", argv[2], name[i]),
				O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (argc == 3 && f[i].fd < 0)
			bench_die(
				BENCH_COULD_NOT, "cannot write to %s", argv[2]);
	}
	from = bench_cpu();
	write_all(f);
	printf("cpu_s %.4f\n", bench_cpu() - from);
	printf("lines %zu\n", lines[0].n + lines[1].n);
	printf("bytes %" PRIu64 "\n", f[0].bytes + f[1].bytes);
	arena_fini(&a);
	return 0;
}
