/* SPDX-License-Identifier: MIT */
/*
 * parts_files.h - the files of an output that several processes write together
 * (parts.h), in a directory below the output that goes away.
 *
 * Each process opens the output in a directory of its own. Files of lines keep
 * only their header there; the lines go into one file of all processes
 * (outfile_hold()). They are written in steps: in each, all processes tell how
 * many bytes they have (put, take), and then write them in the order of their
 * ranks (place). Only the last step gives files their names.
 */
#ifndef WEFT_CLI_TRACE_PARTS_FILES_H
#define WEFT_CLI_TRACE_PARTS_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct arena;
struct err;
struct outfile;
struct parts_bytes;
struct team;

/* A file of lines. */
struct parts_file {
	const char *name;
	struct outfile *own; /* borrowed; NULL: not opened by this process */
	int fd;              /* of the common file; -1: not open */
	int64_t header;      /* bytes of the header */
	int64_t end;         /* bytes, with those that are placed next */
	size_t held;         /* bytes that this process places next */
	int64_t place;       /* offset of these */
};

struct parts_files {
	struct arena *arena;
	struct team *team;
	const char *dir;    /* of the output */
	const char *work;   /* below dir; has the directories of processes */
	const char *own;    /* that of this process */
	const char *first;  /* that of the first process */
	const char *common; /* that of the files of all */
	int left;           /* number of `work` in base/leftover.h */
	int lock;           /* descriptor of `work`, in the first process; -1:
	                     * not locked */
	VEC(struct parts_file *) all;
	VEC(const char *) gone; /* names of files that the output lacks */
};

/* Makes the directories. All processes call it. Sets err on failure. */
bool parts_files_begin(struct parts_files *f, struct err *err);

/* Takes the lines of a file that this process has opened. */
void parts_files_opened(struct parts_files *f, struct outfile *file);

/* Notes that the output lacks a file. */
void parts_files_gone(struct parts_files *f, const char *path);

/* A step: appends how many bytes this process has; reads what each process has
 * put, in the order of the ranks; writes the bytes. */
void parts_files_put(struct parts_files *f, struct parts_bytes *to);
void parts_files_take(struct parts_files *f, int rank, const char **at);
bool parts_files_place(struct parts_files *f, struct err *err);

/* Ends the steps; then the output is closed. */
bool parts_files_done(struct parts_files *f, struct err *err);

/* In the first process, after all processes have closed their outputs: puts the
 * headers in front of the lines. header_moved: a header is not as long as
 * before, so the files are of no use. */
bool parts_files_join(
	struct parts_files *f, bool *header_moved, struct err *err);

/* Gives the files their names if `good`, and removes what is left. All
 * processes call it. */
bool parts_files_end(struct parts_files *f, bool good, struct err *err);

#endif
