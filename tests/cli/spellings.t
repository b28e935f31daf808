# The spellings that options had in the previous release: they do the same as
# the new ones, and a note names the new ones. -q drops the note.

== Formats of emu were --to and -t; both are an end in time, too.
trace t
$ weft emu -q -f csv t -o new
$ weft emu --to csv t -o a; cmp a/states.csv new/states.csv
err is
| weft emu: note: --to csv is now --format csv; the next release will not accept the old spelling
$ weft emu -t csv t -o b; cmp b/states.csv new/states.csv
err is
| weft emu: note: -t csv is now --format csv; the next release will not accept the old spelling
no file b/*.prv
$ weft emu -q --to=prv,csv t -o c
empty err
file c/thread.prv
file c/states.csv
$ weft emu -q --to 20ns -f csv t -o ends
$ weft emu -t 20ns --to csv t -o d; cmp d/states.csv ends/states.csv
err is
| weft emu: note: -t 20ns is now --to 20ns; the next release will not accept the old spelling
| weft emu: note: --to csv is now --format csv; the next release will not accept the old spelling
$ weft emu --to nosuch t
exit 2
err note: --to nosuch is now --format nosuch
err unknown output format "nosuch"; there are: prv, csv, index, perfetto

== The end of a window is no format in any other command.
trace t
$ weft stat --to csv t
exit 2
err --to takes a time
no err note

== -j was --threads in emu, which run keeps for its own.
trace t
$ weft emu -q --jobs 1 t -o new
empty err
$ weft emu --threads 1 t -o old; cmp old/thread.prv new/thread.prv
err is
| weft emu: note: --threads 1 is now --jobs 1; the next release will not accept the old spelling
$ weft emu -q --threads=1 t -o again
empty err

== -b was --by in stat, top and tasks; it is --breakdown alone.
trace t
$ weft stat --by cpu t >new; weft stat -b cpu t | cmp - new
err is
| weft stat: note: -b cpu is now --by cpu; the next release will not accept the old spelling
$ weft stat -qbcpu t | cmp - new
empty err
$ weft top --by thread t >new; weft top -b thread t | cmp - new
err is
| weft top: note: -b thread is now --by thread; the next release will not accept the old spelling
$ weft tasks -b what groups nosuch.db
exit 3
err weft tasks: note: -b what is now --by what; the next release will not accept the old spelling

== -n and -c of sort were --look-back and --check.
trace t
$ weft sort --check t >new; weft sort -c t | cmp - new
err is
| weft sort: note: -c is now --check; the next release will not accept the old spelling
$ weft sort -q -c t
empty err
$ weft sort -n 5 t -o copy
err weft sort: note: -n 5 is now --look-back 5; the next release will not accept the old spelling
file copy/loom.n.0/proc.9/thread.10/stream.obs
$ weft sort -n 0 t -o none
exit 2
err --look-back needs a number above 0

== -c of mem was --columns.
write empty
$ weft mem report -c share empty
exit 3
err weft mem: note: -c share is now --columns share; the next release will not accept the old spelling
$ weft mem report --columns share empty
exit 3
no err note

== --events of run was what --event is.
$ weft run -q --event nanos6:-memory --threads off -o a env | grep WEFT_EVENTS
out is
| WEFT_EVENTS=nanos6:-memory
$ weft run --events nanos6:-memory --threads off -o b env | grep WEFT_EVENTS
out is
| WEFT_EVENTS=nanos6:-memory
err weft run: note: --events nanos6:-memory is now --event nanos6:-memory; the next release will not accept the old spelling
$ weft run -q --events nanos6:-memory --threads off -o c env | grep WEFT_EVENTS
out is
| WEFT_EVENTS=nanos6:-memory
no err note
$ weft run -q --ev nanos6:-memory --threads off -o d env | grep WEFT_EVENTS
out is
| WEFT_EVENTS=nanos6:-memory

== The text of dump and top was called weft.
trace t
$ weft dump -f text t >new; weft dump -f weft t | cmp - new
err is
| weft dump: note: --format weft is now --format text; the next release will not accept the old spelling
$ weft top --format=weft -q t >old; weft top t | cmp - old
empty err

== A note comes once for each spelling, and cuts what is long.
trace t
$ weft dump -f weft -f weft t 2>&1 >/dev/null | grep -c note
out is
| 1
$ weft tasks groups -b 0123456789012345678901234567890123456789012345678901234567890123456789 nothing
exit 3
err note: -b 012345678901234567890123456789012345678901234567890123456789... is now --by 0123

== The help lists no old spelling.
$ weft help emu | grep -cE -- '-t, |--threads|--to LIST'
exit 1
$ for verb in stat top tasks; do weft help $verb; done | grep -c -- '-b, '
exit 1
$ weft help sort | grep -cE -- '-[cn], '
exit 1
$ weft help run | grep -c -- '--events'
exit 1
