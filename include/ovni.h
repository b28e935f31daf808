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
 * ends the process with abort(); there are no return codes. Failures of the
 * machine (a full disk, no permission) never end the process: recording stops
 * with one warning, lost events are counted, and the program goes on.
 *
 * Every function acts on the calling thread and is thread-safe. Two groups of
 * functions may also be called in these situations, which <weft/trace.h>
 * describes:
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
 * ovni_mark_type, ovni_mark_label. yes: the call does its work. no: it records
 * nothing and prints nothing. Not in a handler: ovni_attr_*, ovni_flush, the
 * ends of threads and of the process. <weft/trace.h> records an event in one
 * call.
 *
 * An event has the clock that its caller took. If a signal handler records
 * between ovni_clock_now() and ovni_ev_emit(), time goes back in the stream:
 * block signals between the two calls.
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

/* An event as stored in stream.obs, in the machine's byte order. */
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

/* Zero the struct before use. */
struct __attribute__((packed)) ovni_ev {
	struct ovni_ev_header header;
	union ovni_ev_payload payload;
};

struct __attribute__((packed)) ovni_stream_header {
	char magic[4];
	uint32_t version;
};

/* Ends the program unless the library's version is compatible with the version
 * that the program was compiled for. */
#define ovni_version_check() ovni_version_check_str(OVNI_LIB_VERSION)

/* Compares version, X.Y.Z with or without -suffix, with the library's: the
 * major numbers must be equal, and the minor number at most the library's. */
void ovni_version_check_str(const char *version);
void ovni_version_get(const char **version, const char **commit);

/* Begins the trace of the process; once per process. app > 0 distinguishes the
 * programs of one trace. loom names a set of CPUs, in less than 512 characters;
 * its part before the first dot is the host. Creates the trace directories in
 * ./ovni or $OVNI_TRACEDIR. */
void ovni_proc_init(int app, const char *loom, int pid);

/* Sets the MPI rank, 0 <= rank < nranks, after process and thread are
 * initialised. */
void ovni_proc_set_rank(int rank, int nranks);

/* Ends the trace of the process; once, after all threads are freed. */
void ovni_proc_fini(void);

/* Begins the stream of the thread; once per thread. tid != 0 is unique in the
 * process. */
void ovni_thread_init(pid_t tid);

/* Declares that this thread's events belong to the model, in version X.Y.Z. */
void ovni_thread_require(const char *model, const char *version);

/* Returns 1 between ovni_thread_init() and ovni_thread_free(), else 0. */
int ovni_thread_isready(void);

/* Writes the rest of the stream and ends it. */
void ovni_thread_free(void);

/* Adds a CPU to the loom. index counts from 0; phyid is the number that the
 * system gives the CPU. */
void ovni_add_cpu(int index, int phyid);

/* Sets the code of an event: three letters. */
void ovni_ev_set_mcv(struct ovni_ev *ev, const char *mcv);
void ovni_ev_set_clock(struct ovni_ev *ev, uint64_t clock);
uint64_t ovni_ev_get_clock(const struct ovni_ev *ev);

/* Returns the time in ns: CLOCK_MONOTONIC, within 100 ns; never goes back. */
uint64_t ovni_clock_now(void);

/* Appends 2 or more bytes of payload; an event takes 16 in all. */
void ovni_payload_add(struct ovni_ev *ev, const uint8_t *buf, int size);
int ovni_payload_size(const struct ovni_ev *ev);
int ovni_ev_size(const struct ovni_ev *ev);

/* Records the event. The clocks of a thread's events must never decrease. */
void ovni_ev_emit(struct ovni_ev *ev);

/* Records an event without payload, followed by bufsize bytes, and marks the
 * event in ev as jumbo. */
void ovni_ev_jumbo_emit(
	struct ovni_ev *ev, const uint8_t *buf, uint32_t bufsize);

/* Writes recorded events to the file. Not needed for safety: recorded events
 * outlive the process. */
void ovni_flush(void);

/*
 * Attributes: values in the thread's metadata, addressed by dotted path.
 * Reading an attribute that is missing or has another type is an error. The
 * text of get_str is valid until this thread's next call; the text of get_json
 * belongs to the caller, who frees it with free().
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

/* Marks: timelines of your own, type 0 to 99. All threads that define a type or
 * label must define it alike. flags: 0, or OVNI_MARK_STACK for push and pop
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
