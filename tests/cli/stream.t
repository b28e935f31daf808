# stream.obs: damage costs the damaged region, and is reported with its byte offset.

== A bad magic.
trace t
  header 6f766e4901000000
$ weft emu t
exit 3
err thread.10/stream.obs: not an ovni stream
err no event in its 1 stream

== A bad version.
trace t
  header 6f766e6902000000
$ weft emu t
exit 3
err thread.10/stream.obs: stream version 2; this build reads version 1

== Nothing but a header.
trace t
  event 10 OHe
  cut 12
$ weft emu t
exit 3
err the stream has no events
err no event in its 1 stream
no file t.weft
trace u
  thread 11
  json ovni.finished
  json ovni.require
  event 10 OHe
  cut 12
$ weft emu u
err warning: u/loom.n.0/proc.9/thread.11/stream.obs: the stream has no events
file u.weft/thread.prv

== Nothing at all, and less than a header.
trace t
  header
  event 10 OHe
  cut 12
$ weft emu t
exit 3
err thread.10/stream.obs: is empty: not even a header
trace u
  event 10 OHe
  cut 13
$ weft emu u
exit 3
err thread.10/stream.obs: is shorter than its header

== A bad stream leaves the others.
trace t
  thread 11
  header 6f766e4901000000
$ weft emu t
exit 1
err thread.11/stream.obs: not an ovni stream
out 2 events
file t.weft/thread.prv

== A killed writer: the last event is cut, and all before it is there.
trace t
  json ovni.finished
  cut 5
$ weft emu t
err warning: t/loom.n.0/proc.9/thread.10/stream.obs: byte 36: the last event is incomplete: 7 bytes
err warning: t/loom.n.0/proc.9/thread.10/stream.json: missing ovni.finished
no err error:
out 1 event in
file t.weft/thread.prv

== A stream that was cut later, at any byte.
trace t
  json ovni.finished
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6Yc+ u32 1 str "a label"
  event 30 6Tc u32 1 u32 1
sh for n in {8..75}; do cp -r t c$n; truncate -s $n c$n/loom.n.0/proc.9/thread.10/stream.obs; done
$ for n in {36..75}; do weft emu -q c$n || echo $n; done >list 2>&1; grep -c incomplete list; grep -c error: list
exit 1
out is
| 38
| 0
$ for n in {8..35}; do weft emu -q c$n; [ $? = 3 ] || echo $n; done
empty out

== The rest of a cut stream explains that its thread did not end.
trace t
  json ovni.finished
  cut 5
$ weft emu t
no err error:

== A jumbo that claims 2 GiB, or 4.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  bytes 13365963 0b00000000000000 00000080 0102
$ weft emu t -o out
exit 1
err byte 36: event 6Y
err the last event is incomplete: 18 bytes
file out/thread.prv
trace u
  json ovni.finished
  event 10 OHx i32 0 i32 -1 u64 0
  bytes 13365963 0b00000000000000 ffffffff 0102
$ weft emu u -o out
err byte 36: event 6Y
err the last event is incomplete: 18 bytes
no err error:

== A jumbo that claims all of a large file.
trace t
  json ovni.finished
  event 10 OHx i32 0 i32 -1 u64 0
  bytes 13365963 0b00000000000000 00000001
sh truncate -s 20M t/loom.n.0/proc.9/thread.10/stream.obs
$ weft emu t
exit 1
file t.weft/thread.prv

== Flags that are no event end the stream.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  bytes 1f4f4865 1400000000000000
$ weft emu t
exit 1
err byte 36: flags 0x1f are not those of an event
file t.weft/thread.prv

== A payload that is missing.
trace t
  event 10 OHx
  event 20 OHe
$ weft emu t
exit 1
err byte 8: event OHx: at 0 ns: missing payload: 0 bytes, needs 4

== A label without its end.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 15 6Yc+ u32 1 hex 616263
  event 20 6Yc+ u32 2
  event 25 6Yc+
  event 50 OHe
$ weft emu t
exit 1
err byte 36: event 6Yc: at 5 ns: the label of task type 1 has no end
err event 6Yc: at 10 ns
err event 6Yc: at 15 ns

== A clock that goes back.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 5 6W[
  event 20 6W]
  event 50 OHe
$ weft emu t
exit 1
err byte 36: clock goes backwards 10 -> 5 ns
out 4 events in 40 ns

== Clocks at both ends of what a number holds.
unchecked Paraver holds times up to 2^53
trace t
  event 0x7fffffffffffffff OHx i32 0 i32 -1 u64 0
  event 0x7fffffffffffffff OHe
$ weft emu t -o out
exit 1
err clock
trace u
  event -1 OHx i32 0 i32 -1 u64 0
  event -0x8000000000000000 OHe
$ weft emu u -o out
exit 1
err clock
trace v
  event 0 OHx i32 0 i32 -1 u64 0
  event 0x7ffffffffffffffe OHe
$ weft emu v -o out
exit 1
err the clock of this event alone jumps, 0 -> 9223372036854775806 ns; the event gets the time 0

== A clock that jumps for one event.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 0x7ffffffffffffff0 6W[
  event 20 6W]
  event 50 OHe
$ weft emu t
exit 1
err byte 36: the clock of this event alone jumps, 10 -> 9223372036854775792 ns; the event gets the time 10
out 4 events in 40 ns

== Events that no model knows.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 15 OZz
  event 20 ZZz
  event 22 6zz
  event 50 OHe
$ weft emu t
exit 1
err byte 36: event OZz: at 5 ns: model ovni has no such event
err byte 48: event ZZz: at 10 ns: no model of this build has it; a model file of your own (--model of weft's commands) can add it
err byte 60: event 6zz: at 12 ns: model nanos6 has no such event

== An event of a model that the thread does not ask for.
trace t
  json ovni.require.nanos6
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 50 OHe
$ weft emu t
exit 1
err event 6W[: at 10 ns: model nanos6 not enabled for event

== A CPU that does not exist.
trace t
  event 10 OHx i32 2000000000 i32 -1 u64 0
  event 50 OHe
$ weft emu t
exit 1
err event OHx: at 0 ns: there is no CPU with index 2000000000

== A megabyte of noise.
trace t
sh { printf 'ovni\1\0\0\0'; yes $'\1\2\3\4\5\6\7\x08\x0b' | head -c 1000000; } >t/loom.n.0/proc.9/thread.10/stream.obs
$ weft emu -f csv t
exit 3
err byte 8: no event begins here: the rest of the stream, 1000000 bytes, is left out

== Zeros are no events, and said once.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
sh truncate -s +10M t/loom.n.0/proc.9/thread.10/stream.obs
$ weft check t
exit 1
out error: t/loom.n.0/proc.9/thread.10/stream.obs: byte 48: 10485760 bytes up to the end are zeros, not events (its stream.json says that it finished: the file was damaged later)
out 2 errors, 0 warnings, 0 notes in 2 events
$ weft dump t
exit 1
no out x00
trace u
sh { printf 'ovni\1\0\0\0'; head -c 1000000 /dev/zero; } >u/loom.n.0/proc.9/thread.10/stream.obs
$ weft emu u
exit 3
err byte 8: 1000000 bytes up to the end are zeros, not events
no err has no events

== Events behind zeros are left out, and their bytes said.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
sh head -c 5000 /dev/zero >>t/loom.n.0/proc.9/thread.10/stream.obs
sh printf 'abc' >>t/loom.n.0/proc.9/thread.10/stream.obs
$ weft check t
exit 1
out byte 36: 5000 bytes are zeros, not events: the rest of the stream, 3 bytes, is left out

== Zeros in the middle cost the events that they hit.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 30 6W]
  event 40 6C[
  event 60 6C]
  event 90 OHe
sh printf '\0\0\0\0\0\0\0\0\0\0\0\0' | dd of=t/loom.n.0/proc.9/thread.10/stream.obs bs=1 seek=50 conv=notrunc status=none
$ weft check t
exit 1
out byte 48: 24 bytes up to byte 72 are not an event and are left out
out 2 errors
$ weft dump -q t
exit 1
out 6W[
out 6C]
out OHe
no out 6W]
no out 6C[

== A size that is wrong costs the event that it runs into, not what follows.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OB.
  event 30 6W[
  event 50 6W]
  event 90 OHe
sh printf '\x07' | dd of=t/loom.n.0/proc.9/thread.10/stream.obs bs=1 seek=36 conv=notrunc status=none
$ weft dump -q t
exit 1
out 6W]
out OHe
err byte 56: 4 bytes up to byte 60 are not an event and are left out

== A finished stream that was cut costs no other thread anything.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OHp
  thread 11
  event 10 OHx i32 1 i32 -1 u64 0
  event 40 6Tx u32 7
  event 50 6Te u32 7
  event 60 OAr i32 1 i32 10
  event 90 OHe
$ weft emu t -o out
exit 1
err thread 10 is not dead at the end: it is Paused; it ends here, with its last event
err inferred: this task is of an unknown type
no err unknown task
no err cannot do that
$ weft check --repair t
exit 0
$ weft emu t.repaired -o whole
sh cmp out/thread.prv whole/thread.prv
sh cmp out/cpu.prv whole/cpu.prv

== A thread without any event left starts and ends at the first one.
trace t
  thread 11
sh truncate -s 8 t/loom.n.0/proc.9/thread.11/stream.obs
$ weft emu t
exit 1
err thread.11/stream.obs: no event of thread 11 is left

== Thousands of findings take no memory.
trace t
  repeat 20000 event 20 OZz
$ weft emu t
exit 1
err more are not shown

== A stack that only grows.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  json ovni.mark {"1": {"title": "a", "chan_type": "stack"}}
  repeat 20000 event 20 OM[ i64 1 i32 1
  repeat 20000 event 20020 OM[ i64 2 i32 1
  event 50000 OHe
$ weft emu t
file t.weft/thread.prv

== Many tasks and types.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  count 20000 event 20 6Yc+ u32 % str "type %"
  count 20000 event 20 6Tc u32 % u32 %
  event 50 OHe
$ weft emu t
file t.weft/thread.prv
$ weft emu -f csv t
file t.weft/states.csv

== Hundreds of streams.
trace t
  threads 300
$ weft emu t
exit 1
err 2 threads run on CPU
out 301 threads
file t.weft/thread.prv

== A label that is a megabyte long.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6Yc+ u32 1 text 1000000
  event 50 OHe
$ weft emu -f prv,csv t
exit 1
err task type 1 label too long
file t.weft/states.csv

== A trace written by hand with many threads.
write t.tt
| 1 a1 OHe
sh { seq -f 'thread a%g' 200000; echo 1 a1 OHe; } >t.tt
$ weft emu -q --max-findings 1 t.tt -o out
exit 3
err t.tt: line 65537: column 8: expected at most 65536 threads
