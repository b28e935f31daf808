# SPDX-License-Identifier: MIT
"""The golden traces, unpacked, and what weft makes of them."""
import csv
import glob
import os
import subprocess
import sys
import tarfile

HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN = os.path.join(HERE, "../golden")
TEXT = os.path.join(HERE, "../emu")


def unpack(name, to):
    with tarfile.open(os.path.join(GOLDEN, name)) as tar:
        tar.extractall(to, filter="data") if sys.version_info >= (3, 12) \
            else tar.extractall(to)


def golden(tmp):
    """Returns [(name, path)] of the golden traces: of ovni, of CTF, by hand."""
    unpack("ovni-cases.tar.xz", os.path.join(tmp, "ovni"))
    unpack("ctf-traces.tar.xz", os.path.join(tmp, "ctf"))
    found = [("ovni-fib", os.path.join(GOLDEN, "ovni-fib/trace")),
             ("ovni-block-ext", os.path.join(GOLDEN, "ovni-block-ext/trace"))]
    for path in sorted(glob.glob(os.path.join(tmp, "*/*/*/trace"))):
        name = path.split(os.sep)[-2]
        if not name.startswith("f-"):  # damaged on purpose
            found.append((name, path))
    return found


def run(*args, ok=(0, 1), **more):
    """Runs a command; returns the finished process."""
    done = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=120, **more)
    if done.returncode not in ok:
        sys.exit(f"Bail out! {' '.join(args)}: exit code {done.returncode}: "
                 f"{done.stderr.decode(errors='replace')[:400]}")
    return done


class Records:
    """The records of a trace as CSV has them."""

    def __init__(self, weft, trace, tmp, *options):
        path = os.path.join(tmp, "states.csv")
        run(weft, "convert", "-q", trace, "-o", path, *options)
        with open(path, encoding="utf-8", errors="replace",
                  newline="") as file:
            reader = csv.reader(file)
            self.unit = next(reader)[0].removeprefix("time_")
            self.lines = [(int(f[0]), f[1], f[2], f[3], f[4], f[5], int(f[6]))
                          for f in reader]

    def series(self):
        """Returns {(class, row, key): [(time, value, label)]}, in order."""
        found = {}
        for time, kind, row, key, value, label, _ in self.lines:
            found.setdefault((kind, row, key), []).append((time, value, label))
        return found


def steps(changes, end):
    """Returns what a row shows as [(time, name)]: the last change of each time
    counts, names are those shown for longer than nothing, and "" is nothing."""
    last = {}
    for time, name in changes:
        last[time] = name
    found, now = [], ""
    for time in sorted(last):
        if last[time] != now and time < end:
            found.append((time, last[time]))
            now = last[time]
    return found


class Tap:
    """Prints results of tests in TAP."""

    def __init__(self):
        self.n = self.failed = 0

    def check(self, name, problems):
        self.n += 1
        problems = list(problems)
        for problem in problems[:6]:
            print(f"# {name}: {problem}")
        self.failed += bool(problems)
        print(f"{'not ok' if problems else 'ok'} {self.n} - {name}")

    def skip(self, name, why):
        self.n += 1
        print(f"ok {self.n} - {name} # SKIP {why}")

    def end(self):
        print(f"1..{self.n}")
        sys.exit(self.failed > 0)
