/* SPDX-License-Identifier: MIT */
/* nanos6_kerneldefs.json: every tracepoint of the system. Tools of Nanos6
 * expect it beside the kernel's streams and number system calls by it.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "inproc/core/proc.h"
#include "inproc/core/text.h"
#include "inproc/ctf/kernel.h"
#include "inproc/ctf/kernel_list.h"
#include "perf/smallfile.h"

enum { COMMON = 8 }; /* bytes of the common head of all records */

/* The text, and the numbers for its head. */
struct defs {
	struct text out;
	unsigned n, last;
};

static void
put_integer(struct text *o, int bits, bool is_signed, const char *as)
{
	weft_rt_text_printf(o,
		"\\t\\tinteger { size = %d; align = 8; signed = %d; %s} ", bits,
		is_signed, as);
}

static void
put_padding(struct text *o, const char *name, int bytes)
{
	put_integer(o, 8, false, "encoding = none; base = 10; ");
	weft_rt_text_printf(o, "_pad_%s[%d];\\n", name, bytes);
}

static void
put_field(struct text *o, const struct tracepoint_field *f, const char *name)
{
	bool is_place =
		f->kind == TRACEPOINT_TEXT || f->kind == TRACEPOINT_PLACE;
	bool is_array = f->n > 1;

	put_integer(o, 8 * f->size, f->kind == TRACEPOINT_SIGNED,
		is_array && f->size == 1 ? "encoding = UTF8; base = 16; "
			: is_array || f->kind == TRACEPOINT_POINTER
			? "encoding = none; base = 16; "
			: "encoding = none; base = 10; ");
	weft_rt_text_printf(o, "_%s%s", is_place ? "data_loc_" : "", name);
	if (is_array)
		weft_rt_text_printf(o, "[%u]", f->n);
	weft_rt_text_puts(o, ";\\n");
}

static bool
is_call(const struct tracepoint *t)
{
	return strncmp(t->name, "sys_enter_", 10) == 0 ||
		strncmp(t->name, "sys_exit_", 9) == 0;
}

/* Fields lie where the kernel puts them; gaps become padding. */
static int
put_fields(struct text *o, const struct tracepoint *t)
{
	int at = COMMON;

	for (int i = 0; i < t->nfields; i++) {
		const struct tracepoint_field *f = &t->field[i];
		bool is_number = i == 0 && is_call(t);

		if (f->offset > at)
			put_padding(o, f->name, f->offset - at);
		put_field(o, f, is_number ? "__syscall_nr" : f->name);
		at = f->offset + f->n * f->size;
	}
	return at - COMMON;
}

static void
put_point(struct defs *d, const struct tracepoint *t)
{
	char scratch[8192];
	struct text fields = { .at = scratch, .room = sizeof(scratch) };
	int size = put_fields(&fields, t);

	weft_rt_text_printf(&d->out,
		",\n\t\"%s\": {\n\t\t\"id\": %u,\n\t\t\"size\": %d,\n"
		"\t\t\"format\": \"",
		t->name, t->id, size);
	weft_rt_text_put(&d->out, fields.at, fields.n);
	weft_rt_text_puts(&d->out, "\"\n\t}");
	d->out.failed = d->out.failed || fields.failed;
	weft_rt_text_free(&fields);
	d->n++;
	d->last = t->id > d->last ? t->id : d->last;
}

static void
put_system(struct defs *d)
{
	char pattern[64];
	struct tracepoint t;
	glob_t found;

	/* tracepoints that can be recorded have an id */
	snprintf(pattern, sizeof(pattern), "%s/events/*/*/id",
		weft_tracepoint_root());
	if (glob(pattern, 0, NULL, &found) != 0)
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		*strrchr(found.gl_pathv[i], '/') = '\0';
		if (weft_tracepoint_read(&t, found.gl_pathv[i]))
			put_point(d, &t);
	}
	globfree(&found);
}

static void
read_boot_id(char id[64])
{
	smallfile_read("/proc/sys/kernel/random/boot_id", id, 64);
	id[strcspn(id, "\n")] = '\0';
}

void
weft_rt_kernel_defs(const struct kernel *k)
{
	char path[sizeof(k->folder) + 32], temp[sizeof(k->folder) + 48];
	char points[4096], head[512], id[64];
	struct defs d = { .out = { .at = points, .room = sizeof(points) } };
	struct text all = { .at = head, .room = sizeof(head) };

	if (k->is_own)
		put_point(&d, &k->point[0]);
	else
		put_system(&d);
	read_boot_id(id);
	weft_rt_text_printf(&all,
		"{\n\t\"meta\": {\n\t\t\"bootId\": \"%s\",\n"
		"\t\t\"maxEventId\": %u,\n\t\t\"numberOfEvents\": %u\n\t}",
		id, d.last, d.n);
	weft_rt_text_put(&all, d.out.at, d.out.n);
	weft_rt_text_puts(&all, "\n}\n");
	snprintf(path, sizeof(path), "%.*s/nanos6_kerneldefs.json",
		(int)(strlen(k->folder) - strlen("/ctf/kernel")), k->folder);
	errno = ENOMEM;
	if (d.out.failed || all.failed ||
		!weft_rt_text_save(all.at, all.n, path, temp))
		weft_rt_proc_trouble(errno, path);
	weft_rt_text_free(&d.out);
	weft_rt_text_free(&all);
}
