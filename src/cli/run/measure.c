/* SPDX-License-Identifier: MIT */
#include "cli/run/measure.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/log.h"
#include "base/near.h"
#include "cli/run/filters.h"
#include "cli/run/linked.h"
#include "cli/run/sanitizer.h"
#include "inproc/code/foreign.h"
#include "inproc/core/gate.h"

enum {
	US = 1000,
	SECOND = 1000000000,
	USUAL_NS = 1000000,
	/* faults; a prime, because another period might always hit the same one
	 * of several arrays that are touched in turn */
	MAP_PERIOD = 257
};
enum { WORDS = 32 }; /* limit of words of a model, and of models */

static const struct kind {
	const char *name;
	bool is_time;    /* the period is in microseconds */
	uint64_t period; /* the default: ns, or faults */
} kinds[] = {
	{ "datacentric", true, USUAL_NS },
	{ "faults", false, 1 },
	{ "time", true, USUAL_NS },
};

enum { DATACENTRIC, FAULTS };

/* Returns the kind whose name begins with the word, or -1. */
static int
kind_of(const char *word, size_t n)
{
	for (int i = 0; n > 0 && i < MEASURE_EVENTS; i++)
		if (n <= strlen(kinds[i].name) &&
			strncasecmp(word, kinds[i].name, n) == 0)
			return i;
	return -1;
}

static bool
has(const struct measure *m, int kind)
{
	for (int i = 0; i < m->n; i++)
		if (m->event[i].kind == kind)
			return true;
	return false;
}

static void
add(struct measure *m, int kind, uint64_t period)
{
	for (int i = 0; i < m->n; i++)
		if (m->event[i].kind == kind) {
			m->event[i].period = period;
			return;
		}
	m->event[m->n++] = (struct measured){ kind, period };
}

/* Parses "500", microseconds or faults, or "f1000", times a second. */
static bool
parse_period(const struct kind *k, const char *text, uint64_t *period,
	struct err *err)
{
	bool is_frequency = *text == 'f';
	char *end;
	unsigned long long value;

	text += is_frequency;
	value = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end != '\0' || value == 0 ||
		value > SECOND)
		return err_set(err, ERR_INPUT,
			"%s@%s%s: a number must follow the @: %s", k->name,
			is_frequency ? "f" : "", text,
			k->is_time ? "microseconds, or f and samples a second"
				   : "one fault in that many is sampled");
	if (is_frequency && !k->is_time)
		return err_set(err, ERR_INPUT,
			"%s@f%s: page faults cannot be sampled at a frequency; "
			"%s@%s samples one fault in %s",
			k->name, text, k->name, text, text);
	*period = is_frequency ? SECOND / value : value;
	if (k->is_time && !is_frequency)
		*period = value * US;
	return true;
}

enum { CTF = 1 }; /* stands for "ctf"; no model has this letter */

/* Returns the letter of a model, 0 if there is no such model. A single letter
 * is accepted as it is: the program may have a model of its own. */
static char
model_of(const char *name, size_t n)
{
	for (const struct gate_word *w = weft_rt_gate_words; w->model; w++)
		if (strlen(w->model) == n && memcmp(w->model, name, n) == 0)
			return w->letter;
	if (n == 3 && memcmp(name, "ctf", n) == 0)
		return CTF;
	return n == 1 ? *name : 0;
}

static bool
unknown(struct measure *m, const char *word, size_t n, const char *what,
	const char *const words[], struct err *err)
{
	struct near near = { .word = arena_strndup(m->arena, word, n) };
	const char *all = words[0];

	for (int i = 0; words[i] != NULL; i++)
		near_try(&near, words[i]);
	if (near.best != NULL)
		return err_set(err, ERR_INPUT,
			"%.*s: no %s has that name; did you mean %s?", (int)n,
			word, what, near.best);
	for (int i = 1; words[i] != NULL; i++)
		all = arena_printf(m->arena, "%s, %s", all, words[i]);
	return err_set(err, ERR_INPUT,
		"%.*s: no %s has that name; there are %s", (int)n, word, what,
		all);
}

/* Lists the words that -e takes: kinds of memory events, models, and words that
 * stand for several of them. */
static void
list_events(const char *words[MEASURE_EVENTS + WORDS])
{
	int at = 0;

	for (int i = 0; i < MEASURE_EVENTS; i++)
		words[at++] = kinds[i].name;
	for (const struct gate_word *w = weft_rt_gate_words; w->model; w++)
		if (w->category == 0 && at < MEASURE_EVENTS + WORDS - 4)
			words[at++] = w->model;
	words[at++] = "ctf";
	words[at++] = "all";
	words[at++] = "none";
	words[at] = NULL;
}

const char *
measure_words(struct arena *a)
{
	const char *words[MEASURE_EVENTS + WORDS], *list;

	list_events(words);
	list = words[0];
	for (int i = 1; words[i] != NULL; i++)
		list = arena_printf(a, "%s,%s", list, words[i]);
	return list;
}

static bool
unknown_events(struct measure *m, const char *word, size_t n, struct err *err)
{
	const char *words[MEASURE_EVENTS + WORDS];

	list_events(words);
	return unknown(m, word, n, "kind of event", words, err);
}

/* Checks a category of the model, with or without a minus sign. */
static bool
check_category(struct measure *m, const char *word, struct err *err)
{
	const char *words[WORDS + 1] = { NULL };
	char model = m->model;
	bool is_model = false;
	int at = 0;

	word += *word == '-';
	for (const struct gate_word *w = weft_rt_gate_words; w->model; w++) {
		if (w->letter != model)
			continue;
		is_model = true;
		if (w->category == 0)
			continue;
		if (strcmp(w->word, word) == 0)
			return true;
		if (at < WORDS)
			words[at++] = w->word;
	}
	if (strlen(word) == 1 || model == CTF)
		return true;
	if (is_model)
		return unknown(m, word, strlen(word), "category", words, err);
	return err_set(err, ERR_INPUT,
		"%s: a category of model %c must be one letter: weft has no "
		"names for its categories",
		word, model);
}

/* Refuses minus signs before both the model and its category. */
static bool
two_signs(struct measure *m, const char *word, const char *category,
	struct err *err)
{
	return err_set(err, ERR_INPUT,
		"%s: two minus signs; write only one: %s:-%s or -%s:%s", word,
		m->name, category, m->name, category);
}

/* Checks a rule of WEFT_EVENTS up to its first comma. */
static bool
check_rule(struct measure *m, const char *word, struct err *err)
{
	const char *name = word + (*word == '-');
	size_t n = strcspn(name, ":");

	m->model = 0;
	if (strcmp(word, "all") == 0 || strcmp(word, "none") == 0)
		return true;
	m->model = model_of(name, n);
	if (m->model == 0)
		return unknown_events(m, name, n, err);
	m->name = arena_strndup(m->arena, name, n);
	m->is_minus = name != word;
	m->has_categories = name[n] == ':';
	if (!m->has_categories)
		return true;
	name += n + 1;
	return m->is_minus && *name == '-' ? two_signs(m, word, name + 1, err)
					   : check_category(m, name, err);
}

/* Checks one more category of the same rule. */
static bool
check_next(struct measure *m, const char *word, struct err *err)
{
	return m->is_minus && *word == '-' ? two_signs(m, word, word + 1, err)
					   : check_category(m, word, err);
}

/* Takes the word after a comma: the next category, or the next rule. */
static bool
take_other(struct measure *m, const char *word, char before, struct err *err)
{
	const char *name = word + (*word == '-');
	size_t n = strlen(name);
	bool goes_on = before == ',' && m->model != 0 && m->has_categories &&
		strchr(name, ':') == NULL &&
		(n == 1 || model_of(name, n) == 0) &&
		strcmp(word, "all") != 0 && strcmp(word, "none") != 0;

	if (goes_on ? !check_next(m, word, err) : !check_rule(m, word, err))
		return false;
	m->others = m->others == NULL
		? word
		: arena_printf(m->arena, "%s%c%s", m->others,
			  goes_on ? ',' : ';', word);
	return true;
}

/* Takes a word of -e. before: the character between it and the previous
 * word. */
static bool
take_word(struct measure *m, const char *word, char before, struct err *err)
{
	size_t n = strcspn(word, "@");
	int kind = kind_of(word, n);
	uint64_t period;

	if (kind < 0)
		return take_other(m, word, before, err);
	period = kinds[kind].period;
	if (word[n] == '@' &&
		!parse_period(&kinds[kind], word + n + 1, &period, err))
		return false;
	add(m, kind, period);
	return true;
}

bool
measure_parse(struct measure *m, const char *text, struct err *err)
{
	char before = ';';

	while (*text != '\0') {
		size_t n = strcspn(text, ", ;");

		if (n > 0 &&
			!take_word(m, arena_strndup(m->arena, text, n), before,
				err))
			return false;
		before = text[n];
		text += n + (text[n] != '\0');
	}
	return true;
}

/* Looks where weft is installed or was built. */
const char *
measure_library(struct arena *a, const char *name)
{
	static const char *const places[] = { "../lib", "../lib64",
		"../lib/x86_64-linux-gnu", "src/inproc/mem",
		"src/inproc/mem/static", "src/inproc/collect" };
	char path[PATH_MAX], real[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (n <= 0)
		return NULL;
	path[n] = '\0';
	*strrchr(path, '/') = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		const char *at =
			arena_printf(a, "%s/%s/%s", path, places[i], name);

		if (access(at, R_OK) == 0)
			return realpath(at, real) == NULL
				? NULL
				: arena_strdup(a, real);
	}
	return NULL;
}

/* Finds the program as execvp() does. */
static const char *
find_program(struct arena *a, const char *name)
{
	const char *path = getenv("PATH");

	if (strchr(name, '/') != NULL)
		return name;
	while (path != NULL && *path != '\0') {
		size_t n = strcspn(path, ":");
		const char *at = arena_printf(a, "%.*s/%s", (int)n, path, name);

		if (access(at, X_OK) == 0)
			return at;
		path += n + (path[n] == ':');
	}
	return NULL;
}

struct program {
	char bytes[FOREIGN_BYTES]; /* the beginning of the file */
	size_t n;
	bool is_setuid;
};

static bool
read_program(const char *path, struct program *p)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, p->bytes, sizeof(p->bytes) - 1);
	p->n = n < 0 ? 0 : (size_t)n;
	p->bytes[p->n] = '\0';
	p->is_setuid = fstat(fd, &st) == 0 &&
		(((st.st_mode & S_ISUID) != 0 && st.st_uid != getuid()) ||
			((st.st_mode & S_ISGID) != 0 && st.st_gid != getgid()));
	close(fd);
	return true;
}

static bool
is_elf(const struct program *p)
{
	return p->n > sizeof(Elf64_Ehdr) &&
		memcmp(p->bytes, ELFMAG, SELFMAG) == 0;
}

/* Returns true if the program names no loader. Program headers beyond the bytes
 * read are ignored. */
static bool
is_static(const struct program *p)
{
	Elf64_Ehdr h;

	if (!is_elf(p))
		return false;
	memcpy(&h, p->bytes, sizeof(h));
	for (int i = 0; i < h.e_phnum; i++) {
		Elf64_Phdr ph;
		size_t at = h.e_phoff + (size_t)i * h.e_phentsize;

		if (at > p->n || p->n - at < sizeof(ph))
			return false;
		memcpy(&ph, p->bytes + at, sizeof(ph));
		if (ph.p_type == PT_INTERP)
			return false;
	}
	return true;
}

/* Checks that a static program has the recorder. */
static bool
check_static(
	const char *name, const char *path, bool is_setuid, struct err *err)
{
	switch (linked_recorder(path)) {
	case LINKED_NOT:
		return err_set(err, ERR_INPUT,
			"%s is linked statically: the memory recorder cannot "
			"be loaded into it; link it with `weft mem link -- gcc "
			"-static ...`, or without -static",
			name);
	case LINKED_OTHER:
		return err_set(err, ERR_INPUT,
			"%s is linked with the memory recorder of another "
			"version of weft; link it again with `weft mem link`",
			name);
	default:
		if (is_setuid)
			log_warning("%s is setuid: the memory recorder in it "
				    "does nothing, so nothing will be "
				    "measured; measure a copy without the "
				    "setuid bit",
				name);
		return true;
	}
}

static bool
check_elf(const char *name, const char *path, const struct program *p,
	struct err *err)
{
	const char *why = foreign_why(p->bytes, p->n);

	if (why != NULL)
		return err_set(err, ERR_INPUT,
			"%s %s: the memory recorder cannot be loaded into it",
			name, why);
	return !is_static(p) || check_static(name, path, p->is_setuid, err);
}

/* Checks that the recorder can be loaded. An unreadable file is left to exec,
 * which reports why. */
static bool
check_program(
	struct arena *a, const char *name, bool is_interpreter, struct err *err)
{
	const char *path = find_program(a, name);
	struct program p = { .n = 0 };

	if (path == NULL || !read_program(path, &p))
		return true;
	if (p.is_setuid && !is_static(&p))
		log_warning("%s is setuid: the loader ignores LD_PRELOAD, so "
			    "nothing will be measured; measure a copy without "
			    "the setuid bit",
			name);
	if (is_elf(&p))
		return check_elf(name, path, &p, err);
	if (!is_interpreter && p.n > 2 && memcmp(p.bytes, "#!", 2) == 0) {
		char *at = p.bytes + 2 + strspn(p.bytes + 2, " \t");

		at[strcspn(at, " \t\n")] = '\0';
		return check_program(a, at, true, err);
	}
	return true;
}

/* Returns true, after a message, if the program must run without the
 * recorder. */
static bool
leaves_out(struct arena *a, const char *program)
{
	const char *path = find_program(a, program);
	const struct sanitizer *s = path == NULL ? NULL : sanitizer_of(path);

	if (s == NULL)
		return false;
	if (s->is_apart)
		log_warning("%s is built with %s, whose checks the memory "
			    "recorder would disturb: the program runs without "
			    "the recorder, and nothing is measured; build it "
			    "without -fsanitize=%s to measure it",
			program, s->name, s->option);
	else
		log_note("%s is built with %s: its checks are measured as part "
			 "of the program",
			program, s->name);
	return s->is_apart;
}

static const char *
hindrance(struct arena *a, const char *name, bool is_interpreter)
{
	const char *path = find_program(a, name);
	struct program p = { .n = 0 };
	char *at = p.bytes + 2;

	if (path == NULL || !read_program(path, &p))
		return NULL;
	if (p.is_setuid)
		return "is setuid, and the loader ignores LD_PRELOAD then";
	if (foreign_why(p.bytes, p.n) != NULL)
		return foreign_why(p.bytes, p.n);
	if (is_elf(&p))
		return is_static(&p) ? "is linked statically" : NULL;
	if (is_interpreter || p.n <= 2 || memcmp(p.bytes, "#!", 2) != 0)
		return NULL;
	at += strspn(at, " \t");
	at[strcspn(at, " \t\n")] = '\0';
	return hindrance(a, at, true);
}

const char *
measure_hindrance(struct arena *a, const char *name)
{
	const char *path = find_program(a, name);
	const struct sanitizer *s = path == NULL ? NULL : sanitizer_of(path);

	if (s != NULL && s->is_apart)
		return arena_printf(a, "is built with %s", s->name);
	return hindrance(a, name, false);
}

/* If our program is a shell or another one that starts programs, one with
 * AddressSanitizer would refuse to run because its library is not the first.
 * The recorder does nothing in such a program, so the check is switched off. */
void
measure_allow_second_place(struct arena *a)
{
	const char *own = getenv("ASAN_OPTIONS");
	const char *allow = "verify_asan_link_order=0";

	setenv("ASAN_OPTIONS",
		own == NULL ? allow : arena_printf(a, "%s:%s", allow, own), 1);
}

static const char *
events_text(const struct measure *m)
{
	const char *text = "";

	for (int i = 0; i < m->n; i++)
		text = arena_printf(m->arena, "%s%s%s=%" PRIu64, text,
			i > 0 ? "," : "", kinds[m->event[i].kind].name,
			m->event[i].period);
	return text;
}

bool
measure_prepare(struct measure *m, const char *folder, const char *program,
	struct err *err)
{
	const char *library = measure_library(m->arena, MEASURE_LIBRARY);
	const char *before = getenv("LD_PRELOAD");

	if (library == NULL)
		return err_set(err, ERR_INPUT,
			"%s is not beside weft: this build has no memory "
			"recorder, or weft was moved without its libraries",
			MEASURE_LIBRARY);
	if (!check_program(m->arena, program, false, err))
		return false;
	if (leaves_out(m->arena, program))
		return true;
	if (!file_mkdir(folder, err))
		return false;
	measure_allow_second_place(m->arena);
	m->folder = folder;
	/* Recording first touches costs next to nothing and shows where memory
	 * went. */
	if (has(m, DATACENTRIC) && !has(m, FAULTS))
		add(m, FAULTS, MAP_PERIOD);
	filters_tell();
	setenv("WEFT_MEM_DIR", folder, 1);
	setenv("WEFT_MEM_EVENTS", events_text(m), 1);
	if (before != NULL && *before != '\0')
		library = arena_printf(m->arena, "%s:%s", library, before);
	setenv("LD_PRELOAD", library, 1);
	return true;
}
