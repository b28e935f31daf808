/* SPDX-License-Identifier: MIT */
#include "inproc/core/about.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "inproc/core/clock.h"
#include "inproc/core/clocks.h"
#include "inproc/core/confined.h"
#include "inproc/core/json.h"
#include "inproc/core/lost.h"
#include "inproc/core/proc.h"
#include "inproc/core/say.h"
#include "inproc/core/stream.h"

static void
put_lost(struct text *o, const struct stream *s)
{
	struct ringfile_lost lost;
	char text[96];
	uint32_t i = 0;

	if (!s->mem.file || s->mem.file->nlost == 0)
		return;
	weft_rt_json_key(o, "lost");
	weft_rt_json_open(o, "[");
	while (weft_rt_lost_next(s, &i, &lost)) {
		weft_rt_json_next(o);
		snprintf(text, sizeof(text),
			"[%" PRIu64 ", %" PRIu64 ", %" PRIu64 "]", lost.from,
			lost.to, lost.count);
		weft_rt_text_puts(o, text);
	}
	weft_rt_json_close(o, "]");
}

/* Writes the program that replaces this one. */
static void
put_image(struct text *o, const struct stream *s)
{
	const char *image =
		__atomic_load_n(&weft_rt_proc->image, __ATOMIC_ACQUIRE);

	if (s->is_replaced && image)
		weft_rt_json_string(o, "exec", image);
}

/* Writes why the stream ends before its thread. */
static void
put_end(struct text *o)
{
	if (weft_rt_confined_soon())
		weft_rt_json_string(o, "ended", "seccomp");
}

/* Writes the members that are known. */
static void
put_ident(struct text *o, const struct ident *id)
{
	if (id->boot[0] != '\0')
		weft_rt_json_string(o, "boot", id->boot);
	if (id->pidns != 0)
		weft_rt_json_number(o, "pidns", (int64_t)id->pidns);
	weft_rt_json_number(o, "pid", id->pid);
	weft_rt_json_number(o, "started", (int64_t)id->started);
}

static void
put_row(struct text *o, const int64_t *value, int n)
{
	char text[32];

	weft_rt_json_next(o);
	weft_rt_text_puts(o, "[");
	for (int i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "%s%" PRId64, i > 0 ? ", " : "",
			value[i]);
		weft_rt_text_puts(o, text);
	}
	weft_rt_text_puts(o, "]");
}

void
weft_rt_about_suspended(struct text *o, const char *before, const char *behind)
{
	const struct suspended *s;
	uint32_t n = weft_rt_clocks_suspended(&s);

	for (uint32_t i = 0; i < n; i++)
		weft_rt_text_printf(o,
			"%s[%" PRId64 ", %" PRId64 ", %" PRId64 "]%s",
			i == 0 ? before : ", ", s[i].from, s[i].to, s[i].ns,
			i + 1 == n ? behind : "");
}

/* Writes what holds for the whole process; only one thread's metadata has
 * it. */
static void
put_clocks(struct text *o)
{
	const struct proc *p = weft_rt_proc;
	const struct snap *s;
	uint32_t n = weft_rt_clocks_snaps(&s);
	char host[HOST_NAME_MAX + 1] = "";

	weft_rt_about_suspended(o, ",\n        \"suspended\": [", "]");
	weft_rt_json_key(o, "clocks");
	weft_rt_json_open(o, "{");
	if (p->ident.boot[0] != '\0')
		weft_rt_json_string(o, "boot", p->ident.boot);
	weft_rt_json_number(o, "timens", p->timens);
	if (gethostname(host, sizeof(host) - 1) == 0)
		weft_rt_json_string(o, "host", host);
	if (p->ident.pidns != 0)
		weft_rt_json_number(o, "pidns", (int64_t)p->ident.pidns);
	weft_rt_json_key(o, "snap");
	weft_rt_json_open(o, "[");
	/* repeat the last snapshot that was written: later ones are stored as
	 * changes to it */
	for (uint32_t i = p->told > 0 ? p->told - 1 : 0; i < n; i++)
		put_row(o,
			(const int64_t[]){ s[i].monotonic, s[i].realtime,
				s[i].raw, s[i].width },
			4);
	weft_rt_json_close(o, "]");
	weft_rt_json_close(o, "}");
}

void
weft_rt_about(struct text *o, const struct stream *s, bool is_finished,
	bool has_clocks)
{
	const struct ring_mem *m = &s->mem;
	char text[32];

	weft_rt_json_key(o, "weft");
	weft_rt_json_open(o, "{");
	weft_rt_json_string(o, "clock", weft_rt_clock_name());
	put_ident(o, &weft_rt_proc->ident);
	if (has_clocks)
		put_clocks(o);
	weft_rt_json_key(o, "ring");
	weft_rt_json_open(o, "{");
	weft_rt_json_string(o, "kind", weft_rt_ring_kind(m->kind));
	if (m->error != 0)
		weft_rt_json_string(o, "reason", weft_rt_reason(m->error));
	if (!is_finished && !s->is_emptied && m->path[0] != '\0') {
		snprintf(text, sizeof(text), "%016" PRIx64, m->file->id);
		weft_rt_json_string(o, "id", text);
		weft_rt_json_string(o, "file", m->path);
	}
	weft_rt_json_close(o, "}");
	put_lost(o, s);
	put_image(o, s);
	put_end(o);
	if (m->file && m->file->skip > 0)
		weft_rt_json_number(o, "overwritten", (int64_t)m->file->skip);
	weft_rt_json_close(o, "}");
}

struct text
weft_rt_about_ring(const struct stream *s, char *scratch, size_t room)
{
	struct text o = { .at = scratch, .room = room };

	weft_rt_json_open(&o, "{");
	weft_rt_about(&o, s, false, false);
	weft_rt_json_close(&o, "}");
	return o;
}
