/* SPDX-License-Identifier: MIT */
/*
 * formats.h - the table of all formats that weft reads or writes. From it come
 * `weft convert --list`, the format of an output by its extension, and the
 * table in docs/user/formats.md.
 *
 * A row names the parts of the program that know the format, and these have its
 * name and its extensions.
 */
#ifndef WEFT_CLI_TRACE_FORMATS_H
#define WEFT_CLI_TRACE_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;
struct reader_ops;
struct sink_ops;
struct source_ops;
struct writer_ops;

struct format {
	const char *use; /* one line: who wants the format, and what for */
	const struct source_ops *events; /* reads events; or NULL */
	const struct reader_ops *in;     /* reads records; or NULL */
	const struct sink_ops *out;      /* writes records; or NULL */
	const struct writer_ops *writer; /* writes events; or NULL */
	/* What opens a file, followed by its name: "open in Paraver:"; or
	 * NULL. */
	const char *look;
};

/* All formats, in the order of lists; ends with a row whose `use` is NULL. */
extern const struct format formats[];

/* Returns the name of the format: "prv". */
const char *format_name(const struct format *f);

/* Returns true if the format can be written. */
bool format_is_written(const struct format *f);

/* Returns "in", "out" or "in, out". */
const char *format_ways(const struct format *f);

/* Returns what the format may have no place for; NULL ends. Or NULL. */
const char *const *format_losses(const struct format *f);

/* Returns the extensions of files of the format, with the dot, with blanks
 * between them; "" if files are not told by their names. */
const char *format_extensions(const struct format *f);

/* Returns the format with that name, or NULL. */
const struct format *format_find(const char *name);

/*
 * Returns the format that is written into a file of this name: the one with the
 * longest extension that ends the name. An extension for compression (".gz",
 * ".zst") is looked through, unless it belongs to the format (".pb.gz"). NULL:
 * no format that can be written has such an extension.
 */
const struct format *format_of_output(const char *path);

/* Returns the format of records that reads a file that begins with these n
 * bytes (reader_ops.recognise), or NULL. */
const struct format *format_of_input(const void *head, size_t n);

/* Returns the extensions of all formats that can be written, with commas. */
const char *format_outputs(struct arena *a);

#endif
