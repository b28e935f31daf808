/* SPDX-License-Identifier: MIT */
#include "export/chrome/put.h"

#include <string.h>

#include "base/arena.h"
#include "base/digits.h"
#include "base/quote.h"
#include "base/utf8.h"
#include "export/single.h"

#define SHORT 400 /* bytes of an event that is copied in one go */

bool
chrome_out_open(struct chrome_out *o, struct arena *a, const char *dir,
	const struct sink_setup *setup, struct err *err)
{
	bool ps = strcmp(setup->unit, "ps") == 0;

	o->arena = a;
	o->per_ns = ps && !setup->ps_as_ns ? 1000 : 1;
	if (!single_open(&o->file, a, dir, "trace.json", setup, err))
		return false;
	outfile_printf(&o->file,
		"{\"displayTimeUnit\":\"ns\",\"otherData\":{\"weft\":\"%s\","
		"\"unit\":\"%s\"},\"traceEvents\":[",
		WEFT_VERSION, ps && setup->ps_as_ns ? "ps as if ns" : "ns");
	return true;
}

bool
chrome_out_close(struct chrome_out *o, struct err *err)
{
	outfile_puts(&o->file, "\n]}\n");
	return outfile_close(&o->file, err);
}

/* Returns the text as a string of JSON. */
static const char *
quoted(struct chrome_out *o, const char *text)
{
	size_t n = strlen(text), room = 6 * n + QUOTE_ROOM + 3;
	char *all = arena_alloc(o->arena, room), *to = all;
	const char *at = text;

	o->mended += !utf8_is_valid(text, n);
	*to++ = '"';
	while (at < text + n)
		to = quote_json(to, all + room, &at, text + n);
	*to++ = '"';
	return all;
}

static struct chrome_text
text_of(const char *s)
{
	return (struct chrome_text){ s, strlen(s) };
}

struct chrome_text
chrome_name(struct chrome_out *o, const char *name, const char *cat)
{
	return text_of(arena_printf(o->arena, ",\"name\":%s,\"cat\":%s",
		quoted(o, name), quoted(o, cat)));
}

struct chrome_text
chrome_thread(struct chrome_out *o, int pid, int tid)
{
	return text_of(arena_printf(
		o->arena, ",\"pid\":%d,\"tid\":%d,\"ts\":", pid, tid));
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
		outfile_puts(&o->file, "\"name\":");
		outfile_puts(&o->file, quoted(o, text));
	} else {
		outfile_printf(
			&o->file, "\"sort_index\":%lld", (long long)number);
	}
	outfile_puts(&o->file, "}}");
}

static char *
put(char *at, struct chrome_text text)
{
	memcpy(at, text.at, text.n);
	return at + text.n;
}

/* Writes ns as us with three decimals. */
static char *
put_time(struct chrome_out *o, char *at, int64_t time)
{
	int64_t ns = time / o->per_ns, us = ns / 1000;
	uint32_t rest = (uint32_t)(ns - 1000 * us);
	uint32_t digits = digits_four(rest);

	o->rounded += ns * o->per_ns != time;
	at = digits_i64(at, us);
	memcpy(at, &digits, sizeof digits);
	*at = '.'; /* instead of the first of four digits, which is 0 */
	return at + sizeof digits;
}

void
chrome_event(struct chrome_out *o, char type, struct chrome_text name,
	struct chrome_text thread, int64_t time, struct chrome_text rest)
{
	char head[] = "{\"ph\":\"B\"", *at;
	bool is_long = name.n + thread.n + rest.n > SHORT;

	head[sizeof head - 3] = type;
	at = put_comma(o, outfile_room(&o->file, 2 * SHORT));
	memcpy(at, head, sizeof head - 1);
	at += sizeof head - 1;
	if (__builtin_expect(is_long, 0)) {
		o->file.at = at;
		outfile_write(&o->file, name.at, name.n);
		outfile_write(&o->file, thread.at, thread.n);
		o->file.at = put_time(
			o, outfile_room(&o->file, DIGITS_MAX + 4), time);
		outfile_write(&o->file, rest.at, rest.n);
		return;
	}
	at = put(at, name);
	at = put(at, thread);
	at = put_time(o, at, time);
	o->file.at = put(at, rest);
}

void
chrome_counter(struct chrome_out *o, struct chrome_text name,
	struct chrome_text thread, int64_t time, int64_t value)
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
		(struct chrome_text){ rest, (size_t)(at - rest) });
}
