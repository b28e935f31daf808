/* SPDX-License-Identifier: MIT */
/*
 * file.h - files of traces: buffered output under a temporary name, reading of
 * small files, and searching a tree.
 *
 * Output goes to "PATH.tmp-PID", which outfile_close() renames to PATH, so that
 * a reader never sees half a file and a failed command leaves the old file as
 * it was. An outfile is sticky: after the first failure it swallows writes, and
 * outfile_close() returns that failure. A file of the input (keep.h) is never
 * replaced: then both fail. If PATH exists and is not a regular
 * file (a link, a pipe, /dev/null), output goes directly into PATH.
 */
#ifndef WEFT_BASE_FILE_H
#define WEFT_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bug.h"
#include "base/err.h"

struct arena;
struct outfile_pack;

/* Compresses what an outfile writes. */
struct outfile_pack_ops {
	/* Takes the next n bytes and writes to fd what is ready. Returns false
	 * with err. */
	bool (*put)(struct outfile_pack *p, int fd, const char *at, size_t n,
		struct err *err);
	/* Writes the rest to fd and frees everything. fd -1: only frees. */
	bool (*end)(struct outfile_pack *p, int fd, struct err *err);
};

/* The first member of the struct of a compressor. */
struct outfile_pack {
	const struct outfile_pack_ops *ops;
};

struct outfile {
	struct outfile_pack *pack; /* compresses what is flushed; or NULL */
	char *at, *end;            /* free part of the buffer */
	char *buf;                 /* owned */
	const char *path;          /* final name, from the arena */
	const char *tmp;    /* temporary name, from the arena; NULL: writes
	                     * `path` directly */
	int fd;             /* -1 when closed */
	int leftover;       /* number of `tmp` in the list of leftover.h */
	int64_t flushed;    /* bytes written to the file descriptor */
	bool is_held;       /* see outfile_hold() */
	struct err err;     /* the first failure */
	struct arena *late; /* outfile_open_over(): the file is not open yet */
};

/* The most bytes that outfile_open_over() keeps for one write: a page. */
#define OVER_MAX 4096

/*
 * Creates the temporary file; the names are kept in the arena. The buffer has
 * `room` >= 1 bytes. On failure the outfile is closed: nothing may be written,
 * but outfile_close() (which fails) and outfile_discard() may be called.
 */
bool outfile_open(struct outfile *f, struct arena *a, const char *path,
	size_t room, struct err *err);

/*
 * Does the same for a file that is mostly there, and small: if the new bytes
 * are not fewer, and at most OVER_MAX, outfile_close() writes them over the
 * file by one write, without a temporary file. A process that is killed then
 * leaves the earlier bytes or the new ones. ext4 takes longer to replace a
 * small file than for all else that is done with it. The arena must live until
 * then.
 */
bool outfile_open_over(struct outfile *f, struct arena *a, const char *path,
	size_t room, struct err *err);

/* Opens standard output instead of a file; outfile_close() does not close
 * it. */
bool outfile_open_stdout(
	struct outfile *f, struct arena *a, size_t room, struct err *err);

/* Writes the buffer to the file. */
void outfile_flush(struct outfile *f);

/*
 * From now on passes all bytes to the compressor, which outfile_unpack() or
 * outfile_close() ends. Until then nothing may be patched or inserted. After
 * outfile_unpack() offsets are those of the file, not of the text.
 */
void outfile_pack(struct outfile *f, struct outfile_pack *pack);
void outfile_unpack(struct outfile *f);

/*
 * hold: from now on keeps all bytes but the first line, a header, in memory
 * until outfile_place() writes them into another file: several processes then
 * write one file. False: writes to the file again. Not with a compressor.
 */
void outfile_hold(struct outfile *f, bool hold);

/* Returns the number of bytes that outfile_place() would write. Writes the
 * header, if it is complete, to the file. */
size_t outfile_held(struct outfile *f);

/* Writes the bytes that are held to another file at an offset. After a failure
 * f->err is set. */
void outfile_place(struct outfile *f, int fd, int64_t offset);

/* Returns at least n bytes (n <= room) of buffer at f->at; the caller moves
 * f->at. */
static inline char *
outfile_room(struct outfile *f, size_t n)
{
	if (__builtin_expect((size_t)(f->end - f->at) < n, 0)) {
		outfile_flush(f);
		BUG_ON((size_t)(f->end - f->at) < n);
	}
	return f->at;
}

/* Append any number of bytes. */
void outfile_write(struct outfile *f, const void *data, size_t n);
void outfile_puts(struct outfile *f, const char *s);
void outfile_printf(struct outfile *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Replaces n bytes at an offset written before. */
void outfile_patch(
	struct outfile *f, int64_t offset, const void *data, size_t n);

/* Inserts n bytes at an offset. Moves all later bytes, so they are read and
 * written once more. outfile_patch() must then fill the n bytes. Fails for a
 * pipe. */
void outfile_insert(struct outfile *f, int64_t offset, size_t n);

/* Returns the offset of the next byte. */
static inline int64_t
outfile_tell(const struct outfile *f)
{
	return f->flushed + (f->at - f->buf);
}

/*
 * Flushes the buffer and renames the file to its final name. Returns false with
 * the first failure; then the temporary file is removed and an older file of
 * that name is untouched.
 */
bool outfile_close(struct outfile *f, struct err *err);

/* Removes the temporary file, for a command that must leave nothing behind.
 * Does nothing after outfile_close(). */
void outfile_discard(struct outfile *f);

/* Creates a directory and its parents (mode 0777 less the umask). */
bool file_mkdir(const char *path, struct err *err);

/* Returns true if the path exists and may be read; else false with err, whose
 * text does not name the path. */
bool file_check(const char *path, struct err *err);

/* Returns the directory part of a path that does not end in a slash; "." if the
 * path has no slash. */
const char *file_parent(struct arena *a, const char *path);

/* Returns the part of a path after its last slash. */
const char *file_name(const char *path);

/* Returns true for "." and "..", which each directory lists. May be called in a
 * signal handler. */
bool file_is_dots(const char *name);

/* Return true if the path is an existing directory, or a regular file. */
bool file_is_dir(const char *path);
bool file_is_regular(const char *path);

/* Returns true if the path is a regular file of size 0. */
bool file_is_empty(const char *path);

/*
 * Reads a whole regular file into the arena and adds a NUL after its size
 * bytes. Returns NULL with err when the file cannot be read, is not regular (a
 * pipe does not block) or is larger than max bytes. The text of err does not
 * name the file, because a finding carries the file name separately.
 */
char *file_read(struct arena *a, const char *path, size_t max, size_t *size,
	struct err *err);

/* Removes a directory and all that is in it, but follows no links and removes
 * nothing of other file systems; what cannot be removed stays. */
void file_remove_tree(const char *path);

/*
 * Reads up to n bytes at offset; retries EINTR and short reads. Returns the
 * number of bytes, less than n only at the end of the file, or -1 with errno.
 */
int64_t file_pread(int fd, void *to, size_t n, int64_t offset);

/* Callbacks and limits of file_find(). */
struct file_visitor {
	void (*file)(void *arg, const char *path, const char *relative);
	const char *also; /* second file name to look for, or NULL */
	void (*unreadable)(void *arg, const char *path, const char *why);
	void *arg;
	int levels; /* levels of directories below the root to read; 0: all */
};

/*
 * Calls visitor->file(arg, path, relative path) for every regular file called
 * `name` under root, up to visitor->levels deep, in the byte order of the
 * relative paths; for a file in root itself the relative path is its name.
 * Follows symbolic links to files, but not to directories, except root. A
 * directory that cannot be read (or lies deeper than PATH_MAX) is passed to
 * `unreadable` (may be NULL) and skipped. Returns false with err when root
 * cannot be read. Paths are from the arena.
 */
bool file_find(struct arena *a, const char *root, const char *name,
	const struct file_visitor *visitor, struct err *err);

/* Returns true if a regular file called `name`, or `also` unless that is NULL,
 * lies under root, at most `levels` deep (0: at any depth). */
bool file_any(struct arena *a, const char *root, const char *name,
	const char *also, int levels);

#endif
