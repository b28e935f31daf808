/* SPDX-License-Identifier: MIT */
#include "cli/trace/formats.h"

#include <string.h>

#include "base/arena.h"
#include "export/chrome/chrome.h"
#include "export/csv/csv.h"
#include "export/db/db.h"
#include "export/flame/folded.h"
#include "export/flame/pprof.h"
#include "export/flame/speedscope.h"
#include "export/index/sink.h"
#include "export/perfetto/perfetto.h"
#include "export/prv/prv.h"
#include "export/prv_in/prv_in.h"
#include "export/reader.h"
#include "trace/ctf/ctf.h"
#include "trace/ctf_out/ctf_out.h"
#include "trace/obs/obs.h"
#include "trace/perf/perf.h"
#include "trace/source.h"
#include "trace/text/text.h"

/* clang-format off */
const struct format formats[] = {
	{ "the traces that weft run and programs with libovni record",
	  .events = &source_ovni },
	{ "CTF 1.8: LTTng, Nanos6, Trace Compass, babeltrace2",
	  .events = &source_ctf, .writer = &writer_ctf,
	  .look = "babeltrace2" },
	{ "CTF 2: LTTng 2.15, babeltrace2 2.1",
	  .events = &source_ctf, .writer = &writer_ctf2 },
	{ "recordings of perf: switches, tracepoints, samples",
	  .events = &source_perf },
	{ "traces by hand, for tests and examples",
	  .events = &source_text },
	{ "Paraver: look at timelines and histograms",
	  .in = &reader_prv, .out = &sink_prv, .look = "open in Paraver:" },
	{ "Perfetto: timelines in a browser, on any machine",
	  .out = &sink_perfetto, .look = "open at https://ui.perfetto.dev:" },
	{ "Firefox Profiler, Chrome, Tracy, and scripts",
	  .out = &sink_chrome, .look = "open at https://profiler.firefox.com:" },
	{ "flame graphs: flamegraph.pl and many viewers",
	  .out = &sink_folded },
	{ "speedscope: the stacks of each row in a browser",
	  .out = &sink_speedscope, .look = "open at https://speedscope.app:" },
	{ "pprof: flame graphs, tables and comparisons of profiles",
	  .out = &sink_pprof, .look = "go tool pprof -http :" },
	{ "tables: spreadsheets, pandas, R, DuckDB",
	  .out = &sink_csv },
	{ "SQL: questions in sqlite3, Python, R, DuckDB, Datasette",
	  .out = &sink_sqlite, .look = "sqlite3" },
	{ "weft view: a trace that opens at once",
	  .out = &sink_index },
	{ 0 },
};
/* clang-format on */

const char *
format_name(const struct format *f)
{
	return f->out != NULL       ? f->out->name
		: f->writer != NULL ? f->writer->name
		: f->in != NULL     ? f->in->name
				    : f->events->name;
}

bool
format_is_written(const struct format *f)
{
	return f->out != NULL || f->writer != NULL;
}

const char *
format_ways(const struct format *f)
{
	return !format_is_written(f)                 ? "in"
		: f->in == NULL && f->events == NULL ? "out"
						     : "in, out";
}

const char *const *
format_losses(const struct format *f)
{
	return f->out != NULL       ? f->out->losses
		: f->writer != NULL ? f->writer->losses
				    : NULL;
}

const char *
format_extensions(const struct format *f)
{
	const char *text = f->out != NULL ? f->out->extensions
		: f->writer != NULL       ? f->writer->extensions
		: f->in != NULL           ? f->in->extensions
					  : f->events->extensions;

	return text != NULL ? text : "";
}

const struct format *
format_find(const char *name)
{
	for (const struct format *f = formats; f->use != NULL; f++)
		if (strcmp(format_name(f), name) == 0)
			return f;
	return NULL;
}

/* Returns the length of the longest extension of the list that ends the name of
 * n bytes and is not all of it; 0: none does. */
static size_t
match(const char *list, const char *path, size_t n)
{
	size_t best = 0;

	for (; *list != '\0'; list += strspn(list, " ")) {
		size_t length = strcspn(list, " ");

		if (length < n && length > best &&
			path[n - length - 1] != '/' &&
			strncmp(path + n - length, list, length) == 0)
			best = length;
		list += length;
	}
	return best;
}

/* Returns the format for the first n bytes of the path. */
static const struct format *
of_output(const char *path, size_t n)
{
	const struct format *best = NULL;
	size_t longest = 0;

	for (const struct format *f = formats; f->use != NULL; f++) {
		size_t length = !format_is_written(f)
			? 0
			: match(format_extensions(f), path, n);

		if (length > longest) {
			longest = length;
			best = f;
		}
	}
	return best;
}

const struct format *
format_of_output(const char *path)
{
	size_t n = strlen(path);
	const struct format *f;
	size_t packed;

	while (n > 1 && path[n - 1] == '/')
		n--;
	f = of_output(path, n);
	packed = match(".gz .zst", path, n);
	return f != NULL || packed == 0 ? f : of_output(path, n - packed);
}

const struct format *
format_of_input(const void *head, size_t n)
{
	for (const struct format *f = formats; f->use != NULL; f++)
		if (f->in != NULL && f->in->recognise(head, n))
			return f;
	return NULL;
}

const char *
format_outputs(struct arena *a)
{
	const char *list = "";

	for (const struct format *f = formats; f->use != NULL; f++) {
		const char *at = format_extensions(f);

		for (; format_is_written(f) && *at != '\0';
			at += strspn(at, " ")) {
			size_t n = strcspn(at, " ");

			list = arena_printf(a, "%s%s%.*s", list,
				*list == '\0' ? "" : ", ", (int)n, at);
			at += n;
		}
	}
	return list;
}
