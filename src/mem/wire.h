/* SPDX-License-Identifier: MIT */
/*
 * wire.h - the files of a memory measurement, byte by byte.
 *
 * A program image (exec makes a new one) has a directory with process.mem and a
 * file for each thread. A file consists of a struct mem_head and records, and
 * is only ever appended to: the file of a killed program is intact up to its
 * last whole record. Nothing is rewritten. Where a later record replaces an
 * earlier record, a comment at enum mem_type says so. All numbers are little
 * endian and aligned to 8.
 *
 *	for (at = sizeof(struct mem_head); ; at += record.size)
 *		if (!mem_is_whole(bytes + at, end - at))
 *			break;  or continue 8 bytes later: damage is local
 *
 * The recorder looks up objects while it records, so a sample names the object
 * that it touched (area and ref). Only static variables are looked up
 * afterwards, by address in the module. A record that a sample names has been
 * written to process.mem before the sample. docs/dev/mem-format.md describes
 * the format in prose.
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

/* A file beside the directories. Each line is the path of a program that was
 * not recorded because it has a sanitizer. */
#define MEM_LEFT_OUT "left-out"

/* Another file beside the directories: the first image writes the result of its
 * self-test, which all later images read. Decimal numbers: enum mem_source,
 * enum mem_skid, hits before, hits at, tries. */
#define MEM_SELF_TEST "self-test"

enum mem_file { MEM_FILE_PROCESS = 1, MEM_FILE_THREAD = 2 };

/* The beginning of a file. check is mem_check() of the bytes before it. */
struct mem_head {
	char magic[8];
	uint32_t version;
	uint32_t file; /* enum mem_file */
	int32_t pid, tid;
	uint64_t image;    /* random; the same in all files of one image */
	uint64_t time;     /* CLOCK_MONOTONIC, ns, as are all times */
	uint64_t realtime; /* CLOCK_REALTIME at `time`, ns */
	uint32_t parent;   /* PID of the parent process */
	uint32_t page;     /* bytes of a page */
	uint64_t check;
};

/* The beginning of every record. size includes this header and the padding to
 * 8. */
struct mem_record {
	uint16_t size;
	uint16_t type; /* enum mem_type */
	uint32_t check;
};

enum mem_type {
	/* in process.mem */
	MEM_EVENT = 1,   /* struct mem_event */
	MEM_SETUP,       /* struct mem_setup; the last one is valid */
	MEM_TEXT,        /* struct mem_text */
	MEM_MODULE,      /* struct mem_module */
	MEM_UNLOAD,      /* struct mem_unload */
	MEM_REGION,      /* struct mem_region */
	MEM_THREAD,      /* struct mem_thread */
	MEM_THREAD_END,  /* struct mem_thread_end */
	MEM_PATH,        /* struct mem_path */
	MEM_OBJECT,      /* struct mem_object */
	MEM_OBJECT_NAME, /* struct mem_object_name; the last one is valid */
	MEM_SITE,        /* struct mem_site; the last one of a site is valid */
	MEM_HEAP,        /* struct mem_heap */
	MEM_END,         /* struct mem_end; absent: killed, or exec */
	MEM_LOCAL,       /* struct mem_local */
	/* in the file of a thread */
	MEM_SAMPLE = 32, /* struct mem_sample */
	MEM_FRAME,       /* struct mem_frame; of the sample behind it */
	/* in both */
	MEM_LOSS = 64, /* struct mem_loss; the last one of a kind is valid */
};

/* What is sampled. Each kind is measured by one source only. */
enum mem_event_kind {
	MEM_EVENT_TIME = 1,  /* -e time: charges code only */
	MEM_EVENT_DATA = 2,  /* -e datacentric: time, by data and code */
	MEM_EVENT_FAULT = 3, /* page faults */
	MEM_EVENT_LOAD = 4,  /* hardware, or replayed from a recording */
	MEM_EVENT_STORE = 5,
	MEM_EVENT_MEMORY = 6, /* loads and stores */
	MEM_EVENT_CODE = 7,   /* an event of perf record without addresses:
	                       * charges code only */
};

enum mem_source {
	MEM_SOURCE_NONE,  /* not measured; `error` says why, 0: the program
	                   * ended before sampling began */
	MEM_SOURCE_RING,  /* perf ring */
	MEM_SOURCE_TIMER, /* a POSIX timer for each thread */
	MEM_SOURCE_PERF,  /* a file of `perf record`; never written by weft */
};

struct mem_event {
	struct mem_record record;
	uint32_t event;  /* the number by which samples name the event */
	uint32_t kind;   /* enum mem_event_kind */
	uint32_t source; /* enum mem_source */
	uint32_t error;  /* errno of the preferred source if that was
	                  * refused, else 0 */
	uint64_t period; /* as requested: ns, or number of faults */
	uint64_t real;   /* the source's actual step: ns of a clock tick, or
	                  * period */
	char name[32];   /* "DATACENTRIC", "FAULTS", "TIME" */
};

/* How reliably the instruction before the interrupted one caused the sample,
 * according to a self-test; MEM_SKID_UNKNOWN if the self-test failed. */
enum mem_skid {
	MEM_SKID_UNTRIED,
	MEM_SKID_UNKNOWN,
	MEM_SKID_ONE,
	MEM_SKID_NONE
};

struct mem_setup {
	struct mem_record record;
	uint64_t min_bytes;   /* all blocks of at least this size are tracked */
	uint64_t small_bytes; /* smaller blocks are sampled once in so many
	                       * bytes; 0: never */
	uint32_t skid;        /* enum mem_skid */
	uint32_t skid_hits;   /* samples of the self-test that agreed */
	uint32_t skid_tried;  /* samples of the self-test */
	uint32_t unwinder;    /* 0: none, 1: .eh_frame */
	uint64_t stack_bytes; /* bytes of the stack that unwinding a sample
	                       * may read */
};

enum mem_key {
	MEM_KEY_VERSION = 1, /* version of Weft */
	MEM_KEY_PROGRAM,     /* path */
	MEM_KEY_ARGUMENT,    /* one record for each argument, in order */
	MEM_KEY_HOST,        /* kernel and machine */
	MEM_KEY_NOTE,        /* advice for the user */
	MEM_KEY_RANK,        /* MPI rank in decimal; absent: no MPI */
	MEM_KEY_NODE,        /* name of the machine in its network */
};

struct mem_text {
	struct mem_record record;
	uint32_t key, bytes; /* bytes: length of text without padding */
	char text[];
};

/* A file that the loader mapped. Its memory addresses are the file's addresses
 * + bias. */
struct mem_module {
	struct mem_record record;
	uint32_t module; /* number, never reused */
	uint32_t epoch;  /* call paths of this and later epochs may lie in it */
	uint64_t time;   /* time at which the recorder first saw it */
	uint64_t bias, lo, hi;
	uint64_t tls;         /* number of its TLS block, 0: none */
	uint64_t tls_below;   /* bytes from the beginning of the block up to the
	                       * thread's pointer, for every thread; 0: not in
	                       * static TLS */
	uint32_t build_bytes; /* bytes of the build id, 0 to 32 */
	uint32_t path_bytes;
	uint8_t build[32];
	char path[]; /* "[vdso]" for the kernel's vDSO */
};

struct mem_unload {
	struct mem_record record;
	uint32_t module, epoch; /* call paths of this and later epochs do not
	                         * lie in it */
	uint64_t time;
};

/* The kind of memory that an address belongs to. The numbers are fixed. ref is
 * 0 unless stated. */
enum mem_area {
	MEM_AREA_NONE,    /* no address: the sample concerns code only */
	MEM_AREA_OBJECT,  /* ref: object that was allocated at that time */
	MEM_AREA_FREED,   /* ref: object that had been freed */
	MEM_AREA_STACK,   /* ref: TID of the stack's thread */
	MEM_AREA_TLS,     /* ref: TID of the thread */
	MEM_AREA_MODULE,  /* ref: module; its .data, .bss, .rodata or code */
	MEM_AREA_SMALL,   /* a heap block that is not tracked, below the
	                   * threshold; ref: 0, or an object that the block
	                   * resembles */
	MEM_AREA_ANON,    /* ref: region; anonymous mapping */
	MEM_AREA_FILE,    /* ref: region; mapped file */
	MEM_AREA_SHARED,  /* ref: region; shared memory */
	MEM_AREA_VDSO,    /* vdso, vvar */
	MEM_AREA_KERNEL,  /* the upper half of the address space */
	MEM_AREA_TOOL,    /* memory of the recorder */
	MEM_AREA_UNKNOWN, /* none of these */
	MEM_AREA_MIXED,   /* like MEM_AREA_SMALL with ref, but blocks of other
	                   * sites are as near and as large */
	MEM_PLACES
};

/* A mapping, as it was when an address in it was looked up. */
struct mem_region {
	struct mem_record record;
	uint32_t region, area; /* enum mem_area */
	uint64_t time, lo, hi;
	uint64_t offset;     /* byte offset in the mapped file */
	uint32_t protection; /* 1 read, 2 write, 4 execute */
	uint32_t bytes;      /* length of name */
	char name[];         /* as in /proc/PID/maps */
};

struct mem_thread {
	struct mem_record record;
	int32_t tid;
	uint32_t is_main;
	uint64_t time;
	uint64_t stack_lo, stack_hi; /* 0: unknown */
	uint64_t tls_lo, tls_hi;     /* static TLS and thread block */
	uint64_t pointer;            /* the base of fs: addresses; 0: unknown */
	char name[16];
	char file[32]; /* name of the file of its samples, which is created with
	                * the first sample */
};

struct mem_thread_end {
	struct mem_record record;
	int32_t tid;
	uint32_t unused;
	uint64_t time;
	uint64_t cpu; /* ns of CPU time used; 0: unknown */
};

/* Return addresses, innermost first. A call ends right before its return
 * address: look up address - 1. */
enum { MEM_PATH_CUT = 1 }; /* the outer frames are missing */

struct mem_path {
	struct mem_record record;
	uint32_t path;  /* number; 0 is the empty path, which is not written */
	uint32_t epoch; /* epoch of the module map */
	uint32_t n, flags;
	uint64_t address[];
};

enum mem_object_kind {
	MEM_OBJECT_HEAP = 1, /* malloc and its family */
	MEM_OBJECT_MAP,      /* mmap, mremap */
	MEM_OBJECT_BREAK,    /* brk, sbrk by the program */
	MEM_OBJECT_POOL,     /* weft_mem_register */
};

/* An allocated block. Written when, for the first time, a sample hits the block
 * or a block that resembles it. */
struct mem_object {
	struct mem_record record;
	uint32_t object; /* number */
	uint32_t path;   /* allocation path; 0: allocated before recording
	                  * began */
	uint64_t lo, size;
	uint64_t born, died; /* died 0: not freed when the record was written */
	int32_t tid;         /* the allocating thread */
	uint32_t kind;       /* enum mem_object_kind */
	double weight; /* number of blocks that it represents; 1 for blocks of
	                * at least min_bytes */
};

struct mem_object_name {
	struct mem_record record;
	uint32_t object, bytes;
	char text[];
};

/* The totals so far of all blocks of one kind that one path allocated. Blocks
 * below the threshold are estimates and have records of their own. */
struct mem_site {
	struct mem_record record;
	uint32_t path, kind; /* enum mem_object_kind */
	uint32_t is_small;   /* an estimate from blocks below the threshold */
	uint32_t unused;
	uint64_t time;
	uint64_t blocks, bytes;             /* allocated so far */
	uint64_t freed_blocks, freed_bytes; /* freed so far; allocated minus
	                                     * freed is live */
	uint64_t least, most;               /* bytes of a block */
	uint64_t peak_bytes; /* live bytes of this site when the heap was
	                      * largest */
};

/* The sum of all sites of MEM_OBJECT_HEAP, including estimates. */
struct mem_heap {
	struct mem_record record;
	uint64_t time;
	uint64_t live_bytes, live_blocks;
	uint64_t mapped_bytes; /* bytes of MEM_OBJECT_MAP */
	uint64_t peak_bytes, peak_time;
};

struct mem_end {
	struct mem_record record;
	uint64_t time;
};

/* The TLS block of a module and thread that is not in static TLS. The C library
 * allocates such a block at its first use, so it lies in an object. */
struct mem_local {
	struct mem_record record;
	int32_t tid;
	uint32_t module;
	uint64_t time; /* when the block was seen */
	uint64_t lo;
};

enum mem_access {
	MEM_ACCESS_NONE, /* a time event: not determined */
	MEM_ACCESS_LOAD, /* the operation of the instruction at ip */
	MEM_ACCESS_STORE,
	MEM_ACCESS_MODIFY,    /* load and store */
	MEM_ACCESS_FAULT,     /* page fault; count: number of pages;
	                       * address: address of the first page */
	MEM_ACCESS_COMPUTE,   /* ip does not touch memory: no address */
	MEM_ACCESS_AMBIGUOUS, /* ip may not be the cause: no address */
	MEM_ACCESS_LOST,      /* ip touches memory, but the address is
	                       * unknown */
	MEM_ACCESS_PREFETCH,  /* hardware events only */
	MEM_ACCESS_HAND,      /* ip loads a value without waiting for memory:
	                       * no address */
};

/* How the address was determined. */
enum mem_derived {
	MEM_DERIVED_NOT,     /* no address */
	MEM_DERIVED_EVENT,   /* reported by the kernel or the hardware */
	MEM_DERIVED_OPERAND, /* computed from the operand and the saved
	                      * registers */
	MEM_DERIVED_NEXT, /* the address that the same instruction uses in its
	                   * next iteration */
	MEM_DERIVED_RELOADED, /* the base register was loaded again from
	                       * memory */
};

struct mem_sample {
	struct mem_record record;
	uint64_t time;
	uint64_t address; /* 0 with MEM_AREA_NONE */
	uint64_t ip;   /* address of the instruction that caused the sample */
	uint32_t path; /* callers of ip's function */
	uint32_t ref;  /* depends on area */
	uint16_t event;
	uint8_t area;      /* enum mem_area */
	uint8_t access;    /* enum mem_access */
	uint8_t derived;   /* enum mem_derived */
	uint8_t skid;      /* the interrupted address was ip + skid; 0 also
	                    * if ip was a distant jump */
	uint16_t cpu;      /* 0xffff: unknown */
	uint64_t period;   /* ns or faults that each count represents */
	uint32_t count;    /* 1 + timer overruns, or pages of consecutive
	                    * faults */
	uint32_t weight;   /* latency in cycles; 0 for events that are not
	                    * hardware events */
	uint64_t data_src; /* perf_mem_data_src; 0 for events that are not
	                    * hardware events */
};

/*
 * The stack frame that a sample's address lies in: a sample in the thread's own
 * stack has this record right before it, if the frame was found. A position is
 * the distance from the frame's canonical frame address (CFA), the stack
 * pointer before the call that made the frame. Arguments that a caller pushed
 * lie in its own frame, but compilers describe them as variables of the callee.
 */
struct mem_frame {
	struct mem_record record;
	uint64_t ip;    /* an instruction of the frame's function: the sample's,
	                 * or the call that made the next frame */
	int64_t offset; /* address - CFA; negative */
	uint64_t inner; /* the same for the frame that the function called; 0:
	                 * none */
	int64_t inner_offset; /* address - CFA of that frame; not negative */
	uint32_t depth;       /* frames between the sample's and this one */
	uint32_t unused;
};

enum mem_lost {
	MEM_LOST_RING = 1, /* samples lost because the perf ring was full */
	MEM_LOST_THROTTLE, /* how often the kernel throttled an event */
	MEM_LOST_TOOL,     /* samples inside the recorder itself */
	MEM_LOST_THREAD,   /* threads for which no source could be opened */
	MEM_LOST_NESTED,   /* allocations in a signal handler during another
	                    * allocation */
	MEM_LOST_MEMORY,   /* allocations for which the index had no room */
	MEM_LOST_PATH,     /* call paths that could not be unwound at all */
	MEM_LOST_WRITE,    /* bytes of records that could not be written */
	MEM_LOST_TABLE,    /* call paths for which the table had no room */
	MEM_LOST_SHORT,    /* ms of CPU time of threads that could not be
	                    * sampled */
};

struct mem_loss {
	struct mem_record record;
	uint32_t kind;        /* enum mem_lost */
	uint32_t error;       /* errno, or 0 */
	uint64_t time, count; /* count: total so far */
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
static_assert(sizeof(struct mem_frame) == 48, "frame changed");

/* Returns a checksum of n bytes, n a multiple of 8. Any changed bit changes
 * it. */
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

/* Returns the checksum of a record's size, its type and the bytes after its
 * header. */
static inline uint32_t
mem_record_check(const struct mem_record *r)
{
	return (uint32_t)mem_check((const char *)r + sizeof(*r),
		r->size - sizeof(*r), r->size | (uint64_t)r->type << 16);
}

/* Returns true if the bytes (aligned to 8) begin with a whole, undamaged
 * record. */
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
