# Output that a terminal gets and a pipe does not.

== No progress and no colours in a pipe.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OZz
  event 50 OHe
$ weft emu t 2>&1 | tee all | tr -d '[:print:]\n' | wc -c
out is
| 0

== Colours on a terminal.
needs tty
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OZz
  event 50 OHe
$ script -qec 'weft emu -q t' /dev/null | grep -c $'\e\[1;31m'
out is
| 1

== NO_COLOR is respected, and a terminal that knows no colours.
needs tty
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OZz
  event 50 OHe
$ NO_COLOR=1 script -qec 'weft emu -q t' /dev/null | grep -c $'\e\[1;3'
exit 1
$ TERM=dumb script -qec 'weft emu -q t' /dev/null | grep -c $'\e\[1;3'
exit 1
$ NO_COLOR= script -qec 'weft emu -q t' /dev/null | grep -c $'\e\[1;31m'
out is
| 1

== Sentences about causes go on in the next line.
write w.tt
| node n 0:0
| thread a tid 71 require wait 1.0.0
| 0 a OHx 0 -1 0
| 10 a WMm 1 72 1
| 90 a WMM
| 100 a OHe
$ COLUMNS=40 weft stat --causes w.tt | grep -A 1 '1[.] Mutex'
out is
|   1. Mutex: 80 ns (80.0 %) in 1 wait at
|      unknown (site 1) for unknown (lock

== Names from a trace do not steer the terminal.
trace t
  json ovni.loom "n\u001b[31m.0"
  json ovni.tid 0
$ weft emu t 2>&1 | tr -d '[:print:]\n' | wc -c
out is
| 0

== Labels from a trace do not steer the terminal.
trace t
  json ovni.mark {"1": {"title": "one", "chan_type": "single", "labels": {"5": "\u001b[31mred"}}}
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OM= i64 5 i32 1
  event 50 OHe
$ weft stat --type 101 t | tr -d '[:print:]\n' | wc -c
out is
| 0
