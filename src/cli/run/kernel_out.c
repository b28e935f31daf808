/* SPDX-License-Identifier: MIT */
#include "cli/run/kernel_out.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/document.h"
#include "base/file.h"
#include "cli/run/launch.h"
#include "cli/run/ready.h"
#include "trace/obs/wire.h"

enum {
	BUFFER = 64 << 10,
	META_MOST = 64 << 20,
	START_BYTES = 16,
	STOP_SEEN = 20000000 /* ns */
};

/* Writes an event with a number. */
static void
put_number(struct kernel_out *o, struct outfile *to, int64_t time,
	const char *mcv, uint32_t value)
{
	unsigned char data[sizeof(struct obs_event_header) + sizeof value] = {
		sizeof value - 1
	};

	memcpy(data + 1, mcv, 3);
	memcpy(data + 4, &time, sizeof time);
	memcpy(data + 12, &value, sizeof value);
	outfile_write(to, data, sizeof data);
	o->added++;
}

/* Returns true if the process was stopped at a time, or shortly behind it: weft
 * learns of a stop some time after its threads. */
static bool
is_stopped(const struct kernel_out *o, int64_t time)
{
	for (int i = 0; o->stops != NULL && i < o->stops->n; i++)
		if (time >= o->stops->at[i].from - STOP_SEEN &&
			time < o->stops->at[i].to)
			return true;
	return false;
}

/* Returns true for the states that a stop may hide behind. Samples may call it
 * ready: the kernel may count a thread as ready for some time after it blocks.
 */
static bool
may_be_stop(const struct kernel_feed *f, enum reason reason)
{
	return reason == REASON_BLOCKED ||
		(reason == REASON_PREEMPTED && f->changes.is_own);
}

/* Writes the state from a time until the next change. What blocks while the
 * process is stopped is stopped, and so is a thread that was seen to be stopped
 * before the next change. */
static void
put_reason(struct kernel_out *o, struct outfile *to, struct kernel_feed *f,
	int64_t time, enum reason reason)
{
	const struct change *next = changes_peek(&f->changes);

	if (may_be_stop(f, reason) &&
		((f->may_stop && is_stopped(o, time)) ||
			ready_was_stopped(f->samples, time,
				next == NULL ? INT64_MAX : next->time)))
		reason = REASON_STOPPED;
	put_number(o, to, time, "WRs", (uint32_t)reason);
}

/* Takes the next change and writes it. */
static void
put_change(struct kernel_out *o, struct outfile *to, struct kernel_feed *f)
{
	struct change c = *changes_peek(&f->changes);

	changes_take(&f->changes);
	f->now = c.reason;
	if (c.reason == REASON_ENDED)
		return;
	put_reason(o, to, f, c.time, c.reason);
	if (c.waker != 0)
		put_number(o, to, c.time, "WHk", (uint32_t)c.waker);
}

void
kernel_put_first(struct kernel_out *o, struct outfile *to,
	struct kernel_feed *f, int64_t begin)
{
	const struct change *c;

	while ((c = changes_peek(&f->changes)) != NULL && c->time <= begin) {
		f->now = c->reason;
		changes_take(&f->changes);
	}
	if (f->now != REASON_ENDED)
		put_reason(o, to, f, begin, f->now);
}

void
kernel_put_until(struct kernel_out *o, struct outfile *to,
	struct kernel_feed *f, int64_t until)
{
	const struct change *c;

	while ((c = changes_peek(&f->changes)) != NULL && c->time < until)
		put_change(o, to, f);
}

static void
put_end(struct kernel_out *o, struct outfile *to, int64_t time)
{
	unsigned char data[sizeof(struct obs_event_header)] = { 0, 'O', 'H',
		'e' };

	memcpy(data + 4, &time, sizeof time);
	outfile_write(to, data, sizeof data);
	o->added++;
}

void
kernel_put_end(struct kernel_out *o, struct outfile *to, struct kernel_feed *f)
{
	const struct change *c;
	int64_t end = f->seen;

	while ((c = changes_peek(&f->changes)) != NULL &&
		(f->seen == 0 || c->time < f->seen)) {
		if (c->reason == REASON_ENDED) {
			end = c->time;
			break;
		}
		put_change(o, to, f);
	}
	if (end != 0)
		put_reason(o, to, f, end,
			f->now == REASON_ENDED ? REASON_RUNS : f->now);
}

bool
kernel_open(struct kernel_out *o, struct outfile *to, const char *folder)
{
	static const struct obs_file_header head = { OBS_MAGIC, OBS_VERSION };

	if (!outfile_open_over(to, &o->arena,
		    arena_printf(&o->arena, "%s/stream.obs", folder), BUFFER,
		    o->err))
		return false;
	outfile_write(to, &head, sizeof head);
	return true;
}

bool
kernel_require(struct kernel_out *o, const char *from, const char *to)
{
	const char *path = arena_printf(&o->arena, "%s/stream.json", from), *at;
	struct outfile file;
	bool has_wait;
	size_t size;
	char *text;

	if (access(path, F_OK) != 0)
		return true;
	text = file_read(&o->arena, path, META_MOST, &size, o->err);
	if (text == NULL)
		return false;
	at = strstr(text, "\"require\"");
	at = at == NULL ? NULL : strchr(at, '{');
	if (at == NULL)
		return true;
	at++;
	has_wait = strstr(text, "\"wait\":") != NULL;
	if (has_wait && from == to)
		return true;
	if (!outfile_open(&file, &o->arena,
		    arena_printf(&o->arena, "%s/stream.json", to), BUFFER,
		    o->err))
		return false;
	outfile_write(&file, text, (size_t)(at - text));
	if (!has_wait)
		outfile_puts(&file, "\n            \"wait\": \"1.0.0\",");
	outfile_puts(&file, at);
	return outfile_close(&file, o->err);
}

/* Writes the begin of a thread, on no CPU: several threads of other streams are
 * on none, too. */
static void
put_begin(struct kernel_out *o, struct outfile *to, int64_t time)
{
	const int32_t nowhere[2] = { -1, -1 };
	unsigned char data[sizeof(struct obs_event_header) + START_BYTES] = {
		START_BYTES - 1, 'O', 'H', 'x'
	};

	memcpy(data + 4, &time, sizeof time);
	memcpy(data + 12, nowhere, sizeof nowhere);
	outfile_write(to, data, sizeof data);
	o->added++;
}

static void
put_name(struct kernel_out *o, struct outfile *to, int64_t time,
	const char *name)
{
	struct __attribute__((packed)) {
		struct obs_event_header head;
		uint32_t size;
		int32_t tid;
		char name[READY_NAME];
	} data = { { OBS_JUMBO | 3, { 'W', 'Y', 'n' }, { 0 } }, 0, 0, "" };

	data.size = (uint32_t)(sizeof data.tid + strlen(name) + 1);
	memcpy(data.head.clock, &time, sizeof time);
	memcpy(data.name, name, strlen(name));
	outfile_write(
		to, &data, sizeof data.head + sizeof data.size + data.size);
	o->added++;
}

bool
kernel_copy(struct kernel_out *o, const char *from, const char *to,
	struct kernel_feed *f, const char *name)
{
	struct outfile file;
	struct raw r;
	const unsigned char *event;
	size_t n;

	if (!raw_open(&r, from) || !file_mkdir(to, o->err) ||
		!kernel_open(o, &file, to)) {
		raw_close(&r);
		return o->err->kind == ERR_NONE;
	}
	event = raw_next(&r, &n);
	if (event != NULL && raw_is(event, "OHx")) {
		put_begin(o, &file, raw_time(event));
		if (name[0] != '\0')
			put_name(o, &file, raw_time(event), name);
		kernel_put_first(o, &file, f, raw_time(event));
	}
	while ((event = raw_next(&r, &n)) != NULL)
		if (raw_is(event, "OHe")) {
			kernel_put_until(o, &file, f, raw_time(event));
			put_end(o, &file, raw_time(event));
			break;
		}
	raw_close(&r);
	return outfile_close(&file, o->err) && kernel_require(o, from, to);
}

/* Writes the metadata of a thread of the node. */
static bool
write_meta(struct kernel_out *o, const char *folder, const char *loom,
	const struct ready_thread *th)
{
	struct outfile file;
	struct doc d = { 0 };

	if (!outfile_open(&file, &o->arena,
		    arena_printf(&o->arena, "%s/stream.json", folder), BUFFER,
		    o->err))
		return false;
	doc_open_memory(&d);
	doc_begin(&d, NULL, '{');
	doc_i64(&d, "version", OBS_METADATA_VERSION);
	doc_begin(&d, "ovni", '{');
	doc_begin(&d, "lib", '{');
	doc_word(&d, "version", "1.14.0");
	doc_word(&d, "commit", "weft " WEFT_VERSION);
	doc_end(&d, '}');
	doc_word(&d, "part", "thread");
	doc_i64(&d, "tid", th->tid);
	doc_i64(&d, "pid", th->pid);
	doc_word(&d, "loom", loom);
	doc_i64(&d, "app_id", 1);
	doc_begin(&d, "require", '{');
	doc_word(&d, "ovni", "1.1.0");
	doc_word(&d, "wait", "1.0.0");
	doc_end(&d, '}');
	doc_i64(&d, "finished", 1);
	doc_end(&d, '}');
	doc_end(&d, '}');
	outfile_write(&file, d.out.buf, (size_t)(d.out.at - d.out.buf));
	out_close(&d.out);
	return outfile_close(&file, o->err);
}

/* Returns the begin of a thread: it ran or was ready until its first sample, or
 * nobody knows. */
static int64_t
begin_of(const struct ready_thread *th)
{
	const struct ready_sample *s = &th->sample[0];

	return s->time - (int64_t)(s->ran + s->waited);
}

bool
kernel_make(
	struct kernel_out *o, const char *beside, const struct ready_thread *th)
{
	const char *name = beside + strlen(o->to) + 1, *folder;
	int64_t begin = begin_of(th), end = th->sample[th->n - 1].time;
	struct kernel_feed f = { .now = REASON_ENDED, .samples = th };
	struct outfile file;

	arena_reset(&o->arena);
	name = arena_printf(&o->arena, "%.*s", (int)strcspn(name, "/"), name);
	folder = arena_printf(&o->arena, "%s/%s/proc.%d/thread.%d", o->to, name,
		th->pid, th->tid);
	if (end <= begin || !file_mkdir(folder, o->err) ||
		!kernel_open(o, &file, folder))
		return o->err->kind == ERR_NONE;
	f.may_stop = th->pid == o->pid;
	changes_between(&f.changes, begin, end, th);
	put_begin(o, &file, begin);
	put_name(o, &file, begin, th->name);
	kernel_put_first(o, &file, &f, begin);
	kernel_put_until(o, &file, &f, end);
	put_end(o, &file, end);
	changes_close(&f.changes);
	return outfile_close(&file, o->err) &&
		write_meta(o, folder, name + strlen("loom."), th);
}
