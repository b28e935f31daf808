# SPDX-License-Identifier: MIT
"""killed - simulators that are killed at random times, from the first
millisecond on, all with the same store: the store keeps the tasks of each."""
import json
import os
import random
import struct
import subprocess
import time


class Runs:
    """The runs in a store, and what weft printed for each after it was
    killed."""

    def __init__(self, weft, victim, place, folder="."):
        self.weft, self.victim, self.place = weft, victim, place
        self.folder, self.told = folder, {}

    def ask(self, *words):
        done = subprocess.run([self.weft, "tasks", *words], text=True,
                              cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=60, check=False)
        return done.stdout, done.returncode, done.stderr

    def numbers(self):
        """Returns the numbers of the runs that weft lists; none if there is no
        store yet."""
        text, code, _ = self.ask("runs", self.place, "-f", "json")
        return [int(r["run"]) for r in json.loads(text)] if code == 0 else []

    def progress(self):
        try:
            with open(f"{self.folder}/progress", "rb") as file:
                return struct.unpack("3Q", file.read(24))
        except (OSError, struct.error):
            return 0, 0, 0

    def info(self, *options):
        text, code, said = self.ask("info", self.place, "-f", "json", *options)
        assert code == 0, (self.place, options, text, said)
        found = {r["property"]: r["value"] for r in json.loads(text)}
        tasks, left = int(found["tasks"]), int(found["open tasks"])
        return tasks, tasks - left, int(found["tags"])

    def kill_one(self, delay):
        """Starts a simulator and kills it; returns whether it had passed a
        task to its tracer."""
        if os.path.exists(f"{self.folder}/progress"):
            os.remove(f"{self.folder}/progress")
        before = self.numbers()
        with subprocess.Popen([self.victim, self.place, "progress", "kill"],
                              cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as run:
            time.sleep(delay)
            run.kill()
            said = run.stderr.read()
        assert "another" not in said and "exists" not in said, said
        want = self.progress()
        if want[0] == 0:
            return False
        new = [n for n in self.numbers() if n not in before]
        assert len(new) == 1 and new[0] == max([*before, *new]), (before, new)
        found = self.info()
        for got, least in zip(found, want):
            assert least <= got <= least + 1, (self.place, found, want)
        self.told[new[0]] = found
        return True

    def kill(self, times, longest):
        """Kills some simulators at once and others within `longest` seconds.
        Goes on, for longer on a slow machine, until at least three had passed
        a task to their tracer."""
        while len(self.told) < 3:
            assert longest < 60, f"no run told anything: {self.told}"
            for i in range(times):
                self.kill_one(random.random() * longest *
                              (0.1 if i % 3 == 0 else 1))
            longest *= 2
        for run, found in self.told.items():
            assert self.info("--run", str(run)) == found, (self.place, run)
