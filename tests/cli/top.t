# weft top: how many events of each kind.

== Most frequent first, equal counts by name.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 30 6W]
  event 40 6W[
  event 50 OHe
$ weft top t
out is
|       events    share  event  meaning
|            2   40.0 %  6W[    enters worker main loop, looking for tasks
|            1   20.0 %  6W]    leaves worker main loop, looking for tasks
|            1   20.0 %  OHe    ends the execution
|            1   20.0 %  OHx    begins the execution on CPU <cpu> created from <tid> with tag <tag>
empty err

== As the original prints it.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OB.
  event 30 OB.
$ weft top --format ovnitop t
out is
| OB.          2
| OHx          1

== By model; events that no model knows are counted, too.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OB.
  event 30 6W[
  event 40 ZZz
$ weft top --by model t
out is
|       events    share  model      meaning
|            2   50.0 %  ovni       threads, CPUs, buffer flushes, marks: always on
|            1   25.0 %  (unknown)  no model of this build has it; a model file of your own (--model of weft's commands) can add it
|            1   25.0 %  nanos6     Nanos6 runtime: tasks, subsystems, idle states

== By thread.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 50 OHe
  thread 11
  event 10 OHx i32 1 i32 -1 u64 0
  event 20 OB.
  event 50 OHe
$ weft top --by thread t
out is
|       events    share  thread
|            3   60.0 %  11
|            2   40.0 %  10

== JSON: an object a line.
trace t
  event 10 OHp
  event 20 ZZz
  event 30 ZZz
$ weft top --json t
out is
| {"event":"ZZz","count":2,"says":null}
| {"event":"OHp","count":1,"says":"pauses the execution"}
$ weft top --by thread --format json t
out is
| {"thread":"10","count":3}

== A name is counted once, as a jumbo or not.
trace t
  event 10 6Yc+ u32 7 str a
  event 20 6Yc
$ weft top --format ovnitop t
out is
| 6Yc          2

== Many events of many names.
trace t
  repeat 100000 event 10 OB.
  event 900000000 OHe
$ weft top --format ovnitop t
out OB.     100000

== Filters.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 30 6W]
  event 50 OHe
  thread 11
  event 15 OHx i32 1 i32 -1 u64 0
  event 60 OHe
$ weft top --format ovnitop --from 5ns --to 40 t
out is
| 6W[          1
| 6W]          1
| OHx          1
$ weft top --format ovnitop --thread 11 t
out is
| OHe          1
| OHx          1
$ weft top --format ovnitop --only-model nanos6 --event '6W?' t
out is
| 6W[          1
| 6W]          1
$ weft top --format ovnitop --loom m t
exit 2
err the trace has no loom "m"; there are: n.0

== What is wrong with streams is reported, in any order of them.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 5 OB.
  event 20 OHe
  cut 3
  thread 11
  header 6f766e4901000000
  thread 12
  event 12 OHx i32 1 i32 -1 u64 0
  event 30 OHe
$ weft top --format ovnitop t
exit 1
out is
| OHx          2
| OB.          1
| OHe          1
err thread.11/stream.obs: not an ovni stream
err thread.10/stream.obs: byte 36: clock goes backwards 10 -> 5 ns
err thread.10/stream.obs: byte 48: the last event is incomplete

== Words that it does not take.
trace t
$ weft top --by cpu t
exit 2
err --by takes one of event,model,thread
$ weft top --format xml t
exit 2
err --format takes one of text,ovnitop,json
$ weft top --format ovnitop --by model t
exit 2
err --format ovnitop counts by event only

== A full device.
trace t
$ weft top t >/dev/full
exit 3
err cannot write to standard output

== A screen cuts what events mean before their names, and no name that fits.
ctf t nanos6-fib
$ COLUMNS=80 weft top t
out   nanos6:dependency_unregister_enter  begins unregistering
$ COLUMNS=60 weft top t
out   nanos6:dependency_unregister_enter
out     begins unregistering dependencies
$ COLUMNS=60 weft top --by thread t
out   0/ctf/user/channel_0
