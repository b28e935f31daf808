# What ovniemu refuses, one rule a trace: old_says.t has the texts that scripts
# look for.

== Task types and tasks.
trace a
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6Yc+ u32 0 str "a"
  event 5000 OHe
$ cp -r a w; (exec -a ovniemu weft w)
exit 1
err task type id cannot be 0
sh rm -r w
trace b
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6Yc+ u32 1 text 512
  event 5000 OHe
$ cp -r b w; (exec -a ovniemu weft w)
exit 1
err task type 1 label too long
sh rm -r w
trace c
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6Yc u32 1 str "a"
  event 5000 OHe
$ cp -r c w; (exec -a ovniemu weft w)
exit 1
err expecting a jumbo event
sh rm -r w
trace d
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6Yc+ u32 1 str "a"
  event 30 6Tc u32 0 u32 1
  event 40 6Tx u32 0
  event 5000 OHe
$ cp -r d w; (exec -a ovniemu weft w)
exit 1
err task id cannot be 0
sh rm -r w
trace e
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6Yc+ u32 1 str "a"
  event 30 6Tc u32 1 u32 1
  event 40 6Tx u32 1
  event 5000 OHe
  thread 11
  event 10 OHx i32 1 i32 -1 u64 0
  event 100 6Te u32 1
  event 200 OHe
$ cp -r e w; (exec -a ovniemu weft w)
exit 1
err task 1 cannot be ended here
sh rm -r w

== Marks.
trace a
  json ovni.mark {"1": {"title": "a", "chan_type": "stack"}}
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OM= i64 1 i32 1
  event 5000 OHe
$ cp -r a w; (exec -a ovniemu weft w)
exit 1
err mark type 1 is a stack
sh rm -r w
trace b
  json ovni.mark {"1": {"title": "a", "chan_type": "single"}}
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OM[ i64 1 i32 1
  event 5000 OHe
$ cp -r b w; (exec -a ovniemu weft w)
exit 1
err mark type 1 is single
sh rm -r w
trace c
  json ovni.mark {"1": {"title": "a", "chan_type": "single"}}
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OM= i64 0 i32 1
  event 5000 OHe
$ cp -r c w; (exec -a ovniemu weft w)
exit 1
err the value of a mark is 0
sh rm -r w
trace d
  json ovni.mark {"1": {"title": "a"}}
$ cp -r d w; (exec -a ovniemu weft w)
exit 1
err ovni.mark.1: needs a title, and a chan_type
sh rm -r w
trace e
  json ovni.mark {"100": {"title": "a", "chan_type": "single"}}
$ cp -r e w; (exec -a ovniemu weft w)
exit 1
err mark type 100 is not in 0..99
sh rm -r w
trace f
  json ovni.mark {"1": {"title": "a", "chan_type": "single", "labels": {"1": "x", "4294967297": "y"}}}
$ cp -r f w; (exec -a ovniemu weft w)
exit 1
err mark type 1 labels the values 1 and 4294967297
sh rm -r w

== Threads and CPUs.
trace a
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OHp
  event 30 OHw
  event 40 OHe
$ cp -r a w; (exec -a ovniemu weft w)
exit 1
err OHe: at 30 ns: thread 10 is Warming
sh rm -r w
trace b
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OHr
  event 5000 OHe
$ cp -r b w; (exec -a ovniemu weft w)
exit 1
err OHr: at 10 ns: thread 10 is Running
sh rm -r w
trace c
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OHp
  event 30 OHc
  event 35 OHr
  event 5000 OHe
$ cp -r c w; (exec -a ovniemu weft w)
exit 1
err OHc: at 20 ns: thread 10 is Paused
sh rm -r w
trace d
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OHw
  event 5000 OHe
$ cp -r d w; (exec -a ovniemu weft w)
exit 1
err OHw: at 10 ns: thread 10 is Running
sh rm -r w
trace e
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OHp
  event 30 OAs i32 1
  event 35 OHr
  event 5000 OHe
$ cp -r e w; (exec -a ovniemu weft w)
exit 1
err OAs: at 20 ns: thread 10 is Paused
sh rm -r w
trace f
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OAr i32 0 i32 10
  event 5000 OHe
$ cp -r f w; (exec -a ovniemu weft w)
exit 1
err thread 10 is moved to a CPU on which it is already
sh rm -r w
trace g
  event 10 OHx i32 0 i32 -1 u64 0
  event 30 OAr i32 0 i32 11
  event 5000 OHe
  thread 11
  event 10 OHx i32 1 i32 -1 u64 0
  event 20 OHe
$ cp -r g w; (exec -a ovniemu weft w)
exit 1
err thread 11 is Dead
sh rm -r w
trace h
  event 10 OHx i32 0 i32 -1 u64 0
  event 30 OAs i32 1 i32 1
  event 5000 OHe
$ cp -r h w; (exec -a ovniemu weft w)
exit 1
err payload of 8 bytes, must be 4
sh rm -r w
trace i
  event -5 OHx i32 0 i32 -1 u64 0
  event 5000 OHe
$ cp -r i w; (exec -a ovniemu weft w)
exit 1
err clock goes backwards 0 -> -5
sh rm -r w

== Streams.
trace a
  header
  event 10 OHe
  cut 12
$ cp -r a w; (exec -a ovniemu weft w)
exit 1
err is empty
sh rm -r w
trace b
  header 6f76
  cut 36
$ cp -r b w; (exec -a ovniemu weft w)
exit 1
err is shorter than its header
sh rm -r w
trace c
  header 6f766e4901000000
$ cp -r c w; (exec -a ovniemu weft w)
exit 1
err not an ovni stream
sh rm -r w
trace d
  header 6f766e6902000000
$ cp -r d w; (exec -a ovniemu weft w)
exit 1
err stream version 2
sh rm -r w
trace e
  cut 3
$ cp -r e w; (exec -a ovniemu weft w)
exit 1
err the last event is incomplete
sh rm -r w
trace f
  thread 11
  json ovni.part "x"
$ cp -r f w; (exec -a ovniemu weft w)
exit 1
err event from unknown stream
sh rm -r w

== What stream.json must have.
trace a
  json ovni.lib.version
$ cp -r a w; (exec -a ovniemu weft w)
exit 1
err missing ovni.lib.version
sh rm -r w
trace b
  json ovni.lib.commit
$ cp -r b w; (exec -a ovniemu weft w)
exit 1
err missing ovni.lib.commit
sh rm -r w
trace c
  json ovni.part
$ cp -r c w; (exec -a ovniemu weft w)
exit 1
err missing ovni.part
sh rm -r w
trace d
  json ovni.tid 0
$ cp -r d w; (exec -a ovniemu weft w)
exit 1
err missing ovni.tid
sh rm -r w
trace e
  json ovni.pid 0
$ cp -r e w; (exec -a ovniemu weft w)
exit 1
err missing ovni.pid
sh rm -r w
trace f
  json ovni.loom
$ cp -r f w; (exec -a ovniemu weft w)
exit 1
err missing ovni.loom
sh rm -r w
trace g
  json ovni.loom "a/b"
$ cp -r g w; (exec -a ovniemu weft w)
exit 1
err "a/b" is not a loom name
sh rm -r w
trace h
  json ovni.app_id
$ cp -r h w; (exec -a ovniemu weft w)
exit 1
err no thread of process 9 says its app_id
sh rm -r w
trace i
  json ovni.finished 2
$ cp -r i w; (exec -a ovniemu weft w)
exit 1
err ovni.finished: must be 1
sh rm -r w
trace j
  json ovni.require {"ovni": "1.x"}
$ cp -r j w; (exec -a ovniemu weft w)
exit 1
err version "1.x" of model ovni is not of the form X.Y.Z
sh rm -r w

== What threads must agree on.
trace a
  json ovni.rank 0
$ cp -r a w; (exec -a ovniemu weft w)
exit 1
err missing ovni.nranks
sh rm -r w
trace b
  json ovni.rank 0
  json ovni.nranks 2
  thread 11 loom.n.0/proc.8/thread.11
  json ovni.pid 8
  event 10 OHx i32 1 i32 -1 u64 0
  event 50 OHe
$ cp -r b w; (exec -a ovniemu weft w)
exit 1
err process 8 has no rank, but process 9
sh rm -r w
trace c
  json ovni.loom_cpus []
$ cp -r c w; (exec -a ovniemu weft w)
exit 1
err ovni.loom_cpus: the array is empty
sh rm -r w
trace d
  json ovni.loom_cpus [{"index": 0, "phyid": -1}]
$ cp -r d w; (exec -a ovniemu weft w)
exit 1
err has phyid -1
sh rm -r w
trace e
  json ovni.loom_cpus [{"index": -1, "phyid": 1}]
$ cp -r e w; (exec -a ovniemu weft w)
exit 1
err cpu index -1 is not
sh rm -r w
trace f
  json ovni.loom_cpus [{"index": 0, "phyid": 1}, {"index": 1, "phyid": 1}]
$ cp -r f w; (exec -a ovniemu weft w)
exit 1
err cpu with phyid 1 has index 1 here and index 0
sh rm -r w
trace g
  thread 10 loom.n.0/proc.9/thread.10b
  event 10 OHx i32 1 i32 -1 u64 0
  event 50 OHe
$ cp -r g w; (exec -a ovniemu weft w)
exit 1
err process 9 already has a thread with tid 10
sh rm -r w

== Labels with one value are refused when all is written.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6Yc+ u32 1 str "27273"
  event 30 6Yc+ u32 2 str "55510"
  event 40 6W[
  event 50 6W]
  event 60 OHe
$ cp -r t w; (exec -a ovniemu weft w)
exit 1
err collision occurred in task type labels: 27273 and 55510
$ tail -n 1 w/thread.prv; weft emu -q t
exit 1
out 2:0:1:1:1:50:
err collision occurred in task type labels: 27273 and 55510

== Tables of clock offsets.
trace t
  thread 11
  json ovni.loom "m.0"
  json ovni.pid 8
  event 10 OHx i32 0 i32 -1 u64 0
  event 50 OHe
write twice
| rank hostname median mean std
| 0 n 5 0 0
| 1 n 5 0 0
$ cp -r t w; (exec -a ovniemu weft -c twice w)
exit 1
err line 3: host n has an offset in an earlier line
no file w/thread.prv
sh rm -r w
write strange
| rank hostname median mean std
| 0 x 5 0 0
$ cp -r t w; (exec -a ovniemu weft -c strange w)
exit 1
err line 2: host x is not in the trace
no file w/thread.prv
sh rm -r w
write narrow
| rank hostname median mean std
| 0 n 5 0
$ cp -r t w; (exec -a ovniemu weft -c narrow w)
exit 1
err line 2: 4 columns instead of 5
no file w/thread.prv
sh rm -r w
write words
| rank hostname median mean std
| a n 5 0 0
$ cp -r t w; (exec -a ovniemu weft -c words w)
exit 1
err is "a", not a whole number
no file w/thread.prv
sh rm -r w
write none
| rank hostname median mean std
$ cp -r t w; (exec -a ovniemu weft -c none w)
exit 1
err has no entries
no file w/thread.prv
sh rm -r w
sh printf 'rank hostname a b c\n0 n nan 0 0\n' > nan; printf 'rank hostname a b c\n0 n 1e19 0 0\n' > large
$ cp -r t w; (exec -a ovniemu weft -c nan w)
exit 1
err the offset in column 3 is nan, not a number
$ (exec -a ovniemu weft -c large w)
exit 1
err the offset in column 3 is 1e19, too large for a clock
sh rm -r w
sh : >empty
$ cp -r t w; (exec -a ovniemu weft -c empty w)
exit 1
err the table of clock offsets is empty
$ (exec -a ovniemu weft -c nosuch w)
exit 1
err nosuch: cannot be found, check the path
$ (exec -a ovniemu weft w)
err no clock-offsets.txt for 2 looms

== What is old or slow is a warning.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OCn i32 0
  event 30 6TC u32 1
  repeat 100 event 33+303 OB.
  event 40000 OF[
  event 20000000 OF]
  event 20000050 OHe
$ cp -r t w; (exec -a ovniemu weft w)
err WARN: w/loom.n.0/proc.9/thread.10/stream.obs: byte 36: event OCn: at 10 ns: obsolete event
err obsolete event 6TC
err WARN: w/loom.n.0/proc.9/thread.10/stream.obs: byte 1256: event OB.: at 30020 ns: n.0 burst stats: median/avg/max = 303/303/303 ns
err flushing took 19 ms while the thread was running
err emulation finished ok

== An output that would replace a file of the input.
trace k
  event 10 OHx i32 0 i32 -1 u64 0
  event 50 OHe
$ cp -r k w; ln w/loom.*/proc.*/thread.*/stream.obs w/thread.prv; (exec -a ovniemu weft w)
exit 1
err is the input or a part of it
$ cmp w/thread.prv k/loom.*/proc.*/thread.*/stream.obs
no file w/cpu.prv
sh rm -r w
