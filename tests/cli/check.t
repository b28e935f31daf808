# weft check: everything that is wrong with a trace.

== A trace without fault.
trace t
$ weft check t
out is
| t: 0 errors, 0 warnings, 0 notes in 2 events
empty err

== Findings come by file and byte, then how many of each kind.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OZz
  event 30 OHr
  event 40 OZz
  event 50 OHe
  json ovni.finished 2
$ weft check t
exit 1
out is
| error: t/loom.n.0/proc.9/thread.10/stream.json: ovni.finished: must be 1, is 2
| error: t/loom.n.0/proc.9/thread.10/stream.obs: byte 36: event OZz: at 10 ns: model ovni has no such event
| error: t/loom.n.0/proc.9/thread.10/stream.obs: byte 48: event OHr: at 20 ns: thread 10 is Running: this event is not allowed in that state
| error: t/loom.n.0/proc.9/thread.10/stream.obs: byte 60: event OZz: at 30 ns: model ovni has no such event
|
|        2  error    model ovni has no such event
|        1  error    must be N, is N
|        1  error    thread N is Running: this event is not allowed in that state
| t: 4 errors, 0 warnings, 0 notes in 5 events
empty err

== A warning is enough for code 1.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OAr i32 1 i32 10
  event 30 OAr i32 1 i32 10
  event 50 OHe
$ weft check t
exit 1
out warning: t/loom.n.0/proc.9/thread.10/stream.obs: byte 56: event OAr
out 0 errors, 1 warning, 0 notes

== Twenty of a kind are printed, or as many as one wants.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  repeat 50 event 20 OZz
  event 100 OHe
$ weft check t
exit 1
out byte 264:
no out byte 276:
out model ovni has no such event; 30 more like this, up to byte 624, at 59 ns
out       50  error    model ovni has no such event
out 50 errors
$ weft check --json t
exit 1
out "more":30,"last_offset":624,"last_time":59
$ weft emu t
exit 1
err 30 more like this, up to byte 624
$ weft check --max-findings 1000 t
exit 1
out byte 624:
no out more like this
$ weft check --max-findings 3 t
exit 1
no out byte 624:
out 47 more are not shown
out of these 3:
out 50 errors

== JSON for scripts.
trace t
$ weft check --json t
out is
| {"trace":"t","findings":[],"counts":{"events":2,"error":0,"warning":0,"note":0,"shown":0}}
trace u
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OZz
  event 30 6Yc+ u32 1 hex 61ff
  event 50 OHe
  json ovni.lib.version "a\"\u0007"
  json ovni.lib.commit
$ weft check --json u
exit 1
out "error":3,
out "file":"u/loom.n.0/proc.9/thread.10/stream.obs","key":null,"offset":36,"line":null,"time":10,"where":"event OZz"
$ weft check --json u | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["findings"]))'
out 3

== Lines of a text.
write a.tt
| thread a
| 10 a OHe
$ weft check --json a.tt
exit 1
out "offset":null,"line":2

== Nothing to be read.
$ weft check nothing
exit 3
err nothing
empty out

== check writes no files.
trace t
$ weft check t
no file t.*

== A killed trace is repaired, and then without fault.
trace t
  event 10 OHx i32 1 i32 -1 u64 0
  event 20 6W[
  event 30 6Tx u32 7
  cut 3
  json ovni.finished
  json ovni.require
  json ovni.loom_cpus
  thread 11
  event 12 OHx i32 0 i32 -1 u64 0
  event 40 OHp
  json ovni.finished
  json ovni.loom_cpus
$ weft check --repair t
out repair:
out stream.obs: byte 48: lost: 13 bytes that are not a complete event
out inferred: thread 11 ends after its last event; it was Paused
out ovni.loom_cpus: inferred: the loom has 2 CPUs
out 2 streams, 4 events kept, 4 inferred, 0 left out, 0 clocks changed, 13 bytes lost
out output: t.repaired
$ weft check t.repaired
out t.repaired: 0 errors, 0 warnings, 0 notes in 8 events
$ weft emu t.repaired

== An unfinished thread has all hardware counters of the others.
trace t
  json ovni.require {"ovni": "1.1.0", "nosv": "2.7.0"}
  json nosv.hwc {"0": {"name": "A"}}
  json ovni.finished
  event 10 OHx i32 0 i32 -1 u64 0
  thread 11
  json ovni.require {"ovni": "1.1.0", "nosv": "2.7.0"}
  json nosv.hwc {"0": {"name": "A"}, "1": {"name": "B"}}
  event 12 OHx i32 1 i32 -1 u64 0
  event 20 VWC+ i64 1 i64 2
  event 50 OHe
$ weft emu t
err nosv.hwc: inferred: the thread has all 2 hardware counters of
$ weft check --repair t
out nosv.hwc: inferred: the thread has 2 hardware counters
$ weft check t.repaired
out t.repaired: 0 errors, 0 warnings, 0 notes in 5 events
$ weft emu t.repaired
$ cmp t.weft/thread.prv t.repaired.weft/thread.prv

== A finished thread without the counters of the others is at fault.
trace t
  json ovni.require {"ovni": "1.1.0", "nosv": "2.7.0"}
  json nosv.hwc {"0": {"name": "A"}}
  thread 11
  json ovni.require {"ovni": "1.1.0", "nosv": "2.7.0"}
  json nosv.hwc {"0": {"name": "A"}, "1": {"name": "B"}}
  event 12 OHx i32 1 i32 -1 u64 0
  event 50 OHe
$ weft check --repair t
exit 1
out the hardware counters differ

== An unfinished thread that requires only the core model uses others.
trace t
  json ovni.require {"ovni": "1.1.0"}
  json ovni.finished
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 POc+ u32 1 str loop
  event 30 PBb
$ weft emu t
err ovni.require: inferred: model openmp is enabled, because its events occur
$ weft check --repair t
out ovni.require: inferred: model openmp, version
$ weft check t.repaired
out t.repaired: 0 errors, 0 warnings, 0 notes in 4 events
$ weft emu t.repaired
$ cmp t.weft/thread.prv t.repaired.weft/thread.prv

== A finished thread requires its models itself.
trace t
  json ovni.require {"ovni": "1.1.0"}
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 PBb
  event 30 PBB
  event 50 OHe
$ weft check --repair t
exit 1
out model openmp not enabled for event

== What a repair cannot mend makes code 1.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OZz
  event 50 OHe
$ weft check --repair -o u t
exit 1
err 1 error and 0 warnings remain: weft check u
out output: u

== A repair keeps the offsets of clocks.
trace t
sh printf 'rank hostname a b c\n0 n 5 5 0\n' > t/clock-offsets.txt
$ weft check --repair t
$ cmp t/clock-offsets.txt t.repaired/clock-offsets.txt

== A repair does not touch what is there.
trace t
$ weft check --repair -o t/u t
exit 3
err lies in the trace
$ weft check --repair t
$ weft check --repair t
exit 3
err t.repaired is not empty

== Options that do not go together.
trace t
$ weft check --repair --json t
exit 2
err --json and --repair
$ weft check -o u t
exit 2
err --output needs --repair

== A text cannot be repaired.
write a.tt
| thread a
| 10 a OHe
$ weft check --repair a.tt
exit 3
err only a directory of ovni streams or of CTF

== That recording was quick is told by weft check alone, that it was slow by all.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  repeat 100 event 33+33 OB.
  event 5000 OHe
$ weft check t
out n.0: recording was quick: an event took 33 ns (median of a burst of test events; mean 33 ns, longest 33 ns)
$ weft stat t
no err recording was
trace s
  event 10 OHx i32 0 i32 -1 u64 0
  repeat 100 event 33+303 OB.
  event 50000 OHe
$ weft stat s
err n.0: recording was slow: an event took 303 ns, more than 100 (median of a burst of test events; mean 303 ns, longest 303 ns)
