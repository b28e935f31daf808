# The notes that commands print besides their answer: names, states that were
# still open, and what to do next.

== dump prints the names of regions and marks.
write r.tt
| mark 99 stack "Regions" 305975119 "solve" 7 "inner"
| mark 3 single "phase" 1 "one"
| thread a
| 0 a OHx 0 -1 0
| 10 a OM[ 305975119 99
| 11 a OM[ 5 99
| 12 a OM] 5 99
| 20 a OM= 1 3
| 25 a OM= 2 3
| 30 a OM] 305975119 99
| 40 a OHe
$ weft dump r.tt
out enters region "solve"
out enters 5 of mark "Regions"
out leaves region "solve"
out sets "one" of mark "phase"
out sets 2 of mark "phase"
no out 305975119
$ weft dump --format json r.tt
out "says":"enters region \"solve\""
$ weft dump --format ovnidump r.tt
out mark with value 305975119 from type 99
$ weft stat --open r.tt
out nothing was open at the end

== What was open at the end is listed.
write r.tt
| mark 99 stack "Regions" 7 "outer" 8 "inner"
| thread a
| 0 a OHx 0 -1 0
| 10 a OM[ 7 99
| 20 a OM[ 8 99
| 30 a 6S[
| 40 a OHp
$ weft stat --all-models --open r.tt
exit 1
out Regions: "outer" > "inner"
out Nanos6 subsystem: "Scheduler: Serving tasks"
$ weft stat --open --chart r.tt
exit 2

== What is listed as open can be chosen, for programs, with whole names.
write r.tt
| mark 99 stack "Regions" 7 "outer" 8 "a region with a long name of more than sixty bytes: éééééééééééééééé end"
| thread a
| thread b
| 0 a OHx 0 -1 0
| 0 b OHx 1 -1 0
| 10 a OM[ 7 99
| 10 b OM[ 8 99
| 40 a OHp
| 40 b OHp
$ weft stat --open --thread 2 r.tt
exit 1
out éééééééé end"
no out outer
$ weft stat --open --csv --type ovni.mark99 r.tt
exit 1
out row,type,number,title,depth,open
out ovni.mark99,199,Regions,1,"""outer"""
$ weft stat --open --json --type ovni.mark99 --thread 1 r.tt
exit 1
out "type":"ovni.mark99"
out "open":"\"outer\""
no out éé
$ weft stat --open --to 20ns r.tt
exit 2
err --to cannot be combined with it
$ weft stat --open --by cpu r.tt
exit 2
err --by cannot be combined with it

== Commands that are suggested can be copied.
$ weft run -o "it's here" -- true
err stat 'it'\''s here/

== A recording is not put beside itself.
trace x.weft/ovni
$ weft emu -q x.weft
file x.weft/ovni.weft/thread.prv
no file x.weft.weft

== A folder of memory profiles is answered with the command for it.
sh mkdir -p "m m/host.1/"; : >"m m/host.1/process.mem"
$ weft stat "m m"
exit 3
err use weft mem report 'm m'

== Words that are nearly right are answered with the nearest known word.
$ weft satt
exit 2
err did you mean weft stat?
trace t
$ weft stat --chrat t
exit 2
err did you mean --chart?
$ weft emu --type nanos6.subsytem t
exit 2
err did you mean nanos6.subsystem?

== Long flushes are one note, and silent with -q.
write f.tt
| thread a
| 0 a OHx 0 -1 0
| 10 a OF[
| 20000010 a OF]
| 30000000 a OF[
| 70000000 a OF]
| 70000010 a OHe
$ weft stat f.tt
err flushing took 60 ms of running threads: 2 flushes of more than 10 ms, the longest 40 ms
$ weft stat -q f.tt
empty err
