# SPDX-License-Identifier: MIT
"""launch - starts jobs of an MPI (openmpi, mpich) under its mpirun, for tests
with the arguments WEFT MPI."""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))

WEFT, MPI = os.path.abspath(sys.argv[1]), sys.argv[2]
MODULES = os.path.join(os.path.dirname(WEFT), "src/base")
NAMES = {"openmpi": ("mpirun.openmpi", "Open MPI"),
         "mpich": ("mpirun.mpich", "HYDRA")}
RANK = {"openmpi": "OMPI_COMM_WORLD_RANK", "mpich": "PMI_RANK"}[MPI]
# MPI's own leaks are not ours, and the library to preload comes first.
os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + \
    ":detect_leaks=0:verify_asan_link_order=0"
os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
for name in ("OVNI_TRACEDIR", "WEFT_MPI", "WEFT_MPI_DIR"):
    os.environ.pop(name, None)
n = failed = 0


def check(what, good, *got):
    global n, failed
    n += 1
    failed += not good
    if not good:
        print("#", *(str(text).replace("\n", "\n# ") for text in got))
    print("ok" if good else "not ok", n, "-", what, flush=True)


def skip(why):
    print(f"1..0 # SKIP {why}")
    sys.exit()


def find_mpirun():
    """Returns the command that starts jobs of this MPI, or None."""
    own, word = NAMES[MPI]
    for program in (own, "mpirun", "mpiexec"):
        path = shutil.which(program)
        if path is None:
            continue
        about = subprocess.run([path, "--version"], capture_output=True,
                               text=True, check=False).stdout
        if word in about:
            return [path] + ["--oversubscribe"] * (MPI == "openmpi")
    return None


def start(words, **env):
    return subprocess.Popen(MPIRUN + words, stdout=subprocess.PIPE, text=True,
                            stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                            env={**os.environ, **env}, start_new_session=True)


def end(job):
    """Returns the job's code, output and errors; ends one that hangs."""
    try:
        out, err = job.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        os.killpg(job.pid, signal.SIGKILL)
        out, err = job.communicate()
        err += "\nthe job hangs"
    return job.returncode, out, err


def run(words, **env):
    return end(start(words, **env))


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()

def pid_of(rank):
    """Waits until the rank has written its pid, and returns it."""
    for _ in range(6000):
        if os.path.exists(f"pid.{rank}") and read(f"pid.{rank}"):
            return int(read(f"pid.{rank}"))
        time.sleep(0.01)
    return None


def main(parts, links):
    """Runs the parts of a test in a directory of its own, where PATH has the
    links to weft."""
    global MPIRUN
    if not os.path.exists(os.path.join(MODULES, f"weft-{MPI}.so")):
        skip(f"weft-{MPI}.so is not built: tools/deps check installs its "
             "headers")
    MPIRUN = find_mpirun()
    if MPIRUN is None:
        skip(f"no mpirun of {MPI} here: tools/deps check installs it")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["TMPDIR"] = folder
        os.mkdir("bin")
        for link in links:
            os.symlink(WEFT, os.path.join("bin", link))
        os.environ["PATH"] = os.path.abspath("bin") + ":" + os.environ["PATH"]
        if run(["-n", "2", "true"])[0] != 0:
            skip(f"mpirun of {MPI} starts no program here: "
                 + run(["-n", "2", "true"])[2].strip().split("\n")[0])
        for part in parts:
            part()
        os.chdir("/")
    print(f"1..{n}")
    sys.exit(failed > 0)
