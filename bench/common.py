# SPDX-License-Identifier: MIT
"""Functions shared by the scripts of this directory: the programs of a
build, and a scratch directory."""
import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def die(text):
    sys.exit(f"{os.path.basename(sys.argv[0])}: {text}")


class Build:
    """The programs of a build directory, and how they were compiled."""

    @staticmethod
    def add_argument(parser):
        parser.add_argument("build", nargs="?", metavar="BUILD",
                            default=os.environ.get("BUILD", "build"),
                            help="build folder (default: build)")

    def __init__(self, folder):
        self.folder = folder = os.path.join(ROOT, folder)
        for name in ("gen", "gen-ctf", "floor-prv", "floor-lines",
                     "measure", "micro"):
            path = os.path.join(folder, "bench", name)
            if not os.access(path, os.X_OK):
                die(f"{path} is missing: build first (BUILD={folder})")
            setattr(self, name.replace("-", "_"), path)
        places = ("weft", "src/cli/weft")
        found = [os.path.join(folder, p) for p in places
                 if os.access(os.path.join(folder, p), os.X_OK)]
        self.weft = found[0] if found else None

    def kind(self):
        path = os.path.join(self.folder, "meson-info/intro-buildoptions.json")
        try:
            with open(path, encoding="utf-8") as f:
                option = {o["name"]: o["value"] for o in json.load(f)}
        except (OSError, ValueError):
            return "of unknown type"
        text = f"buildtype {option['buildtype']} " \
               f"(-O{option['optimization']}), sanitizers: " \
               f"{option['b_sanitize']}, LTO: {option['b_lto']}"
        if option["optimization"] not in ("2", "3") or \
                option["b_sanitize"] != "none":
            text += "\n*** not a release build: these figures say nothing ***"
        return text


class Place:
    """A scratch directory, in memory if there is room. It is removed at the
    end."""

    def __init__(self, build, need, on_disk=False):
        self.path = None
        for parent in ("/dev/shm", build.folder)[on_disk:]:
            if self._has_room(parent, need):
                self.path = tempfile.mkdtemp(prefix="weft-bench-", dir=parent)
                break
        if self.path is None:
            die(f"no room for {need >> 20} MiB in /dev/shm or {build.folder}")
        atexit.register(shutil.rmtree, self.path, ignore_errors=True)

    @staticmethod
    def _has_room(parent, need):
        try:
            free = shutil.disk_usage(parent).free
        except OSError:
            return False
        return free > need and os.access(parent, os.W_OK)

    def __call__(self, name):
        return os.path.join(self.path, name)

    def clear(self, name):
        shutil.rmtree(self(name), ignore_errors=True)


def call(command):
    """Returns the output of a command; ends this program if the command fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        die(f"{' '.join(command)}: exit code {done.returncode}\n"
            f"{done.stderr.strip()}")
    return done.stdout


def generate(build, place, shape, streams, events):
    """Writes place/trace and returns the number of its events."""
    place.clear("trace")
    text = call([build.gen, "--shape", shape, "--streams", str(streams),
                 "--events", str(events), place("trace")])
    return int(text.split()[3])


def forget(folder):
    """Drops the files of a directory from the page cache, so that the next run
    reads the disk."""
    os.sync()
    for path, _, names in os.walk(folder):
        for name in names:
            fd = os.open(os.path.join(path, name), os.O_RDONLY)
            os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(fd)


def measured(build, place, command, name=None):
    """Runs a command and returns its wall_s, cpu_s, rss_mib. Its output is
    discarded."""
    if name is not None:  # argv[0] of the program
        command = ["bash", "-c", 'exec -a "$0" "$@"', name, *command]
    run = subprocess.run([build.measure, place("result"), *command],
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                         text=True, check=False)
    if run.returncode != 0:
        die(f"measure: exit code {run.returncode}\n{run.stderr.strip()}")
    with open(place("result"), encoding="ascii") as f:
        wall, user, system, peak, code = map(float, f.read().split())
    if code != 0:
        die(f"{' '.join(command[:2])} ended with exit code {code:.0f}\n"
            f"{run.stderr.strip()}")
    return {"wall_s": wall, "cpu_s": user + system, "rss_mib": peak / 1024}


def timed(build, place, *args):
    """Measures a command of weft in the same way."""
    return measured(build, place, [build.weft, *args])


def run_weft(build, place, *options, discard=False):
    """Runs weft emu. The output is in place/weft, without its lines if they are
    discarded."""
    place.clear("weft")
    if discard:
        os.mkdir(place("weft"))
        for name in ("thread.prv", "cpu.prv"):
            os.symlink(os.devnull, os.path.join(place("weft"), name))
    return timed(build, place, "emu", "-f", "prv", *options, "-o",
                 place("weft"), place("trace"))
