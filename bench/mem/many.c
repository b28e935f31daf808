/* SPDX-License-Identifier: MIT */
/*
 * many DIR PROFILES OBJECTS SAMPLES - writes measurements of so many processes,
 * each with so many blocks of different call paths, and samples in turn on the
 * blocks. The programs are those of MPI ranks: all have the same variables, at
 * other addresses.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mem/wire.h"

#define FRAMES 4
#define TID(i) (1000 + (i))

struct file {
	char *data;
	size_t size, room;
};

static void
append(struct file *f, const void *data, size_t size)
{
	while (f->size + size > f->room) {
		f->room = f->room * 2 + 4096;
		f->data = realloc(f->data, f->room);
		if (f->data == NULL)
			abort();
	}
	memcpy(f->data + f->size, data, size);
	f->size += size;
}

static void
begin(struct file *f, uint32_t kind, int i)
{
	struct mem_head h = { .version = MEM_VERSION,
		.file = kind,
		.pid = TID(i),
		.tid = TID(i),
		.image = (uint64_t)i * 0x9e3779b97f4a7c15u + 1,
		.time = 1000000000,
		.realtime = 1700000000000000000u + (uint64_t)i,
		.page = 4096 };

	memcpy(h.magic, MEM_MAGIC, sizeof h.magic);
	h.check = mem_check(&h, offsetof(struct mem_head, check), 0);
	f->size = 0;
	append(f, &h, sizeof h);
}

/* Appends a record, with `more` bytes behind its struct. */
static void
add(struct file *f, uint16_t type, void *record, size_t size, const void *more,
	size_t bytes)
{
	static _Alignas(8) char whole[4096];
	struct mem_record *r = (void *)whole;
	size_t all = (size + bytes + 7) & ~(size_t)7;

	memset(whole, 0, all);
	memcpy(whole, record, size);
	if (bytes > 0)
		memcpy(whole + size, more, bytes);
	r->size = (uint16_t)all;
	r->type = type;
	r->check = mem_record_check(r);
	append(f, whole, all);
}

static void
add_text(struct file *f, uint32_t key, const char *text)
{
	struct mem_text t = { .key = key, .bytes = (uint32_t)strlen(text) };

	add(f, MEM_TEXT, &t, sizeof t, text, strlen(text));
}

static void
add_setup(struct file *f, int i)
{
	static const char path[] = "/nowhere/prog";
	uint64_t bias = 0x550000000000u + (uint64_t)i * 0x1000;
	struct mem_event e = { .event = 1,
		.kind = MEM_EVENT_DATA,
		.source = MEM_SOURCE_RING,
		.period = 1000000,
		.real = 1000000,
		.name = "DATACENTRIC" };
	struct mem_setup s = { .min_bytes = 1024, .skid = MEM_SKID_ONE };
	struct mem_module m = { .module = 1,
		.bias = bias,
		.lo = bias,
		.hi = bias + (1u << 30),
		.path_bytes = sizeof path - 1 };
	struct mem_thread t = { .tid = TID(i), .is_main = 1, .name = "prog" };
	char text[32];

	add(f, MEM_EVENT, &e, sizeof e, NULL, 0);
	add(f, MEM_SETUP, &s, sizeof s, NULL, 0);
	add_text(f, MEM_KEY_PROGRAM, path);
	add_text(f, MEM_KEY_ARGUMENT, "prog");
	snprintf(text, sizeof text, "%d", i);
	add_text(f, MEM_KEY_RANK, text);
	snprintf(text, sizeof text, "node%d", i / 64);
	add_text(f, MEM_KEY_NODE, text);
	add(f, MEM_MODULE, &m, sizeof m, path, sizeof path - 1);
	snprintf(t.file, sizeof t.file, "thread.mem");
	add(f, MEM_THREAD, &t, sizeof t, NULL, 0);
}

static void
add_object(struct file *f, int i, uint32_t n)
{
	uint64_t bias = 0x550000000000u + (uint64_t)i * 0x1000;
	uint64_t at[FRAMES] = { bias + 0x10000 + n * 64, bias + 0x9000,
		bias + 0x8000, bias + 0x7000 };
	struct mem_path p = { .path = n, .n = FRAMES };
	struct mem_object o = { .object = n,
		.path = n,
		.lo = 0x7f0000000000u + (uint64_t)n * 0x10000,
		.size = 8192,
		.tid = TID(i),
		.kind = MEM_OBJECT_HEAP,
		.weight = 1 };
	struct mem_site s = { .path = n,
		.kind = MEM_OBJECT_HEAP,
		.blocks = 3,
		.bytes = 3 * 8192,
		.least = 8192,
		.most = 8192,
		.peak_bytes = 8192 };

	add(f, MEM_PATH, &p, sizeof p, at, sizeof at);
	add(f, MEM_OBJECT, &o, sizeof o, NULL, 0);
	add(f, MEM_SITE, &s, sizeof s, NULL, 0);
}

static void
add_sample(struct file *f, int i, uint32_t objects, uint32_t n)
{
	uint64_t bias = 0x550000000000u + (uint64_t)i * 0x1000;
	uint32_t object = n % objects + 1;
	struct mem_sample s = { .time = 1000000000 + (uint64_t)n * 1000000,
		.address = 0x7f0000000000u + (uint64_t)object * 0x10000,
		.ip = bias + 0x100000 + n % 64 * 16,
		.path = n % 16 + 1,
		.ref = object,
		.event = 1,
		.area = MEM_AREA_OBJECT,
		.access = MEM_ACCESS_LOAD,
		.derived = MEM_DERIVED_OPERAND,
		.period = 1000000,
		.count = 1 };

	add(f, MEM_SAMPLE, &s, sizeof s, NULL, 0);
}

static void
save(const struct file *f, const char *dir, int i, const char *name)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof path, "%s/%d-0", dir, i);
	mkdir(path, 0777);
	snprintf(path, sizeof path, "%s/%d-0/%s", dir, i, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0 || write(fd, f->data, f->size) != (ssize_t)f->size) {
		perror(path);
		exit(3);
	}
	close(fd);
}

int
main(int argc, char *argv[])
{
	struct file f = { 0 };
	int profiles = argc == 5 ? atoi(argv[2]) : 0;
	uint32_t objects = argc == 5 ? (uint32_t)atoi(argv[3]) : 0;
	uint32_t samples = argc == 5 ? (uint32_t)atoi(argv[4]) : 0;

	if (profiles <= 0 || objects == 0) {
		fprintf(stderr, "usage: many DIR PROFILES OBJECTS SAMPLES\n");
		return 2;
	}
	for (int i = 0; i < profiles; i++) {
		begin(&f, MEM_FILE_PROCESS, i);
		add_setup(&f, i);
		for (uint32_t n = 1; n <= objects; n++)
			add_object(&f, i, n);
		save(&f, argv[1], i, "process.mem");
		begin(&f, MEM_FILE_THREAD, i);
		for (uint32_t n = 0; n < samples; n++)
			add_sample(&f, i, objects, n);
		save(&f, argv[1], i, "thread.mem");
	}
	free(f.data);
	return 0;
}
