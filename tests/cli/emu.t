# weft emu: what it writes and where.

== A trace becomes Paraver timelines beside it.
trace t
$ weft emu t
out 1 thread of 1 process,
out 2 events in 40 ns
out output: t.weft
empty err
file t.weft/thread.prv
file t.weft/thread.pcf
file t.weft/thread.row
file t.weft/cpu.prv
file t.weft/cpu.pcf
file t.weft/cpu.row
no file t.weft/states.csv

== The last line says where the output is.
trace t
$ weft emu t -o some/deep/folder | tail -n 1
out is
| output: some/deep/folder

== -f csv writes states as text.
trace t
$ weft emu -f csv t -o out && cat out/states.csv
out time_ns,class,row,type,value,label,depth
out 0,thread,TH 1.10,ovni.state,1,Running,0
no file out/*.prv

== Several formats at once.
trace t
$ weft emu -f prv,csv t -o out
file out/thread.prv
file out/states.csv

== The viewer's index is the same each time, but for its generation.
trace t
$ weft emu -f index t -o a && weft emu -j 1 -f csv,index t -o b | tail -1
file b/timeline.widx
out output: a
out output: b
$ cmp -l a/timeline.widx b/timeline.widx | awk '$1 < 89 || ($1 > 104 && $1 < 4089)'
empty out

== The formats may be the same twice.
trace t
$ weft emu -f prv,prv t -o out
file out/thread.prv

== A slash at the end of the trace does not matter.
trace t
$ weft emu t/
file t.weft/thread.prv
no file t/*.weft

== An output of before is replaced.
trace t
sh mkdir t.weft; echo old >t.weft/thread.prv
$ weft emu t; head -c 8 t.weft/thread.prv
out #Paraver

== The same trace gives the same bytes.
trace t
$ weft emu t -o a >/dev/null && weft emu t -o b >/dev/null && diff -r a b
empty out

== One file of a stream stands for its folder.
trace t
$ weft emu t/loom.n.0/proc.9/thread.10/stream.json -o out
file out/thread.prv

== A trace written by hand is a trace.
write small.tt
| thread a
| 0 a OHx 0 -1 0
| 40 a OHe
$ weft emu small.tt -o out
out 2 events in 40 ns
file out/thread.prv

== A mistake in a trace written by hand has line and column.
write small.tt
| thread a
| 0 a OHx 0 -1 0
| what is this
$ weft emu small.tt -o out
exit 3
empty out
err small.tt: line 3: column 1:
no file out/*

== -q says nothing but what is wrong.
trace t
  json ovni.finished
$ weft emu -q t
no err note
empty out

== --max-findings limits what is printed, not what is counted.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  repeat 30 event 20 OZz
  event 60 OHe
$ weft emu --max-findings 3 t 2>&1 >/dev/null | grep -c OZz; weft emu --max-findings 3 t
exit 1
err 27 more are not shown (--max-findings)
err the trace has 30 errors
out 3
$ weft emu --max-findings 0 t
exit 1
no err OZz
err the trace has 30 errors

== A table of clock offsets that does not exist ends the run.
trace t
$ weft emu -c nosuch.txt t
exit 3
err nosuch.txt
no file t.weft

== A table of clock offsets moves a host.
trace t
  thread 11
  json ovni.loom "m.0"
  json ovni.pid 8
  event 10 OHx i32 0 i32 -1 u64 0
  event 50 OHe
write clocks.txt
| rank       hostname             offset_median        offset_mean          offset_std
| 0          n                    0                    0                    0
| 1          m                    1000                 1000                 0
$ weft emu -c clocks.txt t -o out
out 4 events in 1040 ns

== -a shows models that no thread asks for.
trace t
  json ovni.require.nanos6
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 30 6W]
  event 50 OHe
$ weft emu t
exit 1
err model nanos6 not enabled for event
$ weft emu -a t

== The output cannot lie below a file.
trace t
sh touch file
$ weft emu t -o file/out
exit 3
err cannot create folder
err Not a directory
empty out

== The output cannot be a file.
trace t
sh touch file
$ weft emu t -o file
exit 3
err cannot create folder file
$ weft emu t -o /dev/null
exit 3

== A folder where a file should go.
trace t
sh mkdir -p out/thread.prv
$ weft emu t -o out
exit 3
err out/thread.prv

== A full disk is no success, and leaves no half file.
trace t
sh mkdir out; ln -s /dev/full out/thread.prv
$ weft emu t -o out
exit 3
err cannot write out/thread.prv

== A full device for the summary is no success.
trace t
$ weft emu t >/dev/full
exit 3
err cannot write to standard output
$ weft stat t >/dev/full
exit 3

== Labels with newlines and quotes stay in their lines and cells.
trace t
  json ovni.mark {"1": {"title": "one\nVALUES", "chan_type": "single", "labels": {"5": "a\nEVENT_TYPE,\"b"}}}
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OM= i64 5 i32 1
  event 50 OHe
$ weft emu -f prv,csv t -o out >/dev/null; grep -A3 '^0 101' out/thread.pcf
out is
| 0 101        one VALUES
| VALUES
| 0    None
| 5    a EVENT_TYPE,"b
$ grep -A1 '^10,thread,.*mark' out/states.csv
out is
| 10,thread,TH 1.10,ovni.mark1,5,"a
| EVENT_TYPE,""b",0

== --errors chooses how a CPU with two running threads shows.
write two.tt
| thread a
| thread b
| 0 a OHx 0 -1 0
| 10 b OHx 0 -1 0
| 20 b OHe
| 30 a OHe
$ weft emu two.tt -o show
exit 1
err error: two.tt: line 4: event OHx: at 10 ns: 2 threads run on CPU 0.0 at the same time
$ weft emu --errors=null two.tt -o null
exit 1
err 2 threads run on CPU 0.0
$ grep -h ':7:21474' show/cpu.prv
out is
| 2:1:1:1:1:10:7:2147483647
$ grep -c ':21474' null/cpu.prv
exit 1
out is
| 0
$ grep -h 21474 show/cpu.pcf
out is
| 2147483646 Bad: the running thread's channel is disabled
| 2147483647 Bad: too many running threads
$ grep -c 21474 null/cpu.pcf
exit 1
out is
| 0
$ weft emu --strict two.tt -o strict
exit 1
err 2 threads run on CPU 0.0
$ grep -h ':10:\|_ns' strict/cpu.prv
out is
| #Paraver (19/01/38 at 03:14):00000000000000000010_ns:0:1:1(3:1)
$ weft emu --errors=some two.tt
exit 2
err one of show,null,all

== A breakdown: the CPUs sorted, and a label for two threads on one.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 30 6W]
  event 50 OHe
$ weft emu -q -b t -o out
$ grep -c 2147483647 out/nanos6-breakdown.pcf
out is
| 1
trace u
  thread 11
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 30 6W]
  event 50 OHe
$ weft emu -q -b u -o two
exit 1
err 2 threads run on CPU 0.3
$ grep 2147483647 two/nanos6-breakdown.pcf
out Bad: too many running threads
$ grep -c :2147483647 two/nanos6-breakdown.prv
out is
| 1
$ weft emu -q -b --errors null u -o none
exit 1
$ grep -c 2147483647 none/nanos6-breakdown.pcf
exit 1
