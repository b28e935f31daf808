# SPDX-License-Identifier: MIT
"""servers - start a MariaDB server, or one that speaks MongoDB's protocol, on
a free port of loopback in a directory of its own; for tests and for
bench/store."""
import os
import shutil
import socket
import subprocess
import time

USER, PASSWORD = "weft", "se'cret"
SECONDS = 30
SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "server")


class Skip(Exception):
    """The reason why a server cannot run here."""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def answers(port):
    with socket.socket() as s:
        return s.connect_ex(("127.0.0.1", port)) == 0


def wait_for_port(port):
    end = time.monotonic() + SECONDS
    while not answers(port):
        if time.monotonic() > end:
            raise RuntimeError(f"no server within {SECONDS} s")
        time.sleep(0.02)


class MariaDB:
    process = None

    def start(self, folder):
        """A new server with an empty database `runs` for USER. The password is
        passed through the environment."""
        self.folder = folder
        self.port = free_port()
        self.place = f"mariadb://{USER}@127.0.0.1:{self.port}/runs"
        os.environ["WEFT_STORE_PASSWORD"] = PASSWORD
        if not shutil.which("mariadbd") or \
                not shutil.which("mariadb-install-db"):
            raise Skip("no MariaDB server here")
        self.as_root = ["--user=root"] if os.getuid() == 0 else []
        with open(f"{folder}/log", "ab") as log:
            subprocess.run(
                ["mariadb-install-db", "--no-defaults", *self.as_root,
                 f"--datadir={folder}/data", "--skip-test-db",
                 "--auth-root-authentication-method=normal",
                 "--innodb-log-file-size=8M"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=True)
        self.up()
        self.sql("CREATE DATABASE runs; "
                 f"CREATE USER {USER} IDENTIFIED BY 'se''cret'; "
                 f"GRANT ALL ON runs.* TO {USER}")

    def up(self, *options):
        with open(f"{self.folder}/log", "ab") as log:
            self.process = subprocess.Popen(
                ["mariadbd", "--no-defaults", *self.as_root,
                 f"--datadir={self.folder}/data",
                 f"--socket={self.folder}/socket", f"--port={self.port}",
                 "--bind-address=127.0.0.1", "--skip-log-bin",
                 "--innodb-flush-log-at-trx-commit=2", *options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        wait_for_port(self.port)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        if self.process is not None:
            self.kill()

    def fresh(self, name):
        """Returns the store address of another, empty database."""
        self.sql(f"CREATE DATABASE {name}; GRANT ALL ON {name}.* TO {USER}")
        return self.place.replace("/runs", f"/{name}")

    def sql(self, text):
        """Returns the server's answer; raises CalledProcessError if it
        refuses."""
        return subprocess.run(
            ["mariadb", "--no-defaults", "-h127.0.0.1", f"-P{self.port}",
             "-uroot", "-N", "-e", text], text=True, capture_output=True,
            timeout=SECONDS, check=True).stdout


class MongoDB:
    process = None

    def start(self, folder):
        self.port = free_port()
        self.place = f"mongodb://127.0.0.1:{self.port}/runs"
        if not shutil.which("node"):
            raise Skip("no node here")
        if not os.path.isdir(f"{SERVER}/node_modules"):
            raise Skip("the server's packages are missing: tools/deps check")
        with open(f"{folder}/log", "wb") as log:
            self.process = subprocess.Popen(
                ["node", f"{SERVER}/start.mjs", str(self.port)],
                stdin=subprocess.PIPE, stdout=log, stderr=log)
        wait_for_port(self.port)

    def fresh(self, name):
        return self.place.replace("/runs", f"/{name}")

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
