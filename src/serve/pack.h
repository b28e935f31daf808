/* SPDX-License-Identifier: MIT */
/*
 * pack.h - named bytes, one after the other, packed by gzip into at most so
 * many bytes.
 *
 *	struct pack *p = pack_open(1000000, &err);
 *	pack_begin(p);
 *	pack_put(p, "0/meta", body, n);
 *	if (!pack_end(p, 0)) ...                   (it did not fit, and is gone)
 *	bytes = pack_finish(p, &n);
 *	pack_close(p);
 *
 * Unpacked, an entry is u32 length of its name, u32 length of its body, both
 * little endian, the name, the body. The same entries give the same bytes.
 */
#ifndef WEFT_SERVE_PACK_H
#define WEFT_SERVE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct pack;

/* At most so many packed bytes. NULL with err: this build lacks zlib. */
struct pack *pack_open(size_t most, struct err *err);

/* Begins a unit: entries of which all go in, or none. */
void pack_begin(struct pack *p);
void pack_put(struct pack *p, const char *name, const void *body, size_t n);

/* Ends it. False: it leaves less than `spare` bytes, and was taken back. */
bool pack_end(struct pack *p, size_t spare);

/* All that is packed, which lives as long as p. Nothing can be put any more. */
const uint8_t *pack_finish(struct pack *p, size_t *n);

/* NULL is fine. */
void pack_close(struct pack *p);

#endif
