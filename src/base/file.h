/* SPDX-License-Identifier: MIT */
/*
 * file.h - files as traces need them: read by windows, written under a
 * temporary name, and found by walking a tree.
 *
 * Output goes to "PATH.tmp-PID" and takes its real name at outfile_close(),
 * so that a reader never sees half a file and a failed run leaves the old one.
 * An outfile is sticky: after the first failure it swallows writes, and
 * outfile_close() says what went wrong. A name that exists and is not a
 * regular file (a link, a pipe, /dev/null) is written in place instead.
 */
#ifndef WEFT_BASE_FILE_H
#define WEFT_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bug.h"
#include "base/err.h"

struct arena;

struct outfile {
	char *at, *end;   /* free part of the buffer */
	char *buf;        /* owned */
	const char *path; /* final name, from the arena */
	const char *tmp;  /* temporary name, from the arena; NULL: in place */
	int fd;           /* -1 when closed */
	int64_t flushed;  /* bytes given to the kernel */
	struct err err;   /* the first failure */
};

/*
 * Starts a file; the names are kept in the arena. Buffer: `room` >= 1 bytes.
 * On failure the outfile is closed: nothing may be written, but close (which
 * fails) and discard are fine.
 */
bool outfile_open(struct outfile *f, struct arena *a, const char *path,
	size_t room, struct err *err);

/* Gives the buffer to the kernel. */
void outfile_flush(struct outfile *f);

/* At least n bytes (n <= room) of buffer at f->at; the caller moves f->at. */
static inline char *
outfile_room(struct outfile *f, size_t n)
{
	if (__builtin_expect((size_t)(f->end - f->at) < n, 0)) {
		outfile_flush(f);
		BUG_ON((size_t)(f->end - f->at) < n);
	}
	return f->at;
}

/* Any number of bytes. */
void outfile_write(struct outfile *f, const void *data, size_t n);
void outfile_puts(struct outfile *f, const char *s);
void outfile_printf(struct outfile *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Replaces n bytes at an offset that was written before. */
void outfile_patch(
	struct outfile *f, int64_t offset, const void *data, size_t n);

/* Moves all that stands behind an offset n bytes on, which reads and writes it
 * once more; the n bytes are to be patched. Fails for a pipe. */
void outfile_insert(struct outfile *f, int64_t offset, size_t n);

/* Offset of the next byte. */
static inline int64_t
outfile_tell(const struct outfile *f)
{
	return f->flushed + (f->at - f->buf);
}

/*
 * Flushes, renames into place. False, with the first failure, if any; then the
 * temporary file is gone and an older file of that name is untouched.
 */
bool outfile_close(struct outfile *f, struct err *err);

/* Removes the temporary file. For a run that must leave nothing; no effect
 * after close. */
void outfile_discard(struct outfile *f);

/* Creates a folder and its parents (mode 0777 less the umask). */
bool file_mkdir(const char *path, struct err *err);

/* False with err, which does not name it, if there is nothing at the path, or
 * it may not be read. */
bool file_check(const char *path, struct err *err);

/* The folder of a path without slashes at its end: "." if it names none. */
const char *file_parent(struct arena *a, const char *path);

/* What stands after the last slash of a path. */
const char *file_name(const char *path);

/* True if the name is an existing folder, or a regular file. */
bool file_is_dir(const char *path);
bool file_is_regular(const char *path);

/* True if it is there, and a regular file without a byte. */
bool file_is_empty(const char *path);

/*
 * The whole of a regular file, NUL added after its size bytes, from the arena.
 * NULL with err when it cannot be read, is not a regular file (a pipe does not
 * block) or is larger than max bytes; the text does not name the file, because
 * a finding has a place of its own for it.
 */
char *file_read(struct arena *a, const char *path, size_t max, size_t *size,
	struct err *err);

/*
 * Reads up to n bytes at offset; retries EINTR and short reads. The number of
 * bytes, less than n only at the end of the file; -1 with errno.
 */
int64_t file_pread(int fd, void *to, size_t n, int64_t offset);

/* Who is told what file_find() comes across. */
struct file_visitor {
	void (*file)(void *arg, const char *path, const char *relative);
	const char *also; /* another name that is looked for, or NULL */
	void (*unreadable)(void *arg, const char *path, const char *why);
	void *arg;
	int levels; /* of folders below the root that are read; 0: all */
};

/*
 * Calls visitor->file(arg, path, relative path) for every regular file of that
 * name under root, as deep as the visitor wants, in the byte order of the
 * relative paths; one in root itself has its name as relative path. Symbolic
 * links to files are followed, those to folders are not, except root. A folder
 * that cannot be read (or lies deeper than PATH_MAX) is told to `unreadable`
 * (may be NULL) and left out. False with err when root cannot be read. Paths
 * are from the arena.
 */
bool file_find(struct arena *a, const char *root, const char *name,
	const struct file_visitor *visitor, struct err *err);

#endif
