/* SPDX-License-Identifier: MIT */
#include "export/prv_in/labels.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/utf8.h"

#define FILE_MAX_BYTES (256u << 20)

/* Lines of a file, one after the other. */
struct text {
	struct arena *arena;
	char *at, *end;
	bool is_utf8;
};

static bool
open_text(struct text *t, struct arena *a, const char *path, struct err *err)
{
	size_t n;

	t->arena = a;
	t->at = file_read(a, path, FILE_MAX_BYTES, &n, err);
	if (t->at == NULL)
		return false;
	t->end = t->at + n;
	t->is_utf8 = utf8_is_valid(t->at, n);
	return true;
}

/* Returns the next line without its end, and without blanks at both ends if
 * `trim`; NULL: none is left. */
static char *
next_line(struct text *t, bool trim)
{
	char *line = t->at, *end;

	if (line >= t->end)
		return NULL;
	end = memchr(line, '\n', (size_t)(t->end - line));
	if (end == NULL)
		end = t->end;
	t->at = end + 1;
	*end = '\0';
	if (end > line && end[-1] == '\r')
		*--end = '\0';
	while (trim && end > line && isspace((unsigned char)end[-1]))
		*--end = '\0';
	if (trim)
		line += strspn(line, " \t");
	return line;
}

/* Returns the text as UTF-8: as it is, or each byte as a character of
 * Latin-1. */
static const char *
decode(const struct text *t, const char *s)
{
	size_t n = strlen(s);
	char *to, *copy;

	if (t->is_utf8 || utf8_is_valid(s, n))
		return s;
	copy = to = arena_alloc(t->arena, 2 * n + 1);
	for (; *s != '\0'; s++) {
		unsigned c = (unsigned char)*s;

		if (c >= 0x80) {
			*to++ = (char)(0xc0 | c >> 6);
			c = 0x80 | (c & 0x3f);
		}
		*to++ = (char)c;
	}
	*to = '\0';
	return copy;
}

/* Reads a number and moves behind the blanks that follow. Returns false if
 * there is none, or something else follows. */
static bool
take_number(char **at, int64_t *to)
{
	char *end;

	errno = 0;
	*to = strtoll(*at, &end, 10);
	if (end == *at || errno != 0 || !isspace((unsigned char)*end))
		return false;
	*at = end + strspn(end, " \t");
	return **at != '\0';
}

/* Sections of a .pcf. */
enum section {
	SECTION_OTHER,
	SECTION_STATES,
	SECTION_TYPES,
	SECTION_VALUES,
};

/* Stores the section that the line begins. Returns false if it begins none. */
static bool
begins_section(const char *line, enum section *to)
{
	static const struct {
		const char *word;
		enum section section;
	} words[] = { { "STATES", SECTION_STATES },
		{ "EVENT_TYPE", SECTION_TYPES }, { "VALUES", SECTION_VALUES },
		{ "DEFAULT_OPTIONS", SECTION_OTHER },
		{ "DEFAULT_SEMANTIC", SECTION_OTHER },
		{ "STATES_COLOR", SECTION_OTHER },
		{ "GRADIENT_COLOR", SECTION_OTHER },
		{ "GRADIENT_NAMES", SECTION_OTHER } };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcmp(line, words[i].word) == 0) {
			*to = words[i].section;
			return true;
		}
	return false;
}

#define VALUE_WIDTH 4 /* of a value in our own files; a blank follows */

/* Ovni's labels of CPUs begin with a blank: so does a label that stands one
 * blank further than our own files have it. */
static void
add_label(const struct text *t, struct prv_in_labels *to, char *line)
{
	const char *start = line;
	size_t width = strcspn(line, " \t");
	int64_t value;

	if (!take_number(&line, &value))
		return;
	if (width < VALUE_WIDTH)
		width = VALUE_WIDTH;
	if (line == start + width + 2 && line[-1] == ' ')
		line--;
	VEC_PUSH(&to->at, t->arena,
		((struct prv_in_label){ value, decode(t, line) }));
}

/* Adds "COLOUR TYPE LABEL"; the first line that names a type counts. */
static void
add_type(struct prv_in_pcf *p, const struct text *t,
	const struct prv_in_labels *labels, char *line)
{
	int64_t colour, number;
	uint64_t *known;

	if (!take_number(&line, &colour) || !take_number(&line, &number) ||
		number < 0 || number > UINT32_MAX)
		return;
	known = map_put(&p->by_number, (uint64_t)number);
	if (*known != 0)
		return;
	VEC_PUSH(&p->types, t->arena,
		((struct prv_in_type){ number, decode(t, line), labels }));
	*known = (uint64_t)p->types.n;
}

bool
prv_in_pcf_read(struct prv_in_pcf *p, struct arena *a, const char *path,
	struct err *err)
{
	enum section section = SECTION_OTHER;
	struct prv_in_labels *labels = NULL;
	struct text t;
	char *line;

	if (!open_text(&t, a, path, err))
		return false;
	while ((line = next_line(&t, true)) != NULL) {
		if (*line == '#' || *line == '\0')
			continue;
		if (begins_section(line, &section)) {
			if (section == SECTION_TYPES)
				labels = ARENA_NEW(a, struct prv_in_labels);
			continue;
		}
		if (section == SECTION_STATES)
			add_label(&t, &p->states, line);
		else if (section == SECTION_TYPES)
			add_type(p, &t, labels, line);
		else if (section == SECTION_VALUES && labels != NULL)
			add_label(&t, labels, line);
	}
	return true;
}

void
prv_in_pcf_fini(struct prv_in_pcf *p)
{
	map_fini(&p->by_number);
}

/* Returns the level of a line "LEVEL NAME SIZE n", and n; PRV_IN_LEVELS for
 * other levels; -1: the line is no such line. */
static int
level_of(char *line, int64_t *size)
{
	static const char *const levels[] = { [PRV_IN_APPL] = "APPL",
		[PRV_IN_TASK] = "TASK",
		[PRV_IN_THREAD] = "THREAD",
		[PRV_IN_NODE] = "NODE",
		[PRV_IN_CPU] = "CPU" };
	char *save, *word = strtok_r(line, " \t", &save), *name, *end;
	int at = 0;

	if (word == NULL || strcmp(word, "LEVEL") != 0)
		return -1;
	name = strtok_r(NULL, " \t", &save);
	word = strtok_r(NULL, " \t", &save);
	if (name == NULL || word == NULL || strcmp(word, "SIZE") != 0)
		return -1;
	word = strtok_r(NULL, " \t", &save);
	*size = word == NULL ? -1 : strtoll(word, &end, 10);
	while (at < PRV_IN_LEVELS && strcmp(name, levels[at]) != 0)
		at++;
	return *size < 0 ? -1 : at;
}

bool
prv_in_names_read(struct prv_in_names *n, struct arena *a, const char *path,
	struct err *err)
{
	struct text t;
	char *line;

	if (!open_text(&t, a, path, err))
		return false;
	while ((line = next_line(&t, true)) != NULL) {
		int64_t size;
		int level = level_of(line, &size);

		for (int64_t i = 0; level >= 0 && i < size; i++) {
			line = next_line(&t, false);
			if (line == NULL)
				break;
			if (level < PRV_IN_LEVELS)
				VEC_PUSH(&n->level[level], a, decode(&t, line));
		}
	}
	return true;
}

const char *
prv_in_name(
	const struct prv_in_names *n, enum prv_in_level level, uint64_t index)
{
	const char *name = index < (uint64_t)n->level[level].n
		? n->level[level].at[index]
		: NULL;

	return name == NULL || *name == '\0' ? NULL : name;
}
