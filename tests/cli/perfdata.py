# SPDX-License-Identifier: MIT
"""perfdata DIR - writes files as perf record does: in the form of a file or of
a pipe, with tracepoints, switches, samples, names, losses and rounds, and with
compressed records if there is a program zstd.

    with open(path, "wb") as file:
        file.write(perfdata.recording(perfdata.SCHED))
"""
import os
import struct
import subprocess
import sys

FORMAT = """\
name: sched_switch
ID: 316
format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;
\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;
\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;
\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;
\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;
\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;
\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;

print fmt: "prev_comm=%s", REC->prev_comm
"""
OPENS = """\
name: sys_enter_openat
ID: 700
format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

\tfield:int dfd;\toffset:8;\tsize:4;\tsigned:1;
\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:1;
\tfield:u8 mode[3];\toffset:16;\tsize:3;\tsigned:0;
\tfield:void * where;\toffset:24;\tsize:8;\tsigned:0;

print fmt: "x"
"""
# PERF_SAMPLE_TID, TIME, CALLCHAIN, CPU, PERIOD, RAW, IDENTIFIER and IP.
TID, TIME, CHAIN, CPU = 1 << 1, 1 << 2, 1 << 5, 1 << 7
PERIOD, RAW, IDENTIFIER, IP = 1 << 8, 1 << 10, 1 << 16, 1
COMM, TASK, ID_ALL, SWITCH = 1 << 9, 1 << 13, 1 << 18, 1 << 26
REAL = struct
BASE = TID | TIME | CPU | IDENTIFIER


def attr(kind, config, sample, flags=0):
    return struct.pack("<IIQQQQQ", kind, 128, config, 1, sample, 4,
                       flags | ID_ALL) + bytes(128 - 48)


SWITCHES = (attr(2, 316, BASE | RAW), "sched:sched_switch", 11)
OPENAT = (attr(2, 700, BASE | RAW), "syscalls:sys_enter_openat", 12)
CLOCK = (attr(1, 0, BASE | IP | CHAIN | PERIOD, COMM | TASK | SWITCH),
         "cpu-clock", 13)


def record(kind, data, misc=0):
    data += bytes(-len(data) % 8)
    return struct.pack("<IHH", kind, misc, 8 + len(data)) + data


def tail(ident, pid, tid, time, cpu):
    return struct.pack("<IIQIIQ", pid, tid, time, cpu, 0, ident)


def sample(ident, pid, tid, time, cpu, rest, ip=None):
    head = struct.pack("<Q", ident)
    if ip is not None:
        head += struct.pack("<Q", ip)
    return record(9, head + struct.pack("<IIQII", pid, tid, time, cpu, 0)
                  + rest)


def raw(data):
    data += bytes(-(len(data) + 4) % 8)
    return struct.pack("<I", len(data)) + data


def switch(time, cpu, before, after):
    """A sched_switch; `before` and `after` are pairs (tid, name)."""
    data = struct.pack("<HBBi16siiq16sii", 316, 0, 0, before[0],
                       before[1].encode(), before[0], 120, 1,
                       after[1].encode(), after[0], 120)
    return sample(11, before[0], before[0], time, cpu, raw(data))


def openat(time, cpu, tid, name):
    data = struct.pack("<HBBiiI3sxxxxxQ", 700, 0, 0, tid, -100,
                       32 | len(name) + 1 << 16, b"\1\2\3", 0xbeef)
    return sample(12, tid, tid, time, cpu, raw(data + name + b"\0"))


def clock(time, cpu, tid, ip, chain):
    return sample(13, tid, tid, time, cpu, struct.pack(
        f"<QQ{len(chain)}Q", 1000000, len(chain), *chain), ip)


def comm(pid, tid, name, time=0, cpu=0, misc=0):
    text = name.encode() + b"\0"
    text += bytes(-len(text) % 8)
    return record(3, struct.pack("<II", pid, tid) + text
                  + tail(13, pid, tid, time, cpu), misc)


def mmap2(pid, addr, size, offset, path, time=0):
    name = path.encode() + b"\0"
    name += bytes(-len(name) % 8)
    return record(10, struct.pack("<IIQQQIIQQII", pid, pid, addr, size, offset,
                                  8, 1, 99, 0, 5, 2)
                  + name + tail(13, pid, pid, time, 0))


def task(kind, pid, tid, parent, time, cpu):
    return record(kind, struct.pack("<IIIIQ", pid, parent, tid, parent, time)
                  + tail(13, pid, tid, time, cpu))


def went(time, cpu, tid, out, preempted=False, other=None):
    """SWITCH, or with the other thread SWITCH_CPU_WIDE."""
    misc = (1 << 13 if out else 0) | (1 << 14 if preempted else 0)
    data = b"" if other is None else struct.pack("<II", other, other)
    return record(14 if other is None else 15,
                  data + tail(13, tid, tid, time, cpu), misc)


def lost(n, time, cpu):
    return record(2, struct.pack("<QQ", 11, n) + tail(11, 0, 0, time, cpu))


ROUND = record(68, b"")
IDLE = (0, "swapper/0")
A, B = (100, "alpha"), (200, "beta")


def sched():
    end = record(68, b"")
    return ([SWITCHES, OPENAT], [
        comm(100, 100, "alpha"),
        switch(3000, 1, IDLE, B), switch(5000, 1, B, IDLE),
        openat(3500, 1, 200, b"/etc/motd"),
        # The ring of the other CPU is read later: records are out of order.
        switch(1000, 0, IDLE, A), switch(4000, 0, A, B), end,
        lost(7, 6000, 0), switch(7000, 0, B, IDLE), end,
        switch(9000, 1, IDLE, A), end])


def plain():
    return ([CLOCK], [
        comm(100, 100, "alpha"),
        went(1000, 0, 100, False),
        clock(1500, 0, 100, 0x401000, [0xfffffffffffffe00, 0x401000, 0x1]),
        task(7, 100, 101, 100, 1600, 0), comm(100, 101, "worker", 1700, 0),
        went(2000, 0, 100, True, True), went(2000, 0, 101, False),
        went(2600, 0, 101, True, other=100), went(2600, 0, 100, False,
                                                  other=101),
        task(4, 100, 100, 1, 2900, 0), went(3000, 0, 100, True),
        record(68, b"")])


SCHED, PLAIN = sched(), plain()


def text(s):
    return struct.pack("<I", len(s) + 1) + s.encode() + b"\0"


def tracing_data():
    def file(s):
        return struct.pack("<Q", len(s)) + s.encode()

    return (b"\x17\x08\x44tracing0.6\0\0\x08" + struct.pack("<I", 4096)
            + b"header_page\0" + file("x") + b"header_event\0" + file("yy")
            + struct.pack("<I", 1) + file("an event of ftrace")
            + struct.pack("<I", 2) + b"sched\0" + struct.pack("<I", 1)
            + file(FORMAT) + b"syscalls\0" + struct.pack("<I", 1)
            + file(OPENS) + struct.pack("<IIQ", 0, 0, 0))


def event_desc(events):
    return struct.pack("<II", len(events), 128) + b"".join(
        a + struct.pack("<I", 1) + text(name) + struct.pack("<Q", ident)
        for a, name, ident in events)


FEATURES = {1: lambda events: tracing_data(), 3: lambda events: text("box"),
            7: lambda events: struct.pack("<II", 2, 2), 12: event_desc}


def recording(trace, features=(1, 3, 7, 12), data_size=None):
    """Returns a file."""
    events, records = trace
    body = b"".join(records)
    at = 104
    ids = at + 8 * len(events)
    attrs = b"".join(a + struct.pack("<QQ", at + 8 * i, 8)
                     for i, (a, _, _) in enumerate(events))
    data = ids + len(attrs)
    bits = sum(1 << bit for bit in features)
    head = b"PERFILE2" + struct.pack(
        "<QQQQQQQQQQQQ", 104, 144, ids, len(attrs), data,
        len(body) if data_size is None else data_size, 0, 0, bits, 0, 0, 0)
    tables, sections = b"", b""
    offset = data + len(body) + 16 * len(features)
    for bit in features:
        section = FEATURES[bit](events)
        tables += struct.pack("<QQ", offset, len(section))
        offset += len(section)
        sections += section
    return (head + b"".join(struct.pack("<Q", e[2]) for e in events) + attrs
            + body + tables + sections)


def piped(trace):
    """Returns the form of a pipe."""
    events, records = trace
    formats = tracing_data()
    formats += bytes(-len(formats) % 8)
    return (b"PERFILE2" + struct.pack("<Q", 16)
            + b"".join(record(64, a + struct.pack("<Q", ident))
                       for a, _, ident in events)
            + b"".join(record(80, struct.pack("<Q", bit)
                              + FEATURES[bit](events)) for bit in (3, 7))
            + b"".join(record(78, struct.pack("<QQ", 2, ident)
                              + name.encode() + b"\0")
                       for _, name, ident in events)
            + record(66, struct.pack("<II", len(formats), 0)) + formats
            + b"".join(records))


def compressed(trace, second=False, piece=100):
    """Returns the trace with its records in compressed ones, which cut them
    anywhere; None without zstd."""
    events, records = trace
    try:
        packed = subprocess.run(["zstd", "-q"], input=b"".join(records),
                                capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    pieces = [packed[i:i + piece] for i in range(0, len(packed), piece)]
    if second:
        return events, [record(83, struct.pack("<Q", len(p)) + p)
                        for p in pieces] + [ROUND]
    # The first kind has no size of its own: no piece may be padded.
    return events, [struct.pack("<IHH", 81, 0, 8 + len(p)) + p
                    for p in pieces] + [ROUND]


class BigEndian:
    """Writes what this module writes as a big-endian machine does: in a with
    statement."""

    def __enter__(self):
        class Swapped:
            error = struct.error
            unpack = staticmethod(REAL.unpack)

            @staticmethod
            def pack(form, *values):
                return REAL.pack(form.replace("<", ">"), *values)

        globals()["struct"] = Swapped
        return self

    def __exit__(self, *why):
        globals()["struct"] = REAL

    @staticmethod
    def trace(trace):
        """Puts the attributes of a trace into the other order."""
        def swapped(a):
            kind, size, config, period, sample_type, form, flags = \
                REAL.unpack("<IIQQQQQ", a[:48])
            bits = bytes(int(f"{b:08b}"[::-1], 2)
                         for b in REAL.pack("<Q", flags))
            return REAL.pack(">IIQQQQ", kind, size, config, period, sample_type,
                             form) + bits + a[48:]
        events, records = trace
        return [(swapped(a), name, i) for a, name, i in events], records

    @staticmethod
    def finish(data):
        """The magic, and the byte order that tracing data states."""
        return data.replace(b"PERFILE2", b"2ELIFREP", 1).replace(
            b"tracing0.6\0\0\x08", b"tracing0.6\0\1\x08")


def main(folder):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "perf.data"), "wb") as file:
        file.write(recording(SCHED))


if __name__ == "__main__":
    main(sys.argv[1])
