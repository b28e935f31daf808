/* SPDX-License-Identifier: MIT */
#include "serve/report.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/text.h"
#include "serve/report_fill.h"
#include "serve/report_page.h"
#include "serve/route.h"

#define EACH (4 << 20) /* memory that most answers fit in, in bytes */

/* Collects the facts about each trace that must be known before the file is
 * filled. Returns false with r->err. */
static bool
plan_all(struct report *r)
{
	/* Members whose texts are Weft's own words, by which other answers are
	 * found. */
	static const char *const own[] = { "class", "key", "kind", "unit",
		"type", "stat", "state", "severity", "version", "gen", "dark",
		"light", "meaning", "rows", NULL };
	int n = r->options->ntraces;

	r->plan = ARENA_ARRAY(r->arena, struct plan, n);
	r->held = ARENA_ARRAY(r->arena, struct report_held, n);
	r->scrub.own = own;
	scrub_here(&r->scrub, r->arena);
	for (int i = 0; i < n; i++) {
		const struct index *ix = r->options->trace[i].trace.index;
		const struct index_meta *m = index_meta(ix);
		struct index_query q = { .ix = ix, .budget = INT64_MAX };

		if (!plan_make(&q, r->arena, &r->plan[i]))
			return err_set(&r->err, ERR_INPUT, "%s: %s",
				r->options->trace[i].trace.name,
				index_query_text(&q));
		for (uint32_t row = 0; row < m->nrows; row++)
			if (m->row[row].row.identity != NULL)
				scrub_name(&r->scrub, r->arena,
					m->row[row].row.identity->node,
					SCRUB_HOST);
	}
	return true;
}

static void
write_base64(struct outfile *to, const uint8_t *from, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < n; i += 3) {
		uint32_t bits = (uint32_t)from[i] << 16 |
			(i + 1 < n ? (uint32_t)from[i + 1] << 8 : 0) |
			(i + 2 < n ? from[i + 2] : 0);
		char *at = outfile_room(to, 4);

		for (int k = 0; k < 4; k++)
			*at++ = digits[bits >> (18 - 6 * k) & 63];
		for (size_t k = n - i; k < 3; k++)
			at[(int)k - 3] = '=';
		to->at = at;
	}
}

/* Returns a text that lists the pieces that had no room: "2 timelines", or
 * "". */
static const char *
list_left(struct report *r)
{
	static const char *const what[LEFT_KINDS] = {
		[LEFT_LABELS] = "page%s of labels",
		[LEFT_FINDINGS] = "list%s of findings",
		[LEFT_STATS] = "table%s of states",
		[LEFT_DURATIONS] = "type%s without durations",
		[LEFT_TABLES] = "type%s without tables by row",
		[LEFT_TIMELINES] = "timeline%s",
		[LEFT_EXACT] = "overview%s of all rows",
		[LEFT_RANGES] = "range%s",
		[LEFT_WIDER] = "timeline%s in wider columns",
		[LEFT_FINER] = "timeline%s in finer columns",
		[LEFT_LONG] = "type%s without durations (too many intervals)",
		[LEFT_LATE] = "timeline%s in further widths (too many rows)",
	};
	const char *text = "";

	for (int i = 0; i < LEFT_KINDS; i++) {
		const char *at = strstr(what[i], "%s");

		if (r->left[i] == 0)
			continue;
		text = arena_printf(r->arena, "%s%s%d %.*s%s%s", text,
			*text == '\0' ? "" : ", ", r->left[i],
			(int)(at - what[i]), what[i],
			text_plural((unsigned long long)r->left[i]), at + 2);
	}
	return text;
}

/* Adds a summary of the file's contents, for the page. */
static void
summarise(struct report *r, const char *left)
{
	struct doc doc;

	doc_open_memory(&doc);
	doc_begin(&doc, NULL, '{');
	doc_bare(&doc, "anonymous", r->options->anonymous ? "true" : "false");
	doc_word(&doc, "left", left);
	doc_begin(&doc, "traces", '[');
	for (int i = 0; i < r->options->ntraces; i++) {
		const struct report_held *held = &r->held[i];

		doc_begin(&doc, NULL, '{');
		doc_i64(&doc, "timelines", held->timelines);
		answer_i64(&doc, "columns", held->columns);
		answer_i64(&doc, "width", held->width);
		doc_i64(&doc, "rows", held->rows);
		doc_i64(&doc, "all_rows", held->all_rows);
		doc_end(&doc, '}');
	}
	doc_end(&doc, ']');
	doc_end(&doc, '}');
	pack_begin(r->pack);
	pack_put(r->pack, "report", doc.out.buf,
		(size_t)(doc.out.at - doc.out.buf));
	pack_end(r->pack, 0);
	out_close(&doc.out);
}

bool
report_write(const struct report_options *o, struct arena *a,
	struct outfile *to, struct report_made *made, struct err *err)
{
	struct report r = { .options = o, .arena = a };
	int64_t page = (int64_t)(report_page.nhead + report_page.ntail);
	const uint8_t *packed;
	size_t n;
	bool ok;

	if (page == 0)
		return err_set(err, ERR_INPUT,
			"a report needs the page, and this build lacks it: "
			"install esbuild, and build again");
	if (o->most < page + 4 * REPORT_SPARE)
		return err_set(err, ERR_INPUT,
			"--report-size is too small: the page alone has "
			"%" PRId64 " kB",
			page / 1000 + 1);
	r.pack = pack_open((size_t)((o->most - page) / 4 * 3), err);
	if (r.pack == NULL)
		return false;
	/* All answers share one chunk of memory, because their sums of groups
	 * need that much. */
	arena_alloc(&r.each, EACH);
	arena_reset(&r.each);
	ok = plan_all(&r) && report_fill(&r);
	if (ok) {
		made->held = r.held;
		made->left = list_left(&r);
		for (int i = 0; i < LEFT_LONG; i++)
			made->for_space = made->for_space || r.left[i] > 0;
		summarise(&r, made->left);
		packed = pack_finish(r.pack, &n);
		outfile_write(to, report_page.head, report_page.nhead);
		write_base64(to, packed, n);
		outfile_write(to, report_page.tail, report_page.ntail);
	}
	pack_close(r.pack);
	arena_fini(&r.each);
	if (!ok)
		*err = r.err;
	return ok;
}
