# The texts that the ovni tools print about a bad trace, which scripts look for:
# each text of the models ovni and nanos6, under the old names.

== Clocks.
trace t
  thread 11
  event 7200000000010 OHx i32 1 i32 -1 u64 0
  event 7200000000050 OHe
sh cp -r t t.w
$ (exec -a ovniemu weft t.w)
exit 1
err detected large clock gate
trace u
  event 10 OHx i32 0 i32 -1 u64 0
  event 5 OHe
sh cp -r u u.w
$ (exec -a ovniemu weft u.w)
exit 1
err clock goes backwards
$ (exec -a ovnisort weft -c u)
exit 1
err backwards jump in time

== A region that is too long to be sorted.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  repeat 30 event 100 OB.
  event 900 OU[
  event 15 OB.
  event 950 OU]
  event 1000 OHe
sh cp -r t u
$ (exec -a ovnisort weft -n 20 u)
exit 1
err cannot find a event previous to clock
sh python3 -c 'import struct; e = lambda t, n: b"\0" + n + struct.pack("<q", t); open("t/loom.n.0/proc.9/thread.10/stream.obs", "wb").write(b"ovni\1\0\0\0" + e(10, b"OHp") + b"".join(e(100 + i, b"OB.") for i in range(1000010)) + e(2000000, b"OU[") + e(15, b"OB.") + e(2000001, b"OU]"))'
sh cp -r t v
$ (exec -a ovnisort weft v)
exit 1
err cannot find a event previous to clock

== Models and their versions.
trace t
  json ovni.require {"ovni": "1.1.0", "nanos6": "9.0.0"}
sh cp -r t t.w
$ (exec -a ovniemu weft t.w)
exit 1
err unsupported nanos6 model version (want 9.0.0, have 1.1.0)
trace u
  json ovni.require {"ovni": "1.1.0"}
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
sh cp -r u u.w
$ (exec -a ovniemu weft u.w)
exit 1
err model nanos6 not enabled for event
trace v
  json ovni.require {"ovni": "1.1.0", "other": "1.0.0"}
sh cp -r v v.w
$ (exec -a ovniemu weft v.w)

== Bursts are summed up, and the run succeeds.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  repeat 100 event 33+33 OB.
  event 5000 OHe
sh cp -r t t.w
$ (exec -a ovniemu weft t.w)
err burst stats: median/avg/max =  33/ 33/ 33 ns

== Events that no model has, or that lack their payload.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 Oz.
sh cp -r t t.w
$ (exec -a ovniemu weft t.w)
exit 1
err model ovni has no such event
trace u
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6zz
sh cp -r u u.w
$ (exec -a ovniemu weft u.w)
exit 1
err model nanos6 has no such event
trace v
  event 10 OHx
sh cp -r v v.w
$ (exec -a ovniemu weft v.w)
exit 1
err missing payload
trace w
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6Tc u32 1
sh cp -r w w.w
$ (exec -a ovniemu weft w.w)
exit 1
err missing payload
$ (exec -a ovnidump weft v)
out UNKNOWN
err missing payload

== Stacks.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 30 6S]
sh cp -r t t.w
$ (exec -a ovniemu weft t.w)
exit 1
err Nanos6 subsystem: leaves "Scheduler: Serving tasks" while in "Worker: Looking for work"
trace u
  event 10 OHx i32 0 i32 -1 u64 0
  event 30 6W]
sh cp -r u u.w
$ (exec -a ovniemu weft u.w)
exit 1
err leaves "Worker: Looking for work", but nothing was entered
trace v
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OF[
  event 30 OF[
sh cp -r v v.w
$ (exec -a ovniemu weft v.w)
exit 1
err Flushing ovni buffer: same value as last_value
trace w
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OF]
sh cp -r w w.w
$ (exec -a ovniemu weft w.w)
exit 1
err Flushing ovni buffer: leaves "Flushing", but nothing was entered

== Threads and CPUs.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
sh cp -r t t.w
$ (exec -a ovniemu weft t.w)
exit 1
err thread 10 is not dead at the end
trace u
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OHx i32 1 i32 -1 u64 0
sh cp -r u u.w
$ (exec -a ovniemu weft u.w)
exit 1
err thread 10 is Running
trace v
  thread 11
sh cp -r v v.w
$ (exec -a ovniemu weft v.w)
exit 1
err 2 threads run on CPU
trace w
  event 10 OHx i32 7 i32 -1 u64 0
sh cp -r w w.w
$ (exec -a ovniemu weft w.w)
exit 1
err there is no CPU with index 7
trace x
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OHp
  event 30 6W[
sh cp -r x x.w
$ (exec -a ovniemu weft x.w)
exit 1
err the thread is Paused; only active threads emit this event
trace y
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OAr i32 1 i32 77
sh cp -r y y.w
$ (exec -a ovniemu weft y.w)
exit 1
err no thread 77

== Tasks, their types and bodies.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6Tx u32 1
sh cp -r t t.w
$ (exec -a ovniemu weft t.w)
exit 1
err task 1
trace u
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6Tc u32 1 u32 5
sh cp -r u u.w
$ (exec -a ovniemu weft u.w)
exit 1
err type 5
trace v
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6Yc+ u32 1 str "a"
  event 30 6Yc+ u32 1 str "b"
sh cp -r v v.w
$ (exec -a ovniemu weft v.w)
exit 1
err task type id 1 already exists
trace w
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6Yc+ u32 1 str "a"
  event 30 6Tc u32 1 u32 1
  event 40 6Tc u32 1 u32 1
sh cp -r w w.w
$ (exec -a ovniemu weft w.w)
exit 1
err task id 1 already exists
trace x
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6Yc+ u32 1 str "a"
  event 30 6Tc u32 1 u32 1
  event 40 6Tx u32 1
  event 50 6Tr u32 1
sh cp -r x x.w
$ (exec -a ovniemu weft x.w)
exit 1
err task 1 cannot be resumed: it is Running, not Paused
trace y
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6Yc+ u32 1 str "a"
  event 30 6Tc u32 1 u32 1
  event 40 6Tx u32 1
  event 50 6Tp u32 1
  event 60 6Te u32 1
sh cp -r y y.w
$ (exec -a ovniemu weft y.w)
exit 1
err task 1 cannot be ended: it is Paused, not Running

== Marks.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OM[ i64 1 i32 3
sh cp -r t t.w
$ (exec -a ovniemu weft t.w)
exit 1
err mark type 3
trace u
  json ovni.mark {"1": {"title": "a", "chan_type": "stack"}}
  thread 11
  json ovni.mark {"1": {"title": "b", "chan_type": "stack"}}
sh cp -r u u.w
$ (exec -a ovniemu weft u.w)
exit 1
err mark type 1
trace v
  json ovni.mark {"1": {"title": "a", "chan_type": "stack"}}
  thread 11
  json ovni.mark {"1": {"title": "a", "chan_type": "single"}}
sh cp -r v v.w
$ (exec -a ovniemu weft v.w)
exit 1
err mark type 1
trace w
  json ovni.mark {"1": {"title": "a", "chan_type": "single", "labels": {"2": "x"}}}
  thread 11
  json ovni.mark {"1": {"title": "a", "chan_type": "single", "labels": {"2": "y"}}}
sh cp -r w w.w
$ (exec -a ovniemu weft w.w)
exit 1
err mark type 1

== Metadata.
trace t
  json version 2
sh cp -r t t.w
$ (exec -a ovniemu weft t.w)
exit 1
err version
trace u
  json ovni.require
sh cp -r u u.w
$ (exec -a ovniemu weft u.w)
exit 1
err ovni.require
trace v
  json ovni.app_id 0
sh cp -r v v.w
$ (exec -a ovniemu weft v.w)
exit 1
err app_id
trace w
  json ovni.rank 3
  json ovni.nranks 2
sh cp -r w w.w
$ (exec -a ovniemu weft w.w)
exit 1
err rank
trace x
  json ovni.loom_cpus [{"index": 0, "phyid": 1}, {"index": 2, "phyid": 2}]
sh cp -r x x.w
$ (exec -a ovniemu weft x.w)
exit 1
err cpu
trace y
  thread 11
  json ovni.app_id 2
sh cp -r y y.w
$ (exec -a ovniemu weft y.w)
exit 1
err app_id
