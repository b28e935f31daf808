# weft stat: where the time went.

== The table of a small trace, to the byte.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 50 6W]
  event 60 OHp
  event 100 OHr
  event 110 OHe
$ weft stat --type nanos6.subsystem t
out is
| Nanos6 subsystem of the ACTIVE thread  (nanos6.subsystem, 1 row x 100 ns)
|         time ns    share     times  state
|              30  100.0 %         1  Worker: Looking for work
|              70        -         2  No subsystem
empty err

== By thread and by CPU.
trace t
  thread 11
  event 10 OHx i32 1 i32 -1 u64 0
  event 50 OHe
$ weft stat --by thread t
out TH 1.10
out TH 1.11
out (ovni.state, 2 rows x 40 ns)
$ weft stat --by cpu t
out CPU 0.1
out CPU 0.3
no out TH 1.10
$ weft stat --by state t
no out TH 1.10
out (ovni.state, 2 rows x 40 ns)

== A type may be a key or Paraver's number.
trace t
$ weft stat --type ovni.cpu t
out ovni.cpu
no out ovni.state
$ weft stat --type 6 t
out ovni.cpu
no out ovni.state

== Times are rows times duration, in any trace.
trace t
$ weft stat --type 4 t
out 40  100.0 %         1  Running

== A trace with errors is counted, and the code is 1.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OZz
  event 50 OHe
$ weft stat t
exit 1
err event OZz
out ovni.state

== stat writes no files.
trace t
$ weft stat t
no file *.weft

== A trace where nothing runs.
trace t
  event 10 OB.
$ weft stat t
exit 1
out no state was entered
