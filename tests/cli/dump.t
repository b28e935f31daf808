# weft dump: the events as text.

== Time since the start, the thread, the event, and what it says.
trace t
  event 10 OHx i32 0 i32 -1 u64 255
  event 30 6W[
  event 40 6W]
  event 50 OHe
$ weft dump t
out is
|            0  10  OHx  begins the execution on CPU 0 created from -1 with tag 0xff
|           20  10  6W[  enters worker main loop, looking for tasks
|           30  10  6W]  leaves worker main loop, looking for tasks
|           40  10  OHe  ends the execution
empty err

== As the original prints it.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6Yc+ u32 7 str job
  event 50 OHe
$ weft dump --format ovnidump t
out is
|         10  OHx  loom.n.0/proc.9/thread.10  begins the execution on CPU 0 created from -1 with tag 0
|         20  6Yc  loom.n.0/proc.9/thread.10  creates task type 7 with label "job"
|         50  OHe  loom.n.0/proc.9/thread.10  ends the execution
empty err

== The payload instead, of a jumbo with its size.
trace t
  event 10 OAs i32 258
  event 20 6Yc+ u32 7 str a
  event 50 OHe
$ weft dump -x --format ovnidump t
out is
|         10  OAs  loom.n.0/proc.9/thread.10  :02:01:00:00
|         20  6Yc  loom.n.0/proc.9/thread.10  :06:00:00:00:07:00:00:00:61:00
|         50  OHe  loom.n.0/proc.9/thread.10  

== The payload behind what it says.
trace t
  event 10 OAs i32 258
  event 50 OHe
$ weft dump -x t
out switches its own affinity to the CPU 258  :02:01:00:00

== JSON: an object a line.
trace t
  event 10 OHC i32 -1 u64 0xffffffffffffffff
  event 20 6Yc+ u32 7 str 'a"b'
  event 30 6W[
$ weft dump -x --format json t
out is
| {"time":0,"clock":10,"stream":"loom.n.0/proc.9/thread.10","thread":10,"pid":9,"event":"OHC","args":{"cpu":-1,"tag":18446744073709551615},"says":"creates a new thread on CPU -1 with tag 0xffffffffffffffff","payload":"ffffffffffffffffffffffff"}
| {"time":10,"clock":20,"stream":"loom.n.0/proc.9/thread.10","thread":10,"pid":9,"event":"6Yc","args":{"typeid":7,"label":"a\"b"},"says":"creates task type 7 with label \"a\"b\"","payload":"0700000061226200"}
| {"time":20,"clock":30,"stream":"loom.n.0/proc.9/thread.10","thread":10,"pid":9,"event":"6W[","args":{},"says":"enters worker main loop, looking for tasks","payload":""}

== The time of day, which --from takes.
ctf c lttng-1
$ weft dump -q --utc c --from 2026-11-21T12:30:57.552154027Z --to +1ns
out is
| 2026-11-21T12:30:57.552154027Z  28051    demo:small  { vtid = 28051, procname = "prog" }, { i = 66 }
$ weft dump -q --utc -f json c --from 12:30:57.552154Z --to +100ns
out ,"utc":"2026-11-21T12:30:57.552154027Z","stream":

== A trace without a time of day, and formats with times of their own.
trace t
  event 10 OHx i32 0 i32 -1 u64 255
  event 50 OHe
$ weft dump --utc t
exit 2
empty out
err weft dump: error: --utc: the trace does not say what time it was
$ weft dump --utc -f ovnidump t
exit 2
empty out
err weft dump: error: --utc is for the formats text and json

== Text of a trace can steer neither a terminal nor JSON.
trace t
  event 10 6Yc+ u32 7 hex 1b5b330aff00
$ weft dump t
out label "?[3?
$ weft dump --format json t | python3 -c 'import json,sys; print(repr(json.loads(sys.stdin.read())["args"]["label"]))'
out is
| '\x1b[3\n�'

== UTF-8 is kept, other bytes are replaced.
trace t
  event 10 6Yc+ u32 7 hex c3a9e282acf09f9880c0afeda080f4908080c300
$ weft dump --format json t | python3 -c 'import json,sys; print(ascii(json.loads(sys.stdin.read())["args"]["label"]).replace("\\ufffd", "."))'
out is
| '\xe9\u20ac\U0001f600..........'

== A label of any length.
trace t
  event 10 6Yc+ u32 7 text 200000
$ weft dump t | wc -c
out is
| 200057
$ weft dump --format ovnidump t | wc -c
out is
| 200078
$ weft dump --format json t | python3 -c 'import json,sys; print(len(json.loads(sys.stdin.read())["says"]))'
out is
| 200033

== Events of models that no thread requires.
trace t
  json ovni.require {}
  event 10 6W[
$ weft dump t
out enters worker main loop

== An event that no model knows is UNKNOWN, reported once, and the rest follows.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 ZZz
  event 30 ZZz
  event 50 OHe
$ weft dump t
exit 1
out           10  10  ZZz  UNKNOWN
out           20  10  ZZz  UNKNOWN
out           40  10  OHe  ends the execution
err event ZZz: at 10 ns: no model of this build has it; a model file of your own (--model of weft's commands) can add it
no err at 20 ns
$ weft dump --format json t
exit 1
out "event":"ZZz","args":{},"says":null}

== A payload that is missing, a string without its end.
trace t
  event 10 OHx i32 0
  event 20 6Tc u32 1
  event 30 6Yc+ u32 7 hex 6161
  event 40 6Yc
  event 50 OHC
$ weft dump --format ovnidump t
exit 1
out is
|         10  OHx  loom.n.0/proc.9/thread.10  UNKNOWN
|         20  6Tc  loom.n.0/proc.9/thread.10  UNKNOWN
|         30  6Yc  loom.n.0/proc.9/thread.10  UNKNOWN
|         40  6Yc  loom.n.0/proc.9/thread.10  UNKNOWN
|         50  OHC  loom.n.0/proc.9/thread.10  UNKNOWN
err event 6Tc: at 10 ns: missing payload
err event 6Yc: at 30 ns: expecting a jumbo event
$ weft dump --format json t
exit 1
out "event":"OHx","args":{"cpu":0},"says":null}
out "args":{"typeid":7,"label":null},"says":null}

== A window has its beginning and not its end; times have units.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OHp
  event 30 OHr
  event 40 OHe
$ weft dump --from 10 --to 21 t
out is
|           10  10  OHp  pauses the execution
|           20  10  OHr  resumes the execution
$ weft dump --from 0.01us --to 20ns t
out is
|           10  10  OHp  pauses the execution
$ weft dump --from 31 t
empty out
err no events: the trace ends at 30 ns, before --from 31
$ weft dump --to 0 t
exit 2
err nothing is between --from 0 and --to 0: --from must be the earlier time

== By thread, loom, model and event.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 50 OHe
  thread 11
  event 15 OHx i32 1 i32 -1 u64 0
  event 50 OHe
$ weft dump --thread 11 t
out is
|            5  11  OHx  begins the execution on CPU 1 created from -1 with tag 0
|           40  11  OHe  ends the execution
$ weft dump --only-model nanos6 t
out is
|           10  10  6W[  enters worker main loop, looking for tasks
$ weft dump --event 'OH?' --thread 10 --loom n.0 t | wc -l
out is
| 2
$ weft dump --event nothing t
empty out
$ weft dump --thread 11,10 --only-model ovni,nanos6 --event '6??,OHe' t
out is
|           10  10  6W[  enters worker main loop, looking for tasks
|           40  10  OHe  ends the execution
|           40  11  OHe  ends the execution

== By CPU: the events that happen there, also those of threads that come and leave.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 30 OAs i32 1
  event 40 6W]
  event 50 OHe
  thread 11
  event 15 OHx i32 1 i32 -1 u64 0
  event 16 OHp
  event 45 OAr i32 0 i32 10
  event 60 OHr
  event 70 OHe
$ weft dump --cpu 3 t
out is
|            0  10  OHx  begins the execution on CPU 0 created from -1 with tag 0
|           10  10  6W[  enters worker main loop, looking for tasks
|           20  10  OAs  switches its own affinity to the CPU 1
|           35  11  OAr  changes the affinity of thread 10 to CPU 0
|           40  10  OHe  ends the execution
$ weft top --format ovnitop --cpu 3 --thread 11 --only-model ovni t
out is
| OHe          2
| OHx          2
| OAr          1
| OAs          1
| OHp          1
| OHr          1

== By type: what changes a state of it.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 30 OHp
  event 40 OHr
  event 50 6W]
  event 60 OHe
  thread 11
  event 15 OHx i32 1 i32 -1 u64 0
  event 70 OHe
$ weft dump --type nanos6.subsystem --thread 10 t
out is
|            0  10  OHx  begins the execution on CPU 0 created from -1 with tag 0
|           10  10  6W[  enters worker main loop, looking for tasks
|           20  10  OHp  pauses the execution
|           30  10  OHr  resumes the execution
|           40  10  6W]  leaves worker main loop, looking for tasks
$ weft dump --type 37,nanos6.idle --cpu 1 t | cut -c1-20
out is
|            5  11  OH
|           60  11  OH
$ weft dump --type 4 --thread 11 --from 6 t
out is
|           60  11  OHe  ends the execution
$ weft dump --type nosv.subsystem t
exit 2
err the trace has no type "nosv.subsystem"; there are: ovni.tid

== The end of a killed thread is no event.
trace t
  json ovni.finished
  json ovni.loom_cpus
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OB.
  thread 11
  event 15 OHx i32 1 i32 -1 u64 0
  event 30 OB.
  event 40 OHe
$ weft dump -q --type ovni.state t | cut -c1-20
out is
|            0  10  OH
|            5  11  OH
|           30  11  OH

== What a verb does not do it does not offer.
trace t
$ weft dump --strict t
exit 2
$ weft top --all-models t
exit 2
$ weft dump --errors null t
exit 2

== A filter that fits nothing in the tables.
trace t
$ weft dump --thread 7 t
exit 2
err the trace has no thread "7"; there are: 10
$ weft dump --loom x t
exit 2
err the trace has no loom "x"; there are: n.0
$ weft dump --only-model x t
exit 2
err the trace has no model "x"; there are: nanos6, nodes, 
$ weft dump --thread x t
exit 2
err the trace has no thread "x"; there are: 10

== A format that there is not.
trace t
$ weft dump --format xml t
exit 2
err --format takes one of text,ovnidump,babeltrace,json
empty out

== Clocks of ovnidump are those of the stream, time has the offsets.
trace t
write t.txt
| rank hostname offset_median offset_mean offset_std
| 0 n 100 100 0
$ weft dump -c t.txt --format ovnidump --event OHx t
out         10  OHx
$ weft dump -c t.txt --format json --event OHx t
out "time":0,"clock":10,

== A trace written by hand, whose arguments are known by name.
write small.tt
| thread a
| 0 a OHx 0 -1 255
| 10 a 6Yc+ 7 "job"
| 20 a ZZz 1 "x"
| 40 a OHe
$ weft dump small.tt
exit 1
out begins the execution on CPU 0 created from -1 with tag 0xff
out creates task type 7 with label "job"
out ZZz  UNKNOWN
$ weft dump --format json --event ZZz small.tt
exit 1
out "args":{"0":1,"1":"x"},"says":null}

== Two threads of one id are told apart by their streams.
trace t
  thread 10 loom.n.0/proc.8/thread.10
  json ovni.pid 8
$ weft dump --event OHe t
out loom.n.0/proc.8/thread.10  OHe  ends the execution

== A name that no event has.
trace t
$ weft dump --event 'OH?,6Z?,OHe' t
err --event: no event is called "6Z?" (weft top TRACE lists all events)
$ weft top --event OH? t
empty err

== A full device.
trace t
$ weft dump t >/dev/full
exit 3
err cannot write to standard output

== A reader that goes away.
trace t
  repeat 200000 event 10 OB.
$ weft dump t | head -n 1
out OB.

== No trace.
$ weft dump nothing
exit 3
empty out

== A model that the user brings.
write pool.model
| model pool 1.0.0 X "a pool"
| XJn(u32 job) ignore says="is told of job %job"
trace t
  event 10 XJn u32 7
  event 50 OHe
$ weft dump --model pool.model --only-model pool t
out is
|            0  10  XJn  is told of job 7
$ weft top --model pool.model --by model t
out 50.0 %  pool   a pool
