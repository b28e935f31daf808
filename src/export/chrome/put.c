/* SPDX-License-Identifier: MIT */
#include "export/chrome/put.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/digits.h"
#include "base/utf8.h"
#include "export/single.h"

bool
chrome_out_open(struct chrome_out *o, struct arena *a, const char *dir,
	const struct sink_setup *setup, struct err *err)
{
	bool ps = strcmp(setup->unit, "ps") == 0;

	o->arena = a;
	o->per_ns = ps && !setup->ps_as_ns ? 1000 : 1;
	o->ms_begin = INT64_MAX; /* none */
	for (uint32_t i = 0; i < 1000; i++)
		o->three[i] = digits_four(i) >> 8;
	if (!single_open(&o->file, a, dir, "trace.json", setup, err))
		return false;
	out_open_memory(&o->made);
	out_open_memory(&o->joined);
	outfile_printf(&o->file,
		"{\"displayTimeUnit\":\"ns\",\"otherData\":{\"weft\":\"%s\","
		"\"unit\":\"%s\"},\"traceEvents\":[",
		WEFT_VERSION, ps && setup->ps_as_ns ? "ps as if ns" : "ns");
	return true;
}

bool
chrome_out_close(struct chrome_out *o, struct err *err)
{
	out_close(&o->made);
	out_close(&o->joined);
	outfile_puts(&o->file, "\n]}\n");
	return outfile_close(&o->file, err);
}

/* Appends the text as a string of JSON. */
static void
put_json(struct chrome_out *o, const char *text)
{
	o->mended += !utf8_is_valid(text, strlen(text));
	out_json(&o->made, text);
}

struct chrome_text
chrome_name_once(struct chrome_out *o, const char *name, const char *cat)
{
	struct chrome_text text;

	o->made.at = o->made.buf;
	out_puts(&o->made, ",\"name\":");
	put_json(o, name);
	text.name = (size_t)(o->made.at - o->made.buf);
	out_puts(&o->made, ",\"cat\":");
	put_json(o, cat);
	text.n = (size_t)(o->made.at - o->made.buf);
	out_room(&o->made, CHROME_PIECE);
	text.at = o->made.buf;
	return text;
}

struct chrome_text
chrome_name(struct chrome_out *o, const char *name, const char *cat)
{
	struct chrome_text once = chrome_name_once(o, name, cat);

	/* chrome_slice() copies whole pieces. */
	once.at = memcpy(
		arena_alloc(o->arena, once.n + CHROME_PIECE), once.at, once.n);
	return once;
}

const char *
chrome_join(struct chrome_out *o, const char *name, const char *what)
{
	o->joined.at = o->joined.buf;
	out_puts(&o->joined, name);
	out_puts(&o->joined, ": ");
	out_put(&o->joined, what, strlen(what) + 1);
	return o->joined.buf;
}

struct chrome_thread
chrome_thread(int pid, int tid)
{
	static const char after[] = "B\",\"ts\":";
	struct chrome_thread thread = { { 0 }, 0, 0 };
	int n = snprintf(thread.text, sizeof thread.text,
		",\n{\"pid\":%d,\"tid\":%d,\"ph\":\"%s", pid, tid, after);

	thread.n = (uint32_t)n;
	thread.type = thread.n - (uint32_t)(sizeof after - 1);
	return thread;
}

/* Events are separated by commas. */
static char *
put_comma(struct chrome_out *o, char *at)
{
	at[0] = ',';
	at[1] = '\n';
	if (!o->more) {
		o->more = true;
		at[0] = '\n';
		return at + 1;
	}
	return at + 2;
}

void
chrome_meta(struct chrome_out *o, const char *what, int pid, int tid,
	const char *text, int64_t number)
{
	o->file.at = put_comma(o, outfile_room(&o->file, 2));
	outfile_printf(&o->file,
		"{\"ph\":\"M\",\"name\":\"%s\",\"cat\":\"__metadata\",\"ts\":0,"
		"\"pid\":%d,\"tid\":%d,\"args\":{",
		what, pid, tid);
	if (text != NULL) {
		o->made.at = o->made.buf;
		put_json(o, text);
		outfile_puts(&o->file, "\"name\":");
		outfile_write(&o->file, o->made.buf,
			(size_t)(o->made.at - o->made.buf));
	} else {
		outfile_printf(
			&o->file, "\"sort_index\":%lld", (long long)number);
	}
	outfile_puts(&o->file, "}}");
}

/* Converts a time to ns, and counts what is lost. */
static int64_t
to_ns(struct chrome_out *o, int64_t time)
{
	int64_t ns = time / o->per_ns;

	o->rounded += ns * o->per_ns != time;
	o->far += ns >= CHROME_NS_MAX && ns % 1000 != 0;
	return ns;
}

char *
chrome_put_any_time(struct chrome_out *o, char *at, int64_t time)
{
	int64_t ns = to_ns(o, time), ms = ns / CHROME_MS;
	uint32_t digits = o->three[ns % 1000] << 8 | '.';
	char text[DIGITS_MAX];

	at = digits_u64(at, (uint64_t)ns / 1000);
	memcpy(at, &digits, sizeof digits);
	/* The first millisecond has no digits of its own, and others lose
	 * something. */
	if (ms > 0 && o->per_ns == 1 && ms < CHROME_NS_MAX / CHROME_MS) {
		o->ms_begin = ms * CHROME_MS;
		o->ms_digits = (uint32_t)(digits_i64(text, ms) - text);
		memcpy(o->ms_text, text, sizeof o->ms_text);
	}
	return at + sizeof digits;
}

void
chrome_event(struct chrome_out *o, char type, struct chrome_text name,
	const struct chrome_thread *thread, int64_t time,
	struct chrome_text rest)
{
	char *at = outfile_room(&o->file, 2 * CHROME_SHORT);

	memcpy(at, thread->text, sizeof thread->text);
	at[thread->type] = type;
	o->file.at = chrome_put_time(o, at + thread->n, time);
	outfile_write(&o->file, name.at, name.n);
	outfile_write(&o->file, rest.at, rest.n);
}

void
chrome_counter(struct chrome_out *o, struct chrome_text name,
	const struct chrome_thread *thread, int64_t time, int64_t value)
{
	bool exact = value <= CHROME_EXACT_MAX && value >= -CHROME_EXACT_MAX;
	char rest[64] = ",\"args\":{\"value\":", *at = rest + strlen(rest);

	o->inexact += !exact;
	if (!exact)
		*at++ = '"';
	at = digits_i64(at, value);
	if (!exact)
		*at++ = '"';
	*at++ = '}';
	*at++ = '}';
	chrome_event(o, 'C', name, thread, time,
		(struct chrome_text){ rest, (size_t)(at - rest), 0 });
}
