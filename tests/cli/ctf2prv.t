# weft called as ctf2prv; golden/views compares what it writes.

== Usage.
$ (exec -a ctf2prv weft)
exit 1
err Usage: ctf2prv [--fast] [-jq] [-o DIR] [-f TYPES] TRACE

== What is no trace.
$ (exec -a ctf2prv weft nosuch)
exit 1
err ctf2prv: error: nosuch
no file nosuch

== A trace of another kind.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
$ (exec -a ctf2prv weft -o out t)
exit 1
err not a CTF trace of Nanos6

== The environment: a CTF2PRV_TIMEOUT that is not a time is reported; CTF2PRV_VERBOSE names weft dump.
ctf t nanos6-fib
$ cp -r t/0 r; CTF2PRV_TIMEOUT=x CTF2PRV_VERBOSE=1 bash -c 'exec -a ctf2prv weft r'
err weft dump --format babeltrace r
err warning: CTF2PRV_TIMEOUT: "x" is no number of minutes
file r/prv/trace.prv
$ for i in -1 1x nan; do CTF2PRV_TIMEOUT=$i bash -c 'exec -a ctf2prv weft r'; done 2>&1 | grep -c 'no number of minutes'
out is
| 3
$ for i in '' 0 2.5; do CTF2PRV_TIMEOUT=$i bash -c 'exec -a ctf2prv weft -q r'; done
empty err
$ (exec -a ctf2prv weft -f 6400010,6400011 -j -o new r)
$ cut -d: -f7 new/trace.prv | sort -u | grep 64000
out is
| 6400010

== Only what is Paraver's is replaced.
ctf t nanos6-fib
sh cp -r t/0 r; mkdir r/prv; echo mine >r/prv/trace.prv; echo x >r/prv/other
$ (exec -a ctf2prv weft r)
exit 1
err r/prv/trace.prv is no trace of Paraver: it is left as it is
sh echo '#Paraver' >r/prv/trace.prv
$ (exec -a ctf2prv weft -q r)
empty err
file r/prv/other
$ head -c 9 r/prv/trace.prv
out #Paraver

== A view is named, or a mistake.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 50 6W]
  event 60 OHe
$ weft emu t -q --view subsystem,idle --thread 10 -f csv -o out
$ cut -d, -f4 out/states.csv
out nanos6.subsystem
out nanos6.idle
no out nanos6.rank
no out ovni.
$ weft emu t -q --view nanos6.subsystem,nanos6/idle,ovni/state --thread 10 -f csv -o named
$ cut -d, -f4 named/states.csv
out nanos6.subsystem
out nanos6.idle
out ovni.state
no out nanos6.rank
$ weft emu t -q --view ovni/subsystem
exit 2
err there is no view "ovni/subsystem"
$ weft emu t -q --view nosuch
exit 2
err there is no view "nosuch"; there are: status
