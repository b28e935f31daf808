/* SPDX-License-Identifier: MIT */
/* build_id.h - the build id of a module that is mapped. */
#ifndef WEFT_INPROC_COLLECT_BUILD_ID_H
#define WEFT_INPROC_COLLECT_BUILD_ID_H

#include <stddef.h>
#include <stdint.h>

/* Writes the build id in hexadecimal digits, "-" if the module has none, with a
 * NUL. start: where the module's first segment is mapped. Returns the number of
 * characters; ids that do not fit are cut. */
size_t build_id_text(const void *start, char *to, size_t room);

#endif
