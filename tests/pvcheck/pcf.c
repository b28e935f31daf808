/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>

#include "pvcheck.h"

#define PALETTE_MAX 13716

enum section { OTHER, STATES, COLORS, TYPES, VALUES };

struct pcf {
	struct check *c;
	struct timeline *t;
	enum section section;
	int first; /* first of the types that share the next VALUES section */
};

/* Reads the number at the beginning of a line; the label follows. */
static bool
label_number(struct check *c, const char **at, int64_t *n)
{
	*at += strspn(*at, " \t");
	if (text_number(at, n) && strchr(" \t", **at) != NULL &&
		*n >= INT32_MIN && *n <= INT32_MAX) {
		*at += strspn(*at, " \t");
		return true;
	}
	complain(c, RULE_PCF, "no number of 32 bits");
	return false;
}

/* "3 {255, 0, 10}" */
static void
color_line(struct check *c, const char *at)
{
	int64_t n;

	if (!label_number(c, &at, &n))
		return;
	if (n < 0 || n > PALETTE_MAX)
		complain(c, RULE_PCF, "no colour %" PRId64, n);
	if (*at++ != '{')
		complain(c, RULE_PCF, "a colour without {");
	for (int i = 0; i < 3; i++) {
		at += strspn(at, " ");
		if (!text_number(&at, &n) || n < 0 || n > 255)
			complain(c, RULE_PCF, "no component of a colour");
		at += strspn(at, " ");
		if (*at++ != (i < 2 ? ',' : '}')) {
			complain(c, RULE_PCF, "three components in {}");
			return;
		}
	}
}

static void
type_line(struct pcf *p, const char *at)
{
	int64_t gradient, number;
	struct pcf_type *type;

	at += strspn(at, " ");
	if (!text_number(&at, &gradient) || *at != ' ') {
		complain(p->c, RULE_PCF, "a type without its first number");
		return;
	}
	if (!label_number(p->c, &at, &number))
		return;
	type = VEC_ADD(&p->t->type, &p->c->arena);
	type->number = number;
	type->title = arena_strdup(&p->c->arena, at);
	for (int i = 0; i < p->t->type.n - 1; i++)
		if (strcmp(p->t->type.at[i].title, at) == 0)
			complain(p->c, RULE_TITLES,
				"the title \"%s\" is that of type %" PRId64, at,
				p->t->type.at[i].number);
	if (*at == '\0')
		complain(p->c, RULE_UNTITLED, "type %" PRId64 " has no title",
			number);
	*map_put(&p->t->by_number, (uint64_t)number) = (uint64_t)p->t->type.n;
}

static void
value_line(struct pcf *p, const char *at)
{
	int64_t value;

	if (!label_number(p->c, &at, &value))
		return;
	for (int i = p->first; i < p->t->type.n; i++)
		VEC_PUSH(&p->t->type.at[i].label, &p->c->arena,
			((struct pcf_label){
				value, arena_strdup(&p->c->arena, at) }));
}

static bool
is_word(const char *line, const char *word)
{
	size_t n = strlen(word);

	line += strspn(line, " \t");
	return strncmp(line, word, n) == 0 &&
		line[n + strspn(line + n, " \t")] == '\0';
}

/* Returns whether the line opens a section. */
static bool
opens(struct pcf *p, const char *line)
{
	static const struct {
		const char *word;
		enum section section;
	} words[] = {
		{ "DEFAULT_OPTIONS", OTHER },
		{ "DEFAULT_SEMANTIC", OTHER },
		{ "STATES", STATES },
		{ "STATES_COLOR", COLORS },
		{ "GRADIENT_COLOR", OTHER },
		{ "GRADIENT_NAMES", OTHER },
		{ "EVENT_TYPE", TYPES },
		{ "VALUES", VALUES },
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (!is_word(line, words[i].word))
			continue;
		p->section = words[i].section;
		if (p->section == TYPES)
			p->first = p->t->type.n;
		return true;
	}
	return false;
}

static void
pcf_line(struct pcf *p, const char *line)
{
	int64_t n;

	if (line[0] == '#' || line[strspn(line, " \t")] == '\0' ||
		opens(p, line))
		return;
	switch (p->section) {
	case STATES:
		(void)label_number(p->c, &line, &n);
		break;
	case COLORS:
		color_line(p->c, line);
		break;
	case TYPES:
		if (strncmp(line, "PRECISION ", 10) != 0)
			type_line(p, line);
		break;
	case VALUES:
		value_line(p, line);
		break;
	default:
		break;
	}
}

void
pcf_check(struct check *c, struct timeline *t, const char *path)
{
	struct pcf p = { .c = c, .t = t };
	struct text text;
	char *line;

	if (!text_open(c, &text, path))
		return;
	t->has_pcf = true;
	while ((line = text_line(c, &text)) != NULL) {
		if (c->line == 1 && strncmp(line, "\xef\xbb\xbf", 3) == 0)
			complain(c, RULE_PCF, "a byte order mark");
		if (strchr(line, '\r') != NULL) {
			complain(c, RULE_PCF, "a carriage return");
			*strchr(line, '\r') = '\0';
		}
		pcf_line(&p, line);
	}
	text_close(&text);
}

/* Checks a line like "LEVEL THREAD SIZE 4". Returns how many rows of that level
 * the .prv header declares, or -1 if any number is allowed. */
static int
row_level(struct check *c, const struct timeline *t, const char *line,
	int64_t *size)
{
	const struct {
		const char *name;
		int rows;
	} levels[] = {
		{ "WORKLOAD", 1 },
		{ "APPL", t->first_task.n },
		{ "TASK", t->task.n },
		{ "THREAD", t->nthreads },
		{ "SYSTEM", 1 },
		{ "NODE", t->cpus.n > 0 ? t->cpus.n : -1 },
		{ "CPU", t->cpus.n > 0 ? t->ncpus : -1 },
	};
	size_t n = strcspn(line + 6, " ");
	const char *at = line + 6 + n;

	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
		if (strlen(levels[i].name) != n ||
			strncmp(levels[i].name, line + 6, n) != 0)
			continue;
		if (strncmp(at, " SIZE ", 6) != 0)
			break;
		at += 6;
		if (text_number(&at, size) && *at == '\0' && *size >= 0)
			return levels[i].rows;
	}
	complain(c, RULE_ROW, "no level of the loader");
	*size = 0;
	return -1;
}

void
row_check(struct check *c, const struct timeline *t, const char *path)
{
	struct text text;
	char *line;
	int64_t size;
	int rows;
	bool any = false;

	if (!text_open(c, &text, path))
		return;
	while ((line = text_line(c, &text)) != NULL) {
		any |= line[0] != '\0';
		if (strncmp(line, "LEVEL ", 6) != 0) {
			if (line[0] != '\0' && line[0] != '#' &&
				line[0] != '\r')
				complain(c, RULE_ROW,
					"a name that no level has");
			continue;
		}
		rows = row_level(c, t, line, &size);
		if (t->has_prv && rows >= 0 && rows != size)
			complain(c, RULE_ROW,
				"%" PRId64 " names of %d rows of the header",
				size, rows);
		while (size > 0 && text_line(c, &text) != NULL)
			size--;
		if (size > 0)
			complain(c, RULE_ROW, "%" PRId64 " names are missing",
				size);
	}
	if (!any)
		complain(c, RULE_ROW, "there are no rows");
	text_close(&text);
}

const struct pcf_type *
timeline_type(const struct timeline *t, int64_t number)
{
	const uint64_t *at = map_get(&t->by_number, (uint64_t)number);

	return at == NULL ? NULL : &t->type.at[*at - 1];
}

const struct pcf_type *
timeline_title(const struct timeline *t, const char *title)
{
	const struct pcf_type *found = NULL;

	for (int i = 0; i < t->type.n; i++)
		if (strcmp(t->type.at[i].title, title) == 0 &&
			(found == NULL || t->type.at[i].number > found->number))
			found = &t->type.at[i];
	return found;
}

/* Warns if a type has labels, but none for the value 0. */
static void
check_zero(struct check *c, const struct pcf_type *type)
{
	for (int i = 0; i < type->label.n; i++)
		if (type->label.at[i].value == 0)
			return;
	if (type->label.n > 0)
		warn(c, "type %" PRId64 " (%s) has labels, and none for 0",
			type->number, type->title);
}

void
timeline_check(struct check *c, const struct timeline *t)
{
	size_t pos = 0;
	uint64_t number, value;

	if (!t->has_prv || !t->has_pcf)
		return;
	while (map_next(&t->records, &pos, &number, &value)) {
		const struct pcf_type *type = timeline_type(t, (int64_t)number);

		if (type != NULL)
			check_zero(c, type);
		else if (!c->original)
			complain(c, RULE_UNTITLED,
				"type %" PRIu64 " has records and no title",
				number);
	}
}
