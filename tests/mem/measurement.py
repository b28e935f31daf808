# SPDX-License-Identifier: MIT
"""measurement.py - writes files of a memory measurement, as the recorder does.

    m = Measurement(folder)
    m.event(1, "DATACENTRIC", DATA, TIMER, 1000000)
    m.module(1, "/usr/bin/prog", bias=0x5555_0000_0000, size=0x10000)
    m.sample(tid, ip=..., place=OBJECT, ref=1, address=...)
    m.write()

Members have the names and the order of src/mem/wire.h.
"""
import os
import struct

EVENT, SETUP, TEXT, MODULE, UNLOAD, REGION, THREAD, THREAD_END, PATH, \
    OBJECT_RECORD, OBJECT_NAME, SITE, HEAP, END, LOCAL = range(1, 16)
SAMPLE, LOSS = 32, 64
TIME, DATA, FAULT, LOAD = 1, 2, 3, 4
NOTHING, RING, TIMER = 0, 1, 2
(NONE, OBJECT, FREED, STACK, TLS, IN_MODULE, SMALL, ANON, FILE, SHARED, VDSO,
 KERNEL, TOOL, UNKNOWN, MIXED) = range(15)
A_LOAD, A_STORE, A_MODIFY, A_FAULT, A_COMPUTE, A_AMBIGUOUS, A_LOST = range(
    1, 8)
MASK = (1 << 64) - 1


def check(data, seed):
    h = seed ^ 0x9e3779b97f4a7c15
    for (word,) in struct.iter_unpack("<Q", data):
        h = (h ^ word) * 0xff51afd7ed558ccd & MASK
        h ^= h >> 32
    return h


def record(kind, payload):
    payload += bytes(-len(payload) % 8)
    size = 8 + len(payload)
    return struct.pack("<HHI", size, kind, check(payload, size | kind << 16)
                       & 0xffffffff) + payload


def head(file, pid, tid, image, time):
    data = b"weftmem\n" + struct.pack("<IIiiQQQII", 1, file, pid, tid, image,
                                      time, 10**18, 1, 4096)
    return data + struct.pack("<Q", check(data, 0))


class Measurement:
    def __init__(self, folder, pid=4711, image=0x1234, time=10**9):
        self.folder = os.path.join(folder, f"{pid}-0")
        self.pid, self.image, self.start = pid, image, time
        self.process, self.threads = [], {}
        self.now = time

    def add(self, kind, form, *values, tail=b""):
        self.process.append(record(kind, struct.pack("<" + form, *values) +
                                   tail))

    def event(self, number, name, kind, source, period, error=0):
        self.add(EVENT, "IIIIQQ32s", number, kind, source, error, period,
                 period, name.encode())

    def setup(self, min_bytes=1024, skid=2):
        self.add(SETUP, "QQIIIIQ", min_bytes, 0, skid, 99, 100, 1, 65536)

    def text(self, key, text):
        data = text.encode()
        self.add(TEXT, "II", key, len(data), tail=data)

    def module(self, number, path, bias, size, build=b"", epoch=0, below=0):
        data = path.encode()
        self.add(MODULE, "IIQQQQQQII32s", number, epoch, self.now, bias, bias,
                 bias + size, below > 0, below, len(build), len(data), build, tail=data)

    def unload(self, number, epoch):
        self.add(UNLOAD, "IIQ", number, epoch, self.now)

    def region(self, number, place, low, high, name):
        data = name.encode()
        self.add(REGION, "IIQQQQII", number, place, self.now, low, high, 0, 3,
                 len(data), tail=data)

    def thread(self, tid, name="prog", main=False, pointer=0):
        file = f"thread-{tid}.mem"
        self.add(THREAD, "iIQQQQQQ16s32s", tid, main, self.now, 0x7ffe0000,
                 0x7fff0000, 0, 0, pointer, name.encode(), file.encode())
        self.threads[tid] = (file, [])

    def path(self, number, addresses, epoch=0, cut=False):
        self.add(PATH, f"IIII{len(addresses)}Q", number, epoch,
                 len(addresses), cut, *addresses)

    def object(self, number, path, low, size, kind=1, tid=4711):
        self.add(OBJECT_RECORD, "IIQQQQiId", number, path, low, size,
                 self.now, 0, tid, kind, 1.0)

    def local(self, tid, module, low):
        self.now += 1000
        self.add(LOCAL, "iIQQ", tid, module, self.now, low)

    def name(self, number, text):
        data = text.encode()
        self.add(OBJECT_NAME, "II", number, len(data), tail=data)

    def site(self, path, blocks, size, freed=0, kind=1, peak=None):
        self.add(SITE, "IIIIQQQQQQQQ", path, kind, 0, 0, self.now, blocks,
                 blocks * size, freed, freed * size, size, size,
                 blocks * size if peak is None else peak)

    def heap(self, live, blocks, peak):
        self.add(HEAP, "QQQQQQ", self.now, live, blocks, 0, peak, self.now)

    def end(self):
        self.add(END, "Q", self.now)

    def thread_end(self, tid, cpu):
        self.add(THREAD_END, "iIQQ", tid, 0, self.now, cpu)

    def loss(self, kind, count):
        self.add(LOSS, "IIQQ", kind, 0, self.now, count)

    def sample(self, tid, ip, place=NONE, ref=0, address=0, path=0, event=1,
               access=A_LOAD, period=10**6, count=1, weight=0, source=0):
        self.now += 10**6
        self.threads[tid][1].append(record(SAMPLE, struct.pack(
            "<QQQIIHBBBBHQIIQ", self.now, address, ip, path, ref, event,
            place, access, 2, 1, 0, period, count, weight, source)))

    def write(self):
        os.makedirs(self.folder, exist_ok=True)
        files = [("process.mem", 1, self.pid, self.process)] + [
            (file, 2, tid, samples)
            for tid, (file, samples) in self.threads.items() if samples]
        for name, kind, tid, records in files:
            with open(os.path.join(self.folder, name), "wb") as file:
                file.write(head(kind, self.pid, tid, self.image, self.start) +
                           b"".join(records))
