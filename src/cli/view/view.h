/* SPDX-License-Identifier: MIT */
/*
 * view.h - a trace that weft view shows: opens its index, or makes it if it is
 * missing or stale, and answers the server's questions about the trace itself.
 */
#ifndef WEFT_CLI_VIEW_VIEW_H
#define WEFT_CLI_VIEW_VIEW_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/err.h"
#include "cli/cmd.h"
#include "cli/trace/pipeline.h"
#include "export/index/index.h"
#include "serve/trace.h"

struct doc;
struct serve;
struct stat_report;

struct view_trace {
	struct pipeline options; /* set from the command line, before anything
	                          * is opened */
	const char *path;        /* as given on the command line */
	bool no_file;            /* leave no index beside the trace */
	bool live; /* read the trace again whenever it has grown */

	struct arena arena;
	struct index *index;
	bool is_index; /* the path was an index: the trace is not known */
	bool is_new;   /* the index was made by this command */
	const char *name, *shape; /* shape.h */
	const char *input_path;   /* file, or directory of the files, that the
	                           * index is made from */
	const char *dir;          /* directory of outputs */
	const char *reason;       /* why an older index is not used; or NULL */
	enum exit_code code;      /* exit code that follows from the trace's
	                           * findings */
	struct stat file;         /* identity of the index, if is_index */

	pthread_mutex_t lock; /* protects the fields below, for view_input() */
	int64_t looked_ns, took_ns;
	uint8_t generation[16]; /* generation of the index of `input` */
	enum serve_input input;
};

/* Opens the index of the trace if it is current, or the index that the path
 * names. Returns false if there is none: it has to be made, unless t->is_index;
 * then prints the error. */
bool view_open(struct view_trace *t);
/* Opens the index of the trace again, in another arena. Returns NULL if there
 * is none that is current: it has to be made, unless t->is_index. */
struct index *view_open_again(struct view_trace *t, struct arena *a);
void view_close(struct view_trace *t);

/* Counts the open trace for tables of weft stat, from the sums that an index of
 * it keeps (NULL: none), or by emulating it. Returns the sink that holds
 * the counts, which the caller closes. Returns NULL with err, whose text is
 * `stopped` if a signal ended the count. */
struct sink *view_count(struct pipeline *r, const struct index *ix,
	struct stat_report *report, const char *stopped, struct err *err);

/* Callbacks of the server (serve.h); arg is the struct view_trace. */
bool view_stat(void *arg, const struct serve_stat *what, struct doc *to,
	struct err *err);
bool view_dump(void *arg, const struct serve_dump *what, struct doc *to,
	struct err *err);
/* Compares the inputs with an index. There may be many input files, so they
 * are looked at only for a small share of the time; in between the last result
 * is returned. Any thread may call this. */
enum serve_input view_input(void *arg, const struct index *ix);

/* Returns those of weft view's options which weft stat has, too, and which were
 * given: for a shell, with a blank behind each. window: also --from and --to.
 */
const char *view_shared_options(struct arena *a, const struct option_def *opts,
	const struct pipeline *r, bool window);
/* Returns these options and the inputs of a trace, for a shell. */
const char *view_arguments(
	struct arena *a, const char *shared, const struct view_trace *t);

#define VIEW_TEXT 2000 /* bytes of an address after "#" */

/* Starts a browser with an address if there is a screen. */
void view_browse(char *address);

/* Takes the exit code of the program that started the browser, if it ended. */
void view_reap_browser(void);

/* Prints the server's address, and starts a browser if there is a screen.
 * view: the text after "#", or "". Returns false if the address could not be
 * printed. */
bool view_print_address(const struct serve *s, const char *view, bool no_open);

#endif
