/* SPDX-License-Identifier: MIT */
/* Prints a line for each record: byte offset, type, members. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/mem/mem.h"
#include "mem/db/memfile.h"

static const char *const locations[MEM_PLACES] = { "none", "object", "freed",
	"stack", "tls", "module", "small", "anon", "file", "shared", "vdso",
	"kernel", "tool", "unknown", "mixed" };
static const char *const accesses[] = { "none", "load", "store", "modify",
	"fault", "compute", "ambiguous", "lost", "prefetch", "hand" };
static const char *const deriveds[] = { "not", "event", "operand", "next",
	"reloaded" };
static const char *const losses[] = { "?", "ring", "throttle", "tool", "thread",
	"nested", "memory", "path", "write", "table", "short" };
static const char *const objects[] = { "?", "heap", "map", "break", "pool" };

#define WORD(words, i) \
	((size_t)(i) < sizeof(words) / sizeof((words)[0]) ? (words)[i] : "?")

/* Prints a text that may lack a terminating 0 and may contain control
 * characters. */
static void
put_text(struct arena *a, const char *name, const char *text, size_t n)
{
	printf(" %s=\"%s\"", name,
		text_disarm(arena_strndup(a, text, strnlen(text, n))));
}

static void
put_event(struct arena *a, const struct mem_event *e)
{
	printf("EVENT event=%" PRIu32, e->event);
	put_text(a, "name", e->name, sizeof e->name);
	printf(" kind=%" PRIu32 " source=%" PRIu32 " error=%" PRIu32
	       " period=%" PRIu64 " real=%" PRIu64,
		e->kind, e->source, e->error, e->period, e->real);
}

static void
put_setup(const struct mem_setup *s)
{
	printf("SETUP min_bytes=%" PRIu64 " small_bytes=%" PRIu64
	       " skid=%" PRIu32 " hits=%" PRIu32 "/%" PRIu32
	       " unwinder=%" PRIu32 " stack_bytes=%" PRIu64,
		s->min_bytes, s->small_bytes, s->skid, s->skid_hits,
		s->skid_tried, s->unwinder, s->stack_bytes);
}

static void
put_module(struct arena *a, const struct mem_module *m)
{
	printf("MODULE module=%" PRIu32 " epoch=%" PRIu32 " time=%" PRIu64
	       " bias=0x%" PRIx64 " lo=0x%" PRIx64 " hi=0x%" PRIx64
	       " tls=%" PRIu64 " below=%" PRIu64 " build=",
		m->module, m->epoch, m->time, m->bias, m->lo, m->hi, m->tls,
		m->tls_below);
	for (uint32_t i = 0; i < m->build_bytes; i++)
		printf("%02x", m->build[i]);
	put_text(a, "path", m->path, m->path_bytes);
}

static void
put_region(struct arena *a, const struct mem_region *r)
{
	printf("REGION region=%" PRIu32 " place=%s time=%" PRIu64
	       " lo=0x%" PRIx64 " hi=0x%" PRIx64 " offset=%" PRIu64
	       " protection=%" PRIu32,
		r->region, WORD(locations, r->area), r->time, r->lo, r->hi,
		r->offset, r->protection);
	put_text(a, "name", r->name, r->bytes);
}

static void
put_local(const struct mem_local *l)
{
	printf("LOCAL tid=%" PRId32 " module=%" PRIu32 " time=%" PRIu64
	       " lo=0x%" PRIx64,
		l->tid, l->module, l->time, l->lo);
}

static void
put_thread(struct arena *a, const struct mem_thread *t)
{
	printf("THREAD tid=%" PRId32 " main=%" PRIu32 " time=%" PRIu64
	       " stack=0x%" PRIx64 "-0x%" PRIx64 " tls=0x%" PRIx64 "-0x%" PRIx64
	       " pointer=0x%" PRIx64,
		t->tid, t->is_main, t->time, t->stack_lo, t->stack_hi,
		t->tls_lo, t->tls_hi, t->pointer);
	put_text(a, "name", t->name, sizeof t->name);
	put_text(a, "file", t->file, sizeof t->file);
}

static void
put_path(const struct mem_path *p)
{
	printf("PATH path=%" PRIu32 " epoch=%" PRIu32 " flags=%" PRIu32 " at=",
		p->path, p->epoch, p->flags);
	for (uint32_t i = 0; i < p->n; i++)
		printf("%s0x%" PRIx64, i > 0 ? "," : "", p->address[i]);
}

static void
put_object(const struct mem_object *o)
{
	printf("OBJECT object=%" PRIu32 " path=%" PRIu32 " lo=0x%" PRIx64
	       " size=%" PRIu64 " born=%" PRIu64 " died=%" PRIu64
	       " tid=%" PRId32 " kind=%s weight=%g",
		o->object, o->path, o->lo, o->size, o->born, o->died, o->tid,
		WORD(objects, o->kind), o->weight);
}

static void
put_site(const struct mem_site *s)
{
	printf("SITE path=%" PRIu32 " kind=%s small=%" PRIu32 " time=%" PRIu64
	       " blocks=%" PRIu64 " bytes=%" PRIu64 " freed_blocks=%" PRIu64
	       " freed_bytes=%" PRIu64 " least=%" PRIu64 " most=%" PRIu64
	       " peak_bytes=%" PRIu64,
		s->path, WORD(objects, s->kind), s->is_small, s->time,
		s->blocks, s->bytes, s->freed_blocks, s->freed_bytes, s->least,
		s->most, s->peak_bytes);
}

static void
put_heap(const struct mem_heap *h)
{
	printf("HEAP time=%" PRIu64 " live_bytes=%" PRIu64
	       " live_blocks=%" PRIu64 " mapped_bytes=%" PRIu64
	       " peak_bytes=%" PRIu64 " peak_time=%" PRIu64,
		h->time, h->live_bytes, h->live_blocks, h->mapped_bytes,
		h->peak_bytes, h->peak_time);
}

static void
put_frame(const struct mem_frame *f)
{
	printf("FRAME ip=%016" PRIx64 " offset=%" PRId64 " inner=%016" PRIx64
	       " inner_offset=%" PRId64 " depth=%" PRIu32,
		f->ip, f->offset, f->inner, f->inner_offset, f->depth);
}

static void
put_sample(const struct mem_sample *s)
{
	printf("SAMPLE time=%" PRIu64 " event=%u address=0x%" PRIx64
	       " ip=0x%" PRIx64 " path=%" PRIu32 " place=%s ref=%" PRIu32
	       " access=%s derived=%s skid=%u cpu=%u period=%" PRIu64
	       " count=%" PRIu32 " weight=%" PRIu32 " data_src=0x%" PRIx64,
		s->time, s->event, s->address, s->ip, s->path,
		WORD(locations, s->area), s->ref, WORD(accesses, s->access),
		WORD(deriveds, s->derived), s->skid, s->cpu, s->period,
		s->count, s->weight, s->data_src);
}

static void
put_loss(const struct mem_loss *l)
{
	printf("LOSS kind=%s error=%" PRIu32 " time=%" PRIu64 " count=%" PRIu64,
		WORD(losses, l->kind), l->error, l->time, l->count);
}

/* Prints records of things that are added and removed. */
static void
put_more(struct arena *a, const struct mem_record *r)
{
	const struct mem_text *t = (const void *)r;
	const struct mem_unload *u = (const void *)r;
	const struct mem_object_name *n = (const void *)r;
	const struct mem_thread_end *e = (const void *)r;

	switch (r->type) {
	case MEM_TEXT:
		printf("TEXT key=%" PRIu32, t->key);
		put_text(a, "text", t->text, t->bytes);
		break;
	case MEM_UNLOAD:
		printf("UNLOAD module=%" PRIu32 " epoch=%" PRIu32
		       " time=%" PRIu64,
			u->module, u->epoch, u->time);
		break;
	case MEM_LOCAL:
		put_local((const void *)r);
		break;
	case MEM_OBJECT_NAME:
		printf("OBJECT_NAME object=%" PRIu32, n->object);
		put_text(a, "text", n->text, n->bytes);
		break;
	case MEM_THREAD_END:
		printf("THREAD_END tid=%" PRId32 " time=%" PRIu64
		       " cpu=%" PRIu64,
			e->tid, e->time, e->cpu);
		break;
	case MEM_END:
		printf("END time=%" PRIu64, ((const struct mem_end *)r)->time);
		break;
	default:
		break;
	}
}

static void
put_record(struct arena *a, const struct mem_record *r)
{
	switch (r->type) {
	case MEM_EVENT:
		put_event(a, (const void *)r);
		break;
	case MEM_SETUP:
		put_setup((const void *)r);
		break;
	case MEM_MODULE:
		put_module(a, (const void *)r);
		break;
	case MEM_REGION:
		put_region(a, (const void *)r);
		break;
	case MEM_THREAD:
		put_thread(a, (const void *)r);
		break;
	case MEM_PATH:
		put_path((const void *)r);
		break;
	case MEM_OBJECT:
		put_object((const void *)r);
		break;
	case MEM_SITE:
		put_site((const void *)r);
		break;
	case MEM_HEAP:
		put_heap((const void *)r);
		break;
	case MEM_FRAME:
		put_frame((const void *)r);
		break;
	case MEM_SAMPLE:
		put_sample((const void *)r);
		break;
	case MEM_LOSS:
		put_loss((const void *)r);
		break;
	default:
		put_more(a, r);
		break;
	}
}

enum exit_code
mem_dump_file(struct arena *a, const char *path)
{
	struct mem_findings findings = { .arena = a };
	struct arena scratch = { 0 };
	const struct mem_record *r;
	struct memfile f;

	if (memfile_open(&f, a, path, 0, &findings)) {
		printf("%8d HEAD file=%s pid=%" PRId32 " tid=%" PRId32
		       " image=%016" PRIx64 " time=%" PRIu64 " page=%" PRIu32
		       " parent=%" PRIu32 "\n",
			0,
			f.head.file == MEM_FILE_THREAD ? "thread" : "process",
			f.head.pid, f.head.tid, f.head.image, f.head.time,
			f.head.page, f.head.parent);
		while ((r = memfile_next(&f)) != NULL) {
			printf("%8zu ", (size_t)((const char *)r - f.data));
			put_record(&scratch, r);
			putchar('\n');
			arena_reset(&scratch);
		}
	}
	arena_fini(&scratch);
	for (int i = 0; i < findings.list.n; i++)
		log_error("%s: byte %" PRIu64 ": %s", path,
			findings.list.at[i].at, findings.list.at[i].text);
	return findings.n > 0 ? EXIT_NO : EXIT_YES;
}
