# SPDX-License-Identifier: MIT
"""reader - reads the library's traces without weft: ovni and CTF streams, and
the rings of killed programs."""
import glob
import json
import os
import re
import struct

RING_PAGE, HEAD = 4096, struct.Struct("<IIHQQQQQ")


class Damaged(Exception):
    """Says that a trace violates a rule."""


def need(is_so, what):
    if not is_so:
        raise Damaged(what)


class Stream:
    """A stream: times, codes and numbers (by origin) in the order of the file.
    lost: [from, to, count] of each gap."""

    def __init__(self, path):
        self.path = path
        self.events = []  # entries are (time, code, number)
        self.lost, self.finished = [], False

    def numbers(self):
        found = {}
        for _, _, number in self.events:
            if number is not None:
                found.setdefault(number >> 40, []).append(
                    number & (1 << 40) - 1)
        return found

    def check_order(self):
        last = 0
        for time, code, _ in self.events:
            need(time >= last, f"{self.path}: {code} at {time} behind {last}")
            last = time


def ring(weft):
    """Returns header page and bytes of the ring that the metadata name, or
    None."""
    about = weft.get("ring", {})
    if "file" not in about or not os.path.exists(about["file"]):
        return None
    with open(about["file"], "rb") as file:
        page, data = file.read(RING_PAGE), file.read()
    ident, size, skip, _ = struct.unpack_from("<QQQQ", page, 24)
    need(f"{ident:016x}" == about["id"], "the ring is of somebody else")
    head, = struct.unpack_from("<Q", page, 64)
    tail, nlost = struct.unpack_from("<Q", page, 128)[0], \
        struct.unpack_from("<I", page, 20)[0]
    lost = [list(struct.unpack_from("<QQQ", page, 136 + 24 * i))
            for i in range(nlost)]
    return (lambda a, b: (data * 2)[a % size:a % size + b - a],
            tail, head, skip, sorted(lost))


def read_ovni(folder):
    s = Stream(folder)
    with open(f"{folder}/stream.json", encoding="utf-8") as file:
        meta = json.load(file)
    with open(f"{folder}/stream.obs", "rb") as file:
        data = file.read()
    need(data[:8] == b"ovni\1\0\0\0", f"{folder}: no stream")
    data = data[8:]
    s.lost = meta["weft"].get("lost", [])
    s.finished = meta["ovni"].get("finished") == 1
    left = ring(meta["weft"])
    if left:
        part, _, head, skip, s.lost = left
        at = len(data) + skip
        data += part(at, head) if at < head else b""
    at = 0
    while at < len(data):
        need(at + 12 <= len(data), f"{folder}: a record is cut at {at}")
        flags, code, time = data[at], data[at + 1:at + 4].decode(), \
            struct.unpack_from("<Q", data, at + 4)[0]
        n = (flags & 15) + 1 if flags & 15 else 0
        if flags & 16:
            n = 4 + struct.unpack_from("<I", data, at + 12)[0]
        if flags & 16 and not s.finished and at + 12 + n > len(data):
            # a jumbo event that exceeds the ring was being recorded at the kill
            break
        need(at + 12 + n <= len(data), f"{folder}: a record is cut at {at}")
        number = struct.unpack_from("<Q", data, at + 12)[0] \
            if code == "OM=" else None
        s.events.append((time, code, number))
        at += 12 + n
    return s


def read_ctf(path):
    """A CTF stream of a thread; its only kind of event carries a number."""
    s = Stream(path)
    with open(path, "rb") as file:
        data = file.read()
    named = os.path.join(os.path.dirname(path),
                         f".{os.path.basename(path)}.ring")
    s.finished = not os.path.exists(named)
    chunks, at, last = [], 0, 0
    while at < len(data):
        if at + HEAD.size > len(data):
            break
        magic, _, _, bits, _, begin, end, gone = HEAD.unpack_from(data, at)
        need(magic == 0xc1fc1fc1, f"{path}: no packet at {at}")
        need(begin <= end and gone >= last, f"{path}: packet at {at}")
        last = gone
        if at + bits // 8 > len(data):
            break
        chunks.append(data[at + HEAD.size:at + bits // 8])
        at += bits // 8
    # the kill came during this write: the ring has these records, too
    need(at == len(data) or not s.finished, f"{path}: a packet is cut at {at}")
    s.lost = [[0, 0, last]] if last else []
    if not s.finished:
        with open(named, encoding="utf-8") as file:
            left = ring(json.load(file)["weft"])
        if left:
            kept = left[0](left[1], left[2])
            if chunks and chunks[-1] and kept.startswith(chunks[-1]):
                chunks.pop()
            chunks.append(kept)
            s.lost = left[4]
    for chunk in chunks:
        need(len(chunk) % 21 == 0, f"{path}: a record is cut")
        for event, time, _, number in struct.iter_unpack("<BQIQ", chunk):
            need(event == 1, f"{path}: event {event}")
            s.events.append((time, "number", number))
    return s


def read(folder):
    """Yields all streams below the directory that have events or were
    finished."""
    found = [read_ovni(os.path.dirname(path)) for path in sorted(
        glob.glob(f"{folder}/loom.*/proc.*/thread.*/stream.json"))]
    for path in glob.glob(f"{folder}/ctf/user/channel_*"):
        if re.search(r"channel_\d+$", path):
            found.append(read_ctf(path))
    return found


def check_pairs(stream):
    """Checks that the first event starts the thread and the last one ends it,
    both once, and that waits come in pairs."""
    codes = [code for _, code, _ in stream.events if code[0] == "O"]
    if not codes:
        return
    need(codes[0] == "OHx", f"{stream.path} begins with {codes[0]}")
    need("OHe" not in codes[:-1], f"{stream.path}: events behind the end")
    need(not stream.finished or codes[-1] == "OHe",
         f"{stream.path} ends with {codes[-1]}")
    waits = [code for code in codes if code.startswith("OF")]
    need(waits == (["OF[", "OF]"] * len(waits))[:len(waits)],
         f"{stream.path}: {waits[:9]} are no pairs")
