/* SPDX-License-Identifier: MIT */
#include "trace/ctf/nanos6.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "trace/ctf/layout.h"
#include "trace/ctf/parse.h"
#include "trace/ctf/stream.h"
#include "trace/finding.h"

#define COUNTERS_MAX 8
#define TRIED_BYTES 65536 /* of a stream */
#define WINDOW 16384
#define EVENT_BYTES 1024 /* most are shorter: how much a cut one may leave */

/* Who has an event, beside all. */
enum { ALL, OLD };

/*
 * In the order of their ids, from 1. Fields: t, T: u16 tid, type; i, I: u32 id,
 * u8 id; a: u64 ts_acquire; F: start and end of a flush; l: label and source;
 * n: a name. None: a byte of no meaning.
 */
static const struct row {
	const char *name, *fields;
	bool counters; /* of workers, where there are counters */
	int who;
} events[] = {
	/* clang-format off */
	{ "ctf_flush", "F", false, ALL },
	{ "thread_create", "t", false, ALL },
	{ "thread_resume", "t", false, ALL },
	{ "thread_suspend", "t", true, ALL },
	{ "thread_shutdown", "t", true, ALL },
	{ "external_thread_create", "t", false, ALL },
	{ "external_thread_resume", "t", false, ALL },
	{ "external_thread_suspend", "t", false, ALL },
	{ "external_thread_shutdown", "t", false, ALL },
	{ "worker_enter_busy_wait", "", false, ALL },
	{ "worker_exit_busy_wait", "", false, ALL },
	{ "task_label", "lT", false, ALL },
	{ "tc:task_create_enter", "Ti", true, ALL },
	{ "tc:task_create_exit", "", false, ALL },
	{ "oc:task_create_enter", "Ti", false, ALL },
	{ "oc:task_create_exit", "", false, ALL },
	{ "tc:task_submit_enter", "", false, ALL },
	{ "tc:task_submit_exit", "", true, ALL },
	{ "oc:task_submit_enter", "", false, ALL },
	{ "oc:task_submit_exit", "", false, ALL },
	{ "task_start", "i", true, ALL },
	{ "taskfor_init_enter", "Ti", false, OLD },
	{ "taskfor_init_exit", "", false, OLD },
	{ "task_block", "", false, ALL },
	{ "task_unblock", "", false, ALL },
	{ "task_end", "", true, ALL },
	{ "dependency_register_enter", "", false, ALL },
	{ "dependency_register_exit", "", false, ALL },
	{ "dependency_unregister_enter", "", false, ALL },
	{ "dependency_unregister_exit", "", false, ALL },
	{ "scheduler_add_task_enter", "", false, ALL },
	{ "scheduler_add_task_exit", "", false, ALL },
	{ "scheduler_get_task_enter", "", false, ALL },
	{ "scheduler_get_task_exit", "", false, ALL },
	{ "tc:taskwait_enter", "", true, ALL },
	{ "tc:taskwait_exit", "", true, ALL },
	{ "tc:waitfor_enter", "", true, ALL },
	{ "tc:waitfor_exit", "", true, ALL },
	{ "tc:blocking_api_block_enter", "", true, ALL },
	{ "tc:blocking_api_block_exit", "", true, ALL },
	{ "tc:blocking_api_unblock_enter", "", true, ALL },
	{ "tc:blocking_api_unblock_exit", "", true, ALL },
	{ "oc:blocking_api_unblock_enter", "", false, ALL },
	{ "oc:blocking_api_unblock_exit", "", false, ALL },
	{ "tc:spawn_function_enter", "", true, ALL },
	{ "tc:spawn_function_exit", "", true, ALL },
	{ "oc:spawn_function_enter", "", false, ALL },
	{ "oc:spawn_function_exit", "", false, ALL },
	{ "tc:mutex_lock_enter", "", true, ALL },
	{ "tc:mutex_lock_exit", "", true, ALL },
	{ "tc:mutex_unlock_enter", "", true, ALL },
	{ "tc:mutex_unlock_exit", "", true, ALL },
	{ "debug_register", "nI", false, ALL },
	{ "debug_enter", "I", false, ALL },
	{ "debug_transition", "I", false, ALL },
	{ "debug_exit", "", false, ALL },
	{ "scheduler_lock_server", "a", false, ALL },
	{ "scheduler_lock_client", "ai", false, ALL },
	{ "scheduler_lock_assign", "i", false, ALL },
	{ "scheduler_lock_server_exit", "", false, ALL },
	/* clang-format on */
};

static const struct {
	char letter;
	const char *tsdl;
} fields[] = {
	{ 't', "uint16_t _tid;" },
	{ 'T', "uint16_t _type;" },
	{ 'i', "uint32_t _id;" },
	{ 'I', "uint8_t _id;" },
	{ 'a', "uint64_t _ts_acquire;" },
	{ 'F', "uint64_t _start; uint64_t _end;" },
	{ 'l', "string _label; string _source;" },
	{ 'n', "string name;" },
};

static const char head[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 8; align = 8; } := uint8_t;\n"
	"typealias integer { size = 16; align = 8; } := uint16_t;\n"
	"typealias integer { size = 32; align = 8; } := uint32_t;\n"
	"typealias integer { size = 64; align = 8; } := uint64_t;\n"
	"trace { major = 1; minor = 8; byte_order = le;\n"
	"packet.header := struct { uint32_t magic; uint32_t stream_id; }; };\n"
	"env { domain = \"ust\"; nanos6_trace_version = 1; };\n"
	"clock { name = \"monotonic\"; freq = 1000000000; };\n"
	"typealias integer { size = 64; align = 8; "
	"map = clock.monotonic.value; } := clock_t;\n"
	"struct header { uint8_t id; clock_t timestamp; };\n"
	"stream { id = 1; packet.context := struct { uint16_t cpu_id; };\n"
	"event.header := struct header; };\n"
	"stream { id = 2; packet.context := struct { uint16_t cpu_id; };\n"
	"event.header := struct header; event.context := struct { "
	"struct { uint16_t tid; } unbounded; }; };\n";

/* One that the streams may be of. */
struct guess {
	bool old;
	int counters;
};

static const char *
fields_text(struct arena *a, const char *letters)
{
	const char *text = "";

	if (*letters == '\0')
		return "uint8_t _dummy;";
	for (; *letters != '\0'; letters++)
		for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
			if (fields[i].letter == *letters)
				text = arena_printf(
					a, "%s %s", text, fields[i].tsdl);
	return text;
}

/* Their names are nowhere. */
static const char *
counters_text(struct arena *a, int n)
{
	const char *text = "";

	for (int i = 0; i < n; i++)
		text = arena_printf(a, "%s uint64_t counter%d;", text, i + 1);
	return n == 0
		? ""
		: arena_printf(
			  a, "context := struct { struct { %s } hwc; };", text);
}

static bool
make_meta(struct ctf_meta *m, struct arena *a, const struct guess *g,
	struct err *err)
{
	const char *counters = counters_text(a, g->counters);
	size_t n = sizeof head - 1, room = 64 * 1024;
	char *text = arena_alloc(a, room);
	int id = 1;

	memcpy(text, head, n);
	for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
		const struct row *e = &events[i];

		if (e->who == OLD && !g->old)
			continue;
		for (int stream = 1; stream <= 2; stream++)
			n += (size_t)snprintf(text + n, room - n,
				"event { name = \"nanos6:%s\"; id = %d; "
				"stream_id = %d; %s fields := struct { %s }; "
				"};\n",
				e->name, id, stream,
				e->counters && stream == 1 ? counters : "",
				fields_text(a, e->fields));
		id++;
	}
	*m = (struct ctf_meta){ 0 };
	if (!ctf_parse(m, a, "the description of Nanos6", text, n, err))
		return false;
	m->made = true;
	return true;
}

/* What a guess reads, before it makes no sense. */
struct yield {
	int64_t bytes;
	bool whole; /* there is nothing more, or it is enough */
};

static void
try_stream(const char *file, const struct ctf_meta *m,
	const struct ctf_layout *l, struct arena *a, struct yield *y)
{
	struct findings fs;
	struct ctf_stream s = { .layout = l, .meta = m, .findings = &fs };
	int64_t good = 0;

	findings_init(&fs, a, 0);
	if (!ctf_stream_open(&s, file, WINDOW, true))
		return;
	while (good < TRIED_BYTES && ctf_stream_next(&s) &&
		fs.count[FINDING_ERROR] == 0)
		good = ctf_stream_done(&s);
	if (good < TRIED_BYTES &&
		(good + EVENT_BYTES < s.size || fs.count[FINDING_ERROR] > 0))
		y->whole = false;
	y->bytes += good;
	ctf_stream_close(&s);
}

static struct yield
try_guess(const struct ctf_folder *folder, const struct guess *g)
{
	struct arena a = { 0 };
	struct err err = { 0 };
	struct ctf_meta m;
	struct ctf_layout l;
	struct yield y = { .whole = true };

	if (make_meta(&m, &a, g, &err) && ctf_layout_make(&l, &a, &m, &err)) {
		for (int i = 0; i < folder->streams.n; i++)
			try_stream(folder->streams.at[i], &m, &l, &a, &y);
		ctf_layout_fini(&l);
	}
	arena_fini(&a);
	return y;
}

bool
ctf_nanos6_is(const struct ctf_folder *folder)
{
	static const char channel[] = "channel_";

	for (int i = 0; i < folder->streams.n; i++)
		if (strncmp(file_name(folder->streams.at[i]), channel,
			    sizeof channel - 1) != 0)
			return false;
	return folder->streams.n > 0;
}

static void
report(const struct guess *g, const struct ctf_folder *folder,
	struct findings *fs)
{
	char counters[64] = "";

	if (g->counters > 0)
		snprintf(counters, sizeof counters,
			", with %d hardware counters of unknown names",
			g->counters);
	finding_file(fs, FINDING_WARNING, folder->path,
		"no metadata that can be read: taken for streams of Nanos6 "
		"%s%s; clock offset, pid and CPUs are not known",
		g->old ? "2.8 or older" : "3.0 or newer", counters);
}

bool
ctf_nanos6_meta(struct ctf_meta *m, struct arena *a,
	const struct ctf_folder *folder, struct findings *fs, struct err *err)
{
	struct guess best = { 0 };
	struct yield most = { 0 };

	for (int i = 0; i < 2 * (COUNTERS_MAX + 1) && !most.whole; i++) {
		struct guess g = { .old = i % 2 == 1, .counters = i / 2 };
		struct yield y = try_guess(folder, &g);

		/* No event at all: no other guess reads one. */
		if (y.bytes == 0 && i == 0)
			break;
		if (y.bytes > most.bytes) {
			most = y;
			best = g;
		}
	}
	if (most.bytes == 0)
		return err_set(err, ERR_INPUT,
			"%s: no metadata, and no event of Nanos6 in its "
			"streams",
			folder->path);
	report(&best, folder, fs);
	return make_meta(m, a, &best, err);
}
