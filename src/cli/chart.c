/* SPDX-License-Identifier: MIT */
#include "cli/chart.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/run.h"
#include "cli/stat_print.h"
#include "export/stat/slices.h"

#define WIDTH 80
#define WIDTH_MAX 400
#define ROWS 16
#define ROWS_MAX 1000
#define NAME_WIDTH 16  /* of a row */
#define LABEL_WIDTH 34 /* of a state; less if the screen is narrow */
#define BAR_SIDES 28   /* columns of a bar's line beside bar and label */

/* The states that have a letter or a colour of their own; more share one. */
#define SIGNS 26

/* What the terminal can do. */
struct screen {
	int width, height;
	bool utf8, colour;
};

/* One type on the screen. */
struct chart {
	const struct stat_report *report;
	struct screen screen;
	int type;
	struct stat_lines lines; /* the n-th line has the n-th sign */
};

static bool
speaks_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *term = getenv("TERM");

	if (term != NULL && strcmp(term, "dumb") == 0)
		return false;
	for (int i = 0; i < 3; i++) {
		const char *value = getenv(names[i]);

		if (value != NULL && *value != '\0')
			return strcasestr(value, "utf-8") != NULL ||
				strcasestr(value, "utf8") != NULL;
	}
	return false;
}

static struct screen
look_at_screen(void)
{
	struct screen s = { WIDTH, 0, speaks_utf8(), log_colour(stdout) };
	struct winsize size = { 0 };

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
		return s;
	s.height = size.ws_row;
	if (size.ws_col >= 40)
		s.width = size.ws_col < WIDTH_MAX ? size.ws_col : WIDTH_MAX;
	return s;
}

int
chart_rows(int asked)
{
	int height = look_at_screen().height;

	if (asked > 0)
		return asked < ROWS_MAX ? asked : ROWS_MAX;
	return height == 0 ? ROWS : height < 16 ? 4 : height / 2;
}

/* Colours that differ on dark and on light ground. */
static int
colour_of(int sign)
{
	static const int colours[] = { 34, 32, 33, 31, 35, 36, 94, 92, 93, 91,
		95, 96, 90 };

	return colours[(size_t)sign % (sizeof colours / sizeof colours[0])];
}

/* Two states of one colour differ by their shade. */
static const char *
block_of(int sign)
{
	return sign < SIGNS / 2 ? "\xe2\x96\x88" : "\xe2\x96\x92";
}

/* The sign of a cell; -1: nothing, SIGNS: one of those that share. */
static void
put_sign(const struct screen *s, int sign)
{
	if (sign < 0)
		printf("%s", s->utf8 ? "\xc2\xb7" : ".");
	else if (sign >= SIGNS)
		putchar('+');
	else if (s->colour && s->utf8)
		printf("\033[%dm%s\033[0m", colour_of(sign), block_of(sign));
	else if (s->colour)
		printf("\033[%dm%c\033[0m", colour_of(sign), 'A' + sign);
	else
		putchar('A' + sign);
}

/* Bytes of the character there: what is no UTF-8 counts one by one. */
static int
character_bytes(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	int n = *s >= 0xf0 ? 4 : *s >= 0xe0 ? 3 : *s >= 0xc2 ? 2 : 1;

	for (int i = 1; i < n; i++)
		if (s[i] >> 6 != 2)
			return 1;
	return n;
}

/* A text in exactly so many columns, cut or filled. */
static void
put_text(const struct screen *s, const char *text, int width)
{
	while (*text != '\0' && width > 0) {
		int n = character_bytes(text);
		bool ascii = (unsigned char)*text < 0x80;

		if (ascii || (s->utf8 && n > 1))
			printf("%.*s", n, text);
		else
			putchar('?');
		text += n;
		width--;
	}
	printf("%*s", width, "");
}

/* The line of a value, or -1 if it is nothing. */
static int
sign_of(const struct chart *c, int64_t value)
{
	if (value == VALUE_NONE)
		return -1;
	for (int i = 0; i < c->lines.line.n; i++)
		if (c->lines.line.at[i].value == value &&
			c->lines.line.at[i].more == 0)
			return i < SIGNS ? i : SIGNS;
	return SIGNS;
}

/* Slices a cell, so that a line of the timeline fits. */
static int
slices_a_cell(const struct chart *c, const struct slices *s)
{
	int room = c->screen.width - NAME_WIDTH - 4;

	return (slices_count(s) + room - 1) / room;
}

static void
print_row(const struct chart *c, const struct stat_lane *lane)
{
	const struct stat_row *row = &c->report->table->rows.at[lane->row];
	int step = slices_a_cell(c, lane->slices);
	char name[STAT_LABEL_ROOM];

	snprintf(name, sizeof name, "%s", text_trim(row->name));
	printf(" ");
	put_text(&c->screen, text_disarm(name), NAME_WIDTH);
	printf("%s", c->screen.utf8 ? "\xe2\x94\x82" : "|");
	for (int i = 0; i < slices_count(lane->slices); i += step)
		put_sign(&c->screen,
			sign_of(c, slices_most(lane->slices, i, step)));
	printf("%s\n", c->screen.utf8 ? "\xe2\x94\x82" : "|");
}

/* The times at both ends of the timeline. */
static void
print_axis(const struct chart *c, const struct slices *s)
{
	int step = slices_a_cell(c, s);
	int cells = (slices_count(s) + step - 1) / step;
	char first[32], last[32];
	int room;

	run_time_text(s->from, first);
	run_time_text(s->end, last);
	room = cells - (int)strlen(first);
	printf(" %*s %s%*s\n", NAME_WIDTH, "", first,
		room > (int)strlen(last) ? room : (int)strlen(last) + 1, last);
}

static const struct stat_lane *
lane_of(const struct chart *c, int row)
{
	const struct stat_table *st = c->report->table;

	for (int i = 0; i < st->lanes.n; i++)
		if (st->lanes.at[i].type == (uint32_t)c->type &&
			st->lanes.at[i].row == (uint32_t)row)
			return &st->lanes.at[i];
	return NULL;
}

static void
print_timeline(const struct chart *c, int rows)
{
	const struct stat_table *st = c->report->table;
	const struct slices *any = NULL;
	int all = stat_report_rows(c->report);

	for (int i = 0; i < st->rows.n; i++) {
		const struct stat_lane *lane = lane_of(c, i);

		if (lane == NULL || lane->slices == NULL)
			continue;
		print_row(c, lane);
		any = lane->slices;
	}
	if (any != NULL)
		print_axis(c, any);
	if (all > rows)
		printf(" (%d of %d rows: --rows, --thread and --cpu choose)\n",
			rows, all);
}

static int
label_width(const struct screen *s)
{
	int room = s->width - BAR_SIDES - 18;

	return room >= LABEL_WIDTH ? LABEL_WIDTH : room > 8 ? room : 8;
}

/* A bar of whole blocks, and eighths of one at its end. */
static void
put_bar(const struct screen *s, double share, int width)
{
	static const char *const eighth[] = { "", "\xe2\x96\x8f",
		"\xe2\x96\x8e", "\xe2\x96\x8d", "\xe2\x96\x8c", "\xe2\x96\x8b",
		"\xe2\x96\x8a", "\xe2\x96\x89" };
	int eighths = (int)(share * 8 * width + 0.5);
	int full = s->utf8 ? eighths / 8 : (eighths + 4) / 8;
	int used = full;

	for (int i = 0; i < full; i++)
		printf("%s", s->utf8 ? "\xe2\x96\x88" : "#");
	if (s->utf8 && eighths % 8 != 0) {
		printf("%s", eighth[eighths % 8]);
		used++;
	}
	printf("%*s", width - used, "");
}

static void
print_bar(const struct chart *c, int i)
{
	const struct stat_line *line = &c->lines.line.at[i];
	bool nothing = line->value == VALUE_NONE;
	int sign = nothing ? -1 : line->more > 0 || i >= SIGNS ? SIGNS : i;
	double whole = (double)c->lines.in_states;
	double share = nothing || whole <= 0 ? 0 : (double)line->time / whole;
	bool colour = c->screen.colour && sign >= 0 && sign < SIGNS;
	int width = label_width(&c->screen);
	char label[STAT_LABEL_ROOM], time[32];

	printf(" ");
	put_sign(&c->screen, sign);
	printf(" ");
	put_text(&c->screen, stat_print_label(line, label), width);
	printf(" ");
	if (colour)
		printf("\033[%dm", colour_of(sign));
	put_bar(&c->screen, share, c->screen.width - BAR_SIDES - width);
	printf("%s", colour ? "\033[0m" : "");
	if (nothing)
		printf(" %7s", "-");
	else
		printf(" %5.1f %%", 100.0 * share);
	printf("  %12s\n", run_time_text(line->time, time));
}

static void
print_chart(struct chart *c, int rows)
{
	const struct stat_type *t = &c->report->table->types.at[c->type];
	char title[STAT_LABEL_ROOM], time[32];

	snprintf(title, sizeof title, "%s", t->title);
	printf("%s  (%s, %s)\n", text_disarm(title), t->key,
		run_time_text(c->report->table->duration, time));
	c->lines = stat_report_total(c->report, c->type);
	print_timeline(c, rows);
	printf("\n");
	for (int i = 0; i < c->lines.line.n; i++)
		print_bar(c, i);
	stat_lines_fini(&c->lines);
}

/* Its position among the types of the report: what says most. */
static int
best_type(const struct stat_report *r)
{
	for (int n = 0, type; (type = stat_report_type(r, n)) >= 0; n++) {
		const char *dot = strchr(r->table->types.at[type].key, '.');

		if (dot != NULL && strcmp(dot, ".subsystem") == 0)
			return n;
	}
	return 0;
}

bool
chart_print(const struct stat_report *r, int asked)
{
	struct chart c = { .report = r, .screen = look_at_screen() };

	int n = r->chosen ? 0 : best_type(r), drawn = 0;

	while ((c.type = stat_report_type(r, n++)) >= 0 &&
		(r->chosen || drawn == 0)) {
		printf("%s", drawn++ > 0 ? "\n" : "");
		print_chart(&c, chart_rows(asked));
	}
	return drawn > 0;
}
