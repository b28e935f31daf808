# SPDX-License-Identifier: MIT
"""ctfkit - compares the trace that ctfact recorded with what weft and
babeltrace2 read."""
import glob
import os
import shutil
import struct

from kit import WEFT, Skip, check, same

HEAD = struct.Struct("<IIHQQQQQ")  # src/inproc/ctf/wire.h
NAMES = "number handler".split()  # events of ctfact's own table, ids 1 and 2


class Packet:
    def __init__(self, data):
        (self.magic, self.stream, self.cpu, bits, content, self.begin,
         self.end, self.discarded) = HEAD.unpack_from(data)
        same(self.magic, 0xC1FC1FC1, "magic")
        same(bits, content, "content of a packet")
        self.size = bits // 8
        self.events = data[HEAD.size:self.size]


class Channel:
    """A stream file of ctfact's own event table."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        self.name = os.path.basename(path)
        self.packets = []
        while data:
            self.packets.append(Packet(data))
            data = data[self.packets[-1].size:]
        times = [t for p in self.packets for t in (p.begin, p.end)]
        same(times, sorted(times), f"time ranges of {self.name}")


def events_of(packet):
    """Yields (name, number) of the packet's events. Their sizes distinguish
    the events of the table."""
    tid = 4 if packet.stream == 2 else 0
    at, times = 0, []
    while at < len(packet.events):
        ident, time = struct.unpack_from("<BQ", packet.events, at)
        times.append(time)
        check(1 <= ident <= 2, f"event {ident}")
        number, = struct.unpack_from("<Q", packet.events, at + 9 + tid)
        yield NAMES[ident - 1], number
        at += 17 + tid
    same(times, sorted(times), "times of a packet")
    if times:
        # the last packet may also count events lost after its last event
        is_mended = packet.end > times[-1]
        same(packet.begin <= times[0] if is_mended
             else packet.begin == times[0], True, "begin")
        check(packet.end >= times[-1], "end")


def traces(run):
    return sorted(glob.glob(f"{run.folder}/trace_*"))


def channels(run, trace="trace_ctfact"):
    files = glob.glob(f"{run.folder}/{trace}/*/ctf/user/channel_*")
    return [Channel(path) for path in sorted(files)]


def numbers(channel, kind="number"):
    return [n for p in channel.packets for name, n in events_of(p)
            if name == kind]


def babeltrace(run, trace):
    if not shutil.which("babeltrace2"):
        raise Skip("no babeltrace2")
    done = run.command("babeltrace2", "--no-delta", trace, TZ="UTC")
    same(done.code, 0, f"babeltrace2: {done.err}")
    return done


def agree(run, trace="trace_ctfact"):
    """Checks that weft dump and babeltrace2 print the same events; returns the
    lines."""
    ours = run.command(WEFT, "dump", "-q", "--format", "babeltrace", trace)
    theirs = babeltrace(run, trace)
    same(ours.out.splitlines(), theirs.out.splitlines(), "events")
    check(ours.out, "there are none")
    return ours.out.splitlines()


def clean(run, trace="trace_ctfact"):
    same(run.findings(trace), [], "findings")
    same(run.command(WEFT, "emu", "-q", "-o", "emu", trace).code, 0,
         "weft emu")
    run.paraver_takes("emu")
    same(glob.glob(f"{run.folder}/trace_*/*/ctf/user/.*"), [], "hidden files")
