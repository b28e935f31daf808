# SPDX-License-Identifier: MIT
"""ctf2 - describes a trace once, and writes it as CTF 1.8 and as CTF 2: the
streams are the same bytes, the metadata differs.

    ctf2.write(folder, ctf2.SAMPLE, version=2)

A field class is an object with tsdl(), json() and put(bits, value). Classes
that only CTF 2 has raise TypeError in tsdl().
"""
import json
import os
import struct
import sys

UUID = bytes(range(0x10, 0x20))
MAGIC = 0xc1fc1fc1


class Bits:
    """A packet that is being written. The first bit of a little-endian number
    is its lowest one, of a big-endian number its highest one."""

    def __init__(self):
        self.data = bytearray()
        self.n = 0

    def align(self, to):
        while self.n % to:
            self.bit(0)

    def bit(self, value, high_first=False):
        if self.n % 8 == 0:
            self.data.append(0)
        if value:
            self.data[-1] |= 1 << (7 - self.n % 8 if high_first
                                   else self.n % 8)
        self.n += 1

    def number(self, value, size, big):
        for i in range(size):
            self.bit(value >> (size - 1 - i if big else i) & 1, big)

    def bytes(self, data):
        self.align(8)
        self.data += data
        self.n += 8 * len(data)


def order(big):
    return "big-endian" if big else "little-endian"


class Int:
    def __init__(self, size, signed=False, big=False, align=None, base=10,
                 labels=None, role=None, clock=False):
        self.size, self.signed, self.big, self.base = size, signed, big, base
        self.align = align or (8 if size % 8 == 0 else 1)
        self.labels, self.role, self.clock = labels, role, clock

    def tsdl(self):
        text = (f"integer {{ size = {self.size}; align = {self.align}; signed "
                f"= {int(self.signed)}; base = {self.base}; byte_order = "
                f"{'be' if self.big else 'le'}; "
                + ("map = clock.c.value; " if self.clock else "") + "}")
        if not self.labels:
            return text
        rows = [f'"{name}" = {lo} ... {hi}' for name, ranges
                in self.labels.items() for lo, hi in ranges]
        return f"enum : {text} {{ {', '.join(rows)} }}"

    def json(self):
        kind = "signed" if self.signed else "unsigned"
        v = {"type": f"fixed-length-{kind}-integer", "length": self.size,
             "byte-order": order(self.big), "alignment": self.align,
             "preferred-display-base": self.base}
        if self.labels:
            v["mappings"] = self.labels
        if self.role:
            v["roles"] = [self.role]
        return v

    def put(self, bits, value):
        bits.align(self.align)
        bits.number(value, self.size, self.big)


class Float:
    align = 8

    def __init__(self, size, big=False):
        self.size, self.big = size, big

    def tsdl(self):
        digits = {32: (8, 24), 64: (11, 53)}[self.size]
        return (f"floating_point {{ exp_dig = {digits[0]}; mant_dig = "
                f"{digits[1]}; align = 8; byte_order = "
                f"{'be' if self.big else 'le'}; }}")

    def json(self):
        return {"type": "fixed-length-floating-point-number",
                "length": self.size, "byte-order": order(self.big),
                "alignment": 8}

    def put(self, bits, value):
        code = {16: "e", 32: "f", 64: "d"}[self.size]
        bits.bytes(struct.pack((">" if self.big else "<") + code, value))


class Text:
    align = 8

    def tsdl(self):
        return "string"

    def json(self):
        return {"type": "null-terminated-string"}

    def put(self, bits, value):
        bits.bytes(value.encode() + b"\0")


class Struct:
    def __init__(self, align=1, **members):
        self.members, self.minimum = members, align
        self.align = max([align] + [m.align for m in members.values()])

    def tsdl(self):
        return ("struct { " + " ".join(
            declare(m, "_" + name) for name, m in self.members.items())
            + f" }} align({self.minimum})")

    def json(self):
        return {"type": "structure", "minimum-alignment": self.minimum,
                "member-classes": [{"name": name, "field-class": m.json()}
                                   for name, m in self.members.items()]}

    def put(self, bits, value):
        bits.align(self.align)
        for name, member in self.members.items():
            member.put(bits, value[name])


def declare(member, name):
    """Returns a member in TSDL, whose dimensions stand behind its name."""
    behind = ""
    while isinstance(member, List):
        size = member.length if member.path is None \
            else ".".join("_" + p for p in member.path if p)
        behind += f"[{size}]"
        member = member.element
    if isinstance(member, Variant):
        return member.tsdl() + f" {name};"
    return f"{member.tsdl()} {name}{behind};"


def location(path, origin=None):
    at = {"path": path}
    if origin:
        at["origin"] = origin
    return at


class List:
    """An array of `length` elements, or with a path as many as that field
    says."""

    def __init__(self, element, length=None, path=None, origin=None):
        self.element, self.length = element, length
        self.path, self.origin, self.align = path, origin, element.align

    def json(self):
        v = {"element-field-class": self.element.json()}
        if self.path is None:
            return {"type": "static-length-array", "length": self.length, **v}
        return {"type": "dynamic-length-array", **v, "length-field-location":
                location(self.path, self.origin)}

    def put(self, bits, value):
        bits.align(self.align)
        for one in value:
            self.element.put(bits, one)


class Variant:
    """A value is a pair: name of the option, its value."""
    align = 1

    def __init__(self, path, labels, **options):
        self.path, self.labels, self.options = path, labels, options

    def tsdl(self):
        return (f"variant <{'.'.join('_' + p for p in self.path)}> {{ "
                + " ".join(declare(m, name)
                           for name, m in self.options.items()) + " }")

    def json(self):
        return {"type": "variant",
                "selector-field-location": location(self.path),
                "options": [{"name": name, "field-class": m.json(),
                             "selector-field-ranges": self.labels[name]}
                            for name, m in self.options.items()]}

    def put(self, bits, value):
        self.options[value[0]].put(bits, value[1])


class Raw:
    """A class of CTF 2 alone: its JSON, and how a value becomes bytes."""

    def __init__(self, v, encode=bytes, align=8):
        self.v, self.encode, self.align = v, encode, align

    def tsdl(self):
        raise TypeError("only CTF 2 has this")

    def json(self):
        return self.v

    def put(self, bits, value):
        bits.align(self.align)
        bits.bytes(self.encode(value))


class Inside(Raw):
    """A class of CTF 2 alone around another class; None: no value."""

    def __init__(self, v, inner, align=1):
        super().__init__(v, align=align)
        self.inner = inner

    def put(self, bits, value):
        if value is not None:
            self.inner.put(bits, value)


U8, U16, U32, U64 = (Int(8), Int(16), Int(32), Int(64))
LABELS = {"small": [[0, 9]], "large": [[10, 99], [200, 255]]}


def packet_header():
    return {"magic": Int(32, role="packet-magic-number"),
            "uuid": Raw({"type": "static-length-blob", "length": 16,
                         "roles": ["metadata-stream-uuid"]}),
            "stream_id": Int(32, role="data-stream-class-id"),
            "stream_instance_id": Int(64, role="data-stream-id")}


PACKET_CONTEXT = {
    "timestamp_begin": Int(64, role="default-clock-timestamp", clock=True),
    "timestamp_end": Int(64, role="packet-end-default-clock-timestamp",
                         clock=True),
    "content_size": Int(64, role="packet-content-length"),
    "packet_size": Int(64, role="packet-total-length"),
    "packet_seq_num": Int(64, role="packet-sequence-number"),
    "events_discarded": Int(64,
                            role="discarded-event-record-counter-snapshot"),
    "cpu_id": U32}
HEADER = {"id": Int(16, role="event-record-class-id"),
          "timestamp": Int(64, role="default-clock-timestamp", clock=True)}


class Stream:
    """A stream class, and the packets of its only stream: each is a list of
    events (time, id, common context, payload)."""

    def __init__(self, ident, events, packets, common=None, header=None,
                 head=lambda time, ident: {"id": ident, "timestamp": time},
                 lost=0):
        self.ident, self.events, self.packets = ident, events, packets
        self.common, self.lost, self.head = common, lost, head
        self.header = header or Struct(**HEADER)


# The clock begins an hour and 7 cycles after the epoch.
FREQUENCY, SECONDS, CYCLES = 10 ** 9, 3600, 7
ENV = {"hostname": "here", "domain": "ust", "tracer_name": "lttng-ust",
       "tracer_major": 2, "weft_test": -3}


def packet(stream, at, events):
    """Returns the bytes of one packet, padded by 3 bytes."""
    context = Struct(**PACKET_CONTEXT)
    value = {"timestamp_begin": events[0][0], "timestamp_end": events[-1][0],
             "content_size": 0, "packet_size": 0, "packet_seq_num": at,
             "events_discarded": stream.lost * at, "cpu_id": 3}
    for _ in range(2):
        bits = Bits()
        bits.number(MAGIC, 32, False)
        bits.bytes(UUID)
        bits.number(stream.ident, 32, False)
        bits.number(77, 64, False)
        context.put(bits, value)
        for time, ident, common, payload in events:
            stream.header.put(bits, stream.head(time, ident))
            if stream.common is not None:
                stream.common.put(bits, common)
            stream.events[ident][1].put(bits, payload)
        value["content_size"] = bits.n
        bits.align(8)
        value["packet_size"] = bits.n + 24
    return bytes(bits.data) + b"\xee" * 3


def metadata_1(streams):
    text = ('/* CTF 1.8 */\ntrace { major = 1; minor = 8; uuid = "'
            + UUID.hex() + '"; byte_order = le; packet.header := struct { '
            + U32.tsdl() + " magic; " + U8.tsdl() + " uuid[16]; " + U32.tsdl()
            + " stream_id; " + U64.tsdl() + " stream_instance_id; }; };\n"
            + "env { " + " ".join(f"{k} = {json.dumps(v)};"
                                  for k, v in ENV.items()) + " };\n"
            + f"clock {{ name = c; freq = {FREQUENCY}; offset_s = {SECONDS}; "
            + f"offset = {CYCLES}; }};\n")
    for s in streams:
        header = s.header.tsdl().replace(" _", " ").replace("<_", "<")
        context = Struct(**PACKET_CONTEXT).tsdl().replace(" _", " ")
        text += (f"stream {{ id = {s.ident}; packet.context := {context}; "
                 f"event.header := {header}; "
                 + (f"event.context := {s.common.tsdl()}; "
                    if s.common else "") + "};\n")
        for ident, (name, fields) in s.events.items():
            text += (f'event {{ name = "{name}"; id = {ident}; stream_id = '
                     f"{s.ident}; fields := {fields.tsdl()}; }};\n")
    return text.encode()


def fragments(streams):
    """Returns the fragments of CTF 2 metadata, as a list of objects."""
    found = [{"type": "preamble", "version": 2, "uuid": list(UUID),
              "attributes": {"weft/says": {"a": 1}}},
             {"type": "from-the-future", "anything": [1, {"a": None}]},
             {"type": "clock-class", "id": "c", "frequency": FREQUENCY,
              "origin": "unix-epoch",
              "offset-from-origin": {"seconds": SECONDS, "cycles": CYCLES}},
             {"type": "trace-class", "environment": ENV,
              "packet-header-field-class": Struct(**packet_header()).json()}]
    for s in streams:
        v = {"type": "data-stream-class", "id": s.ident,
             "default-clock-class-id": "c",
             "packet-context-field-class": Struct(**PACKET_CONTEXT).json(),
             "event-record-header-field-class": s.header.json()}
        if s.common is not None:
            v["event-record-common-context-field-class"] = s.common.json()
        found.append(v)
        for ident, (name, fields) in s.events.items():
            found.append({"type": "event-record-class", "id": ident,
                          "data-stream-class-id": s.ident, "name": name,
                          "payload-field-class": fields.json()})
    return found


def metadata_2(found):
    return b"".join(b"\x1e" + json.dumps(v).encode() + b"\n" for v in found)


def write(folder, streams, version, edit=None):
    """Writes a trace. `edit` may change the fragments of CTF 2."""
    os.makedirs(folder)
    found = fragments(streams)
    if edit is not None:
        edit(found)
    with open(os.path.join(folder, "metadata"), "wb") as file:
        file.write(metadata_1(streams) if version == 1
                   else metadata_2(found))
    for s in streams:
        with open(os.path.join(folder, f"stream_{s.ident}"), "wb") as file:
            for at, events in enumerate(s.packets):
                file.write(packet(s, at, events))


def compact_head(time, ident):
    """The header of LTTng: 5 bits of id and 27 of time, or all of both."""
    if ident < 31:
        return {"id": ident,
                "v": ("compact", {"timestamp": time & ((1 << 27) - 1)})}
    return {"id": 31, "v": ("extended", {"id": ident, "timestamp": time})}


COMPACT = {"compact": [[0, 30]], "extended": [[31, 31]]}
COMPACT_HEADER = Struct(
    align=8, id=Int(5, labels=COMPACT, role="event-record-class-id"),
    v=Variant(["id"], COMPACT,
              compact=Struct(timestamp=Int(
                  27, clock=True, role="default-clock-timestamp")),
              extended=Struct(
                  id=Int(32, role="event-record-class-id"),
                  timestamp=Int(64, clock=True,
                                role="default-clock-timestamp"))))

SAMPLE = [
    Stream(0, {
        4: ("numbers", Struct(
            a=U8, b=Int(16, signed=True), c=Int(32, base=16), d=Int(
                64, signed=True), e=Int(64, base=8), f=Int(8, base=2),
            g=Int(32, big=True), h=Int(3), i=Int(5, signed=True), j=Int(13),
            k=Float(32), l=Float(64), m=Float(64, big=True))),
        5: ("lists", Struct(
            n=U16, s=Text(), one=List(U8, length=3),
            many=List(Int(32, signed=True), path=["n"]), empty=List(
                Text(), length=0), texts=List(Text(), path=["n"]),
            two=List(List(U8, length=2), length=2))),
        6: ("choice", Struct(
            tag=Int(8, labels=LABELS), at=Variant(
                ["tag"], LABELS, small=U8,
                large=Struct(x=U32, y=Text())), after=U8)),
        7: ("nested", Struct(
            outer=Struct(align=32, n=U8, inner=Struct(p=U8, q=List(
                U8, path=[None, "n"]))), tail=U8)),
        8: ("nothing", Struct()),
    }, [
        [(1000, 4, {"vtid": 5}, dict(
            a=255, b=-2, c=0xbeef, d=-1 << 63, e=63, f=5, g=0x01020304, h=5,
            i=-3, j=0x1abc, k=0.5, l=-1e300, m=2.25)),
         (1001, 5, {"vtid": -6}, dict(
             n=2, s="one \"two\"\n", one=[1, 2, 3], many=[-1, 7], empty=[],
             texts=["x", "y\\"], two=[[1, 2], [3, 4]]))],
        [(1002, 6, {"vtid": 5}, dict(tag=3, at=("small", 9), after=1)),
         (1003, 6, {"vtid": 5}, dict(
             tag=220, at=("large", {"x": 1, "y": "why"}), after=2)),
         (1004, 7, {"vtid": 5}, dict(
             outer={"n": 2, "inner": {"p": 1, "q": [8, 9]}}, tail=7)),
         (1005, 8, {"vtid": 5}, {})],
    ], common=Struct(vtid=Int(32, signed=True)), lost=3),
    Stream(1, {
        2: ("short", Struct(x=U8)), 40: ("long", Struct(s=Text())),
    }, [
        [(900, 2, None, {"x": 1}), (1 << 27 | 5, 2, None, {"x": 2}),
         (1 << 40, 40, None, {"s": "late"}),
         ((1 << 40) + (1 << 27) - 1, 2, None, {"x": 3}),
         ((1 << 40) + (1 << 27) + 1, 2, None, {"x": 4})],
    ], header=COMPACT_HEADER, head=compact_head),
]


def leb(value):
    """Returns the bytes of a signed integer of variable length."""
    data = bytearray()
    while True:
        byte, value = value & 0x7f, value >> 7
        done = value == (-1 if byte & 0x40 else 0)
        data.append(byte | (0 if done else 0x80))
        if done:
            return bytes(data)


def unsigned(value):
    data = bytearray()
    while value > 0x7f:
        data.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(data) + bytes([value])


def fixed(kind, length, big=False, **more):
    return {"type": f"fixed-length-{kind}", "length": length,
            "byte-order": order(big), **more}


def var(signed=False, **more):
    kind = "signed" if signed else "unsigned"
    return Raw({"type": f"variable-length-{kind}-integer", **more},
               leb if signed else unsigned)


def text(length=None, at=None, encoding=None):
    v = {"type": "null-terminated-string"}
    if length is not None:
        v = {"type": "static-length-string", "length": length}
    if at is not None:
        v = {"type": "dynamic-length-string",
             "length-field-location": location(at)}
    if encoding is not None:
        v["encoding"] = encoding
    return Raw(v, lambda s: s)


def blob(at):
    return Raw({"type": "dynamic-length-blob", "media-type": "image/png",
                "length-field-location": location(at)})


def optional(inner, at, ranges=None, origin=None):
    v = {"type": "optional", "field-class": inner.json(),
         "selector-field-location": location(at, origin)}
    if ranges is not None:
        v["selector-field-ranges"] = ranges
    return Inside(v, inner)


FLAG = Raw(fixed("boolean", 8, alignment=8), lambda v: bytes([v]))
VARIABLE_HEADER = Struct(
    id=var(roles=["event-record-class-id"]),
    timestamp=var(roles=["default-clock-timestamp"]))

# Each event of CTF 2 alone, and what `weft dump --format babeltrace` prints.
ONLY = [
    ("variable", Struct(a=var(), b=var(), c=var(True), d=var(True),
                        e=var(True), f=var(**{"preferred-display-base": 16}),
                        g=var(mappings={"few": [[0, 200]]})),
     dict(a=0, b=(1 << 64) - 1, c=-1, d=-(1 << 63), e=(1 << 63) - 1, f=300,
          g=129),
     "a = 0, b = 18446744073709551615, c = -1, d = -9223372036854775808, "
     "e = 9223372036854775807, f = 0x12C, "
     'g = ( "few" : container = 129 )'),
    ("booleans", Struct(a=FLAG, b=FLAG, c=FLAG, d=Int(8)),
     dict(a=0, b=1, c=0x80, d=9), "a = false, b = true, c = true, d = 9"),
    ("bits", Struct(
        a=Raw(fixed("bit-array", 16, alignment=8), lambda v: v),
        b=Raw(fixed("bit-map", 8, alignment=8, flags={
            "lo": [[0, 1]], "mid": [[4, 4]], "hi": [[6, 7]]}), lambda v: v),
        c=Raw(fixed("bit-map", 8, alignment=8, flags={"x": [[0, 0]]}),
              lambda v: v)),
     dict(a=b"\x34\x12", b=b"\x12", c=b"\x02"),
     'a = 0x1234, b = ( "lo", "mid" : container = 0x12 ), '
     "c = ( <none> : container = 0x2 )"),
    ("bit_order", Struct(
        a=Raw(fixed("unsigned-integer", 8, alignment=8,
                    **{"bit-order": "last-to-first"}), lambda v: v),
        b=Raw(fixed("unsigned-integer", 16, True, alignment=8,
                    **{"bit-order": "first-to-last"}), lambda v: v),
        c=Raw(fixed("signed-integer", 16, True, alignment=8,
                    **{"bit-order": "last-to-first"}), lambda v: v)),
     dict(a=b"\x01", b=b"\x01\x00", c=b"\xff\xfe"),
     "a = 128, b = 128, c = -2"),
    ("floats", Struct(
        a=Raw(fixed("floating-point-number", 16, alignment=8), lambda v: v),
        b=Raw(fixed("floating-point-number", 16, True, alignment=8),
              lambda v: v),
        c=Raw(fixed("floating-point-number", 128, alignment=8), lambda v: v),
        d=Raw(fixed("floating-point-number", 128, True, alignment=8),
              lambda v: v)),
     dict(a=struct.pack("<e", -1.5), b=struct.pack(">e", 6e-8),
          c=(0x3fff8 << 108).to_bytes(16, "little"),
          d=(0xc0004 << 108).to_bytes(16, "big")),
     "a = -1.5, b = 5.96046e-08, c = 1.5, d = -2.5"),
    ("texts", Struct(
        n=U8, a=text(length=4), b=text(length=3), c=text(at=["n"]),
        d=text(encoding="utf-16le"), e=text(encoding="utf-32be"),
        f=text(length=7, encoding="utf-16be"), g=text(
            at=["n"], encoding="utf-32le"), h=text(encoding="utf-16le")),
     dict(n=8, a=b"ab\0c", b=b"xyz", c=b"12345678",
          d="é€😀\0".encode("utf-16-le"), e="😀\0".encode("utf-32-be"),
          f="no\0".encode("utf-16-be") + b"!", g="ü!".encode("utf-32-le"),
          h=b"\x3d\xd8\x41\x00\x00\x00"),
     'n = 8, a = "ab", b = "xyz", c = "12345678", d = "é€😀", e = "😀", '
     'f = "no", g = "ü!", h = "\ufffdA"'),
    ("blobs", Struct(n=U16, a=blob(["n"]), m=U8, b=blob(["m"]), c=Raw(
        {"type": "static-length-blob", "length": 2})),
     dict(n=20, a=bytes(range(20)), m=0, b=b"", c=b"\xff\0"),
     "n = 20, a = { length = 20, 000102030405060708090a0b0c0d0e0f... }, "
     "m = 0, b = { length = 0 }, c = { length = 2, ff00 }"),
    ("options", Struct(
        has=FLAG, a=optional(U32, ["has"]), kind=Int(8, signed=True),
        b=optional(Struct(x=U8, y=Text()), ["kind"], [[-3, -1], [5, 5]]),
        c=optional(U8, ["kind"], [[0, 4]]), d=U8),
     dict(has=1, a=7, kind=-2, b={"x": 1, "y": "yes"}, c=None, d=4),
     'has = true, a = 7, kind = -2, b = { x = 1, y = "yes" }, c = <none>, '
     "d = 4"),
    ("options", None,
     dict(has=0, a=None, kind=0, b=None, c=3, d=5),
     "has = false, a = <none>, kind = 0, b = <none>, c = 3, d = 5"),
    ("places", Struct(
        n=U8, rows=List(Struct(m=U8, up=List(U8, path=[None, "n"]),
                               own=List(U8, path=["m"]), all=List(
                                   U8, path=["rows", "m"],
                                   origin="event-record-payload")), length=2),
        cpu=List(U8, path=["cpu_id"], origin="packet-context")),
     dict(n=2, rows=[dict(m=1, up=[1, 2], own=[3], all=[4]),
                     dict(m=0, up=[5, 6], own=[], all=[])], cpu=[7, 8, 9]),
     "n = 2, rows = [ [0] = { m = 1, up = [ [0] = 1, [1] = 2 ], own = [ [0] "
     "= 3 ], all = [ [0] = 4 ] }, [1] = { m = 0, up = [ [0] = 5, [1] = 6 ], "
     "own = [ ], all = [ ] } ], cpu = [ [0] = 7, [1] = 8, [2] = 9 ]"),
]


def only():
    """Returns the stream of ONLY: its header is of variable length."""
    events, ids, packets = {}, {}, []
    for name, fields, value, _ in ONLY:
        if fields is not None:
            ids[name] = len(ids) + 200
            events[ids[name]] = (name, fields)
        packets.append((1000 + 100 * len(packets), ids[name], None, value))
    return [Stream(0, events, [packets], header=VARIABLE_HEADER)]


def main(folder):
    """Writes all of it as one trace."""
    os.makedirs(folder)
    write(os.path.join(folder, "both"), SAMPLE, 2)
    write(os.path.join(folder, "only"), only(), 2)


if __name__ == "__main__":
    main(sys.argv[1])
