# SPDX-License-Identifier: MIT
"""What the lints share: the files, C text without comments, TAP.

    lint = Lint("sizes")
    problems = [Problem("src/a.c", 12, "70 lines", "foo", "split it")]
    lint.rule("functions are short", problems)
    lint.done()

A problem whose file, or file:name, is listed in exceptions.txt is forgiven.
"""
import fnmatch
import os
import re
import subprocess
import sys
from dataclasses import dataclass

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
EXCEPTIONS = "tests/lint/exceptions.txt"


@dataclass
class Problem:
    path: str
    line: int
    text: str
    name: str = ""  # the function, symbol or include that the problem is about
    advice: str = ""


class Lint:
    def __init__(self, name):
        self.name = name
        self.n = self.failed = 0
        self.exceptions = read_exceptions(name)
        self.used = set()

    def _line(self, ok, text, notes):
        self.n += 1
        self.failed += not ok
        for note in notes:
            print("#", note)
        print("ok" if ok else "not ok", self.n, "-", text, flush=True)

    def _forgiven(self, problem):
        for place in self.exceptions:
            if fnmatch.fnmatch(problem.path, place) or fnmatch.fnmatch(
                    f"{problem.path}:{problem.name}", place):
                self.used.add(place)
                return True
        return False

    def rule(self, text, problems, notes=()):
        left = [p for p in problems if not self._forgiven(p)]
        notes = list(notes)
        for p in left:
            name = f" {p.name}:" if p.name else ""
            advice = f" ({p.advice})" if p.advice else ""
            notes.append(f"{p.path}:{p.line}:{name} {p.text}{advice}")
        self._line(not left, text, notes)

    def skip(self, text, why):
        self.n += 1
        print(f"ok {self.n} - {text} # SKIP {why}")

    def done(self):
        idle = [p for p in self.exceptions if p not in self.used]
        if self.exceptions:
            self._line(not idle, "each exception is still needed",
                       [f"{EXCEPTIONS}:{self.exceptions[p]}: remove {p}"
                        for p in idle])
        print(f"1..{self.n}")
        sys.exit(self.failed > 0)


def read_exceptions(lint):
    """Returns {pattern: line number} of one lint. Ends the program if a line
    gives no reason."""
    places = {}
    for n, line in enumerate(read(EXCEPTIONS).splitlines(), 1):
        words = line.split(None, 2)
        if not words or words[0].startswith("#"):
            continue
        if len(words) < 3:
            sys.exit(f"{EXCEPTIONS}:{n}: an exception needs a reason")
        if words[0] == lint:
            places[words[1]] = n
    return places


def build_folder():
    """Returns the build directory: the argument of every lint that looks at
    binaries."""
    return os.path.abspath(
        sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build"))


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8",
              errors="surrogateescape") as file:
        return file.read()


def is_text(path):
    with open(os.path.join(ROOT, path), "rb") as file:
        return b"\0" not in file.read(8192)


def files(*patterns):
    """Returns the files that git tracks or would add, as paths from the
    root."""
    git = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached",
         "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=False)
    if git.returncode == 0:
        found = git.stdout.decode().split("\0")
    else:  # without git, as in an unpacked archive
        found = walk()
    return sorted(p for p in set(found) if os.path.isfile(
        os.path.join(ROOT, p)) and (not patterns or any(
            fnmatch.fnmatch(p, pattern) for pattern in patterns)))


def walk():
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [f for f in folders
                      if f[0] != "." and not f.startswith("build")]
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), ROOT)


TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"'
                   r"|'(?:\\.|[^'\\\n])*'", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def code(text):
    """Returns C text with comments, strings and directives blanked out; line
    numbers stay."""
    return DIRECTIVE.sub(blank, TOKEN.sub(blank, text))
