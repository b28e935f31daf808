# SPDX-License-Identifier: MIT
"""Builds the wheel, for pip install (PEP 517). The package is one module, so
this needs no other package, and pip no network."""
import base64
import hashlib
import os
import re
import tarfile
import zipfile

FILES = ("weft/__init__.py",)
SOURCES = FILES + ("backend.py", "pyproject.toml")


def _project():
    """Returns the strings of the table [project] in pyproject.toml."""
    with open("pyproject.toml", encoding="utf-8") as file:
        table = file.read().split("[project]")[1].split("\n[")[0]
    return dict(re.findall(r'^([a-z-]+) = "(.*)"$', table, re.M))


def _name():
    of = _project()
    return f"{of['name']}-{of['version']}"


def _metadata():
    of = _project()
    return (f"Metadata-Version: 2.1\nName: {of['name']}\n"
            f"Version: {of['version']}\nSummary: {of['description']}\n"
            f"License: MIT\nRequires-Python: {of['requires-python']}\n")


def build_wheel(wheel_directory, config_settings=None,
                metadata_directory=None):
    """Writes the wheel; returns its file name."""
    name = f"{_name()}-py3-none-any.whl"
    info = f"{_name()}.dist-info"
    files = {f"{info}/METADATA": _metadata().encode(),
             f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: weft\n"
                              b"Root-Is-Purelib: true\nTag: py3-none-any\n"}
    for path in FILES:
        with open(path, "rb") as file:
            files[path] = file.read()
    record = ""
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
        record += f"{path},sha256={digest.decode().rstrip('=')},{len(data)}\n"
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w",
                         zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            wheel.writestr(zipfile.ZipInfo(path), data,
                           zipfile.ZIP_DEFLATED)
    return name


def build_sdist(sdist_directory, config_settings=None):
    """Writes an archive of the sources; returns its file name."""
    name = f"{_name()}.tar.gz"
    with open("PKG-INFO", "w", encoding="utf-8") as file:
        file.write(_metadata())
    with tarfile.open(os.path.join(sdist_directory, name), "w:gz") as archive:
        for path in SOURCES + ("PKG-INFO",):
            archive.add(path, f"{_name()}/{path}")
    os.remove("PKG-INFO")
    return name
