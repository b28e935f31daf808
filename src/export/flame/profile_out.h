/* SPDX-License-Identifier: MIT */
/*
 * profile_out.h - writes a file for pprof: samples of call paths with values.
 *
 *	profile_out_begin(&p, &arena, &file);
 *	profile_out_type(&p, "cpu", "nanoseconds");  (one or more)
 *	f = profile_out_function(&p, "main", "a.c", 12);
 *	profile_out_sample(&p, &sample);
 *	profile_out_end(&p, &(struct profile_out_about){ .shown = "cpu" });
 *
 * The file is one message of Protocol Buffers, which pprof expects compressed
 * with gzip. Texts and functions are kept in memory, samples are not.
 */
#ifndef WEFT_EXPORT_FLAME_PROFILE_OUT_H
#define WEFT_EXPORT_FLAME_PROFILE_OUT_H

#include "base/file.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"
#include "export/proto.h"

struct profile_out {
	struct outfile *file; /* borrowed */
	struct arena *arena;  /* borrowed */
	struct intern strings;
	struct proto all, part;
	struct map number_of; /* name, file -> 1 + function */
	VEC(struct profile_out_function)
	functions;
	int ntypes;
};

struct profile_out_function {
	uint32_t name, file; /* texts */
	int line;            /* 0: not known */
};

/* A call path with a value for each type. */
struct profile_out_sample {
	const uint32_t *function; /* the innermost first */
	int n;
	const uint64_t *value;
	const char *key, *label; /* a label of the sample; or NULL */
};

void profile_out_begin(
	struct profile_out *p, struct arena *a, struct outfile *file);

/* Declares the next value of all samples. */
void profile_out_type(
	struct profile_out *p, const char *type, const char *unit);

/* Returns the number of a function; file: NULL, line: 0 if not known. */
uint32_t profile_out_function(
	struct profile_out *p, const char *name, const char *file, int line);

void profile_out_sample(
	struct profile_out *p, const struct profile_out_sample *s);

/* What a profile says of itself. */
struct profile_out_about {
	const char *shown;   /* the type that is shown first */
	const char *title;   /* stands for the program */
	int64_t start_ns;    /* since 1970; 0: not known */
	int64_t duration_ns; /* 0: not known */
};

/* Writes the functions and texts, and frees all. The caller closes the
 * file. */
void profile_out_end(
	struct profile_out *p, const struct profile_out_about *about);

#endif
