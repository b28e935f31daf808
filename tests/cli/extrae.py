# SPDX-License-Identifier: MIT
"""extrae DIR - writes a Paraver trace as Extrae does: states, events with several
values, a message, communicators, and labels in Latin-1."""
import gzip
import os
import sys

# Two applications on two nodes: MPI with threads, as Extrae records it.
HEAD = ("#Paraver (28/11/2026 at 14:03):2000_us:2(2,2):2:2(2:1,1:2):1(1:1),1\n"
        "c:1:1:2:1:2\n")
BODY = """\
1:1:1:1:1:0:100:1
2:1:1:1:1:0:40000018:1
1:3:1:2:1:0:250:1
2:3:1:2:1:10:50000001:1:50100001:3
1:1:1:1:1:100:400:5
2:1:1:1:1:100:50000001:1
3:1:1:1:1:110:120:3:1:2:1:180:200:4096:7
2:1:1:1:2:150:42000050:-17
1:1:1:1:2:150:160:3
# a comment
2:3:1:2:1:250:50000001:0
4:1:1:1:1:300:1:1:1:1
2:1:1:1:1:400:50000001:0
1:4:2:1:1:500:-1:7
2:1:1:1:1:2000:40000018:0
"""
PCF = """\
DEFAULT_OPTIONS

LEVEL               THREAD
UNITS               NANOSEC

STATES
0    Idle
1    Running
3\t Waiting a message
5    Synchronization
7    Blocking Send

STATES_COLOR
0    {117,195,255}

EVENT_TYPE
9    40000018    Tracing initialized
9    40000099    Never used
VALUES
1      Begin
0      End

EVENT_TYPE
9    50000001    MPI Point-to-point
VALUES
1      MPI_Send
0      Outside MPI

EVENT_TYPE
1    42000050    PAPI_TOT_INS [Instr compl\xe9t\xe9s]
1    50100001    Rank of the peer
"""
ROW = """\
LEVEL CPU SIZE 4
1.n1
2.n1
1.n2
2.n2

LEVEL NODE SIZE 2
n1
n2

LEVEL THREAD SIZE 4
main
worker

other
"""


def write(folder, name="extrae", body=BODY, head=HEAD, pack=False):
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name)
    text = (head + body).encode("latin-1")
    with open(path + (".prv.gz" if pack else ".prv"), "wb") as file:
        file.write(gzip.compress(text) if pack else text)
    with open(path + ".pcf", "wb") as file:
        file.write(PCF.encode("latin-1"))
    with open(path + ".row", "w") as file:
        file.write(ROW)
    return path + (".prv.gz" if pack else ".prv")


if __name__ == "__main__":
    write(sys.argv[1])
