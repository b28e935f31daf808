# SPDX-License-Identifier: MIT
"""weft - regions, counters and marks of a Python program in Weft's timelines.

    import weft

    solve = weft.region("solve")
    steps = weft.counter(1, "Steps")
    warm = weft.mark(2, "Phase", "Warming up")

    with solve:
        steps.count(3)
        warm.set()

    @weft.region
    def compute(): ...

The trace is that of libovni.so.1, which records to ./ovni or $OVNI_TRACEDIR.
Without that library nothing is recorded, and `weft.missing` says why.
docs/user/bindings.md describes threads, processes, coroutines and generators.
"""
import ctypes
import functools
import inspect
import os
import shutil
import sys
import threading

__all__ = ["Counter", "Mark", "Region", "counter", "lost", "mark", "missing",
           "off", "on", "region"]

_NAME = "libovni.so.1"
_TYPES = range(99)  # 99 has the regions
# Readers of traces refuse -2**63 as a value.
_LOW, _HIGH = 1 - (1 << 63), (1 << 63) - 1


class _Region(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("value", ctypes.c_int64)]


class _Counter(ctypes.Structure):
    _fields_ = [("title", ctypes.c_char_p), ("type", ctypes.c_int32),
                ("is_named", ctypes.c_int32)]


class _Mark(ctypes.Structure):
    _fields_ = [("title", ctypes.c_char_p), ("name", ctypes.c_char_p),
                ("value", ctypes.c_int64), ("type", ctypes.c_int32)]


def _places():
    """Yields (path, mode of dlopen) of each library to try."""
    if "WEFT_LIBRARY" in os.environ:
        yield os.environ["WEFT_LIBRARY"], 0
        return
    # A second copy of the library would be a second recorder.
    yield _NAME, os.RTLD_NOLOAD
    here = os.path.dirname(os.path.abspath(__file__))
    yield os.path.join(here, "../../..", _NAME), 0  # PREFIX/lib
    yield _NAME, 0
    command = shutil.which("weft")
    if command:
        command = os.path.dirname(os.path.realpath(command))
        yield os.path.join(command, "../lib", _NAME), 0


def _load():
    """Returns the library, or None, and why there is none. Its functions are
    called without releasing the interpreter's lock: they take less time than
    that would."""
    why = f"{_NAME} is not found; set LD_LIBRARY_PATH or WEFT_LIBRARY"
    for path, mode in _places():
        try:
            library = ctypes.PyDLL(path, mode=ctypes.DEFAULT_MODE | mode)
        except OSError as error:
            if "WEFT_LIBRARY" in os.environ:
                why = f"WEFT_LIBRARY: {error}"
            continue
        if hasattr(library, "weft_after_fork"):
            return library, None
        why = f"{library._name} is not Weft's, or older than this package"
    return None, why


def _nothing(*_):
    """Stands for a function of a library that is not there."""
    return 0


_library, missing = _load()


def _function(name, result=None):
    if _library is None:
        return _nothing
    function = getattr(_library, name)
    function.restype = result
    return function


_enter = _function("weft_enter")
_leave = _function("weft_leave")
_count = _function("weft_count")
_set = _function("weft_set")
_after_fork = _function("weft_after_fork")
_is_ready = _function("ovni_thread_isready", ctypes.c_int)
_thread_free = _function("ovni_thread_free")
_proc_fini = _function("ovni_proc_fini")


def _text(what, text):
    """Returns the text for C."""
    if not isinstance(text, str):
        raise TypeError(f"{what} must be a str, not {type(text).__name__}")
    if not text or "\0" in text:
        raise ValueError(f"{what} must be neither empty nor contain NUL")
    return text.encode("utf-8", "backslashreplace")


def _type(number):
    if number not in _TYPES:
        raise ValueError(f"type {number!r} is not in the range 0 to 98")
    return number


class _Steps:
    """A coroutine or generator inside a region: the thread is in the region
    only while the coroutine has the thread, not while it is suspended."""
    __slots__ = ("_of", "_region")

    def __init__(self, of, in_region):
        self._of, self._region = of, in_region

    def __iter__(self):
        return self

    __await__ = __iter__

    def __next__(self):
        return self.send(None)

    def send(self, value):
        with self._region:
            return self._of.send(value)

    def throw(self, *error):
        with self._region:
            return self._of.throw(*error)

    def close(self):
        with self._region:
            return self._of.close()


class Region:
    """A named part of the program, as a context manager and a decorator."""
    __slots__ = ("name", "_c", "_at")

    def __init__(self, name):
        self.name = name
        self._c = _Region(_text("the name of a region", name), 0)
        self._at = ctypes.byref(self._c)

    def __repr__(self):
        return f"weft.region({self.name!r})"

    def __enter__(self):
        _enter(self._at)
        return self

    def __exit__(self, kind, value, trace):
        _leave(self._at)

    def __call__(self, function):
        """Returns the function with its body in the region."""
        if inspect.isasyncgenfunction(function):
            raise TypeError(f"{function.__qualname__} is an asynchronous "
                            "generator: put the region around what it calls")
        if inspect.iscoroutinefunction(function):
            @functools.wraps(function)
            async def inside(*args, **named):
                return await _Steps(function(*args, **named), self)
        elif inspect.isgeneratorfunction(function):
            @functools.wraps(function)
            def inside(*args, **named):
                return (yield from _Steps(function(*args, **named), self))
        else:
            @functools.wraps(function)
            def inside(*args, **named):
                with self:
                    return function(*args, **named)
        return inside


class Counter:
    """A number over time: a mark type from 0 to 98, with its title."""
    __slots__ = ("type", "title", "_c", "_at")

    def __init__(self, type, title):
        self.type, self.title = _type(type), title
        self._c = _Counter(_text("the title of a counter", title), type, 0)
        self._at = ctypes.byref(self._c)

    def count(self, value):
        """Records the value, an int from 1 - 2**63 to 2**63 - 1."""
        if not _LOW <= value <= _HIGH:
            raise OverflowError(
                f"{value} is not in the range 1 - 2**63 to 2**63 - 1")
        _count(self._at, ctypes.c_int64(value))


class Mark:
    """A named value of a mark type from 0 to 98, which holds until another mark
    of the type is set in the same thread."""
    __slots__ = ("type", "title", "name", "_c", "_at")

    def __init__(self, type, title, name):
        self.type, self.title, self.name = _type(type), title, name
        self._c = _Mark(_text("the title of a mark", title),
                        _text("the name of a mark", name), 0, type)
        self._at = ctypes.byref(self._c)

    def set(self):
        """Records that the mark holds from now on."""
        _set(self._at)


_known = functools.lru_cache(maxsize=None)(lambda kind, *of: kind(*of))


def region(name):
    """Returns the region of that name, always the same object; of a function:
    the function with its body in a region of its own name."""
    if callable(name):
        return _known(Region, name.__qualname__)(name)
    return _known(Region, name)


def counter(type, title):
    """Returns the counter, always the same object."""
    return _known(Counter, type, title)


def mark(type, title, name):
    """Returns the mark, always the same object."""
    return _known(Mark, type, title, name)


def off():
    """Switches recording off, for all threads; regions should be left."""
    _function("weft_off")()


def on():
    """Switches recording on again."""
    _function("weft_on")()


def lost():
    """Returns how many events of this process were lost: a ring was full."""
    return _function("weft_lost", ctypes.c_uint64)()


# What follows is of children of fork. A child records a trace of its own, and
# leaves no region that only its parent has entered: from the fork on it counts
# the regions that each thread enters.

_mine = threading.local()
_in_c = _enter, _leave, _count, _set


def _enter_in_child(at):
    _mine.n = getattr(_mine, "n", 0) + 1
    _in_c[0](at)


def _leave_in_child(at):
    n = getattr(_mine, "n", 0)
    if n > 0:
        _mine.n = n - 1
        _in_c[1](at)


def _in_child():
    global _mine, _enter, _leave, _count, _set
    _mine = threading.local()
    # also for blocks that the parent has entered: they look these names up
    _enter, _leave, _count, _set = (_enter_in_child, _leave_in_child) + _in_c[2:]
    _after_fork()
    _watch_workers()


# And this of processes of multiprocessing, which end by os._exit(): the library
# is not told, and a thread that was joined may not have reached its end.

class _Ending:
    """Ends the trace of the thread that has it, before the thread is joined."""
    __slots__ = ("_pid",)

    def __init__(self):
        self._pid = os.getpid()

    # The defaults outlive the module's names, which may be gone already.
    def __del__(self, pid=os.getpid, ready=_is_ready, free=_thread_free):
        if self._pid == pid() and ready():
            free()


def _ends_with_thread(function):
    """Returns the function, which also sees to the end of its thread."""
    def call(*arguments):
        if not hasattr(_mine, "ending"):
            _mine.ending = _Ending()
        function(*arguments)
    return call


def _end():
    if _is_ready():
        _thread_free()
        _proc_fini()


def _end_with_worker(_=None):
    global _enter, _count, _set
    _enter, _count, _set = map(_ends_with_thread, (_enter, _count, _set))
    sys.modules["multiprocessing.util"].Finalize(None, _end, exitpriority=-100)


def _watch_workers():
    """Lets multiprocessing call _end(). A worker that begins forgets its
    finalizers first, then makes the calls that are registered here."""
    util = sys.modules.get("multiprocessing.util")
    if util is None:
        return
    util.register_after_fork(_end_with_worker, _end_with_worker)
    if sys.modules["multiprocessing.process"].parent_process() is not None:
        _end_with_worker()


if _library is not None:
    os.register_at_fork(after_in_child=_in_child)
    _watch_workers()
elif "OVNI_TRACEDIR" in os.environ:  # as weft run sets it
    print(f"WARN: weft: {missing}: Python's regions are not recorded",
          file=sys.stderr)
