/* SPDX-License-Identifier: MIT */
#include "inproc/mem/files.h"

#include "inproc/core/pages.h"
#include "inproc/mem/report.h"

static struct outbuf process;

struct outbuf *
files_process(void)
{
	return &process;
}

void
files_flush_process(void)
{
	report_paths(&process);
	out_flush(&process);
}

struct outbuf *
files_of(struct self *s)
{
	if (!s->is_told)
		report_thread(&process, s);
	if (s->out == NULL)
		s->out = room_take(sizeof(*s->out));
	if (s->out != NULL && !s->has_file) {
		out_open(s->out, MEM_FILE_THREAD, s->tid, s->file);
		s->has_file = true;
	}
	return s->out;
}
