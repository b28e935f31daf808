# Traces that cannot be read, and directories that cannot be written to.

== A path that is not there.
$ weft emu nosuch
exit 3
empty out
err weft emu: error: nosuch: cannot be found
no file nosuch.weft
$ weft stat nosuch
exit 3
err nosuch
$ weft emu ''
exit 3

== An empty folder.
sh mkdir t
$ weft emu t
exit 3
empty out
err t: the directory is empty
no file t.weft

== A folder without streams.
sh mkdir -p t/sub; touch t/sub/file
$ weft emu t
exit 3
err t: no trace in this directory or
no file t.weft

== A file that is no trace.
write notes.txt
| hello
$ weft emu notes.txt
exit 3
err notes.txt: no readable trace here
no err store
err known formats: ctf
err , prv (timelines of Paraver
$ weft dump notes.txt
exit 3
err known formats: ctf
no err Paraver
sh mkdir -p measured/mem; printf 'SQLite format 3' >run.db
$ weft stat measured
exit 3
err measured is a memory measurement: use weft mem report
no err no trace
$ weft dump run.db
exit 3
err run.db is a store of tasks
no err no readable trace
write x.prv
| #Paraver (19/01/2024 at 10:00):10_ns:1(2):1:1(1:1)
$ weft dump x.prv
exit 3
err x.prv has states and no events: use weft stat
no err no readable trace
sh printf 'PERFILE2and more' >perf.data
$ weft stat perf.data
exit 3
err perf.data was written by perf: use weft mem report perf.data
sh : >empty
trace t
$ weft emu -o out t
$ weft stat empty
exit 3
err empty: the file is empty
no err formats
$ weft stat out
exit 3
err out has timelines of Paraver: name one of them, as out/thread.prv
no err no trace
$ weft stat out/thread.pcf
exit 3
err out/thread.pcf is a part of out/thread.prv: name that
$ weft emu /dev/null
exit 3
$ weft emu /dev/zero
exit 3

== A pipe is no trace, and does not block.
sh mkdir t; mkfifo pipe t/stream.json t/stream.obs
$ weft emu pipe
exit 3
$ weft emu t
exit 3

== Links that lead in circles.
trace t
sh ln -s .. t/loom.n.0/up; ln -s self t/self
$ weft emu t
out 2 events

== A folder that may not be read.
needs root
trace t
sh chmod 000 t; mkdir -m 777 out
$ nobody: weft emu t -o out
exit 3
err t: cannot be read, check its permissions
no file out/*

== A stream that may not be read.
needs root
trace t
sh chmod 000 t/loom.n.0/proc.9/thread.10/stream.obs; mkdir -m 777 out
$ nobody: weft emu t -o out
exit 3
err thread.10/stream.obs: cannot open: Permission denied
err no event in its 1 stream

== A stream that may not be read leaves the others.
needs root
trace t
  thread 11
sh chmod 000 t/loom.n.0/proc.9/thread.11/stream.obs; mkdir -m 777 out
$ nobody: weft emu t -o out
exit 1
err thread.11/stream.obs: cannot open: Permission denied
file out/thread.prv

== Metadata that may not be read.
needs root
trace t
sh chmod 000 t/loom.n.0/proc.9/thread.10/stream.json; mkdir -m 777 out
$ nobody: weft emu t -o out
exit 3
err thread.10/stream.json: cannot be read, check its permissions: Permission denied

== A folder inside the trace that may not be read.
needs root
trace t
sh chmod 000 t/loom.n.0/proc.9; mkdir -m 777 out
$ nobody: weft emu t -o out
exit 3
err t/loom.n.0/proc.9: left out: Permission denied

== Without a place beside the trace, the output comes here.
needs root
trace locked/t
sh mkdir -m 777 here
$ nobody: cd here && weft emu ../locked/t
out output: t.weft
file here/t.weft/thread.prv
no file locked/t.weft

== A trace that may only be read.
needs root
trace locked/t
sh chmod -R a-w locked; mkdir -m 777 here
$ nobody: cd here && weft emu ../locked/t -o out
file here/out/thread.prv

== Without a place anywhere, it says so.
needs root
trace locked/t
$ nobody: cd locked && weft emu t
exit 3
err cannot create directory t.weft: Permission denied
empty out

== An output folder that may not be written to.
needs root
trace t
sh mkdir -m 755 out
$ nobody: weft emu t -o out
exit 3
err out/thread.prv: Permission denied

== Traces of several runs are not one.
trace d/a
trace d/deep/b
$ weft emu d -o out
exit 3
empty out
err d: contains several traces (a, deep/b) whose clocks are not related
err name one of them, as d/a, or --clocks
no file out
$ weft emu d/deep -o deep
$ weft emu d/a/loom.*/proc.*/thread.* -o out
sh mkdir many; for i in 1 2 3 4 5 6; do cp -r d/a many/$i; done
$ weft stat many
exit 3
err (1, 2, 3, 4, ...)
sh cp -r d/a/loom.* many/
$ weft stat many
exit 3
err (1, 2, 3, 4, ...)
sh rm -r many/2 many/3 many/4 many/5 many/6
$ weft stat many
exit 3
err (1, .)

== What weft run records beside a program's trace is left out while it runs, and after a kill.
trace d/ovni
trace d/threads
sh rm d/threads/loom.*/proc.*/thread.*/stream.json
$ weft emu d -o out
err note: d/threads: left out: where the threads of ovni beside it ran; name both to see both
$ weft stat d
$ weft check d
exit 0

== What has the name of such a record beside another trace is a trace.
trace d/other
trace d/threads
$ weft check d
exit 3
err d: contains several traces (other, threads)

== A table of clocks makes the folders of several nodes one trace.
trace d/a
trace d/b
  json ovni.loom "m.0"
sh printf 'rank hostname offset_median offset_mean offset_std\n0 n 0 0 0\n1 m 0 0 0\n' >d/clock-offsets.txt
$ weft emu d
out 2 threads of 2 processes

== Several traces in CTF.
sh mkdir d
ctf d/a nanos6-fib
ctf d/b lttng-1
$ weft emu d
exit 3
err d: contains several traces (a, b)
err name one of them
no err --clocks

== Snapshots of a session of LTTng are one trace, whatever their names are.
ctf one lttng-1
sh mkdir -p "t/mine-20240101-120000-0" "t/be fore-20240101-120001-1" t/snapshot-3-20240101-120002-2
sh for s in t/*; do cp -r one/ust "$s"; done
$ weft dump -q --format json t | wc -l >all; weft dump -q --format json one | wc -l | cmp - all
empty err
$ test $(cat all) -gt 0

== A session of LTTng that records on behind a rotation is one trace.
ctf one lttng-1
sh mkdir -p t/archives t/20240101T120003+0100-12
sh cp -r one/ust t/20240101T120003+0100-12; cp -r one t/archives/20240101T120000+0100-20240101T120003+0100-11
$ weft dump -q --format json t | wc -l >all; weft dump -q --format json one | wc -l | cmp - all
empty err
$ test $(cat all) -gt 0
$ weft check t
exit 0
out note: t/20240101T120003+0100-12/ust/uid/0/64-bit: LTTng recorded to this directory last: what it still holds in memory is missing; if the session still records, lttng rotate or lttng stop writes it
$ weft check t/archives
no out records to this folder

== The archives of a session of LTTng are one trace, without what it records now, too.
ctf one lttng-1
sh mkdir -p t/archives
sh for n in 0 1; do cp -r one t/archives/20240101T12000$n+0100-20240101T12000$((n+1))+0100-$n; done
$ weft dump -q --format json t/archives | wc -l >all; weft dump -q --format json t | wc -l | cmp - all
empty err
$ test $(cat all) -gt 0

== Chunks of two sessions, one beside the other, are two traces.
ctf one lttng-1
sh for n in 1 2; do mkdir -p t/s$n/20240101T120003+0000-1; cp -r one/ust t/s$n/20240101T120003+0000-1; done
$ weft check t
exit 3
err t: contains several traces (s1, s2)

== Two sessions of LTTng are two traces.
ctf one lttng-1
sh mkdir -p t/auto-20240101-120000 t/auto-20240101-120001
sh for s in t/*; do cp -r one/ust "$s"; done
$ weft dump t
exit 3
err t: contains several traces (auto-20240101-120000, auto-20240101-120001)

== How deep below a folder a trace may lie.
trace 1/2/3/4/t
$ weft emu 1/2 -o out
$ weft emu 1 -o out
exit 3
err 1: no trace in this directory or 6 levels below, of ovni (stream.json) or in CTF (metadata)
