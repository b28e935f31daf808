# SPDX-License-Identifier: MIT
"""make_trace - small ovni v3 traces, right or wrong, from a few words.

    make_trace.make("t", ["event 10 OHx i32 0 i32 -1 u64 0",
                          "json ovni.loom \"n.1\""])

A trace has the directory loom.n.0/proc.9/thread.TID for each thread; the first
one is thread 10. Edits change the thread that was begun last:

  thread TID [FOLDER]     begins another thread, with the same tables
  threads N               begins N more threads
  json KEY VALUE          sets a key of stream.json, "a.b.c", to JSON
  json KEY                removes the key
  json-text TEXT          the bytes of stream.json (Python's escapes)
  event TIME NAME ARG...  an event instead of the usual two; ARGs are pairs
                          of a type (i32 u32 i64 u64 str hex, text: a string
                          of so many letters) and a value; a name that ends
                          with + is a jumbo
  repeat N event...       the same event N times, each 1 ns later, or as many
                          as are added to the time: 10+33
  count N event...        N times at one time, with 1, 2... for each %
  bytes HEX               appends raw bytes to the stream
  cut N                   takes N bytes off the end of the stream
  header HEX              instead of the 8 bytes of the header
  no stream.obs           leaves out a file; or stream.json
"""
import json
import os
import shlex
import struct

HEADER = b"ovni" + struct.pack("<I", 1)
FORMATS = {"i32": "<i", "u32": "<I", "i64": "<q", "u64": "<Q"}
FIRST = 10
LIFE = [["10", "OHx", "i32", "0", "i32", "-1", "u64", "0"], ["50", "OHe"]]


def metadata(tid):
    return {
        "version": 3,
        "ovni": {
            "lib": {"version": "1.14.0", "commit": "x"},
            "part": "thread",
            "tid": tid,
            "pid": 9,
            "loom": "n.0",
            "app_id": 1,
            "require": {"ovni": "1.1.0", "nanos6": "1.1.0"},
            "loom_cpus": [{"index": 0, "phyid": 3}, {"index": 1, "phyid": 1}],
            "finished": 1,
        },
    }


def payload(args):
    data = b""
    for kind, value in zip(args[::2], args[1::2]):
        if kind == "str":
            data += value.encode() + b"\0"
        elif kind == "text":
            data += b"x" * int(value) + b"\0"
        elif kind == "hex":
            data += bytes.fromhex(value)
        else:
            data += struct.pack(FORMATS[kind], int(value, 0))
    return data


def event(time, name, *args):
    data = payload(args)
    if name.endswith("+"):
        flags, data = 0x10 | 3, struct.pack("<I", len(data)) + data
    else:
        flags = max(len(data) - 1, 0)
    return (bytes([flags]) + name[:3].encode("latin-1") +
            struct.pack("<q", int(time, 0)) + data)


class Thread:
    def __init__(self, tid, folder=None):
        self.folder = folder or f"loom.n.0/proc.9/thread.{tid}"
        self.json, self.text = metadata(tid), None
        self.header, self.events, self.tail = HEADER, None, b""
        self.left_out, self.less = [], 0

    def edit(self, verb, *args):
        getattr(self, "do_" + verb.replace("-", "_"))(*args)

    def do_json(self, path, value=None):
        *parents, key = path.split(".")
        place = self.json
        for parent in parents:
            place = place.setdefault(parent, {})
        if value is None:
            del place[key]
        else:
            place[key] = json.loads(value)

    def do_json_text(self, text=""):
        self.text = text.encode().decode("unicode_escape").encode("latin-1")

    def do_event(self, *words):
        self.events = self.events or bytearray()
        self.events += event(*words)

    def do_repeat(self, n, _, time, *words):
        first, _, step = time.partition("+")
        for i in range(int(n)):
            self.do_event(str(int(first, 0) + i * int(step or 1)), *words)

    def do_count(self, n, _, *words):
        for i in range(1, int(n) + 1):
            self.do_event(*(word.replace("%", str(i)) for word in words))

    def do_bytes(self, *data):
        self.tail += bytes.fromhex("".join(data))

    def do_cut(self, n):
        self.less = int(n)

    def do_header(self, data=""):
        self.header = bytes.fromhex(data)

    def do_no(self, name):
        self.left_out.append(name)

    def stream(self):
        events = self.events
        if events is None:
            events = b"".join(event(*words) for words in LIFE)
        data = self.header + bytes(events) + self.tail
        return data[:len(data) - self.less]

    def write(self, root):
        folder = os.path.join(root, self.folder)
        os.makedirs(folder, exist_ok=True)
        text = self.text
        if text is None:
            text = json.dumps(self.json, indent=1).encode() + b"\n"
        for name, data in (("stream.json", text),
                           ("stream.obs", self.stream())):
            if name not in self.left_out:
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(data)


def words_of(edit):
    """Splits words as a shell would, but JSON keeps its quotes."""
    if edit.startswith("json"):
        return edit.split(None, 1 if edit.startswith("json-text") else 2)
    return shlex.split(edit)


def make(root, edits):
    threads = [Thread(FIRST)]
    for edit in map(words_of, edits):
        if edit[0] == "thread":
            threads.append(Thread(int(edit[1]), *edit[2:]))
        elif edit[0] == "threads":
            threads += [Thread(FIRST + 1 + i) for i in range(int(edit[1]))]
        else:
            threads[-1].edit(*edit)
    for thread in threads:
        thread.write(root)
