# SPDX-License-Identifier: MIT
"""kit - runs a traced program and reads its trace; for tests that print TAP.

    @case
    def a_child_records_nothing(run):
        run("fork")
        check(len(run.trace()) == 2, "streams")

Each case has a directory of its own, and another one for rings. A case fails
if a ring or a process is left at its end."""
import glob
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

sys.dont_write_bytecode = True
BUILD, ACT, REOPEN, WEFT = map(os.path.abspath, sys.argv[1:5])
PVCHECK = f"{BUILD}/tests/pvcheck/pvcheck"
SHM = "/dev/shm"
CASES = []
# the emulator, if programs were built for another processor
EMULATOR = os.environ.get("MESON_EXE_WRAPPER", "").split()


class Wrong(Exception):
    """A failed check, with what is wrong."""


class Skip(Exception):
    """The reason why the case cannot run on this machine."""


def case(function):
    CASES.append(function)
    return function


def check(is_so, what):
    if not is_so:
        raise Wrong(what)


def same(got, want, what):
    if got != want:
        raise Wrong(f"{what}: got {got!r:.600}, want {want!r:.600}")


def options():
    """Returns the sanitizer that the library was built with: none, address...,
    thread."""
    with open(f"{BUILD}/meson-info/intro-buildoptions.json",
              encoding="utf-8") as file:
        return {o["name"]: o["value"] for o in json.load(file)}


# after that time a command counts as hung; load only makes it slower
SECONDS = 300
RING_PAGE = 4096  # header of a ring file: src/inproc/core/ringfile.h
SANITIZER = options().get("b_sanitize", "none")


@dataclass
class Event:
    code: str
    time: int
    data: bytes

    @property
    def number(self):
        return struct.unpack_from("<q", self.data)[0]


def events_of(data):
    """Returns the events, and the number of remaining bytes that form no
    event."""
    found, at = [], 0
    while at + 12 <= len(data):
        flags = data[at]
        if flags & 16:
            if at + 16 > len(data):
                break
            size = 4 + struct.unpack_from("<I", data, at + 12)[0]
        else:
            size = (flags & 15) + 1 if flags & 15 else 0
        if at + 12 + size > len(data):
            break
        found.append(Event(data[at + 1:at + 4].decode(),
                           struct.unpack_from("<Q", data, at + 4)[0],
                           data[at + 12:at + 12 + size]))
        at += 12 + size
    return found, len(data) - at


class Stream:
    """A stream's directory: its metadata, and its events with those in the
    ring."""

    def __init__(self, folder, with_ring=False):
        self.folder = folder
        with open(f"{folder}/stream.json", encoding="utf-8") as file:
            self.meta = json.load(file)
        self.ovni, self.weft = self.meta["ovni"], self.meta["weft"]
        with open(f"{folder}/stream.obs", "rb") as file:
            data = file.read()
        same(data[:8], b"ovni\1\0\0\0", "head of a stream")
        if with_ring:
            data = data[:8] + self.with_ring(data[8:])
        self.events, left = events_of(data[8:])
        same(left, 0, f"bytes behind the last event of {folder}")
        times = [event.time for event in self.events]
        check(times == sorted(times), f"time goes back in {folder}")

    def with_ring(self, data):
        ring = self.weft["ring"]
        with open(ring["file"], "rb") as file:
            page = file.read(RING_PAGE)
            bytes_ = file.read()
        ident, size, skip = struct.unpack_from("<QQQ", page, 24)
        head, = struct.unpack_from("<Q", page, 64)
        same(f"{ident:016x}", ring["id"], "id of the ring")
        at = len(data) + skip
        return data + bytes(bytes_[p % size] for p in range(at, head))

    def codes(self):
        return [event.code for event in self.events]

    def numbers(self):
        return [e.number for e in self.events if e.code == "OM="]

    def lost(self):
        return sum(n for _, _, n in self.weft.get("lost", []))

    @property
    def is_finished(self):
        return self.ovni.get("finished") == 1


def runnable(argv):
    """Returns the command, with the processor emulator before the built
    program."""
    at = next((i for i, word in enumerate(argv)
               if EMULATOR and word.startswith(BUILD + "/")), len(argv))
    return argv[:at] + EMULATOR * (at < len(argv)) + argv[at:]


def not_emulated(call):
    """Skips the case if the processor emulator lacks that system call."""
    if EMULATOR:
        raise Skip(f"{os.path.basename(EMULATOR[0])} has no {call}")


@dataclass
class Done:
    code: int
    out: str
    err: str


class Run:
    """Runs one case, in a directory of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.rings = tempfile.mkdtemp(prefix="rings-", dir=SHM)
        os.chmod(folder, 0o777)
        os.chmod(self.rings, 0o777)
        self.last = None

    def env(self, more):
        keep = ("PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS",
                "ASAN_SYMBOLIZER_PATH", "LD_LIBRARY_PATH")
        env = {name: os.environ[name] for name in keep if name in os.environ}
        env.update(WEFT_RING_DIR=self.rings, LC_ALL="C")
        env.update(more)
        return env

    def command(self, *argv, cwd=None, stdin=None, **env):
        done = subprocess.run(runnable([str(a) for a in argv]),
                              cwd=cwd or self.folder, env=self.env(env),
                              capture_output=True, timeout=SECONDS,
                              input=stdin, text=True, errors="replace",
                              check=False)
        self.last = Done(done.returncode, done.stdout, done.stderr)
        return self.last

    def __call__(self, *argv, wrap=(), code=7, warnings=0, **env):
        """Runs act ARGV..., and checks that it prints and exits as if not
        traced."""
        done = self.command(*wrap, ACT, *argv, **env)
        same(done.code, code, f"exit code of {argv}, which said {done.err}")
        if code == 7:
            same(done.out, "acted\n", "output")
        if warnings is not None:
            same(done.err.count("WARN"), warnings, f"warnings in {done.err}")
        return done

    def trace(self, folder="ovni", with_ring=False):
        found = glob.glob(f"{self.folder}/{folder}/loom.*/proc.*/thread.*")
        return [Stream(path, with_ring) for path in sorted(found)
                if os.path.exists(f"{path}/stream.json")]

    def findings(self, folder):
        """Returns the findings of weft check, except those about slow
        writes."""
        done = self.command(WEFT, "check", folder)
        text = done.out + done.err
        check(done.code in (0, 1), f"weft check: exit code {done.code}: {text}")
        found = re.findall(r"^ +\d+  (error|warning) +(.*)$", text, re.M)
        found = [(one[0], one[1].replace(" in N intervals", ""))
                 for one in found if "flushing took" not in one[1]]
        return list(dict.fromkeys(found))

    def clean(self, folder="ovni"):
        """Checks that weft check and weft emu find nothing."""
        same(self.findings(folder), [], "findings")
        same(self.command(WEFT, "emu", folder).code, 0, "weft emu")
        self.paraver_takes(folder + ".weft")

    def readable(self, folder="ovni"):
        """Checks that weft check and weft emu read the trace and find no
        error."""
        same([one for one in self.findings(folder) if one[0] == "error"], [],
             "errors")
        same(self.command(WEFT, "emu", folder).code, 0, "weft emu")
        self.paraver_takes(folder + ".weft")

    def paraver_takes(self, out):
        """Checks with pvcheck every file of the directory, except timelines
        without a record."""
        done = self.command(PVCHECK, "-q", "-x", "6", out)
        same((done.code, done.out), (0, ""), "pvcheck")

    def rings_left(self):
        return sorted(glob.glob(f"{self.rings}/*.ring"))

    def close(self):
        shutil.rmtree(self.rings, ignore_errors=True)


def run_case(function):
    with tempfile.TemporaryDirectory(prefix="weft-rt-") as folder:
        run = Run(folder)
        try:
            function(run)
            if not getattr(function, "dies", False):
                same(run.rings_left(), [], "rings that are left")
        finally:
            run.close()


def may_mount():
    return os.geteuid() == 0 and subprocess.run(
        ["unshare", "-m", "true"], check=False,
        stderr=subprocess.DEVNULL).returncode == 0


LOST = re.compile(r"weft: (\d+) events were not recorded")


def mount(command):
    """Makes a wrap: a shell command that runs in the case's directory
    ($FOLDER) and makes mounts in a mount namespace of its own. This needs
    root, and a container that allows it."""
    if not may_mount():
        raise Skip("no mounts of its own: needs root, outside a container")
    return ("unshare", "-m", "sh", "-ec", command + '; exec "$@"', "sh")


def small(options, then=":"):
    """Makes a wrap: the trace's directory is on a tmpfs of its own."""
    if options[0].isdigit():
        options = "size=" + options
    return mount(f"mkdir -p ovni; mount -t tmpfs -o {options} small ovni; "
                 + then)


# copies the trace out of the mount, which the kernel removes with its namespace
KEEP = ("sh", "-c", '"$@"; rc=$?; cp -r ovni kept; exit $rc', "sh")


def locked_parent():
    """Returns the outermost directory above the build that other users cannot
    enter."""
    at = ""
    for name in BUILD.split("/")[1:]:
        at += "/" + name
        if not os.stat(at).st_mode & 1:
            return at
    return None


def opened_build():
    """Returns a command prefix that lets other users enter the build. In the
    outermost directory that they could not enter, they see only the build."""
    locked = locked_parent()
    if locked is None:
        return ()
    return mount(f'umask 022; kept=$(mktemp -d); '
                 f'mount --bind "{BUILD}" "$kept"; '
                 f'mount -t tmpfs -o mode=755 opened "{locked}"; '
                 f'mkdir -p "{BUILD}"; mount --bind "$kept" "{BUILD}"')


def nobody():
    """Makes a wrap: the command runs as a user without privileges."""
    if os.geteuid() != 0:
        raise Skip("needs root to be somebody else")
    return (*opened_build(), "setpriv", "--reuid=65534", "--regid=65534",
            "--clear-groups", "--bounding-set=-all", "--inh-caps=-all")


def lost(done):
    found = LOST.search(done.err)
    return int(found.group(1)) if found else 0


def on_tmpfs():
    """Restarts this test with its files in memory if that is allowed, because
    tests with thousands of files are slow on a busy disk."""
    if "KIT_TMPFS" in os.environ or not may_mount():
        return
    script = ('d=$(mktemp -d); unshare -m sh -c \'mount -t tmpfs kit "$0" && '
              'TMPDIR=$0 KIT_TMPFS=$0 exec "$@"\' "$d" "$@"; '
              'rc=$?; rmdir "$d"; exit $rc')
    os.execvp("sh", ["sh", "-c", script, "sh"] + sys.argv)


def main():
    on_tmpfs()
    only = sys.argv[5:]
    cases = [c for c in CASES if not only or c.__name__ in only]
    failed = 0
    print(f"1..{len(cases)}")
    for i, function in enumerate(cases, 1):
        name, begin = function.__name__.replace("_", " "), time.time()
        word, why = "ok", ""
        try:
            run_case(function)
        except Skip as skip:
            why = f" # SKIP {skip}"
        except (Wrong, subprocess.TimeoutExpired, OSError, ValueError,
                KeyError, IndexError) as wrong:
            word, failed = "not ok", failed + 1
            text = f"{type(wrong).__name__}: {wrong}"
            print("# " + text.replace("\n", "\n# "))
        if os.environ.get("TIMES"):
            why += f" ({time.time() - begin:.1f} s)"
        print(f"{word} {i} - {name}{why}", flush=True)
    sys.exit(failed > 0)
