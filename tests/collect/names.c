/* SPDX-License-Identifier: MIT */
/*
 * names - a program with functions of its own that have names of the C library:
 * they do something else, and nobody but the program may call them.
 */
#define read c_read
#define write c_write
#define open c_open
#define open64 c_open64
#define close c_close
#define access c_access
#define rename c_rename
#define unlink c_unlink
#define time c_time
#define mkdir c_mkdir
#define stat c_stat
#define kill c_kill
#define send c_send
#define fcntl c_fcntl
#define renameat2 c_renameat2
#define waitpid c_waitpid
#define posix_fallocate c_posix_fallocate
#define posix_fallocate64 c_posix_fallocate64
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#undef read
#undef write
#undef open
#undef open64
#undef close
#undef access
#undef rename
#undef unlink
#undef time
#undef mkdir
#undef stat
#undef kill
#undef send
#undef fcntl
#undef renameat2
#undef waitpid
#undef posix_fallocate
#undef posix_fallocate64

static int calls;

#define OWN(name) \
	__attribute__((visibility("default"))) int name(void); \
	int name(void) \
	{ \
		calls++; \
		return 99; \
	}

OWN(read)
OWN(write)
OWN(open)
OWN(open64)
OWN(close)
OWN(access)
OWN(rename)
OWN(unlink)
OWN(time)
OWN(mkdir)
OWN(stat)
OWN(kill)
OWN(send)
OWN(fcntl)
OWN(pwritev)
OWN(renameat2)
OWN(waitpid)
OWN(posix_fallocate)
OWN(posix_fallocate64)

static void *
work(void *none)
{
	usleep(20000);
	return none;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	usleep(20000);
	pthread_join(t, NULL);
	printf("%d %d\n", read() + close(), calls);
	return 0;
}
