/* SPDX-License-Identifier: MIT */
/*
 * ovni.h - the producer interface of ovni, as libovni.so.1 offers it.
 *
 *	ovni_proc_init(1, "node1.123", getpid());
 *	ovni_thread_init(gettid());
 *	ovni_add_cpu(0, 0);
 *	...
 *	struct ovni_ev ev = {0};
 *	ovni_ev_set_clock(&ev, ovni_clock_now());
 *	ovni_ev_set_mcv(&ev, "6W[");
 *	ovni_ev_emit(&ev);
 *	...
 *	ovni_thread_free();
 *	ovni_proc_fini();
 *
 * A call that breaks a rule stated here prints "FATAL: function: reason" and
 * ends the process with abort(); there are no return codes. Trouble of the
 * machine (a full disk, no permission) never does: recording stops with one
 * warning, what is lost is counted, the program goes on.
 *
 * Every function acts on the calling thread, and is thread-safe. Two kinds may
 * also be called from these places, which <weft/trace.h> describes:
 *
 *                    | ovni_ev | set-up
 * handler, process   | yes     | yes
 * handler, thread    | yes     | yes
 * handler, later     | yes     | yes
 * constructor        | yes     | yes
 * child              | no      | yes
 * child of a handler | no      | yes
 * stack of 16 KB     | yes     | yes
 * stack of 8 KB      | yes     | yes
 * signals blocked    | yes     | yes
 * atexit             | yes     | yes
 * destructor         | yes     | yes
 * key destructor     | yes     | yes
 * exit               | no      | -
 * exec               | yes     | yes
 * _exit              | yes     | yes
 *
 * ovni_ev: ovni_ev_*, ovni_payload_*, ovni_clock_now, ovni_mark_push, pop, set.
 * set-up: ovni_proc_init, ovni_thread_init, ovni_add_cpu, ovni_thread_require,
 * ovni_mark_type, ovni_mark_label. yes: it is done. no: nothing is recorded,
 * nothing is said. Not in a handler: ovni_attr_*, ovni_flush, the ends of
 * threads and of the process. <weft/trace.h> does the same in one call.
 *
 * An event has the clock that its caller took. If a handler of a signal records
 * between ovni_clock_now() and ovni_ev_emit(), time goes back in the stream:
 * block signals meanwhile.
 */
#ifndef OVNI_H
#define OVNI_H

#include <limits.h>
#include <linux/limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

#define OVNI_LIB_VERSION "1.14.0"
#ifndef OVNI_GIT_COMMIT
#define OVNI_GIT_COMMIT "unknown"
#endif

#define OVNI_METADATA_VERSION 3
#define OVNI_MODEL_VERSION "1.1.0"
#define OVNI_TRACEDIR "ovni"
#define OVNI_MAX_HOSTNAME 512
#define OVNI_MAX_EV_BUF (2 * 1024LL * 1024LL)
#define OVNI_STREAM_MAGIC "ovni"
#define OVNI_STREAM_VERSION 1
#define OVNI_STREAM_EXT ".obs"

enum ovni_ev_flags { OVNI_EV_JUMBO = 0x10 };

enum ovni_mark_flags { OVNI_MARK_STACK = 1 };

/* An event as it lies in stream.obs, in the order of bytes of the machine. */
struct __attribute__((packed)) ovni_ev_header {
	uint8_t flags; /* OVNI_EV_JUMBO; low nibble: payload size - 1, or 0 */
	uint8_t model, category, value;
	uint64_t clock; /* ns */
};

struct __attribute__((packed)) ovni_jumbo_payload {
	uint32_t size;
	uint8_t data[1];
};

union __attribute__((packed)) ovni_ev_payload {
	int8_t i8[16];
	int16_t i16[8];
	int32_t i32[4];
	int64_t i64[2];
	uint8_t u8[16];
	uint16_t u16[8];
	uint32_t u32[4];
	uint64_t u64[2];
	struct ovni_jumbo_payload jumbo;
};

/* Zero it before use. */
struct __attribute__((packed)) ovni_ev {
	struct ovni_ev_header header;
	union ovni_ev_payload payload;
};

struct __attribute__((packed)) ovni_stream_header {
	char magic[4];
	uint32_t version;
};

/* Is the library of a version that this program can use? */
#define ovni_version_check() ovni_version_check_str(OVNI_LIB_VERSION)

/* version is X.Y.Z, with or without -suffix: the major number is the library's,
 * the minor at most the library's. */
void ovni_version_check_str(const char *version);
void ovni_version_get(const char **version, const char **commit);

/* Once a process. app > 0 tells programs of one trace apart; loom is the name
 * of a set of CPUs, less than 512 characters, what is before the first dot is
 * the host. Makes the folders of the trace, in ./ovni or $OVNI_TRACEDIR. */
void ovni_proc_init(int app, const char *loom, int pid);

/* MPI rank, 0 <= rank < nranks. The process and the thread are initialised. */
void ovni_proc_set_rank(int rank, int nranks);

/* Once, after all threads are freed. */
void ovni_proc_fini(void);

/* Once a thread; tid != 0, unique in the process. */
void ovni_thread_init(pid_t tid);

/* This thread's events belong to that model, of version X.Y.Z. */
void ovni_thread_require(const char *model, const char *version);

/* 1 between init and free, else 0. */
int ovni_thread_isready(void);

/* Writes what is left of the stream, and ends it. */
void ovni_thread_free(void);

/* The loom has a CPU; index counts from 0, phyid is the system's number. */
void ovni_add_cpu(int index, int phyid);

/* The code of an event: three letters. */
void ovni_ev_set_mcv(struct ovni_ev *ev, const char *mcv);
void ovni_ev_set_clock(struct ovni_ev *ev, uint64_t clock);
uint64_t ovni_ev_get_clock(const struct ovni_ev *ev);

/* ns of CLOCK_MONOTONIC, within 100; never goes back. */
uint64_t ovni_clock_now(void);

/* Appends 2 or more bytes; an event takes 16 in all. */
void ovni_payload_add(struct ovni_ev *ev, const uint8_t *buf, int size);
int ovni_payload_size(const struct ovni_ev *ev);
int ovni_ev_size(const struct ovni_ev *ev);

/* Records the event. Clocks of a thread must not decrease. */
void ovni_ev_emit(struct ovni_ev *ev);

/* Records an event without payload and with bufsize bytes behind it, and marks
 * it in ev as a jumbo event. */
void ovni_ev_jumbo_emit(
	struct ovni_ev *ev, const uint8_t *buf, uint32_t bufsize);

/* Writes to the file what is recorded. Not needed for safety: what is recorded
 * outlives the process. */
void ovni_flush(void);

/*
 * Attributes: values in the thread's metadata by dotted path. Reading one that
 * is missing or of another type is an error. The text of get_str holds until
 * the next call of this thread; that of get_json is the caller's to free().
 */
int ovni_attr_has(const char *key);
void ovni_attr_set_double(const char *key, double num);
void ovni_attr_set_boolean(const char *key, int is_true);
void ovni_attr_set_str(const char *key, const char *str);
void ovni_attr_set_json(const char *key, const char *json);
double ovni_attr_get_double(const char *key);
int ovni_attr_get_boolean(const char *key);
const char *ovni_attr_get_str(const char *key);
char *ovni_attr_get_json(const char *key);
void ovni_attr_flush(void);

/* Marks: timelines of your own, type 0 to 99. Each thread that defines a type
 * or a label defines it alike. flags: 0, or OVNI_MARK_STACK for push and pop
 * instead of set. */
void ovni_mark_type(int32_t type, long flags, const char *title);
void ovni_mark_label(int32_t type, int64_t value, const char *label); /* > 0 */
void ovni_mark_push(int32_t type, int64_t value); /* value is not 0 */
void ovni_mark_pop(int32_t type, int64_t value);
void ovni_mark_set(int32_t type, int64_t value);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
