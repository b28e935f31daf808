/* SPDX-License-Identifier: MIT */
/*
 * jsonline.h - a row as a line of JSON, and back.
 *
 * A line is a flat object: {"table":"task","id":1,"kind":"req_in"}. Columns
 * may come in any order; what is missing is null, what is no column is left
 * out.
 */
#ifndef WEFT_STORE_JSONLINE_H
#define WEFT_STORE_JSONLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "store/row.h"

struct textfile;

/* Puts the line and its end. Names are given as texts. */
void jsonline_write(struct textfile *f, const struct store_table *t,
	const struct store_value *row);

/* Takes a line of `size` bytes, without its end, apart; texts are unescaped in
 * place. False with err. */
bool jsonline_read(char *line, size_t size, const struct store_table *t,
	struct store_value *row, struct err *err);

#endif
