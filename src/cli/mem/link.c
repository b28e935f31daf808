/* SPDX-License-Identifier: MIT */
/* weft mem link - links a static program with the memory recorder in it. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/mem/mem.h"
#include "cli/run/linked.h"
#include "cli/run/measure.h"
#include "mem/wrapped.h"

enum { NOT_FOUND = 127, NOT_RUN = 126, SIGNALLED = 128, FILE_MOST = 1 << 20 };

extern char **environ;

/* What a command line asks for. */
struct asked {
	bool is_static;
	bool is_no_link; /* it compiles only, or makes no program */
	bool is_linker;  /* ld itself, not a compiler that calls it */
	const char *output;
};

struct words {
	VEC(char *);
};

static void
look_at(struct asked *a, const char *word, const char *next)
{
	static const char *const fixed[] = { "-static", "--static",
		"-static-pie", NULL };
	static const char *const others[] = { "-c", "-S", "-E", "-M", "-MM",
		"-r", "-shared", "--shared", "-Bshareable", "-fsyntax-only",
		"-###", "--version", "--help", NULL };

	a->is_static |= text_is_one_of(word, fixed);
	a->is_no_link |= text_is_one_of(word, others);
	if (strcmp(word, "-o") == 0 && next != NULL)
		a->output = next;
	else if (strncmp(word, "-o", 2) == 0 && word[2] != '\0')
		a->output = word + 2;
}

/* Looks at the words of a file of arguments, which compilers read for @FILE.
 * Quotes are not understood: the options that matter need none. */
static void
look_in_file(struct arena *a, struct asked *asked, const char *path)
{
	struct err err = { 0 };
	size_t size;
	char *text = file_read(a, path, FILE_MOST, &size, &err), *rest = NULL;
	char *word;

	if (text == NULL)
		return; /* the compiler reports it */
	word = strtok_r(text, " \t\r\n", &rest);
	while (word != NULL) {
		char *next = strtok_r(NULL, " \t\r\n", &rest);

		look_at(asked, word, next);
		word = next;
	}
}

static bool
is_linker(const char *command)
{
	const char *name = file_name(command);
	size_t n = strlen(name);

	return strcmp(name, "ld") == 0 || strncmp(name, "ld.", 3) == 0 ||
		strcmp(name, "mold") == 0 ||
		(n > 3 && strcmp(name + n - 3, "-ld") == 0);
}

static struct asked
understand(struct arena *a, char *const argv[])
{
	struct asked asked = { .output = "a.out",
		.is_linker = is_linker(argv[0]) };

	for (int i = 1; argv[i] != NULL; i++) {
		look_at(&asked, argv[i], argv[i + 1]);
		if (argv[i][0] == '@')
			look_in_file(a, &asked, argv[i] + 1);
	}
	return asked;
}

static void
add(struct arena *a, struct words *w, const struct asked *asked,
	const char *option)
{
	*VEC_ADD(w, a) =
		arena_printf(a, "%s%s", asked->is_linker ? "" : "-Wl,", option);
}

/* Adds the options that put the recorder into a program. A static program has
 * the table that finds unwind tables only on request. */
static void
add_recorder(struct arena *a, struct words *w, const struct asked *asked,
	const char *archive)
{
/* lld takes a weak function out of the C library's archive only for
 * --undefined. */
#define WRAP(name) \
	add(a, w, asked, "--wrap=" #name); \
	add(a, w, asked, "--undefined=" #name);
	MEM_WRAPPED(WRAP)
#undef WRAP
#define WRAP(name) add(a, w, asked, "--wrap=" #name);
	MEM_WRAPPED_WEAK(WRAP)
#undef WRAP
	add(a, w, asked, "--eh-frame-hdr");
	add(a, w, asked, "--undefined=" MEM_STATIC_SYMBOL);
	add(a, w, asked, archive);
}

/* Builds the command. A compiler may be behind another program (ccache gcc), so
 * its options come last; to the linker itself the C library comes last. */
static struct words
build(struct arena *a, char *const argv[], const struct asked *asked,
	const char *archive)
{
	struct words w = { 0 };

	*VEC_ADD(&w, a) = argv[0];
	if (asked->is_linker)
		add_recorder(a, &w, asked, archive);
	for (int i = 1; argv[i] != NULL; i++)
		*VEC_ADD(&w, a) = argv[i];
	if (!asked->is_linker)
		add_recorder(a, &w, asked, archive);
	*VEC_ADD(&w, a) = NULL;
	return w;
}

/* Runs the command. Returns its exit code, as a shell does. */
static int
run(char *const argv[])
{
	int status, error;
	pid_t pid;

	error = posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ);
	if (error != 0) {
		log_error("%s: %s", argv[0], strerror(error));
		return error == ENOENT ? NOT_FOUND : NOT_RUN;
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return NOT_RUN;
	return WIFSIGNALED(status) ? SIGNALLED + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

/* Returns true if the compiler says that it has no libc.a: it answers a name
 * without a directory. */
static bool
has_no_libc(char *compiler)
{
	char option[] = "-print-file-name=libc.a", text[16] = "";
	char *argv[] = { compiler, option, NULL };
	posix_spawn_file_actions_t files;
	int fd[2];
	pid_t pid;
	ssize_t n = -1;

	if (pipe2(fd, O_CLOEXEC) != 0)
		return false;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, fd[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&pid, compiler, &files, NULL, argv, environ) == 0) {
		close(fd[1]);
		fd[1] = -1;
		n = read(fd[0], text, sizeof text - 1);
		waitpid(pid, NULL, 0);
	}
	posix_spawn_file_actions_destroy(&files);
	close(fd[0]);
	if (fd[1] >= 0)
		close(fd[1]);
	return n == 7 && memcmp(text, "libc.a\n", 7) == 0;
}

static int
say_failed(const struct asked *asked, char *const argv[], int code)
{
	if (code < NOT_RUN && !asked->is_linker && has_no_libc(argv[0]))
		log_error("%s finds no libc.a: install the static C library "
			  "(Debian: libc6-dev, Fedora: glibc-static)",
			argv[0]);
	return code;
}

/* Returns true if a file that was like `before` is a new one. A command that
 * only prints something may leave an old program alone. */
static bool
is_new_file(const char *path, const struct stat *before)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
		(st.st_ino != before->st_ino || st.st_size != before->st_size ||
			st.st_ctim.tv_sec != before->st_ctim.tv_sec ||
			st.st_ctim.tv_nsec != before->st_ctim.tv_nsec);
}

static int
link_static(struct arena *a, char *const argv[], const struct asked *asked)
{
	const char *archive = measure_library(a, MEM_STATIC_ARCHIVE);
	struct stat before = { 0 };
	struct words w;
	int code;

	if (archive == NULL) {
		log_error(MEM_STATIC_ARCHIVE
			" is not beside weft: this build has no recorder for "
			"static programs, or weft was moved without its "
			"libraries");
		return EXIT_UNABLE;
	}
	w = build(a, argv, asked, archive);
	if (stat(asked->output, &before) != 0)
		before.st_ino = 0;
	code = run(w.at);
	if (code != 0)
		return say_failed(asked, argv, code);
	if (!is_new_file(asked->output, &before))
		return code;
	if (linked_recorder(asked->output) != LINKED_YES) {
		log_error("%s: the linker left out the recorder, so the "
			  "program cannot be measured",
			asked->output);
		return EXIT_UNABLE;
	}
	return code;
}

enum exit_code
mem_link(struct arena *a, char *const argv[])
{
	struct asked asked;

	if (argv[0] == NULL)
		return cmd_usage_error(&cmd_mem,
			"missing argument: the command that links: weft mem "
			"link -- gcc -static ...");
	asked = understand(a, argv);
	if (asked.is_no_link)
		return (enum exit_code)run(argv);
	if (asked.is_static)
		return (enum exit_code)link_static(a, argv, &asked);
	log_note("no -static: `weft run` loads the recorder into such a "
		 "program, so nothing is linked in");
	return (enum exit_code)run(argv);
}
