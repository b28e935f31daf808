# SPDX-License-Identifier: MIT
"""What the tests of collectors share: TAP, runs with and without weft run
--collect, and questions to the trace."""
import ctypes
import os
import re
import struct
import subprocess
import sys
import tempfile

WEFT = sys.argv[1]
FOLDER = ""  # set by the test
n = failed = 0


def check(name, ok, *notes):
    global n, failed
    n += 1
    failed += not ok
    for note in notes if not ok else ():
        for line in str(note).split("\n"):
            print("#", line)
    print("ok" if ok else "not ok", n, "-", name, flush=True)


def run(words, prepare=None, **env):
    return subprocess.run(words, capture_output=True, check=False, timeout=100,
                          stdin=subprocess.DEVNULL, env={**os.environ, **env},
                          preexec_fn=prepare)


def forbid_perf(number=298):
    """Forbids perf_event_open(), or the system call of another number, to this
    process, as many containers do."""
    no_new_privileges, seccomp, filters, refused = 38, 22, 2, 13
    libc = ctypes.CDLL(None, use_errno=True)
    steps = b"".join(struct.pack("HBBI", *step) for step in (
        (0x20, 0, 0, 0), (0x15, 0, 1, number),
        (0x06, 0, 0, 0x00050000 | refused), (0x06, 0, 0, 0x7fff0000)))
    code = ctypes.create_string_buffer(steps)
    program = struct.pack("HxxxxxxP", 4, ctypes.addressof(code))
    libc.prctl(no_new_privileges, 1, 0, 0, 0)
    libc.prctl(seccomp, filters, ctypes.c_char_p(program), 0, 0)


def collect(words, what, **env):
    """Returns the result of the program, and its trace or None."""
    out = os.path.join(tempfile.mkdtemp(dir=FOLDER), "r")
    done = run([WEFT, "run", "-q", "-o", out, "--threads", "off", "--collect",
                what, *words], **env)
    trace = os.path.join(out, "ovni")
    return done, trace if os.path.isdir(trace) else None


def ends_alike(want, got):
    """The same output and code; weft run adds lines of its own."""
    lines = b"".join(line for line in got.stderr.splitlines(True)
                     if not line.startswith(b"weft run: "))
    code = want.returncode
    return (got.stdout, lines, got.returncode) == (
        want.stdout, want.stderr, code if code >= 0 else 128 - code)


def skip_without_collectors():
    if run([WEFT, "run", "-o", os.path.join(FOLDER, "probe"), "--collect",
            "locks", "true"]).returncode != 0:
        print("1..0 # SKIP this build has no collectors: a sanitizer wraps "
              "the same functions")
        sys.exit(0)


def events(trace):
    """Returns [(tid, event, arguments in words)] in order of time."""
    text = run([WEFT, "dump", trace]).stdout.decode(errors="replace")
    return [(x[1], x[2], x[3]) for x in
            (line.split(None, 3) for line in text.splitlines())]


def count(trace, *names):
    return sum(event in names for _, event, _ in events(trace))


def spent(trace, state, of="wait.wait"):
    """Returns (ms, times) that all threads spent in a kind of wait, or in a
    state of another type."""
    text = run([WEFT, "stat", "--type", of, trace]).stdout.decode()
    unit = re.search(r"time (\w+) ", text)[1]
    found = re.search(rf"([\d.]+) +[\d.]+ % +(\d+)  {state}\n", text)
    size = {"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1e3}[unit]
    return (float(found[1]) * size, int(found[2])) if found else (0, 0)


def links(trace):
    """Returns {kind: number} of the links between threads."""
    out = tempfile.mkdtemp(dir=FOLDER)
    run([WEFT, "emu", trace, "-o", out])
    found = {}
    with open(os.path.join(out, "thread.prv"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("3:"):
                tag = int(line.rsplit(":", 1)[1])
                found[tag] = found.get(tag, 0) + 1
    return found


def checks_clean(trace):
    done = run([WEFT, "check", trace])
    return done.returncode == 0, done.stdout.decode() + done.stderr.decode()


def until(holds):
    """Returns whether one of ten tries holds, and the notes of the last: on a
    loaded machine a thread may come too late to wait."""
    for _ in range(10):
        ok, notes = holds()
        if ok:
            break
    return ok, notes


def end():
    print(f"1..{n}")
    sys.exit(failed > 0)
