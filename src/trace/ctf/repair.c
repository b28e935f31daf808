/* SPDX-License-Identifier: MIT */
#include "trace/ctf/repair.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/text.h"
#include "trace/ctf/ctf.h"
#include "trace/ctf/packet.h"
#include "trace/ctf/part.h"
#include "trace/ctf/stream.h"
#include "trace/ctf/tail.h"
#include "trace/finding.h"

#define WINDOW (256u << 10)
#define BUFFER (256u << 10)
#define HEAD_MAX (1u << 20) /* bytes of a packet before its events */

/* A stream that is being copied. */
struct copy {
	struct arena *arena;
	struct ctf_stream in;
	struct outfile out;
	int fd; /* the input, to read the heads of packets */
	const struct ctf_stream_layout *class; /* class of the current packet */
	int64_t from, begin; /* offsets of the packet in the input and the
	                      * output */
	uint64_t end;   /* end of its last whole event, in bits of the packet */
	uint64_t put;   /* bytes of the packet written so far */
	uint64_t clock; /* clock of the last event, in ticks */
	int64_t about;  /* time for the first event; 0: keep its own */
	uint64_t events, clocks, lost;
	struct err err;
};

/* Finds a number of the code: *at is the position of the number, in bits from
 * the beginning of the code. Returns its size in bytes (little endian), or 0 if
 * its position is not fixed. */
static uint64_t
place_of(const struct ctf_code *code, uint32_t slot, uint64_t *at)
{
	for (int i = 2; code->fixed && i < code->nops; i++) {
		const struct ctf_op *op = &code->op[i];

		if (op->slot != slot)
			continue;
		*at = op->n;
		return code->fields.at[slot].bits / 8;
	}
	return 0;
}

static bool
is_at_end(const struct ctf_stream *s)
{
	return s->cursor.bias + s->cursor.pos >= s->content;
}

/* Writes the part of the packet before its first event, `bits` long. */
static bool
put_head(struct copy *c, uint64_t bits)
{
	size_t n = (size_t)(bits + 7) / 8;
	uint8_t *head;

	c->class = c->in.class;
	c->from = c->in.packet;
	c->begin = outfile_tell(&c->out);
	c->end = bits;
	c->put = bits / 8;
	if (n > HEAD_MAX)
		return err_set(&c->err, ERR_LIMIT,
			"%s: cannot be repaired: a packet header of %zu bytes "
			"is too long",
			c->in.file, n);
	head = arena_alloc(c->arena, n + CTF_SLACK);
	if (ctf_stream_pread(&c->in, c->fd, head, n, c->from) != (int64_t)n)
		return err_set(&c->err, ERR_SYSTEM,
			"%s: cannot be read any more", c->in.file);
	outfile_write(&c->out, head, (size_t)c->put);
	return true;
}

/* Replaces the event's clock if it is invalid or before the previous one. */
static void
mend_clock(struct copy *c, uint64_t begin)
{
	const struct ctf_stream_layout *l = c->in.class;
	uint64_t now = c->in.cursor.clock, at;

	if (c->events == 0 && c->about != 0 && l->ticks->freq == 1000000000) {
		c->clock = (uint64_t)c->about - (uint64_t)c->in.offset_ns;
		now = 0;
	}
	if ((now >= c->clock && now <= INT64_MAX) || l->clock == CTF_NO_SLOT ||
		place_of(&l->header, l->clock, &at) != sizeof now) {
		c->clock = now;
		return;
	}
	outfile_patch(&c->out, c->begin + (int64_t)((begin + 7) / 8 + at / 8),
		&c->clock, sizeof c->clock);
	c->clocks++;
}

/* Writes the event's whole bytes. Remaining bits, less than a byte, are written
 * with the next event. */
static void
put_event(struct copy *c)
{
	const struct ctf_stream *s = &c->in;
	uint64_t end = s->cursor.bias + s->cursor.pos;
	uint64_t from = c->put - s->cursor.bias / 8;

	outfile_write(
		&c->out, s->cursor.data + from, (size_t)(end / 8 - c->put));
	mend_clock(c, s->cursor.bias + s->begin);
	c->put = end / 8;
	c->end = end;
	c->events++;
}

/* Returns the position of the packet's context in bits; decodes the header
 * again. */
static uint64_t
context_at(struct copy *c)
{
	const struct ctf_code *code = &c->class->packet_header;
	struct ctf_cursor at = { .keys = c->in.cursor.keys };
	size_t n = (size_t)(c->end + 7) / 8;
	uint8_t *head = arena_alloc(c->arena, n + CTF_SLACK);
	union value *v = ARENA_ARRAY(c->arena, union value, code->fields.n + 1);

	memset(head, 0, n + CTF_SLACK);
	if (ctf_stream_pread(&c->in, c->fd, head, n, c->from) < 0)
		return 0;
	at.data = head;
	at.end = n * 8;
	ctf_decode(&at, code, v);
	arena_fini(&at.lists);
	return (at.pos + 7) & ~UINT64_C(7);
}

/* Sets a size in the packet's context. Returns false if its position is not
 * fixed. */
static bool
patch_size(struct copy *c, uint32_t slot, uint64_t context, uint64_t bits)
{
	uint64_t at, bytes;

	if (slot == CTF_NO_SLOT)
		return true;
	bytes = place_of(&c->class->packet_context, slot, &at);
	if (bytes > 0)
		outfile_patch(&c->out, c->begin + (int64_t)((context + at) / 8),
			&bits, (size_t)bytes);
	return bytes > 0;
}

/* Ends the packet after its last whole event, and sets its sizes. */
static bool
cut_packet(struct copy *c)
{
	const struct ctf_stream_layout *l = c->class;
	uint64_t bytes = (c->end + 7) / 8, context;

	if (l->packet_size == CTF_NO_SLOT && l->content_size == CTF_NO_SLOT)
		return true;
	context = context_at(c);
	if (patch_size(c, l->content_size, context, c->end) &&
		patch_size(c, l->packet_size, context, bytes * 8))
		return true;
	return err_set(&c->err, ERR_INPUT,
		"%s: cannot be repaired, because its packet sizes are not at a "
		"fixed byte offset",
		c->in.file);
}

/* Fills the packet up to `size` bytes, which include the padding after its
 * content. */
static void
pad(struct copy *c, uint64_t size)
{
	static const uint8_t zeros[4096];
	uint8_t last = 0;

	if (c->end % 8 != 0) {
		ctf_stream_pread(
			&c->in, c->fd, &last, 1, c->from + (int64_t)c->put);
		outfile_write(&c->out, &last, 1);
		c->put++;
	}
	while (c->put < size) {
		size_t n = size - c->put < sizeof zeros
			? (size_t)(size - c->put)
			: sizeof zeros;

		outfile_write(&c->out, zeros, n);
		c->put += n;
	}
}

/* Returns true if the file has the whole packet, with the padding after its
 * content. */
static bool
is_there(const struct ctf_stream *s)
{
	uint32_t slot = s->class->packet_size;

	return slot == CTF_NO_SLOT ||
		s->values[slot].u / 8 <= (uint64_t)(s->size - s->packet);
}

/* Copies the events of the packet. Sets *moved if the first event of the next
 * packet has been read. Returns false if there is no further event. */
static bool
put_events(struct copy *c, bool *whole, bool *moved)
{
	struct ctf_stream *s = &c->in;
	int64_t packet = s->packet;

	*whole = *moved = false;
	while (!is_at_end(s)) {
		if (!ctf_stream_next(s))
			return false;
		*moved = s->packet != packet;
		if (*moved)
			return true;
		put_event(c);
	}
	*whole = !s->cut && is_there(s);
	return true;
}

/* Copies one packet, whose head was read. */
static bool
copy_packet(struct copy *c, bool *more, bool *moved)
{
	struct ctf_stream *s = &c->in;
	int64_t next = s->next;
	uint64_t content = s->content;
	bool whole;

	if (!put_head(c, s->cursor.bias + (*moved ? s->begin : s->cursor.pos)))
		return false;
	if (*moved)
		put_event(c);
	*more = put_events(c, &whole, moved);
	pad(c, whole ? (uint64_t)(next - c->from) : 0);
	if (whole)
		return true;
	c->lost += (content - c->end) / 8;
	return cut_packet(c);
}

static bool
copy_packets(struct copy *c)
{
	bool more = true, moved = false;

	while (more) {
		if (!copy_packet(c, &more, &moved))
			return false;
		if (more && !moved)
			more = ctf_packet_next(&c->in);
	}
	/* The next packet cannot be read: count the rest of the file as
	 * lost. */
	if (c->in.packet < c->in.size)
		c->lost += (uint64_t)(c->in.size - c->in.packet);
	return true;
}

static void
note(struct findings *done, enum finding_severity severity, const char *file,
	const char *fmt, uint64_t n)
{
	if (n > 0)
		finding_add(done,
			(struct finding){ .severity = severity,
				.file = file,
				.offset = FINDING_NOWHERE,
				.time = FINDING_NEVER },
			fmt, (unsigned long long)n, text_plural(n));
}

static bool
write_stream(struct copy *c, const char *path, struct err *err)
{
	bool ok;

	if (!outfile_open(&c->out, c->arena, path, BUFFER, err))
		return false;
	c->fd = open(c->in.file, O_RDONLY | O_CLOEXEC);
	ok = c->fd >= 0 && copy_packets(c);
	if (c->fd >= 0)
		close(c->fd);
	if (!ok) {
		outfile_discard(&c->out);
		return err_set(err, c->err.kind, "%s", c->err.text);
	}
	return outfile_close(&c->out, err);
}

/* A directory being repaired. */
struct directory {
	const struct ctf_part *part;
	const char *to;   /* destination path */
	const char *cpus; /* "0,1": CPUs that have a stream */
	int nothers;      /* number of streams of other threads */
	struct findings *done;
	struct ctf_repair_result *result;
};

static void
note_stream(struct directory *f, const struct copy *c)
{
	note(f->done, FINDING_NOTE, c->in.file,
		"left out: %llu byte%s after the last complete event", c->lost);
	note(f->done, FINDING_NOTE, c->in.file,
		"changed: %llu clock%s that went backwards or jumped by months",
		c->clocks);
	f->result->streams++;
	f->result->events += c->events;
	f->result->clocks += c->clocks;
	f->result->lost_bytes += c->lost;
}

/* Remembers the CPU or thread of the stream, for the metadata. */
static void
note_owner(struct arena *a, struct directory *f, const struct ctf_stream *s)
{
	int64_t cpu = ctf_part_cpu(s);

	if (!ctf_part_is_cpu(s))
		f->nothers++;
	else if (cpu >= 0)
		f->cpus = arena_printf(a, "%s%s%lld", f->cpus,
			*f->cpus == '\0' ? "" : ",", (long long)cpu);
}

/* Copies a stream; a file without any packet is left out. */
static bool
copy_stream(struct arena *a, struct directory *f, const struct stream *of,
	struct err *err)
{
	const char *file = of->file;
	struct arena scratch = { 0 };
	struct findings quiet;
	struct copy c = { .arena = &scratch,
		.about = of->about,
		.in = { .layout = &f->part->layout,
			.meta = &f->part->meta,
			.findings = &quiet } };
	bool ok = true;

	findings_init(&quiet, &scratch, 0);
	c.in.tail = ctf_tail_open(&scratch, &c.in, file, &quiet);
	if (ctf_stream_open(&c.in, file, WINDOW, true)) {
		note_owner(a, f, &c.in);
		ok = write_stream(&c,
			arena_printf(&scratch, "%s/%s", f->to, file_name(file)),
			err);
		if (ok)
			note_stream(f, &c);
		ctf_stream_close(&c.in);
	} else {
		f->result->lost_bytes += (uint64_t)c.in.size;
		note(f->done, c.in.size > 0 ? FINDING_WARNING : FINDING_NOTE,
			file,
			"left out: %llu file%s without a packet of the trace",
			1);
	}
	arena_fini(&scratch);
	return ok;
}

/* Where the built-in metadata expects the values that the streams of a rank
 * contain. */
static const char env[] = "nanos6_trace_version = 1;";

static bool
write_metadata(struct arena *a, const struct directory *f, struct err *err)
{
	const struct ctf_meta *m = &f->part->meta;
	const char *at = m->made ? strstr(m->text, env) : NULL;
	size_t n = at == NULL ? 0 : (size_t)(at - m->text) + sizeof env - 1;
	struct outfile out;

	if (!outfile_open(&out, a, arena_printf(a, "%s/metadata", f->to),
		    BUFFER, err))
		return false;
	if (strncmp(m->text, "/* CTF 1.8 */", 13) != 0)
		outfile_puts(&out, "/* CTF 1.8 */\n");
	outfile_write(&out, m->text, n);
	if (at != NULL)
		outfile_printf(&out,
			" cpu_list = \"%s\"; external_thread_count = %d;",
			f->cpus, f->nothers);
	outfile_write(&out, m->text + n, m->size - n);
	if (m->made)
		note(f->done, FINDING_NOTE, f->part->folder->path,
			"inferred: metadata with %llu event%s",
			(uint64_t)m->events.n / 2);
	return outfile_close(&out, err);
}

bool
ctf_repair(struct arena *a, const struct source *source, const char *folder,
	struct findings *done, struct ctf_repair_result *result,
	struct err *err)
{
	*result = (struct ctf_repair_result){ 0 };
	for (int i = 0; i < source->trace.parts.n; i++) {
		const struct ctf_part *p = ctf_part_of(source, i);
		struct directory f = { .part = p,
			.to = arena_printf(a, "%s/%s", folder, p->folder->name),
			.cpus = "",
			.done = done,
			.result = result };

		if (!file_mkdir(f.to, err))
			return false;
		for (int j = 0; j < source->trace.streams.n; j++) {
			const struct stream *s = &source->trace.streams.at[j];

			if (s->part == &p->part && !copy_stream(a, &f, s, err))
				return false;
		}
		if (!write_metadata(a, &f, err))
			return false;
	}
	return true;
}
