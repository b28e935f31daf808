# SPDX-License-Identifier: MIT
"""Reads a Perfetto trace with protoc and tests/proto/weft-trace.proto, and
replays it."""
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
PROTO = os.path.join(HERE, "../proto")


def unquote(text):
    return text[1:-1].encode("latin-1").decode("unicode_escape") \
        .encode("latin-1").decode("utf-8")


def parse(lines):
    """Returns a message as {field: [values]}; fields without a name stay
    numbers."""
    found = {}
    for line in lines:
        line = line.strip()
        if line == "}":
            return found
        if line.endswith("{"):
            found.setdefault(line[:-2], []).append(parse(lines))
            continue
        name, value = line.split(": ", 1)
        if value.startswith('"'):
            value = unquote(value)
        elif value.lstrip("-").isdigit():
            value = int(value)
        elif value.startswith("0x"):
            value = int(value, 16)
        found.setdefault(name, []).append(value)
    return found


def decode(schema, message, data):
    """Returns a message that protoc decodes with a schema of tests/proto."""
    text = subprocess.run(
        ["protoc", "-I", PROTO, f"--decode={message}", schema],
        input=data, stdout=subprocess.PIPE, check=True, timeout=120).stdout
    return parse(iter(text.decode("ascii").splitlines()))


def numbered(message):
    """Yields the fields that the schema does not have."""
    for name, values in message.items():
        if name.isdigit():
            yield name
        for value in values:
            if isinstance(value, dict):
                yield from numbered(value)


class Replay:
    """The tracks of a trace with what happens on them, in order of time;
    problems has what a reader would refuse."""

    def __init__(self, data):
        self.problems, self.tracks, self.names = [], {}, {}
        self.flows, self.events, self.clocks = {}, [], {}
        self.clock = None  # of packets that name none
        self.sum = {}  # incremental clock: time of its last packet
        for n, packet in enumerate(
                decode("weft-trace.proto", "Trace", data).get("packet", [])):
            self.packet(n, packet)
        self.events.sort(key=lambda e: e[0])  # stable, as readers do it
        for flow, ends in self.flows.items():
            if sorted(end for end, _ in ends) != ["from", "to"]:
                self.problems.append(f"flow {flow} has {ends}")
        self.shown = self.replay()

    def packet(self, n, packet):
        for field in numbered(packet):
            self.problems.append(f"packet {n}: unknown field {field}")
        if packet.get("trusted_packet_sequence_id") != [1]:
            self.problems.append(f"packet {n} has no sequence")
        flags = packet.get("sequence_flags", [0])[0]
        if (n == 0) != (flags & 1 == 1) or \
                (n == 0) != ("first_packet_on_sequence" in packet):
            self.problems.append(f"packet {n}: flags {flags}")
        for defaults in packet.get("trace_packet_defaults", []):
            self.clock = defaults["timestamp_clock_id"][0]
        for snapshot in packet.get("clock_snapshot", []):
            self.snapshot(n, snapshot)
        for data in packet.get("interned_data", []):
            for name in data["event_names"]:
                if name["iid"][0] in self.names:
                    self.problems.append(f"iid {name['iid']} is there twice")
                self.names[name["iid"][0]] = name["name"][0]
        for track in packet.get("track_descriptor", []):
            self.describe(track)
        for event in packet.get("track_event", []):
            if "name_iid" in event and not flags & 2:
                self.problems.append(f"packet {n} needs no state")
            self.event(n, self.time(n, packet), event)

    def snapshot(self, n, snapshot):
        for clock in snapshot["clocks"]:
            number, time = clock["clock_id"][0], clock["timestamp"][0]
            self.clocks[number] = time
            if "is_incremental" in clock:
                self.sum[number] = time
                if not 64 <= number < 128:
                    self.problems.append(f"packet {n}: clock {number} is no "
                                         "clock of a sequence")
        if len({time for number, time in self.clocks.items()
                if number != 1}) != 1:
            self.problems.append(f"packet {n}: clocks {self.clocks}")

    def time(self, n, packet):
        """Returns the time of a packet on the clock of the trace. Clocks that
        are no clock of the sequence show that time themselves."""
        time = packet["timestamp"][0]
        clock = packet.get("timestamp_clock_id", [self.clock])[0]
        if clock not in self.clocks:
            self.problems.append(f"packet {n}: clock {clock} is not known")
        if clock not in self.sum:
            return time
        self.sum[clock] += time
        return self.sum[clock]

    def describe(self, track):
        uuid = track["uuid"][0]
        parent = track.get("parent_uuid", [0])[0]
        if parent and parent not in self.tracks:
            self.problems.append(f"track {uuid} has no parent {parent}")
        if track.get("sibling_merge_behavior") != ["NONE"]:
            self.problems.append(f"track {uuid} may be merged")
        self.tracks[uuid] = {
            "parent": parent, "name": track["name"][0],
            "about": track.get("description", [""])[0],
            "counter": "counter" in track, "state": "state" in track,
            "thread": track.get("thread", [None])[0]}

    def event(self, n, time, event):
        uuid, kind = event["track_uuid"][0], event["type"][0]
        if uuid not in self.tracks:
            self.problems.append(f"packet {n}: track {uuid} is not described")
        if "name_iid" in event:
            name = self.names.get(event["name_iid"][0])
            if name is None:
                self.problems.append(f"packet {n}: iid is not declared")
        else:
            name = event.get("name", [None])[0]
        if (kind == "COUNTER") != self.tracks[uuid]["counter"]:
            self.problems.append(f"packet {n}: {kind} on track {uuid}")
        for flow in event.get("flow_ids", []):
            self.flows.setdefault(flow, []).append(("from", time))
        for flow in event.get("terminating_flow_ids", []):
            self.flows.setdefault(flow, []).append(("to", time))
        self.events.append((time, uuid, kind, name, event))

    def replay(self):
        """Returns {uuid: [(time, name on top)]}; checks that slices nest."""
        shown, stacks, self.depth = {}, {}, {}
        for time, uuid, kind, name, event in self.events:
            stack = stacks.setdefault(uuid, [])
            if kind == "SLICE_BEGIN":
                if name is None:
                    self.problems.append(f"a slice of {uuid} has no name")
                stack.append(name)
                self.depth[uuid] = max(self.depth.get(uuid, 0), len(stack))
            elif kind == "SLICE_END":
                if not stack:
                    self.problems.append(f"track {uuid} ends nothing: {time}")
                    continue
                stack.pop()
            elif kind == "STATE":
                stack[:] = [name] if name is not None else []
            elif kind == "COUNTER":
                stack[:] = [str(event["counter_value"][0])]
            else:
                shown.setdefault(uuid, []).append((time, name))
                continue
            shown.setdefault(uuid, []).append(
                (time, stack[-1] if stack else ""))
        for uuid, stack in stacks.items():
            if stack and not self.tracks[uuid]["counter"]:
                self.problems.append(f"track {uuid} ends with {stack}")
        return shown

