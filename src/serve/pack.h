/* SPDX-License-Identifier: MIT */
/*
 * pack.h - compresses named pieces of bytes, one after the other, by gzip into
 * a limited number of bytes.
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

/* Opens a pack of at most that many compressed bytes. Returns NULL with err if
 * this build lacks zlib. */
struct pack *pack_open(size_t most, struct err *err);

/* Begins a unit: either all entries of a unit are kept, or none. */
void pack_begin(struct pack *p);
void pack_put(struct pack *p, const char *name, const void *body, size_t n);

/* Ends the unit. If less than `spare` bytes would be left after it, removes the
 * unit and returns false. */
bool pack_end(struct pack *p, size_t spare);

/* Returns true if the unit does not fit: adding more to it has no effect. */
bool pack_is_full(const struct pack *p);

/* Returns the number of compressed bytes so far. */
size_t pack_size(const struct pack *p);

/* Returns how many compressed bytes a unit may have that leaves `spare` bytes.
 */
size_t pack_room(const struct pack *p, size_t spare);

/* Returns the compressed bytes, which live as long as p. Nothing can be added
 * any more. */
const uint8_t *pack_finish(struct pack *p, size_t *n);

/* NULL is fine. */
void pack_close(struct pack *p);

#endif
