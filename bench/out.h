/* SPDX-License-Identifier: MIT */
/*
 * out.h - writes the files of a generated trace, one after the other, through
 * one buffer. Every error ends the program.
 *
 *	struct out o;
 *	out_open(&o, "%s/stream.obs", dir);
 *	out_room(&o, 12);
 *	out_put(&o, bytes, 12);
 *	out_close(&o);
 */
#ifndef WEFT_BENCH_OUT_H
#define WEFT_BENCH_OUT_H

#include <fcntl.h>
#include <sys/stat.h>

#include "bench.h"

struct out {
	int fd;
	char *at; /* position of the next byte */
	char path[4096];
};

static char out_buffer[1 << 20];

__attribute__((format(printf, 1, 2))) static inline void
out_dir(const char *fmt, ...)
{
	char path[4096];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(path, sizeof path, fmt, ap);
	va_end(ap);
	if (mkdir(path, 0777) != 0)
		bench_die(BENCH_COULD_NOT, "cannot create %s: %s", path,
			strerror(errno));
}

/* Creates a file, which must not exist. */
__attribute__((format(printf, 2, 3))) static inline void
out_open(struct out *o, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(o->path, sizeof o->path, fmt, ap);
	va_end(ap);
	o->fd = open(o->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (o->fd < 0)
		bench_die(BENCH_COULD_NOT, "cannot create %s: %s", o->path,
			strerror(errno));
	o->at = out_buffer;
}

/* Makes room for n bytes, at most the size of the buffer. */
static inline void
out_room(struct out *o, size_t n)
{
	if ((size_t)(out_buffer + sizeof out_buffer - o->at) >= n)
		return;
	bench_write(o->fd, out_buffer, (size_t)(o->at - out_buffer), o->path);
	o->at = out_buffer;
}

/* Appends bytes, for which out_room() has made room. */
static inline void
out_put(struct out *o, const void *data, size_t n)
{
	memcpy(o->at, data, n);
	o->at += n;
}

/* Appends a text of less than 256 bytes; makes room itself. */
__attribute__((format(printf, 2, 3))) static inline void
out_printf(struct out *o, const char *fmt, ...)
{
	va_list ap;

	out_room(o, 256);
	va_start(ap, fmt);
	o->at += vsnprintf(o->at, 256, fmt, ap);
	va_end(ap);
}

static inline void
out_close(struct out *o)
{
	out_room(o, sizeof out_buffer);
	if (close(o->fd) != 0)
		bench_die(BENCH_COULD_NOT, "cannot write %s: %s", o->path,
			strerror(errno));
}

#endif
