# SPDX-License-Identifier: MIT
"""wire - reads the files of a memory measurement for tests, written
independently of the reader in src; it knows src/mem/wire.h by numbers only."""
import glob
import os
import struct
from collections import Counter, namedtuple

MASK = (1 << 64) - 1
TYPES = {1: "event", 2: "setup", 3: "text", 4: "module", 5: "unload",
         6: "region", 7: "thread", 8: "thread_end", 9: "path", 10: "object",
         11: "object_name", 12: "site", 13: "heap", 14: "end", 15: "local", 32: "sample",
         33: "frame",
         64: "loss"}
PLACES = ["none", "object", "freed", "stack", "tls", "module", "small", "anon",
          "file", "shared", "vdso", "kernel", "tool", "unknown"]
ACCESS = ["none", "load", "store", "modify", "fault", "compute", "ambiguous",
          "lost", "prefetch", "hand"]
FIELDS = {
    "event": ("IIIIQQ32s", "event kind source error period real name"),
    "setup": ("QQIIIIQ", "min_bytes small_bytes skid skid_hits skid_tried "
              "unwinder stack_bytes"),
    "text": ("II", "key bytes"),
    "module": ("IIQQQQQQII32s", "module epoch time bias lo hi tls tls_below "
               "build_bytes path_bytes build"),
    "unload": ("IIQ", "module epoch time"),
    "region": ("IIQQQQII", "region place time lo hi offset protection bytes"),
    "thread": ("iIQQQQQQ16s32s", "tid is_main time stack_lo stack_hi tls_lo "
               "tls_hi pointer name file"),
    "thread_end": ("iIQQ", "tid unused time cpu"),
    "path": ("IIII", "path epoch n flags"),
    "object": ("IIQQQQiId", "object path lo size born died tid kind weight"),
    "object_name": ("II", "object bytes"),
    "site": ("IIIIQQQQQQQQ", "path kind is_small unused time blocks bytes "
             "freed_blocks freed_bytes least most peak_bytes"),
    "heap": ("QQQQQQ", "time live_bytes live_blocks mapped_bytes peak_bytes "
             "peak_time"),
    "end": ("Q", "time"),
    "local": ("iIQQ", "tid module time lo"),
    "sample": ("QQQIIHBBBBHQIIQ", "time address ip path ref event place access "
               "derived skid cpu period count weight data_src"),
    "frame": ("QqQqII", "ip offset inner inner_offset depth unused"),
    "loss": ("IIQQ", "kind error time count"),
}
MAKE = {name: (struct.Struct("<" + form),
               namedtuple(name, fields + " tail"))
        for name, (form, fields) in FIELDS.items()}


class Damaged(Exception):
    """Says that a file violates the format."""


def check(data, seed):
    h = seed ^ 0x9e3779b97f4a7c15
    for (word,) in struct.iter_unpack("<Q", data):
        h = (h ^ word) * 0xff51afd7ed558ccd & MASK
        h ^= h >> 32
    return h


def records(data, where, verify=True):
    """Yields every record; a file that ends in the middle of a record is
    damaged."""
    if data[:8] != b"weftmem\n":
        raise Damaged(f"{where}: no head")
    if check(data[:56], 0) != struct.unpack_from("<Q", data, 56)[0]:
        raise Damaged(f"{where}: the head's check")
    at = 64
    while at < len(data):
        if len(data) - at < 8:
            raise Damaged(f"{where}: {len(data) - at} bytes at the end")
        size, kind, sum_ = struct.unpack_from("<HHI", data, at)
        if size < 8 or size % 8 or at + size > len(data):
            raise Damaged(f"{where}: byte {at}: a record of {size} bytes")
        body = data[at + 8:at + size]
        if verify and check(body, size | kind << 16) & 0xffffffff != sum_:
            raise Damaged(f"{where}: byte {at}: wrong check")
        make, tuple_ = MAKE[TYPES[kind]]
        yield TYPES[kind], tuple_(*make.unpack_from(body), body[make.size:])
        at += size


class Image:
    """The measurement of one program image: its directory of files."""

    def __init__(self, folder, verify=True):
        self.folder = folder
        self.all = {name: [] for name in FIELDS}
        self.verify = verify
        self.load(os.path.join(folder, "process.mem"))
        for path in sorted(glob.glob(os.path.join(folder, "thread-*.mem"))):
            self.load(path)

    def load(self, path):
        with open(path, "rb") as file:
            data = file.read()
        for name, record in records(data, path, self.verify):
            self.all[name].append(record)

    def __getattr__(self, name):
        if name in FIELDS:
            return self.all[name]
        raise AttributeError(name)

    def last(self, name, *key):
        """Returns the last record of each key."""
        return {tuple(getattr(r, k) for k in key): r for r in self.all[name]}

    def events(self):
        return self.last("event", "event")

    def event(self, title):
        for record in self.events().values():
            if record.name.rstrip(b"\0").decode() == title:
                return record
        return None

    def samples(self, title):
        number = self.event(title).event
        return [s for s in self.all["sample"] if s.event == number]

    def texts(self, key):
        return [t.tail[:t.bytes].decode() for t in self.text if t.key == key]

    def sites(self, kind=1):
        return [s for s in
                self.last("site", "path", "kind", "is_small").values()
                if s.kind == kind]

    def losses(self):
        return {kind[0]: r.count for kind, r in self.last("loss", "kind").items()}

    def addresses(self, path):
        for p in self.path:
            if p.path == path:
                return struct.unpack_from(f"<{p.n}Q", p.tail)
        return ()

    def shares(self, title="DATACENTRIC"):
        """Returns a Counter from (place, ref) to the number of samples with an
        address."""
        sums = Counter()
        for s in self.samples(title):
            if s.derived:
                sums[PLACES[s.place], s.ref] += s.count
        return sums


def images(folder):
    return [Image(path) for path in sorted(glob.glob(f"{folder}/*-*"))
            if os.path.exists(f"{path}/process.mem")]
