/* SPDX-License-Identifier: MIT */
/*
 * The input is the bytes after the heads of two streams of Nanos6 and one of
 * the kernel: a byte that chooses the converter, two that say how long the
 * first two are. Clocks have 16 bits and wrap around, so that nearly any bytes
 * are events. The views and the imitated converters read them.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "check_sink.h"
#include "emu/compat/compat.h"
#include "emu/emu.h"
#include "export/order.h"
#include "export/stat/stat.h"
#include "harness.h"
#include "trace/finding.h"
#include "trace/source.h"

#define HEAD \
	"/* CTF 1.8 */ typealias integer { size = 8; align = 8; } := u8;" \
	"typealias integer { size = 16; align = 8; } := u16;" \
	"typealias integer { size = 32; align = 8; } := u32;" \
	"trace { major = 1; minor = 8; byte_order = le;" \
	"packet.header := struct { u32 magic; u8 stream_id; }; };" \
	"clock { name = m; freq = 1000000000; };" \
	"typealias integer { size = 16; align = 8; map = clock.m.value; } := " \
	"t;"
#define ENV(domain) \
	"env { domain = \"" domain "\"; nanos6_trace_version = 1; pid = 7;" \
	"cpu_list = \"0,1\"; binary_name = \"prog\"; rank = \"0\"; nranks = " \
	"\"1\"; };"
#define STREAM(id, context) \
	"stream { id = " id "; packet.context := struct { u16 cpu_id; };" \
	"event.header := struct { u8 id; t time; };" context "};"
#define ONE(stream, id, name, context, fields) \
	"event { name = \"" name "\"; id = " #id "; stream_id = " stream \
	";" context " fields := struct { " fields " }; };"
#define EVENT(id, name, fields) \
	ONE("1", id, "nanos6:" name, "", fields) \
	ONE("2", id, "nanos6:" name, "", fields)
#define COUNTS(id, name, fields) \
	ONE("1", id, "nanos6:" name, \
		"context := struct { struct { u16 PAPI_TOT_INS; u8 odd; } " \
		"hwc; };", \
		fields) \
	ONE("2", id, "nanos6:" name, "", fields)

/* clang-format off */
static const char *const user[] = {
	HEAD ENV("ust") STREAM("1", "") STREAM("2",
	"event.context := struct { struct { u8 tid; } unbounded; };"),
	EVENT(0, "ctf_flush", "u16 start; u16 end;"),
	EVENT(1, "thread_create", "u8 tid;"),
	EVENT(2, "thread_resume", "u8 tid;"),
	COUNTS(3, "thread_suspend", "u8 tid;"),
	COUNTS(4, "thread_shutdown", "u8 tid;"),
	EVENT(5, "external_thread_create", "u8 tid;"),
	EVENT(6, "external_thread_resume", "u8 tid;"),
	EVENT(7, "external_thread_suspend", "u8 tid;"),
	EVENT(8, "external_thread_shutdown", "u8 tid;"),
	EVENT(9, "worker_enter_busy_wait", ""),
	EVENT(10, "worker_exit_busy_wait", ""),
	EVENT(11, "task_label", "string label; string source; u8 type;"),
	COUNTS(12, "tc:task_create_enter", "u8 type; u8 id;"),
	EVENT(13, "tc:task_create_exit", ""),
	EVENT(14, "tc:task_submit_enter", ""),
	COUNTS(15, "tc:task_submit_exit", ""),
	COUNTS(16, "task_start", "u8 id;"),
	EVENT(17, "task_block", ""),
	EVENT(18, "task_unblock", ""),
	COUNTS(19, "task_end", ""),
	EVENT(20, "taskfor_init_enter", "u8 type; u8 id;"),
	EVENT(21, "taskfor_init_exit", ""),
	EVENT(22, "scheduler_add_task_enter", ""),
	EVENT(23, "scheduler_add_task_exit", ""),
	COUNTS(24, "tc:taskwait_enter", ""),
	COUNTS(25, "tc:taskwait_exit", ""),
	EVENT(26, "oc:blocking_api_unblock_entry", ""),
	EVENT(27, "oc:blocking_api_unblock_exit", ""),
	EVENT(28, "scheduler_lock_server", "u16 ts_acquire;"),
	EVENT(29, "scheduler_lock_client", "u16 ts_acquire; u8 id;"),
	EVENT(30, "scheduler_lock_assign", "u8 id;"),
	EVENT(31, "scheduler_lock_server_exit", ""),
	EVENT(32, "debug_register", "string name; u8 id;"),
	EVENT(33, "debug_enter", "u8 id;"),
	EVENT(34, "debug_transition", "u8 id;"),
	EVENT(35, "debug_exit", ""),
	NULL,
};
static const char *const kernel[] = {
	HEAD ENV("kernel") STREAM("0", "")
	ONE("0", 0, "sched_switch", "",
	    "integer { size = 8; encoding = UTF8; } next_comm[4];"
	    "integer { size = 32; signed = true; align = 8; } next_pid;")
	ONE("0", 1, "irq_handler_entry", "", "u8 irq;")
	ONE("0", 2, "irq_handler_exit", "", "u8 irq;")
	ONE("0", 3, "softirq_entry", "", "")
	ONE("0", 4, "softirq_exit", "", "")
	ONE("0", 5, "sys_enter_read", "", "")
	ONE("0", 6, "sys_exit_read", "", "")
	ONE("0", 7, "sys_enter_write", "", "")
	ONE("0", 8, "sys_exit_write", "", ""),
	NULL,
};
/* clang-format on */

static void
put_metadata(struct harness *h, const char *name, const char *const *part)
{
	struct arena a = { 0 };
	const char *text = "";

	for (; *part != NULL; part++)
		text = arena_printf(&a, "%s%s", text, *part);
	harness_write(h, name, text, strlen(text));
	arena_fini(&a);
}

/* A stream with its head: magic, class, CPU. */
static void
put_stream(struct harness *h, const char *name, uint8_t class, uint8_t cpu,
	const uint8_t *data, size_t n)
{
	static uint8_t text[1 << 16];
	const uint8_t head[] = { 0xc1, 0x1f, 0xfc, 0xc1, class, cpu, 0 };

	if (n > sizeof text - sizeof head)
		n = sizeof text - sizeof head;
	memcpy(text, head, sizeof head);
	memcpy(text + sizeof head, data, n);
	harness_write(h, name, text, sizeof head + n);
}

static void
convert(struct arena *a, struct source *s, struct sink *sink,
	enum compat_kind kind)
{
	struct compat_options compat = { .kind = kind };
	struct compat_result result = { 0 };
	struct err err = { 0 };
	struct emu *emu;

	if (kind != COMPAT_NONE) {
		compat_run(a, s, sink, &compat, &result, &err);
		return;
	}
	emu = emu_open(a, s, sink, &(struct emu_options){ 0 }, &err);
	if (emu == NULL)
		return;
	emu_run(emu, NULL);
	emu_close(emu);
}

static void
run(const char *dir, enum compat_kind kind)
{
	struct source_options options = { 0 };
	struct stat_options times = { .numbers = true };
	struct arena a = { 0 };
	struct findings fs;
	struct err err = { 0 };
	struct source *s;

	findings_init(&fs, &a, 100);
	s = sources_open(&a, dir, &options, &fs, &err);
	if (s != NULL) {
		struct sink *order = order_open(&a,
			check_sink_open(&a, stat_open(&a, &times), true),
			ORDER_WINDOW_BYTES, dir, &err);

		convert(&a, s, order, kind);
		BUG_ON(!sink_close(order, &err));
		source_close(s);
	}
	arena_fini(&a);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct harness h;
	size_t first, second;

	if (size < 3)
		return 0;
	if (h.dir[0] == '\0') {
		put_metadata(&h, "user/metadata", user);
		put_metadata(&h, "kernel/metadata", kernel);
	}
	size -= 3;
	first = size * data[1] / 256;
	second = (size - first) * data[2] / 256;
	put_stream(&h, "user/channel_0", 1, 0, data + 3, first);
	put_stream(&h, "user/channel_2", 2, 2, data + 3 + first, second);
	put_stream(&h, "kernel/channel_0", 0, 0, data + 3 + first + second,
		size - first - second);
	run(h.dir, (enum compat_kind)(data[0] % 4));
	return 0;
}
