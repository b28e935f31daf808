/* SPDX-License-Identifier: MIT */
/*
 * run.h - helpers of the recorder's tests: make a directory for the trace, run
 * a function in a child process, read the bytes of a stream.
 *
 *	int status = run_child(body);    body records, then returns or dies
 *	int status = run_again("word");  starts this program again with that
 *	                                 argument: the library reads WEFT_*
 *	                                 when it is loaded
 *	run_program(path, argv);         execv(), by an emulator where meson
 *	                                 has one
 *	struct stream s = stream_read(); reads its stream.obs
 */
#ifndef WEFT_TESTS_RT_RUN_H
#define WEFT_TESTS_RT_RUN_H

#include <dirent.h>
#include <ftw.h>
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define RUN_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RUN_SANITIZED 1
#endif

static char run_folder[64];
static char run_said[8192]; /* what the last child wrote to stderr */

static int
run_remove_one(const char *path, const struct stat *st, int kind, struct FTW *f)
{
	(void)st, (void)kind, (void)f;
	return remove(path);
}

/* a child that calls exit() must not remove the directory */
static pid_t run_owner;

static inline void
run_clean(void)
{
	if (run_folder[0] != '\0' && run_owner == getpid())
		nftw(run_folder, run_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Makes a new directory for the trace, in $TMPDIR, or else on a tmpfs if there
 * is one. */
static inline void
run_fresh(void)
{
	const char *temp = getenv("TMPDIR");
	static int n;

	run_clean();
	if (!temp || strlen(temp) > 30)
		temp = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	snprintf(run_folder, sizeof(run_folder), "%s/weft-test-%d-%d", temp,
		(int)getpid(), n++);
	setenv("OVNI_TRACEDIR", run_folder, 1);
	run_owner = getpid();
	if (n == 1)
		atexit(run_clean);
}

/* Removes the rings that a killed child left; no other process removes them. */
static inline void
run_remove_rings(pid_t pid)
{
	char pattern[64];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "/dev/shm/weft-%d-*.ring", (int)pid);
	if (glob(pattern, 0, NULL, &found) != 0)
		return;
	for (size_t i = 0; i < found.gl_pathc; i++)
		remove(found.gl_pathv[i]);
	globfree(&found);
}

/* Runs body in a child that has recorded nothing yet. Returns its exit status
 * as wait() does. */
static inline int
run_child(void (*body)(void))
{
	int pair[2], status = -1;
	ssize_t n, at = 0;
	pid_t pid;

	fflush(stdout);
	if (pipe(pair) != 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		dup2(pair[1], STDERR_FILENO);
		close(pair[0]);
		close(pair[1]);
		body();
		exit(0);
	}
	close(pair[1]);
	while ((n = read(pair[0], run_said + at,
			sizeof(run_said) - 1 - (size_t)at)) > 0)
		at += n;
	run_said[at] = '\0';
	close(pair[0]);
	waitpid(pid, &status, 0);
	run_remove_rings(pid);
	return status;
}

/* Replaces this process with the program, whose argv has at most ten elements.
 * A program for another processor runs under MESON_EXE_WRAPPER. */
static inline void
run_program(const char *path, const char *const *argv)
{
	const char *emulator = getenv("MESON_EXE_WRAPPER");
	const char *wrapped[12] = { emulator, path };

	if (emulator) {
		for (int i = 1; argv[i] && i < 10; i++)
			wrapped[i + 1] = argv[i];
		execv(emulator, (char **)wrapped);
	} else {
		execv(path, (char *const *)argv);
	}
	_exit(126);
}

static const char *run_word;

static inline void
run_exec(void)
{
	char self[4096] = "";

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) > 0)
		run_program(self, (const char *[]){ "again", run_word, NULL });
	_exit(126);
}

static inline int
run_again(const char *word)
{
	run_word = word;
	return run_child(run_exec);
}

struct stream {
	/* the events, without the 8 bytes of the file's header */
	unsigned char *data;
	size_t n;
};

static char run_found[600];
static const char *run_wanted;

static int
run_find_one(const char *path, const struct stat *st, int kind, struct FTW *f)
{
	(void)st, (void)kind;
	if (strcmp(path + f->base, run_wanted) != 0)
		return 0;
	snprintf(run_found, sizeof(run_found), "%s", path);
	return 1;
}

/* Returns the path of the only file of that name in the trace, or "" if there
 * is none. */
static inline const char *
run_find(const char *name)
{
	run_wanted = name;
	run_found[0] = '\0';
	nftw(run_folder, run_find_one, 8, FTW_PHYS);
	return run_found;
}

static inline struct stream
run_read(const char *path, size_t skip)
{
	struct stream s = { NULL, 0 };
	FILE *f = fopen(path, "rb");
	long size;

	if (!f)
		return s;
	fseek(f, 0, SEEK_END);
	size = ftell(f);
	if (size >= (long)skip) {
		fseek(f, (long)skip, SEEK_SET);
		/* the zeros after the data terminate a text, and allow reads
		 * after the last record */
		s.data = calloc(1, (size_t)size - skip + 32);
		s.n = fread(s.data, 1, (size_t)size - skip, f);
	}
	fclose(f);
	return s;
}

static inline struct stream
stream_read(void)
{
	return run_read(run_find("stream.obs"), 8);
}

#endif
