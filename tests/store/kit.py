# SPDX-License-Identifier: MIT
"""kit - runs TAP tests of a store, and starts and stops its server.

    @case
    def what_is_put_is_read_back(server):
        has(write(server.place, 100), "spooled 0 lost 0")
        check(server.place, 100)
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import killed  # noqa: E402
from servers import SECONDS, Skip  # noqa: E402

CLIENT, WEFT, SIMULATOR, VICTIM = map(os.path.abspath, sys.argv[1:5])
HERE = os.path.dirname(os.path.abspath(__file__))
CASES = []


class Wrong(Exception):
    """A failed case, with what is wrong."""


def case(function):
    CASES.append(function)
    return function


def same(got, want, what):
    if got != want:
        raise Wrong(f"{what}: got {got!r:.1500}, want {want!r:.1500}")


def alike(texts, what):
    """Tests that all stores give the same answers; texts holds the expected
    ones."""
    (place, want), *others = texts.items()
    for other, got in others:
        same(got, want, f"{what} of {other}, compared with {place}")


def has(text, part):
    if part not in text:
        raise Wrong(f"no {part!r} in {text!r:.600}")


def run(*args, env=None):
    """Returns the program's output and error output, and its exit code."""
    done = subprocess.run(args, env={**os.environ, **(env or {})}, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=SECONDS,
                          check=False)
    return done.stdout, done.returncode


def check(place, n):
    """Tests that every row is stored once, in order and unchanged."""
    text, code = run(CLIENT, "check", place, str(n))
    same((text, code), ("", 0), f"{n} rows of {place}")


def write(place, n):
    text, _ = run(CLIENT, "write", place, str(n))
    return text


class Writer:
    """Puts half of the rows, calls go_on(), and puts the other half."""

    def __init__(self, place, n, spool, retry_ms=300, timeout_ms=1000):
        self.client = subprocess.Popen(
            [CLIENT, "write", place, str(n), spool, str(retry_ms),
             str(timeout_ms)], text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)
        self.begin = time.monotonic()
        same(self.client.stdout.readline(), "half\n", "writer")

    def go_on(self):
        self.begin = time.monotonic()
        self.client.stdin.write("\n")
        self.client.stdin.flush()

    def end(self):
        """Returns the results of a client: rows stored, spooled, lost,
        retries, the spool file, its message."""
        same(self.client.stdout.readline(), "whole\n", "writer")
        took = time.monotonic() - self.begin
        if took > SECONDS:
            raise Wrong(f"the writer was held up for {took:.1f} s")
        text, _ = self.client.communicate("\n", timeout=SECONDS)
        found = re.match(r"stored (\d+) spooled (\d+) lost (\d+) retries "
                         r"(\d+) spool (.*)\n(.*)\n", text)
        if found is None:
            raise Wrong(f"the writer says {text!r:.600}")
        return [*map(int, found.groups()[:4]), *found.groups()[4:]]


def load(spool, place, *options):
    text, code = run(WEFT, "tasks", "load", spool, place, *options)
    same(code, 0, text)
    return text


def compare(server):
    """Tests that a simulator's run has the same rows in all stores and in a
    copy."""
    places = ["run.db", "csv:run", "run.json", server.fresh("sims")]
    for place in places:
        text, code = run(SIMULATOR, "-m", "6", "-c", "2", "-o", place)
        same(code, 0, text)
    load(places[3], "copy.json")
    for place in places[1:] + ["copy.json"]:
        text, code = run(CLIENT, "same", places[0], place)
        same(code, 0, text)
        if int(text.split()[0]) < 1000:
            raise Wrong(f"only {text} rows")
    for question in (["groups", "--by", "kind,what,location"], ["slowest"],
                     ["where"], ["info"]):
        alike({place: run(WEFT, "tasks", question[0], place, *question[1:])
               for place in places}, f"answer to {question[0]}")


def runs(place):
    """Tests that each simulation adds a run, and that queries refer to the
    last run by default."""
    for n in range(1, 4):
        text, code = run(SIMULATOR, "-m", str(3 + n), "-o", place)
        same((code, "fault" in text), (0, False), text)
    text, _ = run(WEFT, "tasks", "runs", place, "--format", "csv")
    ends = re.findall(r"^(\d),(\d+),0,0,ended$", text, re.M)
    same([n for n, _ in ends], ["1", "2", "3"], text)
    for n, options in ((1, ["--run", "1"]), (2, ["--run", "2"]), (3, [])):
        text, code = run(SIMULATOR, "-m", str(3 + n), "-o", "one.db")
        for question in ("groups", "slowest", "where"):
            alike({"one.db": run(WEFT, "tasks", question, "one.db"),
                   place: run(WEFT, "tasks", question, place, *options)},
                  f"answer to {question} of run {n}")
        alike({"one.db": run(WEFT, "stat", "one.db"),
               place: run(WEFT, "stat", place, *options)}, f"stat of run {n}")
    has(run(WEFT, "tasks", "info", place)[0], "3 of 3")
    has(run(WEFT, "tasks", "info", place, "--run", "9")[0], "no run 9")
    load(place, "second.json", "--run", "2")
    same(run(WEFT, "tasks", "groups", "second.json"),
         run(WEFT, "tasks", "groups", place, "--run", "2"), "the loaded run")
    text, _ = run(WEFT, "tasks", "runs", "second.json", "--format", "csv")
    same(re.findall(r"^(\d),", text, re.M), ["1"], text)
    has(run(WEFT, "tasks", "load", "--run", "9", place, "third.json")[0],
        "has no run 9")
    same(os.path.exists("third.json"), False, "third.json")
    for source in ("one.db", place):
        load(source, "all.json")
    text, _ = run(WEFT, "tasks", "runs", "all.json", "--format", "csv")
    same(re.findall(r"^(\d),", text, re.M), ["1", "2", "3", "4"], text)


def kill_runs(place, times, longest=0.2):
    """Tests simulators that are killed at once or later: the store has
    the tasks of each run, and a simulation that then ends normally adds
    one more."""
    found = killed.Runs(WEFT, VICTIM, place)
    found.kill(times, longest)
    before = found.numbers()
    text, code = run(SIMULATOR, "-m", "4", "-o", place)
    same((code, "fault" in text), (0, False), text)
    same(found.numbers()[:-1], before, "runs")
    for number, told in found.told.items():
        same(found.info("--run", str(number)), told, f"run {number}")


def rows(n):
    """Returns the rows of both tables of content.h."""
    return n + (n + 2) // 3


def main(server):
    """Starts the server, runs all cases, stops the server."""
    failed = 0
    folder = tempfile.mkdtemp(prefix="weft-store-")
    os.chdir(folder)
    print(f"1..{len(CASES)}", flush=True)
    try:
        server.start(folder)
        for n, function in enumerate(CASES, 1):
            try:
                function(server)
                print(f"ok {n} - {function.__name__}", flush=True)
            except Skip as why:
                print(f"ok {n} - {function.__name__} # SKIP {why}")
            except (Wrong, AssertionError, OSError,
                    subprocess.SubprocessError) as why:
                failed += 1
                print(f"# {why}\nnot ok {n} - {function.__name__}",
                      flush=True)
    except Skip as why:
        print(f"ok 1 # SKIP {why}")
        for n, function in enumerate(CASES[1:], 2):
            print(f"ok {n} # SKIP {why}")
    finally:
        server.stop()
        os.chdir(HERE)
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(failed > 0)
