/* SPDX-License-Identifier: MIT */
/* compress.h - compresses answers. Only the HTTP module (http.h) contains this
 * file, because only that module loads the libraries. */
#ifndef WEFT_SERVE_COMPRESS_H
#define WEFT_SERVE_COMPRESS_H

struct answer;
struct request;

#define COMPRESS_FROM 4096 /* bytes; smaller bodies are not compressed */

/* Compresses the body with an encoding that the request accepts, if that makes
 * it smaller; decompresses a precompressed body that the request does not
 * accept. Returns the name of the encoding, or NULL. */
const char *compress_answer(const struct request *q, struct answer *to);

#endif
