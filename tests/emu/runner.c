/* SPDX-License-Identifier: MIT */
/*
 * runner.c - emulates text traces (trace/text/text.h) and compares with what
 * they expect. Arguments are .tt files or directories with them; one TAP point
 * a file. A block of expectations ends at an empty line:
 *
 *	expect THREAD TYPE        the row of the thread; TYPE is a type's key
 *	expect cpu 0.1 TYPE       the row " CPU 0.1"
 *	expect vcpu 0 TYPE        the row "vCPU 0.*"
 *	expect system TYPE        the one row of the system
 *	TIME VALUE                VALUE: `none`, its label, or the number if it
 *	                          has no label; =NUMBER asks for the number
 *
 *	expect finding
 *	SEVERITY TIME TEXT        TIME: `-` for none; TEXT: a part of the text
 *
 *	expect breakdown 1 TYPE   row 1 of it, counted from the smallest value
 *	expect label CLASS TYPE   the type of that class of rows has these
 *	VALUE LABEL               labels, and may have others; VALUE: also
 *	                          `none`
 *	expect no type CLASS TYPE there is no such type
 *	expect links CLASS        links between rows of that class:
 *	KIND TIME ROW TIME ROW    its number, both ends by time and name
 *
 *	expect with OPTION...     how it is run: breakdown, strict,
 *	                          errors=show|null|all
 *	expect model              the block is a model's file
 *
 * A block has every record of its row and type, in order, none more. Findings
 * are all listed, in order, but notes may be left out. Without such a block
 * there are none. TEXT may be missing. Times count from the first event. Lines
 * that begin with # are comments.
 */
#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/vec.h"
#include "capture.h"
#include "emu/emu.h"
#include "emu/gap_learn.h"
#include "emu/model_file.h"
#include "export/order.h"
#include "trace/source.h"

#define CASE_MAX (1u << 20) /* largest file of a case, in bytes */

typedef VEC(const char *) lines;

/* One file being tested. */
struct test_case {
	struct arena arena;
	struct emu_options options;
	struct model_list models; /* models that its blocks define */
	struct findings findings;
	struct capture capture;
	struct source *source;
	struct gap_notes
		*notes; /* notes of the first pass; NULL: no lost events */
	int failures;
};

static void __attribute__((format(printf, 2, 3)))
fail(struct test_case *t, const char *fmt, ...)
{
	va_list args;

	t->failures++;
	printf("#   ");
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	printf("\n");
}

static const char *
line_at(const lines *l, int i)
{
	return l->at != NULL && i < l->n ? l->at[i] : "(nothing)";
}

/* Prints both lists, with a mark at the lines that differ. */
static void
fail_lines(struct test_case *t, const char *what, const lines *got,
	const lines *want)
{
	fail(t, "%s:", what);
	for (int i = 0; i < got->n || i < want->n; i++) {
		const char *g = line_at(got, i);
		const char *w = line_at(want, i);

		if (strcmp(g, w) == 0) {
			printf("#        %s\n", g);
			continue;
		}
		printf("#   want %s\n", w);
		printf("#   got  %s\n", g);
	}
}

static bool
is_same(const lines *a, const lines *b)
{
	for (int i = 0; i < a->n && i < b->n; i++)
		if (strcmp(a->at[i], b->at[i]) != 0)
			return false;
	return a->n == b->n;
}

/* Returns "10 Label", or "10 =5" if the expected line has that form. */
static const char *
record_line(struct test_case *t, const struct record *r, const char *want)
{
	const char *label = capture_label(&t->capture, r->type, r->value);
	bool number = strstr(want, " =") != NULL;

	if (r->value == VALUE_NONE)
		return arena_printf(&t->arena, "%" PRId64 " none", r->time);
	if (label == NULL || number)
		return arena_printf(&t->arena, "%" PRId64 " %s%" PRId64,
			r->time, number ? "=" : "", r->value);
	return arena_printf(&t->arena, "%" PRId64 " %s", r->time,
		label + strspn(label, " "));
}

static void
check_row(struct test_case *t, const char *what, uint32_t row, uint32_t type,
	const lines *want)
{
	lines got = { 0 };

	for (int i = 0; i < t->capture.records.n; i++) {
		const struct record *r = &t->capture.records.at[i];

		const char *hope = line_at(want, got.n);

		if (r->row == row && r->type == type)
			VEC_PUSH(&got, &t->arena, record_line(t, r, hope));
	}
	if (!is_same(&got, want))
		fail_lines(t, what, &got, want);
}

/* Returns the name of the thread's row, "TH 1.7", or NULL. */
static const char *
thread_row(struct test_case *t, const char *name)
{
	const struct trace *trace = &t->source->trace;

	for (int i = 0; i < trace->threads.n; i++) {
		const struct trace_thread *th = &trace->threads.at[i];
		const struct trace_process *p =
			&trace->processes.at[th->process];

		if (strcmp(trace->streams.at[th->stream].name, name) == 0)
			return arena_printf(&t->arena,
				"TH %" PRId64 ".%" PRId64, p->app_id, th->tid);
	}
	return NULL;
}

/* "~CPU    2": the rows of a breakdown are named from the last on. */
static const char *
breakdown_row(struct test_case *t, const char *class, int number)
{
	for (int i = 0; i < t->capture.rows.n; i++)
		if (strcmp(t->capture.rows.at[i].class, class) == 0 &&
			--number == 0)
			return t->capture.rows.at[i].name;
	return NULL;
}

static const char *
word(char **rest)
{
	const char *next = strtok_r(NULL, " ", rest);

	return next == NULL ? "" : next;
}

static void
check_states(struct test_case *t, char *head, const lines *want)
{
	const char *what = arena_strdup(&t->arena, head);
	const char *class = "cpu", *name = NULL, *key;
	char *rest = NULL;
	const char *first = strtok_r(head, " ", &rest);
	uint32_t row, type;
	int number = 0;

	if (strcmp(first, "cpu") == 0) {
		name = arena_printf(&t->arena, "CPU %s", word(&rest));
	} else if (strcmp(first, "vcpu") == 0) {
		name = arena_printf(&t->arena, "vCPU %s.*", word(&rest));
	} else if (strcmp(first, "system") == 0) {
		class = "system";
		name = "System";
	} else if (strcmp(first, "breakdown") == 0) {
		number = atoi(word(&rest));
	} else {
		class = "thread";
		name = thread_row(t, first);
	}
	key = word(&rest);
	if (number > 0) {
		class = arena_printf(&t->arena, "%.*s-breakdown",
			(int)strcspn(key, "."), key);
		name = breakdown_row(t, class, number);
	}
	if (name == NULL || *key == '\0') {
		fail(t, "expect %s: no row and type are named", what);
		return;
	}
	row = capture_row(&t->capture, class, name);
	type = capture_type(&t->capture, class, key);
	if (row == ROW_NONE)
		fail(t, "expect %s: no row is named %s", what, name);
	else if (type == ROW_NONE)
		fail(t, "expect %s: class %s has no type %s", what, class, key);
	else
		check_row(t, what, row, type, want);
}

/* Returns the label of a value, which is a number or `none`. */
static const char *
label_of(struct test_case *t, uint32_t type, const char *value)
{
	if (strncmp(value, "none ", 5) == 0)
		return t->capture.types.at[type].none;
	return capture_label(&t->capture, type, strtoll(value, NULL, 10));
}

static void
check_labels(struct test_case *t, char *head, const lines *want)
{
	char *rest = NULL;
	const char *class = strtok_r(head, " ", &rest), *key = word(&rest);
	uint32_t type = capture_type(&t->capture, class, key);

	if (type == ROW_NONE)
		fail(t, "expect label: class %s has no type %s", class, key);
	for (int i = 0; i < want->n && type != ROW_NONE; i++) {
		const char *text = strchr(want->at[i], ' ');
		const char *have = label_of(t, type, want->at[i]);

		if (have == NULL || text == NULL || strcmp(have, text + 1) != 0)
			fail(t, "label %s of %s: %s", want->at[i], key,
				have == NULL ? "there is none" : have);
	}
}

static void
check_no_type(struct test_case *t, char *head)
{
	char *rest = NULL;
	const char *class = strtok_r(head, " ", &rest), *key = word(&rest);

	if (capture_type(&t->capture, class, key) != ROW_NONE)
		fail(t, "class %s has a type %s", class, key);
}

static void
check_links(struct test_case *t, const char *class, const lines *want)
{
	lines got = { 0 };

	for (int i = 0; i < t->capture.links.n; i++) {
		const struct link *l = &t->capture.links.at[i];
		const struct row *from = &t->capture.rows.at[l->from_row];
		const struct row *to = &t->capture.rows.at[l->to_row];
		const char *line = arena_printf(&t->arena,
			"%" PRId64 " %" PRId64 " %s %" PRId64 " %s", l->kind,
			l->from_time, from->name + strspn(from->name, " "),
			l->to_time, to->name + strspn(to->name, " "));

		if (strcmp(from->class, class) == 0)
			VEC_PUSH(&got, &t->arena, line);
	}
	if (!is_same(&got, want))
		fail_lines(t, "links", &got, want);
}

/* Formats the finding like a line of an "expect" block: "error 30 text". */
static const char *
finding_line(struct test_case *t, const struct finding *f)
{
	const char *severity = finding_severity_name(f->severity);

	if (f->time == FINDING_NEVER)
		return arena_printf(&t->arena, "%s - %s", severity, f->text);
	return arena_printf(
		&t->arena, "%s %" PRId64 " %s", severity, f->time, f->text);
}

/* Returns true if the words before the text are equal, and the finding contains
 * the text. */
static bool
is_finding(const char *got, const char *want)
{
	size_t n = strcspn(want, " ");

	n += want[n] == ' ';
	n += strcspn(want + n, " ");
	n += want[n] == ' ';
	return strncmp(got, want, n) == 0 && strstr(got + n, want + n) != NULL;
}

static void
check_findings(struct test_case *t, const lines *want)
{
	lines got = { 0 };
	int next = 0;
	bool ok = true;

	for (int i = 0; i < t->findings.list.n; i++) {
		const struct finding *f = &t->findings.list.at[i];
		const char *line = finding_line(t, f);
		bool known = next < want->n && is_finding(line, want->at[next]);

		if (!known && f->severity == FINDING_NOTE)
			continue;
		VEC_PUSH(&got, &t->arena, known ? want->at[next] : line);
		next += known;
		ok &= known;
	}
	if (!ok || next < want->n)
		fail_lines(t, "finding", &got, want);
}

/* Returns the line without blanks at its ends; moves *next to the line after
 * it. */
static char *
take_line(char **next)
{
	char *line = *next;
	size_t n = strcspn(line, "\n");

	*next = line + n + (line[n] != '\0');
	while (n > 0 && isspace((unsigned char)line[n - 1]))
		n--;
	line[n] = '\0';
	return line + strspn(line, " \t");
}

static lines
take_block(struct test_case *t, char **next)
{
	lines block = { 0 };

	while (**next != '\0') {
		char *line = take_line(next);

		if (*line == '\0')
			break;
		if (*line != '#')
			VEC_PUSH(&block, &t->arena, line);
	}
	return block;
}

static bool
is_block(const char *line, const char *what)
{
	size_t n = strlen(what);

	return strncmp(line, "expect ", 7) == 0 &&
		strncmp(line + 7, what, n) == 0 &&
		(line[7 + n] == ' ' || line[7 + n] == '\0');
}

/* Writes the block to a file, because models are read from files. */
static void
read_model(struct test_case *t, const lines *block)
{
	char path[] = "/tmp/weft-model-XXXXXX";
	int fd = mkstemp(path);
	struct err err = { 0 };

	for (int i = 0; i < block->n && fd >= 0; i++)
		dprintf(fd, "%s\n", block->at[i]);
	if (fd < 0 || !model_file_read(&t->arena, &t->models, path, &err))
		fail(t, "expect model: %s", err.text);
	unlink(path);
	close(fd);
	t->options.extra = t->models.model.at;
	t->options.nextra = t->models.model.n;
}

static void
read_option(struct test_case *t, const char *option)
{
	static const char *const errors[] = { [ERRORS_SHOW] = "errors=show",
		[ERRORS_NULL] = "errors=null",
		[ERRORS_ALL] = "errors=all" };

	for (int i = ERRORS_SHOW; i <= ERRORS_ALL; i++)
		if (strcmp(option, errors[i]) == 0) {
			t->options.errors = (enum emu_errors)i;
			return;
		}
	if (strcmp(option, "breakdown") == 0)
		t->options.breakdown = true;
	else if (strcmp(option, "strict") == 0)
		t->findings.strict = true;
	else
		fail(t, "expect with: there is no option %s", option);
}

/* Reads the options that must be known before the emulation starts. */
static void
read_options(struct test_case *t, char *text)
{
	while (*text != '\0') {
		char *line = take_line(&text), *rest = NULL;

		if (is_block(line, "model")) {
			lines block = take_block(t, &text);

			read_model(t, &block);
		} else if (is_block(line, "with")) {
			strtok_r(line + 7, " ", &rest);
			for (const char *o = word(&rest); *o != '\0';
				o = word(&rest))
				read_option(t, o);
		}
	}
}

static void
check_all(struct test_case *t, char *text)
{
	lines findings = { 0 };

	while (*text != '\0') {
		char *line = take_line(&text);
		lines block;

		if (strncmp(line, "expect ", 7) != 0)
			continue;
		block = take_block(t, &text);
		if (is_block(line, "with") || is_block(line, "model"))
			continue;
		if (is_block(line, "finding"))
			findings = block;
		else if (is_block(line, "label"))
			check_labels(t, line + 13, &block);
		else if (is_block(line, "links"))
			check_links(t, line + 13, &block);
		else if (is_block(line, "no type"))
			check_no_type(t, line + 15);
		else
			check_states(t, line + 7, &block);
	}
	check_findings(t, &findings);
	if (t->capture.broken != NULL)
		fail(t, "the sink was misused: %s", t->capture.broken);
}

/* A trace with lost events is emulated twice, as the commands do it. */
static void
learn(struct test_case *t, const char *path)
{
	struct source_options options = { 0 };
	struct findings unsaid;
	struct gap_notes *notes = gap_notes_new(&t->arena);
	struct source *again;

	findings_init(&unsaid, &t->arena, 0);
	again = sources_open(
		&t->arena, path, &options, &unsaid, &(struct err){ 0 });
	gap_learn(notes, again, &t->options);
	source_close(again);
	t->options.known = t->notes = notes;
}

static void
emulate(struct test_case *t)
{
	struct sink *sink = capture_init(&t->capture, &t->arena);
	struct err err = { 0 };
	bool past = false;
	struct emu *emu;

	for (int i = 0; i < t->options.nextra; i++)
		past |= emu_writes_past(t->options.extra[i]);
	if (past)
		sink = order_open(&t->arena, sink, 0, "/tmp", &err);
	emu = emu_open(&t->arena, t->source, sink, &t->options, &err);
	emu_run(emu, NULL);
	emu_close(emu);
	if (past)
		order_finish(sink, &err);
}

static bool
run_case(const char *path)
{
	struct test_case t = { 0 };
	struct source_options options = { 0 };
	struct err err = { 0 };
	size_t size;
	char *text = file_read(&t.arena, path, CASE_MAX, &size, &err);

	findings_init(&t.findings, &t.arena, 1000);
	if (text != NULL)
		read_options(&t, arena_strdup(&t.arena, text));
	if (text != NULL)
		t.source = sources_open(
			&t.arena, path, &options, &t.findings, &err);
	if (text == NULL || t.source == NULL) {
		fail(&t, "%s", err.text);
	} else {
		if (t.source->trace.nlost > 0)
			learn(&t, path);
		emulate(&t);
		check_all(&t, text);
		source_close(t.source);
	}
	if (t.notes != NULL)
		gap_notes_fini(t.notes);
	arena_fini(&t.arena);
	return t.failures == 0;
}

static void
find_cases(lines *cases, struct arena *a, const char *path)
{
	struct dirent **entry;
	int n;

	if (!file_is_dir(path)) {
		VEC_PUSH(cases, a, path);
		return;
	}
	n = scandir(path, &entry, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		const char *name = entry[i]->d_name;
		const char *below = arena_printf(a, "%s/%s", path, name);
		size_t length = strlen(name);

		if (length > 3 && strcmp(name + length - 3, ".tt") == 0)
			VEC_PUSH(cases, a, below);
		else if (name[0] != '.' && file_is_dir(below))
			find_cases(cases, a, below);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
}

int
main(int argc, char *argv[])
{
	struct arena a = { 0 };
	lines cases = { 0 };
	int failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < argc; i++)
		find_cases(&cases, &a, argv[i]);
	printf("1..%d\n", cases.n);
	for (int i = 0; i < cases.n; i++) {
		const char *slash = strrchr(cases.at[i], '/');
		bool ok = run_case(cases.at[i]);

		failed += !ok;
		printf("%s %d - %s\n", ok ? "ok" : "not ok", i + 1,
			slash != NULL ? slash + 1 : cases.at[i]);
	}
	arena_fini(&a);
	return failed > 0;
}
