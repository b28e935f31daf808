/* SPDX-License-Identifier: MIT */
/*
 * builtin.h - the drivers that need no client library.
 */
#ifndef WEFT_STORE_BUILTIN_H
#define WEFT_STORE_BUILTIN_H

struct store_driver;

extern const struct store_driver store_csv, store_json;

#endif
