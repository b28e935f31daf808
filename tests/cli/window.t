# Windows of events: where they begin, and which bytes remain for the next
# window.

== A window of an absolute time, and of a length.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 30 6W]
  event 60 OHe
$ weft dump t --from @20 --to @31 --format json
out "time":10,"clock":20,
out "time":20,"clock":30,
no out "clock":10,
no out "clock":60,
$ weft top t --from 10 --to +11
out is
|       events    share  event  meaning
|            1   50.0 %  6W[    enters worker main loop, looking for tasks
|            1   50.0 %  6W]    leaves worker main loop, looking for tasks
$ weft top t --from @0.02us --to +0.011us
out 1   50.0 %  6W[
$ weft stat t --from @20 --to +10 --type nanos6.subsystem
out 10  100.0 %         1  Worker: Looking for work
$ weft emu t -q --from @20 --to +11 -o out
file out/thread.prv
$ weft dump t --from @1 --to +1
exit 2
err nothing is between --from @1 and --to +1: --from must be the earlier time
$ weft top t --from @1 --to +10
out 1  100.0 %  OHx

== A time that means nothing here is explained.
trace t
$ weft dump t --from +5ms
exit 2
err --from takes a time such as 500, 10ms
$ weft dump t --to +x
exit 2
err or +5ms, not "+x"
$ weft dump t --from @
exit 2
$ weft dump t --from 14:03
exit 2
err the trace does not say what time of day it was then
$ weft dump t --from @50 --to @20
exit 2
err nothing is between --from @50 and --to @20: --from must be the earlier time

== A time of the day.
ctf c lttng-1
$ TZ=UTC weft dump -f babeltrace c --from 12:30:57.552154 --to 12:30:57.5521541
out is
| [12:30:57.552154027] vm demo:small: { cpu_id = 1 }, { vtid = 28051, procname = "prog" }, { i = 66 }
$ TZ=XYZ-3 weft top c --from 15:30:57.552154 --to +100ns
out 1  100.0 %  demo:small
$ TZ=XYZ-3 weft top c --from 12:30:57.552154Z --to +100ns
out 1  100.0 %  demo:small
$ weft top c --from 24:00
exit 2
$ weft top c --from 12:30:57,5
exit 2
$ weft top c --from 2026-13-01T10:00
exit 2

== Who reads a large trace whole leaves where its times begin.
trace t
sh python3 -c "import struct,sys; sys.stdout.buffer.write(b'ovni\1\0\0\0' + b''.join(b'\0OB.' + struct.pack('<q', i) for i in range(400000)))" > t/loom.n.0/proc.9/thread.10/stream.obs
sh touch -d '1 hour ago' t/*/*/*/stream.obs
$ weft top t --from 390us --to +5
out 5  100.0 %  OB.
no file t.weft
$ weft top t --no-seek
no file t.weft
$ exec -a ovnitop weft t
no file t.weft
$ weft top t/loom.n.0
$ weft top t/loom.n.0/proc.9/thread.10/stream.obs
$ cd t/loom.n.0/proc.9 && weft top .
no file t/**/*.weft
$ weft top t
file t.weft/events.wsk
$ weft dump t --from 390us --to +3
out is
|       390000  10  OB.  emits a burst event to measure latency
|       390001  10  OB.  emits a burst event to measure latency
|       390002  10  OB.  emits a burst event to measure latency
empty err

== A place that cannot be written to does without, in silence.
needs root
trace t
sh python3 -c "import struct,sys; sys.stdout.buffer.write(b'ovni\1\0\0\0' + b''.join(b'\0OB.' + struct.pack('<q', i) for i in range(400000)))" > t/loom.n.0/proc.9/thread.10/stream.obs
sh touch -d '1 hour ago' t/*/*/*/stream.obs; chmod -R a+rX . ; chmod 755 .
$ nobody: weft top t
empty err
out 400000
no file t.weft

== An event whose time is outside the window is reported.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 30 6W]
  event 60 OHe
$ weft dump t --event 6W[ --from 15
err --event: no event in that time is called "6W["
$ weft dump t --event 6W[ --from 5
empty err

== If no timeline has a record, all are written: they are files without lines.
write t.tt
| thread a
| 0 a OHx -1 -1 0
| 10 a OHe
$ weft emu --cpu 0 t.tt -o out
out output: out
empty err
file out/cpu.prv
no file out/thread.prv
$ weft stat out/cpu.prv
out no state was entered

== What emu says of a window is of the window, and of the whole.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 14 6W[
  event 18 6S[
  event 22 6S]
  event 26 6W]
  event 34 OHe
$ weft emu t -o a
out ovni v3: 1 thread of 1 process, 6 events in 24 ns
$ weft emu t -o a --from 4 --to 12
out ovni v3: 1 thread of 1 process, 2 of 6 events in a window of 8 ns (of 24 ns)
$ weft emu t -o a --from 4
out 5 of 6 events in a window of 20 ns (of 24 ns)
$ weft emu t -o a --to 1s
out 6 of 6 events in a window of 24 ns (of 24 ns)
$ weft emu t -o a --from 20 --to 21
out 0 of 6 events in a window of 1 ns (of 24 ns)
$ weft emu t -o a --from 1us
out 0 of 6 events in a window of 0 ns (of 24 ns)
err no events
$ weft emu t -j 1 -o a --from 4 --to 12 --cpu 3
out 2 of 6 events in a window of 8 ns (of 24 ns)
$ weft emu t --strict -o a --to 12
out 3 of 6 events in a window of 12 ns (of 24 ns)

== A window of a converter's records counts its events, too.
ctf t nanos6-fib
$ weft emu --no-cfg --compat -o out t --from 10ms --to 20ms | grep -o '[0-9]* of [0-9]* events in a window of 10.000 ms' | cut -d' ' -f1,3 >said
$ echo $(weft dump -q t --from 10ms --to 20ms | wc -l) $(weft dump -q t | wc -l) | cmp - said
