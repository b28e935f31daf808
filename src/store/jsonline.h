/* SPDX-License-Identifier: MIT */
/*
 * jsonline.h - writes and reads a row as a line of JSON.
 *
 * A line is a flat object: {"table":"task","id":1,"kind":"req_in"}. Members may
 * come in any order; a missing member is null, and a member that is no column
 * is ignored.
 */
#ifndef WEFT_STORE_JSONLINE_H
#define WEFT_STORE_JSONLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "store/row.h"

struct textfile;

/* Appends the line with its newline. Interned names are given as texts. */
void jsonline_write(struct textfile *f, const struct store_table *t,
	const struct store_value *row);

/* Parses a line of `size` bytes, without its newline. Texts are unescaped in
 * place. Returns false and sets err on failure. */
bool jsonline_read(char *line, size_t size, const struct store_table *t,
	struct store_value *row, struct err *err);

#endif
