/* SPDX-License-Identifier: MIT */
/*
 * wire.h - the files of a memory measurement, byte by byte.
 *
 * A folder a program image (an exec makes a new one), in it process.mem and a
 * file a thread. A file is a struct mem_head and then records, only ever
 * appended: what a killed program leaves is whole up to its last record.
 * Nothing is fixed up later; where a later record corrects an earlier one, it
 * says so here. All numbers are little endian and lie at multiples of 8.
 *
 *	for (at = sizeof(struct mem_head); ; at += record.size)
 *		if (!mem_is_whole(bytes + at, end - at))
 *			break;  or go on 8 bytes further: damage is local
 *
 * The recorder looks objects up while it records: a sample names what it
 * touched (place and ref), only static variables are looked up afterwards, by
 * address in the module. What is named has been written before, in
 * process.mem. docs/dev/mem-format.md tells the same in prose.
 */
#ifndef WEFT_MEM_WIRE_H
#define WEFT_MEM_WIRE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define MEM_MAGIC "weftmem\n"
#define MEM_VERSION 1
#define MEM_PATH_MAX 128 /* frames of a call path */
#define MEM_RECORD_MAX 65528

/* A file beside the folders: a line for each program that had a sanitizer and
 * was left out, its path. */
#define MEM_LEFT_OUT "left-out"

/* Another one: what the self-test of the first image found, for all others: its
 * enum mem_source, enum mem_skid, hits before, hits at and tries, in decimal.
 */
#define MEM_SELF_TEST "self-test"

enum mem_file { MEM_FILE_PROCESS = 1, MEM_FILE_THREAD = 2 };

/* The beginning of a file. check is mem_check() of what is before it. */
struct mem_head {
	char magic[8];
	uint32_t version;
	uint32_t file; /* enum mem_file */
	int32_t pid, tid;
	uint64_t image;    /* random; the same in all files of an image */
	uint64_t time;     /* CLOCK_MONOTONIC, ns, as are all times */
	uint64_t realtime; /* CLOCK_REALTIME at that moment, ns */
	uint32_t parent;   /* pid of the process that made this one */
	uint32_t page;     /* bytes of a page */
	uint64_t check;
};

/* Every record begins so; size counts all of it, padding to 8 included. */
struct mem_record {
	uint16_t size;
	uint16_t type; /* enum mem_type */
	uint32_t check;
};

enum mem_type {
	/* in process.mem */
	MEM_EVENT = 1,   /* struct mem_event */
	MEM_SETUP,       /* struct mem_setup; the last one holds */
	MEM_TEXT,        /* struct mem_text */
	MEM_MODULE,      /* struct mem_module */
	MEM_UNLOAD,      /* struct mem_unload */
	MEM_REGION,      /* struct mem_region */
	MEM_THREAD,      /* struct mem_thread */
	MEM_THREAD_END,  /* struct mem_thread_end */
	MEM_PATH,        /* struct mem_path */
	MEM_OBJECT,      /* struct mem_object */
	MEM_OBJECT_NAME, /* struct mem_object_name; the last one holds */
	MEM_SITE,        /* struct mem_site; the last one of a site holds */
	MEM_HEAP,        /* struct mem_heap */
	MEM_END,         /* struct mem_end; absent: killed, or exec */
	MEM_LOCAL,       /* struct mem_local */
	/* in the file of a thread */
	MEM_SAMPLE = 32, /* struct mem_sample */
	/* in both */
	MEM_LOSS = 64, /* struct mem_loss; the last one of a kind holds */
};

/* What is sampled. A kind is measured by one source, never by two. */
enum mem_event_kind {
	MEM_EVENT_TIME = 1,  /* -e time: charges code only */
	MEM_EVENT_DATA = 2,  /* -e datacentric: time, by data and code */
	MEM_EVENT_FAULT = 3, /* page faults */
	MEM_EVENT_LOAD = 4,  /* hardware, or replayed from a recording */
	MEM_EVENT_STORE = 5,
	MEM_EVENT_MEMORY = 6, /* loads and stores */
	MEM_EVENT_CODE = 7,   /* of a recording, without addresses: code only */
};

enum mem_source {
	MEM_SOURCE_NONE,  /* it could not be measured; error says why. Error 0:
	                   * the program ended before it was to be */
	MEM_SOURCE_RING,  /* perf ring */
	MEM_SOURCE_TIMER, /* POSIX timer a thread */
	MEM_SOURCE_PERF,  /* a file of `perf record`; in no file of ours */
};

struct mem_event {
	struct mem_record record;
	uint32_t event;  /* its number, as samples name it */
	uint32_t kind;   /* enum mem_event_kind */
	uint32_t source; /* enum mem_source */
	uint32_t error;  /* errno of the better source that was refused, or 0 */
	uint64_t period; /* as asked for: ns, or faults */
	uint64_t real;   /* the source's own step: ns of a tick, or period */
	char name[32];   /* "DATACENTRIC", "FAULTS", "TIME" */
};

/* How sure it is that the instruction before the interrupted one is to blame:
 * found by a self-test, or MEM_SKID_UNKNOWN where that failed. */
enum mem_skid {
	MEM_SKID_UNTRIED,
	MEM_SKID_UNKNOWN,
	MEM_SKID_ONE,
	MEM_SKID_NONE
};

struct mem_setup {
	struct mem_record record;
	uint64_t min_bytes;   /* blocks of this size on are all tracked */
	uint64_t small_bytes; /* below: one byte in so many is sampled; 0: none
	                       */
	uint32_t skid;        /* enum mem_skid */
	uint32_t skid_hits;   /* samples of the self-test that agreed, */
	uint32_t skid_tried;  /* of so many */
	uint32_t unwinder;    /* 0: none, 1: .eh_frame */
	uint64_t stack_bytes; /* of the stack, that a sample's path may reach */
};

enum mem_key {
	MEM_KEY_VERSION = 1, /* of Weft */
	MEM_KEY_PROGRAM,     /* path */
	MEM_KEY_ARGUMENT,    /* one an argument, in order */
	MEM_KEY_HOST,        /* kernel and machine */
	MEM_KEY_NOTE,        /* for the reader: what to change */
	MEM_KEY_RANK,        /* of MPI, in decimal; absent: none */
};

struct mem_text {
	struct mem_record record;
	uint32_t key, bytes; /* of text, without padding */
	char text[];
};

/* A file mapped by the loader. Its addresses are those of the file + bias. */
struct mem_module {
	struct mem_record record;
	uint32_t module; /* number, never used again */
	uint32_t epoch;  /* paths of this epoch on may lie in it */
	uint64_t time;   /* seen first */
	uint64_t bias, lo, hi;
	uint64_t tls;         /* number of its TLS block, 0: none */
	uint64_t tls_below;   /* of each thread's pointer, bytes to where the
	                       * block begins; 0: not in static TLS */
	uint32_t build_bytes; /* of build id, 0 to 32 */
	uint32_t path_bytes;
	uint8_t build[32];
	char path[]; /* "[vdso]" for that */
};

struct mem_unload {
	struct mem_record record;
	uint32_t module, epoch; /* paths of this epoch on do not lie in it */
	uint64_t time;
};

/* What an address belongs to. The numbers are fixed; ref is 0 unless said. */
enum mem_place {
	MEM_PLACE_NONE,    /* no address: the sample is about code alone */
	MEM_PLACE_OBJECT,  /* ref: object that was alive at that time */
	MEM_PLACE_FREED,   /* ref: object that had been freed by then */
	MEM_PLACE_STACK,   /* ref: tid of the thread whose stack it is */
	MEM_PLACE_TLS,     /* ref: tid of the thread */
	MEM_PLACE_MODULE,  /* ref: module; .data, .bss, .rodata, code */
	MEM_PLACE_SMALL,   /* the heap, no tracked block: below the threshold;
	                    * ref: 0, or an object that it may be like */
	MEM_PLACE_ANON,    /* ref: region; anonymous mapping */
	MEM_PLACE_FILE,    /* ref: region; mapped file */
	MEM_PLACE_SHARED,  /* ref: region; shared memory */
	MEM_PLACE_VDSO,    /* vdso, vvar */
	MEM_PLACE_KERNEL,  /* upper half of the address space */
	MEM_PLACE_TOOL,    /* memory of the recorder */
	MEM_PLACE_UNKNOWN, /* none of these */
	MEM_PLACE_MIXED,   /* as SMALL, ref: an object; others that are as near
	                    * and as large come from elsewhere */
	MEM_PLACES
};

/* A mapping that was there when an address in it was looked up. */
struct mem_region {
	struct mem_record record;
	uint32_t region, place; /* enum mem_place */
	uint64_t time, lo, hi;
	uint64_t offset;     /* in the file */
	uint32_t protection; /* 1 read, 2 write, 4 execute */
	uint32_t bytes;      /* of name */
	char name[];         /* as in /proc/PID/maps */
};

struct mem_thread {
	struct mem_record record;
	int32_t tid;
	uint32_t is_main;
	uint64_t time;
	uint64_t stack_lo, stack_hi; /* 0: not known */
	uint64_t tls_lo, tls_hi;     /* static TLS and thread block */
	uint64_t pointer;            /* what fs: is relative to; 0: not known */
	char name[16];
	char file[32]; /* of its samples; made with the first of them */
};

struct mem_thread_end {
	struct mem_record record;
	int32_t tid;
	uint32_t unused;
	uint64_t time;
	uint64_t cpu; /* ns of CPU time it had used, 0: not known */
};

/* Return addresses, innermost first. The place of a call is at address - 1. */
enum { MEM_PATH_CUT = 1 }; /* its outer end is missing */

struct mem_path {
	struct mem_record record;
	uint32_t path;  /* number; 0 is the empty path and is not written */
	uint32_t epoch; /* of the module map */
	uint32_t n, flags;
	uint64_t address[];
};

enum mem_object_kind {
	MEM_OBJECT_HEAP = 1, /* malloc and its family */
	MEM_OBJECT_MAP,      /* mmap, mremap */
	MEM_OBJECT_BREAK,    /* brk, sbrk by the program */
	MEM_OBJECT_POOL,     /* weft_mem_register */
};

/* Written when a sample hits it, or one like it, for the first time. */
struct mem_object {
	struct mem_record record;
	uint32_t object; /* number */
	uint32_t path;   /* where it was allocated; 0: before the start */
	uint64_t lo, size;
	uint64_t born, died; /* died 0: alive when this was written */
	int32_t tid;         /* that allocated it */
	uint32_t kind;       /* enum mem_object_kind */
	double weight; /* blocks that it stands for: 1 from min_bytes on */
};

struct mem_object_name {
	struct mem_record record;
	uint32_t object, bytes;
	char text[];
};

/* All blocks of a kind that one path allocated, so far. Blocks below the
 * threshold are estimates, in records of their own. */
struct mem_site {
	struct mem_record record;
	uint32_t path, kind; /* enum mem_object_kind */
	uint32_t is_small;   /* an estimate from blocks below the threshold */
	uint32_t unused;
	uint64_t time;
	uint64_t blocks, bytes;             /* allocated, ever */
	uint64_t freed_blocks, freed_bytes; /* live: the difference */
	uint64_t least, most;               /* bytes of a block */
	uint64_t peak_bytes; /* live here when the heap was largest */
};

/* The sum over all sites of MEM_OBJECT_HEAP, estimates included. */
struct mem_heap {
	struct mem_record record;
	uint64_t time;
	uint64_t live_bytes, live_blocks;
	uint64_t mapped_bytes; /* of MEM_OBJECT_MAP */
	uint64_t peak_bytes, peak_time;
};

struct mem_end {
	struct mem_record record;
	uint64_t time;
};

/* A module's TLS block of a thread that is not in static TLS: the C library
 * allocated it when it was first used, so it lies in an object. */
struct mem_local {
	struct mem_record record;
	int32_t tid;
	uint32_t module;
	uint64_t time; /* it was there then */
	uint64_t lo;
};

enum mem_access {
	MEM_ACCESS_NONE, /* of a time event: not asked for */
	MEM_ACCESS_LOAD, /* op of the instruction at ip */
	MEM_ACCESS_STORE,
	MEM_ACCESS_MODIFY,  /* both */
	MEM_ACCESS_FAULT,   /* page fault; count pages, the first at address */
	MEM_ACCESS_COMPUTE, /* ip touches no memory: no address */
	MEM_ACCESS_AMBIGUOUS, /* it may not have been ip: no address */
	MEM_ACCESS_LOST,      /* ip touches memory, the address is gone */
	MEM_ACCESS_PREFETCH,  /* hardware events only */
	MEM_ACCESS_HAND, /* ip loads what is at hand: no wait, no address */
};

/* How the address is known. */
enum mem_derived {
	MEM_DERIVED_NOT,      /* there is none */
	MEM_DERIVED_EVENT,    /* the kernel or the hardware said so */
	MEM_DERIVED_OPERAND,  /* from the operand and the saved registers */
	MEM_DERIVED_NEXT,     /* of the same instruction's next round */
	MEM_DERIVED_RELOADED, /* the base register was loaded again */
};

struct mem_sample {
	struct mem_record record;
	uint64_t time;
	uint64_t address; /* 0 with MEM_PLACE_NONE */
	uint64_t ip;      /* of the instruction to blame */
	uint32_t path;    /* callers of ip's function */
	uint32_t ref;     /* by place */
	uint16_t event;
	uint8_t place;     /* enum mem_place */
	uint8_t access;    /* enum mem_access */
	uint8_t derived;   /* enum mem_derived */
	uint8_t skid;      /* the interrupted address was ip + skid; 0, too, if
	                    * ip was a jump from far */
	uint16_t cpu;      /* 0xffff: not known */
	uint64_t period;   /* of this event: ns or faults that one count is */
	uint32_t count;    /* 1 + timer overruns, or pages of a run of faults */
	uint32_t weight;   /* latency in cycles, hardware events only, else 0 */
	uint64_t data_src; /* perf_mem_data_src, hardware events only, else 0 */
};

enum mem_lost {
	MEM_LOST_RING = 1, /* samples: the kernel's ring was full */
	MEM_LOST_THROTTLE, /* times that the kernel held an event back */
	MEM_LOST_TOOL,     /* samples within the recorder itself */
	MEM_LOST_THREAD,   /* threads that no source could be made for */
	MEM_LOST_NESTED,   /* allocations in a handler amid another one */
	MEM_LOST_MEMORY,   /* allocations that the index had no room for */
	MEM_LOST_PATH,     /* call paths that could not be walked at all */
	MEM_LOST_WRITE,    /* bytes of records that could not be written */
	MEM_LOST_TABLE,    /* call paths that the table had no room for */
	MEM_LOST_SHORT,    /* ms of CPU time of threads that could have none */
};

struct mem_loss {
	struct mem_record record;
	uint32_t kind;        /* enum mem_lost */
	uint32_t error;       /* errno, where there was one */
	uint64_t time, count; /* so far */
};

static_assert(sizeof(struct mem_head) == 64, "head changed");
static_assert(sizeof(struct mem_record) == 8, "record changed");
static_assert(sizeof(struct mem_event) == 72, "event changed");
static_assert(sizeof(struct mem_setup) == 48, "setup changed");
static_assert(sizeof(struct mem_module) == 104, "module changed");
static_assert(sizeof(struct mem_region) == 56, "region changed");
static_assert(sizeof(struct mem_thread) == 112, "thread changed");
static_assert(sizeof(struct mem_object) == 64, "object changed");
static_assert(sizeof(struct mem_site) == 88, "site changed");
static_assert(sizeof(struct mem_sample) == 72, "sample changed");

/* Of n bytes, n a multiple of 8: any changed bit changes it. */
static inline uint64_t
mem_check(const void *bytes, size_t n, uint64_t seed)
{
	uint64_t h = seed ^ 0x9e3779b97f4a7c15u;

	for (size_t i = 0; i < n; i += 8) {
		uint64_t word;

		memcpy(&word, (const char *)bytes + i, 8);
		h = (h ^ word) * 0xff51afd7ed558ccdu;
		h ^= h >> 32;
	}
	return h;
}

/* The check of a record: of what follows its header, size and type. */
static inline uint32_t
mem_record_check(const struct mem_record *r)
{
	return (uint32_t)mem_check((const char *)r + sizeof(*r),
		r->size - sizeof(*r), r->size | (uint64_t)r->type << 16);
}

/* Is there a whole, undamaged record within these bytes (aligned to 8)? */
static inline bool
mem_is_whole(const void *bytes, size_t n)
{
	struct mem_record r;

	if (n < sizeof(r))
		return false;
	memcpy(&r, bytes, sizeof(r));
	return r.size >= sizeof(r) && r.size % 8 == 0 && r.size <= n &&
		mem_record_check(bytes) == r.check;
}

#endif
