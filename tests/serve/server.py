# SPDX-License-Identifier: MIT
"""Starts a `weft view` for a test and sends it requests byte by byte."""
import atexit
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True

ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/\?t=([\w-]{22})")
SECONDS = 60  # seconds that each wait may take on a busy machine


class Answer:
    def __init__(self, data):
        head, _, self.body = data.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        first = lines[0].split(" ")
        self.status = int(first[1]) if len(first) > 1 else 0
        self.headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            self.headers[name.lower()] = value.strip()

    def json(self):
        return json.loads(self.body)


class Server:
    def __init__(self, weft, *args, cwd=None, env=None, line=None,
                 preexec_fn=None):
        """line: a command that starts the server, instead of args."""
        self.process = subprocess.Popen(
            line or [weft, "view", "--no-open", *args], cwd=cwd, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env={**os.environ, **(env or {})},
            preexec_fn=preexec_fn)
        atexit.register(self.process.kill)  # for a test that ends early
        self.printed = []
        found = None
        late = threading.Timer(SECONDS, self.process.kill)
        late.start()
        while not found:
            line = self.process.stdout.readline()
            if not line:
                break
            self.printed.append(line.rstrip("\n"))
            found = ADDRESS.search(line)
        late.cancel()
        if not found:
            self.process.kill()
            raise RuntimeError("no address: %s%s" % (
                self.printed, self.process.stderr.read()))
        self.port, self.token = int(found[1]), found[2]
        self.host = f"127.0.0.1:{self.port}"

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port),
                                        timeout=SECONDS)

    def raw(self, data):
        """Sends bytes; returns all that arrives until the server closes the
        connection."""
        with self.connect() as sock:
            try:
                sock.sendall(data)
            except OSError:
                pass  # the server has answered and closed its side
            return Answer(read_all(sock))

    def ask(self, target, *more, method="GET", host=None, token=True):
        """Sends a GET request. host: "" sends no Host header, newlines
        separate several."""
        return self.raw(self.request(target, *more, method=method, host=host,
                                     token=token))

    def request(self, target, *more, method="GET", host=None, token=True):
        """Returns the bytes of a request."""
        lines = [f"{method} {target} HTTP/1.1", "Connection: close"]
        hosts = self.host if host is None else host
        lines += ["Host: " + name for name in hosts.split("\n") if name]
        if token:
            lines.append("Authorization: Bearer " + self.token)
        lines += more
        return "\r\n".join([*lines, "", ""]).encode("latin-1")

    def base(self, trace=0):
        gen = self.ask("/v1/traces").json()["traces"][trace]["gen"]
        return f"/v1/{trace}/{gen}/"

    def stop(self, number=signal.SIGINT):
        """Ends the server; returns its exit code and its output."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, "\n".join(self.printed) + out, err


def read_all(sock):
    data = b""
    try:
        while True:
            more = sock.recv(1 << 16)
            if not more:
                break
            data += more
    except OSError:
        pass
    return data


class Points:
    """Prints the lines of a TAP test."""

    def __init__(self):
        self.n = self.failed = 0

    def point(self, name, *problems):
        problems = [problem for problem in problems if problem]
        self.n += 1
        self.failed += bool(problems)
        for problem in problems:
            print("#", str(problem)[:500].replace("\n", "\n# "))
        print("not ok" if problems else "ok", self.n, "-", name, flush=True)

    def skip(self, name, why):
        self.n += 1
        print(f"ok {self.n} - {name} # SKIP {why}", flush=True)

    def equal(self, name, got, want):
        self.point(name, got != want and f"got {got!r}, want {want!r}")

    def end(self):
        print(f"1..{self.n}")
        sys.exit(self.failed > 0)


def wait_for(what, seconds=SECONDS):
    """Calls a function until its result is true; returns the result."""
    end = time.monotonic() + seconds
    got = what()
    while not got and time.monotonic() < end:
        time.sleep(0.05)
        got = what()
    return got


class Listener:
    """A page that listens for events."""

    def __init__(self, server, base):
        self.sock = server.connect()
        self.sock.sendall(
            f"GET {base}events HTTP/1.1\r\nHost: {server.host}\r\n"
            f"Authorization: Bearer {server.token}\r\n\r\n".encode())
        self.got = []  # (name, JSON)
        self.data = b""
        while b": weft\n\n" not in self.data:
            self.data += self.sock.recv(4096)
        self.parse()

    def read_until(self, what):
        while not what():
            more = self.sock.recv(4096)
            if not more:
                raise RuntimeError(f"no more events after {self.got}")
            self.data += more
            self.parse()

    def parse(self):
        while True:
            found = re.search(rb"event: (\w+)\ndata: (.*)\n\n", self.data)
            if not found:
                return
            self.got.append((found[1].decode(), json.loads(found[2])))
            self.data = self.data[found.end():]

    def wait(self, name, state=None, after=None):
        """Returns the next event of that name and state, or with more
        records."""
        def find():
            return next((event for event in self.got if event[0] == name and
                         (state is None or event[1]["state"] == state) and
                         (after is None or event[1]["records"] > after)), None)
        self.read_until(find)
        event = find()
        self.got.remove(event)
        return event[1]

    def close(self):
        self.sock.close()
