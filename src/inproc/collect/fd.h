/* SPDX-License-Identifier: MIT */
/*
 * fd.h - descriptors and files: whether an operation may block without limit,
 * and the numbers and names of files and peers.
 *
 * What is known of a descriptor is kept until it is closed. A close that no
 * wrapper sees leaves it outdated: then a call may be recorded by two events
 * instead of one count, or under the name of another file.
 */
#ifndef WEFT_INPROC_COLLECT_FD_H
#define WEFT_INPROC_COLLECT_FD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { FD_MAX = 65536, FD_TIMED = 1, FD_WAITS = 2, FD_KIND = 3 };

/* The kinds of files in the event WYf. */
enum file_kind {
	FILE_REGULAR = 1,
	FILE_DIRECTORY = 2,
	FILE_DEVICE = 3,
	FILE_PIPE = 4,
	FILE_SOCKET = 5,
	FILE_OTHER = 6,
	FILE_PATH = 7,
};

/* By descriptor: number of the file << 2 | FD_TIMED or FD_WAITS; 0: not known.
 * Atomic. */
extern uint32_t *fd_table __attribute__((visibility("hidden")));

/* Makes the table. Returns false if there is no memory. */
bool fd_init(void) __attribute__((visibility("hidden")));

/* Looks at a descriptor. Keeps errno. */
uint32_t fd_look(int fd) __attribute__((visibility("hidden")));

/* Returns true if a read or write may block without limit: on a pipe, socket
 * or terminal without O_NONBLOCK. */
static inline bool
fd_waits(int fd)
{
	uint32_t known = (unsigned)fd < FD_MAX
		? __atomic_load_n(&fd_table[fd], __ATOMIC_RELAXED)
		: 0;

	if (__builtin_expect(known == 0, 0))
		known = fd_look(fd);
	return (known & FD_KIND) == FD_WAITS;
}

/* Notes that the descriptors from `first` to `last` are other files from now
 * on, or may block or not block from now on. */
void fd_forget(unsigned first, unsigned last)
	__attribute__((visibility("hidden")));

/* Return the number of a file, whose name is recorded before the first time;
 * 0: unknown. All keep errno. */
uint32_t fd_number(int fd) __attribute__((visibility("hidden")));
uint32_t fd_path_number(const char *path) __attribute__((visibility("hidden")));
uint32_t fd_stream_number(FILE *f) __attribute__((visibility("hidden")));

/* Returns the descriptor of a stream; -1: none. Keeps errno. */
int fd_of_stream(FILE *f) __attribute__((visibility("hidden")));

/* Returns the number of the peer of a socket that is not connected yet. */
struct sockaddr;
uint32_t fd_peer_number(int fd, const struct sockaddr *to, unsigned size)
	__attribute__((visibility("hidden")));

/* Notes that a socket was connected, or began to be, to the peer of this
 * number: until the connection is made the kernel does not tell the peer. */
void fd_connected(int fd, uint32_t number)
	__attribute__((visibility("hidden")));

/* Returns the process that a descriptor stands for (pidfd_open()), as the
 * kernel tells it; -1: unknown. Keeps errno. */
int fd_process(int fd) __attribute__((visibility("hidden")));

#endif
