/* SPDX-License-Identifier: MIT */
#include "cli/run/collect.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "cli/run/measure.h"
#include "cli/times.h"

#define LIBRARY "libweft-collect.so"

static const char *const words[] = { "openmp", "openmp:chunks", "locks", "io",
	"sleep", "kernel", "compat", "none" };

enum { WORDS = sizeof words / sizeof *words };

/* A word of the list of --collect: NAME, or NAME@TIME. */
struct word {
	const char *name;
	size_t n;
	const char *limit; /* behind the '@', or NULL */
	size_t n_limit;
};

const char *
collect_words(struct arena *a)
{
	const char *all = words[0];

	for (int i = 1; i < WORDS; i++)
		all = arena_printf(a, "%s,%s", all, words[i]);
	return all;
}

/* Takes a word off the list. Returns false at its end. */
static bool
take_word(const char **list, struct word *to)
{
	size_t n = *list == NULL ? 0 : strcspn(*list, ",");

	if (*list == NULL || **list == '\0')
		return false;
	*to = (struct word){ .name = *list, .n = strcspn(*list, ",@") };
	if (to->n < n) {
		to->limit = *list + to->n + 1;
		to->n_limit = n - to->n - 1;
	}
	*list += n + ((*list)[n] == ',');
	return true;
}

static bool
is_named(const struct word *w, const char *name)
{
	return strlen(name) == w->n && memcmp(name, w->name, w->n) == 0;
}

static bool
is_known(const struct word *w)
{
	for (int i = 0; i < WORDS; i++)
		if (is_named(w, words[i]))
			return true;
	return false;
}

/* Reads the time from which calls are recorded one by one, as "20us". Returns
 * false and sets err if it is none, or its word takes none. */
static bool
read_limit(struct arena *a, const struct word *w, uint64_t *ns, struct err *err)
{
	const char *text = arena_strndup(a, w->limit, w->n_limit);
	int64_t t;

	if (!is_named(w, "io"))
		return err_set(err, ERR_INPUT,
			"%.*s@%s: only io takes a time, as in io@50us",
			(int)w->n, w->name, text);
	if (!times_read(text, "ns", &t))
		return err_set(err, ERR_INPUT,
			"io@%s: not a time: write a number and ns, us, ms or s",
			text);
	*ns = (uint64_t)t;
	return true;
}

bool
collect_check(struct arena *a, const char *list, struct err *err)
{
	struct word w;
	uint64_t ns;

	while (take_word(&list, &w)) {
		if (!is_known(&w))
			return err_set(err, ERR_INPUT,
				"%.*s: there is no such collector; there are "
				"%s",
				(int)w.n, w.name, collect_words(a));
		if (w.limit != NULL && !read_limit(a, &w, &ns, err))
			return false;
	}
	return true;
}

/* Returns the list with times in ns; "" if it collects nothing. none takes back
 * the words before it. */
static const char *
plain_list(struct arena *a, const char *list)
{
	const char *to = "";
	struct word w;
	uint64_t ns = 0;

	while (take_word(&list, &w)) {
		if (is_named(&w, "none")) {
			to = "";
			continue;
		}
		to = arena_printf(a, "%s%s%.*s", to, *to == '\0' ? "" : ",",
			(int)w.n, w.name);
		if (w.limit != NULL &&
			read_limit(a, &w, &ns, &(struct err){ 0 }))
			to = arena_printf(a, "%s@%" PRIu64, to, ns);
	}
	return to;
}

bool
collect_has(struct arena *a, const char *list, const char *name)
{
	const char *left = plain_list(a, list);
	struct word w;

	while (take_word(&left, &w))
		if (is_named(&w, name))
			return true;
	return false;
}

/* Says why the runtime of LLVM or Intel, if the program has one, will not be
 * recorded: it takes only one tool. */
static void
say_other_tools(const char *list)
{
	const char *switched = getenv("OMP_TOOL"),
		   *tools = getenv("OMP_TOOL_LIBRARIES");
	bool has_openmp = false;
	struct word w;

	while (take_word(&list, &w))
		has_openmp = has_openmp || is_named(&w, "openmp") ||
			is_named(&w, "openmp:chunks") || is_named(&w, "compat");
	if (!has_openmp)
		return;
	if (switched != NULL && strcmp(switched, "disabled") == 0)
		log_note("OMP_TOOL=disabled: OpenMP of LLVM's and Intel's "
			 "runtimes is not recorded");
	else if (tools != NULL && *tools != '\0')
		log_note("OMP_TOOL_LIBRARIES is set: OpenMP of LLVM's and "
			 "Intel's runtimes is not recorded");
}

bool
collect_is_any(struct arena *a, const char *list)
{
	return *plain_list(a, list) != '\0';
}

const char *
collect_usual(bool has_events)
{
	const char *events = getenv("WEFT_EVENTS");

	return has_events || (events != NULL && strcmp(events, "none") == 0)
		? "none"
		: "openmp,locks,io,sleep,kernel";
}

bool
collect_prepare(struct arena *a, const char *list, bool is_usual,
	const char *program, struct err *err)
{
	const char *library, *before, *why;

	list = plain_list(a, list);
	if (*list == '\0' || strcmp(list, "kernel") == 0)
		return true;
	library = measure_library(a, LIBRARY);
	if (library == NULL && is_usual)
		return true;
	if (library == NULL)
		return err_set(err, ERR_INPUT,
			"%s is not beside weft: this build has no collectors, "
			"or weft was moved without its libraries",
			LIBRARY);
	why = measure_hindrance(a, program);
	if (why != NULL) {
		log_warning("%s %s: what its threads wait for is not recorded",
			program, why);
		return true;
	}
	measure_allow_second_place(a);
	before = getenv("LD_PRELOAD");
	setenv("LD_PRELOAD",
		before == NULL || *before == '\0'
			? library
			: arena_printf(a, "%s:%s", before, library),
		1);
	setenv("WEFT_COLLECT", list, 1);
	say_other_tools(list);
	return true;
}

void
collect_select_events(struct arena *a, const char *list)
{
	const char *events = getenv("WEFT_EVENTS");
	bool is_compat = false;
	struct word w;

	while (take_word(&list, &w))
		is_compat = (is_compat || is_named(&w, "compat")) &&
			!is_named(&w, "none");
	if (is_compat)
		setenv("WEFT_EVENTS",
			events == NULL || *events == '\0'
				? "-wait"
				: arena_printf(a, "%s;-wait", events),
			1);
}
