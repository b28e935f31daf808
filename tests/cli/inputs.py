# SPDX-License-Identifier: MIT
"""inputs.py - for tests of several traces at once, in TAP: a check, weft, and
traces. The first argument of the test is the path of weft."""
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import make_trace  # noqa: E402

WEFT = os.path.abspath(sys.argv[1])
n = failed = 0


def check(what, good, *got):
    global n, failed
    n += 1
    failed += not good
    if not good:
        print("#", *(str(text).replace("\n", "\n# ") for text in got))
    print("ok" if good else "not ok", n, "-", what, flush=True)


def weft(*words, **env):
    run = subprocess.run([WEFT, *words], capture_output=True, text=True,
                         check=False, env={**os.environ, **env})
    return run.returncode, run.stdout, run.stderr


def trace(name, start=1000, host="n", boot=None, snap=None, timens=0, tid=10,
          extra=(), events=()):
    """Writes a trace whose only thread lives 40 ns, and enters a state."""
    shutil.rmtree(name, ignore_errors=True)
    edits = [f'json ovni.loom "{host}.0"', f"json ovni.tid {tid}"]
    if boot is not None:
        edits.append(f'json weft.clocks.boot "{boot}"')
        edits.append(f"json weft.clocks.timens {timens}")
    if snap is not None:
        edits.append(f"json weft.clocks.snap [{snap}]")
    edits += extra
    edits += [f"event {start} OHx i32 0 i32 -1 u64 0"]
    edits += events or [f"event {start + 10} 6W[", f"event {start + 20} 6W]"]
    edits += [f"event {start + 40} OHe"]
    make_trace.make(name, edits)


def times(out):
    """Returns (time, event) of each line of weft dump."""
    return [(int(x.split()[0]), x.split()[2]) for x in out.splitlines()]


def unpack(*names):
    """Unpacks real CTF traces, and returns their paths."""
    names = ["ctf-traces/" + name for name in names]
    with tarfile.open(os.path.join(HERE, "../golden/ctf-traces.tar.xz")) as tar:
        tar.extractall(members=[of for of in tar if
                                of.name.startswith(tuple(names))])
    return names


def run(prefix, tests):
    """Runs each test in an empty directory. Returns whether a check failed."""
    for test in tests:
        with tempfile.TemporaryDirectory(prefix=prefix) as folder:
            os.chdir(folder)
            test()
            os.chdir("/")
    print(f"1..{n}")
    return failed > 0
