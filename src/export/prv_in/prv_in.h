/* SPDX-License-Identifier: MIT */
/*
 * prv_in.h - reads Paraver traces: FILE.prv of any producer, or packed with
 * gzip or zstd, with the labels in FILE.pcf and the names in FILE.row.
 *
 * A thread of the header is a row. The class of rows follows from the file's
 * name, as Weft and ovni name files: "cpu" for cpu.prv and NAME-cpu.prv; else
 * "thread". State lines (1:) become the type "prv.state", and the CPUs of lines
 * the type "prv.cpu", which is left out by the option "cpu=0".
 */
#ifndef WEFT_EXPORT_PRV_IN_PRV_IN_H
#define WEFT_EXPORT_PRV_IN_PRV_IN_H

#include "export/reader.h"

extern const struct reader_ops reader_prv;

/* Returns the class of rows that the name of a file says. */
const char *prv_in_class(struct arena *a, const char *path);

#endif
