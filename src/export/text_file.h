/* SPDX-License-Identifier: MIT */
/*
 * text_file.h - texts and numbers of JSON in an output file.
 */
#ifndef WEFT_EXPORT_TEXT_FILE_H
#define WEFT_EXPORT_TEXT_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct outfile;

/* Writes the text as a string of JSON with its quotes; bytes that are not UTF-8
 * become U+FFFD. Returns true if there were any. */
bool text_file_string(struct outfile *f, const char *text);

void text_file_number(struct outfile *f, int64_t number);

#endif
