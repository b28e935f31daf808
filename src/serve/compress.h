/* SPDX-License-Identifier: MIT */
/*
 * compress.h - packing of answers; in the module, with its libraries.
 */
#ifndef WEFT_SERVE_COMPRESS_H
#define WEFT_SERVE_COMPRESS_H

struct answer;
struct request;

#define COMPRESS_FROM 4096 /* bytes: smaller ones stay as they are */

/* Packs the body as the request takes it, if that makes it smaller, and unpacks
 * what was packed beforehand if it does not. The name of what was done, or
 * NULL. */
const char *compress_answer(const struct request *q, struct answer *to);

#endif
