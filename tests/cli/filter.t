# Filters: a part of a trace, exact at its borders.

== A window writes what holds when it begins, and ends before its end.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 30 6S[
  event 40 6S]
  event 50 6W]
  event 60 OHe
$ weft emu t -q --from 15 --to 30 --type 37 --thread 10 -f csv -o out
$ cat out/states.csv
out is
| time_ns,class,row,type,value,label,depth
| 15,thread,TH 1.10,nanos6.subsystem,19,Worker: Looking for work,1
| 20,thread,TH 1.10,nanos6.subsystem,9,Scheduler: Serving tasks,2

== A change at the begin takes the place of what was held.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 30 6S[
  event 40 6S]
  event 50 6W]
  event 60 OHe
$ weft emu t -q --from 20 --to 31 --type 37 --thread 10 -f csv -o out
$ cat out/states.csv
out is
| time_ns,class,row,type,value,label,depth
| 20,thread,TH 1.10,nanos6.subsystem,9,Scheduler: Serving tasks,2
| 30,thread,TH 1.10,nanos6.subsystem,19,Worker: Looking for work,1

== Statistics count the window only.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 50 6W]
  event 60 OHe
$ weft stat t --from 0.02us --to 45ns --type nanos6.subsystem
out is
| Nanos6 subsystem of the ACTIVE thread  (nanos6.subsystem, 1 thread, 25 ns)
|         time ns    share     times  state
|              20   80.0 %         1  Worker: Looking for work
|               5   20.0 %         1  No subsystem
|   100 % is the lifetimes of all threads: 25 ns

== Times have units.
trace t
$ weft stat t --from 0 --to 1s
$ weft stat t --from 0.000001ms --to 0.5us
$ weft stat t --to 10 --from 2ns
$ weft stat t --from 1m
exit 2
err not "1m"
$ weft stat t --from 1.
exit 2
$ weft stat t --from ''
exit 2
$ weft stat t --from 99999999999s
exit 2
$ weft stat t --from -5
exit 2
$ weft stat t --from 20ns --to 0.02us
exit 2
err nothing is between --from 20ns and --to 0.02us: --from must be the earlier time

== A window after the end of the trace is reported.
trace t
$ weft stat t --from 1s
err no events: the trace ends at 40 ns, before --from 1s
out no state was entered

== Threads are chosen by TID, CPUs by the kernel's number.
trace t
  thread 11
  event 10 OHx i32 1 i32 -1 u64 0
  event 50 OHe
$ weft emu t -q --thread 11 -f csv -o a
file a/states.csv
$ cut -d, -f3 a/states.csv | sort -u
out is
| TH 1.11
| row
$ weft emu t -q --cpu 1,-1 -f csv -o b
$ cut -d, -f3 b/states.csv | sed 's/^ *//' | sort -u
out is
| CPU 0.1
| row
$ weft emu t -q --cpu 3 --thread 10,11 -f csv -o c
$ cut -d, -f3 c/states.csv | sed 's/^ *//' | sort -u
out is
| CPU 0.3
| TH 1.10
| TH 1.11
| row

== A loom narrows both.
trace t
  thread 11
  json ovni.loom "m.0"
  json ovni.pid 10
$ weft emu t -q --loom m.0 -f csv -o a
$ cut -d, -f3 a/states.csv | sed 's/^ *//' | sort -u
out is
| CPU 0.3
| TH 1.11
| row
$ weft emu t -q --loom m.0,n.0 -f csv -o b
$ cut -d, -f3 b/states.csv | sort -u | wc -l
out is
| 5
$ weft stat t --loom m.0 --thread 10
exit 2
err the trace has no thread "10"; there are: 11

== Types are chosen by key, number or model.
trace t
$ weft emu t -q --type ovni.cpu,4 --thread 10 -f csv -o a
$ cut -d, -f4 a/states.csv | sort -u
out is
| ovni.cpu
| ovni.state
| type
$ weft emu t -q --only-model ovni --thread 10 -f csv -o b
$ cut -d, -f4 b/states.csv | sort -u | grep -c nanos6
exit 1
$ weft emu t -q --only-model nanos6 --thread 10 -f csv -o c
$ cut -d, -f4 c/states.csv | sort -u | grep -c ovni
exit 1

== What the trace does not have is a mistake, and nothing is written.
trace t
$ weft emu t --thread 99 -o out
exit 2
err the trace has no thread "99"; there are: 10
empty out
no file out
$ weft emu t --cpu 7 -o out
exit 2
err the trace has no CPU "7"; there are: 1, 3, -1
$ weft emu t --loom x -o out
exit 2
err the trace has no loom "x"; there are: n.0
$ weft emu t --type nanos6.nothing -o out
exit 2
err the trace has no type "nanos6.nothing"; there are: ovni.tid, ovni.state
$ weft emu t --only-model nosv -o out
exit 2
err the trace has no model "nosv"; there are: ovni, nanos6
$ weft emu t --thread 10, -o out
exit 2
err no thread ""
$ weft emu t --thread 10x -o out
exit 2
no file out

== The list of what there is ends.
trace t
  threads 200
$ weft stat t --thread 9999 2>&1 | head -1 | wc -c | awk '{ print ($1 < 400) }'
out is
| 1
$ weft stat t --thread 9999
exit 2
err , ...

== Only what the filter keeps is written, and the summary says so.
trace t
$ weft emu t --thread 10 -o a
out open in Paraver: a/thread.prv
no out cpu.prv
file a/thread.prv
no file a/cpu.prv
$ weft emu t --cpu 3 -o b
out open in Paraver: b/cpu.prv
no out thread.prv
no file b/thread.prv
$ weft emu t --from 0 --to 20 -f csv -o c
out output: c
no out Paraver
file c/states.csv

== A key that threads and CPUs share is that of the threads, or of the class before it.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 50 6W]
  event 100 OHe
$ weft stat --type nanos6.subsystem t
out of the ACTIVE thread  (nanos6.subsystem, 1 thread
no out CPU
$ weft stat --type cpu:nanos6.subsystem t
out of the RUNNING thread  (nanos6.subsystem, 2 CPUs
no out ACTIVE
$ weft stat --type cpu:37,thread:37 t
out of the ACTIVE thread
out of the RUNNING thread
$ weft stat --type process:nanos6.subsystem t
exit 2
err the trace has no type "process:nanos6.subsystem"

== a_type_is_found_by_its_title
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 50 6W]
  event 110 OHe
$ weft stat --type "nanos6 subsystem of the ACTIVE thread" t
out Nanos6 subsystem of the ACTIVE thread  (nanos6.subsystem, 1 thread, 100 ns)
$ weft stat --type "Thread: thread state,nanos6.subsystem" t
out (ovni.state, 1 thread, 100 ns)
out (nanos6.subsystem, 1 thread, 100 ns)
$ weft stat --type "Thread: thread stat" t
exit 2
err did you mean Thread: thread state?
