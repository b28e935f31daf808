/* SPDX-License-Identifier: MIT */
/* The metadata of the kernel's streams, in TSDL, like that of Nanos6. */
#include <errno.h>
#include <stdio.h>
#include <sys/utsname.h>

#include "inproc/core/proc.h"
#include "inproc/core/text.h"
#include "inproc/ctf/ctf.h"
#include "inproc/ctf/kernel.h"
#include "inproc/ctf/kernel_list.h"
#include "inproc/ctf/meta.h"
#include "inproc/ctf/wire.h"

static void
put_field(struct text *o, const struct tracepoint_field *f)
{
	char array[16] = "";

	if (f->n > 1)
		snprintf(array, sizeof(array), "[%u]", f->n);
	if (f->kind == TRACEPOINT_TEXT)
		weft_rt_text_printf(o, "\t\tstring _%s;\n", f->name);
	else
		weft_rt_text_printf(o,
			"\t\tinteger { size = %d; align = 8; signed = %d; "
			"%s} _%s%s;\n",
			8 * f->size, f->kind == TRACEPOINT_SIGNED,
			f->kind == TRACEPOINT_CHARS ? "encoding = UTF8; "
				: f->kind == TRACEPOINT_POINTER ? "base = 16; "
								: "",
			f->name, array);
}

static void
put_event(struct text *o, const struct tracepoint *t, const char *call, int id)
{
	weft_rt_text_printf(o,
		"event {\n\tname = \"%s%s%s\";\n\tid = %d;\n"
		"\tstream_id = %d;\n\tfields := struct {\n",
		t->name, call ? "_" : "", call ? call : "", id, CTFWIRE_KERNEL);
	for (int i = 0; i < t->nfields; i++)
		put_field(o, &t->field[i]);
	weft_rt_text_puts(o, "\t};\n};\n");
}

static void
put_point(struct text *o, const struct kernel *k, const struct tracepoint *t)
{
	int first = t->id == k->enter ? KERNEL_ENTER : KERNEL_EXIT;

	if (t->id != k->enter && t->id != k->exit) {
		put_event(o, t, NULL, t->id);
		return;
	}
	for (int i = 0; i < KERNEL_CALLS; i++)
		if (weft_rt_kernel_calls[i])
			put_event(o, t, weft_rt_kernel_calls[i], first + i);
}

void
weft_rt_kernel_meta(const struct kernel *k)
{
	char path[sizeof(k->folder) + 16], temp[sizeof(k->folder) + 32];
	char scratch[4096];
	struct text o = { .at = scratch, .room = sizeof(scratch) };
	struct utsname u = { 0 };

	uname(&u);
	weft_rt_ctf_types(&o);
	weft_rt_text_printf(&o,
		"env {\n\tdomain = \"kernel\";\n\tsysname = \"Linux\";\n"
		"\tkernel_release = \"%s\";\n\tkernel_version = \"%s\";\n"
		"\ttracer_name = \"lttng-modules\";\n\ttracer_major = 2;\n"
		"\ttracer_minor = 10;\n\ttracer_patchlevel = 10;\n",
		u.release, u.version);
	weft_rt_ctf_env(&o);
	weft_rt_text_puts(&o, "};\n");
	weft_rt_ctf_clock(&o);
	weft_rt_ctf_stream_class(&o, CTFWIRE_KERNEL, 16, "");
	for (int i = 0; i < k->npoints; i++)
		put_point(&o, k, &k->point[i]);
	snprintf(path, sizeof(path), "%s/metadata", k->folder);
	errno = ENOMEM;
	if (o.failed || !weft_rt_text_save(o.at, o.n, path, temp))
		weft_rt_proc_trouble(errno, path);
	weft_rt_text_free(&o);
}
