/* SPDX-License-Identifier: MIT */
/*
 * chrome.h - the trace event format of Chrome: trace.json, an object with one
 * event a line, which chrome://tracing, Perfetto, the Firefox Profiler, Tracy's
 * importer and many scripts read.
 *
 * A class is a process, a row with its primary type (primary.h) a thread; every
 * other type of a row is a thread "ROW: TITLE".
 *
 *	states, ids   B and E (begin and end), in the order of time
 *	numbers       C, a counter "ROW: TITLE"; "no value" is written as 0
 *	points        i
 *	links         two X of no length that a flow connects
 *	gaps          X on a thread "ROW: lost"
 *	findings      i on a thread "findings"
 *
 * Times are microseconds with three decimals since the start of the trace.
 * Numbers above 2^53 are texts, because readers keep numbers as doubles.
 */
#ifndef WEFT_EXPORT_CHROME_CHROME_H
#define WEFT_EXPORT_CHROME_CHROME_H

#include "export/sink.h"

extern const struct sink_ops sink_chrome;

#endif
