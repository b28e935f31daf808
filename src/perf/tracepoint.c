/* SPDX-License-Identifier: MIT */
#include "perf/tracepoint.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "perf/smallfile.h"

enum { COMMON = 8 }; /* bytes of the common head of all records */

const char *
weft_tracepoint_root(void)
{
	static const char *const roots[] = { "/sys/kernel/tracing",
		"/sys/kernel/debug/tracing" };
	char path[64];

	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/events", roots[i]);
		if (access(path, R_OK | X_OK) == 0)
			return roots[i];
	}
	return NULL;
}

/* Returns the number that follows word in the line, or -1. */
static int
number_of(const char *line, const char *word)
{
	const char *at = strstr(line, word);

	return at ? (int)strtol(at + strlen(word), NULL, 10) : -1;
}

/* Extracts the name from a declaration such as "char prev_comm[16]". */
static bool
take_name(struct tracepoint_field *f, const char *decl)
{
	const char *end = strchr(decl, '['), *at;
	bool is_loc = strncmp(decl, "__data_loc", 10) == 0 ||
		strncmp(decl, "__rel_loc", 9) == 0;

	if (!end || is_loc)
		end = decl + strlen(decl);
	for (at = end; at > decl && at[-1] != ' ' && at[-1] != '*'; at--)
		;
	if (at == end || end - at >= TRACEPOINT_NAME)
		return false;
	memcpy(f->name, at, (size_t)(end - at));
	f->name[end - at] = '\0';
	return true;
}

static bool
is_size(int size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* Sets kind, element size and count; an odd element size becomes bytes. */
static void
set_type(struct tracepoint_field *f, const char *decl, int size, bool is_signed)
{
	const char *array = strchr(decl, '[');
	int n = array ? (int)strtol(array + 1, NULL, 10) : 1;
	bool is_char = strncmp(decl, "char ", 5) == 0 ||
		strncmp(decl, "unsigned char ", 14) == 0;

	f->kind = is_signed ? TRACEPOINT_SIGNED : TRACEPOINT_UNSIGNED;
	if (strncmp(decl, "__data_loc", 10) == 0) {
		f->kind = strstr(decl, "char") ? TRACEPOINT_TEXT
					       : TRACEPOINT_PLACE;
		n = 1;
	} else if (strncmp(decl, "__rel_loc", 9) == 0) {
		f->kind = TRACEPOINT_PLACE;
		n = 1;
	} else if (array && is_char) {
		f->kind = TRACEPOINT_CHARS;
		n = size;
	} else if (strchr(decl, '*')) {
		f->kind = TRACEPOINT_POINTER;
	}
	if (n < 1 || size % n != 0 || !is_size(size / n))
		n = size;
	f->n = (uint16_t)n;
	f->size = (uint16_t)(size / n);
}

/* "\tfield:int irq;\toffset:8;\tsize:4;\tsigned:1;" */
static bool
add_field(struct tracepoint *t, char *line)
{
	int offset = number_of(line, "offset:"), size;
	struct tracepoint_field *f = &t->field[t->nfields];
	char *decl = strstr(line, "field:"), *end;

	size = number_of(line, "size:");
	if (!decl || offset < 0 || size < 0 || offset + size > UINT16_MAX)
		return false;
	if (offset < COMMON || size == 0)
		return true;
	if (t->nfields == TRACEPOINT_FIELDS)
		return false;
	decl += 6;
	end = strchr(decl, ';');
	if (!end)
		return false;
	*end = '\0';
	f->offset = (uint16_t)offset;
	set_type(f, decl, size, strstr(end + 1, "signed:1") != NULL);
	t->nfields++;
	return take_name(f, decl);
}

bool
weft_tracepoint_parse(struct tracepoint *t, char *text)
{
	char *rest = NULL;
	int id = -1;

	memset(t, 0, sizeof(*t));
	for (char *line = strtok_r(text, "\n", &rest); line;
		line = strtok_r(NULL, "\n", &rest)) {
		if (strncmp(line, "name: ", 6) == 0)
			snprintf(t->name, sizeof(t->name), "%.63s", line + 6);
		else if (strncmp(line, "ID: ", 4) == 0)
			id = number_of(line, "ID: ");
		else if (strncmp(line, "print fmt", 9) == 0)
			break;
		else if (strstr(line, "field:") && !add_field(t, line))
			return false;
	}
	t->id = (uint16_t)id;
	return id > 0 && id <= UINT16_MAX && t->name[0] != '\0';
}

bool
weft_tracepoint_read(struct tracepoint *t, const char *folder)
{
	char path[512], text[8192];

	snprintf(path, sizeof(path), "%s/format", folder);
	return smallfile_read(path, text, sizeof(text)) &&
		weft_tracepoint_parse(t, text);
}

static int
open_event(struct perf_event_attr *attr, int pid, int cpu)
{
	attr->size = sizeof(*attr);
	attr->disabled = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
	return (int)syscall(
		SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

int
weft_tracepoint_open(const struct tracepoint *t, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.config = t->id,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_RAW,
	};

	return open_event(&attr, -1, cpu);
}

int
weft_tracepoint_open_switches(int tid, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.inherit = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.context_switch = 1,
		.sample_id_all = 1,
	};

	return open_event(&attr, tid, cpu);
}

/* Copies the text that a __data_loc field refers to. Returns its size with the
 * NUL; 0 on failure. */
static size_t
copy_text(const uint8_t *raw, size_t size, const struct tracepoint_field *f,
	uint8_t *to, size_t room)
{
	uint32_t loc;
	size_t offset, most, n;

	memcpy(&loc, raw + f->offset, 4);
	offset = loc & 0xffff;
	most = loc >> 16;
	if (offset > size || most > size - offset)
		return 0;
	n = strnlen((const char *)raw + offset, most);
	if (n + 1 > room)
		return 0;
	memcpy(to, raw + offset, n);
	to[n] = '\0';
	return n + 1;
}

size_t
weft_tracepoint_copy(const struct tracepoint *t, const uint8_t *raw,
	size_t size, uint8_t *to, size_t room)
{
	size_t n = 0;

	for (int i = 0; i < t->nfields; i++) {
		const struct tracepoint_field *f = &t->field[i];
		size_t bytes = (size_t)f->n * f->size;

		if (f->offset + bytes > size || n + bytes > room)
			return 0;
		if (f->kind == TRACEPOINT_TEXT) {
			bytes = copy_text(raw, size, f, to + n, room - n);
			if (bytes == 0)
				return 0;
		} else {
			memcpy(to + n, raw + f->offset, bytes);
		}
		n += bytes;
	}
	return n;
}
