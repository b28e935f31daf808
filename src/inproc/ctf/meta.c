/* SPDX-License-Identifier: MIT */
/* The metadata of a CTF trace, in TSDL, like that of Nanos6: all events are
 * declared for workers (stream 1) and for threads (stream 2). */
#include "inproc/ctf/meta.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inproc/core/about.h"
#include "inproc/core/clocks.h"
#include "inproc/core/hush.h"
#include "inproc/core/proc.h"
#include "inproc/core/slow.h"
#include "inproc/core/text.h"
#include "inproc/core/who.h"
#include "inproc/ctf/ctf.h"
#include "inproc/ctf/hwc.h"
#include "inproc/ctf/wire.h"

static const char head[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 8; align = 8; signed = false; } := "
	"uint8_t;\n"
	"typealias integer { size = 16; align = 8; signed = false; } := "
	"uint16_t;\n"
	"typealias integer { size = 32; align = 8; signed = false; } := "
	"uint32_t;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := "
	"uint64_t;\n"
	"typealias integer { size = 8; align = 8; signed = true; } := "
	"int8_t;\n"
	"typealias integer { size = 16; align = 8; signed = true; } := "
	"int16_t;\n"
	"typealias integer { size = 32; align = 8; signed = true; } := "
	"int32_t;\n"
	"typealias integer { size = 64; align = 8; signed = true; } := "
	"int64_t;\n"
	"trace {\n"
	"\tmajor = 1;\n"
	"\tminor = 8;\n"
	"\tbyte_order = le;\n"
	"\tpacket.header := struct {\n"
	"\t\tuint32_t magic;\n"
	"\t\tuint32_t stream_id;\n"
	"\t};\n"
	"};\n";

/* Must agree with struct ctfwire_head. */
static const char stream_text[] =
	"stream {\n"
	"\tid = %d;\n"
	"\tpacket.context := struct {\n"
	"\t\tuint16_t cpu_id;\n"
	"\t\tuint64_t packet_size;\n"
	"\t\tuint64_t content_size;\n"
	"\t\tuint64_clock_monotonic_t timestamp_begin;\n"
	"\t\tuint64_clock_monotonic_t timestamp_end;\n"
	"\t\tuint64_t events_discarded;\n"
	"\t};\n"
	"\tevent.header := struct {\n"
	"\t\tuint%d_t id;\n"
	"\t\tuint64_clock_monotonic_t timestamp;\n"
	"\t};\n"
	"%s"
	"};\n";

/* Writes a string member, with quotes and backslashes escaped. */
static void
put_string(struct text *o, const char *name, const char *value)
{
	weft_rt_text_printf(o, "\t%s = \"", name);
	for (; *value != '\0'; value++) {
		if (*value == '"' || *value == '\\')
			weft_rt_text_puts(o, "\\");
		if ((unsigned char)*value >= 0x20)
			weft_rt_text_put(o, value, 1);
	}
	weft_rt_text_puts(o, "\";\n");
}

/* Writes the source of the counters, and which are scaled, as far as known. */
static void
put_counted(struct text *o)
{
	struct hwc_scaled s = weft_rt_hwc_scaled();

	if (weft_rt_ctf->ncounters == 0)
		return;
	put_string(o, "weft_counters", weft_rt_hwc_source());
	if (s.names[0] == '\0')
		return;
	put_string(o, "weft_counters_scaled", s.names);
	weft_rt_text_printf(o, "\tweft_counters_ran = \"%.1f %%\";\n", s.ran);
}

/* Numbers that change until the end have a fixed width, for rewrite().
 */
void
weft_rt_ctf_env(struct text *o)
{
	const struct ctf *c = weft_rt_ctf;

	weft_rt_text_puts(o,
		"\tnanos6_trace_version = 1;\n"
		"\tcpu_list = \"");
	for (int i = 0; i < c->ncpus; i++)
		weft_rt_text_printf(o, "%s%d", i == 0 ? "" : ",", c->cpu[i].id);
	weft_rt_text_printf(
		o, "\";\n\texternal_thread_count = %10d;\n", c->nexternal + 1);
	put_string(o, "binary_name", program_invocation_short_name);
	put_string(o, "hostname", weft_rt_who_host());
	weft_rt_text_printf(o,
		"\trank = \"%d\";\n\tnranks = \"%d\";\n"
		"\tpid = %d;\n\tstart_ts = %" PRIu64 ";\n\tend_ts = %20" PRIu64
		";\n\ttime_correction = 0;\n",
		weft_rt_proc->rank, weft_rt_proc->nranks, (int)getpid(),
		c->start, c->end);
	weft_rt_about_suspended(o, "\tweft_suspended = \"[", "]\";\n");
	put_counted(o);
	weft_rt_text_printf(o, "\tweft_version = \"%s\";\n", WEFT_VERSION);
}

static void
put_counters(struct text *o)
{
	if (weft_rt_ctf->ncounters == 0)
		return;
	weft_rt_text_puts(o, "struct hwc {\n");
	for (int i = 0; i < weft_rt_ctf->ncounters; i++)
		weft_rt_text_printf(o, "\tuint64_t %s;\n", weft_hwc_name(i));
	weft_rt_text_puts(o, "};\n");
}

void
weft_rt_ctf_types(struct text *o)
{
	weft_rt_text_puts(o, head);
}

/* Writes the clock. Times of events count from the beginning of the trace; the
 * offset is the wall clock's time then, which aligns the trace with other
 * tracers' traces. */
void
weft_rt_ctf_clock(struct text *o)
{
	const struct ident *id = &weft_rt_proc->ident;
	int64_t offset = weft_rt_clocks_epoch() + (int64_t)weft_rt_ctf->start;
	int64_t seconds = offset / 1000000000 - (offset % 1000000000 < 0);

	weft_rt_text_puts(o, "clock {\n\tname = \"monotonic\";\n");
	if (strlen(id->boot) == 36)
		weft_rt_text_printf(o, "\tuuid = \"%s\";\n", id->boot);
	weft_rt_text_printf(o,
		"\tdescription = \"Monotonic Clock\";\n"
		"\tfreq = 1000000000;\n"
		"\tprecision = 1000;\n"
		"\toffset_s = %" PRId64 ";\n"
		"\toffset = %" PRId64 ";\n"
		"};\n"
		"typealias integer {\n"
		"\tsize = 64; align = 8; signed = false;\n"
		"\tmap = clock.monotonic.value;\n"
		"} := uint64_clock_monotonic_t;\n",
		seconds, offset - seconds * 1000000000);
}

void
weft_rt_ctf_stream_class(struct text *o, int id, int bits, const char *more)
{
	weft_rt_text_printf(o, stream_text, id, bits, more);
}

static void
put_head(struct text *o)
{
	weft_rt_ctf_types(o);
	weft_rt_text_puts(o,
		"env {\n"
		"\tdomain = \"ust\";\n"
		"\ttracer_name = \"lttng-ust\";\n"
		"\ttracer_major = 2;\n"
		"\ttracer_minor = 11;\n"
		"\ttracer_patchlevel = 0;\n");
	weft_rt_ctf_env(o);
	weft_rt_text_printf(
		o, "\tweft_lost = %20" PRIu64 ";\n", weft_rt_ctf->lost);
	weft_rt_text_puts(o, "};\n");
	weft_rt_ctf_clock(o);
	weft_rt_text_puts(o, "struct unbounded {\n\tuint32_t tid;\n};\n");
	put_counters(o);
	weft_rt_ctf_stream_class(o, CTFWIRE_WORKER, 8, "");
	weft_rt_ctf_stream_class(o, CTFWIRE_THREAD, 8,
		"\tevent.context := struct {\n"
		"\t\tstruct unbounded unbounded;\n\t};\n");
}

/* Writes "u32 id" as "uint32_t _id;". */
static void
put_fields(struct text *o, const char *fields)
{
	char type[8], name[64];

	for (const char *at = fields; at && *at != '\0';) {
		if (sscanf(at, " %7s %63[^ ,]", type, name) != 2)
			return;
		if (type[0] == 's')
			weft_rt_text_printf(o, " string _%s;", name);
		else
			weft_rt_text_printf(o, " %sint%s_t _%s;",
				type[0] == 'u' ? "u" : "", type + 1, name);
		at += strcspn(at, ",");
		at += *at == ',';
	}
}

static void
event_name(const struct ctf_event *e, char name[256])
{
	static const char *const which[][2] = { { "tc:", "_enter" },
		{ "tc:", "_exit" }, { "oc:", "_enter" }, { "oc:", "_exit" } };
	bool is_plain = e->point->variants == 0;

	snprintf(name, 256, "%.60s:%s%.128s%s", weft_rt_ctf->prefix,
		is_plain ? "" : which[e->which][0], e->point->name,
		is_plain ? "" : which[e->which][1]);
}

/* Declares the event's counters. Only worker streams carry them. */
static void
put_context(struct text *o, const struct ctf_event *e, int stream)
{
	if (weft_rt_ctf->ncounters > 0 &&
		e->point->event[e->which].counters != 0)
		weft_rt_text_puts(o,
			stream == CTFWIRE_WORKER
				? "\tcontext := struct { struct hwc hwc; };\n"
				: "\tcontext := struct { };\n");
}

/* Writes the meaning that the name does not tell, for emu/ctf/entry_point.c. */
static void
put_meaning(struct text *o, const struct weft_ctf_tracepoint *p)
{
	static const char *const tells[WEFT_CTF_THREAD_RESUME + 1] = {
		[WEFT_CTF_TASK_START] = "task_start",
		[WEFT_CTF_TASK_END] = "task_end",
		[WEFT_CTF_TASK_BLOCK] = "task_block",
		[WEFT_CTF_TASK_UNBLOCK] = "task_unblock",
		[WEFT_CTF_THREAD_RESUME] = "thread_resume",
	};

	if (p->variants == 0 && p->does <= WEFT_CTF_THREAD_RESUME &&
		tells[p->does])
		weft_rt_text_printf(
			o, "\tmodel.emf.uri = \"weft:%s\";\n", tells[p->does]);
}

static void
put_event(struct text *o, int id, const char *name)
{
	const struct ctf_event *e = &weft_rt_ctf->event[id];
	bool has_fields =
		e->which == WEFT_CTF_TC_ENTER || e->which == WEFT_CTF_OC_ENTER;

	for (int stream = CTFWIRE_WORKER; stream <= CTFWIRE_THREAD; stream++) {
		weft_rt_text_printf(o,
			"event {\n\tname = \"%s\";\n\tid = %d;\n"
			"\tstream_id = %d;\n",
			name, id, stream);
		put_meaning(o, e->point);
		put_context(o, e, stream);
		weft_rt_text_puts(o, "\tfields := struct {");
		put_fields(o, has_fields ? e->point->fields : "");
		weft_rt_text_puts(o, " };\n};\n");
	}
}

static int
by_name(const void *pa, const void *pb)
{
	char a[256], b[256];

	event_name(&weft_rt_ctf->event[*(const uint8_t *)pa], a);
	event_name(&weft_rt_ctf->event[*(const uint8_t *)pb], b);
	return strcmp(a, b);
}

static void
put_events(struct text *o)
{
	int n = weft_rt_ctf->nevents;
	uint8_t id[CTF_EVENTS] = { 0 };
	char name[256];

	for (int i = 0; i < n; i++)
		id[i] = (uint8_t)(i + 1);
	qsort(id, (size_t)n, sizeof(id[0]), by_name);
	for (int i = 0; i < n; i++) {
		event_name(&weft_rt_ctf->event[id[i]], name);
		put_event(o, id[i], name);
	}
}

/* Overwrites the file in place if the size is the same: a full disk has no room
 * for another file. Keeps errno. */
static bool
rewrite(const struct text *o, const char *path)
{
	int error = errno, fd = open(path, O_WRONLY | O_CLOEXEC);
	struct stat st;
	bool ok = fd >= 0 && fstat(fd, &st) == 0 &&
		(uint64_t)st.st_size == o->n &&
		weft_rt_hush_write(fd, o->at, o->n, 0);

	if (fd >= 0)
		close(fd);
	errno = error;
	return ok;
}

static void
write_all(void *none)
{
	char path[STREAM_PATH], temp[STREAM_PATH + 8], scratch[4096];
	struct text o = { .at = scratch, .room = sizeof(scratch) };

	put_head(&o);
	put_events(&o);
	snprintf(path, sizeof(path), "%s/metadata", weft_rt_ctf->folder);
	errno = ENOMEM;
	if (o.failed ||
		(!weft_rt_text_save(o.at, o.n, path, temp) &&
			!rewrite(&o, path)))
		weft_rt_proc_trouble(errno, path);
	weft_rt_text_free(&o);
	(void)none;
}

void
weft_rt_ctf_meta(void)
{
	weft_rt_slow(write_all, NULL);
}
