#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a CTF trace of the kernel in the layout of LTTng 2.13.

lttng_kernel.py DIR [--seed N] [--cpus N] [--events N] [--lose N] [--user]
                [--lose-user N] [--truth]

Programs with threads run on CPUs, call the system, are interrupted, fork, exec
and end; the state dump at the start names the threads that existed before.
Metadata, packets and event headers are as lttng-modules writes: packets with
packet_seq_num and events_discarded, compact headers of 5 + 27 bits with
extended ones where more than 2^27 ns passed.

--user adds a trace of user space: events app:step of the threads that run,
with the contexts vtid and vpid.
--lose N leaves N packets out, as if they were overwritten; --lose-user N leaves
out N packets of user space in a row. --truth prints facts about the trace, as
JSON: ns that each thread ran, by tid, and its name; ns
of each CPU in interrupts, soft interrupts and each system call; the packets
that are missing.
"""
import argparse
import json
import os
import random
import struct

UUID, USER = bytes(range(16)), bytes(range(16, 32))
OFFSET = 1700000000123456789
PACKET = 16384

TYPES = """/* CTF 1.8 */

typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 64; align = 8; signed = false; } := unsigned long;
typealias integer { size = 5; align = 1; signed = false; } := uint5_t;
typealias integer { size = 27; align = 1; signed = false; } := uint27_t;

trace {
	major = 1;
	minor = 8;
	uuid = "%s";
	byte_order = le;
	packet.header := struct {
		uint32_t magic;
		uint8_t  uuid[16];
		uint32_t stream_id;
		uint64_t stream_instance_id;
	};
};

env {
	hostname = "box";
	domain = "%s";
	sysname = "Linux";
	kernel_release = "6.1.0-18-amd64";
	kernel_version = "#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1";
	tracer_name = "lttng-modules";
	tracer_major = 2;
	tracer_minor = 13;
	tracer_patchlevel = 8;
	trace_name = "auto";
	trace_creation_datetime = "20240101T120000+0000";
};

clock {
	name = "monotonic";
	uuid = "7c6bd2c8-2f3e-4cf5-b6cd-34c51a1d0b4f";
	description = "Monotonic Clock";
	freq = 1000000000; /* Frequency, in Hz */
	/* clock value offset from Epoch is: offset * (1/freq) */
	offset = %d;
};

typealias integer {
	size = 27; align = 1; signed = false;
	map = clock.monotonic.value;
} := uint27_clock_monotonic_t;

typealias integer {
	size = 32; align = 8; signed = false;
	map = clock.monotonic.value;
} := uint32_clock_monotonic_t;

typealias integer {
	size = 64; align = 8; signed = false;
	map = clock.monotonic.value;
} := uint64_clock_monotonic_t;

struct packet_context {
	uint64_clock_monotonic_t timestamp_begin;
	uint64_clock_monotonic_t timestamp_end;
	uint64_t content_size;
	uint64_t packet_size;
	uint64_t packet_seq_num;
	unsigned long events_discarded;
	uint32_t cpu_id;
};

struct event_header_compact {
	enum : uint5_t { compact = 0 ... 30, extended = 31 } id;
	variant <id> {
		struct {
			uint27_clock_monotonic_t timestamp;
		} compact;
		struct {
			uint32_t id;
			uint64_clock_monotonic_t timestamp;
		} extended;
	} v;
} align(8);

struct event_header_large {
	enum : uint16_t { compact = 0 ... 65534, extended = 65535 } id;
	variant <id> {
		struct {
			uint32_clock_monotonic_t timestamp;
		} compact;
		struct {
			uint32_t id;
			uint64_clock_monotonic_t timestamp;
		} extended;
	} v;
} align(8);

stream {
	id = 0;
	event.header := struct event_header_compact;
	packet.context := struct packet_context;%s
};

"""

CONTEXT = """
	event.context := struct {
		integer { size = 32; align = 8; signed = 1; } _vtid;
		integer { size = 32; align = 8; signed = 1; } _vpid;
	};"""

I32 = "integer { size = 32; align = 8; signed = 1; encoding = none; base = 10; }"
U32 = "integer { size = 32; align = 8; signed = 0; encoding = none; base = 10; }"
I64 = "integer { size = 64; align = 8; signed = 1; encoding = none; base = 10; }"
CHAR = "integer { size = 8; align = 8; signed = 1; encoding = UTF8; base = 10; }"


def comm(name):
    return "%s _%s[16];" % (CHAR, name)


def field(kind, name):
    return "%s _%s;" % (kind, name)


WAKE = [comm("comm"), field(I32, "tid"), field(I32, "prio"),
        field(I32, "target_cpu")]
EVENTS = [
    ("sched_switch", [comm("prev_comm"), field(I32, "prev_tid"),
                      field(I32, "prev_prio"), field(I64, "prev_state"),
                      comm("next_comm"), field(I32, "next_tid"),
                      field(I32, "next_prio")]),
    ("sched_waking", WAKE),
    ("sched_wakeup", WAKE),
    ("sched_wakeup_new", WAKE),
    ("sched_process_fork", [
        comm("parent_comm"), field(I32, "parent_tid"),
        field(I32, "parent_pid"), field(U32, "parent_ns_inum"),
        comm("child_comm"), field(I32, "child_tid"),
        "uint8_t __vtids_length;", I32 + " _vtids[ __vtids_length ];",
        field(I32, "child_pid"), field(U32, "child_ns_inum")]),
    ("sched_process_exit", [comm("comm"), field(I32, "tid"),
                            field(I32, "prio")]),
    ("sched_process_exec", ["string _filename;", field(I32, "tid"),
                            field(I32, "old_tid")]),
    ("irq_handler_entry", [field(I32, "irq"), "string _name;"]),
    ("irq_handler_exit", [field(I32, "irq"), field(I32, "ret")]),
    ("irq_softirq_raise", [field(U32, "vec")]),
    ("irq_softirq_entry", [field(U32, "vec")]),
    ("irq_softirq_exit", [field(U32, "vec")]),
    ("lttng_statedump_start", []),
    ("lttng_statedump_process_state", [
        field(I32, "tid"), field(I32, "vtid"), field(I32, "pid"),
        field(I32, "vpid"), field(I32, "ppid"), field(I32, "vppid"),
        comm("name"), field(I32, "type"), field(I32, "mode"),
        field(I32, "submode"), field(I32, "status"), field(I32, "ns_level"),
        field(U32, "cpu")]),
    ("lttng_statedump_end", []),
    ("syscall_entry_read", [field(U32, "fd"), field(I64, "count")]),
    ("syscall_exit_read", [field(I64, "ret")]),
    ("syscall_entry_futex", [field(I64, "uaddr"), field(I32, "op")]),
    ("syscall_exit_futex", [field(I64, "ret")]),
    ("compat_syscall_entry_write", [field(U32, "fd")]),
    ("compat_syscall_exit_write", [field(I64, "ret")]),
]
ID = {name: i for i, (name, _) in enumerate(EVENTS)}
CALLS = {"read": ("", struct.pack("<Iq", 3, 4096)),
         "futex": ("", struct.pack("<qi", 0x7f00, 128)),
         "write": ("compat_", struct.pack("<I", 1))}


def text16(name):
    return name.encode()[:15].ljust(16, b"\0")


class Stream:
    """The packets of a CPU."""

    def __init__(self, path, cpu, lost, uuid):
        self.file, self.uuid = open(path, "wb"), uuid
        self.cpu, self.lost, self.missing = cpu, lost, []
        self.seq, self.body, self.begin, self.last = 0, [], None, 0
        self.size = self.head = 28 + 4 + 52

    def add(self, time, event, data):
        if self.size + 13 + len(data) > PACKET:
            self.flush(time)
        if self.begin is None:
            self.begin = self.last = time
        if time - self.last < 1 << 27:
            head = ((time & 0x7ffffff) << 5 | event).to_bytes(4, "little")
        else:
            head = struct.pack("<BIQ", 31, event, time)
        self.last = time
        self.body.append(head)
        self.body.append(data)
        self.size += len(head) + len(data)

    def flush(self, end):
        if self.begin is None:
            return
        data = b"".join(self.body)
        used = self.head + len(data)
        if (self.cpu, self.seq) in self.lost:
            self.missing.append((self.begin, self.last))
        else:
            self.file.write(
                struct.pack("<I16sIQ", 0xC1FC1FC1, self.uuid, 0, self.cpu) +
                struct.pack("<QQQQQQI", self.begin, end, used * 8,
                            PACKET * 8, self.seq, 0, self.cpu) +
                data + bytes(PACKET - used))
        self.seq += 1
        self.body, self.begin, self.size = [], None, self.head


class Thread:
    def __init__(self, tid, pid, name):
        self.tid, self.pid, self.name = tid, pid, name
        self.text = text16(name)
        self.call = None


def text_uuid(uuid):
    text = uuid.hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20],
                     text[20:]))


def metadata(folder, uuid, domain, context, events):
    with open(os.path.join(folder, "metadata"), "w") as f:
        f.write(TYPES % (text_uuid(uuid), domain, OFFSET, context))
        for ident, (name, fields) in enumerate(events):
            f.write("event {\n\tname = \"%s\";\n\tid = %d;\n\t"
                    "stream_id = 0;\n\tfields := struct {\n%s\t};\n};\n\n"
                    % (name, ident, "".join("\t\t%s\n" % x for x in fields)))


class World:
    """Chooses what happens on the CPUs, and how long it takes."""

    def __init__(self, folder, args):
        kernel = os.path.join(folder, "kernel")
        user = os.path.join(folder, "ust/uid/0/64-bit")
        os.makedirs(kernel, exist_ok=True)
        self.random = random.Random(args.seed)
        lost = set()
        while len(lost) < args.lose:
            lost.add((self.random.randrange(args.cpus),
                      self.random.randrange(1, 3 + args.lose)))
        self.streams = [Stream(os.path.join(kernel, "channel0_%d" % i), i,
                               lost, UUID) for i in range(args.cpus)]
        self.user = []
        metadata(kernel, UUID, "kernel", "", EVENTS)
        if args.user:
            os.makedirs(user, exist_ok=True)
            self.user = [Stream(os.path.join(user, "app_%d" % i), i,
                                {(0, n + 1) for n in range(args.lose_user)},
                                USER)
                         for i in range(args.cpus)]
            metadata(user, USER, "ust", CONTEXT,
                     [("app:step", [field(I32, "number")])])
        self.steps = {}
        self.left = args.events
        self.now = 5000000000
        self.idle = [Thread(0, 0, "swapper/%d" % i) for i in range(args.cpus)]
        self.running = list(self.idle)
        self.known = [False] * args.cpus
        self.since = [self.now] * args.cpus
        self.next = 1000
        self.ready = []
        self.ran, self.names, self.time = {}, {}, {}
        for name in ("bash", "worker", "worker", "worker", "redis-server"):
            self.ready.append(self.thread(name))

    def thread(self, name, pid=None):
        self.next += 1
        self.names[self.next] = name
        return Thread(self.next, pid or self.next, name)

    def emit(self, cpu, event, data=b""):
        self.now += self.random.randrange(20, 2000)
        if self.random.random() < 1e-4:
            self.now += 1 << 28  # a pause that is too long for compact headers
        self.streams[cpu].add(self.now, ID[event], data)
        self.left -= 1

    def charge(self, key, ns):
        self.time[key] = self.time.get(key, 0) + ns

    def switch(self, cpu, to, state=0):
        prev = self.running[cpu]
        self.emit(cpu, "sched_switch",
                  prev.text + struct.pack("<iiq", prev.tid, 120, state) +
                  to.text + struct.pack("<ii", to.tid, 120))
        if prev.tid != 0 and self.known[cpu]:
            self.ran[prev.tid] = (self.ran.get(prev.tid, 0) + self.now -
                                  self.since[cpu])
        self.running[cpu], self.since[cpu] = to, self.now
        self.known[cpu] = True

    def wake(self, cpu, what, thread):
        self.emit(cpu, what, thread.text +
                  struct.pack("<iii", thread.tid, 120, cpu))

    def dump(self):
        self.emit(0, "lttng_statedump_start")
        for t in list(self.ready):
            self.emit(0, "lttng_statedump_process_state",
                      struct.pack("<iiiiii", t.tid, t.tid, t.pid, t.pid, 1, 1)
                      + t.text + struct.pack("<iiiiiI", 0, 5, 0, 5, 0, 0))
        self.emit(0, "lttng_statedump_end")

    def interrupt(self, cpu):
        self.emit(cpu, "irq_handler_entry", struct.pack("<i", 27) + b"eth0\0")
        begun = self.now
        self.emit(cpu, "irq_softirq_raise", struct.pack("<I", 3))
        self.emit(cpu, "irq_handler_exit", struct.pack("<ii", 27, 1))
        self.charge("IRQ", self.now - begun)
        self.emit(cpu, "irq_softirq_entry", struct.pack("<I", 3))
        begun = self.now
        self.emit(cpu, "irq_softirq_exit", struct.pack("<I", 3))
        self.charge("Soft IRQ", self.now - begun)

    def call(self, cpu):
        """A system call during which the thread stays on its CPU."""
        name = self.random.choice(sorted(CALLS))
        kind, data = CALLS[name]
        self.emit(cpu, "%ssyscall_entry_%s" % (kind, name), data)
        begun = self.now
        self.emit(cpu, "%ssyscall_exit_%s" % (kind, name),
                  struct.pack("<q", 0))
        self.charge(name, self.now - begun)

    def fork(self, cpu):
        parent = self.running[cpu]
        child = self.thread(parent.name)
        self.emit(cpu, "sched_process_fork",
                  parent.text +
                  struct.pack("<iiI", parent.tid, parent.pid, 1) +
                  child.text + struct.pack("<iBiiI", child.tid, 1, child.tid,
                                           child.pid, 1))
        self.wake(cpu, "sched_wakeup_new", child)
        self.ready.append(child)

    def execute(self, cpu):
        t = self.running[cpu]
        t.name = self.random.choice(("gcc", "as", "ld", "sort"))
        t.text = text16(t.name)
        self.names[t.tid] = t.name
        self.emit(cpu, "sched_process_exec", b"/usr/bin/" + t.name.encode() +
                  b"\0" + struct.pack("<ii", t.tid, t.tid))

    def end(self, cpu):
        t = self.running[cpu]
        self.emit(cpu, "sched_process_exit",
                  t.text + struct.pack("<ii", t.tid, 120))
        self.switch(cpu, self.idle[cpu], 16)

    def step(self):
        cpu = self.random.randrange(len(self.streams))
        t, dice = self.running[cpu], self.random.random()
        if self.user and t.tid != 0 and dice < 0.8:
            self.now += 100
            self.user[cpu].add(self.now, 0, struct.pack("<iii", t.tid, t.pid,
                                                        self.left))
            self.steps[t.tid] = self.steps.get(t.tid, 0) + 1
        if dice < 0.15 and self.known[cpu]:
            self.interrupt(cpu)
        elif t.tid == 0 or dice < 0.4:
            if t.tid == 0 and not self.ready:
                return
            to = self.idle[cpu]
            if self.ready:
                to = self.ready.pop(self.random.randrange(len(self.ready)))
                self.wake(cpu, "sched_waking", to)
                self.wake(cpu, "sched_wakeup", to)
            if t.tid != 0:
                self.ready.append(t)
            self.switch(cpu, to, 1)
        elif dice < 0.9:
            self.call(cpu)
        elif dice < 0.93 and len(self.names) < 200:
            self.fork(cpu)
        elif dice < 0.95:
            self.execute(cpu)
        elif dice < 0.97 and len(self.ready) > 3:
            self.end(cpu)

    def run(self):
        self.dump()
        while self.left > 0:
            self.step()
        for cpu in range(len(self.streams)):
            if self.running[cpu].tid != 0:
                self.switch(cpu, self.idle[cpu], 1)
        for s in self.streams + self.user:
            s.flush(self.now)
            s.file.close()

    def truth(self):
        return {"ran": self.ran, "names": self.names, "time": self.time,
                "steps": self.steps,
                "missing": sum(len(s.missing) for s in self.streams)}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("folder")
    for name, value in (("seed", 1), ("cpus", 2), ("events", 2000),
                        ("lose", 0), ("lose-user", 0)):
        p.add_argument("--" + name, type=int, default=value)
    p.add_argument("--user", action="store_true")
    p.add_argument("--truth", action="store_true")
    args = p.parse_args()
    world = World(args.folder, args)
    world.run()
    if args.truth:
        print(json.dumps(world.truth(), indent=1))


main()
