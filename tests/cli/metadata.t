# stream.json: what is missing or wrong is named with file and key.

== Broken JSON has line and column.
trace t
  json-text {\n "version": 3,\n "ovni": oops\n}
$ weft emu t
exit 1
err t/loom.n.0/proc.9/thread.10/stream.json: line 3, column 10

== Broken metadata leaves the other streams.
trace t
  thread 11
  json-text {
$ weft emu t
exit 1
err thread.11/stream.json: line 1, column 2
out 2 threads of 1 process,
file t.weft/thread.prv

== The file of broken JSON is named once.
trace t
  json-text {
$ weft emu t
exit 1
no err stream.json: t/loom

== Metadata that is cut, empty, or no JSON at all.
trace t
  json-text {"version": 3, "ovni": {"tid"
$ weft emu t -o out
exit 1
err stream.json: line 1
trace u
  json-text
$ weft emu u -o out
exit 1
err thread.10/stream.json
trace v
  json-text \x00\xff\xfe\x01
$ weft emu v -o out
exit 1
err thread.10/stream.json
trace w
  json-text [1, 2]
$ weft emu w -o out
exit 1
err thread.10/stream.json

== JSON that is nested without an end.
trace t
sh printf '[%.0s' {1..100000} >t/loom.n.0/proc.9/thread.10/stream.json
$ weft emu t
exit 1
err thread.10/stream.json

== No version.
trace t
  json version
$ weft emu t
exit 1
err thread.10/stream.json: missing version

== Another version.
trace t
  json version 4
$ weft emu t
exit 3
err thread.10/stream.json: metadata version 4; this build reads version 3

== No tid.
trace t
  json ovni.tid
$ weft emu t
exit 1
err thread.10/stream.json: missing ovni.tid

== A tid of 0, of text, of a fraction.
trace t
  json ovni.tid 0
$ weft emu t -o out
exit 1
err missing ovni.tid: it is 0
trace u
  json ovni.tid "ten"
$ weft emu u -o out
exit 1
err ovni.tid: must be an integer, is a string
trace v
  json ovni.tid 1.5
$ weft emu v -o out
exit 1
err ovni.tid: must be an integer

== A tid that no kernel gives.
trace t
  json ovni.tid -9223372036854775808
  json ovni.pid 9223372036854775807
$ weft emu t
exit 1
err ovni.tid: tid -9223372036854775808 does not fit in 32 bits

== No pid.
trace t
  json ovni.pid
$ weft emu t
exit 1
err thread.10/stream.json: missing ovni.pid

== No loom, an empty one, one that is a path.
trace t
  json ovni.loom
$ weft emu t -o out
exit 1
err thread.10/stream.json: missing ovni.loom
trace u
  json ovni.loom ""
$ weft emu u -o out
exit 1
err ovni.loom: "" is not a loom name
trace v
  json ovni.loom "../x"
$ weft emu v -o out
exit 1
err ovni.loom: "../x" is not a loom name

== No part, or another one.
trace t
  json ovni.part
$ weft emu t -o out
exit 1
err thread.10/stream.json: missing ovni.part
trace u
  json ovni.part "gpu"
$ weft emu u -o out
exit 3
err ovni.part: part "gpu" is not known

== No version of the library.
trace t
  json ovni.lib
$ weft emu t
exit 1
err thread.10/stream.json: missing ovni.lib.version

== No application.
trace t
  json ovni.app_id
$ weft emu t
exit 1
err app_id
$ weft check --repair t -o whole
$ weft emu -q -f csv t -o a
exit 1
$ weft emu -q -f csv whole -o b
$ cmp a/states.csv b/states.csv

== No CPUs, or CPUs that are wrong.
trace t
  json ovni.loom_cpus
$ weft emu t -o out
exit 1
err ovni.loom_cpus: loom n.0 has no physical CPUs
trace u
  json ovni.loom_cpus []
$ weft emu u -o out
exit 1
err ovni.loom_cpus: the array is empty
trace v
  json ovni.loom_cpus [{"index": 0}]
$ weft emu v -o out
exit 1
err ovni.loom_cpus: entry 0 must have integers
trace w
  json ovni.loom_cpus 7
$ weft emu w -o out
exit 1
err ovni.loom_cpus: must be an array, is a number

== CPU indexes that would need all memory.
trace t
  json ovni.loom_cpus [{"index": 4000000000000000000, "phyid": 0}, {"index": -1, "phyid": 1}]
$ weft emu t
exit 1
err ovni.loom_cpus

== Ranks that would need all memory.
trace t
  json ovni.rank 2000000000
  json ovni.nranks 2000000001
$ weft emu t
file t.weft/thread.prv

== A rank beyond its number of ranks.
trace t
  json ovni.rank 4
  json ovni.nranks 4
$ weft emu t
exit 1
err rank

== No require.
trace t
  json ovni.require
$ weft emu t
exit 1
err thread.10/stream.json: missing ovni.require

== A require that is wrong.
trace t
  json ovni.require.nanos6 7
$ weft emu t -o out
exit 1
err ovni.require: the version of model nanos6 must be a string
trace u
  json ovni.require.nanos6 "9.0.0"
$ weft emu u -o out
exit 1
err nanos6
trace v
  json ovni.require []
$ weft emu v -o out
exit 1
err ovni.require: must be an object, is an array

== A model that nobody knows is no error until its events come.
trace t
  json ovni.require.cobol "1.0.0"
$ weft emu t
file t.weft/thread.prv

== Metadata that names no thread: its folder does, also for the repaired copy.
trace t
  thread 11
  event 10 OHx i32 1 i32 -1 u64 0
  event 50 OHe
  json ovni.tid
$ weft emu t
exit 1
err thread.11/stream.json: names no valid thread, or that of another stream; the stream is read as thread 11 of process 9, according to the name of its directory
out 2 threads of 1 process, 4 events
$ weft check --repair t
exit 1
err 0 errors and 1 warning remain
$ weft check t.repaired
exit 1
out thread.11/stream.json: written by libovni unknown
out 0 errors, 1 warning, 0 notes in 4 events

== Metadata of another thread: its folder says whose the stream is.
trace t
  thread 11
sh cp t/loom.n.0/proc.9/thread.10/stream.json t/loom.n.0/proc.9/thread.11/
$ weft stat t
exit 1
err ovni.tid: process 9 already has a thread with tid 10
err thread.11/stream.json: names no valid thread, or that of another stream; the stream is read as thread 11 of process 9
out 2 threads

== A stream of no thread is left out whole: the others begin and end without it.
trace t
  thread 9 loom.n.0/proc.9/a
  json ovni.tid
$ weft check --repair t
sh weft dump t 2>said | tr -s ' ' >damaged; weft dump t.repaired | tr -s ' ' >repaired; cmp damaged repaired
$ grep "left out: 48 bytes, because its stream.json names no thread" said
out a/stream.obs
$ weft check t.repaired
out 0 errors, 0 warnings, 0 notes in 2 events

== Two streams of one thread.
trace t
  thread 10 loom.n.0/proc.9/other
$ weft emu t
exit 1
err ovni.tid: process 9 already has a thread with tid 10
err /other/stream.obs
file t.weft/thread.prv

== Metadata without its stream.
trace t
  no stream.obs
$ weft emu t
exit 3
err thread.10/stream.obs: cannot open: No such file or directory
trace u
  thread 11
  no stream.obs
$ weft emu u
exit 1
err thread.11/stream.obs: cannot open
file u.weft/thread.prv

== A stream without its metadata is of the thread that its folder is called after.
trace t
  no stream.json
$ weft emu t
exit 1
err thread.10/stream.json: is missing; the stream is read as thread 10 of process 9, according to the name of its directory
out 1 thread of 1 process, 2 events
$ weft check --repair t
$ weft check t.repaired
out 0 errors, 0 warnings, 0 notes in 2 events

== A stream that is left out, without metadata and in a directory of another name, is reported.
trace t
sh mkdir t/other; mv t/loom.n.0/proc.9/thread.10/stream.obs t/other; rm -r t/loom*
trace t
$ weft emu t
exit 1
err t/other/stream.obs: left out: 48 bytes, because nothing says which thread wrote them

== Marks that are wrong.
trace t
  json ovni.mark {"x": {"title": "a", "chan_type": "single"}}
$ weft emu t -o out
exit 1
err ovni.mark.x: the mark type must be a number
trace u
  json ovni.mark {"1": {"chan_type": "single"}}
$ weft emu u -o out
exit 1
err ovni.mark.1: needs a title
trace v
  json ovni.mark {"1": {"title": "a", "chan_type": "single", "labels": {"x": "y"}}}
$ weft emu v -o out
exit 1
err label "x": its key must be a number, its value a string
trace w
  json ovni.mark {"100": {"title": "a", "chan_type": "single"}}
$ weft emu w -o out
exit 1
err ovni.mark
trace x
  json ovni.mark 5
$ weft emu x -o out || true

== A thread that was not finished is a warning.
trace t
  json ovni.finished
$ weft emu t
err warning: t/loom.n.0/proc.9/thread.10/stream.json: missing ovni.finished
file t.weft/thread.prv

== Clock snapshots and suspensions that cannot be used are counted.
trace t
  json weft.clocks.snap [[1,2,3,4],[1,2],[1,2,3,-1]]
  json weft.suspended [[5,1,1]]
  event 10 OHx i32 0 i32 -1 u64 0
  event 50 OHe
$ weft check t
out note: t/loom.n.0/proc.9/thread.10/stream.json: 2 clock snapshots are left out: each has four integers, the last one not negative
out note: t/loom.n.0/proc.9/thread.10/stream.json: 1 suspension is left out: each has the clock before, the clock after, not less, and a length above 0
trace u
  json weft.clocks.snap "no"
  event 10 OHx i32 0 i32 -1 u64 0
  event 50 OHe
$ weft check u
out note: u/loom.n.0/proc.9/thread.10/stream.json: 1 clock snapshot is left out
